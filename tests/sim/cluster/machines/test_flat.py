import pytest

from sim.cluster import Workload, flat


def test_a_flat_machine_holds_what_is_not_larger():
    machine = flat(4, processors_per_node=3)
    assert (machine.size, machine.nodes) == (4, 2)
    workload = Workload([0, 0], [1, 1], [1, 1], [4, 5])
    assert machine.fits(workload).tolist() == [True, False]


def test_the_last_node_may_be_smaller():
    occupancy = flat(4, processors_per_node=3).occupancy(numbered=True)
    occupancy.fail(1, 9.0, [])
    assert (occupancy.idle, occupancy.down) == (3, 1)
    assert occupancy.returns(0) == [(9.0, 1)]
    occupancy.repair(1)
    assert (occupancy.idle, occupancy.down) == (4, 0)


def test_counted_processors_cannot_fail():
    occupancy = flat(4).occupancy(numbered=False)
    for strike in (
        lambda: occupancy.fail(0, 1.0, []),
        lambda: occupancy.repair(0),
        lambda: occupancy.uses(1, 0),
    ):
        with pytest.raises(RuntimeError, match="placements must be numbered when failures strike"):
            strike()
