"""The result of one comparison: one row of the report."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Literal

__all__ = ["Kind", "Verdict", "raised"]

Kind = Literal["exact", "approximation", "distance"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One comparison of a prediction with an observation.

    Parameters
    ----------
    kind : {"exact", "approximation", "distance"}
        Whether the two must agree, the error must stay below a stated one, or the distance is
        only reported.
    predicted, observed : float
        The value of the formula and the value found without it.
    stderr : float
        Standard error of the observation; 0 for a comparison without chance.
    z : float, [-]
        Observed minus predicted in standard errors.
    resolution : float, [-]
        Smallest relative error that the comparison would have shown.
    passed : bool
        Whether the comparison confirms the formula.
    note : str
        The reason of a failure, or a remark.
    answered : bool
        False where the sample was too small for an answer; then `passed` is False as well.
    looks : int, [-]
        How often the trial was run; the verdict is that of the last time.
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
        # Comparisons of NumPy numbers return NumPy booleans, which JSON cannot write.
        for name in ("passed", "answered"):
            object.__setattr__(self, name, bool(getattr(self, name)))

    def __repr__(self) -> str:
        end = "passed" if self.passed else "failed" if self.answered else "not answered"
        return (
            f"<verdict {end}: {self.formula or 'formula'}, predicted {self.predicted:.6g}, "
            f"observed {self.observed:.6g}, z {self.z:.3g}>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>"
            for name, value in self.as_json().items()
        )
        return f"<table><tbody>{rows}</tbody></table>"

    @property
    def rejected(self) -> bool:
        """Whether the numbers contradict the formula."""
        return self.answered and not self.passed

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values; a number that is not finite becomes null."""
        return {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in asdict(self).items()
        }


def raised(error: Exception, *, answered: bool = True) -> Verdict:
    """Return the verdict on a formula that raised an error, or whose definition did."""
    nan = float("nan")
    words = "; ".join([str(error), *getattr(error, "__notes__", ())])
    note = f"raised {type(error).__name__}: {words}"
    return Verdict("exact", nan, nan, 0.0, nan, nan, passed=False, note=note, answered=answered)
