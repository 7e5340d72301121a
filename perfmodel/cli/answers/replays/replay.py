"""Replays of the jobs of a log: one, or those of a study, with failures of each seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ....units import DURATIONS
from ...options.study import refuse_with_study
from ...requests.replay import ReplayRequest
from ...requests.study import StudyRequest
from ...setups.replays import Setup, last_end, of_seed, variants
from .study import Factor, Measure, Plan, plain_numbers

if TYPE_CHECKING:
    from sim.cluster import Replay

__all__ = ["play", "study_of_replays"]

_MEASURES = (
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


def play(
    parts: Setup,
    name: str,
    request: ReplayRequest,
    progress: Callable[[int], None] | None = None,
) -> Replay:
    """Replay the jobs under the policy of this name."""
    from sim.cluster import replay

    return replay(
        parts.workload,
        parts.machine,
        policy=parts.policies[name],
        event_order=request.event_order,
        estimates=request.estimates,
        kill_at_walltime=not request.no_kill,
        oversize=request.oversize,
        failures=parts.failures,
        checkpointing=parts.checkpointing,
        recovery=parts.recovery,
        idle_failures=request.strikes == "nodes",
        progress=progress,
    )


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a cell with the failures of a seed."""

    cells: Mapping[str, tuple[str, Setup, ReplayRequest]]

    def __call__(self, cell: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        name, parts, request = self.cells[cell]
        parts = of_seed(parts, replace(request, seed=seed))
        result = play(parts, name, request)
        drawn = {"failures_drawn": parts.failures_drawn(last_end(result))}
        return plain_numbers({**drawn, **result.metrics, "engine": result.engine}, "engine_s")


def study_of_replays(request: ReplayRequest, asked: StudyRequest) -> tuple[Plan, Setup]:
    """Return a plan of all policies and varied values, and the parts of its first cell."""
    refuse_with_study(asked, "--plot", "--timing", "--by-class", "--use-over-time")
    drawing = asked.until is not None or (asked.seeds and len(asked.seeds.values) > 1)
    if drawing and request.mtbf is None:
        flag = "--until" if asked.until is not None else "--seeds"
        raise click.UsageError(f"{flag} must come with --mtbf, got it alone: nothing else is drawn")
    choices = asked.choices()
    requests = [replace(request, **choice) for choice in choices]
    found = variants(requests)
    parts = found[0]
    kind = "utility" if parts.bluegene else "policy"
    shown = [field for field in _NAMES if field in asked.varied]
    cells, factors, baselines = {}, {}, {}
    units = {field: _shared(asked.varied[field], field) for field in shown}
    for choice, varied, made in zip(choices, requests, found, strict=True):
        words = {_NAMES[field][0]: _factor(choice[field], *units[field]) for field in shown}
        first, *_ = parts.policies
        for name in parts.policies:
            cell = " ".join([name, *(factor.text for factor in words.values())])
            cells[cell] = (name, made, varied)
            factors[cell] = {kind: Factor(name, name), **words}
            if name != first:
                baselines[cell] = " ".join([first, *(factor.text for factor in words.values())])
    plan = Plan(
        play=_Replays(cells),
        cells=factors,
        headings={kind: kind, **dict(_NAMES[field] for field in shown)},
        measures=_MEASURES if request.failures or request.mtbf else _MEASURES[:-1],
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
