"""Bursts in a failure log, and whether a job counts each of them once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asking.refusals import Field, Said
from asking.units import human_duration

if TYPE_CHECKING:
    from ...fitting import FailureBursts, FailurePattern, RateDrift
    from .failures import Log


@dataclass(frozen=True, slots=True)
class Spread:
    """How the failures of a log are spread, and what an MTBF for a job makes of it.

    `merged` where each burst counts once, `why` says why they do or do not.
    """

    pattern: FailurePattern
    merged: bool
    why: str

    @property
    def window(self) -> float | None:
        """Failures that follow one within this, [s], are one; None where every failure counts."""
        return self.pattern.bursts.window if self.merged and self.pattern.bursts else None

    def facts(self) -> list[tuple[str, str]]:
        """Return a name and words for bursts and for a drifting rate."""
        found: list[tuple[str, str]] = []
        if self.pattern.bursts is not None:
            how = "each counts once" if self.merged else "every failure counts"
            words = burst_words(self.pattern.bursts)
            mean = human_duration(self.pattern.mtbf)
            known = Said("{}; {}, {} (MTBF of failures {})", words, how, self.why, mean)
            found.append(("bursts", known))
        if self.pattern.drift is not None:
            found.append(("drift", f"{drift_words(self.pattern.drift)}; the mean rate counts"))
        return found

    def plain(self) -> dict[str, Any]:
        """Return the pattern, and how bursts were counted, for JSON."""
        return plain_pattern(self.pattern) | {
            "bursts_counted": None
            if self.pattern.bursts is None
            else "once"
            if self.merged
            else "every failure"
        }


def pattern_of(log: Log) -> FailurePattern | None:
    """Tell bursts from drift in the gaps of one system; None where they are few or say nothing."""
    from ...fitting import failure_pattern

    gaps = log.gaps
    return None if gaps is None else failure_pattern(gaps)


def spread_of(log: Log, choice: str | None, cost: float | None) -> Spread | None:
    """Decide whether bursts count once: as asked, else if they are over before the next checkpoint.

    `cost` [s] is that of a checkpoint, None where it is not known.
    """
    from ...interval import optimal_interval

    pattern = pattern_of(log)
    if pattern is None:
        return None
    if pattern.bursts is None:
        return Spread(pattern, False, "")
    if choice is not None:
        return Spread(pattern, choice == "merge", "as asked")
    if cost is not None:
        interval = float(optimal_interval(mtbf=pattern.bursts.mtbf, checkpoint_cost=cost))
        if pattern.bursts.span > interval:
            return Spread(pattern, False, "as they last longer than an interval of work")
    why = Said("as it strikes a job once: {} count counts all", Field("bursts"))
    return Spread(pattern, True, why)


def burst_words(bursts: FailureBursts) -> str:
    """Say how large bursts are, and what makes one."""
    return (
        f"{bursts.size:.3g} failures each, at most {human_duration(bursts.window)} apart"
        f"{f', over {human_duration(bursts.span)}' if bursts.span > 0.0 else ''}"
    )


def drift_words(drift: RateDrift) -> str:
    """Say how the rate changes."""
    if len(drift.mtbfs) == 1:
        return f"the rate changes within some {drift.failures:,} failures"
    least, most = (human_duration(end) for end in (min(drift.mtbfs), max(drift.mtbfs)))
    return f"{len(drift.mtbfs)} stretches of time with MTBFs of {least} to {most}"


def plain_pattern(pattern: FailurePattern | None) -> dict[str, Any]:
    """Return what was found, for JSON."""
    bursts = None if pattern is None else pattern.bursts
    drift = None if pattern is None else pattern.drift
    return {
        "failure_pattern": None if pattern is None else pattern.kind,
        "interval_mtbf_s": None if pattern is None else pattern.interval_mtbf,
        "bursts": None
        if bursts is None
        else {
            "mtbf_s": bursts.mtbf,
            "size": bursts.size,
            "window_s": bursts.window,
            "span_s": bursts.span,
            "count": bursts.count,
        },
        "drift": None
        if drift is None
        else {
            "failures": drift.failures,
            "p_value": drift.p_value,
            "starts_s": list(drift.starts),
            "mtbfs_s": list(drift.mtbfs),
        },
    }
