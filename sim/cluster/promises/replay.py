"""Replay with negotiated deadlines: what was promised and what was kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ... import metrics
from ..._checks import one_of, positive, shown, whole
from ...records import BoolArray, FloatArray
from .._replay import Replay, replay
from ..checkpointing.cooperative import SLACK, Cooperative
from ..checkpointing.periodic import NoCheckpoints, Periodic
from ..failures.feed import NO_FAILURES, Failures
from ..forecasts.windows import Outlook, RiskForecaster
from ..loop.protocols import Checkpointing
from ..machines.flat import flat
from ..workload import Workload
from .negotiation import Negotiated, Offered, Promise

CHECKPOINTING = ("risk", "all", "none")


@dataclass(frozen=True, slots=True, eq=False)
class PromiseReplay:
    """A replay and its promises, one per job in queue order."""

    replay: Replay
    promised: FloatArray  # probability, [-]
    deadline: FloatArray  # [s]
    start: FloatArray  # reserved at the submission, [s]
    checkpoint_cost: float

    def __repr__(self) -> str:
        return f"<promises of {self.replay!r}: {int(self.kept.sum()):,} kept>"

    def _repr_html_(self) -> str:
        return self.replay._repr_html_()

    @property
    def kept(self) -> BoolArray:
        """Whether each job came to its end by its deadline."""
        return metrics.kept(self.replay.job_records, self.deadline, slack=SLACK)

    @property
    def quality_of_service(self) -> float:
        """Eq. (2) of `qos`, [-]."""
        return metrics.quality_of_service(self.replay.job_records, self.promised, self.kept)

    @property
    def utilization(self) -> float:
        """Capacity utilised, [-]."""
        return metrics.capacity_utilized(self.replay.job_records, size=self.replay.size)

    @property
    def lost_work(self) -> float:
        """Work lost to failures, [node s]."""
        return metrics.lost_work(self.replay.attempt_records, checkpoint_cost=self.checkpoint_cost)


def replay_promises(
    workload: Workload,
    *,
    processors: int,
    forecaster: RiskForecaster,
    confidence: float,
    within_accuracy: bool = False,
    failures: Failures | None = None,
    checkpoint_interval: float = 3600.0,
    checkpoint_cost: float = 720.0,
    checkpointing: Literal["risk", "all", "none"] = "risk",
    engine: Literal["auto", "kernel", "general"] = "auto",
    replays: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> PromiseReplay:
    """Schedule `workload` by negotiation on a flat machine.

    Parameters
    ----------
    workload : Workload
        The jobs; their runtimes are known to the scheduler, as the paper has it.
    processors : int, [-]
        Nodes of the machine, of one processor each.
    forecaster : RiskForecaster
        What the system knows of failures to come, for promises and for checkpoints.
    confidence : float, [-]
        U: users accept the first deadline promised with at least this probability of success
        (eq. (3) of `qos`).
    within_accuracy : bool
        Whether they take the earliest deadline where `confidence` is above the forecaster's
        accuracy, as behind the figures of `qos`; see `Negotiated`.
    failures : Failures, optional
        What strikes nodes, and when.
    checkpoint_interval, checkpoint_cost : float, [s]
        I and C.
    checkpointing : {"risk", "all", "none"}
        Grant requests by risk, all of them, or let jobs ask for none.
    engine : {"auto", "kernel", "general"}
        ``general`` is the readable loop; ``kernel`` is the compiled one, for the forecasters of
        `sim.cluster.forecasts`. Both give the same records and promises to the last bit; ``auto``
        takes the compiled one where it can, and `.replay.engine` says which played.
    replays : int, optional
        As for `replay`.
    progress : callable, optional
        Called with the number of jobs that came to an end.

    Returns
    -------
    PromiseReplay
        The replay, and for each job in queue order the probability promised, the deadline and
        the start reserved.

    Raises
    ------
    ValueError
        If `confidence` is outside [0, 1], a time not positive or `checkpointing` unknown, if a
        job needs more than `processors`, or if `engine` cannot play what is asked.
    TypeError
        If `forecaster` is not a RiskForecaster.

    Examples
    --------
    >>> from sim.cluster.forecasts import DetectabilityForecaster
    >>> jobs = Workload(submit=[0, 1], runtime=[9, 5], walltime=[10, 5], processors=[3, 4])
    >>> done = replay_promises(
    ...     jobs, processors=4, forecaster=DetectabilityForecaster(1.0), confidence=1.0
    ... )
    >>> done.start.tolist(), done.deadline.tolist(), done.quality_of_service
    ([0.0, 9.0], [9.0, 14.0], 1.0)
    """
    outlook = _outlook(forecaster, failures, processors)
    policy = Negotiated(outlook, confidence, within_accuracy)
    result = replay(
        workload,
        flat(processors),
        policy=policy,
        engine=engine,
        replays=replays,
        **_terms(failures, checkpointing, checkpoint_interval, checkpoint_cost, outlook),
        progress=progress,
    )
    rows = [policy.promises[position] for position in range(len(workload))]
    promised, deadline, start = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return PromiseReplay(result, promised, deadline, start, checkpoint_cost)


def quote_promises(
    workload: Workload,
    *,
    submit: float,
    runtime: float,
    nodes: int,
    processors: int,
    forecaster: RiskForecaster,
    confidence: float,
    failures: Failures | None = None,
    checkpoint_interval: float = 3600.0,
    checkpoint_cost: float = 720.0,
    checkpointing: Literal["risk", "all", "none"] = "risk",
) -> tuple[Promise, ...]:
    """Return what one more job is offered: by a deadline with a probability, or later with more.

    Jobs of `workload` submitted until then have been promised theirs, and hold their nodes.

    Parameters
    ----------
    workload : Workload
        The others; those submitted later do not matter.
    submit, runtime : float, [s]
        When the job is submitted, after others of the same instant, and how long it executes; > 0.
    nodes : int, [-]
        How many it needs; from 1 to `processors`.
    processors, forecaster, failures, checkpoint_interval, checkpoint_cost, checkpointing
        As for `replay_promises`.
    confidence : float, [-]
        What the users of the others ask for.

    Returns
    -------
    tuple of Promise
        By deadline; each has a higher probability than all before it. The paper's users see such a
        list one by one, and take one; how long it may grow, it does not say. Here it ends with the
        likeliest of all.

    Raises
    ------
    ValueError, TypeError
        As `replay_promises`.

    Examples
    --------
    The node will fail at 100 s, which is forecast with 0.75: after its repair success is sure.

    >>> from sim.cluster import Failures
    >>> from sim.cluster.forecasts import DetectabilityForecaster
    >>> offers = quote_promises(
    ...     Workload([0], [50], [50], [1]), submit=1.0, runtime=60.0, nodes=1, processors=1,
    ...     forecaster=DetectabilityForecaster(1.0), confidence=0.0,
    ...     failures=Failures([100.0], [0], [20.0]), checkpointing="none",
    ... )
    >>> [(round(offer.promised, 3), offer.deadline) for offer in offers]
    [(0.249, 110.0), (1.0, 180.0)]
    """
    if not 1 <= whole("nodes", nodes) <= processors:
        raise ValueError(f"nodes must be from 1 to processors = {processors}, got {nodes!r}")
    positive("runtime", runtime)
    before = workload.select(workload.submit <= submit)
    together = Workload(
        submit=np.append(before.submit, submit),
        runtime=np.append(before.runtime, runtime),
        walltime=np.append(before.walltime, runtime),
        processors=np.append(before.processors, nodes),
    )
    outlook = _outlook(forecaster, failures, processors)
    try:
        replay(
            together,
            flat(processors),
            policy=Negotiated(outlook, confidence, asks=len(before)),
            engine="general",
            **_terms(failures, checkpointing, checkpoint_interval, checkpoint_cost, outlook),
        )
    except Offered as offered:
        return offered.offers
    raise RuntimeError(f"the job submitted at {submit!r} must be offered a deadline, got none")


def _outlook(forecaster: RiskForecaster, failures: Failures | None, processors: int) -> Outlook:
    if not isinstance(forecaster, RiskForecaster):
        raise TypeError(
            f"forecaster must have outlook, got {shown(forecaster)}; use RateForecaster, "
            "DetectabilityForecaster or StatedForecaster"
        )
    return forecaster.outlook(failures, processors)


def _terms(
    failures: Failures | None, name: str, interval: float, cost: float, outlook: Outlook
) -> dict[str, Any]:
    """Return what is common to replays with promises."""
    one_of("checkpointing", name, CHECKPOINTING)
    return {
        "estimates": "runtime",
        "kill_at_walltime": False,
        # Placements name their nodes only where something could fail.
        "failures": failures or NO_FAILURES,
        "checkpointing": _checkpointing(name, interval, cost, outlook),
    }


def _checkpointing(name: str, interval: float, cost: float, outlook: Outlook) -> Checkpointing:
    if name == "none":
        return NoCheckpoints()
    if name == "all":
        return Periodic(interval, cost)
    return Cooperative(interval, cost, outlook)
