"""The compiled loop against the readable one: every record and promise equal, bit by bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import (
    Drop,
    Failures,
    Negotiated,
    Periodic,
    QsimForecaster,
    Workload,
    bursty_failures,
    flat,
    replay,
)
from sim.cluster.checkpointing.cooperative import Cooperative
from sim.cluster.forecasts import DetectabilityForecaster, RateForecaster, StatedForecaster
from sim.cluster.promises import replay_promises
from sim.cluster.promises.replay import CHECKPOINTING
from sim.traces import read_swf
from tests.support.engines import fractional, same, strikes
from tests.support.examples import examples
from tests.support.public_logs import trace
from tests.support.workloads import random_workload, seeds

FORECASTERS = ("detectability", "stated", "rate", "rates")
SHARES = st.sampled_from((0.0, 0.3, 0.5, 0.9, 1.0)) | st.floats(0.0, 1.0)


def both(workload, **settings):
    """Return what the compiled loop plays and what the readable one plays."""
    core, loop = (
        replay_promises(workload, engine=engine, **settings) for engine in ("kernel", "general")
    )
    assert (core.replay.engine, loop.replay.engine) == ("kernel", "general")
    return core, loop


def same_promises(core, loop):
    """Assert that two replays have the same promises and records."""
    for name in ("promised", "deadline", "start", "kept"):
        np.testing.assert_array_equal(getattr(core, name), getattr(loop, name), err_msg=name)
    same(core.replay, loop.replay)


def forecaster_of(rng, kind, accuracy, nodes):
    if kind == "detectability":
        return DetectabilityForecaster(accuracy, int(rng.integers(99)))
    if kind == "stated":
        return StatedForecaster(QsimForecaster(accuracy, float(rng.choice([0.0, 0.4, 1.0]))))
    if kind == "rate":
        return RateForecaster(float(rng.choice([0.0, 0.01, 1.0])))
    return RateForecaster(tuple(rng.choice([0.0, 0.003, 0.01, 0.1], nodes)))


def shortened(rng, workload):
    """Return the workload with jobs too short for a late clock to show."""
    short = np.where(rng.random(len(workload)) < 0.3, 1e-9, workload.runtime)
    return Workload(workload.submit, short, workload.walltime, workload.processors)


def mended(failures, rng):
    """Return the failures with every repair finite."""
    repair = np.where(np.isfinite(failures.repair), failures.repair, rng.integers(0, 30))
    return Failures(failures.time, failures.node, repair)


@settings(deadline=None, max_examples=examples(1500))
@given(
    rng=seeds,
    kind=st.sampled_from(FORECASTERS),
    accuracy=SHARES,
    confidence=SHARES,
    checkpointing=st.sampled_from(CHECKPOINTING),
    within=st.booleans(),
    whole=st.booleans(),
)
def test_the_compiled_loop_plays_what_the_readable_loop_plays(  # noqa: PLR0917
    rng, kind, accuracy, confidence, checkpointing, within, whole
):
    size = int(rng.integers(1, 10))
    workload = random_workload(rng, processors=size, jobs=25, horizon=40)
    if not whole:
        workload = shortened(rng, fractional(rng, workload))
    failures = mended(strikes(rng, size, workload.submit, whole=whole), rng)
    same_promises(
        *both(
            workload,
            processors=size,
            forecaster=forecaster_of(rng, kind, accuracy, size),
            confidence=confidence,
            within_accuracy=within,
            failures=failures if rng.integers(8) else None,
            checkpoint_interval=float(rng.choice([1.0, 3.0, 3.7])),
            checkpoint_cost=float(rng.choice([0.0, 0.3, 1.0])),
            checkpointing=checkpointing,
        )
    )


def outlook_on(failures, nodes):
    return DetectabilityForecaster(0.8, 3).outlook(failures, nodes)


@settings(deadline=None, max_examples=examples(500))
@given(
    rng=seeds,
    confidence=SHARES,
    estimates=st.sampled_from(("walltime", "runtime")),
    recovery=st.sampled_from(("original", "new")),
    saving=st.sampled_from(("risk", "each", "none")),
)
def test_the_policy_by_itself_with_nodes_that_never_come_back(
    rng, confidence, estimates, recovery, saving
):
    size = int(rng.integers(2, 9))
    workload = fractional(rng, random_workload(rng, processors=size - 1, jobs=20, horizon=40))
    failures = strikes(rng, size, workload.submit, whole=False)
    dead = np.flatnonzero(np.isinf(failures.repair))[1:]  # of the others, all jobs find enough
    keep = np.delete(np.arange(len(failures)), dead)
    failures = Failures(failures.time[keep], failures.node[keep], failures.repair[keep])
    outlook, count = outlook_on(failures, size), len(workload)
    checkpointing = {
        "risk": Cooperative(2.5, 0.4, outlook),
        "each": Periodic(rng.integers(1, 9, count) * 0.7, rng.random(count), 0.5, final=True),
        "none": None,
    }[saving]
    done = []
    for engine in ("kernel", "general"):
        terms = Negotiated(outlook, confidence)
        result = replay(
            workload,
            flat(size),
            policy=terms,
            engine=engine,
            failures=failures,
            estimates=estimates,
            kill_at_walltime=estimates == "walltime",
            checkpointing=checkpointing,
            recovery=recovery,
        )
        assert result.engine == engine
        done.append((result, terms.promises))
    same(done[0][0], done[1][0])
    assert done[0][1] == done[1][1]


def test_tables_grow_where_reservations_are_in_pieces():
    # Every second node runs long jobs, so that wide ones hold as many cells as nodes.
    long = Workload([0.0] * 32, [900.0] * 32, [900.0] * 32, [1] * 32)
    rng = np.random.default_rng(2)
    count, nodes = 300, 64
    workload = Workload(
        np.append(long.submit, np.sort(rng.uniform(1.0, 500.0, count))),
        np.append(long.runtime, rng.uniform(1.0, 9.0, count)),
        np.append(long.walltime, np.full(count, 9.0)),
        np.append(long.processors, rng.integers(20, 33, count)),
    )
    failures = Failures(np.full(32, 0.5), 2 * np.arange(32), np.full(32, 0.25))
    core, loop = both(
        workload,
        processors=nodes,
        forecaster=DetectabilityForecaster(1.0),
        confidence=1.0,
        failures=failures,
        checkpointing="none",
    )
    same_promises(core, loop)
    places = core.replay.attempt_records.placement
    pieces = sum(1 + int((np.diff(place) > 1).sum()) for place in places)
    assert pieces > 2 * nodes + 4 * len(workload)  # the room at first


@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_a_job_that_never_finds_its_nodes_is_named(engine):
    workload = Workload([0.0, 5.0], [1.0, 1.0], [1.0, 1.0], [1, 2])
    dead = Failures(np.array([1.0]), np.array([0]), np.array([np.inf]))
    with pytest.raises(RuntimeError, match="job 1 must find an opening, got none for ever"):
        replay_promises(
            workload,
            processors=2,
            forecaster=DetectabilityForecaster(0.0),
            confidence=0.0,
            failures=dead,
            engine=engine,
        )


def test_progress_is_told_up_to_the_last_job():
    rng, told = np.random.default_rng(1), []
    workload = random_workload(rng, processors=4)
    replay_promises(
        workload,
        processors=4,
        forecaster=DetectabilityForecaster(0.0),
        confidence=0.0,
        progress=told.append,
    )
    assert told == [len(workload)]


MINE = outlook_on(None, 2)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"policy": type("Mine", (Negotiated,), {})(MINE, 0.5)}, "a policy of kind Mine"),
        (
            {
                "policy": Negotiated(
                    type("Mine", (type(MINE),), {})(Failures([], [], []), 2, np.empty(0), 0.1), 0.5
                )
            },
            "an outlook of kind Mine",
        ),
        (
            {"policy": Negotiated(RateForecaster(0.1).outlook(None, 3), 0.5)},
            "an outlook on other nodes than those of the machine",
        ),
        (
            {"checkpointing": type("Mine", (Periodic,), {})(1.0, 0.1)},
            "checkpointing of kind Mine",
        ),
        ({"checkpointing": Periodic(lambda job: 2.0, 0.1)}, "checkpoints whose interval is"),
        ({"checkpointing": Cooperative(1.0, 0.1, outlook_on(None, 2))}, "another outlook"),
        ({"recovery": Drop()}, "a recovery of kind Drop with promises"),
        ({"event_order": "ends-first"}, "promises in the event order ends-first"),
    ],
    ids=["policy", "outlook", "nodes", "checkpointing", "interval", "other", "recovery", "order"],
)
def test_what_the_compiled_loop_does_not_take_goes_to_the_readable_one(parts, words):
    workload = Workload([0.0], [1.0], [1.0], [1])
    asked = {"policy": Negotiated(MINE, 0.5), "failures": Failures([], [], [])} | parts
    assert replay(workload, flat(2), **asked).engine == "general"
    with pytest.raises(ValueError, match=rf"engine must be 'general' for .*{words}"):
        replay(workload, flat(2), **asked, engine="kernel")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forecaster", "confidence", "checkpointing"),
    [
        (DetectabilityForecaster(0.7, 1), 0.9, "risk"),
        (DetectabilityForecaster(1.0, 1), 1.0, "all"),
        (StatedForecaster(QsimForecaster(0.6, 0.6)), 0.5, "none"),
        (RateForecaster(2e-7), 0.9, "risk"),
    ],
    ids=["detectability", "certain", "stated", "rate"],
)
def test_a_whole_log(forecaster, confidence, checkpointing):
    workload = Workload.from_frame(read_swf(trace("jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz")).frame)
    failures = bursty_failures(
        nodes=128,
        per_year=1021.0,
        repair=1200.0,
        start=float(workload.submit[0]),
        end=float(workload.submit[-1]),
        seed=1,
    )
    same_promises(
        *both(
            workload,
            processors=128,
            forecaster=forecaster,
            confidence=confidence,
            failures=failures,
            checkpoint_cost=120.0,
            checkpointing=checkpointing,
        )
    )


@pytest.mark.parametrize("checkpointing", CHECKPOINTING)
def test_node_time_is_conserved(checkpointing):
    rng = np.random.default_rng(8)
    workload = fractional(rng, random_workload(rng, processors=6, jobs=60, horizon=90))
    time = np.arange(3.3, 150.0, 4.1)
    failures = Failures(time, np.arange(time.size) % 6, np.full(time.size, 0.7))
    done = replay_promises(
        workload,
        processors=6,
        forecaster=DetectabilityForecaster(0.5, 3),
        confidence=0.9,
        failures=failures,
        checkpoint_interval=2.0,
        checkpoint_cost=0.3,
        checkpointing=checkpointing,
        engine="kernel",
    ).replay
    ended = done.attempt_records
    assert done.job_records.failures.sum() > 0
    span = ended.end.max() - workload.submit[0]
    spent = ended.useful + ended.lost + ended.checkpoint + ended.recovery
    held = np.sum(spent * ended.processors)
    assert held + done.idle + done.down == pytest.approx(6 * span, rel=1e-12)
    np.testing.assert_allclose(spent, ended.end - ended.start, rtol=1e-9)
