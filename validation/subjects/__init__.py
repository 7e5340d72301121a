"""Every subject of the judge: its cases, and the wrong formulas that these must reject.

A case is a small function and a row. The function takes what predicts, what the run grants and
the numbers of one point; it hands the same numbers to `sim` and returns one `Verdict`::

    def mean_makespan(predict, budget, *, work, **costs):
        walls = simulate_makespans(work, **costs, seed=budget.seed, ...)
        return compare_mean(
            float(predict(work, **costs)), walls, alpha=budget.alpha, tolerance=budget.tolerance
        )

The row names the formula, the function and the points, harshest first::

    CASES = (Case(expected_makespan, mean_makespan, POINTS), ...)

Then ask which wrong formula the case would fail to reject, and add that to the mutants beside it:
`Mutant(right function, fault in words, wrong function)`. A formula's assumption that is stated has
a mutant without it, a misprint that is known has one that repeats it. Mutants that survive fail
the run, and then it is the cases that are wrong.

A property draws its points at random, and a sweep draws them from the whole documented range::

    PROPERTIES = (Property(expected_makespan, mean_makespan, jobs(expected_makespan)), ...)

A subject is a folder with `cases.py`, and `mutants.py` and `properties.py` where it has some. Its
door exports what there is of `CASES`, `FULL` (cases of the full run only), `MUTANTS`, `PROPERTIES`
and `SWEEPS`; a new one is also a line in `SUBJECTS`.
"""

from __future__ import annotations

from typing import Any

from ..judge.run import Mutant
from ..judge.search import Property
from ..judge.trial import Case
from ..ranges.sweeps import Sweep, searched
from . import (
    closed_forms,
    cluster,
    completion,
    downtime,
    extra_node,
    failure_feed,
    failure_log,
    fitting,
    grid_failures,
    implicit_forms,
    interval,
    job_failures,
    lifetimes,
    machine_sets,
    makespan,
    parallel,
    partition,
    predictor,
    promises,
    queue_delay,
    recovery,
    whole_laws,
    wsj,
)

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SUBJECTS", "SWEEPS"]

SUBJECTS = (
    makespan,
    predictor,
    promises,
    job_failures,
    recovery,
    queue_delay,
    completion,
    downtime,
    extra_node,
    cluster,
    wsj,
    interval,
    lifetimes,
    fitting,
    parallel,
    partition,
    grid_failures,
    failure_feed,
    failure_log,
    closed_forms,
    implicit_forms,
    machine_sets,
    whole_laws,
)


def _all(name: str) -> tuple[Any, ...]:
    """Return what the doors of all subjects export under `name`, where they do."""
    return tuple(each for subject in SUBJECTS for each in getattr(subject, name, ()))


CASES: tuple[Case, ...] = _all("CASES")
FULL: tuple[Case, ...] = _all("FULL")  # minutes each, and logs that may not be at hand
MUTANTS: tuple[Mutant, ...] = _all("MUTANTS")
SWEEPS: tuple[Sweep, ...] = _all("SWEEPS")
PROPERTIES: tuple[Property, ...] = (*_all("PROPERTIES"), *map(searched, SWEEPS))
