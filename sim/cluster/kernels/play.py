"""A replay on a flat machine by the core: its arrays go in, the records come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from ...records import AttemptRecords, FloatArray, IntArray, JobRecords, Outage, Outcome
from ..backfill.conservative import Conservative
from ..backfill.easy import Easy
from ..backfill.fcfs import Fcfs
from ..checkpointing.periodic import NoCheckpoints, Periodic
from ..failures.feed import NO_FAILURES, Failures
from ..machines.flat import Flat
from ..order.bands import MIDDLE, all_bands, first_band
from ..order.submission import by_submission
from ..recovery.options import RecoverByOption, RecoveryOption
from ..recovery.simple import Drop, ResubmitNew, ResubmitOriginal
from ..workload import Workload
from .core import play
from .course import plan_first
from .places import Places
from .state import (
    AT_ONCE,
    AT_REPAIR,
    AT_WALLTIME_END,
    ATTEMPT,
    CHECKPOINT,
    COMEBACK,
    COMPRESS,
    CONSERVATIVE,
    COURSE,
    EASY,
    ENTRY,
    FCFS,
    HOLD,
    JOB,
    NODE,
    NOT_AGAIN,
    NOW,
    OPTION,
    OUTAGE,
    SPAN,
    STRIKE,
    State,
)

if TYPE_CHECKING:
    from ..loop.cluster import Policy, Recovery
    from ..loop.protocols import Checkpointing, Machine

__all__ = ["Played", "Taken", "play_compiled", "taken"]

_SLICE = 20_000  # jobs that come to an end between two looks at signals and progress
_RETURNS = {"at once": AT_ONCE, "walltime end": AT_WALLTIME_END, "repair": AT_REPAIR}
_SIMPLE = {
    ResubmitOriginal: RecoveryOption("original", MIDDLE, "submission"),
    ResubmitNew: RecoveryOption("new", MIDDLE, "return"),
    Drop: None,
}


@dataclass(frozen=True, slots=True)
class Played:
    """What a replay by the core gives."""

    jobs: JobRecords
    attempts: AttemptRecords
    idle: float  # [processor s]
    down: float
    outages: tuple[Outage, ...]
    engine_s: float
    processor_s: float


@dataclass(frozen=True, slots=True)
class Taken:
    """A replay that the core can play."""

    machine: Flat
    policy: Fcfs | Easy | Conservative
    checkpointing: NoCheckpoints | Periodic | None
    recovery: ResubmitOriginal | ResubmitNew | Drop | RecoverByOption


def taken(  # noqa: PLR0911  (a reason, a return)
    machine: Machine, policy: Policy, checkpointing: Checkpointing | None, recovery: Recovery
) -> Taken | str:
    """Return what the core is to play, or in words what of it the core does not take."""
    # Subclasses may play otherwise than what they extend.
    if not isinstance(machine, Flat) or type(machine) is not Flat:
        return f"a machine of kind {type(machine).__name__}"
    policies = Fcfs | Easy | Conservative
    if not isinstance(policy, policies) or type(policy) not in policies.__args__:
        return f"a policy of kind {type(policy).__name__}"
    if policy.order not in (by_submission, all_bands, first_band):
        return "an order of the queue of its own"
    checkpoints = None | NoCheckpoints | Periodic
    if (
        not isinstance(checkpointing, checkpoints)
        or type(checkpointing) not in checkpoints.__args__
    ):
        return f"checkpointing of kind {type(checkpointing).__name__}"
    if isinstance(checkpointing, Periodic) and callable(checkpointing.interval):
        return "checkpoints whose interval is a function"
    recoveries = ResubmitOriginal | ResubmitNew | Drop | RecoverByOption
    if not isinstance(recovery, recoveries) or type(recovery) not in recoveries.__args__:
        return f"a recovery of kind {type(recovery).__name__}"
    return Taken(machine, policy, checkpointing, recovery)


def play_compiled(
    workload: Workload,
    replay: Taken,
    *,
    event_order: int,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play a replay that is `taken`; `event_order` counts from 0."""
    checkpointing = replay.checkpointing
    state = _state(workload, replay, executed, request, failures)
    now = state.now[0]
    now["order"], now["policy"] = event_order, _code(replay.policy)
    now["first_band"] = replay.policy.order is first_band
    play(_nothing(state))  # loads or compiles it, which is not the engine's time
    began = perf_counter(), process_time()
    count = len(workload)
    while now["left"] > 0:
        now["stop_at"] = max(int(now["left"]) - _SLICE, 0)
        while not play(state):
            state = _larger(state)
            now = state.now[0]
        if progress is not None:
            progress(count - int(now["left"]))
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    undisturbed = _first_times(executed, state.checkpoints, checkpointing)
    jobs, attempts = _records(workload, executed, undisturbed, state)
    return Played(
        jobs,
        attempts,
        float(now["idle_time"]),
        float(now["down_time"]),
        _outages(state),
        engine_s,
        processor_s,
    )


