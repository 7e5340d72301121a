"""What an advisor must reach on failure logs, decided before it was played there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .plays import Makes
from .shares import Mean, Span, advisor_shares, mean_over_logs, rival_shares

__all__ = ["TARGETS", "Target", "compared"]


@dataclass(frozen=True, slots=True)
class Target:
    """Limits on the time lost beyond a rival: of its mean over logs, and on every log.

    Parameters
    ----------
    span : Span
        How long the windows are.
    prior : str
        What the advisor knows before, a name of `PRIORS`; "re-read history" if each restart begins
        anew with that.
    rival : str
        A name of `RIVALS`, or "kept state".
    mean, worst : float, [point] or [%]
        Limits; per cent of what the exact rule at the window's own rate loses, else points, which
        are hundredths of the window.
    missed : tuple of str
        Logs that are known to be above `worst`; more than these fail the target.
    """

    span: Span
    prior: str
    rival: str
    mean: float
    worst: float = math.inf
    missed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is compared, in words."""
        dear = f", checkpoints {self.span.growth:g} times dearer" * (self.span.growth != 1.0)
        return f"{self.prior} against {self.rival}, {self.span}{dear}"

    @property
    def unit(self) -> str:
        """What the limits are counted in."""
        return "%" if self.rival == "own" else "points"

    def found(self, make: Makes) -> Mean:
        """Return the mean over logs of what advisors that `make` gives lose beyond the rival."""
        return mean_over_logs(compared(make, self.prior, self.rival, self.span))

    def met(self, found: Mean) -> bool:
        """Return whether the mean is within its limit, and each log but those known to miss it."""
        return found.mean <= self.mean and set(found.above(self.worst)) <= set(self.missed)

    def said(self, found: Mean) -> str:
        """Return in words what was found, and what was asked for."""
        return (
            f"{found.mean:+.2f} {self.unit} [{found.low:+.2f}, {found.high:+.2f}] over "
            f"{found.logs} logs, at most {self.mean:g}; worst {found.worst:+.2f} on {found.where}"
            + (f", at most {self.worst:g}" if self.worst < math.inf else "")
            + (f", known to be above on {', '.join(self.missed)}" if self.missed else "")
        )


def compared(make: Makes, prior: str, rival: str, span: Span) -> dict[str, float]:
    """Return what is lost beyond a rival on each log; in per cent beyond "own", else in points."""
    mine = advisor_shares(make, prior, span)
    if rival == "kept state":
        other = advisor_shares(make, "history", span)
    else:
        other = rival_shares(rival, span)
    if rival == "own":
        return {log: 100.0 * (share / other[log] - 1.0) for log, share in mine.items()}
    return {log: 100.0 * (share - other[log]) for log, share in mine.items()}


def _days(count: int, growth: float = 1.0) -> Span:
    return Span(count, "days", growth)


def _near_own_rate(
    prior: str, count: int, mean: float, worst: float, missed: tuple[str, ...] = ()
) -> Target:
    return Target(Span(count, "MTBFs"), prior, "own", mean, worst, missed)


TARGETS = (
    _near_own_rate("history", 3, 12.0, 25.0),
    _near_own_rate("history", 10, 5.0, 15.0),
    _near_own_rate("history", 30, 2.0, 6.0, missed=("LANL 6",)),
    _near_own_rate("history", 100, 0.0, 3.0),
    _near_own_rate("nothing", 3, 20.0, 35.0),
    _near_own_rate("nothing", 10, 8.0, 15.0),
    _near_own_rate("nothing", 30, 4.0, 8.0),
    _near_own_rate("nothing", 100, 1.0, 3.0),
    Target(_days(7), "history", "a", 0.75, 1.5),
    Target(_days(30), "history", "a", 0.25, 0.8),
    Target(_days(90), "history", "a", 0.05, 0.5),
    Target(_days(30), "history", "b", -0.2),
    Target(_days(90), "history", "b", -0.2),
    Target(_days(30), "history", "d", 0.0, 0.0),
    Target(_days(90), "history", "d", 0.0, 0.0),
    Target(_days(30, 3.0), "history", "a", 0.25),
    Target(_days(90, 3.0), "history", "a", 0.1),
    Target(_days(90), "re-read history", "kept state", 0.4),
)
