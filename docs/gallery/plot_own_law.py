"""
A law of your own
=================

For the simulator a law is anything with `sample(rng)`. Two kinds of failures, a repair that did not hold
and a fault of the parts, make uptimes that no family of one kind fits.
"""

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

import perfmodel
from sim.application import simulate_makespans
from sim.samplers import Exponential

# %%
# One repair in five does not hold for long.


@dataclass(frozen=True)
class TwoKinds:
    """Mostly long uptimes, sometimes a short one; hours."""

    short: float
    long: float

    def sample(self, rng):
        """Draw one uptime."""
        return rng.exponential(self.short if rng.random() < 0.2 else self.long)


law = TwoKinds(1.0, 20.0)
mean = 0.2 * 1.0 + 0.8 * 20.0

# %%
# The job is played with several intervals, under this law and under a constant rate of the same mean.

intervals = np.array([0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
job = {"checkpoint_cost": 0.1, "recovery_cost": 0.2, "replications": 2000, "seed": 1}
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, uptime in {"two kinds": law, "constant rate": Exponential(mean)}.items():
    played = [simulate_makespans(72.0, uptime=uptime, interval=each, **job) for each in intervals]
    means = np.array([each.mean() for each in played])
    error = np.array([1.96 * each.std() / each.size**0.5 for each in played])
    axes.errorbar(intervals, means, error, fmt="o-", ms=4, capsize=3, label=name)
best = float(perfmodel.optimal_interval(mtbf=mean, checkpoint_cost=0.1))
axes.axvline(best, color="grey", ls=":", label="best for the constant rate")
axes.set(xlabel="work between checkpoints [h]", ylabel="mean time of 72 h of work [h]")
axes.legend()
plt.show()
