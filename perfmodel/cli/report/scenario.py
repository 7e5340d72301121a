"""Figures of a plan: what was chosen, how sure it is, and what it would be on other sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from asking.units import natural_unit

from ..._checks import FloatArray
from ...answers.drawn import (
    LEAST_PAST,
    completion_figure,
    forecast_figure,
    losses_figure,
    overhead_figure,
    standbys_figure,
)
from ...answers.parts.training import LOSSES
from ...answers.words.plan import amount
from ...figures import Curve, Mark, draw_curves, draw_numbers, draw_swings
from ...forecasts import PastPromises
from ...planning import Plan, Variant
from ...planning import plan as plan_of
from ...planning.scenario import Deadline, Questions
from ...protocols.table import protocol_of
from ..figures import axes_in, draw_in
from .page import Page
from .turning import turning_of
from .view import view_of

_POINTS = 150  # of a curve of means, each by itself
_FACTOR = 6.0  # how far from a value that suffices
_MOST = 12  # bars
_LETTERS = 14  # of a line below a bar
_SIZES = (0.25, 0.5, 1.0, 2.0, 4.0)  # of the nodes of the job


def draw_plan(page: Page, plan: Plan) -> None:
    """Add the figures that a plan allows."""
    with page.columns():
        _draw_unknown(page, plan)
        _draw_completion(page, plan)
        _draw_worth(page, plan)
        _draw_losses(page, plan)
        _draw_sensitivities(page, plan)
        _draw_spares(page, plan)
        _draw_interval(page, plan)
        _draw_sizes(page, plan)
        _let_turn(page, plan)


def draw_variants(page: Page, variants: Sequence[Variant]) -> None:
    """Draw the mean time of each combination."""
    times = {
        "\n".join(map(str, each.values.values())): each.plan.completion.mean
        for each in variants
        if each.plan.completion is not None
    }
    finite = [time for time in times.values() if np.isfinite(time)]
    if not finite or len(variants) > _MOST:
        return
    unit, size = natural_unit(min(finite))
    scaled = {name: time / size if np.isfinite(time) else np.nan for name, time in times.items()}

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_numbers(scaled, up=f"mean time [{unit}]", ax=axes)

    page.figure(f"Mean time of the job, by {', '.join(variants[0].values)}.", draw)


def _draw_unknown(page: Page, plan: Plan) -> None:
    """Draw goodput and chance over an input that is unknown, about the value that suffices."""
    rows = [row for row in plan.break_evens if row.unknown and row.value]
    if plan.checkpoint is not None or not rows or not np.isfinite(rows[0].value or np.inf):
        return
    row, needed = rows[0], float(rows[0].value or 0.0)
    section, _, name = row.key.partition(".")
    values = needed * np.geomspace(1.0 / _FACTOR, _FACTOR, 41)
    found = []
    asked = replace(plan.scenario, questions=Questions(percentiles=()))
    for value in values:
        known: Any = {section: replace(getattr(asked, section), **{name: float(value)})}
        found.append(plan_of(replace(asked, **known), brief=True))
    unit, size = _unit_of(needed, row.unit)
    goodput = [np.nan if each.goodput is None else each.goodput.value for each in found]
    curves = [Curve("goodput", values / size, 100.0 * np.array(goodput))]
    if plan.scenario.deadline.time is not None:
        sure = [None if each.completion is None else each.completion.on_time for each in found]
        chance = np.array([np.nan if each is None else each for each in sure])
        curves.append(Curve("done by the deadline", values / size, 100.0 * chance))

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            marks = [Mark(f"{row.goal}: {amount(needed, row.unit, digits=3)}", needed / size)]
            across = f"{row.key} [{unit}]" if unit else row.key
            draw_curves(curves, across=across, up="[%]", marks=marks, logarithmic=True, ax=axes)

    page.figure(f"What {row.key}, which is unknown, would do.", draw)


def _unit_of(value: float, unit: str) -> tuple[str, float]:
    """Return the unit in which a value is a handy number, and its size."""
    if unit == "s":
        return natural_unit(value)
    if unit == "bytes/s":
        power = min(max(int(np.log10(value) // 3), 0), 6)
        return f"{('', 'k', 'M', 'G', 'T', 'P', 'E')[power]}B/s", 1000.0**power
    return "", 1.0


def _draw_worth(page: Page, plan: Plan) -> None:
    """Draw what changes would gain, in money by the year where there are prices."""
    if not plan.worth:
        return
    if all(each.per_year is not None for each in plan.worth):
        gains = {each.change: each.per_year or 0.0 for each in plan.worth}
        most = max(map(abs, gains.values()))
        size, words = (1e6, "million ") if most >= 1e6 else (1.0, "")
        gains = {change: gain / size for change, gain in gains.items()}
        up = f"{words}{plan.scenario.prices.currency} a year"
    else:
        gains = {each.change: 100.0 * each.gain for each in plan.worth}
        up = "goodput [points]"
    lines = {"\n".join(wrap(name, _LETTERS)): gain for name, gain in gains.items()}

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_numbers(lines, up=up, ax=axes)

    page.figure("What changes are worth.", draw)


def _draw_interval(page: Page, plan: Plan) -> None:
    best, job, known = plan.checkpoint, plan.job, plan.mtbf_ahead
    if best is None or job is None or known is None:
        return
    protocol = protocol_of(best.protocol)
    if protocol.drawn is None:
        return

    def took(mtbf: float, intervals: FloatArray) -> FloatArray:
        return protocol.means(replace(job, mtbf=mtbf), intervals, best.durable_every)

    # The present interval is one of the usual protocol, and on no other curve.
    present = best.present_interval if protocol.usual else None
    page.figure(
        f"Time beyond the work, by the interval between checkpoints ({protocol.known_as}); the "
        "bands are where it takes at most 1 % longer, and the best intervals "
        f"within the limits of the MTBF{' to come' if plan.by else ''}.",
        lambda path: draw_in(
            path,
            lambda: overhead_figure(
                job.work,
                best.interval,
                took,
                mtbfs=(known.value, known.low, known.high),
                within=(best.interval_low, best.interval_high),
                present=present,
                points=_POINTS,
            ),
        ),
    )


def _let_turn(page: Page, plan: Plan) -> None:
    """Add the interval curve with sliders for the MTBF and the cost of a checkpoint."""
    found = turning_of(plan)
    if found is not None:
        page.view(
            "The same with another MTBF or another checkpoint: move the sliders. The band is where "
            "it takes at most 1 % longer.",
            view_of(found),
        )


def _draw_completion(page: Page, plan: Plan) -> None:
    law, when = plan.law(), plan.completion
    if law is None or when is None:
        return
    if (ours := plan.law_to_come()) is not None and (told := when.foretold) is not None:
        title = "forecast" if told.law == "forecast" else "rate uncertain"
        past = told.past or PastPromises(0.9, 0, 0, 0)
        kept = ", and how often such promises were kept" if past.jobs >= LEAST_PAST else ""
        page.figure(
            f"Probability to be done by each time{kept}.",
            lambda path: draw_in(
                path,
                lambda: forecast_figure(ours, law, past, name=title, deadline=when.deadline),
            ),
        )
        return
    uncertain = plan.law(uncertain=True)
    page.figure(
        "Probability to be done by each time.",
        lambda path: draw_in(
            path,
            lambda: completion_figure(law, uncertain=uncertain, deadline=when.deadline),
        ),
    )


def _draw_losses(page: Page, plan: Plan) -> None:
    losses = None if plan.goodput is None else plan.goodput.losses
    if losses:
        named = {LOSSES.get(name, name): share for name, share in losses.items()}
        page.figure(
            "Where the time of a long run goes.",
            lambda path: draw_in(path, lambda: losses_figure({"this run": named})),
        )


def _draw_sizes(page: Page, plan: Plan) -> None:
    """Draw the goodput of jobs of other sizes, where failures are known by node."""
    known, nodes = plan.scenario.failures, plan.scenario.machine.nodes
    by_node = (
        known.node_mtbf is not None
        or known.failure_rate is not None
        or known.observed_nodes is not None
    )
    if nodes is None or not by_node or plan.goodput is None:
        return
    counts = sorted({max(1, round(size * nodes)) for size in _SIZES})
    # Goodput alone: no law is asked when the job ends.
    asked = replace(plan.scenario, questions=Questions(percentiles=()), deadline=Deadline())
    found = [
        plan
        if count == nodes
        else plan_of(replace(asked, machine=replace(asked.machine, nodes=count)), brief=True)
        for count in counts
    ]
    goodputs = [np.nan if each.goodput is None else each.goodput.value for each in found]
    curve = Curve("goodput", np.array(counts, np.float64), 100.0 * np.array(goodputs), dots=True)

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            marks = [Mark(f"this job: {nodes:,}", float(nodes))]
            draw_curves(
                [curve], across="nodes", up="goodput [%]", marks=marks, logarithmic=True, ax=axes
            )

    page.figure("Goodput by the number of nodes, each at its best.", draw)


def _draw_spares(page: Page, plan: Plan) -> None:
    spares = plan.spares
    if spares is None or not spares.table:
        return
    marks: dict[str, int | None] = {"the confidence asked for": spares.needed}
    if spares.best is not None:
        marks["what pays"] = spares.best
    if spares.standbys is not None:
        marks["now"] = spares.standbys
    page.figure(
        "Goodput by the number of spares.",
        lambda path: draw_in(
            path,
            lambda: standbys_figure(
                [row.goodput for row in spares.table],
                marks,
                counts=[row.standbys for row in spares.table],
            ),
        ),
    )


def _draw_sensitivities(page: Page, plan: Plan) -> None:
    if not plan.sensitivities or plan.completion is None:
        return
    mean = plan.completion.steady_mean
    swings = {
        row.key: (
            100.0 * (row.time_halved / mean - 1.0),
            100.0 * (row.time_doubled / mean - 1.0),
        )
        for row in plan.sensitivities
    }

    def draw(path: Path) -> None:
        with axes_in(path, height=1.5 + 0.35 * len(swings)) as axes:
            draw_swings(swings, across="change of the time [%]", ax=axes)

    page.figure("What matters: the time with half and with twice of each input.", draw)
