"""A replay on a grid by its core: arrays go in, the records come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from ....records import AttemptRecords, FloatArray, IntArray, JobRecords, Outage, Outcome
from ....streams import LOCAL_SEARCH, stream
from ...checkpointing.periodic import NoCheckpoints
from ...failures.feed import NO_FAILURES, Failures
from ...kernels.state import COMEBACK, ENTRY, OUTAGE, STRIKE
from ...kernels.written import Played
from ...recovery.simple import Drop, ResubmitNew, ResubmitOriginal
from ...workload import Workload
from ..cancel_stranded import CancelStranded
from ..machine import Grid
from ..policies.easy import GridEasy
from ..policies.fcfs import GridFcfs
from ..policies.local_search import LocalSearch
from ..policies.planned import Planned
from ..speed import ScaledRuntimes
from .core import play
from .places import GridPlaces
from .searched import improve
from .state import (
    ATTEMPT,
    CELL,
    DROPPED,
    EASY,
    FCFS,
    JOB,
    MACHINE,
    NOW,
    ORIGINAL,
    PLANNED,
    POOL,
    RETURNED,
    SEARCHED,
    GridState,
)

if TYPE_CHECKING:
    from ...loop.cluster import Policy, Recovery
    from ...loop.protocols import Checkpointing, Machine

_SLICE = 20_000  # jobs that come to an end between two looks at signals and progress
_AGAIN = {ResubmitOriginal: ORIGINAL, ResubmitNew: RETURNED, Drop: DROPPED}
_POLICIES = {GridFcfs: FCFS, GridEasy: EASY, Planned: PLANNED, LocalSearch: SEARCHED}
_DRAWS = 2**14  # of three random numbers, made at a time


@dataclass(frozen=True, slots=True, eq=False)
class GridTaken:
    """A replay that the core of grids can play."""

    grid: Grid
    policy: GridFcfs | GridEasy | Planned | LocalSearch
    stranding: bool  # whether jobs are cancelled that the machines up cannot hold
    again: int
    scale: FloatArray | None  # (jobs, clusters): how much longer a job runs there than it says


def taken(  # noqa: PLR0911  (a reason, a return)
    machine: Machine,
    policy: Policy,
    checkpointing: Checkpointing | None,
    recovery: Recovery,
    event_order: str,
) -> GridTaken | str:
    """Return what the core is to play, or in words what of it the core does not take."""
    # Subclasses may play otherwise than what they extend.
    if not isinstance(machine, Grid) or type(machine) is not Grid:
        return f"a machine of kind {type(machine).__name__}"
    if machine.repairs_known:
        return "repairs that planning knows of"
    stranding = type(policy) is CancelStranded
    own: Any = policy.policy if isinstance(policy, CancelStranded) and stranding else policy
    if type(own) not in _POLICIES:
        return f"a policy of kind {type(own).__name__}"
    if isinstance(own, GridFcfs) and own.seed is not None:
        return "a policy that draws clusters at random"
    if getattr(own, "order", None) is not None:
        return "a policy that has an order of its own"
    scaled = checkpointing if isinstance(checkpointing, ScaledRuntimes) else None
    if checkpointing is not None and type(checkpointing) not in (NoCheckpoints, ScaledRuntimes):
        return f"checkpointing of kind {type(checkpointing).__name__}"
    if type(recovery) not in _AGAIN:
        return f"a recovery of kind {type(recovery).__name__}"
    if event_order != "batch":
        return f"the event order {event_order}"
    scale = None if scaled is None else scaled.scale
    return GridTaken(machine, own, stranding, _AGAIN[type(recovery)], scale)


def play_grid(
    workload: Workload,
    replay: GridTaken,
    *,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play a replay that is `taken`."""
    state = _state(workload, replay, executed, request, failures)
    now = state.now[0]
    nothing = _nothing(state)
    play(nothing)  # loads or compiles it, which is not the engine's time
    if isinstance(replay.policy, LocalSearch):
        _improve(nothing)
    seed = replay.policy.seed if isinstance(replay.policy, LocalSearch) else 0
    rng = stream(seed, *LOCAL_SEARCH)
    began = perf_counter(), process_time()
    count = len(workload)
    while now["left"] > 0:
        now["stop_at"] = max(int(now["left"]) - _SLICE, 0)
        while not play(state):
            if now["searching"]:
                _improve(state)
            elif _needs_draws(state):
                state = _with_draws(state, rng)
            else:
                state = _larger(state)
        if progress is not None:
            progress(count - int(now["left"]))
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    places = _places(state)
    return Played(
        _job_records(workload, executed, state),
        _attempt_records(workload, executed, state, places),
        float(now["idle_time"]),
        float(now["down_time"]),
        _outages(state, places),
        engine_s,
        processor_s,
    )


