"""Random points for the cost of recovery."""

from __future__ import annotations

import hypothesis.strategies as st

from perfmodel.site import expected_failure_slowdown, expected_manual_wait, recovery_charge
from validation.judge.search import Property

from ..strategies import UNITS, points_of
from .cases import account, job_that_was_struck, user_who_looks

__all__ = ["PROPERTIES"]

# Jobs whose user checks them at the end of the walltime.
LOOKS = st.builds(
    lambda load, more, mtbf: {
        "work": load * mtbf,
        "walltime": more * load * mtbf,
        "mtbf": mtbf,
    },
    st.sampled_from((1.0, 0.5, 2.0, 5.0)),
    st.sampled_from((1.0, 1.5, 3.0)),
    st.sampled_from(UNITS),
)
_PRICES = st.sampled_from((1.0, 0.0, 0.25, 4.0))
BOOKINGS = st.fixed_dictionaries(
    {
        "runtime": st.sampled_from((1.0, 0.1, 2.5, 24.0)),
        "nodes": st.sampled_from((1.0, 3.0, 512.0)),
        "price": _PRICES,
        "allowance": _PRICES,
    }
)

PROPERTIES = (
    Property(
        expected_failure_slowdown,
        job_that_was_struck,
        points_of(expected_failure_slowdown),
        4.0,
    ),
    Property(expected_manual_wait, user_who_looks, LOOKS),
    Property(recovery_charge, account, BOOKINGS),
)
