"""Powers of a machine as a user writes them: ``static=8MW,compute=10MW,io=1MW``."""

from __future__ import annotations

from dataclasses import dataclass

from asking.kinds import Kind, instance_of
from asking.units import watts

from .named import named

_NEEDED = {"static", "compute"}
_NAMES = (*sorted(_NEEDED, reverse=True), "io", "down")


@dataclass(frozen=True, slots=True)
class Powers:
    """Powers [W]: drawn all the time, and besides while computing, writing or reading, and down."""

    static: float
    compute: float
    io: float = 0.0
    down: float = 0.0


def powers(text: str) -> Powers:
    """Read ``static=POWER,compute=POWER`` and perhaps io and down; raise ValueError."""
    given = named(text)
    if not _NEEDED <= set(given) <= set(_NAMES):
        raise ValueError("static and compute are needed, io and down may come with them")
    values = {name: watts(value) for name, value in given.items()}
    if not values["static"] > 0.0:
        raise ValueError("static not > 0")
    return Powers(**values)


POWERS = Kind(
    "powers",
    "powers such as static=8MW,compute=10MW,io=1MW",
    powers,
    instance_of(Powers),
)
