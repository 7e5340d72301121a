"""The words of a plan, of which no scenario has all."""

import math
from types import SimpleNamespace

import pytest

from perfmodel.answers.words import plan as words
from perfmodel.planning.composed import Plan


def checkpoints(**changes):
    given = {"protocol": "synchronous", "interval": 600.0, "steps": None, "tokens": None}
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
        ({"steps": 1}, "Write synchronous checkpoints after every 10 min of work (1 step)."),
        (
            {"steps": 1200, "tokens": 5e6},
            "Write synchronous checkpoints after every 10 min of work (1,200 steps, 5e+06 tokens).",
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


COSTS = (
    *("job", "job_lost", "per_year", "lost_per_year"),
    *("energy", "energy_cost", "why_no_energy"),
)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, []),
        *(({alone: 5.0}, []) for alone in COSTS[:4]),
        ({"energy_cost": 5.0}, []),
        ({"why_no_energy": "none is known"}, ["Its energy: unknown, none is known."]),
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
    best = SimpleNamespace(protocol="synchronous")
    plan = SimpleNamespace(costs=costs, scenario=scenario, checkpoint=best)
    found = list(words._costs(plan))
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
        "protocol": "synchronous",
        "interval": "10 min",
        "goodput": "50 %",
        "mean completion": "10 min",
        "in time": "25 %",
        "spares": "3",
        "cost per year": "1.23457e+06",
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (12.345, "12.3"),
        (-12.345, "-12.3"),
        (99.94, "99.9"),
        (99.96, "100"),
        (100.0, "100"),
        (100.4, "100"),
        (-100.4, "-100"),
        (1234567.8, "1,234,568"),
        (-math.inf, "endless"),
        (math.nan, "endless"),
    ],
)
def test_money_has_three_digits_or_none_after_the_point(value, text):
    assert words.money(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, ">99.95"), (0.9995, ">99.95"), (0.99949, "99.9"), (0.5, "50.0"), (1e-6, "<0.1")],
)
def test_a_probability_that_is_not_certain(value, text):
    assert words.probability(value) == text


@pytest.mark.parametrize(
    ("time", "before", "text"),
    [
        (1.0, 1.0, "+0.00"),
        (0.5, 1.0, "-50.00"),
        (9_999.0, 1.0, "+999,800.00"),
        (10_001.0, 1.0, "+1.0e+06"),
        (10_002.5, 1.0, "+1.0e+06"),
        (math.nan, 1.0, "endless"),
        (1e308, 1e-308, "endless"),
    ],
)
def test_by_how_much_a_time_has_changed(time, before, text):
    assert words.change(time, before) == text


@pytest.mark.parametrize(
    ("loss", "text"), [(0.0, "as long"), (4.99e-5, "as long"), (5e-5, "0.01 % longer")]
)
def test_what_is_not_shown_as_longer_is_as_long(loss, text):
    assert words._longer(loss) == text


@pytest.mark.parametrize(
    ("value", "unit", "digits", "text"),
    [
        (1.0, "bytes/s", 4, "1 B/s"),
        (999.0, "bytes/s", 4, "999 B/s"),
        (1000.0, "bytes/s", 4, "1 kB/s"),
        (12_345_678.0, "bytes/s", 4, "12.35 MB/s"),
        (12_345_678.0, "bytes/s", 3, "12.3 MB/s"),
        (5e12, "bytes/s", 4, "5 TB/s"),
        (5e15, "bytes/s", 4, "5 PB/s"),
        (5e18, "bytes/s", 4, "5 EB/s"),
        (5e21, "bytes/s", 4, "5000 EB/s"),
        (0.001, "bytes/s", 4, "0.001 B/s"),
        (1e9 / 7, "s", 3, "4.53 y"),
        (1e9 / 7, "s", 4, "4.527 y"),
        (0.123456, "-", 4, "12.35 %"),
        (0.123456, "-", 3, "12.3 %"),
    ],
)
def test_amounts_of_every_size(value, unit, digits, text):
    assert words.amount(value, unit, digits=digits) == text


def test_the_error_of_a_rule_is_that_of_the_protocol_chosen():
    def row(protocol, error):
        return SimpleNamespace(protocol=protocol, error=error)

    rows = [row("synchronous", 0.5), row("predicted", 0.025), row("predicted", 0.75)]
    best = checkpoints(protocol="predicted", protocols=rows)
    (said, *_) = words._error(best)
    assert said == "Times are those of a rule, wrong by up to 2.5 %."
    best.protocols = [row("synchronous", 0.5), row("predicted", math.inf)]
    assert list(words._error(best)) == [
        "Times are those of a rule, wrong by up to an amount that is not known here."
    ]


@pytest.mark.parametrize(
    ("regret", "shown"), [(0.0, True), (100.0, True), (100.01, False), (math.inf, False)]
)
def test_protocols_that_are_not_worth_a_line(regret, shown):
    row = {"interval": 600.0, "expected_time": 6000.0}
    rows = [
        SimpleNamespace(protocol="synchronous", regret=0.0, **row),
        SimpleNamespace(protocol="two_levels", regret=regret, **row),
    ]
    _, table = words._protocols(checkpoints(protocols=rows))
    assert ("two levels" in [name for name, *_ in table.rows]) is shown
    assert list(words._protocols(checkpoints(protocols=()))) == []


@pytest.mark.parametrize(
    ("needed", "best", "first", "last"),
    [(0, None, 0, 3), (8, None, 0, 11), (9, None, 1, 12), (3, 20, 12, 23), (20, 3, 12, 23)],
)
def test_the_spares_that_matter(needed, best, first, last):
    """Twelve rows about the larger of what is needed and what pays, three beyond it."""
    table = [SimpleNamespace(standbys=n, goodput=0.5, worth_per_year=None) for n in range(40)]
    spares = SimpleNamespace(needed=needed, best=best, table=table, why_not=None)
    _, shown = words._spares(SimpleNamespace(), spares)
    assert [int(row[0]) for row in shown.rows] == list(range(first, last + 1))
