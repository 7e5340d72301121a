"""
Machines that age
=================

After a repair failures are frequent, later they are rare: a Weibull law of shape 0.6. Checkpoints should be
close together at first, and their distance should grow.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Hours. The mean uptime is a day, a checkpoint takes six minutes.

uptime = perfmodel.Weibull.from_mean(24.0, cv=1.75)
cost = {"checkpoint_cost": 0.1, "recovery_cost": 0.1}
intervals = perfmodel.optimal_intervals_ageing(uptime=uptime, **cost)
young = float(perfmodel.optimal_interval_young(mtbf=24.0, checkpoint_cost=0.1))
fixed = perfmodel.optimal_interval_ageing(uptime=uptime, **cost)
print("first ten intervals [h]:", np.round(intervals[:10], 2))

# %%
# What each choice gives as the share of time that advances a long job.

choices = {"Young": np.array([young]), "best fixed": np.array([fixed]), "best sequence": intervals}
for name, chosen in choices.items():
    share = perfmodel.useful_share_ageing(chosen, uptime=uptime, **cost)
    print(f"{name:14} {100 * share:.3f} %")

figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(np.cumsum(intervals)[:40], intervals[:40], "o-", ms=3, label="best sequence")
axes.axhline(young, color="grey", ls=":", label="Young, from the mean")
axes.axhline(fixed, color="grey", ls="--", label="best fixed interval")
axes.set(xlabel="work since the last failure [h]", ylabel="work between checkpoints [h]")
axes.legend()
plt.show()
