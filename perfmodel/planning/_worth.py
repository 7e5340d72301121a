"""What inputs do to the result: halved and doubled, at what they are worth, and break-even."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from asking.units import human_duration

from ..lemons import node_mtbf_without_worst
from ..protocols.protocol import Protocol
from ..protocols.situation import Situation, ages
from ..protocols.table import CHOOSE, NAMES, PROTOCOLS
from ._chosen import chosen_for, compared
from ._search import edge
from .answers import BreakEven, Sensitivity, Worth
from .case import MTBF, Case
from .scenario import Scenario

_STEP, _FAR = 4.0, 1e4  # of a break-even: the factor by which it is searched, and up to which
_USUAL = (0.5, 0.8, 0.9, 0.95)  # goodputs to reach where none is asked for
_VARIED = (
    "checkpoint.snapshot_cost",
    "checkpoint.latency",
    "checkpoint.local_cost",
    "checkpoint.local_recovery",
    "job.detection",
    "job.queue",
    "job.downtime",
    "job.recovery",
    "job.warm_up",
)
# Shares, and the most that they can be: in windows some failure must be outside of them.
_SHARES = {
    "checkpoint.survived": 1.0,
    "checkpoint.precision": 1.0,
    "checkpoint.recall": math.nextafter(1.0, 0.0),
}
_UNITS = {"machine.bandwidth": "bytes/s", **dict.fromkeys(_SHARES, "-")}


@dataclass(frozen=True, slots=True)
class _Goal:
    """What is to be reached, in words, and how far a case is beyond it: below 0 it is not."""

    words: str
    beyond: Callable[[Case], float]


def sensitivities(case: Case) -> tuple[Sensitivity, ...]:
    """Return the mean time with each input halved and doubled, the largest swing first."""

    def time(key: str, value: float) -> float:
        return case.varied(key, value).chosen.expected_time

    spares = case.scenario.spares
    waits = spares is not None and spares.standbys is not None
    repair = ("spares.mttr",) if waits else ()
    found = [
        Sensitivity(
            key, value, _UNITS.get(key, "s"), time(key, 0.5 * value), time(key, 2.0 * value)
        )
        for key in (MTBF, case.checkpoint_key, *_VARIED, *repair)
        if (value := case.value_of(key))
    ]
    moving = [row for row in found if row.swing > 0.0]
    return tuple(sorted(moving, key=lambda row: -row.swing))


def worths(case: Case, per_hour: float | None) -> tuple[Worth, ...]:
    """Return what changes of the machine gain, the largest first; money for its hours."""
    hours = 8766.0

    def worth(change: str, job: Situation) -> Worth:
        gain = chosen_for(job).efficiency - case.chosen.efficiency
        hourly = None if per_hour is None else gain * per_hour
        return Worth(change, gain, hourly, None if hourly is None else hourly * hours)

    key, job = case.checkpoint_key, case.job
    factor = 2.0 if key == "machine.bandwidth" else 0.5
    words = "twice the bandwidth" if factor > 1.0 else "checkpoints in half the time"
    found = [
        worth(words, case.varied(key, factor * case.value_of(key)).job),
        worth("half as many failures", case.at(2.0 * case.mtbf).job),
    ]
    if job.downtime > job.wait:
        found.append(worth("restart without delay", replace(job, downtime=job.wait)))
    if job.waits:
        always = replace(job, downtime=job.downtime - job.wait, wait=0.0)
        found.append(worth("always a spare", always))
    if (without := _without_lemons(case.scenario)) is not None:
        count, ratio = without
        found.append(worth(f"without the {count:,} worst nodes", case.at(ratio * case.mtbf).job))
    return tuple(sorted(found, key=lambda row: -row.gain))


def _without_lemons(scenario: Scenario) -> tuple[int, float] | None:
    """Return how many nodes to take out, and the MTBF after that over the one before."""
    known, nodes = scenario.failures, scenario.machine.machine_nodes or scenario.machine.nodes
    if known.lemons_watched is None:
        return None
    if known.lemon_share is None or known.node_mtbf is None or nodes is None:
        raise ValueError(
            "failures.lemons_watched must come with node_mtbf, lemon_share and lemon_factor, "
            "got it alone"
        )
    count = round(known.lemon_share * nodes)
    better = node_mtbf_without_worst(
        count,
        nodes=nodes,
        observed=known.lemons_watched,
        node_mtbf=known.node_mtbf,
        lemon_share=known.lemon_share,
        lemon_factor=known.lemon_factor or 1.0,
    )
    return count, float(better) / known.node_mtbf


def break_evens(case: Case) -> tuple[BreakEven, ...]:
    """Return where goals are just reached, and from where on another protocol is the best."""
    found = [
        _needed(case, key, goal, value)
        for goal in _goals(case, usual=False)
        for key in (MTBF, case.checkpoint_key, "job.downtime")
        if (value := case.value_of(key))
    ]
    return (*found, *_crossovers(case))


def mtbf_needed(scenario: Scenario) -> tuple[BreakEven, ...]:
    """Return the MTBF that each goal needs, where nothing is known of failures."""
    case = Case(scenario, 1.0)
    return tuple(
        replace(_needed(case, MTBF, goal, 0.01 * case.job.work), unknown=True)
        for goal in _goals(case, usual=True, promised=True)
    )


def unknowns(case: Case) -> tuple[BreakEven, ...]:
    """Return what each input that is not known must be to reach the goals, under a known MTBF."""
    if case.scenario.checkpoint_cost is None:
        return tuple(_checkpoint_needed(case))
    found = (_unknown(case, key) for key in case.scenario.unknown)
    return tuple(each for each in found if each is not None)


def _checkpoint_needed(case: Case) -> Iterator[BreakEven]:
    """Yield the checkpoint, or the bandwidth for one, that each goal needs."""
    size = case.scenario.checkpoint.size
    near = 0.01 * case.mtbf if size is None else size / (0.01 * case.mtbf)
    for goal in _goals(case, usual=True, promised=True):
        yield replace(_needed(case, case.checkpoint_key, goal, near), unknown=True)


def _unknown(case: Case, key: str) -> BreakEven | None:
    """Return the break-even of one key that is unknown, where there is a rule for it."""
    if key == "spares.mttr":
        return _repair_needed(case)
    if key.startswith("job.") and case.value_of(key) is None:
        goals = _goals(case, usual=False) or _goals(case, usual=True)[2:3]
        return replace(_needed(case, key, goals[0], 0.1 * case.mtbf), unknown=True)
    section, _, name = key.partition(".")
    of = [each for each in PROTOCOLS if section == "checkpoint" and name in each.needs]
    if not of:
        return None
    (protocol,) = of

    def best(case: Case) -> float:
        chosen = chosen_for(replace(case.job, protocol=CHOOSE))
        return 1.0 if chosen.protocol is protocol else -1.0

    goal = _Goal(f"{protocol.plural} are the best", best)
    near = 0.5 if key in _SHARES else case.scenario.checkpoint_cost or 1.0
    return replace(_needed(case, key, goal, near), unknown=True)


def _repair_needed(case: Case) -> BreakEven | None:
    """Return the longest repair for which the spares that there are suffice."""
    spares = case.scenario.spares
    if spares is None or spares.standbys is None:
        return None
    count = spares.standbys

    def suffice(mttr: float) -> float:
        return 1.0 if case.spares_needed(mttr) <= count else -1.0

    longest = _threshold(suffice, case.mtbf, rising=False)
    words = f"{count:,} spares suffice in {100.0 * case.spares_confidence:g} % of the time"
    return BreakEven("spares.mttr", "at most", longest, "s", words, unknown=True)


def _goals(case: Case, *, usual: bool, promised: bool = False) -> list[_Goal]:
    """Return what the scenario asks for, or what one usually does where that is nothing.

    A deadline is none where no law says how likely it is kept; `promised` if one surely does.
    """
    scenario = case.scenario
    asked, deadline = scenario.questions.goodput, scenario.deadline
    goals = [_goodput_goal(asked)] if asked is not None else []
    if deadline.time is not None:
        # A law that takes seconds where failures are few is too long for a search.
        if any(_is_given(scenario, each) for each in PROTOCOLS if not each.quick):
            goals.append(_mean_goal(deadline.time))
        elif not ages(scenario.failures.law) and (promised or _has_law(case)):
            goals.append(_deadline_goal(deadline.time, deadline.probability or 0.9))
        elif not promised and case.job.waits:
            goals.append(_mean_goal(deadline.time))
    return goals or ([_goodput_goal(each) for each in _USUAL] if usual else [])


def _is_given(scenario: Scenario, protocol: Protocol) -> bool:
    given = (getattr(scenario.checkpoint, name, None) for name in protocol.needs)
    return all(value is not None for value in given)


def _has_law(case: Case) -> bool:
    """Whether the law of the time is known, of the plan that is the best today."""
    return not case.chosen.expected_time < math.inf or case.chosen.law(case.job) is not None


def _goodput_goal(wanted: float) -> _Goal:
    words = f"the goodput is {100.0 * wanted:g} %"
    return _Goal(words, lambda case: case.chosen.efficiency - wanted)


def _mean_goal(time: float) -> _Goal:
    words = f"it ends within {human_duration(time)} on average"
    return _Goal(words, lambda case: time / case.chosen.expected_time - 1.0)


def _deadline_goal(time: float, probability: float) -> _Goal:
    def beyond(case: Case) -> float:
        chosen = case.chosen
        law = chosen.law(case.job) if chosen.expected_time < math.inf else None
        if law is None:
            return -1.0
        # Mean and deviation decide most cases, by the inequality of Cantelli.
        early, spread = time - law.mean, law.std
        if early != 0.0 and math.isfinite(early) and not math.isnan(spread):
            least = 1.0 / (1.0 + (spread / early) * (spread / early))
            bound = least if early > 0.0 else 1.0 - least
            if (bound >= probability) == (early > 0.0):
                return bound - probability
        return float(law.cdf(time)) - probability

    return _Goal(f"it ends within {human_duration(time)} with {100.0 * probability:g} %", beyond)


def _needed(case: Case, key: str, goal: _Goal, near: float) -> BreakEven:
    """Return the value of a key, about `near`, from which on a goal is reached."""
    rising = key in {MTBF, "machine.bandwidth", *_SHARES}
    value = _threshold(
        lambda value: goal.beyond(case.varied(key, value)),
        near,
        rising=rising,
        most=_SHARES.get(key, math.inf),
    )
    side = "at least" if rising else "at most"
    return BreakEven(key, side, value, _UNITS.get(key, "s"), goal.words)


def _threshold(
    beyond: Callable[[float], float], near: float, *, rising: bool, most: float = math.inf
) -> float | None:
    """Return where something begins to hold; 0 or inf if it always does, None if it never does."""

    @cache
    def at(place: float) -> float:
        return beyond(math.exp(place))

    start, last, far = math.log(near), math.log(most), math.log(_FAR)
    begins = at(start) >= 0.0
    # What holds is tried where it is harder to, what does not where it is easier.
    step = math.log(_STEP) if begins != rising else -math.log(_STEP)
    here, there = start, min(start + step, last)
    while (at(there) >= 0.0) == begins:
        if there == last or not abs(there - start) < far:
            return (0.0 if rising else math.inf) if begins else None
        here, there = there, min(there + step, last)
    return math.exp(edge(at, *((here, there) if begins else (there, here))))


def _crossovers(case: Case) -> Iterator[BreakEven]:
    """Yield the MTBF from which on each other protocol would be better than the best one."""
    job = case.job
    if job.ages or job.protocol != CHOOSE:
        return
    best, *others = compared(job, "mtbf").protocols
    for row in others:
        if row.crossover is not None and NAMES[row.protocol].crosses:
            side = "at most" if row.crossover < case.mtbf else "at least"
            one, other = (NAMES[each.protocol].known_as for each in (row, best))
            yield BreakEven(MTBF, side, row.crossover, "s", f"{one} before {other}")
