"""
A sweep: one formula over many parameters
=========================================

Formulas take arrays. The share of the time that is lost, over the MTBF and the cost of a checkpoint, is one
call; simulated jobs and replays for many parameters have `perfmodel sweep` and a ledger that survives kills.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Hours; every pair of an MTBF from 1 h to 30 d and a checkpoint of 6 s to 1 h.

mtbf = np.geomspace(1.0, 720.0, 120)
cost = np.geomspace(1 / 600, 1.0, 100)[:, None]
interval = perfmodel.optimal_interval(mtbf=mtbf, checkpoint_cost=cost)
lost = 1.0 - perfmodel.efficiency(
    8760.0, interval=interval, mtbf=mtbf, checkpoint_cost=cost, recovery_cost=cost
)

# %%
# Below the line of 10 % a checkpoint is cheap enough for the machine.

figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
mesh = axes.pcolormesh(
    mtbf, 60.0 * cost[:, 0], 100.0 * lost, cmap="viridis", vmin=0, vmax=60, shading="gouraud"
)
lines = axes.contour(
    mtbf, 60.0 * cost[:, 0], 100.0 * lost, levels=[2, 5, 10, 20, 40], colors="white", linewidths=0.8
)
axes.clabel(lines, fmt="%g %%")
axes.set(xscale="log", yscale="log", xlabel="MTBF [h]", ylabel="checkpoint [min]")
figure.colorbar(mesh, label="share of the time that is lost [%]")
plt.show()
