"""Wrong estimates: censoring ignored, wrong widths of intervals, wrong degrees of freedom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import chdtri

from perfmodel.fitting import LifetimeFits, MtbfConfidence, fit_lifetime, mtbf_confidence
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _cut_counted_as_seen(durations: Any, *, censored: Any, **options: Any) -> LifetimeFits:
    del censored
    return fit_lifetime(durations, **options)


def _cut_dropped(
    durations: Any, *, censored: Any, entered: Any = None, **options: Any
) -> LifetimeFits:
    ages = None if entered is None else entered[~censored]
    return fit_lifetime(durations[~censored], entered=ages, **options)


def _one_standard_error(
    durations: Any, *, confidence: float = 0.95, **options: Any
) -> LifetimeFits:
    return fit_lifetime(durations, confidence=0.68 if confidence > 0.9 else confidence, **options)


def _constant_dropped(durations: Any, **options: Any) -> LifetimeFits:
    fits = fit_lifetime(durations, **options)
    rows = tuple(
        replace(row, log_likelihood=row.log_likelihood + 0.5 * len(durations)) for row in fits.rows
    )
    return replace(fits, rows=rows)


def _digits_lost(durations: Any, **options: Any) -> LifetimeFits:
    """Drop the families whose likelihood is rounding noise at a mean far beyond the record."""
    fits = fit_lifetime(durations, **options)
    far = 1e10 * float(np.mean(durations))
    rows = tuple(row for row in fits.rows if row.family != "gamma" or row.mean < far)
    return replace(fits, rows=rows)


def _entries_ignored(durations: Any, *, entered: Any = None, **options: Any) -> LifetimeFits:
    del entered
    return fit_lifetime(durations, **options)


def _entries_taken_off(durations: Any, *, entered: Any = None, **options: Any) -> LifetimeFits:
    """Let durations begin at the age from which on they were watched."""
    return fit_lifetime(durations if entered is None else durations - entered, **options)


def _uncorrected(durations: Any, **options: Any) -> LifetimeFits:
    fits = fit_lifetime(durations, **options)
    return replace(fits, rows=tuple(replace(row, aicc=row.aic) for row in fits.rows))


def _corrected_for_all(durations: Any, **options: Any) -> LifetimeFits:
    """Count the durations that were cut off as well."""
    fits = fit_lifetime(durations, **options)
    rows = []
    for row in fits.rows:
        count = len(row.parameters)
        more = 2.0 * count * (count + 1.0) / (row.observed + row.censored - count - 1.0)
        rows.append(replace(row, aicc=row.aic + more))
    return replace(fits, rows=tuple(rows))


def _chi_square(
    failures: int,
    time: float,
    confidence: float,
    *,
    lower: int,
    upper: int,
    sides: float = 2.0,
) -> MtbfConfidence:
    """Return the interval with 2 n + `lower` and 2 n + `upper` degrees of freedom."""
    error = (1.0 - confidence) / sides
    # chdtri takes the upper tail.
    most, least = chdtri(2 * failures + lower, error), chdtri(2 * failures + upper, 1.0 - error)
    high = 2.0 * time / least if failures else np.inf
    low = 2.0 * time / most if most > 0.0 else np.inf
    return MtbfConfidence(time / max(failures, 1e-300), float(low), float(high), confidence)


def right_ends(failures: int, observed_time: float, *, confidence: float = 0.95) -> MtbfConfidence:
    """Return the right interval: two-sided, but one-sided without failures."""
    sides = 2.0 if failures else 1.0
    return _chi_square(failures, observed_time, confidence, lower=2, upper=0, sides=sides)


def _both_2n(failures: int, observed_time: float, *, confidence: float = 0.95) -> MtbfConfidence:
    return _chi_square(failures, observed_time, confidence, lower=0, upper=0)


def _both_2n_and_2(
    failures: int, observed_time: float, *, confidence: float = 0.95
) -> MtbfConfidence:
    return _chi_square(failures, observed_time, confidence, lower=2, upper=2)


def _half_as_many(
    failures: int, observed_time: float, *, confidence: float = 0.95
) -> MtbfConfidence:
    halved = _chi_square(failures, observed_time, confidence, lower=2 - failures, upper=-failures)
    return halved


def _one_sided(failures: int, observed_time: float, *, confidence: float = 0.95) -> MtbfConfidence:
    return _chi_square(failures, observed_time, confidence, lower=2, upper=0, sides=1.0)


def _two_sided_without_failures(
    failures: int, observed_time: float, *, confidence: float = 0.95
) -> MtbfConfidence:
    return _chi_square(failures, observed_time, confidence, lower=2, upper=0)


MUTANTS = (
    Mutant(fit_lifetime, "durations cut off counted as ended", _cut_counted_as_seen),
    Mutant(fit_lifetime, "durations cut off dropped", _cut_dropped),
    Mutant(fit_lifetime, "intervals of one standard error", _one_standard_error),
    Mutant(fit_lifetime, "a constant of the likelihood dropped", _constant_dropped),
    Mutant(fit_lifetime, "digits lost where the mean is far beyond the record", _digits_lost),
    Mutant(fit_lifetime, "left truncation ignored", _entries_ignored),
    Mutant(fit_lifetime, "ages taken off the durations", _entries_taken_off),
    Mutant(fit_lifetime, "aicc is aic", _uncorrected),
    Mutant(fit_lifetime, "aicc counts durations cut off", _corrected_for_all),
    Mutant(mtbf_confidence, "2n degrees of freedom on both sides", _both_2n),
    Mutant(mtbf_confidence, "2n + 2 degrees of freedom on both sides", _both_2n_and_2),
    Mutant(mtbf_confidence, "n degrees of freedom", _half_as_many),
    Mutant(mtbf_confidence, "both sides take the whole error", _one_sided),
    Mutant(mtbf_confidence, "two-sided without a failure", _two_sided_without_failures),
)