def _code(policy: Fcfs | Easy | Conservative) -> int:
    match policy:
        case Fcfs():
            return FCFS
        case Easy():
            return EASY
        case Conservative(compress=compress):
            return COMPRESS if compress else CONSERVATIVE


def _state(
    workload: Workload,
    replay: Taken,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
) -> State:
    """Return the state before the first event."""
    machine, checkpointing = replay.machine, replay.checkpointing
    count, size = len(workload), machine.processors
    most = min(count, size)
    feed = NO_FAILURES if failures is None else failures
    failing, saving = failures is not None, isinstance(checkpointing, Periodic)
    rows = count + most + 1
    now = np.zeros(1, NOW)
    for name, value in (
        ("failing", failing),
        ("saving", saving),
        ("final", isinstance(checkpointing, Periodic) and checkpointing.final),
        ("per_node", machine.processors_per_node),
        ("size", size),
        ("idle", size),
        ("gaps", 1),
        ("jobs", count),
        ("left", count),
        ("most", most),
        ("head", -1),
        ("last", -1),
        ("newcomer", -1),
        ("reached", -1),
        ("time", -np.inf),
        ("first", workload.submit[0] if count else 0.0),
        ("next_slot", np.inf),
        ("last_wake", -np.inf),
    ):
        now[name] = value
    checkpoints = _checkpoints(checkpointing)
    planned = _first_times(request, checkpoints, checkpointing)
    options, option = _options(replay.recovery, count)
    gaps = np.empty(size // 2 + 2, SPAN)
    gaps[0] = (0, size)
    numbered = size if failing else 0
    return State(
        now=now,
        jobs=_filled(
            JOB,
            count,
            submit=workload.submit,
            executed=executed,
            request=request,
            planned=planned,
            processors=workload.processors,
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
        strikes=_filled(STRIKE, len(feed), time=feed.time, repair=feed.repair, node=feed.node),
        nodes=_filled(NODE, machine.nodes if failing else 0, out_until=-np.inf, outage=-1),
        outages=np.empty(len(feed), OUTAGE),
        struck=np.empty(rows if failing else 0, np.int64),
        holds=np.empty(most + 1, HOLD),
        ends=np.empty(most + 1, ENTRY),
        repairs=np.empty(len(feed), ENTRY),
        returns=np.empty(count if failing else 0, ENTRY),
        wakes=np.empty(1024, ENTRY),
        due_ends=np.empty(most + 1, np.int64),
        due_jobs=np.empty(count if failing else 0, np.int64),
        comebacks=np.empty(2 * most + machine.nodes + 1, COMEBACK),
        gaps=gaps,
        cells=np.empty(2 * count + 4 * size if failing else 0, SPAN),
        reasons=np.zeros(numbered, np.int64),
        back=np.empty(numbered),
        sorting=np.empty(numbered, ENTRY),
        times=np.empty(4 * count + 2 * machine.nodes + 4),
        levels=np.empty(4 * count + 2 * machine.nodes + 4, np.int64),
    )


def _filled(kind: Any, count: int, **columns: Any) -> Any:
    """Return a table with these columns; the others are written when the replay gets there."""
    table = np.empty(count, kind)
    for name, column in columns.items():
        table[name] = column
    return table


def _checkpoints(checkpointing: NoCheckpoints | Periodic | None) -> Any:
    """Return the table of checkpoints: a row for each job, or one for all."""
    if not isinstance(checkpointing, Periodic):
        return np.array([(np.inf, 0.0, 0.0)], CHECKPOINT)
    columns = {name: getattr(checkpointing, name) for name in ("interval", "cost", "recovery")}
    count = max(np.size(column) for column in columns.values())
    return _filled(CHECKPOINT, count, **columns)


def _first_times(
    work: FloatArray, checkpoints: Any, checkpointing: NoCheckpoints | Periodic | None
) -> FloatArray:
    """Return the wall time of each job's first attempt, [s]."""
    if not isinstance(checkpointing, Periodic):
        return work
    wall = np.empty_like(work)
    work = np.ascontiguousarray(work).view()
    work.flags.writeable = False  # as that of any workload, so that one compilation serves all
    plan_first(work, checkpoints, checkpointing.final, wall)
    return wall


def _options(
    recovery: ResubmitOriginal | ResubmitNew | Drop | RecoverByOption, jobs: int
) -> tuple[Any, IntArray]:
    """Return the table of options, and which of them each job has (or all of them)."""
    if isinstance(recovery, RecoverByOption):
        chosen: Sequence[RecoveryOption | None] = list(dict.fromkeys(recovery.of(jobs)))
        place = {option: n for n, option in enumerate(chosen)}
        option = np.array([place[each] for each in recovery.options], np.int64)
    else:
        chosen, option = [_SIMPLE[type(recovery)]], np.zeros(1, np.int64)
    return _filled(
        OPTION,
        len(chosen),
        band=[each.band if each else 0 for each in chosen],
        returns=[_RETURNS[each.returns] if each else NOT_AGAIN for each in chosen],
        by_return=[each is not None and each.stands_by == "return" for each in chosen],
        same_place=[each is not None and each.same_place for each in chosen],
    ), option


def _nothing(state: State) -> State:
    """Return a state of the same types in which all is over."""
    now = state.now.copy()
    now["left"] = 0
    return state._replace(now=now)


def _larger(state: State) -> State:
    """Return the state with twice the room for attempts, their places and wakes."""
    larger = {}
    for name in ("attempts", "courses", "struck", "cells", "wakes"):
        table = getattr(state, name)
        larger[name] = np.empty(2 * table.size, table.dtype)
        larger[name][: table.size] = table
    return state._replace(**larger)


def _records(
    workload: Workload,
    executed: FloatArray,
    undisturbed: FloatArray,
    state: State,
) -> tuple[JobRecords, AttemptRecords]:
    now, jobs = state.now[0], len(workload)
    attempts = state.attempts[: now["starts"]]
    job, start, end = attempts["job"], attempts["start"], attempts["end"]
    outcome = attempts["outcome"].copy()
    killed = executed < workload.runtime
    outcome[(outcome == Outcome.COMPLETED) & killed[job]] = Outcome.KILLED
    first_start, last_start = np.full((2, jobs), np.nan)
    first_start[job[::-1]] = start[::-1]  # of equal places, numpy keeps the last
    last_start[job] = start
    last = np.full(jobs, -1)
    last[job] = np.arange(job.size)
    tried = last >= 0
    ended = np.full(jobs, int(Outcome.UNFINISHED))
    ended[tried] = outcome[last[tried]]
    failed = ended == Outcome.FAILED
    gives_up = np.broadcast_to(state.options["returns"][state.option] == NOT_AGAIN, jobs)
    ended[failed] = np.where(gives_up[failed], Outcome.DROPPED, Outcome.UNFINISHED)
    over = ended != Outcome.UNFINISHED
    job_end = np.full(jobs, np.nan)
    job_end[over] = end[last[over]]
    return JobRecords(
        job=workload.job,
        submit=workload.submit,
        first_start=first_start,
        start=last_start,
        end=job_end,
        processors=workload.processors,
        runtime=workload.runtime,
        walltime=workload.walltime,
        executed=executed,
        undisturbed=undisturbed,
        attempts=np.bincount(job, minlength=jobs),
        failures=np.bincount(job[outcome == Outcome.FAILED], minlength=jobs),
        outcome=ended,
        user=workload.user,
    ), _attempt_records(workload, executed, state, outcome)


def _attempt_records(
    workload: Workload, executed: FloatArray, state: State, outcome: IntArray
) -> AttemptRecords:
    now = state.now[0]
    attempts, courses = state.attempts[: outcome.size], state.courses[: outcome.size]
    job = attempts["job"]
    order = np.lexsort((job, attempts["start"], attempts["end"]))
    if now["failing"] or now["saving"]:
        failed = outcome == Outcome.FAILED
        work, read_back = courses["work"], courses["read_back"]
        useful = np.where(failed, courses["useful"], work)
        lost = np.where(failed, courses["lost"], 0.0)
        written = np.where(failed, courses["written"], courses["wall"] - work - read_back)
    else:
        useful = executed[job]
        lost = written = read_back = np.zeros(job.size)
    places = _places(state) if now["failing"] else None
    return AttemptRecords(
        position=job[order],
        start=attempts["start"][order],
        end=attempts["end"][order],
        outcome=outcome[order],
        processors=workload.processors[job[order]],
        useful=useful[order],
        lost=lost[order],
        checkpoint=written[order],
        recovery=read_back[order],
        placement=None if places is None else places.of(order),
    )


def _places(state: State) -> Places:
    """Return the processors of each attempt in order of start."""
    now = state.now[0]
    begin = state.courses["cells"][: now["starts"]]
    cells = state.cells[: now["cells"]]
    return Places(begin, np.append(begin[1:], now["cells"]), cells["first"], cells["past"])


def _outages(state: State) -> tuple[Outage, ...]:
    outages = state.outages[: state.now[0]["outages"]]
    if not outages.size:
        return ()
    places = _places(state)
    return tuple(
        Outage(node, start, end, tuple(places[turn] for turn in state.struck[begin:past]))
        for start, end, node, begin, past, _ in outages.tolist()
    )
