"""Random points for the delays of failed jobs in the queue."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.site import (
    expected_head_delay,
    expected_rear_delay,
    expected_resubmission_delay,
)
from validation.judge.search import Property

from .cases import struck_job

__all__ = ["PROPERTIES"]


def queues(**more: tuple[Any, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw queues, and the further arguments of the formula."""
    return st.fixed_dictionaries(
        {
            "service_time": st.sampled_from((1.0, 10.0)),
            "load": st.sampled_from((0.3, 0.2)),
            **{name: st.sampled_from(values) for name, values in more.items()},
        }
    )


PROPERTIES = (
    Property(
        expected_head_delay,
        struck_job,
        queues(places=(1, 2, 3), downtime=(1.0, 20.0), option=("head",)),
        4.0,
    ),
    Property(
        expected_rear_delay,
        struck_job,
        queues(downtime=(0.0, 5.0), scv=(1.0, 0.0, 0.5), option=("rear",)),
        4.0,
    ),
    Property(
        expected_resubmission_delay,
        struck_job,
        queues(places=(1, 2), remaining=(2.0, 10.0), option=("later",)),
        4.0,
    ),
)
