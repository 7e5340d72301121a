"""The rows of `qos`, judged by intervals over the seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..rows import Row, Word, estimate, ordered, worst
from .cells import PROOF, SHOWN
from .results import Results
from .runs import ACCURACIES, LOGS, Cell

__all__ = ["rows"]

_METRICS = ("qos", "utilization", "lost", "kept")


def rows(results: Results) -> Iterator[Row]:
    """Yield every row of the paper, judged with burst failures, and the LANL result beside it."""
    yield _range(results)
    yield _perfect(results)
    yield _insensitive(results)
    for log in LOGS:
        yield _rising(results, log)
    for log in LOGS:
        yield from _gains(results, log)
    yield _ten_times(results)


def _range(results: Results) -> Row:
    def span(**more: Any) -> str:
        found = np.concatenate(
            [
                results.each("qos", log, accuracy, risk, **more)
                for log in LOGS
                for accuracy in ACCURACIES
                for risk in ((0.9,) if more else SHOWN)
            ]
        )
        return f"{min(found):.3f} .. {max(found):.3f}"

    return Row("QoS, all cells", "0.9 .. 1", span(), span(failures="lanl"), "R", "reported")


def _perfect(results: Results) -> Row:
    ours = [results.each("qos", log, 1.0, 1.0) for log in LOGS]
    beside = [results.each("qos", log, 1.0, 1.0, failures="lanl")[:1] for log in LOGS]
    values = np.concatenate(ours)
    return Row(
        "QoS at a = 1, U = 1",
        "1",
        f"{values.min():.12g}",
        f"{np.concatenate(beside).min():.12g}",
        "E",
        "holds" if (values == 1.0).all() else "fails",
        figure="Fig. 8",
    )


def _insensitive(results: Results) -> Row:
    seed = results.seeds[0]
    pairs = [
        (results.cells[Cell("nasa", a, u, seed)], results.cells[Cell("nasa", a, 0.0, seed)])
        for a, u in PROOF
    ]
    equal = sum(all(one[m] == other[m] for m in _METRICS) for one, other in pairs)
    return Row(
        "metrics do not depend on U where a < U",
        "identity",
        f"{equal} of {len(pairs)} pairs of runs equal to the last digit",
        "",
        "E",
        "holds" if equal == len(pairs) else "fails",
        "by a rule of the users; it does not follow from eq. (3) alone, see below",
    )


def _rising(results: Results, log: str) -> Row:
    runs = [results.each("qos", log, accuracy, 0.9) for accuracy in ACCURACIES]
    means = [float(run.mean()) for run in runs]
    falls = [round(low - high, 4) for low, high in pairwise(means) if high < low]
    return Row(
        f"QoS against accuracy, U = 0.9, {log.upper()}",
        "non-decreasing",
        " ".join(f"{mean:.3f}" for mean in means),
        _beside(results, log, "qos", ".3f"),
        "O",
        "fails" if falls else "holds",
        f"falls by {', '.join(map(str, falls))}; {_steps(runs)}" if falls else "",
        _figure("qos", log),
    )


def _figure(metric: str, log: str) -> str:
    """Return the figure that shows a metric of a log over the accuracy."""
    first = {"qos": 1, "utilization": 3, "lost": 5}[metric]
    return f"Fig. {first if log == 'sdsc' else first + 1}"


def _steps(runs: Sequence[Any]) -> str:
    """Return how many steps from one accuracy to the next decrease in every seed, as text."""
    steps = [high - low for low, high in pairwise(runs)]
    always = sum(bool((step < 0.0).all()) for step in steps)
    return f"{always} of {len(steps)} steps fall in every seed"


def _beside(results: Results, log: str, metric: str, digits: str) -> str:
    found = (results.find(log, a, 0.9, failures="lanl") for a in ACCURACIES)
    return " ".join("-" if each is None else f"{each[metric]:{digits}}" for each in found)


def _gains(results: Results, log: str) -> Iterator[Row]:
    for metric, printed in (("qos", 6.0), ("utilization", 6.0)):
        low, high = (results.each(metric, log, a, 0.9) for a in (0.0, 1.0))
        gain = estimate(100.0 * (high - low) / low)
        within = printed / 2.0 <= gain.mean <= printed * 2.0
        order = ordered(low, high)
        yield Row(
            f"{metric} from a = 0 to a = 1, U = 0.9, {log.upper()}",
            "up to + 6 %",
            f"+ {gain} %",
            _gain_beside(results, log, metric),
            "O, B 2",
            worst((order, "holds" if within else "fails")),
            f"sign {order}; band {'holds' if within else 'fails'}",
            _figure(metric, log),
        )
    low, high = (results.each("lost", log, a, 0.9) for a in (0.0, 1.0))
    ratio = float(np.mean(low) / np.mean(high)) if np.mean(high) > 0.0 else float("inf")
    verdict: Word = "holds" if 4.5 <= ratio <= 18.0 else "fails"
    order = ordered(high, low)
    yield Row(
        f"lost work, a = 0 over a = 1, U = 0.9, {log.upper()}",
        "9",
        f"{np.mean(low):.3g} / {np.mean(high):.3g} = {ratio:.1f}; by seed {_each(low, high)}",
        _beside(results, log, "lost", ".2g"),
        "O, B 2",
        worst((order, verdict)),
        f"sign {order}; band {verdict}",
        _figure("lost", log),
    )


def _each(low: Any, high: Any) -> str:
    return ", ".join(
        f"{one / other:.1f}" if other > 0.0 else "inf" for one, other in zip(low, high, strict=True)
    )


def _gain_beside(results: Results, log: str, metric: str) -> str:
    low, high = (results.find(log, a, 0.9, failures="lanl") for a in (0.0, 1.0))
    if low is None or high is None:
        return "-"
    return f"+ {100.0 * (high[metric] - low[metric]) / low[metric]:.1f} %"


def _ten_times(results: Results) -> Row:
    ratios = [
        float(
            results.each("lost", "sdsc", a, 0.9).mean()
            / results.each("lost", "nasa", a, 0.9).mean()
        )
        for a in ACCURACIES
        if results.each("lost", "nasa", a, 0.9).mean() > 0.0
    ]
    verdict: Word = "holds" if min(ratios) > 1.0 else "fails"
    return Row(
        "lost work, SDSC over NASA, U = 0.9",
        "~10",
        " ".join(f"{ratio:.1f}" for ratio in ratios),
        "",
        "O",
        verdict,
        "more at every accuracy" if verdict == "holds" else "",
        _figure("lost", "sdsc"),
    )
