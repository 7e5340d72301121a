"""
A study: many seeds, means with intervals
=========================================

One seed of failures gives one number. A study plays the same seeds in every cell, so that differences are
paired and few seeds say much.
"""

import matplotlib.pyplot as plt
import numpy as np

from sim.cluster import Periodic, Workload, flat
from sim.study import Cell, DrawnFailures, play_study

# %%
# Two hundred equal jobs on 96 processors, failures every six hours; three intervals between checkpoints.

jobs = Workload(
    submit=np.arange(200) * 900.0,
    runtime=[7200.0] * 200,
    walltime=[20_000.0] * 200,
    processors=[8] * 200,
)
failing = DrawnFailures(mtbf=6 * 3600.0, mttr=600.0)
cells = {"none": Cell("easy", failing)}
for minutes in (10, 30, 60):
    cells[f"{minutes} min"] = Cell("easy", failing, Periodic(60.0 * minutes, 60.0, 60.0))
study = play_study(jobs, flat(96), cells, seeds=range(20), workers=1)

# %%
# Node-hours lost, against no checkpoints, with half of each 95 % interval.

lost = study.differences("none").query("metric == 'lost_node_h'")
print(lost[["cell", "mean", "half_width"]].round(1).to_string(index=False))
figure, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
axes.errorbar(lost["cell"], lost["mean"], lost["half_width"], fmt="o", capsize=4)
axes.axhline(0.0, color="grey", lw=0.8)
axes.set(xlabel="work between checkpoints", ylabel="node-hours lost, less those without")
plt.show()
