"""What no plan can be made of is refused, in full words."""

import pytest

from perfmodel import plan, read_scenario
from perfmodel.planning.scenario import LAWS, PROTOCOLS

BASE = {
    "machine": {"nodes": 100},
    "failures": {"failures": 4, "observed": "20d"},
    "job": {"work": "10d"},
    "checkpoint": {"cost": "4min"},
}
FORMS = "mtbf, node_mtbf, failure_rate, failures with observed, or burst_mtbf with burst_size"
BURSTS = {"burst_mtbf": "9d", "burst_size": 8}

# What is added to the base, and what is said.
TOGETHER = [
    (
        {"failures": {"mtbf": "5d"}},
        f"failures must come in one form: {FORMS}; got mtbf and failures",
    ),
    (
        {"failures": {"node_mtbf": "5d", "failure_rate": "1/node-d"}},
        f"failures must come in one form: {FORMS}; got node_mtbf and failure_rate and failures",
    ),
    ({"checkpoint": {"size": "1TB"}}, "checkpoint must come with either cost or size, got both"),
    ({"job": {"node_work": "1y"}}, "job must come with either work or node_work, got both"),
    *(
        (
            {"checkpoint": dict.fromkeys(given, 1.0) | texts},
            f"checkpoint.{first} must come with checkpoint.{missing}, got it alone",
        )
        for given, texts, first, missing in (
            ((), {"local_cost": "1s"}, "local_cost", "survived"),
            (("survived",), {}, "survived", "local_cost"),
            (("recall",), {}, "recall", "precision"),
            (("precision",), {}, "precision", "recall"),
            ((), {"proactive_cost": "1s"}, "proactive_cost", "recall"),
            (("recall", "precision"), {}, "recall", "proactive_cost"),
            (("recall",), {"proactive_cost": "1s"}, "recall", "precision"),
            (("precision",), {"proactive_cost": "1s"}, "precision", "recall"),
            ((), {"window": "9min"}, "window", "recall"),
        )
    ),
    *(
        (
            {"checkpoint": {"protocol": protocol}},
            f"checkpoint.protocol must come with {needs}, got '{protocol}' alone",
        )
        for protocol, needs in (
            ("predicted", "recall, precision and proactive_cost"),
            ("asynchronous", "snapshot_cost and latency"),
            ("two_levels", "local_cost and survived"),
        )
    ),
    ({"failures": {"shape": 2.0}}, "failures.shape must come with failures.law, got it alone"),
    ({"failures": {"cv": 2.0}}, "failures.cv must come with failures.law, got it alone"),
    *(
        (
            {"failures": {"law": law} | dict.fromkeys(given, 1.0)},
            f"failures.law must come with {wanted}, got '{law}' with {got}",
        )
        for law, given, wanted, got in (
            ("gamma", (), "either shape or cv", "none"),
            ("weibull", ("shape", "cv"), "either shape or cv", "shape and cv"),
            ("lognormal", (), "cv", "none"),
            ("lognormal", ("shape",), "cv", "shape"),
            ("lognormal", ("shape", "cv"), "cv", "shape and cv"),
        )
    ),
    (
        {"failures": {"law": "gamma", "cv": 2.0, "failures": 0}},
        "failures.failures must be at least 1 with failures.law, got 0",
    ),
    *(
        (
            {"failures": {one: 2.0 if one == "lemon_factor" else 0.1}},
            f"failures.{one} must come with failures.{other}, got it alone",
        )
        for one, other in (("lemon_share", "lemon_factor"), ("lemon_factor", "lemon_share"))
    ),
    (
        {"failures": {"burst_mtbf": "9d"}},
        "failures.burst_mtbf must come with failures.burst_size, got it alone",
    ),
    (
        {"failures": {"burst_size": 8}},
        "failures.burst_size must come with failures.burst_mtbf, got it alone",
    ),
    ({"failures": BURSTS}, "failures.burst_mtbf must come alone or with node_mtbf, got failures"),
    (
        {"spares": {"mttr": "9d", "standbys": 501}},
        "spares.standbys must be at most 500, got 501: take larger blocks",
    ),
    (
        {"checkpoint": {"snapshot_cost": "1s", "protocol": "asynchronous"}}
        | {"failures": {"law": "weibull", "shape": 0.7}},
        "checkpoint.protocol must be choose or synchronous with failures.law weibull, "
        "got 'asynchronous'",
    ),
]

