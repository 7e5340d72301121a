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
# Whole laws of a segment, of a task in the process of wsj, of a job.
LAW = {
    "interval/mtbf": (1e-4, 50.0),
    "work/interval": (1.0, 1e6),
    "checkpoint_cost/interval": (1e-4, 10.0),
    "cv of downtime": (0.0, 30.0),
}
LAW_OF_TASK = {**LAW, "downtime/mtbf": (1e-3, 0.95)}
LAW_OF_JOB = {
    **LAW,
    "recovery_cost/interval": (1e-4, 10.0),
    "downtime/mtbf": (1e-3, 1e3),
    "downtime/mtbf at risk": (1e-3, 0.95),
}
LAW_OF_ASYNC = {
    "interval/mtbf": (1e-3, 0.3),
    "work/interval": (1.0, 100.0),
    "checkpoint_cost/interval": (1e-3, 0.5),
    "latency/interval": (1e-2, 3.0),
    "recovery_cost/interval": (1e-3, 1.0),
    "downtime/mtbf": (1e-3, 1.0),
    "slowdown": (0.0, 1.0),
}
# Sets of machines that differ.
FLEET = {
    "mttr/mtbf": (1e-3, 0.4),
    "mttr_cv": (0.5, 4.0),
    "interval/mtbf": (1e-3, 1.0),
    "checkpoint_cost/interval": (1e-3, 0.3),
    "share/mtbf": (0.1, 10.0),
}
MILD_FLEET = {**FLEET, "mttr/mtbf": (1e-3, 0.01)}
WILD_FLEET = {
    **FLEET,
    "mttr_cv": (0.0, 30.0),
    "mtbf/shortest mtbf": (1.0, 1e4),
    "speed/slowest speed": (1.0, 100.0),
}
NEVER_FAIL = "rework and checkpoints never fail"
