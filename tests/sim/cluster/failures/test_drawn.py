"""Drawn failures: rates that hold from the first second, bursts, nodes that fail more often.

Every statistical test states how often it would fail by chance; each has a mutant that it rejects.
"""

import hashlib
import math

import numpy as np
import pytest
from scipy import stats

from sim.cluster import DrawnFailures, Failures, Maintenance, Workload, flat, regular
from sim.cluster.bluegene.machine import BlueGene
from sim.samplers import Deterministic, Exponential, Recorded, Stationary, Weibull
from sim.traces import Window
from tests.support.engines import both, same
from tests.support.workloads import ORDERS

FALSE_ALARM = 1e-6


def furthest_z(bins):
    """How many standard errors a mean of any of so many bins may be off."""
    return stats.norm.isf(FALSE_ALARM / bins / 2.0)


def farthest(sample):
    """The bound of Dvoretzky, Kiefer and Wolfowitz on the distance of an empirical cdf."""
    return math.sqrt(math.log(2.0 / FALSE_ALARM) / (2.0 * len(sample)))


def distance(sample, cdf):
    points, counts = np.unique(sample, return_counts=True)
    above = np.cumsum(counts) / len(sample)
    below = above - counts / len(sample)
    left = np.nextafter(points, -np.inf)
    return max(np.abs(above - cdf(points)).max(), np.abs(below - cdf(left)).max())


def are_alike(counts):
    """Whether counts are those of places alike; a false alarm in a million."""
    return stats.chisquare(counts).pvalue > FALSE_ALARM


def of_poisson(count, mean):
    """Whether a count is one of this mean; a false alarm in a million."""
    below, above = stats.poisson.cdf(count, mean), stats.poisson.sf(count - 1, mean)
    return min(below, above) > FALSE_ALARM / 2.0


# The description of all that was drawn before there were bursts and lemons.


@pytest.mark.parametrize(
    ("law", "shape", "digest"),
    [
        (
            Exponential(6400.0),
            1.0,
            "af2b2d37c39c563912450bbdba8acfac283b27d6e6acae2e2518428873cf2616",
        ),
        (
            Weibull(0.7, 6400.0 / math.gamma(1.0 + 1.0 / 0.7)),
            0.7,
            "e1b9966ff09918f57759bc71bce03546020da57666c5178f113f77fe0a80f8dd",
        ),
    ],
)
def test_failures_of_their_own_are_one_renewal_process_of_each_node(law, shape, digest):
    drawn = DrawnFailures(mtbf=100.0, mttr=30.0, weibull_shape=shape)
    feed = drawn.between(64, start=50.0, end=9000.0, seed=3)
    plain = Failures.sampled(
        nodes=64, uptime=law, repair=Deterministic(30.0), start=50.0, end=9000.0, seed=3
    )
    for one, other in ((feed.time, plain.time), (feed.node, plain.node)):
        np.testing.assert_array_equal(one, other)
    assert hashlib.sha256(feed.time.tobytes() + feed.node.tobytes()).hexdigest() == digest


def test_a_study_draws_over_the_span_of_the_submissions():
    jobs = Workload([5.0, 905.0], [1.0, 1.0], [1.0, 1.0], [1, 1])
    drawn = DrawnFailures(mtbf=10.0, burst_size=2.0, lemon_share=0.25)
    of_jobs, between = (
        drawn.of(flat(8), jobs, 4),
        drawn.between(8, start=5.0, end=905.0, seed=4),
    )
    np.testing.assert_array_equal(of_jobs.time, between.time)
    assert of_jobs.time.min() >= 5.0
    assert of_jobs.time.max() < 905.0
    again = drawn.of(flat(8), jobs, 4)
    np.testing.assert_array_equal(of_jobs.node, again.node)
    assert len(drawn.of(flat(8), jobs.select(np.empty(0, np.int64)), 4)) == 0


def test_every_seed_has_the_windows_of_maintenance():
    known = Maintenance((Window(20.0, 30.0, "planned"), Window(40.0, 50.0)), 8)
    jobs = Workload([0.0, 100.0], [1.0, 1.0], [1.0, 1.0], [1, 1])
    drawn, alone = DrawnFailures(mtbf=10.0, maintenance=known), DrawnFailures(mtbf=10.0)
    for seed in (1, 2):
        feed = drawn.of(flat(8), jobs, seed)
        together = Failures.together(known.failures(), alone.of(flat(8), jobs, seed))
        assert len(feed) == 16 + len(alone.of(flat(8), jobs, seed))
        np.testing.assert_array_equal(feed.time, together.time)
    with pytest.raises(ValueError, match="maintenance must be of 9 nodes, as the machine, got 8"):
        drawn.of(flat(9), jobs, 1)
    with pytest.raises(TypeError, match="maintenance must be a Maintenance"):
        DrawnFailures(mtbf=1.0, maintenance=known.windows)


