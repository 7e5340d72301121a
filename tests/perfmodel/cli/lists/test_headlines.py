"""What a table shows of the answer of each command that takes lists, by the JSON of the answer."""

from importlib import import_module

import pytest

from perfmodel.cli import COMMANDS
from perfmodel.cli.lists.headline import Headline, Number


def duration(value):
    return Number("duration", value)


def count(value):
    return Number("count", value)


def share(value):
    return Number("share", value)


PLAYED = [
    {"quantity": "standard deviation", "simulated_s": 9.0, "predicted_s": 8.0},
    {"quantity": "mean", "simulated_s": 90.0, "predicted_s": 80.0},
]
LAW = {"mean_s": 200.0, "work_s": 50.0, "price_per_hour": 3.0, "percentiles_s": {"50": 1.0}}
RUN = {"interval_s": 5.0, "goodput": 0.75, "price_per_hour": 3.0}
CHANGES = [
    {"change": "at the best interval", "interval_s": 1.0, "goodput": 0.5},
    {"change": "CHANGED", "interval_s": 2.0, "goodput": 0.25},
]
NODES = [{"nodes": 8, "speedup": 4.0, "interval_s": 9.0}, {"nodes": 4, "speedup": 3.0}]
HEADLINES = [
    (
        "completion",
        LAW | {"probability_by_deadline": None},
        Headline({"50 %": duration(1.0)}, 200.0, 0.25, 3.0),
    ),
    (
        "completion",
        LAW | {"mean_s": None, "price_per_hour": None, "probability_by_deadline": 0.5},
        Headline({"50 %": duration(1.0), "in time": Number("chance", 0.5)}),
    ),
    (
        "simulate",
        {"comparisons": PLAYED, "interval_s": 7.0, "price_per_hour": 3.0},
        Headline({"interval": duration(7.0), "simulated": duration(90.0)}, 80.0, None, 3.0),
    ),
    (
        "goodput",
        RUN | {"changes": CHANGES},
        Headline({"interval": duration(5.0)}, None, 0.75, 3.0),
    ),
    (
        "partition",
        {"processes": 4, "expected_time_s": 8.0},
        Headline({"machines": count(4)}, 8.0),
    ),
    (
        "nodes",
        {"best_nodes": 8, "counts": NODES},
        Headline({"best\nnodes": count(8), "speedup": count(4.0), "interval": duration(9.0)}),
    ),
    (
        "nodes",
        {"best_nodes": None, "counts": NODES},
        Headline({"best\nnodes": count(None), "speedup": count(None), "interval": duration(None)}),
    ),
    (
        "spares",
        {"spares": {"0.9": 3, "95%": 4}},
        Headline({"spares\n0.9": count(3), "spares\n95%": count(4)}),
    ),
    (
        "spares",
        {"goodput": 0.5, "mean_makespan_s": 9.0, "waiting_goodput": 0.25},
        Headline({"if it\nwaits": share(0.25)}, 9.0, 0.5),
    ),
    (
        "spares",
        {"needed": {"90%": {"standbys": 7}, "99%": {"standbys": None}}, "goodput": None},
        Headline({"standbys\n90%": count(7), "standbys\n99%": count(None)}),
    ),
]


@pytest.mark.parametrize(("command", "answer", "headline"), HEADLINES)
def test_what_a_table_shows_of_an_answer(command, answer, headline):
    found = import_module(f"perfmodel.cli{COMMANDS[command].partition(':')[0]}")._headline(answer)
    assert found == headline
    assert [*found.numbers] == [*headline.numbers]


def test_changes_of_a_run_are_shown_where_an_option_asks_for_them():
    goodput = import_module("perfmodel.cli.commands.goodput")
    for change, word in goodput._SHOWN.items():
        changes = [CHANGES[0], CHANGES[1] | {"change": change}]
        found = goodput._headline(RUN | {"changes": changes})
        assert found.numbers == {
            "interval": duration(5.0),
            f"{word}\ninterval": duration(2.0),
            f"{word}\ngoodput": share(0.25),
        }
    assert {*goodput._SHOWN.values()} == {"asynchronous", "in memory"}
