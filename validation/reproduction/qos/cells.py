"""The cells that the rows and figures of `qos` need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .runs import ACCURACIES, LOGS, Cell, cell

__all__ = ["BASELINES", "RISKS", "SHOWN", "wanted"]

RISKS = ACCURACIES
SHOWN = (0.1, 0.5, 0.9)  # the U of the paper's figures against accuracy
BASELINES = ("all", "none")
PROOF = ((0.5, 0.6), (0.5, 0.9), (0.3, 0.1), (0.3, 0.7))  # (a, U) that must not matter


def wanted(seeds: Sequence[int]) -> Iterator[Cell]:
    """Yield every cell, those of the first seed and of the rows first."""
    for seed in seeds:
        for log in LOGS:
            for accuracy in ACCURACIES:
                for risk in SHOWN:
                    yield cell(log, accuracy, risk, seed=seed)
            for risk in RISKS:
                yield cell(log, 1.0, risk, seed=seed)
    for accuracy, risk in PROOF:
        yield Cell("nasa", accuracy, risk, seed=seeds[0])
        yield Cell("nasa", accuracy, 0.0, seed=seeds[0])
    for log in LOGS:
        yield Cell(log, 0.0, 0.0, seed=seeds[0], forecaster="rate")
        for baseline in BASELINES:
            yield Cell(log, 0.0, 0.0, seed=seeds[0], checkpointing=baseline)
        for accuracy in ACCURACIES:
            yield cell(log, accuracy, 0.9, seed=seeds[0], insist=True)
            yield cell(log, accuracy, 0.9, seed=seeds[0], failures="lanl")
        yield Cell(log, 1.0, 1.0, seed=seeds[0], failures="lanl")
