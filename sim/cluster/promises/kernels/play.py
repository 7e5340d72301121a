"""A replay with promises by the compiled loop: its arrays go in, records and promises come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from ....records import FloatArray, Outage
from ...checkpointing.cooperative import Cooperative
from ...checkpointing.periodic import NoCheckpoints, Periodic
from ...failures.feed import Failures
from ...forecasts.windows import Detected, Rated, Stated
from ...kernels.places import Places
from ...kernels.state import ATTEMPT, ENTRY, SPAN, STRIKE
from ...kernels.tables import checkpoint_table, filled, first_times, option_table
from ...kernels.written import Played, records_of
from ...machines.flat import Flat
from ...recovery.simple import ResubmitNew, ResubmitOriginal
from ...workload import Workload
from ..negotiation import Negotiated, Promise
from .core import play
from .state import (
    COOPERATIVE,
    COURSE,
    DETECTED,
    JOB,
    KNOWN,
    NODE,
    NOW,
    OUTAGE,
    PERIODIC,
    RATED,
    RESERVATION,
    SLOT,
    STATED,
    State,
)

if TYPE_CHECKING:
    from ...loop.cluster import Recovery
    from ...loop.protocols import Checkpointing, Machine

_SLICE = 2_000  # jobs that come to an end between two looks at signals and progress
_OUTLOOKS = (Detected, Stated, Rated)
_CHECKPOINTS = (NoCheckpoints, Periodic, Cooperative)
_RECOVERIES = (ResubmitOriginal, ResubmitNew)


@dataclass(frozen=True, slots=True)
class Taken:
    """A replay that the compiled loop can play."""

    machine: Flat
    terms: Negotiated
    outlook: Detected | Stated | Rated
    checkpointing: NoCheckpoints | Periodic | Cooperative | None
    recovery: ResubmitOriginal | ResubmitNew


def taken(  # noqa: PLR0911  (a reason, a return)
    machine: Machine,
    terms: Negotiated,
    checkpointing: Checkpointing | None,
    recovery: Recovery,
    *,
    event_order: str,
) -> Taken | str:
    """Return what the loop is to play, or in words what of it the loop does not take."""
    # Subclasses may play otherwise than what they extend.
    if not isinstance(machine, Flat) or type(machine) is not Flat:
        return f"a machine of kind {type(machine).__name__}"
    if type(terms) is not Negotiated:
        return f"a policy of kind {type(terms).__name__}"
    outlook = terms.outlook
    if not isinstance(outlook, _OUTLOOKS) or type(outlook) not in _OUTLOOKS:
        return f"an outlook of kind {type(outlook).__name__}"
    if not _within(outlook, machine.processors):
        return "an outlook on other nodes than those of the machine"
    if checkpointing is not None and (
        not isinstance(checkpointing, _CHECKPOINTS) or type(checkpointing) not in _CHECKPOINTS
    ):
        return f"checkpointing of kind {type(checkpointing).__name__}"
    if isinstance(checkpointing, Periodic) and callable(checkpointing.interval):
        return "checkpoints whose interval is a function"
    if isinstance(checkpointing, Periodic) and checkpointing.in_walltime:
        return "promises with checkpoints that count against the walltime"
    if isinstance(checkpointing, Cooperative) and checkpointing.outlook is not outlook:
        return "checkpoints granted by another outlook than that of the promises"
    if not isinstance(recovery, _RECOVERIES) or type(recovery) not in _RECOVERIES:
        return f"a recovery of kind {type(recovery).__name__} with promises"
    if event_order != "batch":
        return f"promises in the event order {event_order}"
    return Taken(machine, terms, outlook, checkpointing, recovery)


def _within(outlook: Detected | Stated | Rated, nodes: int) -> bool:
    if isinstance(outlook, Rated):
        return outlook.rates.size == nodes
    return not outlook.node.size or int(outlook.node.max()) < nodes


def play_compiled(
    workload: Workload,
    replay: Taken,
    *,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play a replay that is `taken`, and fill the promises of its policy."""
    checkpointing = replay.checkpointing
    if isinstance(checkpointing, Cooperative):
        checkpointing = Periodic(checkpointing.interval, checkpointing.cost)
    state = _state(workload, replay, checkpointing, executed, request, failures)
    now, count = state.now[0], len(workload)
    play(_nothing(state))  # loads or compiles it, which is not the engine's time
    began = perf_counter(), process_time()
    while now["left"] > 0 and now["stuck"] < 0:
        now["stop_at"] = max(int(now["left"]) - _SLICE, 0)
        while not play(state):
            state = _larger(state)
        if progress is not None:
            progress(count - int(now["left"]))
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    if now["stuck"] >= 0:
        raise RuntimeError(f"job {now['stuck']} must find an opening, got none for ever")
    _note_promises(state, replay.terms)
    places = _places(state)
    jobs, attempts = records_of(
        workload,
        executed,
        first_times(executed, state.checkpoints, checkpointing),
        state,
        processors=workload.processors[state.attempts["job"][: now["starts"]]],
        places=places.of,
    )
    return Played(
        jobs,
        attempts,
        float(now["idle_time"]),
        float(now["down_time"]),
        _outages(state, places),
        engine_s,
        processor_s,
    )


