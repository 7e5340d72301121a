"""The protocols that are compared, from simple to elaborate: one line each.

All keep the result of the job: each ends with a checkpoint that survives every failure. All cut
the work into equal segments.
"""

from __future__ import annotations

from .asynchronous import Asynchronous
from .pairs import Pairs
from .predicted import Predicted
from .protocol import Protocol
from .single_segment import SingleSegment
from .synchronous import SYNCHRONOUS
from .two_levels import TwoLevels

__all__ = ["NAMES", "PROTOCOLS", "protocol_of"]

PROTOCOLS: tuple[Protocol, ...] = (
    SingleSegment(),
    SYNCHRONOUS,
    Asynchronous(),
    TwoLevels(),
    Pairs(),
    Predicted(),
)
NAMES = {each.name: each for each in PROTOCOLS}


def protocol_of(name: str) -> Protocol:
    """Return the protocol of a name, or raise where there is none."""
    if name not in NAMES:
        raise ValueError(f"protocol must be one of {', '.join(NAMES)}, got {name!r}")
    return NAMES[name]
