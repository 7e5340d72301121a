"""The dialogue for one job: by which deadlines it can end, each with what probability."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from asking.plain import strict
from asking.refusals import Field, Refused, given

from ..plain import frame_of
from ..replays.requests import QuoteRequest
from .setup import PromisesSetup, forecaster_of, promises_setup

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Offer:
    """A start and a deadline, [s] after the submission, and the probability to be done by then."""

    start_s: float
    deadline_s: float
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class QuoteAnswer:
    """The offers to one job, by deadline; `at` [s] after the first submission of the log.

    `parts` are what was read, `before` how many jobs were submitted until then.
    """

    request: QuoteRequest
    parts: PromisesSetup
    at: float
    before: int
    offers: tuple[Offer, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read, drawn and assumed."""
        return self.parts.notes

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        found: dict[str, Any] = strict(
            {
                "at_s": self.at,
                "jobs_before": self.before,
                "offers": [asdict(offer) for offer in self.offers],
                "seed": self.request.seed,
                "notes": list(self.notes),
            }
        )
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each offer, times in [s]."""
        return frame_of([asdict(offer) for offer in self.offers])


def quote(request: QuoteRequest) -> QuoteAnswer:
    """Offer one job its deadlines, while the jobs of a log hold theirs.

    Parameters
    ----------
    request : QuoteRequest
        The job, the log, the failures and the predictor; durations in [s].

    Returns
    -------
    QuoteAnswer
        Each offer is likelier than all before it.

    Raises
    ------
    Refused
        If what is asked does not go together, or a field has no effect; a ValueError that names
        the fields.
    ValueError
        If a file cannot be read as what it is to be.
    """
    from ...cluster import quote_promises

    nodes, runtime = given(request.nodes, "nodes"), given(request.runtime, "runtime")
    request.check()
    if request.forecaster != "detectability":
        request = replace(request, accuracy=None)
    accuracy = None if request.accuracy is None else _one("accuracy", request.accuracy)
    confidence = _one("confidence", request.confidence)
    parts = promises_setup(request)
    if nodes > parts.processors:
        raise Refused(
            "{} must be at most the {:,} of the machine, got {:,}",
            *(Field("nodes"), parts.processors, nodes),
        )
    submitted = parts.workload.submit
    at = float(submitted[-1] - submitted[0]) if request.at is None else request.at
    now = float(submitted[0]) + at
    offers = quote_promises(
        parts.workload,
        submit=now,
        runtime=runtime,
        nodes=nodes,
        processors=parts.processors,
        forecaster=forecaster_of(request, parts, accuracy),
        confidence=confidence,
        failures=parts.failures,
        checkpoint_interval=request.checkpoint_interval,
        checkpoint_cost=request.checkpoint_cost,
        checkpointing=request.checkpoints,
    )
    return QuoteAnswer(
        request=request,
        parts=parts,
        at=at,
        before=int((submitted <= now).sum()),
        offers=tuple(
            Offer(offer.start - now, offer.deadline - now, offer.promised) for offer in offers
        ),
    )


def _one(name: str, values: tuple[float, ...]) -> float:
    if len(values) != 1:
        raise Refused("{} must be one number, got {}", Field(name), len(values))
    return values[0]