def _state(
    workload: Workload,
    replay: GridTaken,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
) -> GridState:
    """Return the state before the first event."""
    grid, count = replay.grid, len(workload)
    size, feed = grid.size, NO_FAILURES if failures is None else failures
    most = min(count, size)  # jobs at once
    now = np.zeros(1, NOW)
    for name, value in (
        ("policy", _POLICIES[type(replay.policy)]),
        ("stranding", replay.stranding),
        ("again", replay.again),
        ("jobs", count),
        ("most", most),
        ("left", count),
        ("idle", size),
        ("time", -np.inf),
        ("first", workload.submit[0] if count else 0.0),
        ("head", -1),
        ("reserved", -1),
        ("reserved_at", np.inf),
        ("next_search", np.inf),
    ):
        now[name] = value
    if isinstance(replay.policy, LocalSearch):
        for name in ("period", "rounds", "budget"):
            now[name] = getattr(replay.policy, name)
        now["of_slowdown"], now["of_wait"], now["of_response"] = replay.policy.shares_of_gain
    kind, choices = _kinds(grid, count)
    pace, paces = _paces(grid, count, replay.scale)
    sizes = [cluster.size for cluster in grid.clusters]
    most_in = [min(count, each) for each in sizes]
    capacity = [each for cluster in grid.clusters for each in cluster.per_machine]
    machines = [cluster.machines for cluster in grid.clusters]
    rows = count + most + 1
    return GridState(
        now=now,
        jobs=_filled(
            JOB,
            count,
            submit=workload.submit,
            executed=executed,
            planned=request,
            processors=workload.processors,
            queued_at=workload.submit,
            kind=kind,
            pace=pace,
            end=np.nan,
            slot=np.inf,
            pool=-1,
            outcome=Outcome.UNFINISHED,
        ),
        attempts=np.empty(rows, ATTEMPT),
        pools=_filled(
            POOL,
            len(sizes),
            first=grid.first_machines[:-1],
            past=grid.first_machines[1:],
            base=np.cumsum([0, *most_in[:-1]]),
            running=0,
            free=sizes,
            up=sizes,
            known=sizes,
            steps=0,
            listed=0,
            head=-1,
            last=-1,
            touched=False,
        ),
        machines=_filled(
            MACHINE,
            len(capacity),
            capacity=capacity,
            free=capacity,
            pool=np.repeat(np.arange(len(sizes)), machines),
            out_until=-np.inf,
            outage=-1,
        ),
        cells=np.empty(2 * rows + len(capacity), CELL),
        choices=choices,
        paces=paces,
        queue=np.empty(2 * count + 1, np.int64),
        newcomers=np.empty(count, np.int64),
        strikes=_filled(STRIKE, len(feed), time=feed.time, repair=feed.repair, node=feed.node),
        outages=np.empty(len(feed), OUTAGE),
        struck=np.empty(rows, np.int64),
        ends=np.empty(most + 1, ENTRY),
        repairs=np.empty(len(feed) + 1, ENTRY),
        comebacks=np.empty(sum(most_in), COMEBACK),
        due=np.empty(1024, ENTRY),
        due_jobs=np.empty(count, np.int64),
        unplaced=np.empty(count, np.int64),
        wakes=np.empty(8, ENTRY),
        draws=np.empty((0, 3)),
        times=np.empty((len(sizes), 64)),
        free=np.empty((len(sizes), 64), np.int64),
    )


def _filled(fields: Any, count: int, **columns: Any) -> Any:
    """Return a table with these columns; the others are written when the replay gets there."""
    table = np.empty(count, fields)
    for name, column in columns.items():
        table[name] = column
    return table


def _kinds(grid: Grid, jobs: int) -> tuple[IntArray, IntArray]:
    """Return the kind of each job, and the clusters that suit each kind, best first, then -1."""
    ranking = grid.ranking
    if grid.suitability is None:
        return np.zeros(jobs, np.int64), np.array([ranking])
    kind, rows = _distinct(grid.suitability)
    choices = np.full((max(len(rows), 1), len(ranking)), -1)
    for number, row in enumerate(rows):
        suitable = [cluster for cluster in ranking if row[cluster]]
        choices[number, : len(suitable)] = suitable
    return kind, choices


def _paces(grid: Grid, jobs: int, scale: FloatArray | None) -> tuple[IntArray, FloatArray]:
    """Return the row of each job, and the rows: how much longer it runs on each cluster."""
    if scale is None or not jobs:
        return np.zeros(jobs, np.int64), np.ones((1, len(grid.clusters)))
    return _distinct(np.asarray(scale, np.float64))


