"""The compiled core of a Blue Gene against the readable loop: every record equal, bit by bit."""

from dataclasses import replace as changed

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import (
    OPTIONS,
    Drop,
    Failures,
    Periodic,
    RecoverByOption,
    RecoveryOption,
    ResubmitNew,
    ResubmitOriginal,
    Workload,
    all_bands,
    by_submission,
    first_band,
    replay,
)
from sim.cluster.bluegene import (
    SCHEDULERS,
    BlueGene,
    Cobalt,
    FaultAware,
    Head,
    January2009,
    June2009,
    LeastBlocking,
    PartitionTable,
    ReleasedFaultAware,
    SeparateDrains,
    regular,
)
from sim.cluster.bluegene.layout import regular_hardware
from sim.cluster.forecasts import AlarmForecaster, QsimForecaster
from sim.cluster.order import UTILITIES, Utility, utility_from_expression
from sim.traces import intrepid_like
from tests.support.engines import both, fractional, same, strikes
from tests.support.examples import examples
from tests.support.logs import require
from tests.support.partitions import figure_one
from tests.support.workloads import ORDERS, random_workload, seeds

# Some nodes are in no partition that can be scheduled; some partitions conflict by nodes alone.
BY_NODES = PartitionTable.from_hardware(
    regular_hardware(1, 3), schedulable=None, conflict_by=("node_card",)
)
FEW = PartitionTable.from_hardware(
    regular_hardware(1, 2),
    schedulable=[part.name for part in regular_hardware(1, 2) if "N08" in part.name]
    + ["ANL-R00-R01-2048", "ANL-R00-M0-512"],
)
MACHINES = tuple(BlueGene(t) for t in (figure_one(), regular(1, 2), regular(2, 2), BY_NODES, FEW))
WRITTEN = (
    "-queue_length",
    "(5 - queue_length) * nodes + wait",
    "(queue_length - 4) * walltime + nodes / smallest",
    "(wait/walltime)**3*nodes",
    "(wait + 1)**1.7 * nodes**-.3 / (1 + queue_length)**3",
    "nodes",
    "-nodes / smallest - wait",
    "wait * 1e308 * 10",
    "7",
    "where(time < 20, wait, nodes + user)",
    "(user == 2) * (project != 1) * 1e6 + sqrt(wait) - queue",
    "max(min(wait, log2(nodes)), log(1 + walltime), -exp(-time), abs(queue))",
)
OWN = tuple(
    RecoveryOption(f"{band} {by} {returns}", band, by, returns)
    for band in (-1, 0, 1)
    for by in ("submission", "return")
    for returns in ("at once", "walltime end", "repair")
)


def forecasters(rng):
    if rng.integers(2):
        return QsimForecaster(*rng.choice([0.0, 0.3, 0.6, 1.0], 2))
    return AlarmForecaster(*rng.choice([0.0, 0.3, 0.9, 1.0], 2), seed=int(rng.integers(5)))


def allocations(rng):
    which = rng.integers(3)
    if which == 0:
        return LeastBlocking()
    if which == 1:
        return ReleasedFaultAware(forecasters(rng))
    parents = str(rng.choice(["survive", "neighbours", "all"]))
    return FaultAware(forecasters(rng), *rng.choice([0.0, 0.7, 1.0, 20.0], 2), parents)


def schedulers(rng):
    if rng.integers(4) == 0:
        return January2009(slack=float(rng.choice([0.0, 3.0, 120.0, 2000.0])))
    return (SeparateDrains(), June2009(), Head())[rng.integers(3)]


def utilities(rng):
    name = str(rng.choice([*UTILITIES, *WRITTEN]))
    threshold = float(rng.choice([0.0, 0.5, 0.9, 1.0]))
    if name in UTILITIES:
        return UTILITIES[name].with_threshold(threshold)
    return utility_from_expression(name, threshold=threshold)


