"""What inputs do to the result: halved and doubled, at what they are worth, and break-even."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from asking.units import human_duration

from ..lemons import node_mtbf_without_worst
from ..parallel import spares_needed
from ..protocols.protocol import Protocol
from ..protocols.situation import Situation, ages
from ..protocols.table import CHOOSE, NAMES, PROTOCOLS
from ._build import MTBF, blocks_of, checkpoint_cost, checkpoint_key, model_of, value_of, varied
from ._chosen import Chosen, chosen_for, compared
from .answers import BreakEven, Sensitivity, Worth
from .scenario import Scenario

_STEP, _FAR = 4.0, 1e4  # of a break-even: the factor by which it is searched, and up to which
_CLOSE = 1e-3  # relative
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
    """What is to be reached, in words, and whether a job reaches it."""

    words: str
    reached: Callable[[Situation], bool]


def sensitivities(scenario: Scenario, mtbf: float) -> tuple[Sensitivity, ...]:
    """Return the mean time with each input halved and doubled, the largest swing first."""

    def time(key: str, factor: float) -> float:
        if key == MTBF:
            return chosen_for(model_of(scenario, factor * mtbf)).expected_time
        changed = varied(scenario, key, factor * value_of(scenario, key))
        return chosen_for(model_of(changed, mtbf)).expected_time

    found = []
    waits = scenario.spares is not None and scenario.spares.standbys is not None
    repair = ("spares.mttr",) if waits else ()
    for key in (MTBF, checkpoint_key(scenario), *_VARIED, *repair):
        value = mtbf if key == MTBF else value_of(scenario, key)
        if value:
            found.append(
                Sensitivity(key, value, _UNITS.get(key, "s"), time(key, 0.5), time(key, 2.0))
            )
    moving = [row for row in found if row.swing > 0.0]
    return tuple(sorted(moving, key=lambda row: -row.swing))


def worths(
    scenario: Scenario, mtbf: float, chosen: Chosen, per_hour: float | None
) -> tuple[Worth, ...]:
    """Return what changes of the machine gain, the largest first; money for its hours."""
    hours = 8766.0

    def worth(change: str, job: Situation) -> Worth:
        gain = chosen_for(job).efficiency - chosen.efficiency
        hourly = None if per_hour is None else gain * per_hour
        return Worth(change, gain, hourly, None if hourly is None else hourly * hours)

    key = checkpoint_key(scenario)
    factor = 2.0 if key == "machine.bandwidth" else 0.5
    faster = varied(scenario, key, factor * value_of(scenario, key))
    job = model_of(scenario, mtbf)
    words = "twice the bandwidth" if factor > 1.0 else "checkpoints in half the time"
    found = [
        worth(words, model_of(faster, mtbf)),
        worth("half as many failures", model_of(scenario, 2.0 * mtbf)),
    ]
    if job.downtime > job.wait:
        found.append(worth("restart without delay", replace(job, downtime=job.wait)))
    if job.waits:
        always = replace(job, downtime=job.downtime - job.wait, wait=0.0)
        found.append(worth("always a spare", always))
    if (without := _without_lemons(scenario)) is not None:
        count, ratio = without
        found.append(worth(f"without the {count:,} worst nodes", model_of(scenario, ratio * mtbf)))
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


def break_evens(scenario: Scenario, mtbf: float) -> tuple[BreakEven, ...]:
    """Return where goals are just reached, and from where on another protocol is the best."""
    found = []
    for goal in _goals(scenario, mtbf, usual=False):
        for key in (MTBF, checkpoint_key(scenario), "job.downtime"):
            value = mtbf if key == MTBF else value_of(scenario, key)
            if value:
                found.append(_needed(scenario, key, goal, value, mtbf))
    return (*found, *_crossovers(scenario, mtbf))


def unknowns(scenario: Scenario, mtbf: float | None) -> tuple[BreakEven, ...]:
    """Return what each input that is not known must be to reach the goals."""
    if mtbf is None:
        work = model_of(scenario, 1.0).work
        return tuple(
            replace(_needed(scenario, MTBF, goal, 0.01 * work, 1.0), unknown=True)
            for goal in _goals(scenario, None, usual=True)
        )
    if checkpoint_cost(scenario) is None:
        return tuple(_checkpoint_needed(scenario, mtbf))
    return tuple(
        found for key in scenario.unknown if (found := _unknown(scenario, key, mtbf)) is not None
    )


def _checkpoint_needed(scenario: Scenario, mtbf: float) -> Iterator[BreakEven]:
    """Yield the checkpoint, or the bandwidth for one, that each goal needs."""
    key, size = checkpoint_key(scenario), scenario.checkpoint.size
    near = 0.01 * mtbf if size is None else size / (0.01 * mtbf)
    for goal in _goals(scenario, mtbf, usual=True):
        yield replace(_needed(scenario, key, goal, near, mtbf), unknown=True)


def _unknown(scenario: Scenario, key: str, mtbf: float) -> BreakEven | None:
    """Return the break-even of one key that is unknown, where there is a rule for it."""
    if key == "spares.mttr":
        return _repair_needed(scenario, mtbf)
    if key.startswith("job.") and value_of(scenario, key) is None:
        goals = _goals(scenario, mtbf, usual=False) or _goals(scenario, mtbf, usual=True)[2:3]
        return replace(_needed(scenario, key, goals[0], 0.1 * mtbf, mtbf), unknown=True)
    section, _, name = key.partition(".")
    of = [each for each in PROTOCOLS if section == "checkpoint" and name in each.needs]
    if not of:
        return None
    (protocol,) = of

    def best(job: Situation) -> bool:
        return chosen_for(replace(job, protocol=CHOOSE)).protocol is protocol

    goal = _Goal(f"{protocol.plural} are the best", best)
    near = 0.5 if key in _SHARES else checkpoint_cost(scenario) or 1.0
    return replace(_needed(scenario, key, goal, near, mtbf), unknown=True)


def _repair_needed(scenario: Scenario, mtbf: float) -> BreakEven | None:
    """Return the longest repair for which the spares that there are suffice."""
    spares = scenario.spares
    if spares is None or spares.standbys is None:
        return None
    blocks, count = blocks_of(scenario), spares.standbys
    confidence = 0.99 if spares.confidence is None else spares.confidence

    def suffice(mttr: float) -> bool:
        return float(spares_needed(blocks, mtbf * blocks, mttr, confidence)) <= count

    longest = _threshold(suffice, mtbf, rising=False)
    words = f"{count:,} spares suffice in {100.0 * confidence:g} % of the time"
    return BreakEven("spares.mttr", "at most", longest, "s", words, unknown=True)


def _goals(scenario: Scenario, mtbf: float | None, *, usual: bool) -> list[_Goal]:
    """Return what the scenario asks for, or what one usually does where that is nothing.

    A deadline is none where no law says how likely it is kept.
    """
    asked, deadline = scenario.questions.goodput, scenario.deadline
    goals = [_goodput_goal(asked)] if asked is not None else []
    if deadline.time is not None:
        # A law that takes seconds where failures are few is too long for a search.
        if any(_is_given(scenario, each) for each in PROTOCOLS if not each.quick):
            goals.append(_mean_goal(deadline.time))
        elif _has_law(scenario, mtbf):
            goals.append(_deadline_goal(deadline.time, deadline.probability or 0.9))
        elif mtbf is not None and model_of(scenario, mtbf).waits:
            goals.append(_mean_goal(deadline.time))
    return goals or ([_goodput_goal(each) for each in _USUAL] if usual else [])


def _is_given(scenario: Scenario, protocol: Protocol) -> bool:
    given = (getattr(scenario.checkpoint, name, None) for name in protocol.needs)
    return all(value is not None for value in given)


def _has_law(scenario: Scenario, mtbf: float | None) -> bool:
    """Whether the law of the time is known, of the plan that is the best today."""
    if ages(scenario.failures.law):
        return False
    if mtbf is None or checkpoint_cost(scenario) is None:
        return True
    job = model_of(scenario, mtbf)
    chosen = chosen_for(job)
    return not chosen.expected_time < math.inf or chosen.law(job) is not None


def _goodput_goal(wanted: float) -> _Goal:
    words = f"the goodput is {100.0 * wanted:g} %"
    return _Goal(words, lambda job: chosen_for(job).efficiency >= wanted)


def _mean_goal(time: float) -> _Goal:
    words = f"it ends within {human_duration(time)} on average"
    return _Goal(words, lambda job: chosen_for(job).expected_time <= time)


def _deadline_goal(time: float, probability: float) -> _Goal:
    def reached(job: Situation) -> bool:
        chosen = chosen_for(job)
        if not chosen.expected_time < math.inf:
            return False
        law = chosen.law(job)
        if law is None:
            return False
        # Mean and deviation decide most cases, by the inequality of Cantelli.
        odds = math.inf if probability == 1.0 else probability / (1.0 - probability)
        early, spread = time - law.mean, law.std
        if early > 0.0 and early * early >= odds * spread * spread:
            return True
        if early < 0.0 and early * early * odds > spread * spread:
            return False
        return float(law.cdf(time)) >= probability

    return _Goal(f"it ends within {human_duration(time)} with {100.0 * probability:g} %", reached)


def _needed(scenario: Scenario, key: str, goal: _Goal, near: float, mtbf: float) -> BreakEven:
    """Return the value of a key, about `near`, from which on a goal is reached."""

    def holds(value: float) -> bool:
        if key == MTBF:
            return goal.reached(model_of(scenario, value))
        return goal.reached(model_of(varied(scenario, key, value), mtbf))

    rising = key in {MTBF, "machine.bandwidth", *_SHARES}
    value = _threshold(holds, near, rising=rising, most=_SHARES.get(key, math.inf))
    side = "at least" if rising else "at most"
    return BreakEven(key, side, value, _UNITS.get(key, "s"), goal.words)


def _threshold(
    holds: Callable[[float], bool], near: float, *, rising: bool, most: float = math.inf
) -> float | None:
    """Return where something begins to hold; 0 or inf if it always does, None if it never does."""
    begins = holds(near)
    # What holds is tried where it is harder to, what does not where it is easier.
    step = _STEP if begins != rising else 1.0 / _STEP
    here, there = near, min(near * step, most)
    while holds(there) == begins:
        if there == most or not near / _FAR < there < near * _FAR:
            return (0.0 if rising else math.inf) if begins else None
        here, there = there, min(there * step, most)
    easy, hard = (here, there) if begins else (there, here)
    while abs(math.log(easy / hard)) > _CLOSE:
        middle = math.sqrt(easy * hard)
        if holds(middle):
            easy = middle
        else:
            hard = middle
    return easy


def _crossovers(scenario: Scenario, mtbf: float) -> Iterator[BreakEven]:
    """Yield the MTBF from which on each other protocol would be better than the best one."""
    job = model_of(scenario, mtbf)
    if job.ages or job.protocol != CHOOSE:
        return
    best, *others = compared(job, "mtbf").protocols
    for row in others:
        if row.crossover is not None and NAMES[row.protocol].crosses:
            side = "at most" if row.crossover < mtbf else "at least"
            one, other = (NAMES[each.protocol].known_as for each in (row, best))
            yield BreakEven(MTBF, side, row.crossover, "s", f"{one} before {other}")
