"""Ranges that the rows of several formulas state.

First the domains, in which simulated jobs can show an error: arguments in multiples of the mtbf.
Then the documented ranges of ratios.
"""

from __future__ import annotations

from .formula import ANY

JOB = {
    "work": (0.01, 10.0),
    "interval": (0.01, 3.0),
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-4, 1.0),
    "recovery_cost": (1e-4, 1.0),
    "downtime": (1e-4, 1.0),
}
JOB_ASYNC = {**JOB, "latency": (1e-3, 2.0), "slowdown": (0.1, 1.0)}
TASK = {
    "work": (0.1, 10.0),
    "mtbf": (1.0, 1.0),
    "downtime": (1e-3, 0.5),
    "interval": (0.01, 3.0),
    "checkpoint_cost": (1e-4, 1.0),
}
COSTS = {"mtbf": (1.0, 1.0), "checkpoint_cost": (1e-4, 2.0)}
COSTS_ASYNC = {**COSTS, "latency": (1e-3, 3.0), "slowdown": (0.1, 1.0)}
LOAD = (1e-6, 0.999)  # of downtime to mtbf where failures strike repairs too
# Jobs of the exact model: with checkpoints alone, with recovery, with downtime as well.
LOST = {"work/mtbf": ANY, "interval/mtbf": ANY, "checkpoint_cost/mtbf": ANY}
PLAYED = {**LOST, "recovery_cost/mtbf": ANY}
FULL = {**PLAYED, "downtime/mtbf": ANY}
FULL_ASYNC = {**FULL, "latency/mtbf": ANY, "slowdown": (0.0, 1.0)}
WSJ = {**LOST, "downtime/mtbf": LOAD}
COST = {"checkpoint_cost/mtbf": ANY}
COST_ASYNC = {**COST, "latency/mtbf": ANY, "slowdown": (0.0, 1.0)}
