"""Replays of the jobs of a log: one for each policy, or a study with failures of each seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from asking.plain import strict
from asking.refusals import Field, Refused
from asking.units import DURATIONS

from ..plain import frame_of, without
from ..progress import SILENT, Progress
from ..studies.answer import StudyAnswer, study_answer
from ..studies.plan import Factor, Measure, Plan, plain_numbers
from .measures import cut_warnings, measures_of, recorded_measures
from .requests import ReplayRequest
from .setup import Setup, last_end, of_seed, setup, variants

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import Replay

__all__ = ["MEASURES", "PlayedCell", "ReplayAnswer", "played_cells", "replay"]

MEASURES = (
    Measure("mean_wait_s", "mean wait", "time"),
    Measure("mean_bounded_slowdown", "bounded\nslowdown", "number"),
    Measure("utilization", "in use", "share"),
    Measure("service_unit_loss", "lost", "share"),
)
_DURATIONS = ("mtbf", "checkpoint_interval")
# Field of the request -> name in JSON and CSV, heading of the table.
_NAMES = {
    "mtbf": ("mtbf_s", "MTBF"),
    "checkpoint_interval": ("checkpoint_interval_s", "interval"),
    "scale_gaps": ("scale_gaps", "gaps"),
    "on_failure": ("on_failure", "on failure"),
}


@dataclass(frozen=True, slots=True, eq=False)
class ReplayAnswer:
    """The replay of each policy or utility by its name, with its numbers.

    `parts` are what was replayed, `rows` the numbers of each of `replays`, `recorded` what the log
    itself says of its jobs, where it has waits.
    """

    request: ReplayRequest
    parts: Setup
    replays: Mapping[str, Replay]
    rows: Mapping[str, dict[str, Any]]
    recorded: dict[str, Any] | None

    @property
    def warnings(self) -> list[str]:
        """What to beware of: jobs that checkpoints made reach their walltime."""
        return cut_warnings(self.rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read, drawn and assumed, and what to beware of."""
        return (*self.parts.notes, *self.warnings)

    @property
    def outlasts_failures(self) -> bool:
        """Whether jobs ran on after the last failure that was read or drawn."""
        feed = self.parts.feeds.failures
        if feed is None or len(feed) == 0:
            return False
        return any(last_end(result) > feed.time[-1] for result in self.replays.values())

    def to_dict(self, *, timed: bool = False) -> dict[str, Any]:
        """Return the answer as plain data under unit-named keys, as a command line prints it.

        With `timed` also how long computing took. Where policies are compared, `results` has a
        mapping for each.
        """
        rows = [row if timed else without(row, "engine_s") for row in self.rows.values()]
        answer = {"results": rows} if self.request.compare else rows[0]
        if self.recorded is not None:
            answer = {**answer, "recorded": self.recorded}
        found: dict[str, Any] = strict(
            {**answer, "seed": self.request.seed, "notes": list(self.notes)}
        )
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return a row of numbers for each policy or utility, times in [s]."""
        kind = self.parts.site.kind
        return frame_of(({kind: name} | row for name, row in self.rows.items()), "engine_s")

    def attempts(self) -> dict[str, pd.DataFrame]:
        """Return a row per attempt of a job, by policy; of a replay with `places`, where it ran."""
        return {name: self.parts.attempts(result) for name, result in self.replays.items()}


def replay(
    request: ReplayRequest, *, places: bool = False, progress: Progress = SILENT
) -> ReplayAnswer | StudyAnswer:
    """Schedule every job of a log.

    Parameters
    ----------
    request : ReplayRequest
        The log, the machine with its failures, and the policies; durations in [s].
    places : bool
        Number the nodes of a plain machine, so that `attempts` say where jobs ran.
    progress : Progress
        Told of what is played.

    Returns
    -------
    ReplayAnswer, or StudyAnswer
        The latter where the request has a `study` of several seeds or values.

    Raises
    ------
    Refused
        If what is asked does not go together, or a field has no effect; a ValueError that names
        the fields.
    ValueError
        If a file cannot be read as what it is to be.
    """
    request = _checked(request)
    study = request.study
    if study.wanted:
        request = replace(request, seed=study.first_seed(request.seed))
        plan, parts = _study(request)
        facts = [("machine", f"{parts.site.machine.size:,} {parts.site.unit}")]
        facts.append(("jobs", f"{len(parts.workload):,}"))
        return study_answer(
            *(request, plan),
            facts=facts,
            notes=parts.notes,
            files=parts.files,
            progress=progress,
        )
    parts = setup(request)
    numbered = replace(parts, feeds=parts.feeds.numbering()) if places else parts
    count = len(parts.policies)
    replays = {
        name: play(numbered, name, request, replays=count, progress=progress)
        for name in parts.policies
    }
    rows = {
        name: _row(parts, name, result) | measures_of(result, request)
        for name, result in replays.items()
    }
    first = next(iter(replays.values()))
    recorded = recorded_measures(parts.recorded, first.workload, size=first.size)
    return ReplayAnswer(request, parts, replays, rows, recorded)


def _checked(request: ReplayRequest) -> ReplayRequest:
    """Return the request in the terms of its dialect; refuse what does not go together."""
    first, *_ = request.study.choices()
    request = replace(request, **first)
    request.check()
    return _spoken(request)


def _spoken(request: ReplayRequest) -> ReplayRequest:
    """Return the request with the event order and the limits of its dialect."""
    from ...cluster.dialects import DIALECTS

    if request.dialect is None:
        return request
    dialect = DIALECTS[request.dialect]
    if request.no_kill and dialect.kill_at_walltime:
        raise Refused(
            "{} must be left out with {} {}", Field("no_kill"), Field("dialect"), dialect.name
        )
    order = request.event_order if request.says("event_order") else dialect.event_order
    return replace(request, event_order=order, no_kill=not dialect.kill_at_walltime)


def play(
    parts: Setup,
    name: str,
    request: ReplayRequest,
    *,
    replays: int | None = None,
    progress: Progress = SILENT,
) -> Replay:
    """Replay the jobs under the policy of this name, one of so many `replays`."""
    from ...cluster import replay

    with progress.replay(name, len(parts.workload)) as report:
        return replay(
            parts.workload,
            parts.site.machine,
            policy=parts.policies[name],
            event_order=request.event_order,
            estimates=request.estimates,
            kill_at_walltime=not request.no_kill,
            oversize=request.oversize,
            failures=parts.feeds.every,
            checkpointing=parts.checkpointing,
            recovery=parts.recovery,
            idle_failures=request.strikes == "nodes",
            replays=replays,
            progress=report,
        )


def _row(parts: Setup, name: str, result: Replay) -> dict[str, Any]:
    drawn = {"failures_drawn": parts.failures_drawn(last_end(result))}
    return parts.site.row(name, {**result.metrics, **drawn}, result)


@dataclass(frozen=True, slots=True)
class PlayedCell:
    """What is played in a cell, with the failures of a seed."""

    name: str
    parts: Setup
    request: ReplayRequest

    def numbers(self, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        parts = of_seed(self.parts, replace(self.request, seed=seed))
        result = play(parts, self.name, self.request)
        drawn = {"failures_drawn": parts.failures_drawn(last_end(result))}
        return plain_numbers({**drawn, **result.metrics, "engine": result.engine}, "engine_s")


def played_cells(requests: Sequence[ReplayRequest]) -> list[PlayedCell]:
    """Return what requests of one policy each play, which read one log.

    Parameters
    ----------
    requests : sequence of ReplayRequest
        That differ in MTBF, gaps, checkpoints and recovery only.

    Returns
    -------
    list of PlayedCell
        One for each request.
    """
    cells = []
    for request, parts in zip(requests, variants(requests), strict=True):
        (name,) = parts.policies
        cells.append(PlayedCell(name, parts, request))
    return cells


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a cell with the failures of a seed."""

    cells: Mapping[str, PlayedCell]

    def __call__(self, cell: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        return self.cells[cell].numbers(seed)


def _study(request: ReplayRequest) -> tuple[Plan, Setup]:
    """Return a plan of all policies and varied values, and the parts of its first cell."""
    asked = request.study
    drawing = asked.until is not None or (asked.seeds and len(asked.seeds) > 1)
    if drawing and request.mtbf is None:
        lead = Field("until" if asked.until is not None else "seeds")
        raise Refused(
            "{} must come with {}, got it alone: nothing else is drawn", lead, Field("mtbf")
        )
    choices = asked.choices()
    requests = [replace(request, **choice) for choice in choices]
    found = variants(requests)
    parts = found[0]
    kind = parts.site.kind
    shown = [field for field in _NAMES if field in asked.varied]
    cells, factors, baselines = {}, {}, {}
    units = {field: _shared(asked.varied[field], field) for field in shown}
    for choice, varied, made in zip(choices, requests, found, strict=True):
        words = {_NAMES[field][0]: _factor(choice[field], *units[field]) for field in shown}
        first, *_ = parts.policies
        for name in parts.policies:
            cell = " ".join([name, *(factor.text for factor in words.values())])
            cells[cell] = PlayedCell(name, made, varied)
            factors[cell] = {kind: Factor(name, name), **words}
            if name != first:
                baselines[cell] = " ".join([first, *(factor.text for factor in words.values())])
    failing = request.failures is not None or request.mtbf is not None
    plan = Plan(
        play=_Replays(cells),
        cells=factors,
        headings={kind: kind, **dict(_NAMES[field] for field in shown)},
        measures=MEASURES if failing else MEASURES[:-1],
        baselines=baselines,
    )
    return plan, parts


def _shared(values: tuple[Any, ...], field: str) -> tuple[str, float]:
    """Return a unit, and how much of it is 1, that suits all values of an option."""
    if field not in _DURATIONS:
        return "", 1.0
    whole = (u for u in ("d", "h", "min") if all(v % DURATIONS[u] == 0.0 for v in values))
    unit = next(whole, "s")
    return unit, DURATIONS[unit]


def _factor(value: Any, unit: str, factor: float) -> Factor:
    return Factor(value, value if isinstance(value, str) else f"{value / factor:.15g}{unit}")
