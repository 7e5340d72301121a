"""``perfmodel fit``: what a failure log says about uptimes and repairs."""

from __future__ import annotations

import math
from pathlib import Path

import click
import numpy as np

from ...answers.logs import (
    Cause,
    Log,
    burst_words,
    causes_of,
    drift_words,
    pattern_of,
)
from ...answers.parts.fitted import QUANTILES, Dependence, Fitted
from ...answers.parts.suspects import FALSE_ALARM, suspects
from ...answers.questions.fit import FitAnswer, fit_of, log_of
from ...answers.requests.fit import FitRequest
from ...answers.shown import in_one_unit, in_unit, percent
from ...estimate import CONFIDENCE, counted
from ...fitting import FailurePattern, RateDrift
from ...fitting.goodness import LEVEL
from ...units import human_duration, natural_unit
from ..figures import plot_option
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits
from ..output.job_log import show_node_hours
from ..output.progress import doing, study_progress
from ..output.tables import print_facts, print_json, print_lines, print_table

__all__ = ["fit"]

_SUSPECTS = 20  # bad nodes that are printed
_CAUSES = 20


@click.command(
    cls=Grouped, epilog=example("perfmodel fit failures.csv --format csv --by node --nodes 512")
)
@options_of(FitRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(FitRequest)
def fit(request: FitRequest, *, plot: Path | None, as_json: bool) -> None:
    """Fit laws to the uptimes and repairs of a failure LOG.

    Prints MTBF and MTTR with their limits. The best family is the one with the least AICc; if none
    fits, the answer says so and shows the record itself. It tells bursts, whose MTBF an interval
    needs, from a rate that drifts, and counts failures by cause. Lines that cannot be used are
    counted with the number of the first and the reason.
    """
    with doing(f"reading {request.log.name}"):
        log = log_of(request)
    with study_progress("laws") as report:
        found = fit_of(request, log, progress=report)
    if plot is not None:
        from ..figures.answers import plot_fits

        plot_fits(log, found.uptimes, found.repairs, plot)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found)


def _show(found: FitAnswer) -> None:
    log, mtbf, uptimes, repairs = found.log, found.mtbf, found.uptimes, found.repairs
    whose = "MTBF" if log.named is None else "node MTBF"
    facts = [*log.facts(), (whose, _limits(mtbf.value, mtbf.low, mtbf.high))]
    if (mean := found.mean_repair) is not None:
        limits = _limits(mean.mttr_s, mean.mttr_low_s, mean.mttr_high_s)
        facts.append(("MTTR", f"{limits}, of {mean.count:,} repairs"))
    else:
        facts.append(("MTTR", "unknown: the log has no two repair times"))
    print_facts(facts)
    show_node_hours(log.node_hours)
    for title, laws in (("Uptimes", uptimes), ("Repairs", repairs)):
        print_lines("")
        if laws is None:
            print_lines(f"{title}: too few different values to fit a law.")
            continue
        print_lines(f"{title}: {_chosen(laws)}.", "")
        _print_fits(laws)
        if not laws.families:
            _print_record(laws)
    if log.named:
        _print_suspects(log)
    by_cause = causes_of(log)
    if by_cause:
        _print_causes(by_cause)
    pattern = pattern_of(log)
    if pattern is not None:
        _print_pattern(pattern, Dependence.of(log))
    clustered = pattern is not None and pattern.kind != "constant"
    if clustered or (uptimes is not None and not uptimes.families):
        print_lines(
            "",
            "With this --log, perfmodel simulate and perfmodel completion also play the job with "
            "the recorded gaps.",
        )


