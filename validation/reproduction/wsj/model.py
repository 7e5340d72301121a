"""What `wsj` computes from its model in section 3, and the choices that it leaves open there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from perfmodel import ValidityWarning, exact_makespan, slowest, slowest_of, wsj_makespan
from perfmodel.completion import CompletionTime
from perfmodel.lifetimes import Exponential, Gamma
from perfmodel.parallel import FirstCompletionTime

__all__ = [
    "CV",
    "INTERVAL",
    "INTERVALS",
    "MTBF",
    "PLACES",
    "RATES",
    "STORAGE",
    "Model",
    "Place",
    "completion",
    "physical",
]

# Defaults of section 3, [h]; the CV of the downtime is not printed, this one fits Fig. 1.
MTBF, DOWNTIME, NODES, STORAGE, WORK, INTERVAL, CV = 512.0, 2.0, 128, 0.2, 128.0, 2.0, 4.05
RATES = (1 / 4096, 1 / 2048, 1 / 1024, 1 / 512, 1 / 256)
INTERVALS = np.geomspace(0.25, 64.0, 33)
TOTAL = 8192.0  # all work of Fig. 4, [h]; not printed
_BAND = 0.03  # of values that the paper computes, but for Fig. 1, by which the CV is fitted


@dataclass(frozen=True, slots=True)
class Model:
    """One way to compute section 3.

    Parameters
    ----------
    printed : bool
        Whether eq. (6) and (7) are taken as printed, not with the conditional variance corrected.
    storage, cv : float, [h], [-]
        Storage cost of eq. (10), and coefficient of variation of the downtimes.
    """

    printed: bool
    storage: float = STORAGE
    cv: float = CV


@dataclass(frozen=True, slots=True)
class Place:
    """Three printed means, [h], and the order that the text reads from them.

    `claim` says it in words, `said` judges it; `band` is the relative distance allowed.
    """

    where: str
    what: str
    printed: tuple[float, float, float]
    band: float
    claim: str
    said: Callable[[list[float]], bool]
    ours: Callable[[Model], list[float]]


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


def physical(*, rate: float, storage: float, work: float = WORK) -> CompletionTime:
    """Return the law with exponential repair if rework and storing can fail as well, [h]."""
    task = exact_makespan(
        work,
        interval=INTERVAL,
        mtbf=1.0 / rate,
        checkpoint_cost=storage,
        downtime=Exponential(DOWNTIME),
    )
    return slowest_of(task, NODES)


def _means(model: Model, points: Iterable[tuple[float, float, int, float]]) -> list[float]:
    """Return the mean for each rate [1/h], downtime [h], number of nodes and work on each [h]."""
    return [
        completion(
            rate=rate,
            downtime=downtime,
            nodes=nodes,
            work=work,
            storage=model.storage,
            cv=model.cv,
            printed=model.printed,
        ).mean
        + _stored(model, work)
        for rate, downtime, nodes, work in points
    ]


def _stored(model: Model, work: float) -> float:
    """Return what eq. (10) adds for storing to eq. (5) as printed, [h]: the same in every run."""
    return work / INTERVAL * model.storage if model.printed else 0.0


def _uses(model: Model, nodes: int, work: float, repair: float) -> list[float]:
    """Return the means with one more node as worker, replica or spare, by the paper's P_1, [h]."""
    down = repair / (MTBF + repair)
    shorter = 1.0 - nodes * down * (1.0 - down) ** (nodes - 1)
    with _out_of_range():
        worker, alone, spare = (
            wsj_makespan(
                work / count,
                mtbf=MTBF,
                downtime=Gamma.from_mean(mean, cv=model.cv),
                interval=INTERVAL,
                checkpoint_cost=model.storage,
                printed=model.printed,
            )
            for count, mean in ((nodes + 1, repair), (nodes, repair), (nodes, shorter * repair))
        )
    laws = (
        slowest_of(worker, nodes + 1),
        slowest([alone] * (nodes - 1) + [FirstCompletionTime(alone, 2.0)]),
        slowest_of(spare, nodes),
    )
    shares = (work / (nodes + 1), work / nodes, work / nodes)
    return [law.mean + _stored(model, share) for law, share in zip(laws, shares, strict=True)]


@contextmanager
def _out_of_range() -> Iterator[None]:
    """Keep quiet where the paper's parameters leave the range of its approximation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        yield


def _ascending(means: list[float], *places: int) -> bool:
    return bool(np.all(np.diff([means[place] for place in places]) > 0.0))


PLACES = (
    Place(
        "Fig. 1",
        "mean completion: (1/256 per h, 8 h down) / (1/256, 4 h) / (1/512, 8 h)",
        (326.0, 225.5, 266.1),
        0.01,
        "halving the downtime gains more than halving the rate",
        lambda means: _ascending(means, 1, 2, 0),
        partial(
            _means,
            points=(
                (1 / 256, 8.0, NODES, WORK),
                (1 / 256, 4.0, NODES, WORK),
                (1 / 512, 8.0, NODES, WORK),
            ),
        ),
    ),
    Place(
        "Fig. 4",
        "256 nodes / 512 nodes / 256 at half the rate, 8192 h in all",
        (42.5, 26.4, 40.1),
        _BAND,
        "twice the nodes gain more than half the rate",
        lambda means: _ascending(means, 1, 2, 0),
        partial(
            _means,
            points=(
                (1 / 256, DOWNTIME, 256, TOTAL / 256),
                (1 / 256, DOWNTIME, 512, TOTAL / 512),
                (1 / 512, DOWNTIME, 256, TOTAL / 256),
            ),
        ),
    ),
    Place(
        "section 3, N = 10",
        "repair 0.5 h, one more node as worker / replica / spare",
        (128.60, 141.29, 140.83),
        _BAND,
        "best as a worker",
        lambda means: int(np.argmin(means)) == 0,
        partial(_uses, nodes=10, work=1280.0, repair=0.5),
    ),
    Place(
        "section 3, N = 100",
        "repair 4 h, one more node as worker / replica / spare",
        (108.22, 109.01, 97.05),
        _BAND,
        "best as a spare",
        lambda means: int(np.argmin(means)) == 2,
        partial(_uses, nodes=100, work=6400.0, repair=4.0),
    ),
)
