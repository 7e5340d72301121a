"""
Checkpoints on several levels
=============================

A copy in the memory of a neighbour takes ten seconds and survives most failures; the file system takes five
minutes and survives all. How often each?
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel
from perfmodel.levels import Level

# %%
# Seconds. The share of failures that the neighbour's copy survives goes from three in ten to all but one in 200.

hours = 3600.0
shares = np.array([0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995])
file_system = Level(cost=300.0, recovery=300.0, survives=1.0)
patterns = [
    perfmodel.optimal_pattern_levels(
        [Level(cost=10.0, recovery=10.0, survives=share), file_system], mtbf=12.0 * hours
    )
    for share in shares
]
chosen = patterns[4]
print(
    f"a copy that survives {shares[4]:.0%}: every {chosen.interval / 60:.1f} min, every "
    f"{chosen.counts[0]}th to the file system; {chosen.efficiency:.1%} of the time is work"
)

# %%
# The file system alone, for comparison, in a month of work.

job = {"mtbf": 12.0 * hours, "checkpoint_cost": 300.0}
alone = perfmodel.efficiency(
    720.0 * hours, interval=perfmodel.optimal_interval(**job), recovery_cost=300.0, **job
)
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(
    100 * shares, [100 * (1 - each.efficiency) for each in patterns], "o-", label="two levels"
)
axes.axhline(100 * (1 - alone), color="grey", ls=":", label="file system alone")
axes.set(
    xlabel="failures that the neighbour's copy survives [%]",
    ylabel="share of the time that is lost [%]",
    ylim=0,
)
axes.legend()
plt.show()
