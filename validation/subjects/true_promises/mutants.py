"""Forecasters whose probabilities are not those of what comes."""

from __future__ import annotations

from dataclasses import dataclass

from sim.cluster import CalibratedForecaster, DetectabilityForecaster, Failures
from sim.cluster.forecasts import Outlook, RiskForecaster
from validation.judge.run import Mutant

from .cases import calibrated_forecaster

__all__ = ["MUTANTS"]


@dataclass(frozen=True, slots=True)
class _Mistaken:
    """A forecaster that is told another rate, recall or precision than it has."""

    recall: float
    precision: float
    seed: int
    rate: float

    def outlook(self, failures: Failures | None, nodes: int) -> Outlook:
        forecaster = CalibratedForecaster(self.recall, self.precision, self.rate, self.seed)
        return forecaster.outlook(failures, nodes)


def _of_the_paper(*, recall: float, precision: float, seed: int) -> RiskForecaster:
    """Return a forecaster of that accuracy: what it announces always comes."""
    del precision
    return DetectabilityForecaster(recall, seed)


def _no_false_alarms(*, recall: float, precision: float, seed: int) -> RiskForecaster:
    """Return a forecaster of rate 0: nothing is announced falsely, and nothing missed counted."""
    return _Mistaken(recall, precision, seed, 0.0)


def _twice_the_rate(*, recall: float, precision: float, seed: int) -> RiskForecaster:
    """Return a forecaster that takes failures for twice as frequent as they are."""
    return _Mistaken(recall, precision, seed, 2.0 / 300.0)


MUTANTS = (
    Mutant(calibrated_forecaster, "all that is announced comes, as in qos", _of_the_paper),
    Mutant(calibrated_forecaster, "false alarms and missed failures forgotten", _no_false_alarms),
    Mutant(calibrated_forecaster, "failures taken for twice as frequent", _twice_the_rate),
)
