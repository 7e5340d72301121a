"""A replay on a Blue Gene by the core: its arrays go in, the records come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from ...._libm import log2
from ....records import FloatArray, IntArray
from ....streams import DETECTABILITY, FALSE_ALARMS, stream
from ...checkpointing.periodic import Periodic
from ...failures.feed import NO_FAILURES, Failures
from ...forecasts.places import AlarmForecaster, QsimForecaster
from ...kernels.state import ATTEMPT, COURSE, ENTRY, HOLD, LEAST, LINED, NOW, OUTAGE, STRIKE
from ...kernels.tables import (
    ComesBack,
    Saves,
    checkpoint_table,
    filled,
    first_times,
    first_work,
    option_table,
    taken_parts,
)
from ...kernels.written import Played, outages_of, records_of
from ...order.bands import COMPILED, first_band
from ...order.program import Op, Program
from ...order.utility import Utility, Waiting
from ...workload import Workload
from ..allocation import FaultAware, LeastBlocking, ReleasedFaultAware
from ..cobalt import Cobalt
from ..machine import BlueGene, size_classes
from ..partitions import PartitionTable
from ..schedulers import Head, January2009, June2009, SeparateDrains
from ..schedulers.released import containers_of
from .core import play
from .neighbours import lists_of
from .state import (
    ALARMS,
    ALONE,
    BLOCKING,
    DONE,
    HEAD,
    HOUR,
    JANUARY,
    JOB,
    JUNE,
    KIND,
    NEIGHBOURS,
    NODE,
    PART,
    RELEASED,
    RISKY,
    SCORE,
    SEEN,
    SEPARATE,
    SITE,
    WHOLE,
    State,
)

if TYPE_CHECKING:
    from ...loop.cluster import Policy, Recovery
    from ...loop.protocols import Checkpointing, Machine

__all__ = ["Taken", "play_compiled", "taken"]

_SLICE = 2_000  # jobs that come to an end between two looks at signals and progress
_HOUR = 3600.0

Allocations: TypeAlias = LeastBlocking | FaultAware | ReleasedFaultAware
Forecasters: TypeAlias = QsimForecaster | AlarmForecaster
Schedulers: TypeAlias = SeparateDrains | January2009 | June2009 | Head


@dataclass(frozen=True, slots=True)
class Taken:
    """A replay that the core can play."""

    machine: BlueGene
    policy: Cobalt
    program: Program
    scheduler: Schedulers
    allocation: Allocations
    forecaster: Forecasters | None
    checkpointing: Saves
    recovery: ComesBack


def taken(  # noqa: PLR0911  (a reason, a return)
    machine: Machine, policy: Policy, checkpointing: Checkpointing | None, recovery: Recovery
) -> Taken | str:
    """Return what the core is to play, or in words what of it the core does not take."""
    # Subclasses may play otherwise than what they extend.
    if not isinstance(machine, BlueGene) or type(machine) is not BlueGene:
        return f"a machine of kind {type(machine).__name__}"
    if type(machine.table) is not PartitionTable:
        return f"a table of kind {type(machine.table).__name__}"
    if not isinstance(policy, Cobalt) or type(policy) is not Cobalt:
        return f"a policy of kind {type(policy).__name__}"
    scheduler = policy.scheduler
    if not isinstance(scheduler, Schedulers) or type(scheduler) not in Schedulers.__args__:
        return f"a scheduler of kind {type(scheduler).__name__}"
    if policy.bands not in COMPILED:
        return "an order of the queue of its own"
    program = policy.utility.program
    if program is None or type(policy.utility) is not Utility:
        return f"the score {policy.utility.name}, which is a function in Python"
    allocation = policy.allocation
    if not isinstance(allocation, Allocations) or type(allocation) not in Allocations.__args__:
        return f"an allocation of kind {type(allocation).__name__}"
    forecaster = None if isinstance(allocation, LeastBlocking) else allocation.forecaster
    forecasters = None | QsimForecaster | AlarmForecaster
    if not isinstance(forecaster, forecasters) or type(forecaster) not in forecasters.__args__:
        return f"a forecaster of kind {type(forecaster).__name__}"
    parts = taken_parts(checkpointing, recovery)
    if isinstance(parts, str):
        return parts
    return Taken(machine, policy, program, scheduler, allocation, forecaster, *parts)


def play_compiled(
    workload: Workload,
    replay: Taken,
    *,
    event_order: int,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
    idle_failures: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play a replay that is `taken`; `event_order` counts from 0."""
    state = _state(workload, replay, executed, request, failures)
    now, count = state.now[0], len(workload)
    now["order"], now["first_band"] = event_order, replay.policy.bands is first_band
    state.site["idle_failures"] = idle_failures
    play(_nothing(state))  # loads or compiles it, which is not the engine's time
    began = perf_counter(), process_time()
    while now["left"] > 0:
        now["stop_at"] = max(int(now["left"]) - _SLICE, 0)
        while (stopped := play(state)) != DONE:
            if stopped == HOUR:
                _draw_false_alarms(state, replay.forecaster)
            elif stopped == SCORE:
                _refuse_score(state, replay.policy.utility)
            else:
                state = _larger(state)
        if progress is not None:
            progress(count - int(now["left"]))
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    places = state.places[: now["starts"]]
    jobs, attempts = records_of(
        workload,
        first_work(executed, state.checkpoints, replay.checkpointing),
        first_times(executed, state.checkpoints, replay.checkpointing),
        state,
        processors=state.parts["nodes"][places],
        places=lambda turns: tuple(places[turns].tolist()),
    )
    return Played(
        jobs,
        attempts,
        float(now["idle_time"]),
        float(now["down_time"]),
        outages_of(state, places.tolist()),
        engine_s,
        processor_s,
    )


