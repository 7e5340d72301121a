"""Figures of the answers for one job: interval, completion, spares, goodput, fits, shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.units import human_duration, natural_unit

from ..figures import (
    Curve,
    Mark,
    Span,
    draw_completion,
    draw_curves,
    draw_losses,
    draw_schedule,
    draw_survival,
)
from ..makespan import expected_makespan
from .shown import in_one_unit

if TYPE_CHECKING:
    from .._checks import FloatArray
    from ..completion import CompletionTime
    from ..estimate import Estimate
    from ..forecasts import ForecastMakespan, PastPromises
    from ..partition import Schedule
    from .logs import Log
    from .parts.advice import Advice
    from .parts.fitted import Fitted
    from .parts.foretold_interval import ForeseenInterval

LEAST_PAST = 5  # jobs of which a figure shows how many kept a promise
_FACTOR, _POINTS = 12.0, 400  # how far from the best interval, and in how many points
_REGRET = 0.01


def axes_for(ax: Any, panels: int = 1, *, height: float = 4.5) -> Any:
    """Return the axes given, or new ones: one, or an array of panels above each other."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    _, new = pyplot.subplots(panels, figsize=(8.0, height * panels), layout="constrained")
    return new


def advice_figure(advice: Advice, ax: Any = None, *, ahead: ForeseenInterval | None = None) -> Any:
    """Draw how much longer than its work the job takes, over the interval.

    The MTBF is that of clusters to come where an interval for these is recommended.
    """
    job = advice.job
    mtbf: Estimate = job.mtbf
    best, within = advice.best.interval_s, (advice.low, advice.high)
    if ahead is not None:
        best, within, mtbf = ahead.interval, (ahead.low, ahead.high), ahead.mtbf

    def took(mtbf: float, intervals: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return expected_makespan(job.work, interval=intervals, **job.costs_at(mtbf))

    return overhead_figure(
        job.work,
        best,
        took,
        mtbfs=(mtbf.value, mtbf.low, mtbf.high),
        within=within,
        ax=ax,
    )


def overhead_figure(
    work: float,
    best: float,
    took: Callable[[float, FloatArray], FloatArray],
    *,
    mtbfs: tuple[float, float | None, float | None],
    within: tuple[float | None, float | None],
    present: float | None = None,
    points: int = _POINTS,
    ax: Any = None,
) -> Any:
    """Draw how much longer than its work a job takes, over the interval of its checkpoints.

    `took` gives the mean times under an MTBF at some intervals. `mtbfs` are the MTBF and its
    limits, `within` the best intervals at these, `present` is the interval of now; all in [s].
    """
    unit, size = natural_unit(best)
    farthest = max(best * _FACTOR, 2.0 * (present or 0.0))
    nearest = min(best / _FACTOR, 0.5 * (present or best))
    intervals = np.geomspace(nearest, max(min(farthest, work), 2.0 * nearest), points)

    def overhead(mtbf: float) -> FloatArray:
        return np.asarray(100.0 * (took(mtbf, intervals) / work - 1.0))

    known = overhead(mtbfs[0])
    curves = [Curve(f"MTBF {human_duration(mtbfs[0])}", intervals / size, known)]
    spans, marks = [], [Mark(f"best: {human_duration(best)}", best / size)]
    if present is not None:
        marks.append(Mark(f"now: {human_duration(present)}", present / size, "wanted"))
    near = span_below(intervals, known, known.min() + _REGRET * (100.0 + known.min()))
    if near is not None:
        spans.append(Span("at most 1 % longer", near[0] / size, near[1] / size))
    limits = [limit for limit in mtbfs[1:] if limit is not None and math.isfinite(limit)]
    texts = in_one_unit(mtbfs[0], *limits)[1:]
    curves += [
        Curve(f"MTBF {text} (limit)", intervals / size, overhead(limit), dashed=True)
        for limit, text in zip(limits, texts, strict=True)
    ]
    low, high = within
    if low is not None and high is not None and math.isfinite(high):
        spans.append(Span("best within the limits", low / size, high / size))
    axes = axes_for(ax)
    draw_curves(
        curves,
        across=f"work between checkpoints [{unit}]",
        up="time beyond the work [%]",
        marks=marks,
        spans=spans,
        logarithmic=True,
        ax=axes,
    )
    lowest, here = known.min(), known[np.isfinite(known)].max(initial=0.0)
    axes.set_ylim(0.0, min(here, 6.0 * lowest + 1e-9) * 1.05)
    return axes


def span_below(x: FloatArray, y: FloatArray, level: float) -> tuple[float, float] | None:
    """Return where a curve goes below a level and comes back, between its points; None if never."""
    below = np.flatnonzero(y <= level)
    if not below.size:
        return None
    ends = []
    for here, beyond in ((below[0], below[0] - 1), (below[-1], below[-1] + 1)):
        place = float(np.log(x[here]))
        if 0 <= beyond < x.size and np.isfinite(y[beyond]):
            share = (level - y[here]) / (y[beyond] - y[here])
            place += float(share * (np.log(x[beyond]) - np.log(x[here])))
        ends.append(math.exp(place))
    return ends[0], ends[1]


def completion_figure(
    law: CompletionTime,
    *,
    uncertain: CompletionTime | None = None,
    simulated: FloatArray | None = None,
    deadline: float | None = None,
    ax: Any = None,
) -> Any:
    """Draw the probability to be done by each time."""
    unit, size = natural_unit(law.mean)
    axes = axes_for(ax)
    draw_completion(
        law,
        uncertain=uncertain,
        simulated=simulated,
        deadline=deadline,
        unit=unit,
        size=size,
        ax=axes,
    )
    return axes


def forecast_figure(
    law: ForecastMakespan | CompletionTime,
    constant: CompletionTime,
    past: PastPromises,
    *,
    name: str = "forecast",
    deadline: float | None = None,
    ax: Any = None,
) -> Any:
    """Draw the probability to be done by each time, and how often such promises were kept so far.

    `ax` is two axes, or one for the law alone: shares of fewer jobs than `LEAST_PAST` show nothing.
    """
    axes = np.ravel(axes_for(ax, 2 if past.jobs >= LEAST_PAST else 1))
    ends = [float(each.ppf(q)) for each in (law, constant) for q in (0.001, 0.995)]
    last = max(each for each in ends if math.isfinite(each))
    unit, size = natural_unit(last)
    times = np.linspace(min(ends) - 0.02 * (last - min(ends)), last, _POINTS)
    curves = [
        Curve(words, times / size, np.array([100.0 * float(each.cdf(t)) for t in times]))
        for words, each in ((name, law), ("constant rate", constant))
    ]
    marks = [] if deadline is None else [Mark("deadline", deadline / size, "wanted")]
    done = "probability to be done [%]"
    draw_curves(curves, across=f"time from now [{unit}]", up=done, marks=marks, ax=axes[0])
    if past.jobs >= LEAST_PAST and axes.size > 1:
        stated = np.array([100.0 * each.probability for each in past.levels])
        kept = [
            (words, np.array([100.0 * getattr(each, name) / past.jobs for each in past.levels]))
            for words, name in (("forecast", "kept"), ("constant rate", "kept_constant"))
        ]
        curves = [Curve(words, stated, share, dots=True) for words, share in kept]
        even = np.array([0.0, 100.0])
        curves.append(Curve("as promised", even, even, dashed=True))
        across = f"promised, for {past.jobs} past jobs on this log [%]"
        draw_curves(curves, across=across, up="kept [%]", ax=axes[1])
    return axes if axes.size > 1 else axes[0]


def fits_figure(log: Log, uptimes: Fitted | None, repairs: Fitted | None, ax: Any = None) -> Any:
    """Draw the laws of uptimes and repairs over what was recorded, a panel each.

    `ax` is as many axes as there are laws, or as one where there is none.
    """
    known = log.uptimes.repairs
    uncut = np.zeros(known.shape, np.bool_)
    every = (
        ("uptime", uptimes, log.uptimes.durations, log.uptimes.censored),
        ("repair", repairs, known, uncut),
    )
    panels = [panel for panel in every if panel[1] is not None]
    axes = axes_for(ax, max(len(panels), 1))
    if not panels:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "too few different values to fit a law", ha="center")
    for each, (words, found, durations, cut) in zip(np.ravel(axes), panels, strict=False):
        assert found is not None
        best = found.fits.best
        ranked = {best.family: best.lifetime}
        ranked |= {row.family: row.lifetime for row in found.fits}
        unit, size = natural_unit(best.mean)
        draw_survival(
            ranked,
            durations=durations,
            censored=cut,
            words=words,
            unit=unit,
            size=size,
            ax=each,
        )
    return axes


