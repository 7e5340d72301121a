"""
A replay under failures
=======================

All jobs of a log are played on a machine whose nodes fail, under two scheduling policies, with and without
checkpoints.
"""

import matplotlib.pyplot as plt
import numpy as np

from sim import cluster, metrics

# %%
# Three hundred jobs on 128 processors, drawn here; `sim.traces.read_swf` reads a log of yours. Seconds.

rng = np.random.default_rng(11)
count = 300
jobs = cluster.Workload(
    submit=np.cumsum(rng.exponential(1600.0, count)),
    runtime=rng.exponential(7200.0, count) + 60.0,
    walltime=np.full(count, 86_400.0),
    processors=rng.integers(1, 49, count),
)
machine = cluster.flat(128)
failures = cluster.bursty_failures(
    nodes=128, per_year=2000.0, repair=1800.0, start=0.0, end=20 * 86_400.0, seed=1
)

# %%
# What is lost and how long jobs wait.

figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for policy in ("fcfs", "easy"):
    for saves, style in (
        (cluster.NoCheckpoints(), "-"),
        (cluster.Periodic(1800.0, 60.0, 60.0), "--"),
    ):
        played = cluster.replay(
            jobs, machine, policy=policy, failures=failures, checkpointing=saves
        )
        waits = np.sort(metrics.wait(played.job_records)) / 3600
        name = f"{policy}, {'no checkpoints' if style == '-' else 'every 30 min'}"
        axes.plot(waits, np.arange(1, waits.size + 1) / waits.size, style, label=name)
        print(f"{name}: mean wait {waits.mean():.2f} h")
axes.set(xlabel="wait [h]", ylabel="share of jobs")
axes.legend()
plt.show()