def _state(
    workload: Workload,
    replay: Taken,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
) -> State:
    """Return the state before the first event."""
    table, checkpointing = replay.scheduler.seen(replay.machine.table), replay.checkpointing
    count, midplanes = len(workload), len(table.midplanes)
    most = min(count, len(table))
    feed = NO_FAILURES if failures is None else failures
    failing, saving = failures is not None, isinstance(checkpointing, Periodic)
    rows = count + most + 1
    now = np.zeros(1, NOW)
    for name, value in (
        ("failing", failing),
        ("saving", saving),
        ("within", isinstance(checkpointing, Periodic) and checkpointing.in_walltime),
        ("final", isinstance(checkpointing, Periodic) and checkpointing.final),
        ("size", table.total_nodes),
        ("idle", table.total_nodes),
        ("jobs", count),
        ("left", count),
        ("most", most),
        ("head", -1),
        ("last", -1),
        ("newcomer", -1),
        ("time", -np.inf),
        ("first", workload.submit[0] if count else 0.0),
    ):
        now[name] = value
    checkpoints = checkpoint_table(checkpointing, workload.walltime)
    options, option = option_table(replay.recovery, count)
    sizes, members = size_classes(table)
    rivals, rivals_at = lists_of(table.conflicts & ~np.eye(len(table), dtype=np.bool_))
    parents, parents_at = lists_of(table.parents)
    containers, containers_at, withheld, withheld_at = _drains(replay.scheduler, table)
    uses, uses_at = lists_of(table.uses)
    users, users_at = lists_of(table.uses.T)
    after, upcoming = _upcoming(feed, midplanes)
    ops, numbers, depth = replay.program
    nodes = workload.processors.astype(np.float64)
    asks_log = bool((ops == Op.LOG_NODES).any())
    ends = np.cumsum([each.size for each in members])
    return State(
        now=now,
        jobs=filled(
            JOB,
            count,
            submit=workload.submit,
            executed=executed,
            request=request,
            planned=first_times(request, checkpoints, checkpointing),
            processors=workload.processors,
            nodes=nodes,
            log_nodes=log2(nodes) if asks_log else 0.0,
            user=workload.user,
            project=workload.group,
            queue=workload.queue,
            kind=np.searchsorted(sizes, workload.processors),
            saved=0.0,
            queued_at=workload.submit,
            band=0,
            attempts=0,
        ),
        attempts=np.empty(rows, ATTEMPT),
        courses=np.empty(rows if failing or saving else 0, COURSE),
        checkpoints=checkpoints,
        option=option,
        options=options,
        strikes=filled(STRIKE, len(feed), time=feed.time, repair=feed.repair, node=feed.node),
        nodes=filled(
            NODE,
            midplanes,
            out_until=-np.inf,
            strikes_at=np.append(feed.time, np.inf)[upcoming],
            outage=-1,
            reasons=0,
            upcoming=upcoming,
            fails=0,
            own=0,
            users=users_at[:-1],
            users_past=users_at[1:],
        ),
        outages=np.empty(len(feed), OUTAGE),
        struck=np.empty(rows if failing else 0, np.int64),
        holds=np.empty(most + 1, HOLD),
        ends=np.empty(most + 1, ENTRY),
        repairs=np.empty(len(feed), ENTRY),
        returns=np.empty(count if failing else 0, ENTRY),
        wakes=np.empty(1, ENTRY),
        due_ends=np.empty(most + 1, np.int64),
        due_jobs=np.empty(count if failing else 0, np.int64),
        line=np.empty(0, LINED),
        blocks=np.empty(0, LEAST),
        site=_site(replay, table, float(sizes[0])),
        parts=filled(
            PART,
            len(table),
            blockers=0,
            outs=0,
            kind=np.searchsorted(sizes, table.nodes),
            nodes=table.nodes,
            rivals=rivals_at[:-1],
            rivals_past=rivals_at[1:],
            parents=parents_at[:-1],
            parents_past=parents_at[1:],
            uses=uses_at[:-1],
            uses_past=uses_at[1:],
            containers=containers_at[:-1],
            containers_past=containers_at[1:],
            withheld=withheld_at[:-1],
            withheld_past=withheld_at[1:],
        ),
        kinds=filled(
            KIND,
            len(sizes),
            first=np.append(0, ends[:-1]),
            past=ends,
            idle=[each.size for each in members],
        ),
        members=np.concatenate(members),
        rivals=rivals,
        parents=parents,
        containers=containers,
        withheld=withheld,
        uses=uses,
        users=users,
        reboots=np.zeros((midplanes, midplanes), np.int64),
        alone=np.empty(len(table), ALONE),
        places=np.empty(rows, np.int64),
        running=np.empty(most + 1, np.int64),
        idle=np.ones(len(table), np.bool_),
        until=np.empty(len(table)),
        drained=np.empty(len(table)),
        spared=np.empty(len(table), np.bool_),
        candidates=np.empty(len(table), np.int64),
        marks=np.zeros(len(table), np.int64),
        after=after,
        detectable=_detectable(replay.forecaster, len(feed)),
        false_alarms=np.empty(midplanes),
        waiting=np.empty(count, np.int64),
        scores=np.empty(count),
        heap=np.empty(count, np.int64),
        order=np.empty(count, np.int64),
        ops=ops,
        numbers=numbers,
        stack=np.empty(depth),
    )


