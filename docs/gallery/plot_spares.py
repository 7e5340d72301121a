"""
How many spares
===============

A job on 64 blocks stops when one fails, unless a standby takes over. What does each further standby buy?
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Hours. A block fails every four months and takes one, three or seven days to repair.

standbys = np.arange(0, 9)
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for mttr in (24.0, 72.0, 168.0):
    goodput = perfmodel.spares_goodput(
        64, standbys, block_mtbf=2900.0, mttr=mttr, checkpoint_cost=0.1, recovery_cost=0.2
    )
    axes.plot(standbys, 100 * goodput, "o-", label=f"repair in {mttr / 24:.0f} d")
axes.set(xlabel="standby blocks", ylabel="goodput [%]")
axes.legend()
plt.show()

# %%
# For 80 % the number itself can be asked; and the older question, how many spares suffice in 99 % of the
# time, has another answer.

needed = perfmodel.spares_for(
    0.8, blocks=64, block_mtbf=2900.0, mttr=72.0, checkpoint_cost=0.1, recovery_cost=0.2
)
print(f"for 80 % of goodput: {needed:.0f}")
print(f"for enough in 99 % of the time: {perfmodel.spares_needed(64, 2900.0, 72.0, 0.99):.0f}")
