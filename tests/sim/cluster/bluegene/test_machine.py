from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Workload, replay
from sim.cluster.bluegene import SCHEDULERS, BlueGene, Cobalt, regular
from sim.cluster.failures import Failures
from sim.cluster.order import UTILITIES
from tests.support.examples import examples
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


@settings(deadline=None, max_examples=examples(240))
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


def test_a_partition_reboots_alone_by_option():
    # One midplane is busy; of the other a job holds 64 nodes when it fails, and another comes.
    table = regular(1, 1)
    workload = Workload(
        submit=[0, 1, 11, 12],
        runtime=[5000, 100, 50, 50],
        walltime=[5000, 100, 50, 50],
        processors=[512, 64, 64, 512],
    )
    held = replay(workload, BlueGene(table), policy=Cobalt()).attempt_records.placement[1]
    (node,) = np.flatnonzero(table.uses[int(held)])
    feed = Failures(time=[10.0], node=[node], repair=[1200.0])
    starts, down = {}, {}
    for reboots in ("midplanes", "partition"):
        machine = BlueGene(table, reboots)
        found = replay(workload, machine, policy=Cobalt(), failures=feed, recovery="drop")
        starts[reboots], down[reboots] = found.jobs["start"].tolist(), found.node_time.down
    assert starts["midplanes"][2:] == [1260.0, 1210.0]
    assert starts["partition"][2:] == [11.0, 1210.0]
    assert down == {"midplanes": 512 * 1200.0, "partition": 64 * 1200.0}


def test_a_failure_under_no_job_has_no_effect_by_option():
    workload = Workload(submit=[20], runtime=[50], walltime=[50], processors=[1024])
    feed = Failures(time=[10.0, 40.0], node=[0, 0], repair=[1200.0, 1200.0])
    table = regular(1, 1)
    for reboots in ("midplanes", "partition"):
        found = replay(
            workload,
            BlueGene(table, reboots),
            policy=Cobalt(),
            failures=feed,
            recovery="new",
            idle_failures=False,
        )
        assert found.attempts["start"].tolist() == [20.0, 1240.0]
        assert len(found.outages) == 1


@settings(deadline=None, max_examples=examples(160))
@given(st.integers(0, 10_000), st.booleans())
def test_time_is_conserved_and_all_is_mended_where_partitions_reboot_alone(seed, idle):
    rng = np.random.default_rng(seed)
    count, machine = 25, BlueGene(regular(1, 4), "partition")
    runtime = rng.integers(1, 2000, count)
    workload = Workload(
        submit=np.cumsum(rng.integers(0, 300, count)),
        runtime=runtime,
        walltime=runtime + rng.integers(0, 500, count),
        processors=rng.choice([64, 128, 512, 1024], count),
    )
    feed = Failures(
        time=np.sort(rng.uniform(0.0, 6000.0, 20)),
        node=rng.integers(0, machine.nodes, 20),
        repair=rng.choice([0.0, 300.0, 1200.0], 20),
    )
    name = ("separate-drains", "january-2009", "june-2009", "head")[seed % 4]
    found = replay(
        workload,
        machine,
        policy=Cobalt(scheduler=SCHEDULERS[name]),
        failures=feed,
        recovery="new",
        idle_failures=idle,
    )
    time = found.node_time
    parts = (time.useful, time.lost, time.checkpoint, time.recovery, time.down, time.idle)
    assert sum(parts) == pytest.approx(time.capacity, rel=1e-12)
    assert found.jobs["outcome"].eq("completed").all()


def test_scores_see_partition_sizes_or_those_asked_for():
    # Both later jobs need the whole machine; the first of them asks for fewer nodes.
    machine = BlueGene(regular(1, 1))
    asked = Workload(
        submit=[0, 1, 2],
        runtime=[1000, 500, 500],
        walltime=[1000, 500, 500],
        processors=[1024, 514, 1000],
    )
    for engine in ("auto", "general"):
        found = [
            replay(jobs, machine, policy=Cobalt(UTILITIES["fat"]), engine=engine)
            for jobs in (machine.sized(asked), asked)
        ]
        starts = [one.jobs["start"].tolist() for one in found]
        assert starts == [[0, 1000, 1500], [0, 1500, 1000]]
        assert found[1].node_time.capacity == found[0].node_time.capacity
