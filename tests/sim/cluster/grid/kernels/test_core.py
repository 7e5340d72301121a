"""The compiled core of grids against the readable loop: every record equal, bit by bit."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Periodic, ResubmitNew, Workload, replay
from sim.cluster.grid import (
    GRID_POLICIES,
    SCENARIOS,
    CancelStranded,
    ClusterSpec,
    Grid,
    GridEasy,
    GridFcfs,
    LocalSearch,
    Planned,
    ScaledRuntimes,
    replay_grid,
)
from sim.cluster.grid.kernels.profiles import take_out
from sim.records import Outcome
from tests.support.engines import both
from tests.support.examples import examples
from tests.support.workloads import seeds
from validation.reproduction.grid.systems import system

POLICIES = (
    GridFcfs(),
    GridEasy(),
    Planned(),
    LocalSearch(seed=1, period=2.0),
    LocalSearch(seed=2, period=0.7, rounds=5, budget=40),
)
NAMES = ("fcfs", "easy", "cons", "ls")


def same(core, loop):
    """Assert that two replays have the same records."""
    for name in ("job_records", "attempt_records"):
        ours, theirs = getattr(core, name), getattr(loop, name)
        for field in fields(ours):
            one, two = getattr(ours, field.name), getattr(theirs, field.name)
            if field.name == "placement":
                assert list(one) == list(two)
            else:
                assert one.dtype == two.dtype, field.name
                np.testing.assert_array_equal(one, two, err_msg=field.name)
    assert (core.idle, core.down) == (loop.idle, loop.down)
    assert core.outages == loop.outages


def random_grid(rng):
    """Return a grid of few machines, some of them unlike others of their cluster."""
    clusters = []
    for number in range(int(rng.integers(1, 5))):
        machines = int(rng.integers(1, 5))
        sizes = (
            rng.integers(1, 4, machines).tolist() if rng.integers(2) else int(rng.integers(1, 4))
        )
        clusters.append(ClusterSpec(f"c{number}", machines, sizes, speed=float(rng.integers(1, 3))))
    return Grid(tuple(clusters))


def random_jobs(rng, *, processors, whole):
    """Return jobs with many ties and some that take no time, to the precision of the clock."""
    count = int(rng.integers(1, 40))
    submit, runtime = rng.integers(0, 40, count), rng.integers(0, 14, count)
    walltime = np.maximum(1, runtime + rng.integers(-4, 9, count))
    columns = [np.sort(submit).astype(float), runtime.astype(float), walltime.astype(float)]
    if not whole:
        late = float(rng.choice([0.0, 1e9]))
        columns[0] = np.sort(submit + rng.random(count)) + late
        columns[1], columns[2] = (column * rng.uniform(0.3, 2.0, count) for column in columns[1:])
    sizes = rng.integers(1, processors + 1, count) if rng.integers(2) else rng.integers(1, 3, count)
    columns[1:] = (np.maximum(column, 1e-300) for column in columns[1:])
    return Workload(*columns, np.minimum(sizes, processors))


def strikes(rng, nodes, submit, *, whole):
    """Return failures, many of them at instants of submissions or of each other."""
    count = int(rng.integers(0, 18))
    time = rng.choice(submit, count) + rng.integers(-3, 30, count)
    repairs, shares = [0.0, 1.0, 2.0, 7.0, 20.0, np.inf], [0.1, 0.2, 0.3, 0.2, 0.17, 0.03]
    repair = rng.choice(repairs, count, p=shares)
    if not whole:
        time, repair = time + rng.random(count), repair * rng.random()
    return Failures(time, rng.integers(0, nodes, count), repair)


@settings(deadline=None, max_examples=examples(1500))
@given(
    rng=seeds,
    policy=st.sampled_from(POLICIES),
    stranding=st.booleans(),
    whole=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
    recovery=st.sampled_from(("original", "new", "drop")),
    scaled=st.booleans(),
)
def test_the_core_plays_what_the_readable_loop_plays(
    rng, policy, stranding, whole, estimates, recovery, scaled
):
    grid = random_grid(rng)
    largest = max(cluster.size for cluster in grid.clusters)
    workload = random_jobs(rng, processors=largest, whole=whole)
    if rng.integers(3):  # some jobs suit nothing
        suitability = rng.random((len(workload), len(grid.clusters))) < 0.6
        fits = grid.with_suitability(suitability).fits(workload)
        workload, suitability = workload.select(fits), suitability[fits]
        grid = grid.with_suitability(suitability)
    failures = None
    if rng.integers(5) and len(workload):
        failures = strikes(rng, grid.nodes, workload.submit, whole=whole)
    shape = len(workload), len(grid.clusters)
    scale = rng.choice([0.25, 0.5, 1.0, 2.0], shape) if whole else rng.uniform(0.2, 3.0, shape)
    same(
        *both(
            workload,
            grid,
            policy=CancelStranded(policy) if stranding else policy,
            checkpointing=ScaledRuntimes(scale) if scaled else None,
            estimates=estimates,
            kill_at_walltime=bool(rng.integers(2)),
            failures=failures,
            recovery=recovery,
            oversize="skip",
        )
    )


@pytest.mark.parametrize("policy", NAMES)
def test_requirements_that_nothing_meets(policy):
    workload = Workload([0.0, 1.0, 2.0], [5.0] * 3, [5.0] * 3, [1, 2, 3])
    suits = np.array([[True, False], [False, False], [True, True]])
    grid = Grid((ClusterSpec("a", 2), ClusterSpec("b", 2))).with_suitability(suits)
    core, loop = (
        replay_grid(workload, grid, policy=policy, engine=engine)
        for engine in ("kernel", "general")
    )
    same(core.replay, loop.replay)
    assert (core.unsuitable, core.cancelled) == (loop.unsuitable, loop.cancelled) == (2, 2)
    assert core.metrics.keys() == loop.metrics.keys()


@pytest.mark.parametrize("policy", NAMES)
@pytest.mark.parametrize("recovery", ["original", "new", "drop"])
def test_tables_grow_where_jobs_fail_again_and_again(policy, recovery):
    workload = Workload(np.zeros(3), [50.0] * 3, [60.0] * 3, [2, 1, 2])
    time = np.arange(1.0, 400.0)
    failures = Failures(time, time.astype(int) % 4, np.full(time.size, 0.5))
    grid = Grid((ClusterSpec("a", 2), ClusterSpec("b", 2)))
    chosen = GRID_POLICIES[policy](0)
    core, loop = both(
        *(workload, grid), policy=chosen, failures=failures, recovery=recovery, oversize="skip"
    )
    same(core, loop)
    assert len(core.attempts) > 20 or recovery == "drop"


@pytest.mark.parametrize("policy", NAMES)
def test_node_time_is_conserved(policy):
    rng = np.random.default_rng(8)
    grid = Grid((ClusterSpec("a", 3, 2), ClusterSpec("b", 2, (1, 3))))
    workload = random_jobs(rng, processors=6, whole=False)
    failures = strikes(rng, grid.nodes, workload.submit, whole=False)
    settings = {"policy": policy, "failures": failures, "recovery": "new", "engine": "kernel"}
    done = replay_grid(workload, grid, **settings).replay
    ended = done.attempt_records
    span = ended.end.max() - workload.submit[0]
    held = np.sum((ended.useful + ended.lost) * ended.processors)
    assert held + done.idle + done.down == pytest.approx(grid.size * span, rel=1e-12)


def test_what_takes_no_time_takes_nothing_out():
    times, free = np.array([5.0, 9.0, 0.0, 0.0]), np.array([1, 2, 0, 0])
    assert take_out(times, free, 2, 3.0, 3.0, 1) == 2  # before the first step that is kept
    assert (times[:2].tolist(), free[:2].tolist()) == ([5.0, 9.0], [1, 2])


def test_placements_of_a_slice():
    grid = Grid((ClusterSpec("a", 2, 2),))
    workload = Workload([0.0] * 3, [1.0, 2.0, 3.0], [9.0] * 3, [1, 2, 1])
    places = replay_grid(workload, grid, engine="kernel").replay.attempt_records.placement
    assert places[1:][0] == places[1] == (0, (0, 1), (1, 1))
    assert places[-1] == (0, (1,), (1,))
    assert len(places[:2]) == 2


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"policy": type("Mine", (GridEasy,), {})()}, "a policy of kind Mine"),
        ({"policy": GridFcfs(seed=1)}, "a policy that draws clusters at random"),
        ({"policy": type("Mine", (CancelStranded,), {})(GridEasy())}, "a policy of kind Mine"),
        ({"recovery": type("Mine", (ResubmitNew,), {})()}, "a recovery of kind Mine"),
        ({"checkpointing": Periodic(1.0, 0.1)}, "checkpointing of kind Periodic"),
        ({"event_order": "ends-first"}, "the event order ends-first"),
        ({"machine": Grid((ClusterSpec("a", 1),), repairs_known=True)}, "repairs that planning"),
        ({"machine": type("Mine", (Grid,), {})((ClusterSpec("a", 1),))}, "a machine of kind Mine"),
    ],
)
def test_what_the_core_does_not_take_is_played_by_the_readable_loop(part, words):
    workload = Workload([0.0], [1.0], [1.0], [1])
    asked = {"machine": Grid((ClusterSpec("a", 1),)), "policy": GridEasy(), **part}
    assert replay(workload, **asked).engine == "general"
    with pytest.raises(ValueError, match=f"engine must be 'general' for {words}"):
        replay(workload, **asked, engine="kernel")


def test_progress_counts_the_jobs_that_ended():
    seen = []
    workload = Workload([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1, 1])
    replay_grid(workload, Grid((ClusterSpec("a", 1),)), engine="kernel", progress=seen.append)
    assert seen[-1] == 2


def metacentrum():
    try:
        return system("metacentrum")
    except FileNotFoundError as missing:
        pytest.skip(f"{missing}; the Parallel Workloads Archive publishes it")


@pytest.mark.slow
@pytest.mark.parametrize("policy", NAMES)
@pytest.mark.parametrize("scenario", list(SCENARIOS))
def test_the_whole_log_of_metacentrum(policy, scenario):
    log = metacentrum()
    required, failing = SCENARIOS[scenario]
    grid = log.grid.with_suitability(log.suitability if required else None)
    failures = log.failures[""] if failing else None
    core, loop = (
        replay_grid(log.workload, grid, policy=policy, failures=failures, engine=engine)
        for engine in ("kernel", "general")
    )
    same(core.replay, loop.replay)
    assert np.sum(core.replay.job_records.outcome == Outcome.DROPPED) == loop.killed
