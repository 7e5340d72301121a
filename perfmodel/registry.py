"""The catalogue: every public formula with its source, kind and range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .validity import Range

__all__ = ["FORMULAS", "Formula"]

Kind = Literal["exact", "approximation", "bound"]


@dataclass(frozen=True, slots=True)
class Formula:
    """One row of the catalogue.

    Parameters
    ----------
    function : callable
        The public function.
    source, equation : str
        Short name of the source and the place in it; ``derived`` where we derived it ourselves.
    kind : {"exact", "approximation", "bound"}
        What `validation` must show: agreement, an error within its range, or one side.
    range : Range, optional
        For an approximation: where its error is stated.
    fallback : callable, optional
        For an approximation: the exact function of the same arguments that takes over beyond.
    """

    function: Callable[..., Any]
    source: str
    equation: str
    kind: Kind
    range: Range | None = None
    fallback: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        """The function's public name."""
        return self.function.__name__


FORMULAS: tuple[Formula, ...] = ()
