import numpy as np
import pytest

from sim.cluster.bluegene import (
    FaultAware,
    LeastBlocking,
    ReleasedFaultAware,
    most_blocked,
    regular,
)
from sim.cluster.bluegene.allocation import newly_blocked
from sim.cluster.bluegene.kernels.neighbours import Neighbours
from sim.cluster.failures import Failures
from sim.cluster.forecasts import QsimForecaster
from tests.support.partitions import figure_one

TABLE = figure_one()
MIDPLANES = [TABLE.index(letter) for letter in "ABCDEFGH"]


def idle_with_b_occupied():
    return ~TABLE.conflicts[TABLE.index("B")]


def test_figure_one_blocking_as_its_caption_counts():
    costs = (
        LeastBlocking()
        .begin(TABLE, None)
        .costs(
            np.array([i for i in MIDPLANES if TABLE.names[i] != "B"]),
            idle_with_b_occupied(),
            0.0,
            1.0,
        )
    )
    assert costs.tolist() == [0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]


class Stated:
    """A forecaster that says what Fig. 1 supposes: E, F, G, H at 0.05, EF reliable, GH not."""

    def __init__(self, **probabilities):
        self.given = probabilities

    def begin(self, failures, uses):
        return self

    def probabilities(self, start, end):
        return np.array([self.given.get(name, 0.0) for name in TABLE.names])


def best(candidates, forecaster):
    rows = np.array([TABLE.index(name) for name in candidates])
    allocator = FaultAware(forecaster).begin(TABLE, None)
    costs = allocator.costs(rows, idle_with_b_occupied(), 0.0, 1.0)
    return TABLE.names[rows[np.argmin(costs)]]


def test_a_goes_first_when_it_is_free_of_failures():
    assert best("ACDEFGH", Stated(E=0.05, F=0.05, G=0.05, H=0.05)) == "A"


def test_g_goes_before_e_when_ef_is_reliable_and_gh_is_not():
    assert best("EG", Stated(E=0.05, G=0.05, GH=0.5, EF=0.05)) == "G"
    assert best("EG", Stated(E=0.05, G=0.05, GH=0.05, EF=0.5)) == "E"


def test_ties_go_to_the_lowest_name():
    assert best("EFGH", Stated()) == "E"


def test_alpha_and_beta_weigh_blocking_against_risk():
    rows = np.array([TABLE.index("A"), TABLE.index("C")])
    risky = Stated(A=0.9)
    idle = idle_with_b_occupied()

    def costs(**weights):
        return FaultAware(risky, **weights).begin(TABLE, None).costs(rows, idle, 0.0, 1.0)

    np.testing.assert_allclose(costs(alpha=1.0, beta=1.0), [0.9, 1.0])
    np.testing.assert_allclose(costs(alpha=1.0, beta=2.0), [1.8, 1.0])
    np.testing.assert_allclose(costs(alpha=0.0, beta=1.0), [0.9, 0.0])


def test_blocked_partitions_count_by_their_chance_to_survive():
    failures = Failures(time=[50.0], node=[6], repair=[1.0])  # midplane G
    allocator = FaultAware(QsimForecaster(0.6, 0.7)).begin(TABLE, failures)
    rows = np.array([TABLE.index("E"), TABLE.index("H")])
    costs = allocator.costs(rows, idle_with_b_occupied(), 0.0, 100.0)
    # E newly blocks EF (1 - 0.3) and EFGH (1 - 0.6); H blocks GH and EFGH, both hit.
    np.testing.assert_allclose(costs, [0.7 + 0.4 + 0.3, 0.4 + 0.4 + 0.3])
    later = allocator.costs(rows, idle_with_b_occupied(), 50.0, 100.0)
    np.testing.assert_allclose(later, [0.7 + 0.7 + 0.3] * 2)


def test_equal_weights_prefer_the_partition_that_will_fail():
    # The printed formula to the letter: E fails, and with it EF and EFGH, which then cost less.
    failures = Failures(time=[50.0], node=[4], repair=[1.0])
    rows = np.array([TABLE.index("E"), TABLE.index("G")])

    def costs(allocation):
        return allocation.begin(TABLE, failures).costs(rows, idle_with_b_occupied(), 0.0, 100.0)

    # E blocks EF and EFGH, both struck: 2 (1 - 0.6) + 0.6; G blocks GH and EFGH, one of them.
    np.testing.assert_allclose(costs(FaultAware()), [1.4, 0.6 + 0.4 + 0.4])
    # On a machine with more to block the doomed partition wins; a large beta turns it around.
    table = regular(1, 4)
    doomed = table.midplanes.index("R00-M0")
    failures = Failures(time=[50.0], node=[doomed], repair=[1.0])
    rows = np.array([table.index("ANL-R00-M0-N00-64"), table.index("ANL-R01-M0-N00-64")])
    idle = np.ones(len(table), dtype=bool)
    for allocation, first in ((FaultAware(), 0), (FaultAware(beta=100.0), 1)):
        found = allocation.begin(table, failures).costs(rows, idle, 0.0, 100.0)
        assert int(np.argmin(found)) == first


