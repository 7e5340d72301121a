"""Figures of offers side by side, one for each question."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

import numpy as np

from asking.units import natural_unit

from ...answers.drawn import losses_figure
from ...answers.parts.training import LOSSES
from ...answers.questions.offers import OffersAnswer
from ...figures import Curve, Mark, draw_curves, draw_numbers, draw_stacks
from ..figures import axes_in, draw_in
from .page import Page

_POINTS, _TAIL = 300, 1e-3
_LETTERS = 16  # of a line of a name


def draw_offers(page: Page, found: OffersAnswer) -> None:
    """Add a figure of when the job ends, of what a year costs, of the goodput and of the losses."""
    with page.columns():
        _draw_ends(page, found)
        _draw_costs(page, found)
        _draw_losses(page, found)
        _draw_goodput(page, found)


def _short(name: str) -> str:
    """Return a name in two lines at most."""
    return "\n".join(wrap(name, _LETTERS, max_lines=2, placeholder="..."))


def _draw_ends(page: Page, found: OffersAnswer) -> None:
    laws = {
        name: law
        for name, plan in zip(found.names, found.plans, strict=True)
        if (law := plan.law_to_come() or plan.law(uncertain=True) or plan.law()) is not None
    }
    if not laws:
        return
    first, last = (
        pick(float(law.ppf(q)) for law in laws.values())
        for pick, q in ((min, _TAIL), (max, 1.0 - _TAIL))
    )
    times = np.linspace(0.98 * first, last, _POINTS)
    unit, size = natural_unit(last)
    curves = [
        Curve(_short(name), times / size, 100.0 * np.asarray(law.cdf(times)))
        for name, law in laws.items()
    ]
    ends: dict[float, list[str]] = {}
    for name, plan in zip(found.names, found.plans, strict=True):
        if (end := plan.scenario.deadline.time) is not None:
            ends.setdefault(end, []).append(_short(name))
    marks = [
        Mark(f"deadline of {', '.join(of)}" if len(ends) > 1 else "deadline", end / size, "wanted")
        for end, of in sorted(ends.items())
    ]

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_curves(
                curves,
                across=f"completion time [{unit}]",
                up="probability to be done [%]",
                marks=marks,
                ax=axes,
            )

    page.figure("When the job ends, with each offer.", draw)


def _draw_costs(page: Page, found: OffersAnswer) -> None:
    fields = {"nodes": "per_year", "spares": "spares_per_year", "energy": "energy_per_year"}
    costs = [plan.costs for plan in found.plans]
    currencies = {plan.scenario.prices.currency for plan in found.plans}
    if len(currencies) > 1 or any(each is None or each.per_year is None for each in costs):
        return
    values = {
        name: [getattr(each, field) or 0.0 for each in costs] for name, field in fields.items()
    }
    most = max(map(sum, zip(*values.values(), strict=True)))
    size, words = (1e6, "million ") if most >= 1e6 else (1.0, "")
    stacks = {
        name: [value / size for value in row] for name, row in values.items() if max(row) > 0.0
    }
    names = list(map(_short, found.names))
    up = f"{words}{currencies.pop()} a year"

    def draw(path: Path) -> None:
        with axes_in(path, height=1.6 + len(names)) as axes:
            draw_stacks(stacks, names=names, across=up, ax=axes)

    page.figure("What a year costs, with each offer.", draw)


def _draw_losses(page: Page, found: OffersAnswer) -> None:
    runs = {
        _short(name): {LOSSES.get(key, key): share for key, share in plan.goodput.losses.items()}
        for name, plan in zip(found.names, found.plans, strict=True)
        if plan.goodput is not None and plan.goodput.losses
    }
    if runs:
        page.figure(
            "Where the time of a long run goes, with each offer.",
            lambda path: draw_in(path, lambda: losses_figure(runs)),
        )


def _draw_goodput(page: Page, found: OffersAnswer) -> None:
    known = {
        _short(name): plan.goodput
        for name, plan in zip(found.names, found.plans, strict=True)
        if plan.goodput is not None
    }
    if not known:
        return
    limited = any(each.low is not None for each in known.values())
    limits = {
        name: (
            100.0 * (each.value if each.low is None else each.low),
            100.0 * (each.value if each.high is None else each.high),
        )
        for name, each in known.items()
    }
    numbers = {name: 100.0 * each.value for name, each in known.items()}

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_numbers(numbers, up="goodput [%]", limits=limits if limited else None, ax=axes)

    words = "Goodput of each offer"
    page.figure(f"{words}, with the limits of the MTBF." if limited else f"{words}.", draw)
