from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster.bluegene import BlueGene, regular
from tests.support.partitions import figure_one

SMALL = BlueGene(regular(1, 4))


def naive_free_at(table, running, out_until, *, idle, now, least):
    """Go through every partition and everything that could keep it from being free."""
    found = []
    for partition in range(len(table)):
        if idle[partition]:
            found.append(now)
            continue
        free = least
        for attempt in running:
            if table.conflicts[partition, attempt.placement]:
                free = max(free, attempt.planned_end)
        for midplane, until in out_until.items():
            if table.uses[partition, midplane]:
                free = max(free, until)
        found.append(free)
    return found


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.integers(0, 3))
def test_partitions_are_free_when_nothing_keeps_them(seed, jobs, failures):
    rng = np.random.default_rng(seed)
    machine, table = SMALL.occupancy(numbered=True), SMALL.table
    out_until = {}
    for midplane in rng.choice(SMALL.nodes, failures, replace=False).tolist():
        out_until[midplane] = float(rng.integers(110, 900))
        machine.fail(midplane, out_until[midplane], [])
    running = []
    for _ in range(jobs):
        options = np.flatnonzero(machine.idle_mask)
        if options.size:
            placement = int(rng.choice(options))
            machine.take(placement)
            end = float(rng.integers(90, 1000))
            running.append(SimpleNamespace(placement=placement, planned_end=end))
    found = machine.free_at(running, 100.0, 150.0)
    expected = naive_free_at(
        table, running, out_until, idle=machine.idle_mask, now=100.0, least=150.0
    )
    assert found.tolist() == expected


def test_everything_given_back_leaves_the_machine_as_it_was():
    machine = SMALL.occupancy(numbered=True)
    machine.take(SMALL.table.index("ANL-R00-1024"))
    machine.give(SMALL.table.index("ANL-R00-1024"))
    machine.fail(0, 10.0, [SMALL.table.index("ANL-R00-1024")])
    assert machine.down == 1024
    machine.repair(0)
    assert machine.idle_mask.all()
    assert (machine.idle, machine.down) == (4096, 0)


def test_a_job_goes_where_it_blocks_least():
    machine = BlueGene(figure_one()).occupancy(numbered=False)
    machine.take(machine.table.index("B"))
    assert machine.place(SimpleNamespace(processors=512)) == machine.table.index("A")
    assert machine.place(SimpleNamespace(processors=4096)) is None
    with pytest.raises(RuntimeError, match="placement must be idle, got AB"):
        machine.take(machine.table.index("AB"))
