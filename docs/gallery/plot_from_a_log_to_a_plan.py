"""
From a failure log to a plan
============================

This page takes a failure log, fits laws to it, asks how often a job should write a checkpoint and
when it ends, and plays all jobs of a small log with failures. Everything is generated here; put your own
files in place of the first cell. Times are in seconds unless a name says otherwise.
"""

import numpy as np

import perfmodel
from perfmodel.units import seconds
from sim import cluster, study

rng = np.random.default_rng(7)
uptimes = seconds("15h") * rng.weibull(0.7, 150)
(uptimes[:5] / 3600).round(1)  # hours

# %%
# What the log says
# -----------------
#
# Four families are fitted, the best by AICc first. A notebook shows a table; `plot` draws the laws over
# the estimate of Kaplan and Meier.

fits = perfmodel.fit_lifetime(uptimes)
fits

# %%
axes = fits.plot(durations=uptimes, unit="s")

# %%
# How often to write a checkpoint
# -------------------------------
#
# The mean uptime is enough where failures come at a constant rate. `recommend` compares protocols for
# one job: each at its best, and by how much the others are longer.

mtbf = fits.best.mean
job = {"mtbf": mtbf, "checkpoint_cost": seconds("6min")}
interval = perfmodel.optimal_interval(**job)
print(f"a checkpoint after every {interval / 60:.1f} min of work")

# %%
found = perfmodel.recommend(seconds("7d"), **job, snapshot_cost=20.0, latency=seconds("9min"))
for each in found.protocols:
    print(
        f"{each.protocol:15} {each.expected_time / 86400:8,.2f} d, {1 + each.regret:6.2f} times the best"
    )

# %%
# When the job ends
# -----------------
#
# The law of the completion time is exact. Its points are probabilities, its percentiles are what one can
# promise.

law = perfmodel.exact_makespan(seconds("7d"), interval=interval, recovery_cost=300.0, **job)
law

# %%
axes = law.plot(deadline=seconds("9d"), unit="s")

# %%
# What failures do to all jobs
# ----------------------------
#
# A workload is replayed under two policies, with the same failures for each seed. Differences are paired,
# so that a few seeds say much.

jobs = 400
workload = cluster.Workload(
    submit=np.cumsum(rng.exponential(600.0, jobs)),
    runtime=rng.exponential(seconds("2h"), jobs) + 60.0,
    walltime=np.full(jobs, seconds("1d")),
    processors=rng.integers(1, 33, jobs),
)
workload

# %%
failures = cluster.DrawnFailures(mtbf=seconds("6h"), mttr=seconds("1h"))
cells = {policy: study.Cell(policy, failures) for policy in ("easy", "fcfs")}
found = study.play_study(workload, cluster.flat(128), cells, seeds=range(1, 9))
waits = found.means()
waits[waits["metric"] == "mean_wait_s"]

# %%
changes = found.differences("easy")
changes[changes["metric"] == "mean_wait_s"]
