"""The failures of a grid: read from a log, or drawn, as stated or like those of another log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from asking.refusals import Field, Refused
from asking.units import human_duration

from ..logs.failure_log import rows_in_words
from ..logs.guessed import failure_format
from ..logs.reports import DATED_SINCE, report_lines
from ..logs.words import of_file, why_empty
from ..replays.failures import lemons_in_words, refuse_all_lemons, refuse_endless, time_to_fill
from .request import FailureFormat, GridRequest

if TYPE_CHECKING:
    from ...cluster import Failures, Grid, Workload
    from ...cluster.grid import FailureModel


@dataclass(frozen=True, slots=True)
class GridDraws:
    """What failures are drawn from, and when each cluster comes into service, [s]."""

    model: FailureModel
    in_service: tuple[float, ...] | None

    def failures(self, workload: Workload, grid: Grid, seed: int) -> Failures:
        """Return those of a seed, from the first submission on."""
        from ...cluster.grid import generate_failures

        start, end = time_to_fill(workload)
        return generate_failures(
            *(grid, self.model), start=start, end=end, seed=seed, in_service=self.in_service
        )


def draws_of_grid(
    request: GridRequest, workload: Workload, grid: Grid, ran_on: Any, notes: list[str]
) -> GridDraws | None:
    """Return what failures are drawn from; None where none are.

    `ran_on` is the cluster of each job, -1 where it is not known.
    """
    if request.mtbf is not None:
        model = _stated(request, request.mtbf, grid)
    elif request.failures_like is not None:
        model = _fitted(request, request.failures_like, notes)
    else:
        return None
    refuse_all_lemons(request, grid.nodes, "machines")
    start, end = time_to_fill(workload)
    count = model.afc * grid.nodes * (end - start) / 3600.0
    refuse_endless("mtbf" if request.failures_like is None else "failures_like", count)
    notes.append(
        f"failures drawn until {human_duration(end - start)} after the first submission: "
        f"in bursts of {model.burst_size:.4g}, gaps Weibull of shape {model.gap_shape:.4g}, "
        f"{_repairs(model)}, seed {request.seed}"
    )
    notes.extend(
        lemons_in_words(request.lemon_share, request.lemon_factor, grid.nodes, request.seed)
    )
    return GridDraws(model, _in_service(request, workload, grid, ran_on, notes))


def _stated(request: GridRequest, mtbf: float, grid: Grid) -> FailureModel:
    from ...cluster.grid import FailureModel

    if request.burst_size < 1.0:
        raise Refused("{} must be >= 1, got {:g}", Field("burst_size"), request.burst_size)
    if not request.mttr > 0.0:
        raise Refused("{} must be > 0, got 0s", Field("mttr"))
    return FailureModel(
        afc=3600.0 / (mtbf * grid.nodes),
        gap_shape=request.weibull_shape,
        repair_shape=1.0,
        repair_scale=request.mttr,
        burst_size=request.burst_size,
        burst_span=request.burst_span,
        lemon_share=request.lemon_share,
        lemon_factor=request.lemon_factor,
    )


def _fitted(request: GridRequest, path: Path, notes: list[str]) -> FailureModel:
    from ...cluster.grid import fitted_failure_model

    frame, machines = _frame(request, path, notes), request.like_machines
    named = len(frame[["system", "node"]].drop_duplicates())
    if machines is not None and machines < named:
        raise Refused(
            "{} must be >= {:,}, those that {} names, got {}",
            *(Field("like_machines"), named, path.name, machines),
        )
    try:
        model = fitted_failure_model(frame, machines=machines, burst_span=request.burst_span)
    except ValueError as error:
        raise Refused("{}, {}: {}", Field("failures_like"), path.name, str(error)) from None
    return replace(model, lemon_share=request.lemon_share, lemon_factor=request.lemon_factor)


def _repairs(model: FailureModel) -> str:
    scale = human_duration(model.repair_scale)
    if model.repair_shape == 1.0:
        return f"repairs of {scale}"
    return f"repairs Weibull of shape {model.repair_shape:.4g} and scale {scale}"


def _in_service(
    request: GridRequest, workload: Workload, grid: Grid, ran_on: Any, notes: list[str]
) -> tuple[float, ...] | None:
    if not request.from_first_use:
        return None
    opened, begins, late = float(workload.submit[0]), list[float](), list[str]()
    for place, cluster in enumerate(grid.clusters):
        submitted = workload.submit[ran_on == place]
        if submitted.size == 0:
            raise Refused(
                "{} must be left out, as no job of the log ran on {}",
                *(Field("from_first_use"), cluster.name),
            )
        begins.append(float(submitted.min()))
        if begins[-1] > opened:
            late.append(f"{cluster.name} for {human_duration(begins[-1] - opened)}")
    notes.append(f"out until the first job that ran there: {', '.join(late) or 'no cluster'}")
    return tuple(begins)


def logged_failures(
    request: GridRequest,
    path: Path,
    workload: Workload,
    grid: Grid,
    *,
    origin: float | None,
    notes: list[str],
) -> Failures:
    """Return the failures of a log on the clock of the jobs, whose second 0 is `origin`, [s]."""
    from ...cluster.grid import grid_failures

    frame = _frame(request, path, notes)
    dated = float(frame["time"].median()) > DATED_SINCE
    since_zero = float(workload.submit[0]) < DATED_SINCE
    if not (dated and since_zero):
        origin = 0.0
    if origin is None:
        raise Refused(
            "{} must be given (Unix time of second 0 of the job log), as the failures are dated "
            "and the jobs are not",
            Field("origin"),
        )
    feed, counts = grid_failures(frame, grid, origin=origin, unknown_repair=request.unknown_repair)
    notes.extend(f"failures with {rule.replace('_', ' ')}: {n:,}" for rule, n in counts.items())
    if len(feed) == 0:
        named = sorted(set(map(str, frame["system"])))[:5]
        raise Refused("{} must name clusters of the machines, got {}", path.name, ", ".join(named))
    return feed


def _frame(request: GridRequest, path: Path, notes: list[str]) -> Any:
    from ...traces import Limited, failure_log

    guess, limits = list[str](), request.limits
    known = get_args(FailureFormat)
    with of_file(path):
        layout = failure_format(path, request.failure_format, guess, known=known, limits=limits)
        log = failure_log(Limited(path, limits), layout, strict=request.strict)
    if log.rows["used"] < log.rows["records"]:
        notes.append(rows_in_words(log))
    notes.extend([*report_lines(log.report), *guess])
    if log.failures.empty:
        raise Refused("{} must hold failures, got {}", path.name, why_empty(log.report))
    return log.failures
