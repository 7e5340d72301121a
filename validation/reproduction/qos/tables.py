"""The tables of `qos`: rows, cells, baselines, lengths of bursts, promises against kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..rows import Row
from .cells import BASELINES, SHOWN
from .results import Results
from .runs import ACCURACIES, LOGS, Cell, lanl

__all__ = ["calibrated", "grid", "others", "table"]


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
            f"{len(results.seeds)} seeds (standard deviation); insisting: the first seed",
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


def calibrated(results: Results) -> str:
    """Write promised against kept for two forecasters."""
    lines = [
        "Promises by their probability, SDSC, first seed:",
        "",
        "| forecaster | jobs | promised | kept (95 %) |",
        "|---|---|---|---|",
    ]
    shown = {
        "detectability, a = 1, U = 0.1": results.find("sdsc", 1.0, 0.1),
        "detectability, a = 0.5, U = 0.5": results.find("sdsc", 0.5, 0.5),
        "failure rate alone": results.find("sdsc", 0.0, 0.0, forecaster="rate"),
    }
    for name, metrics in shown.items():
        for each in (metrics or {"calibration": ()})["calibration"]:
            lines.append(
                f"| {name} | {each['jobs']} | {each['promised']:.3f} "
                f"| {each['observed']:.3f} ({each['low']:.3f} .. {each['high']:.3f}) |"
            )
    speed = lanl()[1]
    return "\n".join([*lines, "", f"The clock of the LANL log ran {speed:.1f} times as fast."])
