"""What a comparison says: one row of the report."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Kind", "Verdict"]

Kind = Literal["exact", "approximation", "distance"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One comparison of a prediction with an observation.

    Parameters
    ----------
    kind : {"exact", "approximation", "distance"}
        What was asked: agreement, an error within its range, or a report of how far.
    predicted, observed : float
        What the formula says and what was seen.
    stderr : float
        Standard error of the observation; 0 for a comparison without chance.
    z : float, [-]
        Observed minus predicted in standard errors.
    resolution : float, [-]
        Smallest relative error that would have been noticed.
    passed : bool
        Whether the formula may stand.
    note : str
        Why not, or what else is worth knowing.
    answered : bool
        False where the sample could not tell; then `passed` is False as well.
    looks : int, [-]
        How often it was played until this was said; the last time speaks.
    formula, check, point : str
        What was judged, by which comparison, with which numbers; filled in by the run.
    """

    kind: Kind
    predicted: float
    observed: float
    stderr: float
    z: float
    resolution: float
    passed: bool
    note: str = ""
    answered: bool = True
    looks: int = 1
    formula: str = ""
    check: str = ""
    point: str = ""

    def __post_init__(self) -> None:
        # Comparisons of NumPy numbers give NumPy's truth, which JSON does not know.
        for name in ("passed", "answered"):
            object.__setattr__(self, name, bool(getattr(self, name)))

    @property
    def rejected(self) -> bool:
        """Whether the numbers themselves speak against the formula."""
        return self.answered and not self.passed

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values; a number that is not finite becomes null."""
        return {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in asdict(self).items()
        }
