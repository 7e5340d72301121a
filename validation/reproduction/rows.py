"""Rows of a reproduction: printed, ours with its interval, kind and verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = [
    "Estimate",
    "Row",
    "Word",
    "above",
    "estimate",
    "legend_above",
    "ordered",
    "table",
    "within_factor",
    "worst",
]

Word = Literal["holds", "unresolved", "fails", "reported"]
_RANK: dict[Word, int] = {"reported": 0, "holds": 1, "unresolved": 2, "fails": 3}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds with the half width of its 95 % confidence interval (Student's t)."""

    mean: float
    half: float

    def __str__(self) -> str:
        if np.isnan(self.mean):
            return "-"
        digits = 0 if abs(self.mean) >= 1000.0 else 1 if abs(self.mean) >= 100.0 else 2
        if np.isnan(self.half):
            return f"{self.mean:.{digits}f}"
        return f"{self.mean:.{digits}f} ± {self.half:.{digits}f}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the same quantity in the paper and here."""

    what: str
    printed: str
    ours: str
    beside: str  # our result on the first real jobs
    kind: str
    verdict: Word
    note: str = ""
    figure: str = ""  # where in the paper, if `what` does not begin with that


def estimate(values: npt.ArrayLike) -> Estimate:
    """Return the mean of one number per seed and its 95 % half width; nan for a single one.

    A seed whose number is nan, because no such event happened, is left out.
    """
    sample = np.asarray(values, dtype=np.float64)
    sample = sample[~np.isnan(sample)]
    if sample.size < 2:
        return Estimate(float(sample[0]) if sample.size else float("nan"), float("nan"))
    from scipy.special import stdtrit

    stderr = float(sample.std(ddof=1)) / np.sqrt(sample.size)
    wide = float(stdtrit(sample.size - 1, 0.975))
    return Estimate(float(sample.mean()), wide * stderr)


def ordered(*samples: npt.ArrayLike, by_interval: bool = False) -> Word:
    """Judge that the means ascend; the samples hold one number per seed, paired by seed.

    "holds" if every step is significant at 95 %, "unresolved" if the means ascend but some step is
    within its noise, "fails" if some mean is not above the one before; `by_interval` only if some
    step down is significant.
    """
    steps = (
        estimate(np.asarray(high, dtype=np.float64) - np.asarray(low, dtype=np.float64))
        for low, high in pairwise(samples)
    )
    return worst(("holds", *(above(0.0, step, by_interval=by_interval) for step in steps)))


def above(limit: float, ours: Estimate, *, by_interval: bool = False) -> Word:
    """Judge that a mean is above a limit, as a step of `ordered`."""
    if ours.mean - limit > ours.half:
        return "holds"
    if by_interval and not np.isnan(ours.half):
        return "fails" if ours.mean + ours.half < limit else "unresolved"
    return "unresolved" if ours.mean > limit else "fails"


def within_factor(
    printed: float, ours: Estimate, factor: float, *, by_interval: bool = False
) -> Word:
    """Judge a band: the mean lies within `factor` of the printed value.

    `by_interval` all of its interval does, or none of it for the row to fail.
    """
    low, high = printed / factor, printed * factor
    if not by_interval or np.isnan(ours.half):
        return "holds" if low <= ours.mean <= high else "fails"
    if low <= ours.mean - ours.half and ours.mean + ours.half <= high:
        return "holds"
    outside = ours.mean + ours.half < low or ours.mean - ours.half > high
    return "fails" if outside else "unresolved"


def worst(words: Iterable[Word]) -> Word:
    """Return the verdict of a row from those of its parts."""
    return max(words, key=_RANK.__getitem__)


def legend_above(axes: Any) -> None:
    """Set the legend above the axes, where no line can cross it; needs constrained layout."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=8, frameon=False)


def table(rows: Sequence[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = [
        "| what | printed | month | first 1,200 jobs | kind | verdict |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        if row.note:
            verdict = f"{verdict}: {row.note}"
        lines.append(
            f"| {row.what} | {row.printed} | {row.ours} | {row.beside} | {row.kind} | {verdict} |"
        )
    return "\n".join(lines)
