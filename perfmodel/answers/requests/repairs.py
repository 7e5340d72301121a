"""A law of repairs or uptimes as a user writes it: ``lognormal:mean=2h,cv=4``, or ``log``."""

from __future__ import annotations

from dataclasses import dataclass

from asking.kinds import Kind, instance_of
from asking.units import seconds

from .named import named

# Family -> the least cv it can have; exponential has cv 1 and no other.
FAMILIES = {
    "exponential": 1.0,
    "gamma": 0.0,
    "hyperexponential": 1.0,
    "lognormal": 0.0,
    "weibull": 0.0,
}
_SHAPED = ("gamma", "weibull")  # whose cv may be told by a shape


@dataclass(frozen=True, slots=True)
class RepairLaw:
    """A family with mean [s], and coefficient of variation or shape; family "log" has neither.

    A family that a package adds has what is `given` instead, by name; durations in [s].
    """

    text: str
    family: str
    mean: float = 0.0
    cv: float = 0.0
    shape: float | None = None
    given: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        """Return the law as it was written."""
        return self.text


def repair_law(text: str) -> RepairLaw:
    """Read ``FAMILY:mean=DURATION,cv=NUMBER``, shape for cv, or ``log``; raise ValueError."""
    family, _, rest = text.strip().partition(":")
    if family == "log" and not rest:
        return RepairLaw("log", family)
    if family not in FAMILIES:
        from asking.plugins import added  # few ask for more than is built in

        if family not in added("law", FAMILIES):
            raise ValueError(f"no law {family!r}")
        known = tuple((name, _number(given)) for name, given in named(rest).items())
        return RepairLaw(text.strip(), family, given=known)
    values = named(rest)
    wanted = ["mean"] if family == "exponential" else ["cv", "mean"]
    shaped = family in _SHAPED and sorted(values) == ["mean", "shape"]
    if sorted(values) != wanted and not shaped:
        other = " or shape" if family in _SHAPED else ""
        raise ValueError(f"{family} takes {' and '.join(reversed(wanted))}{other}")
    mean = seconds(values["mean"])
    if not 0.0 < mean < float("inf"):
        raise ValueError("mean not > 0")
    if shaped:
        return RepairLaw(text.strip(), family, mean, shape=_shape(family, values["shape"]))
    return RepairLaw(text.strip(), family, mean, _cv(family, values.get("cv", "1")))


def uptime_law(text: str) -> RepairLaw:
    """Read a law with a density; raise ValueError."""
    law = repair_law(text)
    if law.family == "log":
        raise ValueError("perfmodel fit finds a law for the uptimes of a log")
    return law


def _number(text: str) -> float:
    """Read a plain number, or a duration."""
    try:
        return float(text)
    except ValueError:
        return seconds(text)


def _shape(family: str, text: str) -> float:
    number = float(text) if text.isascii() and "_" not in text else float("nan")
    if not 0.0 < number < float("inf"):
        raise ValueError(f"shape of {family} not > 0")
    return number


def _cv(family: str, text: str) -> float:
    number = float(text) if text.isascii() and "_" not in text else float("nan")
    if not (FAMILIES[family] <= number < float("inf") and number > 0.0):
        least = f">= {FAMILIES[family]:g}" if FAMILIES[family] else "> 0"
        raise ValueError(f"cv of {family} not {least}")
    return number


REPAIR_LAW = Kind(
    "law",
    "log, or exponential, gamma, hyperexponential, lognormal or weibull with its mean and cv, or "
    "shape, such as lognormal:mean=2h,cv=4",
    repair_law,
    instance_of(RepairLaw),
)
UPTIME_LAW = Kind(
    "law",
    "exponential, gamma, hyperexponential, lognormal or weibull with its mean and cv, or shape, "
    "such as weibull:mean=2d,shape=0.7",
    uptime_law,
    instance_of(RepairLaw),
)
