"""The subjects: cases of each formula, and the wrong formulas that these must reject.

A case is a small function, the judge, and a row. The judge takes the formula, the budget of the
trial and the numbers of one point, gives the same numbers to `sim` and returns a `Verdict`::

    def mean_makespan(predict, budget, *, work, **costs):
        walls = simulate_makespans(work, **costs, seed=budget.seed, ...)
        return compare_mean(
            float(predict(work, **costs)), walls, alpha=budget.alpha, tolerance=budget.tolerance
        )

The row names the formula, the judge and the points; those that reject most mutants come first::

    CASES = (Case(expected_makespan, mean_makespan, POINTS), ...)

Then ask which wrong formulas the case may fail to reject, and add them to the mutants beside it:
`Mutant(right function, fault in words, wrong function)`. Every stated assumption of a formula has
a mutant that drops it, every known misprint one that repeats it. A mutant that survives fails the
run: then the cases are too weak.

A property is a judge at random points; a sweep draws them from the whole documented range::

    PROPERTIES = (Property(expected_makespan, mean_makespan, jobs(expected_makespan)), ...)

A subject is a folder with `cases.py` and, if it has any, `mutants.py` and `properties.py`. Its
`__init__.py` exports those it has of `CASES`, `FULL` (cases of the full run only), `MUTANTS`,
`PROPERTIES` and `SWEEPS`. A new subject is also a line in `SUBJECTS`.
"""

from __future__ import annotations

from typing import Any

from ..judge.run import Mutant
from ..judge.search import Property
from ..judge.trial import Case
from ..ranges.sweeps import Sweep, searched
from . import (
    advisor,
    ageing,
    asynchronous,
    buddies,
    bursts,
    busy_period,
    chains,
    closed_forms,
    cluster,
    completion,
    contention,
    detected_late,
    energy,
    extra_node,
    failure_feed,
    failure_log,
    fitting,
    forecasts,
    grid_failures,
    implicit_forms,
    interval,
    iterations,
    job_failures,
    lemons,
    levels,
    lifetimes,
    machine_sets,
    makespan,
    parallel,
    partition,
    phases,
    planning,
    predictor,
    promises,
    protocols,
    queue_delay,
    random_cost,
    recovery,
    replication,
    reservation,
    scaling,
    silent,
    spares,
    spot,
    standbys,
    training,
    true_promises,
    unknown_cost,
    unknown_mtbf,
    whole_laws,
    windows,
    wsj,
    wsj_law,
)

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SUBJECTS", "SWEEPS"]

SUBJECTS = (
    makespan,
    asynchronous,
    predictor,
    windows,
    levels,
    chains,
    reservation,
    silent,
    detected_late,
    spot,
    ageing,
    replication,
    scaling,
    lemons,
    bursts,
    buddies,
    contention,
    protocols,
    energy,
    random_cost,
    iterations,
    promises,
    job_failures,
    recovery,
    queue_delay,
    completion,
    busy_period,
    wsj_law,
    spares,
    training,
    standbys,
    extra_node,
    cluster,
    wsj,
    interval,
    advisor,
    lifetimes,
    fitting,
    unknown_cost,
    unknown_mtbf,
    parallel,
    phases,
    planning,
    partition,
    grid_failures,
    failure_feed,
    true_promises,
    failure_log,
    forecasts,
    closed_forms,
    implicit_forms,
    machine_sets,
    whole_laws,
)


def _all(name: str) -> tuple[Any, ...]:
    """Return the rows that the subjects export under `name`, in the order of the subjects."""
    return tuple(each for subject in SUBJECTS for each in getattr(subject, name, ()))


CASES: tuple[Case, ...] = _all("CASES")
FULL: tuple[Case, ...] = _all("FULL")  # minutes each; some need logs that may be absent
MUTANTS: tuple[Mutant, ...] = _all("MUTANTS")
SWEEPS: tuple[Sweep, ...] = _all("SWEEPS")
PROPERTIES: tuple[Property, ...] = (*_all("PROPERTIES"), *map(searched, SWEEPS))
