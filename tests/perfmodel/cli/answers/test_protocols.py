"""All that a request says of protocols reaches the comparison, and its numbers have names."""

from types import SimpleNamespace as Made

import pytest

import perfmodel.protocols
from asking.refusals import Refused
from perfmodel.answers.known.job import job_of
from perfmodel.answers.parts.protocols import compared, plain
from perfmodel.answers.requests.job import IntervalRequest
from perfmodel.answers.requests.levels import local_copy
from perfmodel.answers.requests.predictor import predictor

JOB = {"checkpoint_cost": 360.0, "recovery_cost": 240.0, "downtime": 600.0, "work": 8e5}
COSTS = {"mtbf": 28800.0, "checkpoint_cost": 360.0, "recovery_cost": 240.0, "downtime": 600.0}
LEVEL = local_copy("cost=10s,recovery=5s,survives=60%")


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({}, {}),
        (
            {"async_latency": 900.0},
            {"snapshot_cost": 360.0, "latency": 900.0, "in_flight": "overlap"},
        ),
        (
            {"async_latency": 900.0, "snapshot_cost": 5.0, "in_flight": "skip"},
            {"snapshot_cost": 5.0, "latency": 900.0, "in_flight": "skip"},
        ),
        ({"levels": (LEVEL,)}, {"local_cost": 10.0, "local_recovery": 5.0, "survived": 0.6}),
        (
            {"predictor": predictor("recall=80%,precision=50%,cost=1min,window=2min")},
            {"recall": 0.8, "precision": 0.5, "proactive_cost": 60.0, "window": 120.0},
        ),
        ({"nodes": 1}, {}),
        ({"nodes": 2}, {"nodes": 2}),
    ],
)
def test_all_that_is_said_reaches_the_comparison(options, more, monkeypatch):
    asked = []
    monkeypatch.setattr(
        perfmodel.protocols, "recommend", lambda *work, **how: asked.append((work, how)) or "found"
    )
    mtbf = {"mtbf": 28800.0}
    if "nodes" in options:
        mtbf = {"node_mtbf": 28800.0 * options["nodes"]}
    request = IntervalRequest(**JOB, **mtbf, **options)
    assert compared(job_of(request), request) == "found"
    assert asked == [((8e5,), {**COSTS, **more})]


def test_one_level_is_compared_at_most():
    request = IntervalRequest(**JOB, mtbf=28800.0, levels=(LEVEL, LEVEL))
    with pytest.raises(Refused) as refused:
        compared(job_of(request), request)
    assert str(refused.value) == (
        "compare takes at most one levels, got 2: without compare there may be several"
    )


def test_every_number_has_its_name():
    row = {
        "protocol": "periodic",
        "interval": 1.0,
        "segments": 2.0,
        "durable_every": 3.0,
        "expected_time": 4.0,
        "overhead": 5.0,
        "efficiency": 6.0,
        "regret": 7.0,
        "error": 8.0,
        "crossover": 9.0,
    }
    found = plain(Made(protocols=(Made(**row), Made(**{**row, "crossover": None}))))
    first = {
        "protocol": "periodic",
        "interval_s": 1.0,
        "segments": 2,
        "durable_every": 3,
        "expected_makespan_s": 4.0,
        "overhead": 5.0,
        "efficiency": 6.0,
        "regret": 7.0,
        "error": 8.0,
        "crossover_mtbf_s": 9.0,
    }
    assert found == [first, {**first, "crossover_mtbf_s": None}]
    assert [type(found[0][name]) for name in ("segments", "durable_every")] == [int, int]


def test_a_rule_beyond_its_range_is_no_warning_but_an_error_in_the_answer(recwarn):
    """A predictor beside a checkpoint that takes as long as the MTBF."""
    long = {**JOB, "checkpoint_cost": 20_000.0}
    words = predictor("recall=80%,precision=50%,cost=1min")
    request = IntervalRequest(**long, mtbf=28800.0, predictor=words)
    found = plain(compared(job_of(request), request))
    assert [row["error"] > 0.0 for row in found if row["protocol"] == "predicted"] == [True]
    assert not recwarn.list
