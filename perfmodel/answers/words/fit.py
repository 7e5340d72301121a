"""What a failure log says, in tables and in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from asking.refusals import Field, Said
from asking.units import human_duration, natural_unit

from ...estimate import CONFIDENCE, counted
from ...fitting.goodness import LEVEL
from ..logs import Cause, burst_words, drift_words
from ..parts.fitted import QUANTILES, Dependence, Fitted
from ..parts.suspects import FALSE_ALARM
from ..shown import Lines, Part, Table, in_one_unit, in_unit, percent

if TYPE_CHECKING:
    from ...fitting import FailurePattern, RateDrift
    from ..parts.suspects import Suspect

_SUSPECTS = 20  # bad nodes that are shown
_CAUSES = 20


def not_here(count: int) -> Lines:
    """Say how many rows are left out of a table."""
    return Lines.of(Said("In the answer of {}, not here: {} more.", Field("as_json"), f"{count:,}"))


def law_parts(title: str, laws: Fitted | None) -> Iterator[Part]:
    """Yield the laws fitted to a record, and the record itself where none fits."""
    if laws is None:
        yield Lines.of(f"{title}: too few different values to fit a law.")
        return
    yield Lines.of(f"{title}: {_chosen(laws)}.")
    yield _fits(laws)
    if laws.fits.doubts:
        yield Lines.of(" ".join(laws.fits.doubts))
    if not laws.families:
        yield from _record(laws)


def pattern_parts(found: FailurePattern, depends: Dependence | None) -> Iterator[Part]:
    """Say whether failures come in bursts or their rate drifts, and what MTBF an interval needs."""
    if found.bursts is not None:
        few = counted(
            found.bursts.count, found.bursts.count * found.bursts.mtbf, truncation="failure"
        )
        limits = limits_words(few.value, few.low, few.high)
        yield Lines.of(
            f"Failures come in bursts of {burst_words(found.bursts)}. MTBF of bursts: {limits}. "
            "With this --log, perfmodel interval, goodput, completion and plan count each burst "
            "once, if it is over before the next checkpoint; --bursts count counts all failures.",
        )
    if found.drift is not None:
        order = ""
        if depends is not None and depends.clustered:
            order = (
                f"; rank correlation of neighbours {depends.correlation:.2f}, where chance gives "
                f"at most {depends.limit:.2f}"
            )
        whose = "MTBF of bursts" if found.bursts is not None else "MTBF"
        yield Lines.of(
            f"The rate of failures drifts: {drift_words(found.drift)} (p = "
            f"{found.drift.p_value:.1g}{order}). Choose an interval by the {whose}, "
            f"{human_duration(found.interval_mtbf)}: the mean wait from any instant to the next "
            "failure is longer, and wrong, as most failures fall into the worse times.",
        )
        if len(found.drift.mtbfs) > 1:
            yield _stretches(found.drift, whose)
    if found.kind == "uneven":
        yield Lines.of(
            "Gaps differ more than those of a constant rate, but neither in bursts nor in an "
            "order that would show a drifting rate, as far as so many tell.",
        )


def _stretches(drift: RateDrift, whose: str) -> Table:
    unit, factor = natural_unit(max(drift.mtbfs))
    rows = [
        [human_duration(start), in_unit(mtbf, factor)]
        for start, mtbf in zip(drift.starts, drift.mtbfs, strict=True)
    ]
    return Table.of(["after", f"{whose}\n[{unit}]"], rows)


def cause_parts(found: tuple[Cause, ...]) -> Iterator[Part]:
    """Yield how often each cause strikes, and how long its repairs take."""
    yield Lines.of("Failures by cause:")
    rows = [
        [
            cause.cause,
            f"{cause.failures:,}",
            percent(cause.share, 1),
            human_duration(cause.mtbf_s),
            "-" if cause.mttr_s is None else human_duration(cause.mttr_s),
        ]
        for cause in found[:_CAUSES]
    ]
    yield Table.of(["cause", "failures", "share\n[%]", "MTBF", "MTTR"], rows)
    if len(found) > _CAUSES:
        yield not_here(len(found) - _CAUSES)


def suspect_parts(found: Sequence[Suspect], *, several: bool) -> Iterator[Part]:
    """Say which nodes fail too often, and how sure that is; of `several` systems, also of which."""
    sure = f"nodes that are alike raise such an alarm in at most {FALSE_ALARM:.0%} of all logs"
    if not found:
        yield Lines.of(f"No node fails more often than chance explains; {sure}.")
        return
    some = "1 node fails" if len(found) == 1 else f"{len(found):,} nodes fail"
    yield Lines.of(f"{some} more often than chance explains; {sure}:")
    rows = [
        [suspect.node, f"{suspect.failures:,}", f"{suspect.expected:.3g}"]
        for suspect in found[:_SUSPECTS]
    ]
    headings = ["node", "failures", "expected"]
    if several:
        headings.insert(0, "system")
        for row, suspect in zip(rows, found, strict=False):
            row.insert(0, suspect.system)
    yield Table.of(headings, rows)
    if len(found) > _SUSPECTS:
        yield not_here(len(found) - _SUSPECTS)


def limits_words(value: float, low: float | None, high: float | None) -> str:
    """Return a mean with its confidence limits, where it has any."""
    if low is None or high is None:
        return human_duration(value)
    if not math.isfinite(high):
        return f"at least {human_duration(low)} ({CONFIDENCE:.0%} confidence): no failure seen"
    estimate, lower, upper = in_one_unit(value, low, high)
    return f"{estimate} ({CONFIDENCE:.0%} confidence: {lower} to {upper})"


def _chosen(found: Fitted) -> str:
    fits = found.fits
    law = ", ".join(
        f"{name} {human_duration(value) if name in {'mean', 'scale'} else f'{value:.4g}'}"
        for name, value in fits.best.parameters.items()
    )
    best = fits.best.family
    if best in found.families:
        return f"{best} fits best, {law}"
    if found.families:
        return f"{' and '.join(found.families)} fits, while the least AICc is that of {best}, {law}"
    return f"none of the families fits; the best of them is {best}, {law}"


def _record(found: Fitted) -> Iterator[Part]:
    """Yield quantiles of the record beside those of the best family, where none fits."""
    best = found.fits.best
    place = found.fits.rows.index(best)
    far, limit = found.distances[place], found.limits[place]
    law = best.lifetime.ppf(0.01 * np.array(QUANTILES))
    rows = [
        (f"{share} % are at most", *pair)
        for share, *pair in zip(QUANTILES, found.recorded, law, strict=True)
    ]
    rows.append(("mean", math.nan if found.mean_s is None else found.mean_s, best.mean))
    yield Lines.of(
        f"The cdf of {best.family} is up to {percent(far, 1)} percentage points off the record; "
        f"chance explains at most {percent(limit, 1)} (Kolmogorov-Smirnov distance; {LEVEL:.0%} of "
        "played records stay below that from the law fitted to them).",
    )
    # Recorded times of a few orders of magnitude have no unit in common.
    yield Table.of(
        ["time", "recorded", best.family],
        [[name, *(_or_dash(value) for value in pair)] for name, *pair in rows],
    )


def _or_dash(seconds: float) -> str:
    return "-" if math.isnan(seconds) else human_duration(seconds)


def _above(aicc: float, best: float) -> str:
    """Return the difference, or a dash where too few durations ended for the correction."""
    return f"{aicc - best:,.2f}" if math.isfinite(aicc) else "-"


def _fits(found: Fitted) -> Table:
    fits = found.fits
    unit, factor = natural_unit(fits.best.mean)
    headings = [
        "family",
        f"mean\n[{unit}]",
        "95 % limits\nfrom",
        "to",
        "log\nlikelihood",
        "AICc above\nbest",
        "KS\ndistance",
        "fits",
    ]
    rows = [
        [
            row.family,
            in_unit(row.mean, factor),
            in_unit(row.mean_interval[0], factor),
            in_unit(row.mean_interval[1], factor),
            f"{row.log_likelihood:,.2f}",
            _above(row.aicc, fits.best.aicc),
            f"{row.ks_distance:.4f}",
            "yes" if row.family in found.families else "no",
        ]
        for row in fits
    ]
    return Table.of(headings, rows)
