from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Conservative, Easy, Failures, Fcfs, Periodic, Workload, flat, replay
from sim.cluster.bluegene import BlueGene, Cobalt
from sim.cluster.grid import ClusterSpec, Grid
from sim.cluster.order import UTILITIES, all_bands, first_band
from sim.cluster.recovery import CASES, OPTIONS, RecoverByOption, assign_options
from tests.support.examples import examples
from tests.support.partitions import figure_one

# Job 1 holds all of it and fails at 10; jobs 2 and 3 wait, job 4 comes later.
JOBS = Workload(
    submit=[0, 1, 2, 30],
    runtime=[20, 20, 20, 20],
    walltime=[100, 20, 20, 20],
    processors=[4, 4, 4, 4],
)
STRIKE = Failures(time=[10.0], node=[0], repair=[5.0])


def starts(letter, policy=None, jobs=JOBS):
    options = (OPTIONS[letter], *(OPTIONS["D"],) * (len(jobs) - 1))
    return (
        replay(
            jobs,
            flat(4),
            policy=policy or Fcfs(order=first_band),
            failures=STRIKE,
            recovery=RecoverByOption(options),
        )
        .jobs["start"]
        .tolist()
    )


def test_each_option_by_hand():
    # The machine is whole again at 15.
    assert starts("A") == [100.0, 15.0, 35.0, 55.0]  # resubmitted at its walltime end
    assert starts("B") == [75.0, 15.0, 35.0, 55.0]  # after everybody in the middle
    assert starts("C") == [15.0, 35.0, 55.0, 75.0]  # on its nodes, at the repair
    assert starts("D") == [15.0, 35.0, 55.0, 75.0]  # by its submission, which was first
    assert starts("E") == [15.0, 35.0, 55.0, 75.0]


def test_d_stands_by_its_submission_and_b_behind_later_ones():
    # Job 3 fails at 27; job 4 was submitted after it, job 2 runs on other nodes until 60.
    jobs = Workload(
        submit=[0, 1, 2, 3],
        runtime=[5, 60, 40, 30],
        walltime=[5, 60, 40, 30],
        processors=[4, 2, 2, 2],
    )
    failing = Failures(time=[27.0], node=[1], repair=[1.0])

    def order(letter):
        options = (OPTIONS["D"], OPTIONS["D"], OPTIONS[letter], OPTIONS["D"])
        return (
            replay(
                jobs,
                flat(4, processors_per_node=2),
                policy=Fcfs(order=first_band),
                failures=failing,
                recovery=RecoverByOption(options),
            )
            .jobs["start"]
            .tolist()
        )

    assert order("D") == [0.0, 5.0, 28.0, 65.0]
    assert order("B") == [0.0, 5.0, 58.0, 28.0]


def test_c_waits_for_its_own_nodes_while_others_pass_it_by():
    # Processors 0-1 fail under job 1; job 3 takes 2-3 at once, job 1 comes back on 0-1 at 110.
    jobs = Workload(
        submit=[0, 0, 1], runtime=[50, 8, 60], walltime=[50, 8, 60], processors=[2, 2, 2]
    )
    result = replay(
        jobs,
        flat(4, processors_per_node=2),
        policy=Fcfs(order=first_band),
        failures=Failures(time=[10.0], node=[0], repair=[100.0]),
        recovery=RecoverByOption([OPTIONS["C"]] * 3),
    )
    assert result.jobs["start"].tolist() == [110.0, 0.0, 8.0]
    places = {
        (int(job), float(start)): tuple(place)
        for job, start, place in zip(
            result.attempts["job"],
            result.attempts["start"],
            result.attempt_records.placement,
            strict=True,
        )
    }
    assert places[1, 110.0] == (0, 1)


def test_a_lower_band_waits_until_the_higher_ones_are_empty():
    # The failed job needs all four and the second node until 50; job 2 could use the first.
    jobs = Workload(submit=[0, 1], runtime=[20, 30], walltime=[20, 30], processors=[4, 2])

    def second(order):
        return (
            replay(
                jobs,
                flat(4, processors_per_node=2),
                policy=Easy(order=order),
                failures=Failures(time=[10.0], node=[1], repair=[40.0]),
                recovery=RecoverByOption([OPTIONS["E"]] * 2),
            )
            .jobs["start"]
            .tolist()
        )

    assert second(first_band) == [50.0, 70.0]
    assert second(all_bands) == [50.0, 10.0]


@pytest.mark.parametrize("engine", ["general", "kernel"])
@pytest.mark.parametrize("kind", [Fcfs, Easy, Conservative, partial(Conservative, compress=True)])
def test_a_lower_band_is_considered_as_soon_as_the_higher_one_has_started(kind, engine):
    # The first is struck at 4 and starts again, in the head band, at 6, beside idle processors.
    found = replay(
        Workload([0, 0, 1], [10, 6, 1], [20, 7, 1], [2, 2, 1]),
        flat(4),
        policy=kind(order=first_band),
        failures=Failures([4], [0], [2]),
        recovery=RecoverByOption([OPTIONS["E"]] * 3),
        engine=engine,
    )
    assert found.job_records.end.tolist() == [16.0, 6.0, 7.0]


