"""The released schedulers of Cobalt: cases by hand, and their walks written out job by job.

The machine of the cases has midplanes A to H, their pairs, halves and the whole.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Workload, replay
from sim.cluster.bluegene import SCHEDULERS, BlueGene, Cobalt, January2009, regular
from sim.cluster.bluegene.machine import size_classes
from sim.cluster.bluegene.schedulers import Scene
from sim.cluster.order import UTILITIES
from tests.support.examples import examples
from tests.support.partitions import figure_one

FIGURE_ONE = BlueGene(figure_one())
SMALL = BlueGene(regular(1, 4))
RELEASED = ("january-2009", "june-2009", "head")


def starts(jobs, scheduler, *, threshold=0.0, machine=FIGURE_ONE, utility="fcfs", **more):
    """Return the starts of (submit, length, nodes) in order of submission; exact wall times."""
    submit, length, nodes = zip(*jobs, strict=True)
    workload = Workload(submit=submit, runtime=length, walltime=length, processors=nodes)
    chosen = SCHEDULERS[scheduler] if isinstance(scheduler, str) else scheduler
    policy = Cobalt(UTILITIES[utility].with_threshold(threshold), scheduler=chosen, **more)
    return replay(workload, machine, policy=policy).jobs["start"].tolist()


# One midplane is busy until 1000; a job waits for the whole machine.
BEHIND_THE_WHOLE = [(0, 1000, 512), (1, 100, 4096)]


def test_in_january_nothing_protects_a_job_that_waits_for_the_machine():
    assert starts([*BEHIND_THE_WHOLE, (2, 5000, 512)], "january-2009") == [0, 5002, 2]


def test_in_january_a_job_below_the_fallback_score_must_fit_the_window():
    def third(length):
        return starts([*BEHIND_THE_WHOLE, (2, length, 512)], "january-2009", threshold=1.0)

    assert third(5000) == [0, 1000, 1100]
    assert third(1118) == [0, 1120, 2]  # 120 s more than the time to the first end
    assert third(1119) == [0, 1000, 1100]


def test_in_january_the_slack_is_an_option():
    jobs = [*BEHIND_THE_WHOLE, (2, 999, 512)]
    assert starts(jobs, January2009(slack=0.0), threshold=1.0) == [0, 1000, 1100]
    assert starts(jobs, January2009(slack=1.0), threshold=1.0) == [0, 1001, 2]


def test_in_january_the_longest_is_backfilled_first():
    # One midplane is left; either small job fits the window, and the other has to wait.
    jobs = [
        (0, 1000, 2048),
        (0, 1000, 1024),
        (0, 1000, 512),
        (1, 100, 4096),
        (2, 300, 512),
        (2, 900, 512),
    ]
    assert starts(jobs, "january-2009", threshold=1.0)[4:] == [1100, 2]
    assert starts(jobs, "june-2009", threshold=1.0)[4:] == [2, 1100]  # by score


def test_a_job_past_its_planned_end_does_not_close_the_window_of_january():
    workload = Workload(
        submit=[0, 0, 1, 200],
        runtime=[5000, 1000, 100, 500],
        walltime=[100, 1000, 100, 500],
        processors=[512, 512, 4096, 512],
    )
    policy = Cobalt(UTILITIES["fcfs"].with_threshold(1.0), scheduler=SCHEDULERS["january-2009"])
    found = replay(workload, FIGURE_ONE, policy=policy, kill_at_walltime=False)
    assert found.jobs["start"].tolist()[3] == 200


@pytest.mark.parametrize("scheduler", ["june-2009", "head"])
def test_backfilled_jobs_end_before_a_partition_that_contains_theirs_is_free(scheduler):
    def third(length):
        return starts([*BEHIND_THE_WHOLE, (2, length, 512)], scheduler)

    assert third(998) == [0, 1000, 2]
    assert third(999) == [0, 1000, 1100]


# AB is busy until 1000, E until 2000, the other pairs until 3000; F is idle.
def busy(half=3000):
    return [
        (0, 1000, 1024),
        (0, 3000, 1024),
        (0, 2000, 512),
        (0, half, 1024),
    ]


@pytest.mark.parametrize(
    ("scheduler", "at_once"),
    [("separate-drains", False), ("january-2009", True), ("june-2009", True), ("head", True)],
)
def test_jobs_of_one_size_share_a_drain(scheduler, at_once):
    # The second job of a pair drains EF, and F with it, only where drains are separate.
    jobs = [*busy(), (10, 5000, 1024), (11, 5000, 1024), (12, 2500, 512)]
    found = starts(jobs, scheduler)
    assert found[:5] == [0, 0, 0, 0, 1000]
    assert (found[6] == 12) == at_once


@pytest.mark.parametrize(
    ("scheduler", "threshold", "at_once"),
    [("june-2009", 0.0, True), ("june-2009", 1.0, False), ("head", 0.0, False)],
)
def test_who_drains(scheduler, threshold, at_once):
    # The top job drains AB, the second one the half EFGH, of which F is idle.
    jobs = [*busy(2500), (10, 5000, 1024), (11, 5000, 2048), (12, 4000, 512)]
    assert (starts(jobs, scheduler, threshold=threshold)[6] == 12) == at_once


def test_a_job_within_the_fallback_score_of_the_top_meets_only_its_drain():
    # At 100 the top has waited for 90 s, the second 70 s, the last 65 s: 65 >= 0.5 x 90.
    jobs = [*busy(2500), (10, 5000, 1024), (30, 5000, 2048), (35, 4000, 512), (100, 10, 4096)]
    assert starts(jobs, "june-2009", threshold=0.5)[6] == 100


def test_overlapping_wires_are_parents_at_head():
    table = SMALL.table
    seen = SCHEDULERS["head"].seen(table)
    assert (seen.parents & ~table.conflicts).sum() == 0
    more = seen.parents & ~table.parents
    assert more.any()
    for one, other in zip(*np.nonzero(more), strict=True):
        assert table.conflicts[one, other]
        assert not (table.cards[other] <= table.cards[one]).all()  # none of its own parts


def test_at_head_a_rival_that_contains_no_part_of_it_does_not_end_a_backfill():
    # The torus of rack 0 passes the switches of rack 1, and is free at 1000. What contains the idle
    # midplane of rack 1 is busy until 3000.
    table = SMALL.table
    running = {
        "ANL-R00-M0-512": 1000.0,
        "ANL-R00-M1-512": 1000.0,
        "ANL-R01-M0-N00-64": 3000.0,
        "ANL-R02-R03-2048": 3000.0,
    }
    idle_one = table.index("ANL-R01-M1-512")
    assert table.conflicts[idle_one, table.index("ANL-R00-1024")]
    idle, free_at = np.ones(len(table), dtype=bool), np.zeros(len(table))
    for name, end in running.items():
        taken = table.conflicts[table.index(name)]
        idle &= ~taken
        free_at[taken] = np.maximum(free_at[taken], end)
    sizes = size_classes(table)[0].tolist()

    def backfilled(length):
        scene = Scene(
            order=np.array([0, 1]),
            tried=2,
            scores=np.array([2.0, 1.0]),
            threshold=0.0,
            eligible=2,
            size_class=np.array([sizes.index(4096), sizes.index(512)]),
            planned=np.array([100.0, length]),
            idle=idle,
            free_at=free_at,
            ends=np.array(list(running.values())),
            now=0.0,
        )
        head = SCHEDULERS["head"]
        found = head.chooser(head.seen(table)).choose(scene)
        return None if found is None else (found[0], found[1].tolist())

    assert backfilled(3000.0) == (1, [idle_one])
    assert backfilled(3001.0) is None


def test_head_has_no_threshold():
    with pytest.raises(ValueError, match=r"threshold must be 0 with the scheduler head, got 0\.5"):
        Cobalt(UTILITIES["wfp3"].with_threshold(0.5), scheduler=SCHEDULERS["head"])


@st.composite
def workloads(draw, most=25):
    count = draw(st.integers(1, most))
    gaps = draw(st.lists(st.integers(0, 400), min_size=count, max_size=count))
    runtime = draw(st.lists(st.integers(1, 2000), min_size=count, max_size=count))
    slack = draw(st.lists(st.integers(0, 1500), min_size=count, max_size=count))
    sizes = st.sampled_from([64, 128, 256, 512, 1024, 2048])
    nodes = draw(st.lists(sizes, min_size=count, max_size=count))
    return Workload(
        submit=np.cumsum(gaps), runtime=runtime, walltime=np.add(runtime, slack), processors=nodes
    )


@settings(deadline=None, max_examples=examples(160))
@given(
    workloads(),
    st.sampled_from(RELEASED),
    st.sampled_from(sorted(UTILITIES)),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.booleans(),
)
def test_all_jobs_run_and_no_two_conflict(workload, scheduler, utility, threshold, kill):
    used = UTILITIES[utility].with_threshold(0.0 if scheduler == "head" else threshold)
    policy = Cobalt(used, scheduler=SCHEDULERS[scheduler])
    found = replay(workload, SMALL, policy=policy, kill_at_walltime=kill).attempt_records
    assert found.start.size == len(workload)
    rows = sorted(zip(found.start, found.end, found.placement, strict=True))
    for place, (_, end, partition) in enumerate(rows):
        for other in rows[place + 1 :]:
            if other[0] < end:
                assert not SMALL.table.conflicts[int(partition), int(other[2])]
    assert all(one[0] <= two[0] for one, two in pairwise(rows))


@st.composite
def scenes(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = draw(st.sampled_from([SMALL.table, FIGURE_ONE.table]))
    waiting = draw(st.integers(1, 20))
    idle = np.ones(len(table), dtype=bool)
    free_at = np.full(len(table), 100.0)
    ends = []
    for _ in range(draw(st.integers(1, 12))):
        options = np.flatnonzero(idle)
        if options.size == 0:
            break
        taken = table.conflicts[rng.choice(options)]
        idle &= ~taken
        ends.append(float(rng.integers(101, 2000)))
        free_at[taken] = np.maximum(free_at[taken], ends[-1])
    free_at[~idle] = np.maximum(free_at[~idle], 400.0)
    scores = rng.choice([0.0, 1.0, 2.0, 5.0, 8.0], waiting)
    order = np.argsort(-scores, kind="stable")
    tried = draw(st.integers(1, waiting))
    threshold = draw(st.sampled_from([0.0, 0.3, 0.7, 1.0]))
    utility = UTILITIES["fcfs"].with_threshold(threshold)
    return table, Scene(
        order=order,
        tried=tried,
        scores=scores,
        threshold=threshold,
        eligible=utility.eligible(scores[order[:tried]]),
        size_class=rng.integers(0, size_classes(table)[0].size, waiting),
        planned=rng.integers(1, 1500, waiting).astype(float),
        idle=idle,
        free_at=free_at,
        ends=np.array(ends),
        now=100.0,
    )


def holds(table, large, small):
    return (
        large != small
        and bool((table.cards[small] < table.cards[large]).any())
        and bool((table.cards[small] <= table.cards[large]).all())
    )


def limits(table, scene):
    found = []
    for one in range(len(table)):
        above = [
            scene.free_at[p]
            for p in range(len(table))
            if not scene.idle[p] and holds(table, p, one)
        ]
        found.append(min(above, default=np.inf) if scene.idle[one] else scene.free_at[one])
    return found


def literal(table, scene, *, everyone):
    """Choose job by job, each tried at most once, without what sizes have in common."""
    sizes = size_classes(table)[1]
    limit = limits(table, scene)
    order = [int(job) for job in scene.order[: scene.tried]]
    drained, failed = set(), set()

    def place(job):
        fitting = sizes[scene.size_class[job]]
        return [int(p) for p in fitting if scene.idle[p] and int(p) not in drained]

    for i, winner in enumerate(order):
        least = min(scene.threshold * scene.scores[winner], scene.scores[winner])
        has_drain = False
        for job in order[i : i + 1] if everyone else order[i:]:
            below = scene.threshold > 0.0 and scene.scores[job] < least
            if job != winner and below:
                break
            if job not in failed:
                if place(job):
                    return job, place(job)
                failed.add(job)
            if not has_drain:
                has_drain = True
                fitting = [int(p) for p in sizes[scene.size_class[winner]]]
                expected = [scene.now if limit[p] == np.inf else limit[p] for p in fitting]
                drain = fitting[int(np.argmin(expected))]
                for p in range(len(table)):
                    part = holds(table, drain, p)
                    if p == drain or part or table.parents[drain, p]:
                        drained.add(p)
                    if everyone and table.conflicts[drain, p]:
                        drained.add(p)
    for job in scene.order:
        end = scene.now + scene.planned[job]
        fitting = sizes[scene.size_class[job]]
        found = [int(p) for p in fitting if scene.idle[p] and end <= limit[p]]
        if found:
            return int(job), found
    return None


@settings(deadline=None, max_examples=examples(150))
@given(scenes(), st.sampled_from(["june-2009", "head"]))
def test_sizes_tried_once_choose_what_jobs_tried_one_by_one_choose(given_scene, name):
    table, scene = given_scene
    if name == "head":
        scene = scene._replace(threshold=0.0)
    scheduler = SCHEDULERS[name]
    ours = scheduler.chooser(scheduler.seen(table)).choose(scene)
    plain = literal(table, scene, everyone=name == "head")
    assert (ours is None) == (plain is None)
    if ours is not None:
        assert ours[0] == plain[0]
        assert ours[1].tolist() == plain[1]
