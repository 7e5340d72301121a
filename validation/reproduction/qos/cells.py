"""The cells that the rows and figures of `qos` need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias

from .runs import ACCURACIES, LOGS, Cell, cell

__all__ = [
    "BASELINES",
    "LENGTHS",
    "PLACES",
    "PREDICTORS",
    "PROOF",
    "REQUESTS",
    "RISKS",
    "SHOWN",
    "promised",
    "struck_in",
    "wanted",
]

Where: TypeAlias = Literal["anywhere", "node"]

RISKS = ACCURACIES
SHOWN = (0.1, 0.5, 0.9)  # the U of the paper's figures against accuracy
BASELINES = ("all", "none")
LENGTHS = (1.0, 1.5, 2.0, 4.0, 8.0, 16.0)  # mean failures in a burst
PLACES: tuple[Where, ...] = ("anywhere", "node")  # of the failures of a burst
REQUESTS = ("none", "risk")  # of checkpoints, where promises are judged
PREDICTORS = ("calibrated", "detectability", "rate")
PROOF = ((0.5, 0.6), (0.5, 0.9), (0.3, 0.1), (0.3, 0.7))  # (a, U) that must not matter


def wanted(seeds: Sequence[int]) -> Iterator[Cell]:
    """Yield every cell, those of the first seed and of the rows first."""
    for seed in seeds:
        for log in LOGS:
            for accuracy in ACCURACIES:
                for risk, insist in product(SHOWN, (False, True)):
                    yield cell(log, accuracy, risk, seed=seed, insist=insist)
            for risk in RISKS:
                yield cell(log, 1.0, risk, seed=seed)
            for length, where in product(LENGTHS, PLACES):
                yield from struck_in(log, length, where, seed)
            for predictor, requests in product(PREDICTORS, REQUESTS):
                yield promised(log, predictor, requests, seed)
    for accuracy, risk in PROOF:
        yield Cell("nasa", accuracy, risk, seed=seeds[0])
        yield Cell("nasa", accuracy, risk, seed=seeds[0], insist=True)
        yield Cell("nasa", accuracy, 0.0, seed=seeds[0])
    for log in LOGS:
        yield Cell(log, 0.0, 0.0, seed=seeds[0], forecaster="rate")
        for baseline in BASELINES:
            yield Cell(log, 0.0, 0.0, seed=seeds[0], checkpointing=baseline)
        for accuracy in ACCURACIES:
            for insist in (False, True):
                yield cell(log, accuracy, 0.9, seed=seeds[0], failures="lanl", insist=insist)
        yield Cell(log, 1.0, 1.0, seed=seeds[0], failures="lanl")


def struck_in(log: str, length: float, where: Where, seed: int) -> tuple[Cell, Cell, Cell]:
    """Return the cells without and with prediction of bursts, and without but with checkpoints.

    Bursts of a single failure each strike one node wherever they strike.
    """
    bursts: dict[str, Any] = {"burst": length, "where": "anywhere" if length == 1.0 else where}
    return (
        cell(log, 0.0, 0.9, seed=seed, **bursts),
        cell(log, 1.0, 0.9, seed=seed, **bursts),
        cell(log, 0.0, 0.9, seed=seed, checkpointing="all", **bursts),
    )


def promised(log: str, predictor: str, requests: str, seed: int) -> Cell:
    """Return the cell of a predictor on independent failures, with users who ask for little."""
    return Cell(
        log,
        1.0,
        0.1,
        seed,
        failures="poisson",
        forecaster=predictor,
        checkpointing=requests,
    )
