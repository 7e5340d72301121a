"""
Lemons: when some nodes fail more often
=======================================

Two per cent of the nodes fail twenty times as often as the others. A job that happens to hold some of
them sees another machine; taking the worst out after a month is worth more than spares.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Days; `node_mtbf` is the mean of all nodes. A small job often holds no lemon, and is lucky.

lemons = {"node_mtbf": 1800.0, "lemon_share": 0.02, "lemon_factor": 20.0}
for nodes in (8, 64, 1024):
    even, uneven = 1800.0 / nodes, perfmodel.effective_mtbf(nodes, **lemons)
    print(
        f"{nodes:5} nodes: first failure after {even:6.1f} d if all are alike, {uneven:6.1f} d with lemons"
    )

# %%
# Watch every node for a time and take out those that failed most.

removed = np.arange(0, 41)
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for observed in (30.0, 90.0, 365.0):
    mtbf = perfmodel.node_mtbf_without_worst(removed, nodes=1024, observed=observed, **lemons)
    axes.plot(removed, mtbf / 365.25, label=f"watched for {observed:.0f} d")
axes.set(xlabel="worst nodes taken out", ylabel="mean node MTBF of the others [y]")
axes.legend()
plt.show()

# %%
# Which nodes of a log are bad is a test of many nodes at once: a false alarm anywhere in five per cent.

rng = np.random.default_rng(5)
seen = rng.poisson(np.where(np.arange(256) < 5, 20.0, 1.0) * 0.5)
found = perfmodel.bad_nodes(seen)
print("bad nodes:", found.bad.nonzero()[0] if found.bad.dtype == bool else found.bad)