def _state(
    workload: Workload,
    replay: Taken,
    checkpointing: NoCheckpoints | Periodic | None,
    executed: FloatArray,
    request: FloatArray,
    failures: Failures | None,
) -> State:
    """Return the state before the first event."""
    outlook, nodes, count = replay.outlook, replay.machine.processors, len(workload)
    strikes = 0 if failures is None else len(failures)
    most = count + strikes + 1  # reservations, attempts
    now = np.zeros(1, NOW)
    for name, value in (
        ("time", -np.inf),
        ("first", workload.submit[0] if count else 0.0),
        ("asked", replay.terms.asked),
        ("checkpointing", COOPERATIVE),
        ("size", nodes),
        ("jobs", count),
        ("left", count),
        ("idle", nodes),
        ("cells", nodes),
        ("stuck", -1),
        ("failing", True),
        ("final", isinstance(checkpointing, Periodic) and checkpointing.final),
    ):
        now[name] = value
    if not isinstance(replay.checkpointing, Cooperative):
        now["checkpointing"] = PERIODIC
    known, rates = np.empty(0, KNOWN), np.zeros(nodes)
    match outlook:
        case Rated():
            now["forecaster"], rates = RATED, outlook.rates
        case Stated():
            now["forecaster"] = STATED
            now["if_struck"], now["otherwise"] = outlook.if_struck, outlook.otherwise
        case Detected():
            now["forecaster"] = DETECTED
    if not isinstance(outlook, Rated):
        now["longest"] = outlook.longest
        chance = outlook.detectability if isinstance(outlook, Detected) else 0.0
        columns = {"time": outlook.time, "up": outlook.up, "node": outlook.node}
        known = filled(KNOWN, outlook.time.size, **columns, chance=chance)
    checkpoints = checkpoint_table(checkpointing, workload.walltime)
    options, option = option_table(replay.recovery, count)
    cells = np.empty(2 * nodes + 4 * count, SPAN)
    cells["first"][:nodes], cells["past"][:nodes] = np.arange(nodes), np.arange(1, nodes + 1)
    feed = (
        {} if failures is None else {name: getattr(failures, name) for name in STRIKE.names or ()}
    )
    rows = count + nodes + 1
    return State(
        now=now,
        jobs=filled(
            JOB,
            count,
            submit=workload.submit,
            executed=executed,
            request=request,
            saved=0.0,
            planned=first_times(request, checkpoints, checkpointing),
            processors=workload.processors,
            attempts=0,
            negotiated=False,
        ),
        attempts=np.empty(most, ATTEMPT),
        courses=filled(COURSE, most, cut=False),
        checkpoints=checkpoints,
        option=option,
        options=options,
        reservations=np.empty(most, RESERVATION),
        waiting=np.empty(most, ENTRY),
        slots=filled(SLOT, rows, counted=0, held=False),
        by_start=np.empty(rows, ENTRY),
        by_end=np.empty(rows, ENTRY),
        cells=cells,
        nodes=filled(
            NODE,
            nodes,
            out_until=-np.inf,
            rate=rates,
            turn=-1,
            outage=-1,
            claimed=0,
            marked=0,
            picked=0,
            touched=False,
        ),
        strikes=filled(STRIKE, strikes, **feed),
        outages=np.empty(strikes, OUTAGE),
        ends=np.empty(most, ENTRY),
        repairs=np.empty(strikes, ENTRY),
        wakes=np.empty(count + 1),
        news=np.empty(count + 1, np.int64),
        touched=np.empty(nodes, np.int64),
        known=known,
        opens=np.empty(known.size, np.int64),
        changes=outlook.changes.copy(),
        by_rate=np.argsort(rates, kind="stable"),
        busy=np.zeros(nodes, np.int64),
        chosen=np.empty(nodes, np.int64),
        best=np.empty(nodes, np.int64),
        struck=np.empty(nodes, ENTRY),
    )


def _nothing(state: State) -> State:
    """Return a state of the same types in which all is over."""
    now = state.now.copy()
    now["left"] = 0
    return state._replace(now=now)


def _larger(state: State) -> State:
    """Return the state with twice the room for the places of reservations."""
    cells = np.empty(2 * state.cells.size, SPAN)
    cells[: state.cells.size] = state.cells
    return state._replace(cells=cells)


def _note_promises(state: State, terms: Negotiated) -> None:
    terms.promises.clear()
    made = np.flatnonzero(state.jobs["negotiated"])
    columns = (state.jobs[name][made].tolist() for name in ("promised", "deadline", "start"))
    terms.promises.update(zip(made.tolist(), map(Promise, *columns), strict=True))


def _places(state: State) -> Places:
    """Return the nodes of each attempt in order of start."""
    courses, cells = state.courses[: state.now[0]["starts"]], state.cells[: state.now[0]["cells"]]
    return Places(courses["begin"], courses["past"], cells["first"], cells["past"])


def _outages(state: State, places: Places) -> tuple[Outage, ...]:
    return tuple(
        Outage(node, start, end, (places[turn],) if turn >= 0 else ())
        for start, end, node, turn, _ in state.outages[: state.now[0]["outages"]].tolist()
    )
