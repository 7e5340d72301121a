"""How to share a parallel job out among unequal machines, by one rule or by several."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.plain import strict
from asking.refusals import Field, Refused, Said, given
from asking.requests import refuse_idle
from asking.units import human_count, human_duration

from ...validity import ValidityWarning
from ..logs.machines import Fleet, read_machines
from ..requests.machines import Algorithm, PartitionRequest
from ..shown import Answer, Facts, Lines, Part, Table, in_unit, percent, shared_unit
from .played_schedules import Played, played_schedules

if TYPE_CHECKING:
    from ...partition import Machines, Schedule

MOST_ROWS = 50  # machines that are shown
ORDERS = 30  # of random machines, over which a comparison takes the mean, as wsj does


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

    `played` is None unless the schedule was played. `to_frame` has a row for every machine to
    use, `plot` its share.
    """

    work: float
    algorithm: Algorithm
    names: tuple[str, ...]
    schedule: Schedule
    machines: tuple[MachineShare, ...]
    notes: tuple[str, ...]
    played: Played | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel partition --json`` prints it."""
        found = self.schedule
        values: dict[str, Any] = {
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
        if self.played is not None:
            values["played"] = asdict(self.played)
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
        if self.played is not None:
            yield Lines.of(played_words(self.played))

    def plot(self, ax: Any = None) -> Any:
        """Draw the share of each machine."""
        from ..drawn import schedule_figure

        return schedule_figure(self.schedule, self.names, ax)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A schedule by one rule, [s]; its means over those of `ORDERS` schedules at random.

    Of random machines all numbers are means of so many; ratios are None where none were asked.
    """

    algorithm: Algorithm
    processes: float
    expected_time_s: float
    std_s: float
    objective_s: float
    sets_evaluated: int
    ratio_to_random: float | None
    played: Played | None
    played_ratio_to_random: float | None


@dataclass(frozen=True, slots=True, eq=False)
class StrategiesAnswer(Answer):
    """What several rules make of `work` [s] on so many `machines`: a Table 1 of wsj.

    `to_frame` has a row for every rule.
    """

    work: float
    machines: int
    strategies: tuple[Strategy, ...]
    notes: tuple[str, ...]

    @property
    def best(self) -> Strategy:
        """The one with the least mean, as predicted."""
        return min(self.strategies, key=lambda each: each.expected_time_s)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel partition --json`` prints it."""
        values = {
            "work_s": self.work,
            "machines_available": self.machines,
            "notes": list(self.notes),
            "best": self.best.algorithm,
            "strategies": [asdict(each) for each in self.strategies],
        }
        return dict(strict(values))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the strategies, without what is nested in them."""
        for each in self.strategies:
            row = asdict(each)
            played = row.pop("played") or {}
            yield row | {name: value for name, value in played.items() if name != "seed"}

    def parts(self) -> Iterator[Part]:
        """Yield the machines, and each rule beside the others."""
        yield Facts.of(
            [
                ("work", f"{human_duration(self.work)} at speed 1"),
                ("machines", f"{self.machines:,}"),
                *(("note", note) for note in self.notes),
            ]
        )
        unit, factor = shared_unit(each.expected_time_s for each in self.strategies)
        at_random = any(each.ratio_to_random is not None for each in self.strategies)
        plays = next((each.played.plays for each in self.strategies if each.played), 0)
        headings = ["strategy", "machines", f"mean\n[{unit}]", f"std\n[{unit}]"]
        headings += ["over\nrandom"] * at_random
        headings += [f"played\n[{unit}]", "+-\n95 %"] * bool(plays)
        headings += ["over\nrandom"] * bool(plays and at_random)
        yield Table.of(headings, [_row(each, factor) for each in self.strategies])
        lines = []
        if at_random:
            lines.append(f"Random is the mean of {ORDERS} draws of machines.")
        if plays:
            often = human_count(plays, "time")
            lines.append(f"Played {often}; lognormal repairs, work repeated may fail too.")
        if lines:
            yield Lines.of(*lines)


