"""The rows of `qos`, judged by intervals over the seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..rows import Row, above, estimate, not_falling, ordered, signed, within_factor, worst
from .cells import PROOF, RISKS, SHOWN
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
    yield _early(results)
    for risk in (0.5, 0.9):
        yield _onset(results, risk)
    for log in LOGS:
        yield _rising_with_risk(results, log)
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
        (
            results.cells[Cell("nasa", a, u, seed, insist=results.insist)],
            results.cells[Cell("nasa", a, 0.0, seed)],
        )
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
        "it does not follow from eq. (3), see below"
        if results.insist
        else "by a rule of the users; it does not follow from eq. (3) alone, see below",
    )


def _rising(results: Results, log: str) -> Row:
    runs = [results.each("qos", log, accuracy, 0.9) for accuracy in ACCURACIES]
    return Row(
        f"QoS against accuracy, U = 0.9, {log.upper()}",
        "non-decreasing",
        _means(runs),
        _beside(results, log, "qos", ".3f"),
        "O",
        not_falling(*runs),
        _falls(runs),
        _figure("qos", log),
    )


def _rising_with_risk(results: Results, log: str) -> Row:
    runs = [results.each("qos", log, 1.0, risk) for risk in RISKS]
    return Row(
        f"QoS against U, a = 1, {log.upper()}",
        "tends to increase",
        _means(runs),
        "",
        "O",
        worst((not_falling(*runs), ordered(runs[0], runs[-1], by_interval=True))),
        _falls(runs),
        "Fig. 8",
    )


def _onset(results: Results, risk: float) -> Row:
    """Judge that most of NASA's gain comes once the accuracy has reached U."""
    early = max(accuracy for accuracy in ACCURACIES if accuracy < risk)
    start, middle, end = (results.each("qos", "nasa", a, risk) for a in (0.0, early, 1.0))
    before, after = estimate(middle - start), estimate(end - middle)
    return Row(
        f"QoS gained below and from a = U, U = {risk}, NASA",
        "none, then some",
        f"{before.mean:.4f} ± {before.half:.4f}, {after.mean:.4f} ± {after.half:.4f}",
        "",
        "O",
        ordered(middle - start, end - middle, by_interval=True),
        "judged: more from a = U on than below it",
        "Fig. 2",
    )


def _early(results: Results) -> Row:
    """Judge that SDSC gains from the least accuracy on."""
    start, step = (results.each("qos", "sdsc", a, 0.9) for a in (0.0, 0.1))
    gain = estimate(step - start)
    return Row(
        "QoS gained at a = 0.1, U = 0.9, SDSC",
        "some",
        f"{gain.mean:.4f} ± {gain.half:.4f}",
        "",
        "O",
        above(0.0, gain, by_interval=True),
        figure="Fig. 1",
    )


def _means(runs: Sequence[Any]) -> str:
    return " ".join(f"{float(run.mean()):.3f}" for run in runs)


def _falls(runs: Sequence[Any]) -> str:
    """Return by how much means fall from one to the next, and how often in every seed."""
    means = [float(run.mean()) for run in runs]
    falls = [f"{low - high:.4f}" for low, high in pairwise(means) if high < low]
    return f"falls by {', '.join(falls)}; {_steps(runs)}" if falls else ""


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
    """Yield the gains by prediction, then those by users who ask for more."""
    for metric in ("qos", "utilization"):
        ends = [results.each(metric, log, accuracy, 0.9) for accuracy in (0.0, 1.0)]
        what = f"{metric} from a = 0 to a = 1, U = 0.9, {log.upper()}"
        beside = _gain_beside(results, log, metric)
        yield _gain(what, 6.0, ends, beside, _figure(metric, log))
    ends = [results.each("lost", log, accuracy, 0.9) for accuracy in (0.0, 1.0)]
    what = f"lost work, a = 0 over a = 1, U = 0.9, {log.upper()}"
    yield _ratio(what, ends, _beside(results, log, "lost", ".2g"), _figure("lost", log))
    for metric, printed, figure in (("qos", 4.0, 1), ("utilization", 3.0, 3)):
        ends = [results.each(metric, log, 1.0, risk) for risk in (0.1, 0.9)]
        what = f"{metric} from U = 0.1 to U = 0.9, a = 1, {log.upper()}"
        yield _gain(what, printed, ends, "", f"Fig. {figure + (log == 'nasa')}")
    ends = [results.each("lost", log, 1.0, risk) for risk in (0.1, 0.9)]
    what = f"lost work, U = 0.1 over U = 0.9, a = 1, {log.upper()}"
    yield _ratio(what, ends, "", _figure("lost", log))


def _gain(what: str, printed: float, ends: Sequence[Any], beside: str, figure: str) -> Row:
    low, high = ends
    gain = estimate(100.0 * (high - low) / low)
    order = ordered(low, high, by_interval=True)
    band = within_factor(printed, gain, 2.0, by_interval=True)
    return Row(
        what,
        f"up to + {printed:.0f} %",
        f"{signed(gain)} %",
        beside,
        "O, B 2",
        worst((order, band)),
        f"sign {order}; band {band}",
        figure,
    )


def _ratio(what: str, ends: Sequence[Any], beside: str, figure: str) -> Row:
    """Judge a ratio of 9 between means, of pairs of runs, within a factor of 2.

    The ratio is above a limit where low - limit x high has a mean above 0.
    """
    low, high = ends
    ratio = float(np.mean(low) / np.mean(high)) if np.mean(high) > 0.0 else float("inf")
    order = ordered(high, low, by_interval=True)
    band = worst(
        (
            above(0.0, estimate(low - 4.5 * high), by_interval=True),
            above(0.0, estimate(18.0 * high - low), by_interval=True),
        )
    )
    return Row(
        what,
        "9",
        f"{np.mean(low):.3g} / {np.mean(high):.3g} = {ratio:.1f}; by seed {_each(low, high)}",
        beside,
        "O, B 2",
        worst((order, band)),
        f"sign {order}; band {band}",
        figure,
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
    runs = [
        (results.each("lost", "nasa", a, 0.9), results.each("lost", "sdsc", a, 0.9))
        for a in ACCURACIES
    ]
    verdict = worst(ordered(nasa, sdsc, by_interval=True) for nasa, sdsc in runs)
    ratios = (sdsc.mean() / nasa.mean() for nasa, sdsc in runs if nasa.mean() > 0.0)
    return Row(
        "lost work, SDSC over NASA, U = 0.9",
        "~10",
        " ".join(f"{ratio:.1f}" for ratio in ratios),
        "",
        "O",
        verdict,
        "judged: more at every accuracy",
        _figure("lost", "sdsc"),
    )
