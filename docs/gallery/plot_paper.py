"""
A figure of a paper, again
==========================

Wu, Sun and Jin give a job's time on one node by its mean and variance, and a gamma law of the two. Here it is
beside jobs that are played under the paper's own rules: rework never fails.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel
from sim.application import simulate_wsj_makespans
from sim.samplers import Exponential

# %%
# Hours: 100 h of work, a failure every 20 h in the mean, repairs of 2 h in the mean.

job = {"interval": 2.0, "checkpoint_cost": 0.1}
law = perfmodel.wsj_makespan(100.0, mtbf=20.0, downtime=perfmodel.Exponential(2.0), **job)
played = simulate_wsj_makespans(
    100.0, mtbf=20.0, downtime=Exponential(2.0), replications=20_000, seed=1, **job
)
print(f"mean {law.mean:.2f} h by the formula, {played.mean():.2f} h played")

# %%
# The gamma law has the right mean and spread; its left end begins a little late.

times = np.linspace(100.0, 160.0, 300)
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(times, law.cdf(times), label="gamma law")
axes.step(np.sort(played), np.arange(1, played.size + 1) / played.size, lw=0.9, label="played")
axes.set(xlabel="time from start to end [h]", ylabel="probability of having ended")
axes.legend()
plt.show()