def _site(replay: Taken, table: PartitionTable, smallest: float) -> Any:
    """Return the record of what the pass is asked to do."""
    site = np.zeros(1, SITE)
    site["least_drain"], site["threshold"] = (
        replay.policy.least_drain,
        replay.policy.utility.threshold,
    )
    site["smallest"], site["by_length"] = smallest, replay.program.by_length
    site["total"], site["whole"] = table.total_nodes, replay.machine.reboots == "midplanes"
    site["per_midplane"] = table.total_nodes // len(table.midplanes)
    match replay.scheduler:
        case SeparateDrains():
            site["scheduler"] = SEPARATE
        case January2009(slack=slack):
            site["scheduler"], site["slack"] = JANUARY, slack
        case June2009():
            site["scheduler"] = JUNE
        case Head():
            site["scheduler"] = HEAD
    match replay.allocation:
        case LeastBlocking():
            site["allocation"] = BLOCKING
        case FaultAware(alpha=alpha, beta=beta, parents=counted):
            site["allocation"] = {"survive": RISKY, "neighbours": NEIGHBOURS}.get(counted, WHOLE)
            site["alpha"], site["beta"] = alpha, beta
        case ReleasedFaultAware():
            site["allocation"] = RELEASED
    match replay.forecaster:
        case QsimForecaster(sensitivity=sensitivity, specificity=specificity):
            site["forecaster"] = SEEN
            site["if_struck"], site["otherwise"] = sensitivity, 1.0 - specificity
        case AlarmForecaster(sensitivity=sensitivity, specificity=specificity):
            site["forecaster"], site["next_hour"] = ALARMS, -np.inf
            site["if_struck"], site["otherwise"] = 1.0, 0.0
            site["sensitivity"], site["false_rate"] = sensitivity, 1.0 - specificity
    return site


