"""The share of time that advances the job, and the classes of the rest."""

from __future__ import annotations

import math

from ..estimate import Estimate
from ..protocols.protocol import Losses
from ._chosen import Chosen
from ._forecast import Ahead
from .answers import Goodput
from .case import Case

_DAY = 86400.0


def goodput_of(case: Case, estimate: Estimate, ahead: Ahead | None = None) -> Goodput:
    """Return the goodput at the chosen interval, its limits and its losses by class.

    With `ahead` they are means over the rates to come.
    """
    job, chosen = case.job, case.chosen if ahead is None else ahead.chosen

    def at(mtbf: float | None) -> float | None:
        if mtbf is None or math.isinf(mtbf):
            return None
        return _value(case.at(mtbf), chosen)

    shares, losses = _shares(case, chosen), None
    if ahead is not None and shares is not None:
        shares = ahead.mean(case, lambda each: _shares(each, chosen) or {})
    value = job.work / chosen.mean(job) if shares is None else shares["goodput"]
    if shares is not None:
        losses = {
            name: share for name, share in shares.items() if name != "goodput" and share > 0.0
        }
    run, tokens = case.scenario.job, None
    if run.tokens_per_step is not None and run.step_time is not None:
        tokens = value * run.tokens_per_step * _DAY / run.step_time
    why_not = chosen.protocol.why_not(job, "losses") if losses is None else None
    return Goodput(value, at(estimate.low), at(estimate.high), losses, tokens, why_not)


def _value(case: Case, chosen: Chosen) -> float:
    shares = _shares(case, chosen)
    return case.job.work / chosen.mean(case.job) if shares is None else shares["goodput"]


def _shares(case: Case, chosen: Chosen) -> Losses | None:
    """Return all shares of a long run, or None where the protocol has no such classes."""
    job, run, spares = case.job, case.scenario.job, case.scenario.spares
    delays = {
        "restore": run.recovery or 0.0,
        "warm_up": run.warm_up or 0.0,
        "detection": run.detection or 0.0,
        "queue": run.queue or 0.0,
        "rescheduling": run.downtime or 0.0,
    }
    if job.wait > 0.0 and spares is not None and spares.switch_time is not None:
        # In which all of these pass.
        delays |= {"detection": 0.0, "queue": 0.0, "rescheduling": spares.switch_time}
    passing = delays["rescheduling"] + job.wait
    found = chosen.protocol.losses(
        job, chosen.interval, chosen.durable_every, {**delays, "rescheduling": passing}
    )
    if found is None or not job.waits:
        return found
    placed = found["rescheduling"] * delays["rescheduling"] / passing
    return {**found, "rescheduling": placed, "spare_wait": found["rescheduling"] - placed}
