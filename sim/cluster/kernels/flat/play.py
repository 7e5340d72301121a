"""A replay on a flat machine by the core: its arrays go in, the records come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from ....records import FloatArray
from ...backfill.conservative import Conservative
from ...backfill.easy import Easy
from ...backfill.fcfs import Fcfs
from ...checkpointing.periodic import Periodic
from ...failures.feed import NO_FAILURES, Failures
from ...machines.flat import Flat
from ...order.bands import COMPILED, first_band
from ...workload import Workload
from ..line import BLOCK
from ..places import Places
from ..state import (
    ATTEMPT,
    COMEBACK,
    COMPRESS,
    CONSERVATIVE,
    COURSE,
    EASY,
    ENTRY,
    FCFS,
    HOLD,
    JOB,
    LEAST,
    LINED,
    NODE,
    NOW,
    OUTAGE,
    SPAN,
    STRIKE,
    State,
)
from ..tables import (
    ComesBack,
    Saves,
    checkpoint_table,
    filled,
    first_times,
    first_work,
    option_table,
    taken_parts,
)
from ..written import Played, outages_of, records_of
from .core import core_for

if TYPE_CHECKING:
    from ...loop.cluster import Policy, Recovery
    from ...loop.protocols import Checkpointing, Machine

_SLICE = 20_000  # jobs that come to an end between two looks at signals and progress


@dataclass(frozen=True, slots=True)
class Taken:
    """A replay that the core can play."""

    machine: Flat
    policy: Fcfs | Easy | Conservative
    checkpointing: Saves
    recovery: ComesBack


def taken(
    machine: Machine, policy: Policy, checkpointing: Checkpointing | None, recovery: Recovery
) -> Taken | str:
    """Return what the core is to play, or in words what of it the core does not take."""
    # Subclasses may play otherwise than what they extend.
    if not isinstance(machine, Flat) or type(machine) is not Flat:
        return f"a machine of kind {type(machine).__name__}"
    policies = Fcfs | Easy | Conservative
    if not isinstance(policy, policies) or type(policy) not in policies.__args__:
        return f"a policy of kind {type(policy).__name__}"
    if policy.order not in COMPILED:
        return "an order of the queue of its own"
    parts = taken_parts(checkpointing, recovery)
    return parts if isinstance(parts, str) else Taken(machine, policy, *parts)


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
    play = core_for(
        policy=int(now["policy"]),
        event_order=event_order,
        failing=failures is not None,
        holding=bool(state.options["same_place"].any()),
    )
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
    undisturbed = first_times(executed, state.checkpoints, checkpointing)
    places = _places(state) if now["failing"] else None
    jobs, attempts = records_of(
        workload,
        first_work(executed, state.checkpoints, checkpointing),
        undisturbed,
        state,
        processors=workload.processors[state.attempts["job"][: now["starts"]]],
        places=None if places is None else places.of,
    )
    return Played(
        jobs,
        attempts,
        float(now["idle_time"]),
        float(now["down_time"]),
        () if places is None else outages_of(state, places),
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
    rows = count + most + 1 + len(feed)
    now = np.zeros(1, NOW)
    for name, value in (
        ("failing", failing),
        ("saving", saving),
        ("within", isinstance(checkpointing, Periodic) and checkpointing.in_walltime),
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
    ):
        now[name] = value
    checkpoints = checkpoint_table(checkpointing, workload.walltime)
    planned = first_times(request, checkpoints, checkpointing)
    options, option = option_table(replay.recovery, count)
    gaps = np.empty(size // 2 + 2, SPAN)
    gaps[0] = (0, size)
    numbered = size if failing else 0
    places = (count + count // 8 + 2 * BLOCK) // BLOCK * BLOCK
    return State(
        now=now,
        jobs=filled(
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
        strikes=filled(STRIKE, len(feed), time=feed.time, repair=feed.repair, node=feed.node),
        nodes=filled(NODE, machine.nodes if failing else 0, out_until=-np.inf, outage=-1),
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
        line=np.empty(places, LINED),
        blocks=np.empty(places // BLOCK, LEAST),
        gaps=gaps,
        room=np.empty_like(gaps),
        # Memory that nothing writes to costs nothing, and copies of tables that fill up cost much.
        cells=np.empty(32 * count + 4 * size if failing else 0, SPAN),
        reasons=np.zeros(numbered, np.int64),
        back=np.empty(numbered),
        sorting=np.empty(numbered, ENTRY),
        times=np.empty(4 * count + 2 * machine.nodes + 4),
        levels=np.empty(4 * count + 2 * machine.nodes + 4, np.int64),
    )


def _nothing(state: State) -> State:
    """Return a state of the same types in which all is over."""
    now = state.now.copy()
    now["left"] = 0
    return state._replace(now=now)


def _larger(state: State) -> State:
    """Return the state with twice the room for attempts, their places or wakes."""
    now, names = state.now[0], ["wakes"]
    if now["starts"] + now["most"] >= state.attempts.size:
        names = ["attempts", "courses", "struck"]
    elif now["wakes"] < state.wakes.size:
        names = ["cells"]
    larger = {}
    for name in names:
        table = getattr(state, name)
        larger[name] = np.empty(2 * table.size, table.dtype)
        larger[name][: table.size] = table
    return state._replace(**larger)


def _places(state: State) -> Places:
    """Return the processors of each attempt in order of start."""
    now = state.now[0]
    begin = state.courses["cells"][: now["starts"]]
    cells = state.cells[: now["cells"]]
    return Places(begin, np.append(begin[1:], now["cells"]), cells["first"], cells["past"])