TOGETHER += [
    (
        {"machine": given},
        f"machine.static_power must be > 0 where powers are given, got {got}",
    )
    for given, got in (
        ({"io_power": "1W"}, "none"),
        ({"compute_power": "1W"}, "none"),
        ({"static_power": "0W", "io_power": "1W"}, "0 W"),
    )
]

# What stands in place of sections of the base, and what is said.
INSTEAD = [
    ({"job": {}}, "job must come with work, or node_work with machine.nodes, got neither"),
    (
        {"failures": {}, "checkpoint": {}},
        f"failures must come in one form: {FORMS}; got none, nor a checkpoint",
    ),
    (
        {"failures": {"failures": 3}},
        "failures.failures must come with failures.observed, got it alone",
    ),
    (
        {"failures": {"mtbf": "3d", "failures_per_burst": 3.0}},
        "failures.failures_per_burst must come with failures.failures, got it alone",
    ),
    (
        {"failures": {"observed": "3d"}},
        "failures.observed must come with failures.failures, got it alone",
    ),
    (
        {"failures": {"mtbf": "3d", "observed": "3d"}},
        "failures.observed must come with failures.failures, got it alone",
    ),
    *(
        (
            {"machine": {}, section: given},
            f"{key} must come with machine.nodes, got it alone",
        )
        for section, given, key in (
            ("failures", {"node_mtbf": "1y"}, "failures.node_mtbf"),
            ("failures", {"failure_rate": "1/node-y"}, "failures.failure_rate"),
            (
                *("failures", {"failures": 1, "observed": "9d", "observed_nodes": 5}),
                "failures.observed_nodes",
            ),
            ("prices", {"node_hour": 1.0}, "prices.node_hour"),
            ("spares", {"mttr": "1d"}, "spares"),
            ("job", {"node_work": "1y"}, "job.node_work"),
        )
    ),
    *(
        (
            {"machine": {power: "1W"}},
            "machine.static_power must come with machine.nodes, got it alone",
        )
        for power in ("static_power", "compute_power", "io_power")
    ),
    *(
        (
            {"failures": BURSTS, "machine": machine},
            "failures.burst_mtbf must come with machine.nodes and machine.machine_nodes, "
            "got it alone",
        )
        for machine in ({"nodes": 10}, {"machine_nodes": 20})
    ),
    (
        {"failures": {**BURSTS, "mtbf": "1y"}, "machine": {"nodes": 10, "machine_nodes": 20}},
        "failures.burst_mtbf must come alone or with node_mtbf, got mtbf",
    ),
    (
        {"failures": BURSTS, "machine": {"nodes": 10, "machine_nodes": 20}}
        | {"spares": {"mttr": "1d"}},
        "spares.mttr must come without failures.burst_mtbf, which takes several nodes at once, "
        "got both",
    ),
]


def _said(tables):
    with pytest.raises(ValueError, match=r".") as refused:
        plan(tables, brief=True)
    return str(refused.value)


@pytest.mark.parametrize(("more", "message"), TOGETHER)
def test_what_does_not_go_together_is_refused(more, message):
    tables = {key: {**BASE.get(key, {}), **more.get(key, {})} for key in {**BASE, **more}}
    assert _said(tables) == message


@pytest.mark.parametrize(("other", "message"), INSTEAD)
def test_what_is_missing_is_named(other, message):
    assert _said({**BASE, **other}) == message


def test_lemons_that_are_watched_must_be_described():
    watched = {"failures": 4, "observed": "20d", "lemons_watched": "9d"}
    message = (
        "failures.lemons_watched must come with node_mtbf, lemon_share and lemon_factor, "
        "got it alone"
    )
    node = {"node_mtbf": "1y", "lemons_watched": "9d"}
    lemons = {"lemon_share": 0.1, "lemon_factor": 2.0}
    for failures in (watched, node, {**watched, **lemons}):
        with pytest.raises(ValueError, match=f"^{message}$"):
            plan({**BASE, "failures": failures})


