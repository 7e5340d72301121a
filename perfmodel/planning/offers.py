"""Several scenarios side by side: which is the best by one goal, and what would turn the order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from asking.units import DURATIONS

from ._costs import costs_of
from ._search import edge
from .case import Case
from .composed import Plan
from .estimate import mtbf_of
from .scenario import Scenario

_FAR, _STEPS = 100.0, 12  # the factor that is looked at, in steps
# Inputs of which a multiple makes sense.
_VARIED = (
    *("failures.mtbf", "failures.node_mtbf", "failures.failure_rate", "failures.observed"),
    *("machine.bandwidth", "checkpoint.cost", "checkpoint.size", "checkpoint.snapshot_cost"),
    *("checkpoint.local_cost", "job.work", "job.node_work", "job.detection", "job.queue"),
    *("job.downtime", "job.recovery", "job.warm_up", "prices.node_hour", "prices.kwh"),
    *("prices.spare_node_year", "spares.mttr", "machine.static_power", "machine.compute_power"),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """An input whose value turns the order of the two best: then the second is as good as the best.

    It is that of the offer `of`, or of both where `of` is None. `value` and `now` are in plain
    units.
    """

    key: str
    of: int | None
    now: float
    value: float


def cost_of_job(plan: Plan) -> float | None:
    """Return what nodes, spares and energy cost while the job runs; None without a price."""
    costs, when = plan.costs, plan.completion
    if costs is None or when is None or costs.all_per_year is None or costs.job is None:
        return None
    return costs.all_per_year * when.mean / DURATIONS["y"]


def ranked(found: Sequence[Plan]) -> tuple[str, list[int]]:
    """Return by what the plans are compared, ``cost`` or ``time``, and their places, best first.

    By what the job costs where all have a price in one currency.
    """
    costs = [cost_of_job(each) for each in found]
    one = len({each.scenario.prices.currency for each in found}) == 1
    if one and all(cost is not None for cost in costs):
        by, values = "cost", [math.inf if cost is None else cost for cost in costs]
    else:
        by, values = "time", [_mean(each) for each in found]
    return by, sorted(range(len(found)), key=values.__getitem__)


def alike(one: float, other: float) -> bool:
    """Return whether two costs, or two times, differ by no more than rounding."""
    return math.isfinite(one) and math.isclose(one, other, rel_tol=1e-9)


def turns(found: Sequence[Plan]) -> tuple[Turn, ...]:
    """Return what would make the second best as good as the best, the nearest first.

    An input that both have is changed in both; one that they do not share is that of one of them.
    Where both are as good there is no order, and nothing that turns it.
    """
    by, order = ranked(found)
    goals = [cost_of_job(found[at]) if by == "cost" else _mean(found[at]) for at in order[:2]]
    if alike(goals[0] or 0.0, goals[1] or 0.0):
        return ()
    # How much more a forecast loses than a constant rate is held while an input changes.
    pair = [(found[place].scenario, _beyond(found[place])) for place in order[:2]]
    rows = []
    for key in _VARIED:
        values = [each.value_of(key) or None for each, _ in pair]
        if values[0] is not None and values[0] == values[1]:
            rows.append(_turn(key, None, values[0], pair, by))
            continue
        for place, value in enumerate(values):
            turn = None if value is None else _turn(key, place, value, pair, by)
            rows.append(None if turn is None else replace(turn, of=order[place]))
    known = [row for row in rows if row is not None]
    return tuple(sorted(known, key=lambda row: abs(math.log(row.value / row.now))))


def _turn(
    key: str, of: int | None, now: float, pair: Sequence[tuple[Scenario, float]], by: str
) -> Turn | None:
    """Return where one input makes the second of a pair as good as the first, or None."""
    still: dict[int, float] = {}  # what does not change is measured once

    def measured(place: int, factor: float) -> float:
        each, beyond = pair[place]
        if of in {None, place}:
            return _measured(each.varied(key, factor * now), by, beyond)
        if place not in still:
            still[place] = _measured(each, by, beyond)
        return still[place]

    def ahead(factor: float) -> float:
        """Return how much less the best one takes than the second, in logarithms."""
        return math.log(measured(1, factor) / measured(0, factor))

    factor = _nearest(ahead)
    return None if factor is None else Turn(key, of, now, factor * now)


def _nearest(ahead: Callable[[float], float]) -> float | None:
    """Return the factor nearest to 1 at which a function of it, positive at 1, comes down to 0."""
    step, ways = math.log(_FAR) / _STEPS, [1.0, -1.0]

    def behind(logarithm: float) -> float:
        value = _known(ahead, logarithm)
        return -1.0 if value is None else -value

    for count in range(1, _STEPS + 1):
        values = {way: _known(ahead, way * count * step) for way in ways}
        # Within one step it is nearer than in any later one.
        found = [
            edge(behind, way * count * step, way * (count - 1) * step)
            for way, value in values.items()
            if value is not None and value <= 0.0
        ]
        if found:
            return math.exp(min(found, key=abs))
        ways = [way for way, value in values.items() if value is not None]
    return None


def _known(ahead: Callable[[float], float], logarithm: float) -> float | None:
    try:
        value = ahead(math.exp(logarithm))
    except (ArithmeticError, ValueError):  # beyond what a job can have
        return None
    return value if math.isfinite(value) else None


def _measured(scenario: Scenario, by: str, beyond: float) -> float:
    """Return the mean time of the job, or what its machine costs while it runs.

    The time lost is `beyond` times that at a constant rate.
    """
    estimate = mtbf_of(scenario)
    if estimate is None:
        raise ValueError("failures must be known where offers are compared, got none")
    case = Case(scenario, estimate.value)
    costs = costs_of(case, case.chosen.efficiency) if by == "cost" else None
    steady = case.chosen.expected_time
    time = steady + (beyond - 1.0) * (steady - case.job.work)
    return time * (costs.all_per_year or math.nan) if costs is not None else time


def _beyond(plan: Plan) -> float:
    """Return the time that the job loses over what it would at a constant rate, [-]."""
    when, job = plan.completion, plan.job
    if when is None or job is None or when.mean == when.steady_mean:
        return 1.0
    return (when.mean - job.work) / (when.steady_mean - job.work)


def _mean(plan: Plan) -> float:
    return math.inf if plan.completion is None else plan.completion.mean
