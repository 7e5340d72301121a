"""How to share a parallel job out among unequal machines."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from asking.refusals import Field, Said, given
from asking.units import human_duration

from ...validity import ValidityWarning
from ..logs.machines import read_machines
from ..requests.machines import Algorithm, PartitionRequest
from ..shown import Answer, Facts, Lines, Part, Table, Words, in_unit, percent, shared_unit, strict

if TYPE_CHECKING:
    from ...partition import Schedule

__all__ = ["MachineShare", "PartitionAnswer", "partition"]

MOST_ROWS = 50  # machines that are shown


@dataclass(frozen=True, slots=True)
class MachineShare:
    """What one machine gets: of the work [s], as a share of all, and its time without failures."""

    machine: str
    share_s: float
    share: float
    compute_time_s: float


@dataclass(frozen=True, slots=True, eq=False)
class PartitionAnswer(Answer):
    """The machines to use, of all that have `names`, and their shares of `work` [s].

    `to_frame` has a row for every machine to use, `plot` its share.
    """

    work: float
    algorithm: Algorithm
    names: tuple[str, ...]
    schedule: Schedule
    machines: tuple[MachineShare, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel partition --json`` prints it."""
        found = self.schedule
        values = {
            "work_s": self.work,
            "algorithm": self.algorithm,
            "machines_available": len(self.names),
            "processes": len(self.machines),
            "expected_time_s": found.expected_time,
            "std_s": found.std,
            "objective_s": found.objective,
            "subtask_time_s": found.subtask_time,
            "sets_evaluated": found.sets_evaluated,
            "plain_bisection_processes": found.plain_processes,
            "plain_bisection_missed": found.missed if found.plain_processes else None,
            "notes": list(self.notes),
            "machines": [asdict(row) for row in self.machines],
        }
        return dict(strict(values))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the machines to use, with their shares."""
        yield from map(asdict, self.machines)

    def parts(self) -> Iterator[Part]:
        """Yield how it was searched, who does how much, and how long it takes."""
        yield Facts.of(
            [
                ("work", f"{human_duration(self.work)} at speed 1"),
                ("machines", f"{len(self.machines):,} of {len(self.names):,}"),
                ("search", f"{self.algorithm}, {self.schedule.sets_evaluated:,} sets evaluated"),
                *(("note", note) for note in self.notes),
            ]
        )
        yield from share_parts(self.schedule, self.machines)

    def plot(self, ax: Any = None) -> Any:
        """Draw the share of each machine."""
        from ..drawn import schedule_figure

        return schedule_figure(self.schedule, self.names, ax)


def share_parts(found: Schedule, machines: Sequence[MachineShare]) -> Iterator[Part]:
    """Yield the shares of machines, and how long they take together."""
    unit, factor = shared_unit(row.share_s for row in machines)
    yield Table.of(
        ["machine", f"share\n[{unit}]", "share\n[%]", f"failure-free\ntime [{unit}]"],
        [
            [
                row.machine,
                in_unit(row.share_s, factor),
                percent(row.share, 2),
                in_unit(row.compute_time_s, factor),
            ]
            for row in machines[:MOST_ROWS]
        ],
    )
    lines: list[Words] = [
        f"Done after {human_duration(found.expected_time)} on average, standard deviation "
        f"{human_duration(found.std)}; each subtask takes {human_duration(found.subtask_time)} "
        "on average."
    ]
    if len(machines) > MOST_ROWS:
        more = f"{len(machines) - MOST_ROWS:,}"
        lines.insert(0, Said("... and {} more machines: {} shows all.", more, Field("as_csv")))
    if found.missed:
        lines.append(
            f"Bisection alone would have stopped at {found.plain_processes:,} machines, which is "
            "worse than what the scan found."
        )
    yield Lines.of(*lines)


def partition(request: PartitionRequest) -> PartitionAnswer:
    """Share a parallel job out among the machines of a file.

    Parameters
    ----------
    request : PartitionRequest
        Durations in [s].

    Returns
    -------
    PartitionAnswer
        Who does how much, and how long it takes.

    Raises
    ------
    Refused
        If the work is not given, or the file holds no machines.
    """
    work, algorithm = given(request.work, "work"), request.algorithm
    fleet = read_machines(
        request.machines, interval=request.interval, checkpoint_cost=request.checkpoint_cost
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ValidityWarning)
        found = _scheduler(algorithm)(work, fleet.machines, processes=request.processes)
    notes = (*fleet.notes, *(str(warning.message) for warning in caught))
    speed = fleet.machines.columns[0]
    rows = tuple(
        MachineShare(
            machine=fleet.names[at],
            share_s=float(share),
            share=float(share) / work,
            compute_time_s=float(share / speed[at]),
        )
        for at, share in zip(found.chosen.tolist(), found.shares, strict=True)
    )
    return PartitionAnswer(work, algorithm, tuple(fleet.names), found, rows, notes)


def _scheduler(algorithm: Algorithm) -> Callable[..., Schedule]:
    from ... import partition as library

    rules: dict[Algorithm, Callable[..., Schedule]] = {
        "bisection": library.schedule_bisection,
        "local": library.schedule_local,
        "exhaustive": library.schedule_exhaustive,
        "speed": library.schedule_speed,
        "reliability": library.schedule_reliability,
        "speed-reliability": library.schedule_speed_reliability,
    }
    return rules[algorithm]