def _drains(
    scheduler: Schedulers, table: PartitionTable
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return what contains each partition, and what a drain of it withholds, in lists."""
    if not isinstance(scheduler, June2009 | Head):
        nowhere = np.zeros(len(table) + 1, np.int64)
        return np.empty(0, np.int64), nowhere, np.empty(0, np.int64), nowhere
    return *lists_of(containers_of(table)), *lists_of(scheduler.withheld(table))


def _upcoming(feed: Failures, midplanes: int) -> tuple[IntArray, IntArray]:
    """Return the failure of the same midplane that follows each, and the first of each midplane."""
    by_node = np.argsort(feed.node, kind="stable")
    after, first = np.full(len(feed), -1), np.full(midplanes, -1)
    follows = feed.node[by_node[1:]] == feed.node[by_node[:-1]]
    after[by_node[:-1][follows]] = by_node[1:][follows]
    first[feed.node[by_node[::-1]]] = by_node[::-1]  # of equal places, numpy keeps the last
    return after, first


def _detectable(forecaster: Forecasters | None, failures: int) -> FloatArray:
    if not isinstance(forecaster, AlarmForecaster):
        return np.empty(0)
    return stream(forecaster.seed, *DETECTABILITY).random(max(failures, 1))


def _draw_false_alarms(state: State, forecaster: Forecasters | None) -> None:
    """Draw the false alarms of the hour that is now; what is before the first counts to it."""
    assert isinstance(forecaster, AlarmForecaster)
    hour = max(int(state.now[0]["time"] // _HOUR), 0)
    draws = stream(forecaster.seed, *FALSE_ALARMS, hour)
    state.false_alarms[:] = draws.random(state.false_alarms.size)
    # Beyond all calendars an hour is less than the clock can tell.
    state.site["next_hour"] = max((hour + 1) * _HOUR, np.nextafter(state.now[0]["time"], np.inf))


def _refuse_score(state: State, utility: Utility) -> NoReturn:
    """Raise what the readable pass raises where the score of a waiting job is not a number."""
    listed = state.jobs[state.waiting[: state.site[0]["listed"]]]
    wait = state.now[0]["time"] - listed["queued_at"]
    smallest = float(state.site[0]["smallest"])
    tags = (listed["user"], listed["project"], listed["queue"])
    time = float(state.now[0]["time"])
    utility.scores(Waiting(wait, listed["planned"], listed["nodes"], smallest, *tags, time=time))
    raise RuntimeError(f"score of {utility.name} must be a number in both engines")


def _nothing(state: State) -> State:
    """Return a state of the same types in which all is over."""
    now = state.now.copy()
    now["left"] = 0
    return state._replace(now=now)


def _larger(state: State) -> State:
    """Return the state with twice the room for attempts."""
    larger = {}
    for name in ("attempts", "courses", "struck", "places"):
        table = getattr(state, name)
        larger[name] = np.empty(2 * table.size, table.dtype)
        larger[name][: table.size] = table
    return state._replace(**larger)