def often(rng, nodes, submit, *, whole):
    """Return failures of which, at times, many bring jobs of all bands back."""
    feeds = [strikes(rng, nodes, submit, whole=whole) for _ in range(rng.choice([1, 1, 8]))]
    columns = ("time", "node", "repair")
    return Failures(*(np.concatenate([getattr(feed, c) for feed in feeds]) for c in columns))


def stretched(workload, failures, times):
    """Return both with every time so many times as long."""
    spans = {name: getattr(workload, name) * times for name in ("submit", "runtime", "walltime")}
    if failures is not None:
        failures = Failures(failures.time * times, failures.node, failures.repair * times)
    return changed(workload, **spans), failures


@settings(deadline=None, max_examples=examples(800))
@given(
    rng=seeds,
    machine=st.sampled_from(MACHINES),
    bands=st.sampled_from((by_submission, first_band, all_bands)),
    event_order=st.sampled_from(ORDERS),
    recovery=st.sampled_from(("original", "new", "drop", "options", "own", "C")),
)
def test_the_core_plays_what_the_readable_loop_plays(rng, machine, bands, event_order, recovery):
    whole, largest = bool(rng.integers(2)), int(machine.table.nodes.max())
    machine = changed(machine, reboots=str(rng.choice(["midplanes", "partition"])))
    workload = random_workload(rng, processors=largest, jobs=40, horizon=int(rng.choice([9, 60])))
    if rng.integers(3):  # mostly small ones, so that many run side by side
        small = rng.choice([1, 64, 100, 128, 256, 512, 512, 1024], len(workload))
        workload = changed(workload, processors=np.minimum(small, largest))
    if not whole:
        workload = fractional(rng, workload)
    count, checkpointing, saving = len(workload), None, rng.integers(3)
    user, group, queue = rng.integers(-1, 4, (3, count))
    workload = changed(workload, user=user, group=group, queue=queue)
    within = bool(saving and rng.integers(2))
    choices = {"options": [*OPTIONS.values()], "own": OWN, "C": [OPTIONS["C"]]}
    if recovery in choices:
        drawn = rng.integers(len(choices[recovery]), size=count)
        recovery = RecoverByOption([choices[recovery][n] for n in drawn])
    failures = often(rng, machine.nodes, workload.submit, whole=whole)
    workload, failures = stretched(
        workload, failures if rng.integers(8) else None, float(rng.choice([1.0, 700.0]))
    )
    within, final = (bool(each) for each in rng.integers(2, size=2))
    if saving == 1:
        checkpointing = Periodic(
            *rng.integers(1, 5, 3).astype(float), final=final, in_walltime=within
        )
    elif saving == 2:
        checkpointing = Periodic(
            rng.integers(1, 9, count) * 0.7,
            rng.integers(0, 3, count) * 0.3,
            rng.random(count),
            in_walltime=within,
        )
    utility, scheduler = utilities(rng), schedulers(rng)
    if isinstance(scheduler, Head):
        utility = utility.with_threshold(0.0)
    least_drain = float(rng.choice([0.0, 2.0, 300.0]))
    policy = Cobalt(utility, allocations(rng), least_drain, bands, scheduler)
    same(
        *both(
            workload,
            machine,
            policy=policy,
            event_order=event_order,
            estimates=str(rng.choice(["walltime", "runtime"])),
            kill_at_walltime=within or bool(rng.integers(2)),
            idle_failures=bool(rng.integers(2)),
            failures=failures,
            checkpointing=checkpointing,
            recovery=recovery,
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("utility", ["wfp3", "unicef", "(wait + 1)**1.7 * nodes / queue_length"])
def test_months_of_intrepid_s_kind_with_failures(event_order, utility):
    machine = BlueGene(regular(2, 8))
    rng = np.random.default_rng(len(utility))
    frame = intrepid_like(rng, jobs=600, days=2.0)
    workload = Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    workload = machine.sized(workload.select(machine.fits(workload)))
    time = rng.uniform(workload.submit[0], workload.submit[-1], 40)
    failures = Failures(time, rng.integers(0, machine.nodes, 40), rng.exponential(3000.0, 40))
    chosen = UTILITIES.get(utility) or utility_from_expression(utility)
    core, loop = both(
        workload,
        machine,
        policy=Cobalt(chosen.with_threshold(0.4), FaultAware()),
        event_order=event_order,
        failures=failures,
        recovery=RecoverByOption(
            [*rng.choice(np.array([*OPTIONS.values()], object), len(workload))]
        ),
        checkpointing=Periodic(3600.0, 120.0, 60.0),
    )
    same(core, loop)
    assert core.metrics["failures"] > 5
    assert core.metrics["mean_wait_s"] > 60.0


@pytest.mark.few(3)
@pytest.mark.parametrize("recovery", ["new", "original"])
@pytest.mark.parametrize(
    ("scheduler", "threshold"),
    [(name, threshold) for name in SCHEDULERS for threshold in (0.0, 0.6) if name != "head"]
    + [("head", 0.0)],
)
def test_busy_days_under_each_scheduler_as_its_simulator_has_them(scheduler, threshold, recovery):
    machine = BlueGene(regular(2, 8), "partition")
    rng = np.random.default_rng(17)
    frame = intrepid_like(rng, jobs=500, days=0.7)
    workload = Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    workload = machine.sized(workload.select(machine.fits(workload)))
    time = rng.uniform(workload.submit[0], workload.submit[-1], 60)
    failures = Failures(time, rng.integers(0, machine.nodes, 60), np.full(60, 1200.0))
    core, loop = both(
        workload,
        machine,
        policy=Cobalt(
            UTILITIES["wfp3"].with_threshold(threshold),
            ReleasedFaultAware(),
            scheduler=SCHEDULERS[scheduler],
        ),
        failures=failures,
        recovery=recovery,
        idle_failures=False,
        kill_at_walltime=False,
    )
    same(core, loop)
    assert core.metrics["failures"] > 5
    assert core.metrics["mean_wait_s"] > 60.0


@pytest.mark.slow
@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("name", sorted(UTILITIES))
def test_a_month_of_intrepid_with_failures(name, event_order):
    machine = BlueGene(PartitionTable.from_cobalt(require("machines/intrepid/simulator.xml.xz")))
    rng = np.random.default_rng(3)
    frame = intrepid_like(rng, jobs=7_630, days=25.0)
    workload = machine.sized(
        Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    )
    time = rng.uniform(workload.submit[0], workload.submit[-1], 300)
    failures = Failures(time, rng.integers(0, machine.nodes, 300), np.full(300, 1200.0))
    drawn = rng.integers(len(OPTIONS), size=len(workload))
    core, loop = both(
        workload,
        machine,
        policy=Cobalt(UTILITIES[name].with_threshold(0.3), FaultAware(), bands=all_bands),
        event_order=event_order,
        failures=failures,
        recovery=RecoverByOption([[*OPTIONS.values()][n] for n in drawn]),
        checkpointing=Periodic(3600.0, 120.0, 60.0),
    )
    same(core, loop)
    assert core.metrics["failures"] > 50


def test_a_job_drains_no_partition_that_reboots_for_longer():
    # A fails and ABCD reboots; EF runs until 1300, G until 700; H is idle. GH is free first: the
    # job of 1000 s must not go to H. CD uses no midplane that failed, but is out too.
    workload = Workload(
        submit=[0, 0, 0, 20, 21],
        runtime=[5000, 1300, 700, 100, 1000],
        walltime=[5000, 1300, 700, 100, 1000],
        processors=[2048, 1024, 512, 1024, 512],
    )
    core, loop = both(
        workload,
        MACHINES[0],
        policy=Cobalt(UTILITIES["fcfs"], least_drain=0.0),
        failures=Failures([10.0], [0], [1200.0]),
        recovery="drop",
    )
    same(core, loop)
    assert core.job_records.start.tolist() == [0.0, 0.0, 0.0, 700.0, 800.0]


@pytest.mark.parametrize("recovery", [ResubmitOriginal(), ResubmitNew(), Drop()])
def test_tables_grow_where_jobs_fail_again_and_again(recovery):
    workload = Workload(np.zeros(3), [50.0] * 3, [60.0] * 3, [512, 1024, 512])
    time = np.arange(1.0, 400.0)
    failures = Failures(time, time.astype(int) % 8, np.full(time.size, 0.5))
    core, loop = both(workload, MACHINES[0], policy=Cobalt(), failures=failures, recovery=recovery)
    same(core, loop)
    assert len(core.attempts) > 20 or isinstance(recovery, Drop)


def test_node_time_is_conserved():
    rng = np.random.default_rng(8)
    machine = MACHINES[2]
    workload = fractional(rng, random_workload(rng, processors=machine.size, jobs=60, horizon=90))
    failures = strikes(rng, machine.nodes, workload.submit, whole=False)
    done = replay(
        workload,
        machine,
        policy=Cobalt(),
        failures=failures,
        checkpointing=Periodic(2.0, 0.3, 0.2),
        engine="kernel",
    )
    time = done.node_time
    parts = (time.useful, time.lost, time.checkpoint, time.recovery, time.down, time.idle)
    assert sum(parts) == pytest.approx(time.capacity, rel=1e-12)


@pytest.mark.parametrize("bands", [first_band, all_bands])
def test_a_score_that_is_not_a_number_is_refused_alike(bands):
    workload = Workload([0, 0, 5], [9, 9, 9], [9, 9, 9], [4096, 512, 512])
    policy = Cobalt(utility_from_expression("(wait - 4)**.5 * nodes"), bands=bands)
    said = []
    for engine in ("kernel", "general"):
        with pytest.raises(ValueError, match=r"score of .* must be a number, got nan") as raised:
            replay(workload, MACHINES[0], policy=policy, engine=engine)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_alarms_end_where_an_hour_is_less_than_the_clock_can_tell():
    late = 1e20
    workload = Workload([late, late], [1e19, 1e19], [1e19, 1e19], [512, 512])
    policy = Cobalt(allocation=FaultAware(AlarmForecaster(0.5, 0.5, seed=1)))
    failures = Failures([late + 1e19], [0], [10.0])
    same(*both(workload, MACHINES[0], policy=policy, failures=failures))


def test_progress_is_told():
    told = []
    workload = Workload([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [512, 512])
    replay(workload, MACHINES[0], policy=Cobalt(), progress=told.append, engine="kernel")
    assert told[-1] == 2


class _Mine:
    def begin(self, failures, uses):
        return QsimForecaster().begin(failures, uses)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Cobalt(Utility("mine", lambda jobs: jobs.wait)), "the score mine, which is a function"),
        (Cobalt(allocation=FaultAware(_Mine())), "a forecaster of kind _Mine"),
        (Cobalt(allocation=type("Mine", (LeastBlocking,), {})()), "an allocation of kind Mine"),
        (type("Mine", (Cobalt,), {})(), "a policy of kind Mine"),
        (Cobalt(scheduler=type("Mine", (June2009,), {})()), "a scheduler of kind Mine"),
        (Cobalt(bands=lambda cluster: tuple(cluster.queue)), "an order of the queue of its own"),
    ],
)
def test_what_the_core_does_not_take_is_named(policy, words):
    workload = Workload([0.0], [1.0], [1.0], [512])
    with pytest.raises(ValueError, match=f"engine must be 'general' for {words}"):
        replay(workload, MACHINES[0], policy=policy, engine="kernel")
    assert replay(workload, MACHINES[0], policy=policy).engine == "general"