# Stationary renewal processes: the rate is constant in time from second 0 on.

NODES, UP, OUT = 6_000, 1000.0, 600.0
BINS = 8


def offsets_of_rates(**start):
    """Return for each bin of two uptimes by how many standard errors its rate is off."""
    feed = Failures.sampled(
        nodes=NODES,
        uptime=Weibull(0.6, UP / math.gamma(1.0 + 1.0 / 0.6)),
        repair=Deterministic(OUT),
        start=7.0,
        end=7.0 + 2.0 * UP,
        seed=11,
        **start,
    )
    width = 2.0 * UP / BINS
    within = feed.time >= 7.0
    place = ((feed.time[within] - 7.0) // width).astype(int)
    each = np.zeros((BINS, NODES))
    np.add.at(each, (place, feed.node[within]), 1.0)
    errors = each.std(axis=1) / math.sqrt(NODES)
    return (each.mean(axis=1) - width / (UP + OUT)) / errors


def test_stationary_nodes_fail_at_one_rate_from_the_first_second():
    assert np.abs(offsets_of_rates(stationary=True)).max() < furthest_z(BINS)


@pytest.mark.parametrize("mutant", [{}, {"new_nodes": True}], ids=["all up", "new"])
def test_the_rate_tells_nodes_that_begin_otherwise(mutant):
    assert np.abs(offsets_of_rates(**mutant)).max() > furthest_z(BINS)


def out_at_start(**start):
    feed = Failures.sampled(
        nodes=NODES,
        uptime=Weibull(0.6, UP / math.gamma(1.0 + 1.0 / 0.6)),
        repair=Deterministic(OUT),
        start=7.0,
        end=8.0,
        seed=12,
        **start,
    )
    before = feed.time < 7.0
    assert (feed.time[before] == np.nextafter(7.0, 0.0)).all()
    assert np.unique(feed.node[before]).size == before.sum()
    return feed.repair[before]


def test_as_many_stationary_nodes_are_out_at_the_start_as_later():
    left = out_at_start(stationary=True)
    share = OUT / (UP + OUT)
    assert stats.binomtest(left.size, NODES, share).pvalue > FALSE_ALARM
    assert stats.binomtest(left.size, NODES, 0.9 * share).pvalue < FALSE_ALARM
    assert distance(left, lambda t: np.clip(t / OUT, 0.0, 1.0)) < farthest(left)
    assert distance(0.9 * left, lambda t: np.clip(t / OUT, 0.0, 1.0)) > farthest(left)
    assert out_at_start().size == 0


def test_nodes_without_repairs_are_stationary_as_they_are():
    shared = {"nodes": 9, "uptime": Exponential(5.0), "repair": Deterministic(0.0), "end": 99.0}
    plain, steady = (Failures.sampled(**shared, seed=1, stationary=s) for s in (False, True))
    np.testing.assert_array_equal(plain.time, steady.time)


def test_what_stationary_nodes_need_is_said():
    usual = {"nodes": 2, "repair": Deterministic(1.0), "end": 9.0, "seed": 0}
    with pytest.raises(ValueError, match="new_nodes must be False where stationary is True"):
        Failures.sampled(**usual, uptime=Exponential(1.0), new_nodes=True, stationary=True)
    with pytest.raises(TypeError, match="uptime must be a sampler with `residual` and `mean`"):
        Failures.sampled(**usual, uptime=Recorded([1.0]), stationary=True)
    repair = {**usual, "repair": Recorded([1.0])}
    with pytest.raises(TypeError, match="repair must be a sampler with `residual` and `mean`"):
        Failures.sampled(**repair, uptime=Exponential(1.0), stationary=True)
    with pytest.raises(ValueError, match="uptime must be one for each of 2 nodes, got 1"):
        Failures.sampled(**usual, uptime=[Exponential(1.0)])
    assert not isinstance(Recorded([1.0]), Stationary)


@pytest.mark.parametrize("event_order", ORDERS)
def test_no_job_starts_on_a_node_that_is_out_at_the_start(event_order):
    drawn = DrawnFailures(mtbf=1.0, mttr=8.0, stationary=True, burst_size=2.0, burst_span=3.0)
    struck = 0
    for seed in range(30):
        jobs = Workload([0.0] * 6, [5.0] * 6, [5.0] * 6, [1] * 6)
        feed = drawn.between(6, start=0.0, end=20.0, seed=seed)
        core, loop = both(jobs, flat(6), event_order=event_order, failures=feed)
        same(core, loop)
        out = set(feed.node[feed.time < 0.0].tolist())
        attempts = loop.attempt_records
        first = [c for c, at in zip(attempts.placement, attempts.start, strict=True) if at == 0.0]
        assert not out & {node for cells in first for node in cells}
        struck += len(out)
    assert struck > 30


# Bursts.


def drawn_counts(drawn, *, end, seeds=300):
    """Return how many failures there are on [0, end) for each of so many seeds."""
    return np.array(
        [len(drawn.between(20, start=0.0, end=end, seed=seed)) for seed in range(seeds)]
    )


def standard_errors(counts, expected):
    return abs(counts.mean() - expected) / (counts.std() / math.sqrt(counts.size))


@pytest.mark.few(2)
@pytest.mark.parametrize("within", ["node", "rack", "machine"])
@pytest.mark.parametrize("end", [300.0, 20_000.0])
def test_the_mtbf_is_that_of_all_failures_of_bursts(within, end):
    drawn = DrawnFailures(
        mtbf=100.0, burst_size=5.0, burst_span=1500.0, burst_within=within, rack_size=4
    )
    assert standard_errors(drawn_counts(drawn, end=end), end / 100.0) < furthest_z(1)


@pytest.mark.parametrize(
    ("mutant", "end"),
    [
        ({"new_nodes": True}, 300.0),  # of exponential uptimes: no bursts before the start
        ({"mtbf": 500.0}, 20_000.0),  # the MTBF of bursts, not of failures
    ],
)
def test_the_rate_of_failures_tells_mutants_of_bursts(mutant, end):
    usual = {"mtbf": 100.0, "burst_size": 5.0, "burst_span": 1500.0}
    counts = drawn_counts(DrawnFailures(**usual | mutant), end=end)
    assert standard_errors(counts, end / 100.0) > furthest_z(1)


def bursts(within="node", *, size=3.0, nodes=50, mtbf=1e6, count=3000, **more):
    """Return the bursts of a long feed as lists of (time, node), each far from the next."""
    drawn = DrawnFailures(
        mtbf=mtbf, burst_size=size, burst_span=2.0, burst_within=within, rack_size=8, **more
    )
    feed = drawn.between(nodes, start=0.0, end=count * size * mtbf, seed=5)
    ends = np.flatnonzero(np.diff(feed.time) > 2.0) + 1
    return list(zip(np.split(feed.time, ends), np.split(feed.node, ends), strict=True))


def test_sizes_of_bursts_are_geometric():
    sizes = np.array([time.size for time, _ in bursts()])
    assert distance(sizes, lambda n: 1.0 - (2.0 / 3.0) ** np.floor(n)) < farthest(sizes)
    poisson = 1 + np.random.default_rng(1).poisson(2.0, sizes.size)
    assert distance(poisson, lambda n: 1.0 - (2.0 / 3.0) ** np.floor(n)) > farthest(sizes)


def test_the_others_of_a_burst_come_within_the_span_at_any_instant_alike():
    offsets = np.concatenate([time[1:] - time[0] for time, _ in bursts()])
    assert 0.0 < offsets.min() < offsets.max() < 2.0
    assert distance(offsets, lambda t: t / 2.0) < farthest(offsets)
    exponential = np.random.default_rng(1).exponential(1.0, offsets.size)
    assert distance(exponential, lambda t: np.clip(t / 2.0, 0.0, 1.0)) > farthest(offsets)


def test_a_burst_within_a_node_strikes_it_again_and_again():
    assert all(np.unique(node).size == 1 for _, node in bursts("node"))


def test_a_burst_within_a_rack_strikes_its_nodes_alike():
    found = bursts("rack")
    assert all(np.unique(node // 8).size == 1 for _, node in found)
    others = np.concatenate([node[1:] for _, node in found])
    whole = others[others < 48]
    assert are_alike(np.bincount(whole % 8, minlength=8))
    assert not are_alike(np.bincount(whole % 7, minlength=8))
    assert set(others[others >= 48].tolist()) == {48, 49}  # the last rack has two


def test_a_burst_within_the_machine_strikes_all_nodes_alike():
    def others(within):
        return np.concatenate([node[1:] for _, node in bursts(within)])

    assert are_alike(np.bincount(others("machine"), minlength=50))
    pairs = [(node[0] // 8, other // 8) for _, node in bursts("machine") for other in node[1:]]
    same = sum(first == other for first, other in pairs)
    chance = (6 * 8**2 + 2**2) / 50**2
    assert stats.binomtest(same, len(pairs), chance).pvalue > FALSE_ALARM
    mutant = [(node[0] // 8, other // 8) for _, node in bursts("rack") for other in node[1:]]
    assert stats.binomtest(sum(a == b for a, b in mutant), len(mutant), chance).pvalue < 1e-9


def test_two_midplanes_of_a_blue_gene_are_a_rack():
    machine = BlueGene(regular(1, 8))
    names = machine.table.midplanes
    drawn = DrawnFailures(
        mtbf=1e6, burst_size=4.0, burst_span=1.0, burst_within="rack", rack_size=2
    )
    feed = drawn.between(machine.nodes, start=0.0, end=2e9, seed=1)
    ends = np.flatnonzero(np.diff(feed.time) > 1.0) + 1
    racks = [{names[n].partition("-")[0] for n in burst} for burst in np.split(feed.node, ends)]
    assert all(len(rack) == 1 for rack in racks)
    assert len(set.union(*racks)) == 8


def test_nodes_out_at_the_start_are_out_by_bursts_before_it():
    steady = DrawnFailures(mtbf=10.0, mttr=500.0, burst_size=5.0, burst_span=200.0, stationary=True)
    feed = steady.between(2000, start=1000.0, end=1500.0, seed=2)
    before = feed.time < 1000.0
    assert (feed.time[before] == np.nextafter(1000.0, 0.0)).all()
    assert 0.0 < feed.repair[before].min() < feed.repair[before].max() <= 500.0
    from_others = DrawnFailures(mtbf=10.0, mttr=500.0, burst_size=5.0, burst_span=200.0)
    assert (from_others.between(2000, start=1000.0, end=1500.0, seed=2).time >= 1000.0).all()


# Lemon nodes.

LEMONS = {"lemon_share": 0.05, "lemon_factor": 20.0}


def test_lemons_fail_so_many_times_as_often_and_the_mtbf_is_kept():
    drawn = DrawnFailures(mtbf=10.0, **LEMONS)
    feed = drawn.between(200, start=0.0, end=200_000.0, seed=6)
    lemons = drawn.lemons(200, 6)
    assert lemons.size == 10
    of_lemons = int(np.isin(feed.node, lemons).sum())
    share = 10 * 20.0 / (10 * 20.0 + 190)
    assert of_poisson(len(feed), 20_000.0)
    assert of_poisson(of_lemons, 20_000.0 * share)
    # Mutants: another factor, and rates that do not keep the MTBF.
    assert not of_poisson(of_lemons, 20_000.0 * 10 * 15.0 / (10 * 15.0 + 190))
    assert not of_poisson(len(feed), 20_000.0 * (10 * 20.0 + 190) / 200)
    each = np.bincount(feed.node, minlength=200)
    assert are_alike(each[lemons])
    assert are_alike(np.delete(each, lemons))
    assert not are_alike(each)


def test_which_nodes_are_lemons_is_drawn_from_the_seed():
    few, more = (DrawnFailures(mtbf=1.0, lemon_share=share) for share in (0.01, 0.2))
    assert set(few.lemons(500, 1)) < set(more.lemons(500, 1))
    assert few.lemons(500, 1).tolist() != few.lemons(500, 2).tolist()
    times = np.bincount(
        np.concatenate([more.lemons(50, seed) for seed in range(1000)]), minlength=50
    )
    assert are_alike(times)
    assert DrawnFailures(mtbf=1.0).lemons(5, 1).size == 0


def test_lemons_of_bursts_keep_the_mtbf_too():
    drawn = DrawnFailures(mtbf=100.0, burst_size=3.0, **LEMONS)
    assert standard_errors(drawn_counts(drawn, end=20_000.0), 200.0) < furthest_z(1)


def test_the_expected_number_of_failures_is_the_mean():
    drawn = DrawnFailures(
        mtbf=100.0, mttr=700.0, burst_size=3.0, stationary=True, weibull_shape=0.7, **LEMONS
    )
    counts = np.array(
        [
            int((drawn.between(20, start=0.0, end=9000.0, seed=seed).time >= 0.0).sum())
            for seed in range(400)
        ]
    )
    assert standard_errors(counts, drawn.expected(20, 9000.0)) < furthest_z(1)
    assert standard_errors(counts, 90.0) > furthest_z(1)  # without the time of repairs


@pytest.mark.parametrize("share", [0.01, 0.99])
def test_a_share_of_no_node_or_all_is_refused(share):
    drawn = DrawnFailures(mtbf=1.0, lemon_share=share)
    rule = "lemon_share must be at least one and not all of the 20 nodes, got 0"
    with pytest.raises(ValueError, match=rule):
        drawn.between(20, start=0.0, end=9.0, seed=0)
