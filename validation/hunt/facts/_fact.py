"""The class of facts, and comparisons of two numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import perfmodel

from ..call import Arguments, build
from ..public_names import Public

__all__ = ["Fact", "first", "known", "mean_of", "ordered", "same"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One relation between public functions that must hold.

    Parameters
    ----------
    name : str
        Name in words.
    of : str
        The public function whose arguments are drawn.
    complaint : callable
        ``complaint(public, **arguments) -> str``; empty where nothing is wrong.
    seconds : float
        Processor time that it may take.
    """

    name: str
    of: str
    complaint: Callable[..., str]
    seconds: float = 5.0

    def ask(self, public: Public, arguments: Arguments) -> str:
        """Return what is wrong at these arguments, or an empty string."""
        built = {key: _plain(build(value, public)) for key, value in arguments.items()}
        return self.complaint(public, **built)


def _plain(value: Any) -> Any:
    """Return a list of numbers as an array, for the arithmetic here."""
    if not isinstance(value, list) or (
        value and isinstance(np.asarray(value, object).flat[0], str)
    ):
        return value
    return np.asarray(value)


def same(what: str, one: Any, two: Any, slack: Any = 1e-9, *, least: float = 1e-280) -> str:
    """Compare two values of one quantity, relative to the larger of them and `least`."""
    a, b = np.broadcast_arrays(np.asarray(one, dtype=float), np.asarray(two, dtype=float))
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(a), np.abs(b))
        bad = ~((np.abs(a - b) <= slack * size + least) | (a == b))
        bad &= ~((size > 1e290) & np.isinf(size))  # one of them overflowed in between
    if not bad.any():
        return ""
    return f"{what}: {float(a[bad].flat[0])!r} and {float(b[bad].flat[0])!r} must be the same"


def ordered(what: str, low: Any, high: Any, slack: float = 1e-9) -> str:
    """Expect `low` not above `high`."""
    a, b = np.broadcast_arrays(np.asarray(low, dtype=float), np.asarray(high, dtype=float))
    with np.errstate(all="ignore"):
        bad = ~((a <= b) | (a - b <= slack * np.maximum(np.abs(a), np.abs(b)) + 1e-300))
    if not bad.any():
        return ""
    return f"{what}: {float(a[bad].flat[0])!r} must not be above {float(b[bad].flat[0])!r}"


def first(complaints: Iterable[str]) -> str:
    return next((complaint for complaint in complaints if complaint), "")


def known(function: Callable[..., Any], arguments: Arguments) -> Arguments:
    names = inspect.signature(function).parameters
    return {key: value for key, value in arguments.items() if key in names}


def mean_of(duration: Any) -> Any:
    return duration.mean if isinstance(duration, perfmodel.Lifetime) else duration
