"""The goodput of a training run, and its losses by class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from asking.refusals import Field, Refused
from asking.units import human_duration

from ..known.job import Job, filled, job_of
from ..known.unforeseen import Unforeseen
from ..logs import causes_of
from ..parts.foretold import outlook_for
from ..parts.training import Training, train
from ..requests.presets import preset_of
from ..requests.training import GoodputRequest


def goodput(request: GoodputRequest) -> Training:
    """Compute the goodput of a training run, its losses by class, and what would lessen them.

    Parameters
    ----------
    request : GoodputRequest
        The run; durations in [s].

    Returns
    -------
    Training
        With `goodput`, `losses` by class, and `to_dict()` for all numbers.

    Raises
    ------
    Refused
        If the MTBF or the checkpoint comes in no form or in several, or a field has no effect.

    Examples
    --------
    >>> from perfmodel.answers import GoodputRequest, goodput
    >>> found = goodput(GoodputRequest(mtbf=28_800.0, checkpoint_cost=360.0))
    >>> round(found.goodput, 4)
    0.8501
    """
    request = filled(request)
    job = job_of(request)
    _refuse_late(request, job)
    causes = _causes(request, job)
    steady = train(job, request, causes)
    if request.rate == "constant" or job.mtbf.log is None:
        return steady
    outlook = outlook_for(job, log_nodes=request.log_nodes)
    if isinstance(outlook, Unforeseen):
        return replace(steady, unforeseen=outlook)
    ours = train(job, request, causes, outlook)
    planned = replace(
        outlook.planned,
        interval=ours.interval_s,
        recovery_cost=job.recovery_cost + request.warm_up,
        downtime=job.downtime + request.detection + request.queue,
    )
    return replace(ours, past=outlook.past(planned), constant=steady)


def _causes(request: GoodputRequest, job: Job) -> Mapping[str, int]:
    """Return how many failures each cause had, by the log or else the preset."""
    if job.mtbf.log is not None:
        window = None if job.mtbf.spread is None else job.mtbf.spread.window
        found = causes_of(job.mtbf.log, window=window)
        return {cause.cause: cause.failures for cause in found}
    return {} if request.preset is None else preset_of(request.preset).causes


def _refuse_late(request: GoodputRequest, job: Job) -> None:
    """Refuse a checkpoint that is not durable before the next is due."""
    if request.interval is None or not request.latency > request.interval + job.checkpoint_cost:
        return
    most = human_duration(request.interval + job.checkpoint_cost)
    raise Refused(
        "{} must be at most {} and the checkpoint, {}, or a checkpoint is not durable "
        "before the next is due, got {}: leave {} out for the best one",
        Field("latency"),
        Field("interval"),
        most,
        human_duration(request.latency),
        Field("interval"),
    )
