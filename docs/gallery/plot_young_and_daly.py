"""
Young and Daly against the exact rule
=====================================

Three rules for the work between two checkpoints, and what each costs in expected time.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# All times are in hours. A checkpoint takes six minutes; the MTBF runs from half an hour to a month.

checkpoint_cost = 0.1
mtbf = np.geomspace(0.5, 720.0, 200)
rules = {
    "exact": perfmodel.optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost),
    "Young": np.sqrt(2.0 * checkpoint_cost * mtbf),
    "Daly, first order": np.sqrt(2.0 * checkpoint_cost * mtbf) - checkpoint_cost,
}

# %%
# Beside the intervals stands what matters: the expected time that a rule costs above the best interval.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for name, interval in rules.items():
    left.loglog(mtbf, interval, label=name)
    regret = perfmodel.regret(interval, mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    right.semilogx(mtbf, 100.0 * regret, label=name)
left.set(xlabel="MTBF [h]", ylabel="work between checkpoints [h]")
right.set(xlabel="MTBF [h]", ylabel="more expected time than the best [%]")
left.legend()
plt.show()

# %%
# Where the MTBF is a hundred times the checkpoint, all three cost the same to a thousandth. Where it is
# five times, Young's interval is too long and the first order too short.

at = np.searchsorted(mtbf, 0.5)
for name, interval in rules.items():
    lost = perfmodel.regret(interval[at], mtbf=mtbf[at], checkpoint_cost=checkpoint_cost)
    print(f"{name:18} {60.0 * interval[at]:5.1f} min, {100.0 * lost:.2f} % more time")
