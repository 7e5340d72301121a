"""Failures to come by those of a log, and a job that begins where the log ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from asking.plain import strict
from asking.refusals import Field, Refused, given
from asking.units import human_duration

from ...completion import CompletionTime, exact_makespan
from ...forecasts import ForecastMakespan, PastPromises, PlannedJob
from ..known.estimates import from_log, of_some_nodes
from ..known.job import Job
from ..known.outlook import Outlook, foreseen, history_behind, kept_words
from ..known.unforeseen import Unforeseen
from ..logs.failures import Log
from ..requests.forecast import ForecastRequest
from ..shown import Answer, Facts, Lines, Part, Table, chance, in_unit, never_by, shared_unit

_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class ForecastAnswer(Answer):
    """What is to come: failures, the makespan of the job, and promises on this log so far.

    `constant` is the law of the makespan at the mean rate of the log so far, [s]; `to_frame` has a
    row for each of `_LEVELS`, `plot` both laws, and how often they were right.
    """

    known: Job
    request: ForecastRequest
    outlook: Outlook
    planned: PlannedJob
    makespan: ForecastMakespan | CompletionTime
    constant: CompletionTime
    past: PastPromises

    @property
    def log(self) -> Log:
        """The log that the forecast was learnt from."""
        assert self.known.mtbf.log is not None
        return self.known.mtbf.log

    @property
    def interval(self) -> float:
        """Work between two checkpoints, [s]."""
        return self.planned.interval

    @property
    def in_time(self) -> tuple[float, float] | None:
        """Probability to keep to the deadline by both laws, [-]; None without one."""
        end = self.request.deadline
        if end is None:
            return None
        return float(self.makespan.cdf(end)), float(self.constant.cdf(end))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel forecast --json`` prints it."""
        ours, constant = self.in_time or (None, None)
        found = {
            **self.outlook.plain(),
            "work_s": self.request.work,
            "nodes": self.request.nodes,
            "interval_s": self.interval,
            "mtbf_so_far_s": self.known.mtbf.value,
            "percentiles": list(self.rows()),
            "mean_s": self.makespan.mean,
            "error_of_probabilities": self.makespan.error,
            "deadline_s": self.request.deadline,
            "probability_by_deadline": ours,
            "probability_by_deadline_constant_rate": constant,
            "past": asdict(self.past),
            "futures": self.request.futures
            if isinstance(self.makespan, ForecastMakespan)
            else None,
            "seed": self.request.seed,
            **self.log.plain(),
        }
        return dict(strict(found))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield the time of each probability, by the forecast and at a constant rate."""
        for level in _LEVELS:
            ours, constant = (float(law.ppf(level)) for law in (self.makespan, self.constant))
            yield {"probability": level, "forecast_s": ours, "constant_rate_s": constant}

    def parts(self) -> Iterator[Part]:
        """Yield the log, failures to come, the percentiles, the deadline and the past."""
        request, mtbf = self.request, self.known.mtbf
        size = [] if request.nodes is None else [("nodes", f"{request.nodes:,}")]
        yield Facts.of(
            [
                *self.log.facts(),
                *size,
                ("MTBF so far", f"{human_duration(mtbf.value)} ({mtbf.words})"),
                *self.outlook.facts(),
                ("work", human_duration(given(request.work, "work"))),
                ("interval", human_duration(self.interval)),
            ]
        )
        rows = list(self.rows())
        unit, factor = shared_unit([row["forecast_s"] for row in rows])
        name = self.outlook.title.replace(" ", "\n")
        yield Table.of(
            ["done with\nprobability [%]", f"{name}\n[{unit}]", f"constant\nrate [{unit}]"],
            [
                [
                    f"{100.0 * row['probability']:g}",
                    *(in_unit(row[law], factor) for law in ("forecast_s", "constant_rate_s")),
                ]
                for row in rows
            ],
        )
        if self.outlook.why:
            yield Lines.of(*self.outlook.reasons())
        if self.in_time is not None:
            ours, constant = self.in_time
            deadline = given(request.deadline, "deadline")
            said = (
                f"Done within {human_duration(deadline)}: {chance(ours, 1)} % {self.outlook.by}, "
                f"{chance(constant, 1)} % at a constant rate."
            )
            if constant == 0.0 and deadline < self.constant.atom[0]:
                said = never_by(deadline)
            yield Lines.of(said)
        yield Lines.of(kept_words(self.past))

    def plot(self, ax: Any = None) -> Any:
        """Draw the probability to be done by each time, and how often such promises were kept."""
        from ..drawn import forecast_figure

        return forecast_figure(
            self.makespan,
            self.constant,
            self.past,
            name=self.outlook.title,
            deadline=self.request.deadline,
            ax=ax,
        )


def forecast(request: ForecastRequest) -> ForecastAnswer:
    """Forecast the makespan of a job that begins where a failure log ends.

    Parameters
    ----------
    request : ForecastRequest
        The log and the job; durations in [s].

    Returns
    -------
    ForecastAnswer
        With percentiles by the forecast and at a constant rate, and how often each would have been
        kept on this log so far.

    Raises
    ------
    Refused
        If the log is of jobs or of several systems, or holds no failures, or no repairs to wait
        for.
    """
    request.check()
    known = _job_of(request)
    log = known.mtbf.log
    assert log is not None
    history = history_behind(known, log_nodes=request.log_nodes)
    planned = PlannedJob.of(known, wait_for_repair=request.wait_for_repair, nodes=known.nodes)
    if request.wait_for_repair and (history is None or not history.ended_repairs.size):
        raise Refused(
            "{} must have a log of repairs that have ended, got none", Field("wait_for_repair")
        )
    outlook = foreseen(history, planned)
    if history is not None and isinstance(outlook, Unforeseen):
        raise Refused(
            "{} must be at most the {:,} nodes of the log for a forecast, got {:,}",
            *(Field("nodes"), history.machine, planned.nodes),
        )
    if isinstance(outlook, Unforeseen):
        got = "one failure" if log.uptimes.failures == 0 else "counts of failures"
        raise Refused(
            "{} must tell when one machine failed, more than once, got {}", Field("log"), got
        )
    interval = outlook.interval(known)[0] if request.interval is None else request.interval
    planned = replace(planned, interval=interval)
    mean_repair = float(outlook.history.ended_repairs.mean()) if request.wait_for_repair else 0.0
    steady = exact_makespan(
        known.work,
        interval=planned.interval,
        **(known.costs | {"downtime": known.downtime + mean_repair}),
    )
    makespan = outlook.law(planned, futures=request.futures, seed=request.seed)
    past = outlook.past(planned, seed=request.seed)
    return ForecastAnswer(known, request, outlook, planned, makespan, steady, past)


def _job_of(request: ForecastRequest) -> Job:
    """Return the job with the MTBF of its nodes so far."""
    size = request.log_nodes or request.nodes
    mtbf = from_log(request, nodes=request.nodes, machine=size)
    log = mtbf.log
    assert log is not None
    if log.of_jobs or log.systems > 1:
        got = "jobs" if log.of_jobs else f"{log.systems} systems"
        raise Refused("{} must hold the failures of one system, got {}", Field("log"), got)
    if request.nodes is not None:
        mtbf = of_some_nodes(log, request.nodes, request.log_nodes)
    return Job(
        mtbf=mtbf,
        checkpoint_cost=given(request.checkpoint_cost, "checkpoint_cost"),
        cost_words="as given",
        recovery_cost=request.recovery_cost,
        downtime=request.downtime,
        work=given(request.work, "work"),
        step_time=None,
        price=None,
        nodes=request.nodes,
    )
