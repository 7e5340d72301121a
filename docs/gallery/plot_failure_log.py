"""
From a failure log to an MTBF with its limits
=============================================

Forty failures say less than a mean with four digits suggests. Laws are fitted to the times between them,
and the limits of the MTBF become limits of the best interval.
"""

import matplotlib.pyplot as plt
import numpy as np

import perfmodel

# %%
# Hours between failures, drawn here. Those of a log come from `perfmodel.answers` or `sim.traces`.

rng = np.random.default_rng(3)
gaps = 20.0 * rng.weibull(0.8, 40)
known = perfmodel.mtbf_posterior(gaps.size, gaps.sum())
mtbf = np.array([known.ppf(0.025), gaps.mean(), known.ppf(0.975)])
print(f"{mtbf[1]:.1f} h; 95 %: {mtbf[0]:.1f} to {mtbf[2]:.1f} h")

# %%
# Four families, the best by its information criterion first.

fits = perfmodel.fit_lifetime(gaps)
for fit in sorted(fits, key=lambda fit: fit.aicc):
    print(f"{fit.family:12} mean {fit.mean:5.1f} h")
axes = fits.plot(durations=gaps, unit="h")

# %%
# An MTBF that is not known well costs little: what each end of its limits would advise differs by half,
# the expected time by a few per mille.

interval = perfmodel.optimal_interval(mtbf=mtbf, checkpoint_cost=0.1)
lost = perfmodel.regret(interval, mtbf=mtbf[1], checkpoint_cost=0.1)
for each, minutes, share in zip(mtbf, 60 * interval, 100 * lost, strict=True):
    print(
        f"MTBF {each:5.1f} h: every {minutes:5.1f} min, {share:.2f} % more time if {mtbf[1]:.1f} h is true"
    )
plt.show()
