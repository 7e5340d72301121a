"""Offers side by side: which is the best, and which input turns the order."""

import json
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from perfmodel import plan
from perfmodel.answers import offers, render
from perfmodel.cli import main
from perfmodel.planning.offers import cost_of_job, ranked

BASE = """[machine]
nodes = 400
bandwidth = "90GB/s"
static_power = "1kW"
[failures]
node_mtbf = "1y"
[job]
work = "9d"
downtime = "9min"
[checkpoint]
size = "9TB"
[spares]
mttr = "2d"
[deadline]
time = "11d"
[prices]
currency = "EUR"
node_hour = 2.0
kwh = 0.3
"""
OTHER = 'extends = "base.toml"\n[machine]\nbandwidth = "300GB/s"\n[prices]\nnode_hour = 2.05\n'


def written(folder):
    """Write both scenarios and return their paths."""
    (folder / "base.toml").write_text(BASE)
    (folder / "other.toml").write_text(OTHER)
    return [Path("base.toml"), Path("other.toml")]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Return both offers side by side: planned once for all tests."""
    folder = tmp_path_factory.mktemp("offers")
    with chdir(folder):
        return offers(written(folder))


def test_the_cheapest_is_that_of_nodes_spares_and_energy_while_the_job_runs(both):
    found = both
    assert found.names == ("base", "other")
    by, order = ranked(found.plans)
    costs = [cost_of_job(each) for each in found.plans]
    assert by == "cost"
    assert costs[order[0]] == min(costs)
    for each, cost in zip(found.plans, costs, strict=True):
        hours = each.completion.mean / 3600.0
        spares = each.spares.needed
        price = each.scenario.prices.node_hour * (400 + spares) * hours
        assert cost == pytest.approx(price + each.costs.energy_cost)


def test_at_each_turn_the_second_is_as_good_as_the_best(both):
    found = both
    _, order = ranked(found.plans)
    assert {row.key for row in found.turns} >= {"prices.node_hour", "machine.bandwidth"}
    distances = [abs(np.log(row.value / row.now)) for row in found.turns]
    assert distances == sorted(distances)
    for row in found.turns:
        costs = []
        for at in order[:2]:
            scenario = found.plans[at].scenario
            if row.of in {None, at}:
                section, _, name = row.key.partition(".")
                table = replace(getattr(scenario, section), **{name: row.value})
                scenario = replace(scenario, **{section: table})
            costs.append(cost_of_job(plan(scenario, brief=True)))
        # Whole spares and whole segments make steps.
        assert costs[1] / costs[0] == pytest.approx(1.0, abs=5e-3), row


def test_without_prices_in_one_currency_the_fastest_is_the_best(files):
    Path("other.toml").write_text(OTHER + 'currency = "USD"\n')
    found = offers(files)
    by, order = ranked(found.plans)
    assert (by, order[0]) == ("time", 1)
    text = render(found, "text")
    assert "Costs are not compared: not all have a price, in one currency." in text
    assert "makes base as fast as other" in text


def test_names_tell_offers_apart(files):
    Path("far").mkdir()
    for path in (files[0], Path("far/base.toml")):
        path.write_text(BASE.replace('"90GB/s"', '"unknown"'))
    far = offers([files[0], Path("far/base.toml")])
    assert far.names == ("base.toml", "far/base.toml")
    assert offers([files[0], files[0]]).names == ("base.toml (1)", "base.toml (2)")


def test_an_offer_that_says_too_little_is_unknown(files):
    Path("other.toml").write_text('extends = "base.toml"\n[machine]\nbandwidth = "unknown"\n')
    found = offers(files)
    assert found.turns == ()
    text = render(found, "text")
    assert "Unknown, as the scenario does not say enough: other." in text
    assert "Costs are not compared: not all are known." in text
    assert "Unknown, as other is." in text
    assert "No single input" not in text


def test_what_turns_the_order_of_two_is_sought_beside_one_that_is_unknown(files, both):
    Path("third.toml").write_text('extends = "base.toml"\n[machine]\nbandwidth = "unknown"\n')
    Path("other.toml").write_text('extends = "base.toml"\n[machine]\nbandwidth = "300GB/s"\n')
    found = offers([Path("third.toml"), *files])
    assert ranked(found.plans)[1] == [2, 1, 0]
    assert {(row.key, row.of) for row in found.turns} >= {("machine.bandwidth", 1)}
    assert "One input changed makes base as fast as other" in render(found, "text")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[job]\nwork = [1]\n", "other.toml: "),
        ('extends = "base.toml"\n[machine]\nnodes = [1, 2]\n', "other.toml: lists must be left"),
    ],
)
def test_a_refusal_names_the_file(files, text, message):
    files[1].write_text(text)
    done = CliRunner().invoke(main, ["plan", *map(str, files)])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


@pytest.mark.slow
def test_the_command_prints_and_draws_what_python_answers(files, both):
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
    done = CliRunner().invoke(main, ["plan", *map(str, files), "--json"])
    assert json.loads(done.stdout) == json.loads(json.dumps(both.to_dict()))
    done = CliRunner().invoke(main, ["report", *map(str, files), "--out", "page.html"])
    assert done.exit_code == 0, done.output
    page = Path("page.html").read_text("utf-8")
    assert page.count('<figure role="group">') == 4
    assert "What turns the order" in page
    assert list(both.to_frame()["offer"]) == ["base", "other"]


def told(folder, other, base=BASE):
    """Return what the command says of two offers, on one line."""
    (folder / "base.toml").write_text(base)
    (folder / "other.toml").write_text(other)
    result = CliRunner().invoke(main, ["plan", "base.toml", "other.toml"])
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def test_an_offer_of_no_price_is_the_cheapest_by_all_that_the_other_costs(files, tmp_path):
    free = 'extends = "base.toml"\n[prices]\nnode_hour = 0\nkwh = 0\n'
    found = offers(files)
    cost = f"{cost_of_job(found.plans[0]):,.0f}"
    words = told(tmp_path, free)
    assert f"other is the cheapest: 0 EUR for the job, {cost} less than base." in words
    assert "base and other are as fast: " in words
    assert "endless" not in words


def test_offers_that_are_alike_have_no_order_to_turn(files, tmp_path):
    words = told(tmp_path, 'extends = "base.toml"\ntitle = "other"\n')
    assert "base and other cost the same: " in words
    assert "base and other are as fast: " in words
    assert "Nothing: the two best are alike." in words
    assert "is the cheapest" not in words
    assert offers(files[:1] * 2).turns == ()
