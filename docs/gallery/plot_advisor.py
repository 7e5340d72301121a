"""
An advisor in a running job
===========================

The best interval needs the MTBF, which nobody knows when a job starts. An advisor begins with a guess and
learns from the job's own failures.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel
from perfmodel.advisor import CheckpointAdvisor

# %%
# Seconds. The job tells when it starts, fails, and writes a checkpoint; it states the cost of a checkpoint and no MTBF.

mtbf, cost = 6 * 3600.0, 120.0
advisor = CheckpointAdvisor(cost=cost)
rng = np.random.default_rng(4)
now, advised, at = 0.0, [], []
advisor.started(now)
for _ in range(60):
    fails = now + rng.exponential(mtbf)
    while (due := advisor.next_checkpoint()) + cost < fails:
        now = max(due, now)
        advisor.checkpoint_begun(now)
        now += cost
        advisor.checkpoint_done(now)
    at.append(fails / 86_400)
    advised.append(advisor.recommendation(fails).interval / 60)
    advisor.failed(fails)
    now = fails + 60.0
    advisor.started(now)

# %%
# What it advises, after each failure, against the best for an MTBF that is known.

best = float(perfmodel.optimal_interval(mtbf=mtbf, checkpoint_cost=cost)) / 60
figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
axes.plot(at, advised, "o-", ms=3, label="advised")
axes.axhline(best, color="grey", ls=":", label="best, if the MTBF were known")
axes.set(xlabel="time of the job [d]", ylabel="work between checkpoints [min]", ylim=0)
axes.legend()
plt.show()
