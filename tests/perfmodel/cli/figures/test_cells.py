"""Which numbers of a study have a figure."""

import pytest

from perfmodel.cli.figures.cells import panels_of
from sim.answers import Measure

WAIT, KILLED = Measure("wait", "mean\nwait", "number"), Measure("killed", "killed", "number")


def rows(*pairs, half_width=None):
    return [
        {
            "policy": policy,
            "metrics": {
                "wait": {"mean": wait, "half_width": half_width},
                "killed": {"mean": killed, "half_width": None},
            },
        }
        for policy, (wait, killed) in zip(("fcfs", "easy"), pairs, strict=True)
    ]


@pytest.mark.parametrize(
    ("found", "drawn"),
    [
        (rows((1.0, 5.0), (1.0, 6.0)), ["Killed."]),
        (rows((1.0, 5.0), (2.0, 6.0)), ["Mean wait.", "Killed."]),
        (rows((1.0, 5.0), (None, 5.0)), ["Mean wait.", "Killed."]),
        (
            rows((1.0, 5.0), (1.0, 5.0), half_width=0.5),
            ["Mean wait, with 95 % intervals."],
        ),
    ],
)
def test_what_is_the_same_everywhere_has_no_figure_beside_one_that_is_not(found, drawn):
    assert [panel.words for panel in panels_of(found, ["policy"], [WAIT, KILLED])] == drawn
