"""Points at which formulas are put on trial, drawn from round numbers by `hypothesis`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np

from perfmodel.registry import FORMULAS

from .law_properties import UNITS
from .laws import Law

__all__ = [
    "bookings",
    "clear_of_the_tie",
    "counts",
    "jobs",
    "longest_promises",
    "looks",
    "points_of",
    "promises",
    "queues",
    "records",
    "requests",
]

ROWS = {row.function: row for row in FORMULAS}
WITHOUT_UNIT = frozenset(("precision", "recall"))


def points_of(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, float]]:
    """Draw the arguments of a formula from its domain, round multiples of the mtbf."""
    domain = ROWS[function].domain
    multiples = st.fixed_dictionaries(
        {name: st.sampled_from(_round_numbers(*ends)) for name, ends in domain.items()}
    )
    return st.builds(
        lambda unit, point: {
            name: value if name in WITHOUT_UNIT else unit * value for name, value in point.items()
        },
        st.sampled_from(UNITS),
        multiples,
    )


def _round_numbers(low: float, high: float) -> list[float]:
    """Return numbers of one or two digits in [low, high], the simplest first."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    numbers = {
        float(f"{digits}e{power}")
        for power in powers
        for digits in (1, 2, 5, 1.5, 3, 4, 6, 7, 8, 9)
    }
    inside = [number for number in numbers if low <= number <= high]
    return sorted(inside, key=lambda number: (len(f"{number:g}"), abs(np.log(number)), number))


def counts() -> st.SearchStrategy[dict[str, Any]]:
    """Draw failures in a time, and an end of their interval."""
    return st.builds(
        lambda end, failures, observed_time, confidence: {
            "failures": max(failures, int(end == "upper")),  # without a failure there is no end
            "observed_time": observed_time,
            "confidence": confidence,
            "end": end,
        },
        st.sampled_from(("lower", "upper")),
        st.integers(0, 6),
        st.sampled_from(UNITS),
        st.sampled_from((0.5, 0.2, 0.4, 0.6, 0.8)),
    )


def records() -> st.SearchStrategy[dict[str, Any]]:
    """Draw laws and how long they are watched."""
    shapes = {
        "Exponential": (("mean",), st.tuples()),
        "Weibull": (("shape", "scale"), st.tuples(st.sampled_from((1.0, 2.0, 0.5, 0.7, 3.0)))),
        "Gamma": (("shape", "scale"), st.tuples(st.sampled_from((1.0, 2.0, 0.5, 0.7, 3.0)))),
    }

    def record(name: str) -> st.SearchStrategy[dict[str, Any]]:
        names, shape = shapes[name]
        return st.builds(
            lambda first, scale, parameter, watched: {
                "law": Law(name, (*first, scale)),
                "watched": watched * scale,
                "part": parameter,
            },
            shape,
            st.sampled_from(UNITS),
            st.sampled_from(names),
            st.sampled_from((5.0, 2.0, 20.0)),
        )

    return st.sampled_from(tuple(shapes)).flatmap(record)


def promises() -> st.SearchStrategy[dict[str, Any]]:
    """Draw durations on nodes."""
    return st.builds(
        lambda load, nodes, node_mtbf: {
            "duration": load * node_mtbf / nodes,
            "nodes": nodes,
            "node_mtbf": node_mtbf,
        },
        st.sampled_from((0.5, 1.0, 0.2, 0.1)),
        st.sampled_from((1, 2, 4)),
        st.sampled_from(UNITS),
    )


def longest_promises() -> st.SearchStrategy[dict[str, Any]]:
    """Draw probabilities on nodes."""
    return st.fixed_dictionaries(
        {
            "probability": st.sampled_from((0.5, 0.9, 0.2, 0.8)),
            "nodes": st.sampled_from((1, 2, 4)),
            "node_mtbf": st.sampled_from(UNITS),
        }
    )


def looks() -> st.SearchStrategy[dict[str, float]]:
    """Draw jobs whose user looks after them at the end of a walltime."""
    return st.builds(
        lambda load, more, mtbf: {
            "work": load * mtbf,
            "walltime": more * load * mtbf,
            "mtbf": mtbf,
        },
        st.sampled_from((1.0, 0.5, 2.0, 5.0)),
        st.sampled_from((1.0, 1.5, 3.0)),
        st.sampled_from(UNITS),
    )


def bookings() -> st.SearchStrategy[dict[str, float]]:
    """Draw bookings and their prices."""
    prices = st.sampled_from((1.0, 0.0, 0.25, 4.0))
    return st.fixed_dictionaries(
        {
            "runtime": st.sampled_from((1.0, 0.1, 2.5, 24.0)),
            "nodes": st.sampled_from((1.0, 3.0, 512.0)),
            "price": prices,
            "allowance": prices,
        }
    )


def queues(**more: tuple[Any, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw queues, with what else the formula takes."""
    return st.fixed_dictionaries(
        {
            "service_time": st.sampled_from((1.0, 10.0)),
            "load": st.sampled_from((0.3, 0.2)),
            **{name: st.sampled_from(values) for name, values in more.items()},
        }
    )


def requests() -> st.SearchStrategy[dict[str, Any]]:
    """Draw checkpoints asked for under risk."""
    return st.fixed_dictionaries(
        {
            "failure_probability": st.sampled_from((0.5, 0.1, 0.9, 1.0, 0.0)),
            "intervals": st.integers(1, 9),
            "interval": st.sampled_from((10.0, 1.0, 3600.0)),
            "checkpoint_cost": st.sampled_from((1.0, 0.1, 7.0)),
        }
    )


def jobs(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw jobs from the domain of a formula, with and without a final checkpoint."""
    return st.builds(
        lambda point, final: {**point, "final_checkpoint": final},
        points_of(function),
        st.sampled_from((True, False)),
    )


def clear_of_the_tie(point: dict[str, float]) -> bool:
    """Return whether writing pays, or not, clearly enough to be seen."""
    # Where "never" and the best interval are nearly as good, no simulation tells them apart.
    return not 0.6 < point["checkpoint_cost"] / point["mtbf"] < 0.85
