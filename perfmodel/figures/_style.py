"""What all figures have in common: colours that the colour-blind can tell apart, and axes."""

from __future__ import annotations

from typing import Any

# The palette of Okabe and Ito, a colour for each kind of thing.
PREDICTED = "#0072B2"  # what a formula says
BEST = "#D55E00"  # what is recommended
WANTED = "#CC79A7"  # a deadline, or another goal
OTHER = "#009E73"  # a second prediction beside the first
RECORDED = "#595959"  # what a log or a simulation says
LAWS = (PREDICTED, BEST, OTHER, WANTED, "#E69F00", "#56B4E9")
FAMILIES = ("exponential", "weibull", "gamma", "lognormal", "hyperexponential")
LOSSES = (*LAWS, "#F0E442", "#999999")


def law_colour(name: str, place: int) -> str:
    """Return the colour of a law of durations: the same one in every figure of a known law."""
    return LAWS[(FAMILIES.index(name) if name in FAMILIES else place) % len(LAWS)]


def axes_of(ax: Any) -> Any:
    """Return the axes given, or new ones."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            "a figure needs matplotlib, which the extra installs: pip install 'perfmodel[plot]'"
        ) from error
    _, new = pyplot.subplots(layout="constrained")
    return new


def in_decades(axes: Any) -> None:
    """Make the horizontal axis logarithmic, with plain numbers at it."""
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    axes.set_xscale("log")
    left, right = axes.get_xlim()
    subs = (1.0, 2.0, 5.0) if right < 1e3 * left else (1.0,)
    axes.xaxis.set_major_locator(LogLocator(subs=subs))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())


def label(words: str, unit: str | None) -> str:
    """Return what stands at an axis."""
    return words if unit is None else f"{words} [{unit}]"
