"""The cells that the claims and figures of `qos` need, and their metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..shown import AS_TABLES, Shown
from .runs import ACCURACIES, LOGS, Cell, cell

SHOWN = (0.1, 0.5, 0.9)  # the U of the paper's figures against accuracy
_LENGTHS = (1.5, 2.0, 4.0, 8.0, 16.0)  # mean failures in a burst


@dataclass(frozen=True, slots=True)
class Case:
    """One reading of failures, NASA's jobs and users."""

    burst: float = 1.0
    where: Literal["anywhere", "node"] = "anywhere"
    failures: str = "bursts"
    nasa: str = "nasa"
    insist: bool = False

    def cell(self, log: str, accuracy: float, risk: float, seed: int) -> Cell:
        """Return the cell to run."""
        return cell(
            self.nasa if log == "nasa" else log,
            accuracy,
            risk,
            seed=seed,
            failures=self.failures,
            insist=self.insist,
            burst=self.burst,
            where=self.where,
        )

    @property
    def levels(self) -> dict[str, str]:
        """As they appear in tables."""
        return {
            "burst of failures": f"{self.burst:g}" if self.failures == "bursts" else "LANL's log",
            "on": {"anywhere": "any nodes", "node": "one node"}[self.where],
            "NASA's jobs": "10,000 cleaned" if self.nasa == "nasa" else "4,456 of 10,000",
            "users": "insist on eq. (3)" if self.insist else "insist if U <= a",
        }


# The text first: its trace was filtered of failures with a common cause, and nodes fail apart.
CASES = tuple(
    case
    for nasa in ("nasa", "nasa-logged")
    for case in (
        Case(nasa=nasa),
        *(Case(length, "anywhere", nasa=nasa) for length in _LENGTHS),
        *(Case(length, "node", nasa=nasa) for length in _LENGTHS),
        Case(failures="lanl", nasa=nasa),
        Case(nasa=nasa, insist=True),
    )
)
_CURVES = (Case(), Case(insist=True))  # of which every accuracy is played


def wanted(seeds: Sequence[int], shown: Shown = AS_TABLES) -> Iterator[Cell]:
    """Yield every cell; those of curves only for what is shown."""
    by_accuracy = shown.wants(*(f"fig{n}" for n in range(1, 7)))
    by_risk = shown.wants(*(f"fig{n}" for n in range(7, 13)))
    for seed in seeds:
        for case in CASES if by_accuracy else ():
            for log in LOGS:
                for accuracy, risk in ((0.0, 0.9), (0.1, 0.9), (1.0, 0.9), (1.0, 0.1)):
                    yield case.cell(log, accuracy, risk, seed)
        for case in _CURVES:
            for log in LOGS:
                for accuracy in ACCURACIES if by_accuracy else ():
                    for risk in SHOWN:
                        yield case.cell(log, accuracy, risk, seed)
        for risk in ACCURACIES if by_risk else ():
            for log in LOGS:
                yield Case().cell(log, 1.0, risk, seed)
            yield Case().cell("sdsc", 0.5, risk, seed)


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every cell that was played."""

    cells: Mapping[Cell, Mapping[str, float]]
    seeds: Sequence[int]

    def each(self, metric: str, log: str, accuracy: float, risk: float, case: Case = Case()) -> Any:
        """Return one number per seed."""
        cells = (case.cell(log, accuracy, risk, seed) for seed in self.seeds)
        return np.array([self.cells[each][metric] for each in cells])
