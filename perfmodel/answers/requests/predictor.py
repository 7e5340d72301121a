"""A predictor of failures as a user writes it: ``recall=70%,precision=60%,cost=1min``."""

from __future__ import annotations

from dataclasses import dataclass

from asking.kinds import Kind, instance_of
from asking.units import seconds, share

from .named import named

_NEEDED = {"recall", "precision", "cost"}


@dataclass(frozen=True, slots=True)
class Predictor:
    """Recall and precision, [-], cost of a proactive checkpoint and length of a window, [s]."""

    recall: float
    precision: float
    cost: float
    window: float = 0.0


def predictor(text: str) -> Predictor:
    """Read ``recall=SHARE,precision=SHARE,cost=DURATION`` and perhaps window; raise ValueError."""
    values = named(text)
    if not _NEEDED <= set(values) <= {*_NEEDED, "window"}:
        raise ValueError("recall, precision and cost are needed, window may come with them")
    recall, precision = (_positive_share(name, values[name]) for name in ("recall", "precision"))
    cost, window = (seconds(values.get(name, "0s")) for name in ("cost", "window"))
    if window > 0.0 and not cost > 0.0:
        raise ValueError("cost not > 0 with a window")
    if window > 0.0 and not recall < 1.0:
        raise ValueError("recall not < 1 with a window")
    return Predictor(recall, precision, cost, window)


def _positive_share(name: str, text: str) -> float:
    try:
        found = share(text)
    except ValueError:
        found = 0.0
    if not found > 0.0:
        raise ValueError(f"{name} not a share > 0 such as 70% or 0.7")
    return found


PREDICTOR = Kind(
    "predictor",
    "a predictor such as recall=70%,precision=60%,cost=1min",
    predictor,
    instance_of(Predictor),
)
