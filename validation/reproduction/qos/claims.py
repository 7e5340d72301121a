"""What `qos` says of accuracy and risk, judged over seeds, logs and readings of its failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..claims import Claim, Judged, Reading, Step
from ..estimates import estimate
from ..shown import Shown
from .cells import CASES, SHOWN, Case, Results
from .runs import ACCURACIES, LOGS

_TRACE = "the failure trace is not public"
_NAMES = {"qos": "QoS", "utilization": "utilisation", "lost": "lost work"}
_INSISTING = Case(insist=True)


def claims(results: Results, shown: Shown) -> Iterator[Judged]:
    """Yield the claims on the figures that were played."""
    if shown.wants(*(f"fig{n}" for n in range(1, 7))):
        yield from _curves(results)
        yield from _onsets(results)
        yield from _sizes(results)
    if shown.wants(*(f"fig{n}" for n in range(7, 13))):
        yield from _risks(results)


def _curves(results: Results) -> Iterator[Judged]:
    cells = [(log, a, u) for log in LOGS for a in ACCURACIES for u in SHOWN]
    means = {log: [results.each("qos", *at) for at in cells if at[0] == log] for log in LOGS}
    yield Judged(
        Claim(
            "Figs 1, 2",
            "QoS tends to be in the range of 0.9 to 1",
            "0.9 to 1",
            "the mean over all accuracies and U above 0.9, of each log",
            low=0.9,
            cause="F",
            why=_TRACE,
        ),
        [
            Reading(
                {"log": log.upper()},
                f"{np.mean(each):.3f}, from {np.min(each):.3f}",
                [Step.of("", np.mean(each, axis=0))],
            )
            for log, each in means.items()
        ],
    )
    for metric, place, sign in (
        ("qos", "Figs 1, 2", 1.0),
        ("utilization", "Figs 3, 4", 1.0),
        ("lost", "Figs 5, 6", -1.0),
    ):
        says = "falls" if metric == "lost" else "does not fall"
        yield Judged(
            Claim(
                place,
                f"with U = 0.9 {_NAMES[metric]} {says} as the accuracy rises",
                "nondecreasing" if metric == "qos" else "with QoS",
                "from a = 0 to 1 by 0.1, and over all",
                trend=True,
                unit="node s" if metric == "lost" else "",
                cause="F",
                why=_TRACE,
            ),
            [
                _trend(
                    {"log": log.upper(), "users": case.levels["users"]},
                    [results.each(metric, log, a, 0.9, case) for a in ACCURACIES],
                    sign,
                )
                for log in LOGS
                for case in (Case(), _INSISTING)
            ],
        )


def _trend(levels: dict[str, str], runs: Sequence[Any], sign: float) -> Reading:
    pairs = [*pairwise(runs), (runs[0], runs[-1])]
    steps = [Step.of("", sign * (high - low)) for low, high in pairs]
    return Reading(levels, f"{_number(runs[0])} to {_number(runs[-1])}", steps)


def _onsets(results: Results) -> Iterator[Judged]:
    each = results.each

    def late(case: Case) -> Reading:
        steps, texts = [], []
        for risk in (0.5, 0.9):
            early = max(a for a in ACCURACIES if a < risk)
            start, middle, end = (each("qos", "nasa", a, risk, case) for a in (0.0, early, 1.0))
            steps.append(Step.of(f"U = {risk}", (end - middle) - (middle - start)))
            texts.append(f"{np.mean(middle - start):.4f}, then {np.mean(end - middle):.4f}")
        return Reading({"users": case.levels["users"]}, "; ".join(texts), steps)

    yield Judged(
        Claim(
            "Fig. 2",
            "NASA gains no QoS until the accuracy is about U",
            "no benefit",
            "more gained from a = U on than below it, for U = 0.5 and 0.9",
            cause="R",
            why="so where users do not insist on a U above the accuracy",
        ),
        [late(Case()), late(_INSISTING)],
    )
    early = {case: each("qos", "sdsc", 0.1, 0.9, case) for case in CASES[: len(CASES) // 2]}
    yield Judged(
        Claim(
            "Fig. 1",
            "SDSC gains QoS even at an accuracy of 0.1",
            "an improvement",
            "QoS at a = 0.1 less at a = 0, U = 0.9",
            cause="F",
            why=_TRACE,
        ),
        [
            _gain(_without_nasa(case), values - each("qos", "sdsc", 0.0, 0.9, case))
            for case, values in early.items()
        ],
    )
    yield Judged(
        Claim(
            "Figs 1, 2",
            "most of the value of prediction is lost if users ask for little (U = 0.1)",
            "much can be negated",
            "QoS gained from a = 0 to 1 with U = 0.9 less with U = 0.1, in both logs",
        ),
        [
            Reading(
                {"log": log.upper()},
                f"{np.mean(most):.4f} and {np.mean(least):.4f}",
                [Step.of("", most - least)],
            )
            for log in LOGS
            for most, least in [
                [each("qos", log, 1.0, u) - each("qos", log, 0.0, u) for u in (0.9, 0.1)]
            ]
        ],
    )
    yield Judged(
        Claim(
            "Fig. 6",
            "a low accuracy takes from NASA's lost work",
            "reduced",
            "lost work at a = 0 less at a = 0.3, for U = 0.1, 0.5, 0.9",
            unit="node s",
        ),
        [
            Reading(
                {"U": f"{risk}"},
                f"{_number(none)} to {_number(some)} node s",
                [Step.of("", none - some)],
            )
            for risk in SHOWN
            for none, some in [[each("lost", "nasa", a, risk) for a in (0.0, 0.3)]]
        ],
    )


def _gain(levels: dict[str, str], values: Any) -> Reading:
    return Reading(levels, f"{estimate(values)}", [Step.of("", values)])


def _without_nasa(case: Case) -> dict[str, str]:
    return {name: level for name, level in case.levels.items() if name != "NASA's jobs"}


def _sizes(results: Results) -> Iterator[Judged]:
    def greatest(ends: Callable[[Case, str, str], tuple[Any, Any]]) -> Iterator[Reading]:
        """Yield the greater gain of both logs, in QoS and in utilisation, [%]."""
        for case in CASES:
            steps, texts = [], []
            for metric in ("qos", "utilization"):
                gains = {}
                for log in LOGS:
                    low, high = ends(case, metric, log)
                    gains[log] = 100.0 * (high / low - 1.0)
                log = max(LOGS, key=lambda name: float(gains[name].mean()))
                steps.append(Step.of(_NAMES[metric], gains[log]))
                texts.append(f"{_NAMES[metric]} {estimate(gains[log])} ({log.upper()})")
            yield Reading(case.levels, ", ".join(texts), steps)

    def by_accuracy(case: Case, metric: str, log: str) -> tuple[Any, Any]:
        low, high = (results.each(metric, log, a, 0.9, case) for a in (0.0, 1.0))
        return low, high

    def by_risk(case: Case, metric: str, log: str) -> tuple[Any, Any]:
        low, high = (results.each(metric, log, 1.0, u, case) for u in (0.1, 0.9))
        return low, high

    for place, says, printed, size, ends in (
        ("Figs 1, 2, 3, 4", "perfect prediction raises QoS and utilisation", 6.0, 6.0, by_accuracy),
        ("Figs 1, 2, 3, 4", "users who ask for 0.9, not 0.1, raise them", 4.0, 3.0, by_risk),
    ):
        yield Judged(
            Claim(
                place,
                f"{says} by as much as this",
                f"{printed:g} and {size:g} %",
                "the greater gain of both logs within a factor of 2",
                low=size / 2.0,
                high=printed * 2.0,
                unit="%",
                cause="F",
                why=f"{_TRACE}; without bursts on one node too much is struck at a = 0, where "
                "eq. (1) grants no checkpoint",
            ),
            list(greatest(ends)),
        )
    for says, ends in (
        ("perfect prediction lowers", by_accuracy),
        ("users who ask for 0.9, not 0.1, lower", by_risk),
    ):
        yield Judged(
            Claim(
                "Figs 5, 6",
                f"{says} the work that is lost by this factor",
                "9 (4.5 to 0.5)",
                "the ratio within a factor of 2, of one of the logs",
                low=np.log(4.5),
                high=np.log(18.0),
                cause="F",
                why=_TRACE,
            ),
            [
                _ratio({"log": log.upper(), **c.levels}, *ends(c, "lost", log))
                for c in CASES
                for log in LOGS
            ],
        )
    yield Judged(
        Claim(
            "Figs 5, 6",
            "SDSC loses ten times as much work as NASA",
            "typically 10",
            "the ratio of sums over all a, U = 0.9, within a factor of 2",
            low=np.log(5.0),
            high=np.log(20.0),
            cause="F",
            why=_TRACE,
        ),
        [
            _ratio(
                {"accuracies": words},
                *(
                    np.sum([results.each("lost", log, a, 0.9) for a in which], axis=0)
                    for log in ("sdsc", "nasa")
                ),
            )
            for words, which in (("0 to 1", ACCURACIES), ("0", (0.0,)), ("0.5", (0.5,)))
        ],
    )


def _ratio(levels: dict[str, str], high: Any, low: Any) -> Reading:
    """Judge a ratio of means by its logarithm, to first order in the residuals of pairs."""
    if not low.mean() > 0.0:
        return Reading(levels, "inf", [Step("", np.inf)])
    ratio = float(high.mean() / low.mean())
    half = estimate((high - ratio * low) / high.mean()).half
    return Reading(levels, f"{ratio:.1f}", [Step("", float(np.log(ratio)), half, high.size)])


def _risks(results: Results) -> Iterator[Judged]:
    for metric, place, sign in (
        ("qos", "Fig. 8", 1.0),
        ("utilization", "Figs 9, 10", 1.0),
        ("lost", "Figs 11, 12", -1.0),
    ):
        says = "falls" if metric == "lost" else "rises"
        yield Judged(
            Claim(
                place,
                f"with a = 1 {_NAMES[metric]} {says} as users ask for more",
                "tends to increase" if metric == "qos" else "improves with QoS",
                "from U = 0 to 1 by 0.1, and over all",
                trend=True,
                unit="node s" if metric == "lost" else "",
                cause="F",
                why=_TRACE,
            ),
            [
                _trend(
                    {"log": log.upper()},
                    [results.each(metric, log, 1.0, u) for u in ACCURACIES],
                    sign,
                )
                for log in LOGS
            ],
        )


def _number(values: Any) -> str:
    mean = float(values.mean())
    return f"{mean:.3f}" if mean < 10.0 else f"{mean:.2g}"
