"""
Where the time of a training run goes
=====================================

Checkpoints, work that is lost, detection, restart: the shares of each, for more and more accelerators.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Seconds. A node of eight accelerators fails every five years in the mean; a checkpoint takes a minute.

nodes = np.array([128, 512, 2048, 8192])
mtbf = 5 * 365.25 * 86_400.0 / nodes
stops = {
    "checkpoint_cost": 60.0,
    "restore": 120.0,
    "detection": 60.0,
    "warm_up": 60.0,
    "rescheduling": 180.0,
}
interval = perfmodel.optimal_interval(mtbf=mtbf, checkpoint_cost=60.0)
shares = perfmodel.training_shares(interval=interval, mtbf=mtbf, **stops)
print("goodput [%]:", (100 * perfmodel.goodput(interval=interval, mtbf=mtbf, **stops)).round(1))

# %%
# Each class of loss, stacked.

figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
bottom = np.zeros(nodes.size)
for name, each in shares.losses().items():
    values = np.broadcast_to(100 * np.asarray(each), nodes.shape)
    if values.max() > 0:
        axes.bar(nodes.astype(str), values, bottom=bottom, label=name.replace("_", " "), width=0.6)
        bottom = bottom + values
axes.set(xlabel="nodes", ylabel="share of the time [%]")
axes.legend(loc="upper left")
plt.show()
