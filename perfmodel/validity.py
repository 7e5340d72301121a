"""Where an approximation may be trusted, and the warning when it is used beyond."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._checks import BoolArray, FloatArray

__all__ = ["Range", "ValidityWarning"]


class ValidityWarning(UserWarning):
    """An approximation was evaluated outside the range in which its error is known.

    `perfmodel.evaluate_formula` takes the exact formula there, element by element.
    """


@dataclass(frozen=True, slots=True)
class Range:
    """The stated range of an approximation: `measure` at most `limit` keeps the error in `error`.

    Parameters
    ----------
    measure : str
        The dimensionless quantity that decides, in words of the code, e.g.
        ``checkpoint_cost/mtbf``.
    limit : float, [-]
        Largest value of the measure for which the error is stated.
    error : float, [-]
        Largest relative error up to that limit, as measured by `validation`.
    of : callable, optional
        The measure as a function of the formula's keyword arguments, by which
        `evaluate_formula` finds the elements that lie inside.
    as_regret : bool
        Whether the error is a regret: by how much a job is longer that uses the value, and not how
        far off the value is.
    """

    measure: str
    limit: float
    error: float
    of: Callable[..., FloatArray] | None = None
    as_regret: bool = False

    @property
    def _within(self) -> str:
        return f"within {self.error:.2%}" + (" regret" if self.as_regret else "")

    def holds(self, value: FloatArray) -> BoolArray:
        """Return for each element whether the measure lies inside the range."""
        return np.asarray(value <= self.limit * (1.0 + 1e-12))  # rounding is not beyond

    def warn(self, function: str, value: FloatArray) -> None:
        """Issue one `ValidityWarning` if any element lies beyond the range."""
        if not self.holds(value).all():
            warnings.warn(
                f"{self.measure} = {float(np.max(value)):.6g} is beyond {self.limit:g}, "
                f"up to which {function} is {self._within}",
                ValidityWarning,
                stacklevel=3,
            )

    def __str__(self) -> str:
        return f"{self.measure} <= {self.limit:g} ({self._within})"
