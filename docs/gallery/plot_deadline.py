"""
The probability of a deadline
=============================

A mean is met about every second time. The exact law says by when a job ends with the probability that you
want to state.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel
from sim.application import simulate_makespans
from sim.samplers import Exponential

# %%
# A week of work in hours, on a machine that fails every eight hours.

job = {"checkpoint_cost": 0.1, "recovery_cost": 0.2}
interval = float(perfmodel.optimal_interval(mtbf=8.0, checkpoint_cost=0.1))
law = perfmodel.exact_makespan(168.0, interval=interval, mtbf=8.0, **job)
print(f"mean {law.mean / 24:.2f} d")
for share in (0.5, 0.95, 0.99):
    print(f"with {100 * share:.0f} % by {law.ppf(share) / 24:.2f} d")

# %%
# The simulator shares no code with the formula. Ten thousand jobs that it plays lie on the same curve.

played = simulate_makespans(
    168.0, uptime=Exponential(8.0), interval=interval, replications=10_000, seed=1, **job
)
times = np.linspace(180.0, 250.0, 300)
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(times / 24, law.cdf(times), label="exact law")
axes.step(np.sort(played) / 24, np.arange(1, played.size + 1) / played.size, lw=0.8, label="played")
axes.axvline(law.mean / 24, color="grey", ls=":", label="mean")
axes.set(
    xlabel="time from start to end [d]", ylabel="probability of having ended", xlim=(7.5, 10.4)
)
axes.legend()
plt.show()
