"""
A rate that drifts, and promises that are kept
==============================================

A constant rate, counted over all of a log, promises too much where rates drift. A forecast weighs recent
failures by how well each memory would have promised so far.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel
from perfmodel.forecasts import forecast_failures, forecast_makespan

# %%
# Two years of failures in seconds: a good first year, then three times as many.

day = 86_400.0
rng = np.random.default_rng(9)
gaps = np.concatenate([rng.exponential(4.5 * day, 80), rng.exponential(1.5 * day, 240)])
times = np.cumsum(gaps)
observed = times[-1] + 0.5 * day
work, cost = 30 * day, 600.0
interval = float(perfmodel.optimal_interval(mtbf=observed / times.size, checkpoint_cost=cost))

# %%
# The law of a job of thirty days, by the forecast and by the constant rate.

ahead = forecast_failures(times, observed_time=observed, window=2 * work)
job = {"interval": interval, "checkpoint_cost": cost, "recovery_cost": cost}
law = forecast_makespan(ahead, work, rng=np.random.default_rng(1), **job)
constant = perfmodel.exact_makespan(work, mtbf=observed / times.size, **job)
for name, each in {"forecast": law, "constant rate": constant}.items():
    print(f"{name:14} 90 % in {each.ppf(0.9) / day:.2f} d")

levels = np.linspace(0.01, 0.99, 99)
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, each in {"forecast": law, "constant rate": constant}.items():
    axes.plot([each.ppf(q) / day for q in levels], levels, label=name)
axes.set(xlabel="time from start to end [d]", ylabel="probability of having ended")
axes.legend()
plt.show()
