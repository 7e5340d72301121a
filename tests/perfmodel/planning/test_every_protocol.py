"""Each protocol by each question: an answer that holds for it, or why there is none."""

from dataclasses import replace

import numpy as np
import pytest

import perfmodel
from perfmodel import plan
from perfmodel.answers.shown import text_of
from perfmodel.answers.words.plan import plan_parts
from perfmodel.protocols.table import NAMES, protocol_of
from perfmodel.standbys import mean_stop

HOUR, DAY = 3600.0, 86400.0
TABLES = {
    "machine": {"nodes": 100, "static_power": "100W", "compute_power": "200W"},
    "failures": {"mtbf": "9h"},
    "job": {"work": "12h", "recovery": "5min", "warm_up": "1min", "downtime": "10min"},
    "checkpoint": {
        "cost": "4min",
        **{"local_cost": "10s", "survived": "90%", "local_recovery": "7s"},
        **{"snapshot_cost": "5s", "latency": "3min"},
        **{"recall": 0.9, "precision": 0.8, "proactive_cost": "1s"},
    },
    "spares": {"mttr": "1d", "switch_time": "2min"},
    "deadline": {"time": "15h"},
    "prices": {"node_hour": 2.0, "kwh": 0.5},
}
COSTS = {"checkpoint_cost": 240.0, "recovery_cost": 360.0, "downtime": 600.0, "mtbf": 9.0 * HOUR}


def of(protocol, *, brief=True, **sections):
    tables = {key: {**TABLES[key], **sections.get(key, {})} for key in TABLES}
    tables["checkpoint"] = {**tables["checkpoint"], "protocol": protocol}
    return plan(tables, brief=brief)


def words_of(made):
    """Return what is said of a plan, as one line."""
    return " ".join(" ".join(text_of(plan_parts(made), width=80)).split())


@pytest.mark.parametrize("protocol", NAMES)
def test_the_deadline(protocol):
    found = of(protocol)
    when = found.completion
    if when.why_not is None:
        assert when.on_time == pytest.approx(float(found.law().cdf(15.0 * HOUR)), rel=1e-12)
        assert found.law().mean == pytest.approx(when.mean, rel=1e-9)
    else:
        assert found.law() is when.on_time is None
        said = words_of(found)
        assert f"To end within 15 h: unknown, {when.why_not}." in said


@pytest.mark.parametrize("protocol", NAMES)
def test_the_losses(protocol):
    found = of(protocol).goodput
    if found.why_not is None:
        assert found.value + sum(found.losses.values()) == pytest.approx(1.0, rel=1e-9)
    else:
        assert found.losses is None
        assert f"unknown, {found.why_not}." in words_of(of(protocol))


@pytest.mark.parametrize("protocol", NAMES)
def test_the_energy(protocol):
    made = of(protocol)
    costs, best = made.costs, made.checkpoint
    if costs.why_no_energy is None:  # the job stands still for each checkpoint
        energy = perfmodel.expected_energy(
            12.0 * HOUR, interval=best.interval, static_power=1e4, compute_power=2e4, **COSTS
        )
        assert costs.energy == pytest.approx(float(energy), rel=1e-12)
        assert costs.energy_cost == pytest.approx(0.5 * costs.energy / 3.6e6)
    else:
        assert costs.energy is costs.energy_cost is None
        said = words_of(made)
        assert f"Its energy: unknown, {costs.why_no_energy}." in said


@pytest.mark.parametrize("protocol", NAMES)
def test_the_goodput_by_the_spares(protocol):
    made = of(protocol)
    found, best = made.spares, made.checkpoint
    needed = perfmodel.spares_needed(100, 900.0 * HOUR, DAY, 0.99)
    assert found.needed == needed
    if found.why_not is not None:
        assert (found.table, found.best) == ((), None)
        said = words_of(made)
        assert f"Goodput by the spares: unknown, {found.why_not}." in said
        return
    pool = {"block_mtbf": 900.0 * HOUR, "mttr": DAY, "switch_time": 120.0}
    for row in (found.table[0], found.table[-1]):
        stop = float(mean_stop(100, row.standbys, **pool))
        job = replace(made.job, downtime=stop)
        cut = np.array([best.interval])
        mean = float(protocol_of(protocol).mean(job, cut, best.durable_every)[0])
        assert row.goodput == pytest.approx(12.0 * HOUR / mean, rel=1e-12)
    if protocol == "synchronous":
        costs = {"checkpoint_cost": 240.0, "recovery_cost": 360.0, "interval": best.interval}
        counts = [row.standbys for row in found.table]
        known = perfmodel.spares_goodput(100, counts, **pool, **costs)
        np.testing.assert_allclose([row.goodput for row in found.table], known, rtol=1e-9)


@pytest.mark.parametrize("protocol", NAMES)
def test_what_changes_are_worth(protocol):
    asked = {"job": {"work": "3h"}, "deadline": {"time": "unknown"}}
    made = of(protocol, brief=False, spares={"mttr": "unknown"}, **asked)
    rows = {row.change: row for row in made.worth}
    now = 3.0 * HOUR / made.completion.mean
    for change, section, key, value in (
        ("half as many failures", "failures", "mtbf", "18h"),
        ("checkpoints in half the time", "checkpoint", "cost", "2min"),
        ("restart without delay", "job", "downtime", "0s"),
    ):
        then = of(protocol, **{**asked, section: {**asked.get(section, {}), key: value}})
        gain = 3.0 * HOUR / then.completion.mean - now
        assert rows[change].gain == pytest.approx(gain, rel=1e-9, abs=1e-12)
        assert rows[change].per_hour == pytest.approx(200.0 * gain, rel=1e-9, abs=1e-9)


def test_under_ageing_all_that_is_not_known_is_said():
    found = of("synchronous", failures={"law": "weibull", "shape": 0.7})
    answers = (found.completion, found.goodput, found.spares)
    reasons = [each.why_not for each in answers] + [found.costs.why_no_energy]
    said = words_of(found)
    for reason in reasons:
        assert "failures depend on the time since the last one" in reason
        assert f"unknown, {reason}." in said
