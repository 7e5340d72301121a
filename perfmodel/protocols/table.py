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

PROTOCOLS: tuple[Protocol, ...] = (
    SingleSegment(),
    SYNCHRONOUS,
    Asynchronous(),
    TwoLevels(),
    Pairs(),
    Predicted(),
)
CHOOSE = "choose"  # whatever is best
NAMES = {each.name: each for each in PROTOCOLS}


def protocol_of(name: str) -> Protocol:
    """Return the protocol of a name, of an installed package too, or raise where there is none."""
    if name in NAMES:
        return NAMES[name]
    from asking.plugins import loaded

    found = loaded("protocol", name, NAMES)
    if found is None:
        raise ValueError(f"protocol must be one of {', '.join(NAMES)}, got {name!r}")
    protocol = found() if isinstance(found, type) else found
    if not isinstance(protocol, Protocol) or protocol.name != name:
        raise ValueError(f"protocol {name} must be a Protocol of that name, got {found!r}")
    return protocol


def protocols_for(name: str) -> tuple[Protocol, ...]:
    """Return the protocols to compare: all, and the one asked for where a package adds it."""
    return PROTOCOLS if name in (CHOOSE, *NAMES) else (*PROTOCOLS, protocol_of(name))
