"""What `wsj` computes from its model in section 3, and the choices that it leaves open there."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from perfmodel import ValidityWarning, slowest, slowest_of, wsj_makespan
from perfmodel.completion import CompletionTime
from perfmodel.lifetimes import Gamma
from perfmodel.parallel import FirstCompletionTime

__all__ = [
    "CV",
    "INTERVAL",
    "INTERVALS",
    "MTBF",
    "RATES",
    "STORAGE",
    "TOTAL",
    "Model",
    "completion",
    "only_one_down",
]

# Defaults of section 3, [h]; the CV of the downtime is not printed, this one fits Fig. 1.
MTBF, DOWNTIME, NODES, STORAGE, WORK, INTERVAL, CV = 512.0, 2.0, 128, 0.2, 128.0, 2.0, 4.05
RATES = (1 / 4096, 1 / 2048, 1 / 1024, 1 / 512, 1 / 256)
INTERVALS = np.geomspace(0.25, 64.0, 17)
TOTAL = 8192.0  # all work of Fig. 4, [h]; not printed


@dataclass(frozen=True, slots=True)
class Model:
    """One way to compute section 3.

    Parameters
    ----------
    printed : bool
        Whether eq. (6) and (7) are taken as printed, not with the conditional variance corrected.
    storage, cv : float, [h], [-]
        Storage cost of eq. (10), and coefficient of variation of the downtimes.
    downtime : float, [h]
        Of Figs 3 to 5.
    """

    printed: bool
    storage: float = STORAGE
    cv: float = CV
    downtime: float = DOWNTIME

    def mean(self, *, work: float = WORK, interval: float = INTERVAL, **more: Any) -> float:
        """Return a mean completion time, with what eq. (10) adds for storing, [h]."""
        given = {"downtime": self.downtime, "storage": self.storage, **more}
        law = completion(work=work, interval=interval, cv=self.cv, printed=self.printed, **given)
        stored = work / interval * given["storage"]
        return float(law.mean) + (stored if self.printed else 0.0)

    def std(self, *, nodes: int, work: float) -> float:
        """Return a standard deviation of the completion time, [h]."""
        law = completion(
            nodes=nodes,
            work=work,
            storage=self.storage,
            cv=self.cv,
            downtime=self.downtime,
            printed=self.printed,
        )
        return float(law.std)

    def uses(self, nodes: int, work: float, repair: float) -> list[float]:
        """Return the means with one more node as worker, replica or spare, by P_1, [h]."""
        shorter = 1.0 - only_one_down(nodes, repair)
        with _out_of_range():
            worker, alone, spare = (
                wsj_makespan(
                    work / count,
                    mtbf=MTBF,
                    downtime=Gamma.from_mean(mean, cv=self.cv),
                    interval=INTERVAL,
                    checkpoint_cost=self.storage,
                    printed=self.printed,
                )
                for count, mean in ((nodes + 1, repair), (nodes, repair), (nodes, shorter * repair))
            )
        laws = (
            slowest_of(worker, nodes + 1),
            slowest([alone] * (nodes - 1) + [FirstCompletionTime(alone, 2.0)]),
            slowest_of(spare, nodes),
        )
        shares = (work / (nodes + 1), work / nodes, work / nodes)
        stored = [share / INTERVAL * self.storage * self.printed for share in shares]
        return [law.mean + more for law, more in zip(laws, stored, strict=True)]


def only_one_down(nodes: int, repair: float) -> float:
    """Return P_1 of section 3, the probability that exactly one node is down at any time."""
    down = repair / (MTBF + repair)
    return float(nodes * down * (1.0 - down) ** (nodes - 1))


def completion(
    *,
    rate: float = 1.0 / MTBF,
    downtime: float = DOWNTIME,
    nodes: int = NODES,
    storage: float = STORAGE,
    work: float = WORK,
    interval: float = INTERVAL,
    cv: float = CV,
    printed: bool = False,
) -> CompletionTime:
    """Return the law of the parallel completion time, eq. (5)-(8), [h].

    With `printed`, eq. (5)-(7) are used literally: no storage cost, and the conditional variance
    as printed; otherwise both are corrected.
    """
    with _out_of_range():
        task = wsj_makespan(
            work,
            mtbf=1.0 / rate,
            downtime=Gamma.from_mean(downtime, cv=cv),
            interval=interval,
            checkpoint_cost=storage,
            printed=printed,
        )
    return slowest_of(task, nodes)


@contextmanager
def _out_of_range() -> Iterator[None]:
    """Keep quiet where the paper's parameters leave the range of its approximation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        yield
