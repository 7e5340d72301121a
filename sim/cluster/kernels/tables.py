"""What goes into the core: tables of jobs, failures, checkpoints and recovery."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...records import FloatArray, IntArray
from ..checkpointing.periodic import NoCheckpoints, Periodic
from ..order.bands import MIDDLE
from ..recovery.options import RecoverByOption, RecoveryOption
from ..recovery.simple import Drop, ResubmitNew, ResubmitOriginal
from .course import executed_first, plan_first
from .state import AT_ONCE, AT_REPAIR, AT_WALLTIME_END, CHECKPOINT, NOT_AGAIN, OPTION

if TYPE_CHECKING:
    from ..loop.cluster import Recovery
    from ..loop.protocols import Checkpointing

Saves: TypeAlias = NoCheckpoints | Periodic | None
ComesBack: TypeAlias = ResubmitOriginal | ResubmitNew | Drop | RecoverByOption


_RETURNS = {"at once": AT_ONCE, "walltime end": AT_WALLTIME_END, "repair": AT_REPAIR}
_SIMPLE = {
    ResubmitOriginal: RecoveryOption("original", MIDDLE, "submission"),
    ResubmitNew: RecoveryOption("new", MIDDLE, "return"),
    Drop: None,
}


def taken_parts(
    checkpointing: Checkpointing | None, recovery: Recovery
) -> tuple[Saves, ComesBack] | str:
    """Return checkpointing and recovery if a core takes them, or in words what it does not take."""
    # Subclasses may play otherwise than what they extend.
    saves = None | NoCheckpoints | Periodic
    if not isinstance(checkpointing, saves) or type(checkpointing) not in saves.__args__:
        return f"checkpointing of kind {type(checkpointing).__name__}"
    if isinstance(checkpointing, Periodic) and callable(checkpointing.interval):
        return "checkpoints whose interval is a function"
    if not isinstance(recovery, ComesBack) or type(recovery) not in ComesBack.__args__:
        return f"a recovery of kind {type(recovery).__name__}"
    if isinstance(recovery, RecoverByOption) and any(each.preempts for each in recovery.options):
        return "options that preempt"
    return checkpointing, recovery


def filled(kind: Any, count: int, /, **columns: Any) -> Any:
    """Return a table with these columns; the others are written when the replay gets there."""
    table = np.empty(count, kind)
    for name, column in columns.items():
        table[name] = column
    return table


def checkpoint_table(checkpointing: Saves, walltime: FloatArray) -> Any:
    """Return the table of checkpoints: a row for each job, or one for all."""
    if not isinstance(checkpointing, Periodic):
        return np.array([(np.inf, 0.0, 0.0, np.inf)], CHECKPOINT)
    columns = {name: getattr(checkpointing, name) for name in ("interval", "cost", "recovery")}
    columns["limit"] = walltime if checkpointing.in_walltime else np.inf
    count = np.broadcast(*columns.values()).size
    return filled(CHECKPOINT, count, **columns)


def first_times(work: FloatArray, checkpoints: Any, checkpointing: Saves) -> FloatArray:
    """Return the wall time of each job's first attempt, [s]."""
    if not isinstance(checkpointing, Periodic):
        return work
    wall = np.empty_like(work)
    plan_first(_read_only(work), checkpoints, checkpointing.final, wall)
    return wall


def first_work(work: FloatArray, checkpoints: Any, checkpointing: Saves) -> FloatArray:
    """Return what each job's first attempt executes within its limit, [s]."""
    if not isinstance(checkpointing, Periodic) or not checkpointing.in_walltime:
        return work
    done = np.empty_like(work)
    executed_first(_read_only(work), checkpoints, checkpointing.final, done)
    return done


def _read_only(work: FloatArray) -> FloatArray:
    """Return the column as that of any workload is, so that one compilation serves all."""
    work = np.ascontiguousarray(work).view()
    work.flags.writeable = False
    return work


def option_table(recovery: ComesBack, jobs: int) -> tuple[Any, IntArray]:
    """Return the table of options, and which of them each job has (or all of them)."""
    if isinstance(recovery, RecoverByOption):
        # Few objects for many jobs: to hash each of these takes longer than all else here.
        found = {id(each): each for each in recovery.of(jobs)}
        chosen: Sequence[RecoveryOption | None] = list(dict.fromkeys(found.values()))
        place = {key: chosen.index(each) for key, each in found.items()}
        option = np.array([place[id(each)] for each in recovery.options], np.int64)
    else:
        chosen, option = [_SIMPLE[type(recovery)]], np.zeros(1, np.int64)
    return filled(
        OPTION,
        len(chosen),
        band=[each.band if each else 0 for each in chosen],
        returns=[_RETURNS[each.returns] if each else NOT_AGAIN for each in chosen],
        by_return=[each is not None and each.stands_by == "return" for each in chosen],
        same_place=[each is not None and each.same_place for each in chosen],
    ), option