def _row(found: Strategy, factor: float) -> list[str]:
    row = [found.algorithm, f"{found.processes:,.4g}"]
    row += [in_unit(found.expected_time_s, factor), in_unit(found.std_s, factor)]
    if found.ratio_to_random is not None:
        row.append(f"{found.ratio_to_random:.3f}")
    if (played := found.played) is not None:
        row += [in_unit(played.mean_s, factor), in_unit(played.half_width_s, factor)]
        if found.played_ratio_to_random is not None:
            row.append(f"{found.played_ratio_to_random:.3f}")
    return row


def played_words(played: Played) -> str:
    """Say how long a schedule took that was played."""
    return (
        f"Played {human_count(played.plays, 'time')}: {human_duration(played.mean_s)} +- "
        f"{human_duration(played.half_width_s)} (95 %), with lognormal repairs, and work "
        "repeated may fail too."
    )


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
    lines: list[str] = [
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


def partition(request: PartitionRequest) -> PartitionAnswer | StrategiesAnswer:
    """Share a parallel job out among the machines of a file.

    Parameters
    ----------
    request : PartitionRequest
        Durations in [s].

    Returns
    -------
    PartitionAnswer or StrategiesAnswer
        Who does how much, and how long it takes; of several algorithms how they compare.

    Raises
    ------
    Refused
        If the work is not given, or the file holds no machines.
    """
    work, algorithms = given(request.work, "work"), tuple(dict.fromkeys(request.algorithm))
    if not algorithms:
        raise Refused("{} must be given, got none", Field("algorithm"))
    drawn = request.simulate is not None or "random" in algorithms
    refuse_idle(request, "seed", unless=drawn, lead=Field("simulate"))
    fleet = read_machines(
        request.machines, interval=request.interval, checkpoint_cost=request.checkpoint_cost
    )
    if len(algorithms) > 1:
        return _compared(request, fleet, work, algorithms)
    (algorithm,) = algorithms
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ValidityWarning)
        (found,) = _schedules(algorithm, work, fleet.machines, request, orders=1)
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
    played = (
        None
        if request.simulate is None
        else played_schedules(fleet.machines, [found], request.simulate, request.seed)
    )
    return PartitionAnswer(work, algorithm, tuple(fleet.names), found, rows, notes, played)


def _compared(
    request: PartitionRequest, fleet: Fleet, work: float, algorithms: tuple[Algorithm, ...]
) -> StrategiesAnswer:
    machines, rows = fleet.machines, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ValidityWarning)
        by_rule = {
            each: _schedules(each, work, machines, request, orders=ORDERS) for each in algorithms
        }
    times = {each: _mean(s.expected_time for s in found) for each, found in by_rule.items()}
    plays: dict[Algorithm, Played] = {}
    if request.simulate is not None:
        plays = {
            each: played_schedules(machines, found, request.simulate, request.seed)
            for each, found in by_rule.items()
        }
    for each, found in by_rule.items():
        played, chance = plays.get(each), plays.get("random")
        rows.append(
            Strategy(
                algorithm=each,
                processes=_mean(s.chosen.size for s in found),
                expected_time_s=times[each],
                std_s=_mean(s.std for s in found),
                objective_s=_mean(s.objective for s in found),
                sets_evaluated=sum(s.sets_evaluated for s in found),
                ratio_to_random=times[each] / times["random"] if "random" in times else None,
                played=played,
                played_ratio_to_random=played.mean_s / chance.mean_s if played and chance else None,
            )
        )
    words = dict.fromkeys(str(warning.message) for warning in caught)
    return StrategiesAnswer(work, len(fleet.names), tuple(rows), (*fleet.notes, *words))


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def _schedules(
    algorithm: Algorithm, work: float, machines: Machines, request: PartitionRequest, *, orders: int
) -> list[Schedule]:
    """Return the schedule of a rule; of random machines one for each draw."""
    from ... import partition as library

    wanted = {"processes": request.processes}
    if algorithm == "random":
        rng = np.random.default_rng(request.seed)
        drawn = [rng.permutation(len(machines)) for _ in range(orders)]
        return [library.schedule_random(work, machines, order=order, **wanted) for order in drawn]
    rules: dict[Algorithm, Callable[..., Schedule]] = {
        "bisection": library.schedule_bisection,
        "local": library.schedule_local,
        "exhaustive": library.schedule_exhaustive,
        "speed": library.schedule_speed,
        "reliability": library.schedule_reliability,
        "speed-reliability": library.schedule_speed_reliability,
    }
    return [rules[algorithm](work, machines, **wanted)]
