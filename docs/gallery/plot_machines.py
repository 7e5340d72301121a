"""
Which machines a parallel job should use
========================================

Machines differ in speed and in how often they fail. Five ways to choose some of a hundred; here speed alone,
the product of both and the bisection differ by less than a hundredth.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Hours and units of work an hour; fast machines are no safer than slow ones here.

rng = np.random.default_rng(2)
machines = perfmodel.Machines(
    speed=rng.uniform(0.5, 2.0, 100),
    mtbf=rng.uniform(500.0, 1900.0, 100),
    mttr=rng.uniform(0.5, 4.0, 100),
    interval=1.0,
)
counts = [5, 10, 20, 40]
choices = {
    "random": lambda n: perfmodel.schedule_random(
        1000.0, machines, order=rng.permutation(100), processes=n
    ),
    "speed": lambda n: perfmodel.schedule_speed(1000.0, machines, processes=n),
    "reliability": lambda n: perfmodel.schedule_reliability(1000.0, machines, processes=n),
    "both": lambda n: perfmodel.schedule_speed_reliability(1000.0, machines, processes=n),
    "bisection": lambda n: perfmodel.schedule_bisection(1000.0, machines, processes=n),
}
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, choose in choices.items():
    axes.loglog(counts, [choose(n).expected_time for n in counts], "o-", ms=4, label=name)
axes.set(
    xlabel="machines used",
    ylabel="expected time of the slowest [h]",
    xticks=counts,
    xticklabels=counts,
    yticks=[20, 50, 100, 200],
    yticklabels=[20, 50, 100, 200],
)
axes.minorticks_off()
axes.legend()
plt.show()
