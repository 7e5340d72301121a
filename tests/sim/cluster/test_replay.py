import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Periodic, Workload, flat, replay
from tests.support.examples import examples
from tests.support.workloads import ORDERS, POLICIES, random_failures, random_workload, seeds

policies, orders = st.sampled_from(POLICIES), st.sampled_from(ORDERS)


@settings(deadline=None, max_examples=examples(300))
@given(
    rng=seeds,
    policy=policies,
    event_order=orders,
    kill=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
)
def test_the_kernel_and_the_general_loop_give_one_schedule(
    rng, policy, event_order, kill, estimates
):
    processors = int(rng.integers(1, 9))
    workload = random_workload(rng, processors=processors)
    kernel, general = (
        replay(
            workload,
            flat(processors),
            policy=policy,
            event_order=event_order,
            estimates=estimates,
            kill_at_walltime=kill,
            engine=engine,
        )
        for engine in ("kernel", "general")
    )
    np.testing.assert_array_equal(kernel.job_records.start, general.job_records.start)
    np.testing.assert_array_equal(kernel.job_records.outcome, general.job_records.outcome)
    assert kernel.idle == general.idle


@settings(deadline=None, max_examples=examples(200))
@given(
    rng=seeds,
    policy=policies,
    event_order=orders,
    recovery=st.sampled_from(("original", "new", "drop")),
)
def test_node_time_is_conserved(rng, policy, event_order, recovery):
    processors = int(rng.integers(2, 9))
    workload = random_workload(rng, processors=processors)
    result = replay(
        workload,
        flat(processors, processors_per_node=int(rng.integers(1, 3))),
        policy=policy,
        event_order=event_order,
        recovery=recovery,
        failures=random_failures(rng, nodes=processors // 2),
        checkpointing=Periodic(interval=3.0, cost=0.5, recovery=0.25),
    )
    time = result.node_time
    parts = time.useful, time.lost, time.checkpoint, time.recovery, time.down, time.idle
    assert min(parts) >= 0.0
    assert sum(parts) == pytest.approx(time.capacity, rel=1e-12, abs=1e-9)
    attempts = result.attempts
    spent = attempts[["useful", "lost", "checkpoint", "recovery"]].sum(axis=1)
    np.testing.assert_allclose(spent, attempts["end"] - attempts["start"], rtol=0, atol=1e-9)


@settings(deadline=None, max_examples=examples(100))
@given(
    rng=seeds, policy=policies, event_order=orders, engine=st.sampled_from(("kernel", "general"))
)
def test_a_feed_that_never_strikes_changes_nothing(rng, policy, event_order, engine):
    workload = random_workload(rng, processors=5)
    settings = {"policy": policy, "event_order": event_order, "engine": engine}
    plain = replay(workload, flat(5), **settings)
    last = float(plain.attempt_records.end.max())
    for failures in (Failures([], [], []), Failures([last, last + 1.0], [0, 1], [9.0, 9.0])):
        fed = replay(workload, flat(5), failures=failures, **settings)
        assert plain.jobs.equals(fed.jobs)
        assert plain.attempts.equals(fed.attempts)
        expected, observed = plain.metrics, fed.metrics
        del expected["engine_s"], observed["engine_s"]
        assert expected == observed


def test_a_wrong_name_is_refused_with_the_choices():
    workload = Workload([0.0], [1.0], [1.0], [1])
    with pytest.raises(ValueError, match=r"policy must be one of fcfs, easy, .*, got 'sjf'"):
        replay(workload, flat(1), policy="sjf")
    with pytest.raises(ValueError, match=r"event_order must be one of batch, .* got 'random'"):
        replay(workload, flat(1), event_order="random")
    rule = "engine must be 'general' for checkpoints whose interval is a function, got 'kernel'"
    with pytest.raises(ValueError, match=rule):
        replay(workload, flat(1), checkpointing=Periodic(lambda _: 1.0, 0.1), engine="kernel")


def test_a_job_larger_than_the_machine_is_refused_or_counted():
    workload = Workload([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1, 5], job=[7, 8])
    with pytest.raises(ValueError, match="processors must fit the machine of 4, got 5 for job 8"):
        replay(workload, flat(4))
    result = replay(workload, flat(4), oversize="skip")
    assert result.jobs["job"].tolist() == [7]
    assert result.metrics["dropped"] == {"larger_than_machine": 1}


def test_a_failure_of_a_node_that_does_not_exist_is_refused():
    workload = Workload([0.0], [1.0], [1.0], [1])
    with pytest.raises(ValueError, match="node must be < 2, got 2"):
        replay(workload, flat(2), failures=Failures([0.0], [2], [1.0]))


def test_without_compiled_code_the_readable_loop_plays(monkeypatch):
    workload = Workload(submit=[0, 1], runtime=[9, 5], walltime=[10, 5], processors=[1, 1])
    strike = Failures([3.0], [0], [2.0])
    compiled = replay(workload, flat(1), failures=strike)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    plain = replay(workload, flat(1), failures=strike)
    assert (compiled.engine, plain.engine) == ("kernel", "general")
    assert plain.job_records.end.tolist() == compiled.job_records.end.tolist()
    with pytest.raises(ValueError, match="engine must be 'general' for NUMBA_DISABLE_JIT, with"):
        replay(workload, flat(1), failures=strike, engine="kernel")