@pytest.mark.parametrize("order", [first_band, all_bands])
def test_on_a_blue_gene_the_band_comes_before_the_score(order):
    # Eight midplanes are taken until job 1 fails at 10; its midplane is back at 20. Job 9 asks
    # for so little that its score is the highest.
    jobs = Workload(
        submit=[0] * 8 + [1],
        runtime=[100] + [500] * 7 + [5],
        walltime=[1000] + [500] * 7 + [5],
        processors=[512] * 9,
    )

    def starts(letter):
        result = replay(
            jobs,
            BlueGene(figure_one()),
            policy=Cobalt(UTILITIES["wfp3"], bands=order),
            failures=Failures(time=[10.0], node=[0], repair=[10.0]),
            recovery=RecoverByOption([OPTIONS[letter]] * 9),
        )
        return result.jobs["start"].tolist()

    assert (starts("E")[0], starts("E")[8]) == (20.0, 120.0)
    assert (starts("B")[0], starts("B")[8]) == (25.0, 20.0)
    assert (starts("D")[0], starts("D")[8]) == (25.0, 20.0)


@settings(deadline=None, max_examples=8)
@given(st.integers(0, 2**32 - 1))
def test_without_failures_every_case_is_failure_free(seed):
    rng = np.random.default_rng(seed)
    count = 30
    runtime = rng.integers(1, 500, count)
    jobs = Workload(
        submit=np.sort(rng.integers(0, 2000, count)),
        runtime=runtime,
        walltime=runtime + rng.integers(0, 300, count),
        processors=rng.choice([512, 1024, 2048], count),
    )
    machine = BlueGene(figure_one())
    plain = replay(jobs, machine, policy=Cobalt(UTILITIES["wfp3"])).jobs["start"].tolist()
    for shares in CASES.values():
        recovery = RecoverByOption(assign_options(rng, count, shares))
        never = Failures(time=[1e9], node=[0], repair=[1.0])
        found = replay(
            jobs, machine, policy=Cobalt(UTILITIES["wfp3"]), failures=never, recovery=recovery
        )
        assert found.jobs["start"].tolist() == plain


@settings(deadline=None, max_examples=examples(120))
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(CASES)))
def test_a_job_never_loses_more_than_the_time_since_its_last_checkpoint(seed, case):
    rng = np.random.default_rng(seed)
    count = 15
    runtime = rng.integers(50, 4000, count)
    jobs = Workload(
        submit=np.sort(rng.integers(0, 5000, count)),
        runtime=runtime,
        walltime=runtime * 2,
        processors=rng.choice([512, 1024, 2048], count),
    )
    failures = Failures(
        time=np.sort(rng.uniform(0, 20000, 25)), node=rng.integers(0, 8, 25), repair=np.full(25, 60)
    )
    result = replay(
        jobs,
        BlueGene(figure_one()),
        policy=Cobalt(UTILITIES["fcfs"]),
        failures=failures,
        checkpointing=Periodic(300.0, 30.0),
        recovery=RecoverByOption(assign_options(rng, count, CASES[case])),
    )
    assert (result.attempts["lost"] <= 330.0 + 1e-9).all()
    done = result.attempts.groupby("job")["useful"].sum().to_numpy()
    np.testing.assert_allclose(done, runtime)


def test_shares_are_met_within_their_sampling_error():
    """10,000 draws: five standard errors of a share of 0.4 are 0.025."""
    options = assign_options(np.random.default_rng(2), 10_000, CASES["normal"])
    counted = Counter(option.name for option in options)
    for name, share in {"A": 0.1, "B": 0.2, "C": 0.4, "D": 0.2, "E": 0.1}.items():
        assert abs(counted[name] / 10_000 - share) < 0.025


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"Z": 1.0}, "shares must be one of A, B, C, D, E, F, got 'Z'"),
        ({"A": -1.0}, "shares must be finite and >= 0, got -1.0 for A"),
        ({"A": 0.0}, "shares must not all be 0"),
    ],
)
def test_shares_are_checked(shares, message):
    with pytest.raises(ValueError, match=message):
        assign_options(np.random.default_rng(0), 3, shares)


def test_every_job_needs_an_option():
    with pytest.raises(ValueError, match="options must be one per job, got 1 for 4"):
        replay(JOBS, flat(4), failures=STRIKE, recovery=RecoverByOption([OPTIONS["A"]]))


