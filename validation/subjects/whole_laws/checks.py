"""Properties that every law of a completion time must have, however it is computed.

Each check allows a deviation: the error that the law states, and what double precision
and the judge's own quadrature add. Times are drawn over the decades after the atom and around
every seam of the law, because a fault hides where nobody looked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfmodel.completion import CompletionTime

__all__ = ["Finding", "FloatArray", "Reference", "findings", "integrals", "times_for"]

FloatArray = npt.NDArray[np.float64]
Law = CompletionTime
Reference = Callable[[float], tuple[float, float]]

DECADES = 160  # times over the decades after the atom
BODY = 30  # times around the mean
BEYOND = 10  # times and seams after the last that matters
_LEFT = 1e-13  # what is left after it
ALONE = 12  # times that are asked one by one as well
_ENDLESS = 1e300  # beyond any time that a law answers for
_ROUNDING = 1e-13
_DIGITS = 1e-9  # of a closed form
_MOMENTS = 1e-5  # relative error of the judge's integrals
_RULE = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True, slots=True)
class Finding:
    """The largest deviation that one check found, [-], the allowed one, and its time."""

    check: str
    found: float
    allowed: float
    time: float

    @property
    def broken(self) -> bool:
        """Whether the law lacks this property."""
        return not self.found <= self.allowed

    def __str__(self) -> str:
        return f"{self.check}: {self.found:.3g} at t={self.time!r}, allowed {self.allowed:.3g}"


def findings(
    law: Law,
    again: Callable[[float], Law],
    rng: np.random.Generator,
    *,
    longest: float,
    reach: float,
    closed: bool = True,
    reference: Reference | None = None,
) -> Iterator[Finding]:
    """Yield what each check finds, the quick ones first.

    Parameters
    ----------
    law : CompletionTime
        On trial.
    again : callable
        Returns the same law anew, in another unit of time.
    rng : Generator
        Draws the times.
    longest, reach : float, [time]
        The longest segment, and how far beyond the mean the law can matter.
    closed : bool
        Whether mean and deviation are closed forms; if not, they are integrals themselves.
    reference : callable, optional
        P(T - start > t) by another method, and its possible error.
    """
    error = law.error
    start, mass = law.atom
    t = times_for(law, rng, longest=longest, reach=reach)
    cdf, sf = law.cdf(t), law.sf(t)
    yield _largest("error stated", np.array([error]), 1.0, t)
    yield _largest("atom", np.abs(law.cdf([start]) - mass), error + _ROUNDING, np.array([start]))
    early = law.cdf([start * (1.0 - 1e-12)])
    yield _largest("before the atom", early, _ROUNDING, np.array([start]))
    yield _largest("cdf + sf", np.abs(cdf + sf - 1.0), _ROUNDING, t)
    yield _largest("cdf falls", -np.diff(cdf), error + _ROUNDING, t[1:])
    yield _largest("sf rises", np.diff(sf), error + _ROUNDING, t[1:])
    chosen = np.sort(rng.choice(t.size, min(ALONE, t.size), replace=False))
    for name, function, answers in (("cdf", law.cdf, cdf), ("sf", law.sf, sf)):
        alone = np.array([float(function(t[i])) for i in chosen])
        yield _largest(f"{name} alone", np.abs(alone - answers[chosen]), _ROUNDING, t[chosen])
    if reference is not None:
        yield _by_another_road(law, t, rng, reference)
    yield from _percentiles(law, rng)
    yield from _in_other_units(law, again, rng, t[chosen], _DIGITS if closed else _MOMENTS)
    yield from _moments(law, t)
    yield _largest("error after the queries", np.array([abs(law.error - error)]), 0.0, t)


def times_for(law: Law, rng: np.random.Generator, *, longest: float, reach: float) -> FloatArray:
    """Return sorted times: over the decades after the atom, in the body and around every seam.

    Most lie where the law itself says that anything is left; some lie beyond, as far as `reach`.
    """
    start = law.atom[0]
    mean, spread = _body(law)
    highest = mean + 40.0 * min(spread, mean + reach) + reach
    last = float(law.isf(_LEFT)) - start
    last = min(last, highest) if last > mean else highest
    near = np.geomspace(1e-6 * mean, 1.2 * last, DECADES + 1)
    steps = near[1:] / near[:-1]
    excess = [near[:-1] * steps ** rng.random(DECADES)]
    excess.append(mean + spread * rng.uniform(-8.0, 8.0, BODY))
    excess.append(last * (10.0 * highest / last) ** rng.random(BEYOND))
    seams = law.seams - start
    beyond = seams[(seams > 1.2 * last) & (seams < 10.0 * highest)]
    chosen = rng.choice(beyond, min(BEYOND, beyond.size), replace=False)
    for seam in (*seams[(seams > 0.0) & (seams <= 1.2 * last)], *chosen):
        around = seam * (1.0 + 0.01 * rng.uniform(-1.0, 1.0, 2))
        edge = seam * (1.0 + np.array([-1e-9, 0.0, 1e-9]))
        segment = seam + longest * np.array([-1.0, -0.5, 0.5, 1.0]) * rng.uniform(0.5, 1.0)
        excess += [around, edge, segment]
    found = np.concatenate(excess)
    return np.unique(np.append(start + found[(found > 0.0) & (found < _ENDLESS)], 2.0 * start))


def _body(law: Law) -> tuple[float, float]:
    """Return mean and standard deviation of the excess, or what stands for infinite ones."""
    start = law.atom[0]
    mean = law.mean - start
    if not (mean > 0.0 and math.isfinite(mean)):
        mean = start
    return mean, law.std if math.isfinite(law.std) else 100.0 * mean


def _largest(check: str, found: FloatArray, allowed: float, t: FloatArray) -> Finding:
    """Return the largest of the deviations; nan counts as one."""
    place = int(np.argmax(np.where(np.isnan(found), np.inf, found)))
    return Finding(check, float(found[place]), allowed, float(t[place]))


def _by_another_road(
    law: Law, t: FloatArray, rng: np.random.Generator, reference: Reference
) -> Finding:
    start = law.atom[0]
    mean, spread = _body(law)
    places = [
        float(rng.choice(t)),
        start + mean * float(np.exp(rng.uniform(-5.0, 1.5))),
        start + max(mean + spread * float(rng.uniform(-4.0, 4.0)), 1e-3 * mean),
        start + max(mean + spread * float(rng.uniform(-1.5, 1.5)), 1e-3 * mean),
    ]
    worst = Finding("another road", 0.0, law.error, places[0])
    for place in places:
        known, unsure = reference(place - start)
        away = abs(float(law.sf(place)) - known)
        # What the reference cannot tell is not held against the law.
        if math.isfinite(unsure) and away - unsure > worst.found:
            worst = Finding(worst.check, away - unsure, worst.allowed, place)
    return worst


def _percentiles(law: Law, rng: np.random.Generator) -> Iterator[Finding]:
    """Expect ppf and isf to undo cdf and sf, beyond the atom."""
    start, mass = law.atom
    q = mass + (1.0 - mass) * np.sort(rng.uniform(0.0, 1.0, 6))
    p = (1.0 - mass) * np.exp(-np.sort(rng.uniform(0.0, math.log(1e12), 6)))
    for name, wanted, inverse, function in (
        ("ppf", q, law.ppf, law.cdf),
        ("isf", p, law.isf, law.sf),
    ):
        t = inverse(wanted)
        seen = np.isfinite(t) & (t > start)
        away = np.where(seen, np.abs(function(t) - wanted), 0.0)
        yield _largest(name, away, law.error + 1e-9, t)
        # A percentile that is no float is not reached by the last times that are floats.
        reached = function(_ENDLESS) - wanted
        short = np.where(np.isposinf(t), reached if name == "ppf" else -reached, 0.0)
        yield _largest(f"{name} infinite", short, law.error + 1e-9, t)
        with np.errstate(invalid="ignore"):  # times of a job that never ends are all infinite
            falls = np.where(t[1:] < t[:-1], t[:-1] / t[1:] - 1.0, 0.0)
        yield _largest(f"{name} falls", falls, 1e-9, t[1:])


def _in_other_units(
    law: Law,
    again: Callable[[float], Law],
    rng: np.random.Generator,
    t: FloatArray,
    moments: float,
) -> Iterator[Finding]:
    """Expect the same law in another unit of time, asked anew and in another order."""
    unit = float(f"{10.0 ** rng.uniform(-5.0, 5.0):.3g}")
    other = again(unit)
    for name in ("mean", "std"):
        old, new = getattr(law, name), getattr(other, name)
        away = 0.0 if old == new else abs(new / (unit * old) - 1.0)
        # Moments that are integrals have the error of sf over some 5 deviations on either side.
        allowed = moments if moments == _DIGITS else moments + 25.0 * (law.error + other.error)
        yield _largest(f"{name} in other units", np.array([away]), allowed, np.array([unit]))
    new_sf = np.array([float(other.sf(unit * x)) for x in t[::-1]])[::-1]
    allowed = law.error + other.error + _ROUNDING
    yield _largest("sf in other units", np.abs(new_sf - law.sf(t)), allowed, t)


def _moments(law: Law, t: FloatArray) -> Iterator[Finding]:
    """Expect the integrals of sf and of 2 t sf, beyond the start, to be the closed moments."""
    start = law.atom[0]
    mean, std = law.mean, law.std
    if not (math.isfinite(mean) and mean > start):
        return
    first = mean - start
    lost = 4e-16 * mean / first  # digits that the difference has lost
    # In units of the mean excess, because squares of huge times overflow.
    second = 1.0 + (std / first) ** 2
    edges = np.unique(np.concatenate([[0.0], t - start])) / first
    left = law.sf(start + first * edges) * edges**2
    far = np.flatnonzero(left > 1e-7 * (second if math.isfinite(second) else 1.0))
    edges = edges[: min(far[-1] + 2, edges.size)]
    found, top = integrals(lambda x: law.sf(start + first * x), edges)
    beyond = float(law.sf(start + first * top))
    last = start + first * top
    allowed = _MOMENTS + lost + (law.error + 4.0 * beyond) * top
    yield Finding("mean", abs(float(found[0]) - 1.0), allowed, last)
    if math.isfinite(second):
        allowed = _MOMENTS + 2.0 * lost + (law.error + 8.0 * beyond) * top**2 / second
        yield Finding("second moment", abs(float(found[1]) / second - 1.0), allowed, last)


def integrals(
    sf: Callable[[FloatArray], FloatArray], edges: FloatArray
) -> tuple[FloatArray, float]:
    """Return the integrals of sf and 2 x sf, panels halved until both are settled, and the end."""
    left, right = edges[:-1], edges[1:]
    whole, _ = _panels(sf, left, right)
    top = float(edges[-1])
    total = np.zeros(2)
    calm = np.zeros(left.shape, dtype=np.bool_)  # agreed once: beside a ramp that may be chance
    for _ in range(12):
        middle = 0.5 * (left + right)
        first, steep = _panels(sf, left, middle)
        second, also = _panels(sf, middle, right)
        both = first + second
        rough = np.maximum(np.abs(both - whole), np.maximum(steep, also))
        size = total + both.sum(axis=1)
        agreed = np.all(rough <= 0.02 * _MOMENTS * size[:, None] / edges.size, axis=0)
        open_ = ~(agreed & calm)
        calm = np.tile(agreed[open_], 2)
        total = total + both[:, ~open_].sum(axis=1)
        if not open_.any():
            break
        left = np.concatenate([left[open_], middle[open_]])
        right = np.concatenate([middle[open_], right[open_]])
        whole = np.concatenate([first[:, open_], second[:, open_]], axis=1)
    else:
        total = total + whole.sum(axis=1)
    return total, top


def _panels(
    sf: Callable[[FloatArray], FloatArray], left: FloatArray, right: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return both integrals of each panel, and what a ramp between two nodes may hide of them."""
    nodes, weights = _RULE
    half = 0.5 * (right - left)
    x = np.column_stack([left, (left + half)[:, None] + half[:, None] * nodes, right])
    values = sf(x)
    mass = half[:, None] * weights * values[:, 1:-1]
    drops, gaps = -np.diff(values, axis=1), np.diff(x, axis=1)
    # Where more than half of the fall lies between two nodes.
    ramp = np.where(drops > 0.5 * drops.sum(axis=1, keepdims=True), drops * gaps, 0.0).max(axis=1)
    inner = x[:, 1:-1]
    found = np.array([mass.sum(axis=1), 2.0 * (mass * inner).sum(axis=1)])
    return found, np.array([ramp, 2.0 * ramp * right])
