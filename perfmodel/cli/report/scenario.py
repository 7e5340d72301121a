"""Figures of a plan: what was chosen, how sure it is, and what it would be on other sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..._checks import FloatArray
from ...figures import Curve, Mark, draw_curves, draw_swings
from ...planning import Plan, plans
from ..figures import axes_in
from ..figures.answers import plot_completion, plot_losses, plot_overhead, plot_standbys
from ..output.plan import protocol_words
from ..setups.scenario_files import read_tables
from .page import Page

__all__ = ["draw_plan"]

_POINTS = 150  # of a curve of means, each by itself
_SIZES = (0.25, 0.5, 1.0, 2.0, 4.0)  # of the nodes of the job


def draw_plan(page: Page, source: Path) -> None:
    """Add the figures that a plan allows."""
    tables = read_tables(source)
    variants = plans(tables)
    if len(variants) != 1:
        return
    plan = variants[0].plan
    _draw_interval(page, plan)
    _draw_completion(page, plan)
    _draw_losses(page, plan)
    _draw_sizes(page, plan, tables)
    _draw_spares(page, plan)
    _draw_sensitivities(page, plan)


def _draw_interval(page: Page, plan: Plan) -> None:
    best, job, known = plan.checkpoint, plan.job, plan.mtbf
    if best is None or job is None or known is None:
        return
    if best.protocol not in {"synchronous", "asynchronous", "two_levels"}:
        return

    def took(mtbf: float, intervals: FloatArray) -> FloatArray:
        under = replace(job, mtbf=mtbf)
        times = [under.mean_time(best.protocol, each, best.durable_every) for each in intervals]
        return np.array(times)

    # The present interval is one of synchronous checkpoints, and on no other curve.
    present = best.present_interval if best.protocol == "synchronous" else None
    page.figure(
        f"Time beyond the work, by the interval between {protocol_words(best.protocol)} "
        "checkpoints; the bands are where it takes at most 1 % longer, and the best intervals "
        "within the limits of the MTBF.",
        lambda path: plot_overhead(
            job.work,
            best.interval,
            took,
            mtbfs=(job.mtbf, known.low, known.high),
            within=(best.interval_low, best.interval_high),
            path=path,
            present=present,
            points=_POINTS,
        ),
    )


def _draw_completion(page: Page, plan: Plan) -> None:
    law, when = plan.law(), plan.completion
    if law is None or when is None:
        return
    uncertain = plan.law(uncertain=True)
    page.figure(
        "Probability to be done by each time.",
        lambda path: plot_completion(law, path, uncertain=uncertain, deadline=when.deadline),
    )


def _draw_losses(page: Page, plan: Plan) -> None:
    losses = None if plan.goodput is None else plan.goodput.losses
    if losses:
        page.figure(
            "Where the time of a long run goes.",
            lambda path: plot_losses({"this run": losses}, path),
        )


def _draw_sizes(page: Page, plan: Plan, tables: Mapping[str, Any]) -> None:
    """Draw the goodput of jobs of other sizes, where failures are known by node."""
    known, nodes = plan.scenario.failures, plan.scenario.machine.nodes
    by_node = known.node_mtbf is not None or known.failure_rate is not None
    if nodes is None or not by_node or plan.goodput is None:
        return
    counts = sorted({max(1, round(size * nodes)) for size in _SIZES})
    machine = {**tables["machine"], "nodes": counts}
    goodputs = [
        np.nan if each.plan.goodput is None else each.plan.goodput.value
        for each in plans({**tables, "machine": machine})
    ]
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
    page.figure(
        "Goodput by the number of spares.",
        lambda path: plot_standbys([row.goodput for row in spares.table], marks, path),
    )


def _draw_sensitivities(page: Page, plan: Plan) -> None:
    if not plan.sensitivities or plan.completion is None:
        return
    mean = plan.completion.mean
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