def test_a_place_that_waits_for_its_repair_is_kept_for_its_job():
    # Node 0 fails under job 1 at 10 and is back at 60; node 1 is whole, but nobody may have it.
    jobs = Workload(
        submit=[0, 5, 6], runtime=[50, 20, 5], walltime=[50, 20, 5], processors=[2, 1, 2]
    )
    result = replay(
        jobs,
        flat(2),
        policy=Easy(order=first_band),
        failures=Failures(time=[10.0], node=[0], repair=[50.0]),
        recovery=RecoverByOption([OPTIONS["C"]] * 3),
    )
    assert result.jobs["start"].tolist() == [60.0, 110.0, 130.0]
    assert result.metrics["down_node_h"] == pytest.approx(2 * 50 / 3600)


def test_a_second_failure_during_the_repair_is_waited_for_too():
    jobs = Workload(submit=[0], runtime=[50], walltime=[50], processors=[2])
    failing = Failures(time=[10.0, 30.0], node=[0, 1], repair=[50.0, 70.0])
    for machine in (flat(2), flat(3)):
        result = replay(jobs, machine, failures=failing, recovery=RecoverByOption([OPTIONS["C"]]))
        assert result.jobs["start"].tolist() == [100.0]


def test_a_place_whose_node_never_returns_leaves_its_job_unfinished():
    jobs = Workload(submit=[0, 0], runtime=[50, 80], walltime=[50, 80], processors=[1, 1])
    result = replay(
        jobs,
        flat(2),
        failures=Failures(time=[10.0], node=[0], repair=[np.inf]),
        recovery=RecoverByOption([OPTIONS["C"]] * 2),
    )
    assert result.jobs["outcome"].tolist() == ["unfinished", "completed"]


@settings(deadline=None, max_examples=examples(160))
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["bluegene", "grid", "easy", "conservative", "conservative-compress"]),
    st.sampled_from(["batch", "ends-first", "submissions-first"]),
)
def test_c_always_returns_to_its_nodes_and_no_node_serves_two(seed, kind, event_order):
    rng = np.random.default_rng(seed)
    count = 15
    machine = {
        "bluegene": BlueGene(figure_one()),
        "grid": Grid((ClusterSpec("one", 3, 2), ClusterSpec("two", 5, 1))),
    }.get(kind, flat(8))
    size = 512 if kind == "bluegene" else 1
    runtime = rng.integers(50, 3000, count)
    jobs = Workload(
        submit=np.sort(rng.integers(0, 5000, count)),
        runtime=runtime,
        walltime=runtime * 2,
        processors=size * rng.choice([1, 2, 4], count),
    )
    failures = Failures(
        time=np.sort(rng.uniform(0, 20000, 25)),
        node=rng.integers(0, 8, 25),
        repair=rng.choice([0.0, 60.0, 900.0], 25),
    )
    policy = {
        "bluegene": Cobalt(UTILITIES["fcfs"]),
        "grid": Easy(order=first_band),
        "easy": Easy(order=first_band),
        "conservative": Conservative(order=first_band),
        "conservative-compress": Conservative(order=first_band, compress=True),
    }[kind]
    letters = rng.choice(list("CCE"), count)
    result = replay(
        jobs,
        machine,
        policy=policy,
        event_order=event_order,
        failures=failures,
        recovery=RecoverByOption([OPTIONS[letter] for letter in letters]),
    )
    assert (result.jobs["outcome"] == "completed").all()
    held = []
    placements = result.attempt_records.placement
    for job, tries in result.attempts.groupby("job"):
        places = [_nodes(machine, placements[row]) for row in tries.index]
        if letters[job - 1] == "C":
            assert len(set(places)) == 1
        held += zip(tries["start"], tries["end"], places, strict=True)
    for place, (start, end, nodes) in enumerate(held):
        for other_start, other_end, other_nodes in held[:place]:
            apart = end <= other_start or other_end <= start
            assert apart or kind == "grid" or nodes.isdisjoint(other_nodes)
    time = result.node_time
    parts = time.useful + time.lost + time.checkpoint + time.recovery + time.down + time.idle
    assert parts == pytest.approx(time.capacity)


def _nodes(machine, place):
    if isinstance(machine, BlueGene):
        return frozenset(np.flatnonzero(machine.table.uses[place]).tolist())
    if isinstance(place, tuple):
        return frozenset(place.machines)
    return frozenset(np.atleast_1d(place).tolist())


@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_a_place_that_never_comes_back_is_given_back(engine):
    # The first failure leaves job 1 waiting for its nodes; the second takes one of them for ever.
    failures = Failures(time=[10.0, 12.0], node=[0, 0], repair=[5.0, np.inf])
    jobs = Workload(submit=[0, 1], runtime=[20, 20], walltime=[40, 20], processors=[2, 3])
    played = replay(
        jobs,
        flat(4),
        policy=Conservative(compress=True),
        failures=failures,
        recovery=RecoverByOption([OPTIONS["C"], OPTIONS["D"]]),
        engine=engine,
    )
    assert played.jobs["outcome"].tolist() == ["unfinished", "completed"]
    assert played.jobs["start"].tolist() == [0.0, 12.0]
