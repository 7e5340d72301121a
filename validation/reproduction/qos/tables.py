"""The tables of `qos`: rows, cells, baselines, lengths of bursts, promises against kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from ..rows import Row, estimate, signed
from .cells import BASELINES, LENGTHS, PLACES, PREDICTORS, REQUESTS, SHOWN, promised, struck_in
from .results import Promises, Results
from .runs import ACCURACIES, LOGS, Cell, lanl

__all__ = ["calibrated", "grid", "lengths", "others", "table"]


def table(found: Sequence[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = [
        "| what | printed | ours, bursts | beside, LANL | kind | verdict |",
        "|---|---|---|---|---|---|",
    ]
    for row in found:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f"{verdict}: {row.note}" if row.note else verdict
        lines.append(
            f"| {row.what} | {row.printed} | {row.ours} | {row.beside} | {row.kind} | {note} |"
        )
    return "\n".join(lines)


def grid(results: Results) -> str:
    """Write QoS, utilisation and lost work at every accuracy and U, over the seeds."""
    lines = []
    for log in LOGS:
        lines += [
            f"{log.upper()}: QoS / capacity utilised / lost work [10^6 node s], means over "
            f"{len(results.seeds)} seeds (standard deviation)",
            "",
            "| a | " + " | ".join(f"U = {risk}" for risk in SHOWN) + " | U = 0.9, insisting |",
            "|---|" + "---|" * (len(SHOWN) + 1),
        ]
        for accuracy in ACCURACIES:
            texts = [_cell(results, log, accuracy, risk) for risk in SHOWN]
            texts.append(_cell(results, log, accuracy, 0.9, insist=True))
            lines.append(f"| {accuracy} | " + " | ".join(texts) + " |")
        lines.append("")
    return "\n".join(lines).rstrip()


def _cell(results: Results, log: str, accuracy: float, risk: float, **more: Any) -> str:
    means = [results.each(m, log, accuracy, risk, **more) for m in ("qos", "utilization", "lost")]
    if not means[0].size:
        return "-"
    digits = ((1.0, 3), (1.0, 3), (1e6, 1))
    return " / ".join(
        _spread(each / unit, places) for each, (unit, places) in zip(means, digits, strict=True)
    )


def _spread(values: Any, places: int) -> str:
    """Write the mean over seeds, with the standard deviation if there are several."""
    mean = f"{values.mean():.{places}f}"
    return mean if values.size < 2 else f"{mean} ({values.std(ddof=1):.{places}f})"


def others(results: Results) -> str:
    """Write what the baselines of checkpointing do, without a predictor."""
    lines = [
        "Checkpoints without a predictor, first seed:",
        "",
        "| log | requests granted | QoS | capacity utilised | lost [10^6 node s] |",
        "|---|---|---|---|---|",
    ]
    seed = results.seeds[0]
    for log in LOGS:
        runs = {"by risk": results.cells[Cell(log, 0.0, 0.0, seed)]}
        for name in BASELINES:
            runs[name] = results.cells[Cell(log, 0.0, 0.0, seed, checkpointing=name)]
        runs["by risk, rate known"] = results.cells[Cell(log, 0.0, 0.0, seed, forecaster="rate")]
        lines += [
            f"| {log.upper()} | {name} | {run['qos']:.3f} | {run['utilization']:.3f} "
            f"| {run['lost'] / 1e6:.1f} |"
            for name, run in runs.items()
        ]
    return "\n".join(lines)


def lengths(results: Results) -> str:
    """Write what the length of bursts does, where they strike anywhere and where the same node."""
    lines = [
        "Failures a burst, at 1,021 failures a year; from a = 0 to a = 1 with U = 0.9, "
        f"{len(results.seeds)} seeds:",
        "",
        "| log | burst strikes | failures | QoS [%] | utilisation [%] | lost work, ratio "
        "| ratio, all requests granted at a = 0 |",
        "|---|---|---|---|---|---|---|",
    ]
    for log, where, length in product(LOGS, PLACES, LENGTHS):
        if length == 1.0 and where != PLACES[0]:
            continue
        blind, sure, saved = (
            [results.cells[each] for each in cells]
            for cells in zip(
                *(struck_in(log, length, where, seed) for seed in results.seeds), strict=True
            )
        )
        gains = (
            estimate([100.0 * (b[m] / a[m] - 1.0) for a, b in zip(blind, sure, strict=True)])
            for m in ("qos", "utilization")
        )
        lost = [float(np.mean([run["lost"] for run in runs])) for runs in (blind, sure, saved)]
        ratios = (f"{part / lost[1]:.1f}" if lost[1] else "inf" for part in (lost[0], lost[2]))
        place = {"anywhere": "any nodes", "node": "one node"}[where]
        lines.append(
            f"| {log.upper()} | {place} | {length:g} | "
            + " | ".join([*(signed(gain) for gain in gains), *ratios])
            + " |"
        )
    return "\n".join(lines)


def calibrated(results: Results) -> str:
    """Write promised against kept for three predictors on independent failures."""
    lines = [
        "Independent failures, U = 0.1, all seeds; intervals over the seeds:",
        "",
        "| log | checkpoints | predictor | jobs | promised | kept | kept - promised "
        "| not struck - promised |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for log, requests, predictor in product(LOGS, REQUESTS, PREDICTORS):
        both = (
            results.promises(log, predictor, requests, outcome)
            for outcome in ("calibration", "spared")
        )
        lines += [
            f"| {log.upper()} | {requests} | {predictor} | {kept.jobs} | {kept.said:.4f} "
            f"| {kept.came:.4f} | {_signed(kept)} | {_signed(spared)} |"
            for kept, spared in zip(*both, strict=True)
        ]
    lines += ["", "Brier scores of the same promises (lower is better):", ""]
    lines += ["| log | checkpoints | " + " | ".join(PREDICTORS) + " |", "|---" * 5 + "|"]
    for log, requests in product(LOGS, REQUESTS):
        scores = (
            np.mean(
                [
                    results.cells[promised(log, predictor, requests, seed)]["brier"]
                    for seed in results.seeds
                ]
            )
            for predictor in PREDICTORS
        )
        lines.append(f"| {log.upper()} | {requests} | {' | '.join(f'{s:.5f}' for s in scores)} |")
    speed = lanl()[1]
    return "\n".join([*lines, "", f"The clock of the LANL log ran {speed:.1f} times as fast."])


def _signed(found: Promises) -> str:
    """Return a difference with its interval, marked where that leaves out 0."""
    text = f"{found.more.mean:+.4f} ± {found.more.half:.4f}"
    return f"**{text}**" if abs(found.more.mean) > found.more.half else text
