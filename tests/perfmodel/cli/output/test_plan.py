"""The words of a plan, of which no scenario has all."""

import math
from types import SimpleNamespace

import pytest

from perfmodel.cli.output import plan as words
from perfmodel.planning.composed import Plan


def checkpoints(**changes):
    given = {"protocol": "periodic", "interval": 600.0, "steps": None, "tokens": None}
    return SimpleNamespace(**given | {"durable_every": 1.0} | changes)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"protocol": "single_segment"}, "Write no checkpoint before the end: the job is so short"),
        ({"protocol": "two_levels"}, "Write checkpoints on two levels after every 10 min of work."),
        (
            {"protocol": "predicted"},
            "Write checkpoints, and one before each predicted failure, after every 10 min of work.",
        ),
        ({"steps": 1}, "Write periodic checkpoints after every 10 min of work (1 step)."),
        (
            {"steps": 1200, "tokens": 5e6},
            "Write periodic checkpoints after every 10 min of work (1,200 steps, 5e+06 tokens).",
        ),
        ({"durable_every": 8.0}, "; one in 8 survives all failures, the others are local."),
    ],
)
def test_what_to_write(changes, expected):
    assert expected in words._what_to_write(checkpoints(**changes))


@pytest.mark.parametrize(
    ("nodes", "best", "expected"),
    [
        (1, None, "Keep 1,200 spare nodes: enough in 99.9 % of the time."),
        (4, 7, "spare blocks of 4 nodes: enough in 99.9 % of the time; 7 pay for themselves."),
    ],
)
def test_what_to_spare(nodes, best, expected):
    spares = SimpleNamespace(block_nodes=nodes, needed=1200, confidence=0.999, best=best)
    assert words._what_to_spare(spares).endswith(expected)


COSTS = ("job", "job_lost", "per_year", "lost_per_year", "energy", "energy_cost")


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, []),
        ({"energy": 7.2e6}, ["It takes 2 kWh."]),
        ({"energy": 7.2e6, "energy_cost": 3.0}, ["It takes 2 kWh, which cost 3 EUR."]),
        (
            {"job": 2000.0, "job_lost": 150.0},
            ["The job costs 2,000 EUR, 150 of it for checkpoints and failures."],
        ),
        (
            {"per_year": 1e6, "lost_per_year": 12.34},
            ["A year of the nodes costs 1,000,000 EUR, of which 12.3 are lost."],
        ),
    ],
)
def test_costs_that_are_known(known, expected):
    costs = SimpleNamespace(**dict.fromkeys(COSTS) | known)
    scenario = SimpleNamespace(prices=SimpleNamespace(currency="EUR"))
    found = list(words._costs(SimpleNamespace(costs=costs, scenario=scenario)))
    assert found == expected


def test_numbers_without_end_are_called_endless():
    assert words.money(math.inf) == words.change(math.inf, 1.0) == "endless"
    assert words.change(1.5, 1.0) == "+50.00"


def test_no_probability_is_a_false_certainty():
    assert words.probability(0.99999) == ">99.95"
    assert words.probability(0.0) == "0"


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (5400.0, "s", "90 min"),
        (2.5e9, "bytes/s", "2.5 GB/s"),
        (0.0, "bytes/s", "0 B/s"),
        (0.25, "share", "25 %"),
    ],
)
def test_amounts_have_their_unit(value, unit, expected):
    assert words.amount(value, unit) == expected
    assert words.amount(value, unit, digits=3) == expected


def test_what_an_unknown_input_must_be():
    def side(value):
        return words._side(SimpleNamespace(value=value, side="below", unit="share"))

    assert [side(value) for value in (None, 0.0, math.inf, 0.5)] == [
        "never enough",
        "anything",
        "anything",
        "below 50 %",
    ]


def limits(*, interval=None, goodput=None, on_time=None):
    low, high = interval or (None, None)
    best = SimpleNamespace(interval_low=low, interval_high=high)
    low, high = goodput or (None, None)
    share = SimpleNamespace(low=low, high=high)
    low, high = on_time or (None, None)
    return list(words._limits(best, share, SimpleNamespace(on_time_low=low, on_time_high=high)))


def test_limits_may_be_open():
    assert limits() == []
    assert list(words._limits(None, None, None)) == []
    assert limits(interval=(600.0, None), goodput=(0.5, None), on_time=(0.25, None)) == [
        ("interval", "10 min or more"),
        ("goodput", "50.00 % or more"),
        ("on time", "25.0 % or more"),
    ]
    assert limits(goodput=(0.5, 0.75), on_time=(0.25, 0.5)) == [
        ("goodput", "50.00 % to 75.00 %"),
        ("on time", "25.0 % to 50.0 %"),
    ]


FACTS = ("mtbf", "checkpoint", "goodput", "completion", "spares", "costs")


def test_a_plan_shows_the_facts_that_there_are():
    nothing = SimpleNamespace(**dict.fromkeys(FACTS))
    assert Plan._facts(nothing) == {}
    everything = SimpleNamespace(
        mtbf=SimpleNamespace(value=7200.0),
        checkpoint=checkpoints(),
        goodput=SimpleNamespace(value=0.5),
        completion=SimpleNamespace(mean=600.0, on_time=0.25),
        spares=SimpleNamespace(needed=3),
        costs=SimpleNamespace(per_year=1234567.0),
    )
    assert Plan._facts(everything) == {
        "MTBF": "2 h",
        "protocol": "periodic",
        "interval": "10 min",
        "goodput": "50 %",
        "mean completion": "10 min",
        "in time": "25 %",
        "spares": "3",
        "cost per year": "1.23457e+06",
    }
