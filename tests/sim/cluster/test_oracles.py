"""Both engines against the plain oracle, on workloads full of ties, and on real logs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Workload, flat, replay
from sim.traces import read_swf
from tests.support.examples import examples
from tests.support.oracles import attempts, earliest, oracle_attempts
from tests.support.public_logs import trace
from tests.support.workloads import ORDERS, POLICIES, random_failures, random_workload, seeds

cases = pytest.mark.parametrize("policy", POLICIES)


def test_earliest_by_hand():
    plan = [(0.0, 4.0, 3), (6.0, 9.0, 2)]
    assert earliest(plan, 1.0, 4, 1, 9.0) == 1.0
    assert earliest(plan, 1.0, 4, 2, 2.0) == 4.0
    assert earliest(plan, 1.0, 4, 3, 2.0) == 4.0
    assert earliest(plan, 1.0, 4, 3, 3.0) == 9.0
    assert earliest(plan, 1.0, 4, 5, 1.0) == float("inf")


@cases
@settings(deadline=None, max_examples=examples(300))
@given(
    rng=seeds,
    event_order=st.sampled_from(ORDERS),
    kill=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
)
def test_the_kernel_plays_what_the_oracle_plays(policy, rng, event_order, kill, estimates):
    processors = int(rng.integers(1, 9))
    workload = random_workload(rng, processors=processors)
    expected = oracle_attempts(
        workload, processors, policy, event_order, kill=kill, estimates=estimates
    )
    result = replay(
        workload,
        flat(processors),
        policy=policy,
        event_order=event_order,
        kill_at_walltime=kill,
        estimates=estimates,
        engine="kernel",
    )
    assert attempts(result) == expected


@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_what_an_earlier_plan_had_due_is_no_reason_for_a_pass(engine):
    # Until 18 jobs are planned for 19; then one for 18, where another outruns its walltime.
    result = replay(
        Workload(
            [0, 3, 6, 6, 6, 11, 13, 15],
            [10, 10, 8, 5, 2, 7, 1, 3],
            [15, 7, 9, 4, 3, 4, 5, 3],
            [5, 1, 5, 4, 6, 3, 7, 2],
        ),
        flat(7),
        policy="conservative-compress",
        kill_at_walltime=False,
        failures=Failures([1, 3, 10], [5, 6, 5], [7, 5, 7]),
        engine=engine,
    )
    assert result.job_records.start.tolist() == [0.0, 10.0, 10.0, 18.0, 23.0, 25.0, 32.0, 25.0]


@cases
@settings(deadline=None, max_examples=examples(150))
@given(
    rng=seeds,
    event_order=st.sampled_from(ORDERS),
    kill=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
)
@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_both_engines_play_failures_as_the_oracle_does(
    engine, policy, *, rng, event_order, kill, estimates
):
    processors = int(rng.integers(1, 9))
    workload = random_workload(rng, processors=processors)
    failures = random_failures(rng, nodes=processors)
    expected = oracle_attempts(
        workload,
        processors,
        policy,
        event_order,
        kill=kill,
        estimates=estimates,
        failures=zip(
            failures.time.tolist(), failures.node.tolist(), failures.repair.tolist(), strict=True
        ),
    )
    result = replay(
        workload,
        flat(processors),
        policy=policy,
        event_order=event_order,
        kill_at_walltime=kill,
        estimates=estimates,
        failures=failures,
        engine=engine,
    )
    assert attempts(result) == expected


@pytest.mark.few(2)
@cases
@pytest.mark.parametrize(
    ("log", "jobs", "event_order"),
    [
        ("NASA-iPSC-1993-3.1-cln.swf.gz", 18_066, "batch"),
        ("SDSC-SP2-1998-4.2-cln.swf.gz", 2_000, "submissions-first"),
    ],
)
def test_the_kernel_plays_real_logs_as_the_oracle_does(log, jobs, event_order, policy):
    workload = Workload.from_frame(read_swf(trace(f"jobs/pwa/{log}")).frame)
    workload = workload.select(slice(0, jobs))
    assert len(workload) == jobs
    expected = oracle_attempts(workload, 128, policy, event_order, kill=True, estimates="walltime")
    result = replay(workload, flat(128), policy=policy, event_order=event_order)
    assert attempts(result) == expected


@pytest.mark.slow
@pytest.mark.parametrize("event_order", ["batch", "submissions-first"])
def test_both_engines_play_two_years_of_sdsc_sp2_alike(event_order):
    log = read_swf(trace("jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz"))
    workload = Workload.from_frame(log.frame)
    kernel, general = (
        replay(workload, flat(128), policy="easy", event_order=event_order, engine=engine)
        for engine in ("kernel", "general")
    )
    assert len(workload) == 54_034
    assert attempts(kernel) == attempts(general)
