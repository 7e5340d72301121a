"""The experiments of `qos`: accuracy of the predictor and risk that users accept.

The failure trace of the paper, 1,021 failures of 128 AIX nodes in a year, is not public. Ours are
Weibull gaps with bursts at that rate, drawn per seed, and beside them a LANL system cut to 128
nodes. The paper does not state which 10,000 jobs it used; ours are the first that ran.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..rows import Row, Word, estimate, ordered, worst
from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .cells import BASELINES, PROOF, SHOWN, wanted
from .runs import ACCURACIES, LOGS, Cell, at_hand, cell, lanl, play

__all__ = ["Results", "main", "rows", "table"]

_SETUP = "failures in bursts, users who insist on nothing"
_METRICS = ("qos", "utilization", "lost", "kept")


class Results:
    """The metrics of every cell, selected by accuracy and U."""

    def __init__(self, cells: dict[Cell, dict[str, Any]], seeds: Sequence[int]) -> None:
        self.cells, self.seeds = cells, tuple(seeds)

    def find(self, log: str, accuracy: float, risk: float, **more: Any) -> dict[str, Any] | None:
        """Return the metrics of a cell, by default of the first seed."""
        more.setdefault("seed", self.seeds[0])
        return self.cells.get(cell(log, accuracy, risk, **more))

    def each(self, metric: str, log: str, accuracy: float, risk: float, **more: Any) -> Any:
        """Return one number per seed."""
        found = (self.find(log, accuracy, risk, seed=seed, **more) for seed in self.seeds)
        return np.array([metrics[metric] for metrics in found if metrics is not None])


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write table and figures to `out`.

    With `out` every finished cell is kept in a file there, and not repeated.
    """
    missing = at_hand()
    if missing:
        print(f"these traces are missing: {', '.join(missing)}")
        return 2
    chosen = tuple(range(1, seeds + 1))
    path = None if out is None else out / "qos-cells.jsonl"
    results = Results(sweep(wanted(chosen), play, path=path, workers=workers), chosen)
    found = list(rows(results))
    text = "\n\n".join((table(found), grid(results), others(results), calibrated(results)))

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results.find, folder)

    if out is not None:
        records = [{**asdict(key), **numbers} for key, numbers in results.cells.items()]
        (out / "qos.json").write_text(json.dumps(records, indent=1))
    return shown.end("qos", {_SETUP: found}, text, drawn, out=out)


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
