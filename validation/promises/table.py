"""The table of entries: how often intervals hold, how sharp they are, and promises kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from ..advice.logs import FailureLog
from .entries import Forecaster, floor
from .player import makespan
from .scores import Score, score
from .windows import Window, windows

__all__ = ["BANDS", "Row", "floor_scores", "reliability", "row_of", "scores_of"]

FloatArray = npt.NDArray[np.float64]
_FEWEST = 60  # windows of a log that is judged by itself
_RESAMPLED = 2000
BANDS = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.975), (0.975, 1.01))


def scores_of(
    entry: Forecaster, logs: Iterable[FailureLog], *, seed: int, shift: float = 0.0
) -> tuple[list[Score], float]:
    """Return the scores of all windows, and the mean processor time of a forecast, [s]."""
    found, spent = [], 0.0
    for window in (each for log in logs for each in windows(log, shift=shift)):
        begin = process_time()
        stated = entry(window.history, window.job, np.random.default_rng([seed, *window.seed]))
        spent += process_time() - begin
        found.append(_scored(window, stated))
    return found, spent / max(len(found), 1)


def floor_scores(logs: Iterable[FailureLog], *, seed: int) -> list[Score]:
    """Return the scores of a constant rate at that of the window itself, which nobody knows."""
    return [
        _scored(
            window,
            floor(window.future, window.job, np.random.default_rng([seed, *window.seed])),
        )
        for log in logs
        for window in windows(log)
    ]


def _scored(window: Window, stated: FloatArray) -> Score:
    came = makespan(window.job, window.future.tolist())
    return score(window.log, window.job, window.history.mtbf, stated, came)


@dataclass(frozen=True, slots=True)
class Row:
    """One entry, every log of the same weight, and in it every work.

    `held` has the shares of central intervals of 50, 80 and 90 % that hold, `limits` those of the
    last one by resampling logs, `worst` the least of a log of 60 windows; `crps` and `width` are in
    percent of the work, `ratio` is the geometric mean of the CRPS of a log over that of the entry
    compared with; `late` is how often promises above 0.975 were kept, `difference` the mean
    distance of promised and kept over the bands of `reliability`.
    """

    name: str
    windows: int
    held: tuple[float, float, float]
    limits: tuple[float, float]
    worst: float
    crps: float
    ratio: float
    width: float
    late: float
    difference: float
    cost_s: float

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


def _by_log(scores: Sequence[Score], value: Any) -> dict[str, float]:
    """Return the mean of a value in each log, every work of the same weight."""
    found: dict[str, dict[float, list[float]]] = {}
    for each in scores:
        found.setdefault(each.log, {}).setdefault(each.work, []).append(value(each))
    return {
        log: float(np.mean([np.mean(values) for values in works.values()]))
        for log, works in found.items()
    }


def row_of(name: str, scores: Sequence[Score], cost_s: float, *, against: Sequence[Score]) -> Row:
    """Return the row of an entry, its CRPS compared with that of another."""
    held = [_by_log(scores, lambda each, at=at: each.covered(at)) for at in (0.5, 0.8, 0.9)]
    last = np.array(list(held[-1].values()))
    rng = np.random.default_rng(20261126)
    resampled = last[rng.integers(len(last), size=(_RESAMPLED, len(last)))].mean(axis=1)
    low, high = np.quantile(resampled, [0.025, 0.975])
    many = [log for log in held[-1] if sum(each.log == log for each in scores) >= _FEWEST]
    crps, other = _by_log(scores, lambda each: each.crps), _by_log(against, lambda each: each.crps)
    bands = reliability(scores)
    late = next((kept for low_, _, kept, _ in bands if low_ == BANDS[-1][0]), np.nan)
    return Row(
        name,
        len(scores),
        tuple(float(np.mean(list(each.values()))) for each in held),  # type: ignore[arg-type]
        (float(low), float(high)),
        min((held[-1][log] for log in many), default=np.nan),
        100.0 * float(np.mean(list(crps.values()))),
        float(np.exp(np.mean([np.log(crps[log] / other[log]) for log in crps]))),
        100.0 * float(np.mean(list(_by_log(scores, lambda each: each.width).values()))),
        late,
        float(np.mean([abs(promised - kept) for _, promised, kept, _ in bands])),
        cost_s,
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


def rows_of(
    entries: Mapping[str, Forecaster], logs: Sequence[FailureLog], *, seed: int
) -> list[Row]:
    """Return a row for each entry; CRPS are compared with the second, the exponential."""
    found = {name: scores_of(entry, logs, seed=seed) for name, entry in entries.items()}
    against = next(scores for name, (scores, _) in found.items() if name.startswith("exponential"))
    rows = [row_of(name, *each, against=against) for name, each in found.items()]
    return [*rows, row_of("window's own rate", floor_scores(logs, seed=seed), 0.0, against=against)]
