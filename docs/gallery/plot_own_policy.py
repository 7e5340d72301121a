"""
A scheduling policy of your own
===============================

A policy is a class with `begin`, which returns what the replay calls at every pass. This one starts the
job that has waited longest for its size.
"""

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

from sim import cluster, metrics

# %%
# It sees the queue and the machine, and starts jobs; nothing else is needed.


@dataclass(frozen=True)
class Patience:
    """Whoever has waited longest per processor asked for is tried first."""

    name: str = "patience"
    runs_on: tuple = ()  # any machine

    def begin(self, cluster):
        """Return what is called at each pass."""

        def schedule(news):
            now = cluster.now
            for job in sorted(cluster.queue, key=lambda job: (job.submit - now) / job.processors):
                placement = cluster.machine.place(job)
                if placement is not None:
                    cluster.start(job, placement)

        return schedule


# %%
# The same jobs under it and under two that are there.

rng = np.random.default_rng(12)
count = 250
jobs = cluster.Workload(
    submit=np.cumsum(rng.exponential(1500.0, count)),
    runtime=rng.exponential(5400.0, count) + 60.0,
    walltime=np.full(count, 86_400.0),
    processors=rng.integers(1, 41, count),
)
waits = {}
for policy in ("fcfs", "easy", Patience()):
    played = cluster.replay(jobs, cluster.flat(96), policy=policy)
    waits[played.policy] = metrics.wait(played.job_records) / 3600
    print(f"{played.policy}: mean wait {waits[played.policy].mean():.2f} h")

figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, values in waits.items():
    sizes = np.array_split(np.argsort(jobs.processors), 8)
    axes.plot(
        [jobs.processors[part].mean() for part in sizes],
        [values[part].mean() for part in sizes],
        "o-",
        label=name,
    )
axes.set(xlabel="processors of a job, in eighths", ylabel="mean wait [h]", ylim=0)
axes.legend()
plt.show()
