"""Where something begins to hold, between a place where it does and one where it does not."""

from __future__ import annotations

from collections.abc import Callable

from scipy.optimize import brentq

_CLOSE = 1e-5


def edge(beyond: Callable[[float], float], holding: float, failing: float) -> float:
    """Return the place nearest to `failing`, within 1e-5, at which `beyond` is at least 0.

    It is so at `holding`, and not at `failing`; what jumps takes more evaluations.
    """
    held = []

    def at(place: float) -> float:
        value = beyond(place)
        if value >= 0.0:
            held.append(place)
        return value

    brentq(at, holding, failing, xtol=_CLOSE)
    return min(held, key=lambda place: abs(place - failing))
