"""What a study asks for: its seeds, its choices, and the request of its first seed."""

from pathlib import Path

import pytest

from perfmodel.answers.requests.fractions import Fractions, percentages, probabilities
from sim.answers.replays.requests import PromisesRequest, ReplayRequest
from sim.answers.studies.request import StudyRequest

SEEDS = (4, 9)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, False),
        ({"workers": 3, "metric": "wait"}, False),
        ({"seeds": SEEDS}, True),
        ({"until": 0.01}, True),
        ({"varied": {"mtbf": (1.0, 2.0)}}, True),
    ],
)
def test_seeds_a_goal_or_several_values_make_a_study(options, wanted):
    assert StudyRequest(**options).wanted is wanted


def test_the_seeds_of_a_study():
    assert [*StudyRequest().seeds_from(3)] == [3]
    assert StudyRequest(seeds=SEEDS).seeds_from(3) == (4, 9)
    assert StudyRequest(seeds=SEEDS, until=0.01).seeds_from(3) == (4, 9)
    assert StudyRequest(until=0.01).seeds_from(3) == range(3, 10_003)


def test_every_choice_of_the_varied_values_the_last_changing_fastest():
    assert StudyRequest().choices() == [{}]
    study = StudyRequest(varied={"mtbf": (1.0, 2.0), "on_failure": ("new", "drop")})
    assert study.choices() == [
        {"mtbf": mtbf, "on_failure": what} for mtbf in (1.0, 2.0) for what in ("new", "drop")
    ]


def test_a_study_begins_with_its_first_seed():
    request = ReplayRequest(log=Path("jobs"), seed=7)
    assert StudyRequest().first_seed(request.seed) == 7
    assert StudyRequest(seeds=SEEDS).first_seed(request.seed) == 4
    assert StudyRequest(until=0.01).first_seed(request.seed) == 7


def test_the_jobs_of_promises_are_those_of_a_plain_machine():
    asked = {
        "log": Path("jobs"),
        "job_format": "gwf",
        "processors": 5,
        "oversize": "skip",
        "failures": Path("f"),
        "failure_format": "lanl",
        "node_names": Path("n"),
        "failures_from_start": True,
        "checkpoint_interval": 3.0,
        "checkpoint_cost": 2.0,
        "seed": 11,
    }
    site = PromisesRequest(**asked).site()
    for name, value in asked.items():
        assert getattr(site, name) == value, name
    assert (site.processors_per_node, site.mttr) == (1, 120.0)
    assert PromisesRequest(**asked, downtime=9.0).site().mttr == 9.0
    assert (PromisesRequest(**asked, downtime=0.0).repair, PromisesRequest(**asked).repair) == (
        0.0,
        120.0,
    )


def test_percentages_and_probabilities_keep_their_names():
    assert percentages("50, 75 %") == Fractions(("50", "75"), (0.5, 0.75))
    assert percentages("0.5%,1") == Fractions(("0.5", "1"), (0.005, 0.01))
    assert str(percentages("50,90")) == "50,90"
    assert probabilities("0.95, 99%,0.95,0") == Fractions(("0.95", "99%", "0"), (0.95, 0.99, 0.0))
    for read, refused in {
        percentages: {
            "0": "not between 0 and 100",
            "100": "not between 0 and 100",
            "nan": "not between 0 and 100",
            "x": "",
            "1_0": "",
            "٣": "",
            "0.5,0.9": "write 50,90 for these fractions, or 0.5%,0.9% if percent is meant",
        },
        probabilities: {
            "1": "not in [0, 1)",
            "100%": "not in [0, 1)",
            "-0.1": "not in [0, 1)",
            "nan": "not in [0, 1)",
            "x": "",
            "1_0": "",
            "٣": "",
        },
    }.items():
        for text, reason in refused.items():
            with pytest.raises(ValueError, match=r"^") as said:
                read(text)
            assert str(said.value) == reason, text
