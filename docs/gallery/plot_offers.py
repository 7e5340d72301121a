"""
Two offers of a planner
=======================

512 nodes that last five years each, or 1,024 that are slower, cheaper, and last three? A job of a month on
either, with what it costs and when it ends.
"""

import matplotlib.pyplot as plt

import perfmodel

# %%
# An offer is a scenario, as a file or as a mapping. Times carry their units.

common = {
    "checkpoint": {"cost": "6min"},
    "deadline": {"time": "36d", "probability": "95%"},
    "spares": {"mttr": "1d"},
}
offers = {
    "512 large nodes": {
        "machine": {"nodes": 512},
        "failures": {"node_mtbf": "5y"},
        "job": {"work": "30d", "recovery": "10min"},
        "prices": {"node_hour": 4.0},
    },
    "1,024 small nodes": {
        "machine": {"nodes": 1024},
        "failures": {"node_mtbf": "3y"},
        "job": {"work": "31d", "recovery": "10min"},
        "prices": {"node_hour": 1.9},
    },
}
plans = {name: perfmodel.plan({**offer, **common}) for name, offer in offers.items()}
for name, plan in plans.items():
    print(
        f"{name}: checkpoint every {plan.checkpoint.interval / 60:.0f} min, goodput "
        f"{100 * plan.goodput.value:.1f} %, {plan.costs.job / 1e6:.2f} M for the job, "
        f"{plan.spares.needed} spares"
    )

# %%
# The time of the job, by its percentiles, and the shares that are lost.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for name, plan in plans.items():
    points = plan.completion.percentiles
    left.plot(
        [100 * each.q for each in points], [each.time / 86400 for each in points], "o-", label=name
    )
left.axhline(36.0, color="grey", ls=":")
left.set(xlabel="probability [%]", ylabel="job has ended after [d]")
left.legend()
classes = {
    "checkpoint_save": "checkpoints",
    "wasted_progress": "work lost",
    "checkpoint_restore": "recovery",
}
bottom = dict.fromkeys(plans, 0.0)
for key, words in classes.items():
    shares = [100 * plan.goodput.losses[key] for plan in plans.values()]
    right.bar(list(plans), shares, bottom=list(bottom.values()), label=words, width=0.5)
    bottom = {name: bottom[name] + share for name, share in zip(plans, shares, strict=True)}
right.set(ylabel="share of the time [%]")
right.legend()
plt.show()

# %%
# What an input must keep to, all others as they are, so that the deadline is met, or another protocol
# becomes the better one. Both inputs are durations.

for each in plans["1,024 small nodes"].break_evens:
    print(f"{each.key} {each.side} {each.value / 60:.1f} min: {each.goal}")
