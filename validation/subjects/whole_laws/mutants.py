"""Laws with faults at their seams, too small for a simulation to show.

Most faults are planted where the right law changes its method, by replacing one piece of it for
as long as it is asked. The law that comes out names the seam that the fault has made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import astuple
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from perfmodel.completion import CompletionTime, _segment_process, exact_makespan, inversion
from perfmodel.completion import law as completion_law
from perfmodel.completion._first_failures import FirstFailures
from perfmodel.completion._staircase import Staircase
from perfmodel.completion.repairs import _quadrature, _recorded_sums, _repair_of, _tabulated
from perfmodel.completion.repairs._quadrature import ByQuadrature
from perfmodel.completion.repairs._recorded import RecordedRepair, recorded
from perfmodel.completion.repairs._weighted_values import WeightedValues
from perfmodel.lifetimes import Lifetime
from perfmodel.parallel import extremes, slowest, slowest_of
from validation.judge.chance import FloatArray
from validation.judge.run import Mutant

from .cases import CROWDS, OF_TEN, OF_UNEQUAL, STAIRS, TELLING

__all__ = ["MUTANTS"]

_CUT = 1e-9
_CLOSE = 0.01
_BEYOND = 1e-6  # what is left of a downtime beyond the table


class Faulty:
    """A law that is asked while a fault is planted.

    Parameters
    ----------
    job : mapping
        Arguments of `exact_makespan`.
    fault : callable
        Returns a context in which the law is wrong.
    seams : tuple of float, [time]
        Where the fault begins, beyond the start.
    cut : float, [-]
        Below it sf is taken for 0.
    """

    def __init__(
        self,
        job: dict[str, Any],
        fault: Callable[[], AbstractContextManager[Any]],
        *,
        seams: tuple[float, ...] = (),
        cut: float = 0.0,
    ) -> None:
        self._fault, self._cut = fault, cut
        with fault():
            self._law = exact_makespan(**job)
        self._seams = self._law.atom[0] + np.array(seams)

    def __getattr__(self, name: str) -> Any:
        with self._fault():
            found = getattr(self._law, name)
        if not callable(found):
            return found

        def asked(*arguments: Any) -> Any:
            with self._fault():
                return found(*arguments)

        return asked

    @property
    def seams(self) -> FloatArray:
        """Those of the law and that of the fault, [time]."""
        return np.unique(np.concatenate([self._law.seams, self._seams]))

    def sf(self, t: Any) -> FloatArray:
        """Return P(T > t), [-]."""
        with self._fault():
            found = np.asarray(self._law.sf(t))
        return np.where(found < self._cut, 0.0, found)

    def cdf(self, t: Any) -> FloatArray:
        """Return P(T <= t), [-]."""
        with self._fault():
            found, left = np.asarray(self._law.cdf(t)), np.asarray(self._law.sf(t))
        return np.where(left < self._cut, 1.0, found)


class RunningMaximum(Faulty):
    """A law whose running maximum hides a spike: its values depend on the other times in a call."""

    def sf(self, t: Any) -> FloatArray:
        """Return P(T > t), [-]."""
        return 1.0 - self.cdf(t)

    def cdf(self, t: Any) -> FloatArray:
        """Return P(T <= t), [-]."""
        found = np.asarray(super().cdf(t))
        order = np.argsort(t, axis=None)
        found.flat[order] = np.maximum.accumulate(found.flat[order])
        return found


class HalfAtTheStart(Faulty):
    """A law that is half of the jump at the start of its window, where success is rare."""

    def cdf(self, t: Any) -> FloatArray:
        """Return P(T <= t), [-]."""
        start, mass = self._law.atom
        found = np.asarray(super().cdf(t))
        return np.where((np.asarray(t) == start) & (mass < 1e-10), 0.5, found)


class ErrorSoFar(Faulty):
    """A law that states the error only of the times evaluated so far."""

    @property
    def error(self) -> float:
        """Largest error of the windows used so far, [-]."""
        windows = getattr(getattr(self._law, "_inversion", None), "_windows", {})
        return float(max([1e-9, *(window.error for window in windows.values())]))


@contextmanager
def _no_downtime_beyond_the_table() -> Iterator[None]:
    right = ByQuadrature._one

    def wrong(self: ByQuadrature, span: float, t: FloatArray) -> FloatArray:
        if self.unstruck:
            return right(self, span, t)

        def mass(x: FloatArray) -> FloatArray:
            x = np.maximum(x, 0.0)
            inside = self._falling(x, x)
            return np.where(x > _table(self.law), -np.expm1(-self.rate * x), inside)

        return np.asarray(mass(t) - np.exp(-self.rate * span) * mass(t - span))

    with patch.object(ByQuadrature, "_one", wrong):
        yield


def _table(law: Lifetime) -> float:
    return float(law.ppf(1.0 - _BEYOND))


@contextmanager
def _rare_success_without_its_atom() -> Iterator[None]:
    with patch.object(_segment_process, "_NO_ATOM", 0.0):
        yield


@contextmanager
def _percentiles_that_end() -> Iterator[None]:
    with patch.object(completion_law, "_LAST", 1e280):
        yield


@contextmanager
def _tables_alone() -> Iterator[None]:
    with patch.object(_tabulated, "_ROUNDING", 0.0):
        yield


@contextmanager
def _wider_panels() -> Iterator[None]:
    # Half as many panels still have all digits; a single one of several mtbf does not.
    nodes, weights = _quadrature._NODES, _quadrature._WEIGHTS
    one: dict[str, Any] = {"_PANELS": 1, "_PLACES": 1.0 + nodes, "_HEAVIES": list(weights)}
    with patch.multiple(_quadrature, **one):
        yield


@contextmanager
def _ends_as_a_difference() -> Iterator[None]:
    right = ByQuadrature._rising

    def wrong(
        self: ByQuadrature, left: FloatArray, end: FloatArray, width: FloatArray
    ) -> FloatArray:
        found = right(self, left, end, width)
        beyond = left >= self._bulk[1]  # where the cdf is 1, of two large numbers
        difference = np.exp(-self.rate * left) - np.exp(-self.rate * end)
        return np.where(beyond, difference, found)

    with patch.object(ByQuadrature, "_rising", wrong):
        yield


@contextmanager
def _first_failures_that_end_early() -> Iterator[None]:
    right = FirstFailures.cdf

    def wrong(self: FirstFailures, t: FloatArray) -> FloatArray:
        found = right(self, t)
        if not self.visits:
            return found
        early = self.rough - max(max(visit.spans) for visit in self.visits)
        return np.where((t >= early) & (early > 0.0), self.total, found)

    with patch.object(FirstFailures, "cdf", wrong):
        yield


@contextmanager
def _seam_of_the_first_failures_moved() -> Iterator[None]:
    right = FirstFailures.cdf

    def wrong(self: FirstFailures, t: FloatArray) -> FloatArray:
        return right(self, t / 1.01)

    with patch.object(FirstFailures, "cdf", wrong):
        yield


@contextmanager
def _values_never_in_step_again() -> Iterator[None]:
    # Only what was out of step before: values nearly alike never are.
    with patch.object(_recorded_sums, "regular", lambda spacing: np.empty(0)):
        yield


@contextmanager
def _recoveries_never_in_step() -> Iterator[None]:
    with (
        patch.object(Staircase, "_late_rise", lambda *_: 0.0),
        patch.object(inversion._Rises, "late", lambda *_: 0.0),
    ):
        yield


@contextmanager
def _close_nodes_dropped() -> Iterator[None]:
    right = recorded

    def wrong(law: Lifetime, samples: FloatArray) -> RecordedRepair:
        values, weights = astuple(right(law, samples).values)
        apart = np.diff(values, prepend=-np.inf) > _CLOSE * values
        kept = np.flatnonzero(apart)
        some = WeightedValues(values[kept], np.add.reduceat(weights, kept))
        return RecordedRepair(law, some)

    with patch.object(_repair_of, "recorded", wrong):
        yield


def _planted(
    fault: Callable[[], AbstractContextManager[Any]],
    work: float,
    *,
    kind: type[Faulty] = Faulty,
    seam: Callable[[dict[str, Any]], tuple[float, ...]] = lambda job: (),
    cut: float = 0.0,
    **costs: Any,
) -> Faulty:
    job = {"work": work, **costs}
    return kind(job, fault, seams=seam(job), cut=cut)


def _beyond_the_bulk(job: dict[str, Any]) -> tuple[float, ...]:
    # From where a cdf is 1 to rounding, a difference has no digits, until nothing is left.
    law = job["downtime"]
    if not isinstance(law, Lifetime):
        return ()
    end = float(law.ppf(1.0 - 2.0**-53))
    return tuple(float(x) for x in end * np.linspace(1.0, 1.6, 13))


def _end_of_table(job: dict[str, Any]) -> tuple[float, ...]:
    law = job["downtime"]
    return (_table(law),) if isinstance(law, Lifetime) else ()


def _without_the_far_tail(law: CompletionTime, count: float) -> Any:
    with patch.object(extremes, "_beyond", lambda *_, **__: (0.0, 0.0)):
        found = slowest_of(law, count)
        assert math.isfinite(found.std)  # known from here on
    return found


def _without_the_last_times(law: CompletionTime, count: float) -> Any:
    with patch.object(extremes, "_LAST", 1e280):
        found = slowest_of(law, count)
        assert math.isfinite(found.std)
    return found


def _last_of_unequal_without_the_last_times(laws: Any) -> Any:
    with patch.object(extremes, "_LAST", 1e280):
        found = slowest(laws)
        assert math.isfinite(found.std)
    return found


def _without_the_ends(law: CompletionTime, count: float) -> Any:
    with patch.object(extremes, "_GAP", 0.0):
        found = slowest_of(law, count)
        assert math.isfinite(found.std)
    return found


_TABLED = partial(_planted, _no_downtime_beyond_the_table, seam=_end_of_table)
# What is wrong, and which of the telling jobs shows it.
_FAULTS: tuple[tuple[str, Callable[..., Any], str], ...] = (
    (
        "downtime taken as zero beyond the table",
        _TABLED,
        "repairs as long as hundreds of segments",
    ),
    (
        "the same, hidden by a running maximum",
        partial(_TABLED, kind=RunningMaximum),
        "repairs as long as hundreds of segments",
    ),
    (
        "panels many times as wide",
        partial(_planted, _wider_panels),
        "broad repairs beside long recoveries",
    ),
    (
        "short spans as a difference",
        partial(_planted, _ends_as_a_difference, seam=_beyond_the_bulk),
        "segments of 1e-10 mtbf",
    ),
    (
        "first failures end one segment early",
        partial(_planted, _first_failures_that_end_early),
        "broad repairs beside long recoveries",
    ),
    (
        "tail cut at 1e-9",
        partial(_planted, nullcontext, cut=_CUT),
        "the far tail of broad repairs",
    ),
    (
        "second of two close values dropped",
        partial(_planted, _close_nodes_dropped),
        "close values",
    ),
    (
        "steps of repairs nearly alike not looked for",
        partial(_planted, _values_never_in_step_again),
        "repairs nearly alike",
    ),
    (
        "rises of recoveries in step not looked for in steps",
        partial(_planted, _recoveries_never_in_step),
        "recoveries in step beside long equal repairs",
    ),
    (
        "rises of recoveries in step not looked for in windows",
        partial(_planted, _recoveries_never_in_step),
        "recoveries in step beside short equal repairs",
    ),
    (
        "rises of repairs in step not looked for after a thousand failures",
        partial(_planted, _recoveries_never_in_step),
        "repairs in step after a thousand failures",
    ),
    (
        "seam of the first failures moved by 1 %",
        partial(_planted, _seam_of_the_first_failures_moved),
        "repairs as long as hundreds of segments",
    ),
    (
        "half done at the start of a hopeless job",
        partial(_planted, nullcontext, kind=HalfAtTheStart),
        "rare success",
    ),
    (
        "rare success without its atom",
        partial(_planted, _rare_success_without_its_atom),
        "rare success after rare recoveries",
    ),
    (
        "no percentile after 1e280",
        partial(_planted, _percentiles_that_end),
        "times near the largest float",
    ),
    (
        "no digits beyond those of a table",
        partial(_planted, _tables_alone),
        "a million segments that nearly never end",
    ),
    (
        "an error of what was asked so far",
        partial(_planted, nullcontext, kind=ErrorSoFar),
        "close values",
    ),
)

MUTANTS: tuple[Mutant, ...] = (
    *(Mutant(exact_makespan, fault, wrong, TELLING[job]) for fault, wrong, job in _FAULTS),
    Mutant(
        slowest_of,
        "a heavy tail left out beyond the last panel",
        _without_the_far_tail,
        CROWDS[0],
    ),
    Mutant(slowest_of, "moments without what comes after 1e280", _without_the_last_times, OF_TEN),
    Mutant(slowest_of, "ends of panels not looked at", _without_the_ends, STAIRS),
    Mutant(
        slowest,
        "moments without what comes after 1e280",
        _last_of_unequal_without_the_last_times,
        OF_UNEQUAL,
    ),
)
