"""The compiled core against the readable loop: every record equal, bit by bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import (
    OPTIONS,
    Conservative,
    Drop,
    Easy,
    Failures,
    Fcfs,
    NoCheckpoints,
    Periodic,
    RecoverByOption,
    RecoveryOption,
    ResubmitNew,
    ResubmitOriginal,
    Workload,
    all_bands,
    by_submission,
    first_band,
    flat,
    replay,
)
from sim.traces import read_swf
from tests.support.engines import both, fractional, same, strikes
from tests.support.examples import examples
from tests.support.public_logs import trace
from tests.support.workloads import ORDERS, random_workload, seeds

KINDS = (Fcfs, Easy, Conservative, lambda order: Conservative(order, compress=True))
QUEUES = (by_submission, first_band, all_bands)
OWN = tuple(
    RecoveryOption(f"{band} {by} {returns}", band, by, returns)
    for band in (-1, 0, 1)
    for by in ("submission", "return")
    for returns in ("at once", "walltime end", "repair")
)


@settings(deadline=None, max_examples=examples(1500))
@given(
    rng=seeds,
    kind=st.sampled_from(KINDS),
    queue=st.sampled_from(QUEUES),
    event_order=st.sampled_from(ORDERS),
    whole=st.booleans(),
    recovery=st.sampled_from(("original", "new", "drop", "options", "own", "C")),
    saving=st.sampled_from(("no", "none", "equal", "each", "equal", "each")),
    within=st.booleans(),
)
def test_the_core_plays_what_the_readable_loop_plays(
    rng, kind, queue, event_order, whole, recovery, saving, within
):
    size, per_node = int(rng.integers(1, 10)), int(rng.choice([1, 1, 2, 3]))
    workload = random_workload(rng, processors=size, jobs=25, horizon=40)
    if not whole:
        workload = fractional(rng, workload)
    count, machine = len(workload), flat(size, processors_per_node=per_node)
    choices = {"options": [*OPTIONS.values()], "own": OWN, "C": [OPTIONS["C"]]}
    if recovery in choices:
        drawn = rng.integers(len(choices[recovery]), size=count)
        recovery = RecoverByOption([choices[recovery][n] for n in drawn])
    checkpointing = None
    if saving == "none":
        checkpointing = NoCheckpoints()
    elif saving == "equal":
        checkpointing = Periodic(
            *rng.integers(1, 5, 3).astype(float), final=bool(rng.integers(2)), in_walltime=within
        )
    elif saving == "each":
        checkpointing = Periodic(
            rng.integers(1, 9, count) * 0.7,
            rng.integers(0, 3, count) * 0.3,
            rng.random(count) * rng.choice([1.0, 9.0]),
            in_walltime=within,
        )
    same(
        *both(
            workload,
            machine,
            policy=kind(queue),
            event_order=event_order,
            estimates=str(rng.choice(["walltime", "runtime"])),
            kill_at_walltime=bool(rng.integers(2)) or (within and saving in ("equal", "each")),
            failures=strikes(rng, machine.nodes, workload.submit, whole=whole)
            if rng.integers(8)
            else None,
            checkpointing=checkpointing,
            recovery=recovery,
        )
    )


@settings(deadline=None, max_examples=examples(120))
@given(
    rng=seeds,
    queue=st.sampled_from(QUEUES),
    event_order=st.sampled_from(ORDERS),
    recovery=st.sampled_from(("original", "new", "options")),
)
def test_easy_with_a_long_queue(rng, queue, event_order, recovery):
    size = int(rng.choice([4, 16, 64]))
    count = int(rng.integers(100, 400))
    horizon = int(rng.choice([10, 100, 1000]))
    runtime = rng.integers(1, 40, count)
    workload = Workload(
        submit=np.sort(rng.integers(0, horizon, count)),
        runtime=runtime,
        walltime=runtime + rng.integers(0, 30, count),
        processors=np.minimum(size, 2 ** rng.integers(0, 6, count) + rng.integers(0, 2, count)),
    )
    many = int(rng.integers(0, 150))
    failures = Failures(
        rng.integers(0, 2000, many), rng.integers(0, size, many), rng.integers(0, 30, many)
    )
    if recovery == "options":
        options = [*OPTIONS.values()]
        recovery = RecoverByOption([options[n] for n in rng.integers(len(options), size=count)])
    same(
        *both(
            workload,
            flat(size),
            policy=Easy(queue),
            event_order=event_order,
            failures=failures,
            checkpointing=Periodic(7.0, 1.0, 2.0) if rng.integers(2) else None,
            recovery=recovery,
        )
    )


@pytest.mark.parametrize("recovery", [ResubmitOriginal(), ResubmitNew(), Drop()])
def test_tables_grow_where_jobs_fail_again_and_again(recovery):
    workload = Workload(np.zeros(3), [50.0] * 3, [60.0] * 3, [2, 1, 2])
    time = np.arange(1.0, 400.0)
    failures = Failures(time, time.astype(int) % 4, np.full(time.size, 0.5))
    core, loop = both(workload, flat(4), failures=failures, recovery=recovery)
    same(core, loop)
    assert len(core.attempts) > 20 or isinstance(recovery, Drop)


def test_node_time_is_conserved():
    rng = np.random.default_rng(8)
    workload = fractional(rng, random_workload(rng, processors=6, jobs=60, horizon=90))
    failures = strikes(rng, 6, workload.submit, whole=False)
    done = replay(
        workload, flat(6), failures=failures, checkpointing=Periodic(2.0, 0.3, 0.2), engine="kernel"
    )
    ended = done.attempt_records
    span = ended.end.max() - workload.submit[0]
    spent = ended.useful + ended.lost + ended.checkpoint + ended.recovery
    held = np.sum(spent * ended.processors)
    assert held + done.idle + done.down == pytest.approx(6 * span, rel=1e-12)
    np.testing.assert_allclose(spent, ended.end - ended.start, rtol=1e-9)


def test_what_the_core_does_not_take_is_named():
    workload = Workload([0.0], [1.0], [1.0], [1])
    mine = Easy(order=lambda cluster: tuple(cluster.queue))
    with pytest.raises(
        ValueError, match="engine must be 'general' for an order of the queue of its"
    ):
        replay(workload, flat(1), policy=mine, engine="kernel")
    assert replay(workload, flat(1), policy=mine).engine == "general"


@pytest.mark.parametrize(
    "part",
    [
        {"policy": type("Mine", (Easy,), {})()},
        {"checkpointing": type("Mine", (Periodic,), {})(1.0, 0.1)},
        {"recovery": type("Mine", (ResubmitNew,), {})()},
    ],
    ids=lambda part: next(iter(part)),
)
def test_what_extends_a_part_is_played_by_the_readable_loop(part):
    workload = Workload([0.0], [1.0], [1.0], [1])
    assert replay(workload, flat(1), **part).engine == "general"
    with pytest.raises(ValueError, match=r"engine must be 'general' for .* of kind Mine"):
        replay(workload, flat(1), **part, engine="kernel")


def test_more_checkpoints_than_can_be_counted_are_refused():
    workload = Workload([0.0], [1e9], [1e9], [1])
    with pytest.raises(ValueError, match=r"interval must be at least 1/1e\+09 of a job, got 1e-12"):
        replay(workload, flat(1), checkpointing=Periodic(1e-12, 0.1))


@pytest.mark.parametrize("saves", [Periodic([], [], []), Periodic(5.0, 1.0, in_walltime=True)])
def test_no_jobs_have_no_checkpoints(saves):
    workload = Workload([], [], [], [])
    same(*both(workload, flat(2), failures=Failures([1.0], [0], [1.0]), checkpointing=saves))


def test_a_place_is_held_on_a_clock_before_zero():
    # The second job waits for all of the machine; the last one would come in its way.
    workload = Workload(
        [-48.0, -41.0, -37.0, -30.0],
        [26.0, 16.0, 7.0, 18.0],
        [27.0, 18.0, 9.0, 19.0],
        [7, 47, 37, 3],
    )
    core, loop = both(
        workload,
        flat(48, processors_per_node=3),
        policy=Conservative(first_band),
        failures=Failures([-30.5], [7], [1.0]),
        recovery=RecoverByOption([OPTIONS[name] for name in "BDCE"]),
    )
    same(core, loop)
    assert core.job_records.end.tolist() == [-22.0, -6.0, -22.5, 12.0]


def test_checkpoints_of_each_job():
    workload = Workload([0.0, 0.0], [10.0, 10.0], [10.0, 10.0], [1, 1])
    each = Periodic([2.0, np.inf], np.array([1.0, 3.0]))
    assert replay(workload, flat(2), checkpointing=each).job_records.end.tolist() == [14.0, 10.0]
    with pytest.raises(ValueError, match=r"cost must be finite and >= 0, got -1.0"):
        Periodic(1.0, np.array([0.0, -1.0]))
    with pytest.raises(ValueError, match=r"interval must be one per job, got 3 for 2 jobs"):
        replay(workload, flat(2), checkpointing=Periodic(np.ones(3), 1.0))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "conservative-compress"])
@pytest.mark.parametrize("event_order", ORDERS)
def test_whole_logs_with_failures(policy, event_order):
    workload = Workload.from_frame(read_swf(trace("jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz")).frame)
    workload = workload.select(slice(0, 12_000))
    rng = np.random.default_rng(5)
    time = rng.uniform(workload.submit[0], workload.submit[-1], 300)
    failures = Failures(time, rng.integers(0, 128, 300), rng.exponential(20_000.0, 300))
    options = RecoverByOption([*rng.choice(np.array([*OPTIONS.values()], object), len(workload))])
    same(
        *both(
            workload,
            flat(128),
            policy=policy,
            event_order=event_order,
            failures=failures,
            recovery=options,
            checkpointing=Periodic(3600.0, 120.0, 60.0),
        )
    )