def _print_pattern(found: FailurePattern, depends: Dependence | None) -> None:
    """Say whether failures come in bursts or their rate drifts, and what MTBF an interval needs."""
    if found.bursts is not None:
        few = counted(found.bursts.count, found.bursts.count * found.bursts.mtbf)
        limits = _limits(few.value, few.low, few.high)
        print_lines(
            "",
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
        print_lines(
            "",
            f"The rate of failures drifts: {drift_words(found.drift)} (p = "
            f"{found.drift.p_value:.1g}{order}). Choose an interval by the {whose}, "
            f"{human_duration(found.interval_mtbf)}: the mean wait from any instant to the next "
            "failure is longer, and wrong, as most failures fall into the worse times.",
        )
        if len(found.drift.mtbfs) > 1:
            _print_stretches(found.drift, whose)
    if found.kind == "uneven":
        print_lines(
            "",
            "Gaps differ more than those of a constant rate, but neither in bursts nor in an "
            "order that would show a drifting rate, as far as so many tell.",
        )


def _print_stretches(drift: RateDrift, whose: str) -> None:
    unit, factor = natural_unit(max(drift.mtbfs))
    rows = [
        [human_duration(start), in_unit(mtbf, factor)]
        for start, mtbf in zip(drift.starts, drift.mtbfs, strict=True)
    ]
    print_lines("")
    print_table(["after", f"{whose}\n[{unit}]"], rows)


def _print_causes(found: tuple[Cause, ...]) -> None:
    """Print how often each cause strikes, and how long its repairs take."""
    print_lines("", "Failures by cause:", "")
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
    print_table(["cause", "failures", "share\n[%]", "MTBF", "MTTR"], rows)
    if len(found) > _CAUSES:
        print_lines("", f"In the answer of --json, not here: {len(found) - _CAUSES:,} more.")


def _print_suspects(log: Log) -> None:
    """Say which nodes fail too often, and how sure that is."""
    found = suspects(log.uptimes)
    sure = f"nodes that are alike raise such an alarm in at most {FALSE_ALARM:.0%} of all logs"
    if not found:
        print_lines("", f"No node fails more often than chance explains; {sure}.")
        return
    some = "1 node fails" if len(found) == 1 else f"{len(found):,} nodes fail"
    print_lines("", f"{some} more often than chance explains; {sure}:", "")
    rows = [
        [suspect.node, f"{suspect.failures:,}", f"{suspect.expected:.3g}"]
        for suspect in found[:_SUSPECTS]
    ]
    headings = ["node", "failures", "expected"]
    if log.systems > 1:
        headings.insert(0, "system")
        for row, suspect in zip(rows, found, strict=False):
            row.insert(0, suspect.system)
    print_table(headings, rows)
    if len(found) > _SUSPECTS:
        print_lines("", f"In the answer of --json, not here: {len(found) - _SUSPECTS:,} more.")


def _limits(value: float, low: float | None, high: float | None) -> str:
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


def _print_record(found: Fitted) -> None:
    """Print quantiles of the record beside those of the best family, where none fits."""
    best = found.fits.best
    place = found.fits.rows.index(best)
    far, limit = found.distances[place], found.limits[place]
    law = best.lifetime.ppf(0.01 * np.array(QUANTILES))
    rows = [
        (f"{share} % are at most", *pair)
        for share, *pair in zip(QUANTILES, found.recorded, law, strict=True)
    ]
    rows.append(("mean", math.nan if found.mean_s is None else found.mean_s, best.mean))
    print_lines(
        "",
        f"The cdf of {best.family} is up to {percent(far, 1)} percentage points off the record; "
        f"chance explains at most {percent(limit, 1)} (Kolmogorov-Smirnov distance; {LEVEL:.0%} of "
        "played records stay below that from the law fitted to them).",
        "",
    )
    # Recorded times of a few orders of magnitude have no unit in common.
    print_table(
        ["time", "recorded", best.family],
        [[name, *(_or_dash(value) for value in pair)] for name, *pair in rows],
    )


def _or_dash(seconds: float) -> str:
    return "-" if math.isnan(seconds) else human_duration(seconds)


def _above(aicc: float, best: float) -> str:
    """Return the difference, or a dash where too few durations ended for the correction."""
    return f"{aicc - best:,.2f}" if math.isfinite(aicc) else "-"


def _print_fits(found: Fitted) -> None:
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
    print_table(headings, rows)