# Rule, the values at its limits that are taken, and those beside them that are not.
ABOVE = 1.0 + 1e-15
DURATION = "a duration with a unit, such as 30min, 1.5h or 2d12h"
RULES = [
    ("job.work", DURATION, ["1e-300s"], ["0s", "-1s"]),
    ("job.queue", DURATION, ["0s"], ["-1s", "-1e-300s"]),
    ("checkpoint.size", "a size with a unit, such as 12TB or 1.2TiB", ["1B"],
     ["0B", "-1B", "1s", 1.0]),
    ("machine.bandwidth", "a bandwidth with a unit, such as 400GB/s", ["1B/s"], ["0B/s", "1B"]),
    (
        "failures.failure_rate",
        "failures per node-time, such as 6.5/1000node-days",
        ["1/node-d"],
        ["0/node-d", "1/d", 1.0],
    ),
    ("machine.io_power", "a power with a unit, such as 700W or 1.2kW", ["0W"], ["-1W", "1J", 1]),
    ("machine.nodes", "a whole number >= 1", [1, 1e15 - 1.0], [0, 1e18, 1.5, "1.0", True]),
    ("failures.failures", "a whole number >= 0", [0, 1e15 - 1.0], [-1, 1e18, 0.5, False]),
    ("checkpoint.survived", "a share such as 1% or 0.01", [0, 0.0, 1, "100%"],
     [-1e-9, ABOVE, "101%", "x", True, None]),
    ("prices.kwh", "a number >= 0", [0, 1e308], [-1e-300, float("inf"), float("nan"), "x"]),
    ("failures.shape", "a number from 0.2 to 100", [0.2, 100], [0.2 / ABOVE, 100.0 * ABOVE]),
    ("failures.cv", "a number from 0.05 to 10", [0.05, 10], [0.05 / ABOVE, 10.0 * ABOVE]),
    ("failures.burst_size", "a number >= 1", [1, 1e308], [1.0 / ABOVE, float("inf")]),
    (
        "questions.percentiles",
        'probabilities between 0 and 1 with commas, such as "50%,90%"',
        ["1%", "0.5, 99%"],
        ["0%", "100%", "50%,100%", "50%,", 0.5, "unknown"],
    ),
    ("failures.law", f"one of {', '.join(LAWS)}", [*LAWS], ["normal", "", 1, "unknown"]),
    ("checkpoint.protocol", f"one of {', '.join(PROTOCOLS)}", [*PROTOCOLS], ["both", None]),
    ("failures.placement", "one of random, contiguous, strided",
     ["random", "contiguous", "strided"], ["here"]),
    ("prices.currency", "a word", ["unknown", "x"], ["", 5]),
]  # fmt: skip


@pytest.mark.parametrize(("key", "rule", "good", "bad"), RULES)
def test_every_kind_of_value_is_taken_up_to_its_limits(key, rule, good, bad):
    section, name = key.split(".")
    for given in good:
        found = getattr(getattr(read_scenario({section: {name: given}}), section), name)
        assert found is not None
    for given in bad:
        with pytest.raises(ValueError, match=r".") as refused:
            read_scenario({section: {name: given}})
        said = str(refused.value)
        assert said.startswith(f"{key} must be {rule}, got {given!r}")
        assert said == f"{key} must be {rule}, got {given!r}" or said.endswith(")")


def test_numbers_are_kept_as_they_are():
    found = read_scenario(
        {
            "machine": {"nodes": 3.0},
            "failures": {"shape": 2, "cv": 2, "failures": 7},
            "checkpoint": {"survived": 1, "recall": 0.25, "precision": "25%"},
            "prices": {"kwh": 1},
        }
    )
    assert (found.machine.nodes, found.failures.failures) == (3, 7)
    assert type(found.machine.nodes) is type(found.failures.failures) is int
    floats = (found.failures.shape, found.failures.cv, found.prices.kwh, found.checkpoint.survived)
    assert floats == (2.0, 2.0, 1.0, 1.0)
    assert {type(each) for each in floats} == {float}
    assert found.checkpoint.recall == found.checkpoint.precision == 0.25


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"jobb": {}}, "section must be a known one (nearest: job), got 'jobb'"),
        (
            {"a": {}},
            "section must be one of machine, failures, job, checkpoint, spares, deadline, prices, "
            "questions, got 'a'",
        ),
        ({"job": {"wrok": 1}}, "key of [job] must be a known one (nearest: work), got 'wrok'"),
        (
            {"deadline": {"x": 1}},
            "key of [deadline] must be one of time, probability, got 'x'",
        ),
        ({"job": 5}, "job must be a table, such as [job], got 5"),
        ({"job": {"work": 5}}, f"job.work must be {DURATION}, got 5 (no unit)"),
        ({"job": {"work": "0s"}}, f"job.work must be {DURATION}, got '0s' (not > 0)"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_full_words(tables, message):
    with pytest.raises(ValueError, match=r".") as refused:
        read_scenario(tables)
    assert str(refused.value) == message
