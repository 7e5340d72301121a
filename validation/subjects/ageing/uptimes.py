"""Random laws of uptimes."""

from __future__ import annotations

from perfmodel import Gamma, LogNormal, Weibull

from ..laws import Law

__all__ = ["drawn_uptime"]


def drawn_uptime(cv: float, which: float) -> Law:
    """Return a law of mean 1, near this cv: rounded shapes, so that a call can be pasted."""
    if which < 1.0 / 3.0:
        weibull = Weibull.from_mean(1.0, cv=cv)
        return Law("Weibull", (weibull.shape, weibull.scale))
    if which < 2.0 / 3.0:
        gamma = Gamma.from_mean(1.0, cv=cv)
        return Law("Gamma", (gamma.shape, gamma.scale))
    normal = LogNormal.from_mean(1.0, cv=cv)
    return Law("LogNormal", (normal.mu, normal.sigma))