def _distinct(rows: Any) -> tuple[IntArray, Any]:
    """Return the number of each row among the distinct ones, and these; `unique` would sort."""
    numbers: dict[bytes, int] = {}
    each = np.ascontiguousarray(rows)
    number = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in each], np.int64)
    return number, np.frombuffer(b"".join(numbers), rows.dtype).reshape(-1, rows.shape[1]).copy()


def _nothing(state: GridState) -> GridState:
    """Return a state of the same types in which all is over."""
    now = state.now.copy()
    now["left"] = 0
    return state._replace(now=now)


def _improve(state: GridState) -> None:
    now, jobs, pools, choices = state.now[0], state.jobs, state.pools, state.choices
    due, times, free, paces = state.due, state.times, state.free, state.paces
    improve(now, jobs, pools, choices, state.comebacks, due, times, free, paces, state.draws)


def _needs_draws(state: GridState) -> bool:
    """Return whether a search over all that waits might need more random numbers than are left."""
    now = state.now[0]
    waiting = now["past"] - now["front"]
    return bool(now["inside"] and now["drawn"] + now["rounds"] * waiting > len(state.draws))


def _with_draws(state: GridState, rng: np.random.Generator) -> GridState:
    """Return the state with more random numbers behind those that are left."""
    now = state.now[0]
    left = state.draws[now["drawn"] :]
    now["drawn"] = 0
    return state._replace(draws=np.concatenate([left, rng.random((_DRAWS + len(left), 3))]))


def _larger(state: GridState) -> GridState:
    """Return the state with twice the room for what was short: attempts, or the plan."""
    larger = {}
    attempts, plan = ("attempts", "struck", "cells"), ("due", "times", "free")
    for name in plan if state.now[0]["inside"] else attempts:
        table = getattr(state, name)
        length = table.shape[-1]
        larger[name] = np.empty((*table.shape[:-1], 2 * length), table.dtype)
        larger[name][..., :length] = table
    return state._replace(**larger)


def _job_records(workload: Workload, executed: FloatArray, state: GridState) -> JobRecords:
    jobs, attempts = state.jobs, state.attempts[: state.now[0]["starts"]]
    job, start = attempts["job"], attempts["start"]
    first_start, last_start = np.full((2, jobs.size), np.nan)
    first_start[job[::-1]] = start[::-1]  # of equal places, numpy keeps the last
    last_start[job] = start
    outcome = jobs["outcome"].copy()
    outcome[(outcome == Outcome.COMPLETED) & (executed < workload.runtime)] = Outcome.KILLED
    return JobRecords(
        job=workload.job,
        submit=workload.submit,
        first_start=first_start,
        start=last_start,
        end=jobs["end"].copy(),
        processors=workload.processors,
        runtime=workload.runtime,
        walltime=workload.walltime,
        executed=executed,
        undisturbed=executed,
        attempts=np.bincount(job, minlength=jobs.size),
        failures=np.bincount(job[attempts["outcome"] == Outcome.FAILED], minlength=jobs.size),
        outcome=outcome,
        user=workload.user,
    )


def _attempt_records(
    workload: Workload, executed: FloatArray, state: GridState, places: GridPlaces
) -> AttemptRecords:
    attempts = state.attempts[: state.now[0]["starts"]]
    order = np.lexsort((attempts["job"], attempts["start"], attempts["end"]))
    attempts = attempts[order]
    job, start, end = attempts["job"], attempts["start"], attempts["end"]
    failed = attempts["outcome"] == Outcome.FAILED
    killed = executed < workload.runtime
    wall = executed[job] * state.paces[state.jobs["pace"][job], attempts["pool"]]
    nothing = np.zeros(job.size)
    return AttemptRecords(
        position=job,
        start=start,
        end=end,
        outcome=np.where(failed | ~killed[job], attempts["outcome"], int(Outcome.KILLED)),
        processors=workload.processors[job],
        useful=np.where(failed, 0.0, wall),
        lost=np.where(failed, end - start, 0.0),
        checkpoint=nothing,
        recovery=nothing,
        placement=places.of(order),
        turn=order,
    )


def _places(state: GridState) -> GridPlaces:
    """Return the placement of each attempt in order of start."""
    now = state.now[0]
    attempts, cells = state.attempts[: now["starts"]], state.cells[: now["cells"]]
    begin = attempts["cells"]
    past = np.append(begin[1:], now["cells"])
    return GridPlaces(attempts["pool"], begin, past, cells["machine"], cells["count"])


def _outages(state: GridState, places: GridPlaces) -> tuple[Outage, ...]:
    outages = state.outages[: state.now[0]["outages"]]
    return tuple(
        Outage(node, start, end, tuple(places[turn] for turn in state.struck[begin:past]))
        for start, end, node, begin, past, _ in outages.tolist()
    )
