"""The table of entries: how often intervals hold, how sharp they are, and promises kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from .entries import exponential, floor
from .laws import Forecaster, draws_of
from .player import makespan
from .scores import Score, score
from .windows import DAY, Window

__all__ = [
    "BANDS",
    "FLOOR",
    "Row",
    "Seer",
    "by_log",
    "reliability",
    "row_of",
    "rows_of",
    "scores_of",
]

FloatArray = npt.NDArray[np.float64]
Seer = Callable[[Window], Any]  # who may see what came; `told` keeps it from a forecaster
FLOOR = "window's own rate"
_FEWEST = 60  # windows of a log that is judged by itself
_RESAMPLED = 2000
_LEAST = 1e-6  # CRPS of a window in a ratio, which one of certainty would have at 0
_RANKED = (0.87, 0.94)  # between which an entry must cover
_LIMIT = 0.01  # of the binomial law of what a log holds
BANDS = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.975), (0.975, 1.01))


def told(entry: Forecaster) -> Seer:
    """Return an entry that is told the past and the job alone."""
    return lambda window: entry(window.history, window.job)


def scores_of(entry: Seer, windows: Iterable[Window]) -> tuple[list[Score], list[float]]:
    """Return the scores of windows, and the processor time of each forecast, [s]."""
    found, spent = [], []
    for window in windows:
        job = window.job
        came = makespan(job, window.future.tolist(), window.waits.tolist())
        begin = process_time()
        try:
            stated, refused = draws_of(entry(window), job), False
        except Exception:
            stated, refused = draws_of(exponential(window.history, job), job), True
        spent.append(process_time() - begin)
        each = score(window.log, job, stated, came)
        found.append(replace(each, crps=2.0 * each.crps, refused=True) if refused else each)
    return found, spent


@dataclass(frozen=True, slots=True)
class Row:
    """One entry on one kind of job; every log of the same weight, and in it every work.

    Parameters
    ----------
    windows, refused : int, [-]
        How many were asked, and at how many nothing was stated.
    held, low, high : tuple of float, [-]
        Shares of central intervals of 50, 80 and 90 % that hold; 95 % limits by resampling sites.
    by_work : dict, [-]
        The last share, and `ratio`, for jobs of 7, 30 and 90 days.
    worst : float, [-]
        Least share of 90 % intervals of a log of 60 windows or more.
    failed : tuple of str
        Logs that hold less than 90 % intervals may, by the 1 % limit of the binomial law.
    crps, width, ratio, saved : float, [%], [%], [-], [-]
        CRPS and length of 90 % intervals over the work; geometric mean over logs of the CRPS over
        that of the exponential; what the mean CRPS is below that of the exponential.
    brier, late, difference : float, [-]
        Mean squared error of promised deadlines; how often those above 0.975 were kept; mean
        distance of promised and kept over the bands.
    deciles, bands : sequence
        Shares of outcomes in tenths of the stated law; `reliability`.
    cost_s, cost_95_s : float, [s]
        Median processor time of a forecast, and what one in twenty exceeds.
    signature : str
        Of all the scores.
    rank : int, optional
        By `ratio`, among entries that cover 87 to 94 % and fail on no log.
    """

    name: str
    windows: int
    refused: int
    held: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    by_work: Mapping[str, tuple[float, float]]
    worst: float
    failed: tuple[str, ...]
    crps: float
    width: float
    ratio: float
    saved: float
    brier: float
    late: float
    difference: float
    mean_place: float
    deciles: tuple[float, ...]
    bands: Sequence[tuple[float, float, float, int]]
    cost_s: float
    cost_95_s: float
    signature: str
    rank: int | None = None

    @property
    def ranked(self) -> bool:
        """Whether the row covers what it states, pooled and on every log."""
        return _RANKED[0] <= self.held[-1] <= _RANKED[1] and not self.failed

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return asdict(self)


def by_log(scores: Iterable[Score], value: Callable[[Score], float]) -> dict[str, float]:
    """Return the mean of a value in each log, every work of the same weight."""
    found: dict[str, dict[float, list[float]]] = {}
    for each in scores:
        found.setdefault(each.log, {}).setdefault(each.work, []).append(value(each))
    return {
        log: float(np.mean([np.mean(values) for values in works.values()]))
        for log, works in found.items()
    }


def _mean(scores: Iterable[Score], value: Callable[[Score], float]) -> float:
    return float(np.mean(list(by_log(scores, value).values())))


def _limits(of_logs: Mapping[str, float]) -> tuple[float, float]:
    """Return 95 % limits of the mean over logs by resampling sites, the first words of names."""
    sites: dict[str, list[float]] = {}
    for log, value in of_logs.items():
        sites.setdefault(log.split()[0], []).append(value)
    sums = np.array([[sum(values), len(values)] for values in sites.values()])
    rng = np.random.default_rng(20261126)
    total = sums[rng.integers(len(sums), size=(_RESAMPLED, len(sums)))].sum(axis=1)
    low, high = np.quantile(total[:, 0] / total[:, 1], [0.025, 0.975])
    return float(low), float(high)


def _ratio(scores: Iterable[Score], against: Iterable[Score]) -> float:
    own, other = (by_log(each, lambda one: max(one.crps, _LEAST)) for each in (scores, against))
    return float(np.exp(np.mean([np.log(own[log] / other[log]) for log in own])))


def row_of(
    name: str, scores: Sequence[Score], spent: Sequence[float], *, against: Sequence[Score]
) -> Row:
    """Return the row of an entry, its CRPS compared with that of another."""
    held = [by_log(scores, lambda each, at=at: each.covered(at)) for at in (0.5, 0.8, 0.9)]  # type: ignore[misc]
    limits = [_limits(each) for each in held]
    hits: dict[str, list[float]] = {}
    for each in scores:
        hits.setdefault(each.log, []).append(each.covered(0.9))
    bands = reliability(scores)
    late = next((kept for low, _, kept, _ in bands if low == BANDS[-1][0]), np.nan)
    by_work = {}
    for work in sorted({each.work for each in scores}):
        here, there = ([each for each in of if each.work == work] for of in (scores, against))
        by_work[f"{work / DAY:g}"] = (
            _mean(here, lambda each: each.covered(0.9)),
            _ratio(here, there),
        )
    crps = _mean(scores, lambda each: each.crps)
    return Row(
        name=name,
        windows=len(scores),
        refused=sum(each.refused for each in scores),
        held=tuple(float(np.mean(list(each.values()))) for each in held),
        low=tuple(low for low, _ in limits),
        high=tuple(high for _, high in limits),
        by_work=by_work,
        worst=min(
            (float(np.mean(each)) for each in hits.values() if len(each) >= _FEWEST), default=np.nan
        ),
        failed=tuple(
            log
            for log, each in hits.items()
            if stats.binom.cdf(np.ceil(sum(each) - 1e-9), len(each), 0.9) < _LIMIT
        ),
        crps=100.0 * crps,
        width=100.0 * _mean(scores, lambda each: each.width),
        ratio=_ratio(scores, against),
        saved=1.0 - crps / _mean(against, lambda each: each.crps),
        brier=_mean(
            scores,
            lambda each: float(
                np.mean([(p - k) ** 2 for p, k in zip(each.promised, each.kept, strict=True)])
            ),
        ),
        late=late,
        difference=float(np.mean([abs(promised - kept) for _, promised, kept, _ in bands])),
        mean_place=_mean(scores, lambda each: (each.below + each.up_to) / 2.0),
        deciles=tuple(
            _mean(scores, lambda each, at=at: each.between(at / 10.0, (at + 1) / 10.0))  # type: ignore[misc]
            for at in range(10)
        ),
        bands=bands,
        cost_s=float(np.median(spent)),
        cost_95_s=float(np.quantile(spent, 0.95)),
        signature=sha256(repr([(e.below, e.up_to, e.crps) for e in scores]).encode()).hexdigest()[
            :12
        ],
    )


def reliability(scores: Sequence[Score]) -> list[tuple[float, float, float, int]]:
    """Return of each band its lower end, the mean promised, how often kept, and how many."""
    promised = np.array([each for one in scores for each in one.promised])
    kept = np.array([each for one in scores for each in one.kept], dtype=np.float64)
    found = []
    for low, high in BANDS:
        inside = (promised >= low) & (promised < high)
        if inside.any():
            mean, share = float(promised[inside].mean()), float(kept[inside].mean())
            found.append((low, mean, share, int(inside.sum())))
    return found


def rows_of(entries: Mapping[str, Forecaster], windows: Sequence[Window]) -> list[Row]:
    """Return a row for each entry, and that of the floor; CRPS go by that of the exponential."""
    seers = {**{name: told(entry) for name, entry in entries.items()}, FLOOR: floor}
    found = {name: scores_of(seer, windows) for name, seer in seers.items()}
    same = next((name for name, entry in entries.items() if entry is exponential), None)
    against = found[same][0] if same else scores_of(told(exponential), windows)[0]
    rows = [row_of(name, *each, against=against) for name, each in found.items()]
    order = sorted((row.ratio, row.name) for row in rows if row.ranked and row.name != FLOOR)
    ranks = {name: 1 + at for at, (_, name) in enumerate(order)}
    return [replace(row, rank=ranks.get(row.name)) for row in rows]