def losses_figure(runs: Mapping[str, Mapping[str, float]], ax: Any = None) -> Any:
    """Draw what becomes of the time of each run, a bar each."""
    names = dict.fromkeys(name for losses in runs.values() for name in losses)
    every = {name: [losses.get(name, 0.0) for losses in runs.values()] for name in names}
    axes = axes_for(ax, height=1.6 + len(runs))
    draw_losses(every, runs=list(runs) if len(runs) > 1 else (), ax=axes)
    return axes


def schedule_figure(found: Schedule, names: Sequence[str], ax: Any = None) -> Any:
    """Draw the share of each machine."""
    unit, size = natural_unit(float(found.shares.max()))
    known = dict(enumerate(names))
    axes = axes_for(ax)
    draw_schedule(found.chosen, found.shares, names=known, unit=unit, size=size, ax=axes)
    return axes


def spares_figure(
    nodes: int, mtbf: float, mttr: float, needed: Mapping[str, int], ax: Any = None
) -> Any:
    """Draw the probability that spares suffice, over their number."""
    from scipy.special import gammaincc

    most = math.ceil(1.3 * max(needed.values())) + 3
    counts = np.arange(most + 1.0)
    enough = np.asarray(100.0 * gammaincc(counts + 1.0, nodes * mttr / mtbf), np.float64)
    marks = [Mark(f"{count:,} for {name}", count) for name, count in needed.items()]
    curve = Curve("they suffice", counts, enough, dots=True)
    return _numbered(curve, marks, "spare nodes", "probability [%]", ax)


def standbys_figure(
    goodputs: Sequence[float],
    needed: Mapping[str, int | None],
    ax: Any = None,
    *,
    counts: Sequence[float] | None = None,
) -> Any:
    """Draw the goodput over the number of standbys, `counts` or from none on."""
    at = np.arange(float(len(goodputs))) if counts is None else np.array(counts, np.float64)
    marks = [
        Mark(f"{count:,} for {name}", count) for name, count in needed.items() if count is not None
    ]
    curve = Curve("goodput", at, 100.0 * np.asarray(goodputs), dots=True)
    return _numbered(curve, marks, "standby blocks", "goodput [%]", ax)


def _numbered(curve: Curve, marks: Sequence[Mark], across: str, up: str, ax: Any) -> Any:
    axes = axes_for(ax)
    draw_curves([curve], across=across, up=up, marks=marks, ax=axes)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return axes