def test_the_four_readings_of_the_cost_by_hand():
    # Midplane G fails; B is occupied. Forecasts: 0.6 of what is struck, else 0.3.
    failures = Failures(time=[50.0], node=[6], repair=[1.0])
    forecaster = QsimForecaster(0.6, 0.7)
    rows = np.array([TABLE.index(name) for name in ("A", "E", "G", "EF")])

    def costs(allocation):
        allocator = allocation.begin(TABLE, failures)
        return allocator.costs(rows, idle_with_b_occupied(), 0.0, 100.0).tolist()

    # A blocks nothing; E blocks EF and EFGH; G blocks GH and EFGH; EF blocks EFGH.
    printed = [0.3, 0.7 + 0.4 + 0.3, 0.4 + 0.4 + 0.6, 0.4 + 0.3]
    assert costs(FaultAware(forecaster)) == pytest.approx(printed)
    # Of the parents of G, H survives and so do E, F and H; of those of E, G is among the others.
    others = [0.3, 0.7 + 0.4 + 0.3, 0.7 + 0.7 + 0.6, 0.4 + 0.3]
    assert costs(FaultAware(forecaster, parents="neighbours")) == pytest.approx(others)
    once = [0.3, 2.0 + 0.3, 2.0 + 0.6, 1.0 + 0.3]
    assert costs(FaultAware(forecaster, parents="all")) == pytest.approx(once)
    each = [3.0 * 0.3, 2.0 + 3.0 * 0.3, 2.0 + 3.0 * 0.6, 1.0 + 2.0 * 0.3]
    assert costs(ReleasedFaultAware(forecaster)) == pytest.approx(each)
    with pytest.raises(ValueError, match="parents must be one of survive, neighbours, all"):
        FaultAware(parents="none")


def test_a_parent_without_midplanes_of_its_own_counts_fully():
    table = regular(1, 1)
    small = table.index("ANL-R00-M0-N00-64")
    failures = Failures(time=[50.0], node=[0], repair=[1.0])
    idle = np.ones(len(table), dtype=bool)

    def cost(parents):
        allocator = FaultAware(parents=parents).begin(table, failures)
        return allocator.costs(np.array([small]), idle, 0.0, 100.0)[0]

    # Its midplane fails, with all of its parents; one more midplane is in the whole rack alone.
    inside = np.count_nonzero(table.parents[small] & ~table.uses[:, 1])
    beyond = np.count_nonzero(table.parents[small]) - inside
    assert inside > 1
    assert cost("neighbours") == pytest.approx(inside + 0.6 * beyond + 0.6)


def test_the_own_parts_of_a_partition_neither_block_nor_make_its_risk_cheap():
    # Two midplanes whose parents are all blocked; what is left inside them is idle.
    table = regular(1, 1)
    rows = np.array([table.index("ANL-R00-M0-512"), table.index("ANL-R00-M1-512")])
    idle = table.nodes <= 512
    failures = Failures(time=[50.0], node=[0], repair=[1.0])

    def costs(allocation):
        return allocation.begin(table, failures).costs(rows, idle, 0.0, 100.0)

    np.testing.assert_allclose(costs(LeastBlocking()), [0.0, 0.0])
    np.testing.assert_allclose(costs(FaultAware()), [0.6, 0.4])
    parents = np.count_nonzero(table.parents[rows], axis=1)
    np.testing.assert_allclose(costs(ReleasedFaultAware()), parents * [0.6, 0.4])


@pytest.mark.parametrize("allocation", [ReleasedFaultAware(), None], ids=["released", "beta"])
def test_a_risk_is_never_an_advantage_with_the_released_weights_or_a_large_beta(allocation):
    # Of two candidates with the same idle parents, the one that will fail costs more.
    table = regular(2, 4)
    allocation = allocation or FaultAware(beta=float(most_blocked(table)))
    rng = np.random.default_rng(2)
    for _ in range(30):
        idle = rng.random(len(table)) < rng.random()
        same = np.flatnonzero(table.nodes == rng.choice(table.nodes))
        node = int(rng.integers(len(table.midplanes)))
        failures = Failures(time=[50.0], node=[node], repair=[1.0])
        risky = allocation.begin(table, failures).costs(same, idle, 0.0, 100.0)
        safe = allocation.begin(table, None).costs(same, idle, 0.0, 100.0)
        struck = table.uses[same, node]
        assert (risky[struck] >= safe[struck] - 1e-9).all()


def test_the_released_simulator_counts_the_risk_once_per_parent():
    failures = Failures(time=[50.0], node=[4], repair=[1.0])
    rows = np.array([TABLE.index("E"), TABLE.index("G")])
    allocator = ReleasedFaultAware().begin(TABLE, failures)
    found = allocator.costs(rows, idle_with_b_occupied(), 0.0, 100.0)
    # Both block two; each has three parents (pair, half, whole).
    np.testing.assert_allclose(found, [2.0 + 3 * 0.6, 2.0 + 3 * 0.4])


def test_the_kernel_sums_what_the_readable_twin_sums():
    rng = np.random.default_rng(1)
    table = regular(1, 4)
    neighbours = Neighbours(table.parents)
    for _ in range(20):
        weight = np.where(rng.random(len(table)) < 0.5, rng.random(len(table)), 0.0)
        candidates = rng.choice(len(table), size=30, replace=False)
        np.testing.assert_allclose(
            neighbours.summed(candidates, weight),
            newly_blocked(table.parents, candidates, weight),
            rtol=1e-12,
            atol=1e-12,
        )


def test_equal_sums_taken_in_another_order_are_equal():
    # 0.1 + 0.2 + 0.3 differs from 0.3 + 0.2 + 0.1 in its last bit.
    table = figure_one()
    risk = dict.fromkeys(table.names, 0.0) | {"CD": 0.9, "EF": 0.7, "EFGH": 0.8, "GH": 0.7}
    costs = (
        FaultAware(Stated(**risk))
        .begin(table, None)
        .costs(np.array([table.index("E"), table.index("G")]), idle_with_b_occupied(), 0.0, 1.0)
    )
    assert costs[0] == costs[1]
