"""Random points for estimates from data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

from perfmodel.fitting import fit_lifetime, mtbf_confidence
from validation.judge.search import Property
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict

from ..laws import Law
from ..strategies import UNITS
from .cases import estimate, lower_end, upper_end

__all__ = ["PROPERTIES"]

Predict = Callable[..., Any]


def either_end(predict: Predict, budget: Budget, *, end: str, **count: Any) -> Verdict:
    """Judge the lower or the upper end of the confidence interval of an mtbf."""
    judge = lower_end if end == "lower" else upper_end
    return judge(predict, budget, **count)


def counts() -> st.SearchStrategy[dict[str, Any]]:
    """Draw a number of failures in a time, and an end of the confidence interval."""
    return st.builds(
        lambda end, failures, observed_time, confidence: {
            "failures": max(failures, int(end == "upper")),  # no failure: no upper end
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
    """Draw laws and observation times."""
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


PROPERTIES = (
    Property(mtbf_confidence, either_end, counts()),
    Property(fit_lifetime, estimate, records(), 2.0),
)
