"""A policy plays to the end on a machine, or is refused before the first event."""

from itertools import product

import pandas as pd
import pytest

import sim.cluster
from sim.cluster import (
    POLICIES,
    RECOVERIES,
    BlueGene,
    CancelStranded,
    Cluster,
    ClusterSpec,
    Cobalt,
    Conservative,
    Easy,
    Failures,
    FaultAware,
    Fcfs,
    Grid,
    GridEasy,
    GridFcfs,
    LeastBlocking,
    LocalSearch,
    Negotiated,
    Periodic,
    Planned,
    Policy,
    Prices,
    QsimForecaster,
    RateForecaster,
    ReleasedFaultAware,
    Workload,
    flat,
    regular,
    replay,
    replay_credits,
    replay_grid,
    replay_promises,
)

MACHINES = {
    "flat": flat(512),
    "flat-of-nodes": flat(512, processors_per_node=64),
    "bluegene": BlueGene(regular(1, 1)),
    "grid": Grid((ClusterSpec("slow", 256), ClusterSpec("fast", 512, speed=2.0))),
}
SPECIAL = {
    "Fcfs": Fcfs(),
    "Easy": Easy(),
    "Conservative": Conservative(),
    "Cobalt": Cobalt(),
    "Cobalt, fault-aware": Cobalt(allocation=FaultAware()),
    "Cobalt, released": Cobalt(allocation=ReleasedFaultAware()),
    "GridFcfs": GridFcfs(),
    "GridFcfs, balanced": GridFcfs(seed=1),
    "GridEasy": GridEasy(),
    "Planned": Planned(),
    "LocalSearch": LocalSearch(),
    "Negotiated": Negotiated(RateForecaster(0.0).outlook(None, 512), 0.5),
}
ALL = {**{name: name for name in POLICIES}, **SPECIAL}
ALL |= {
    f"CancelStranded, {name}": CancelStranded(POLICIES.get(policy, policy))
    if isinstance(policy, str)
    else CancelStranded(policy)
    for name, policy in ALL.items()
}
NONE = Failures([], [], [])
FEEDS = {"no failures": None, "empty feed": NONE, "failures": Failures([3.0, 40.0], [0, 0], [9, 9])}

# What runs where, by the first word of the name of the policy.
ON_POOLS = {"fcfs", "easy", "conservative", "conservative-compress", "Fcfs", "Easy", "Conservative"}
ON_GRIDS = {"GridFcfs", "GridEasy", "Planned", "LocalSearch"}


def runs(name, machine, feed):
    wrapped, first = name.startswith("CancelStranded, "), name.removeprefix("CancelStranded, ")
    first = first.partition(",")[0]
    if wrapped and machine != "grid":
        return False
    return {
        "flat": first in ON_POOLS or (first == "Negotiated" and feed != "no failures"),
        "flat-of-nodes": first in ON_POOLS,
        "bluegene": first in {"fcfs", "Fcfs", "Cobalt"},
        "grid": first in ON_POOLS | ON_GRIDS,
    }[machine]


def crowded():
    """Return jobs most of which have to wait, so that a policy asks for all that it needs."""
    count = 12
    return Workload(
        submit=[float(place // 2) for place in range(count)],
        runtime=[5.0 + place % 4 for place in range(count)],
        walltime=[7.0 + place % 3 for place in range(count)],
        processors=[512 if place % 4 == 0 else 128 * (1 + place % 2) for place in range(count)],
    )


@pytest.fixture
def begun(monkeypatch):
    """Return the list of loops that began."""
    loops, run = [], Cluster.run
    monkeypatch.setattr(Cluster, "run", lambda self: (loops.append(self), run(self))[1])
    return loops


@pytest.mark.parametrize("name", ALL)
def test_a_policy_plays_to_the_end_or_is_refused_before_the_first_event(name, begun):
    for machine, feed in product(MACHINES, FEEDS):
        plays_or_is_refused(name, machine, feed, begun)


def plays_or_is_refused(name, machine, feed, begun):
    def play():
        return replay(
            crowded(), MACHINES[machine], policy=ALL[name], failures=FEEDS[feed], engine="general"
        )

    if runs(name, machine, feed):
        outcomes = play().jobs["outcome"]
        assert set(outcomes) <= {"completed", "killed", "cancelled"}
        assert (outcomes != "cancelled").sum() > 8
        return
    policy = POLICIES.get(name, ALL[name])
    public = type(MACHINES[machine]).__name__
    assert public in sim.cluster.__all__
    message = rf"^policy {policy.name}( \(\w+\))? must have a .*, got {public}; use"
    already = len(begun)
    with pytest.raises(ValueError, match=message):
        play()
    assert len(begun) == already


def test_no_public_policy_is_left_out():
    offered = [getattr(sim.cluster, name) for name in sim.cluster.__all__]
    classes = {one for one in offered if isinstance(one, type) and hasattr(one, "runs_on")}
    assert classes - {Policy} == {type(policy) for policy in SPECIAL.values()} | {CancelStranded}


@pytest.mark.parametrize(
    ("policy", "machine", "message"),
    [
        (
            "easy",
            "bluegene",
            "policy easy must have a machine of pools of processors, got BlueGene; "
            r"use fcfs or Cobalt\(\)$",
        ),
        (
            Cobalt(),
            "flat",
            "policy cobalt-wfp3 must have a BlueGene, got Flat; "
            "use fcfs, easy, conservative or conservative-compress$",
        ),
        (
            GridEasy(),
            "bluegene",
            r"policy easy \(GridEasy\) must have a Grid, got BlueGene; use fcfs or Cobalt\(\)$",
        ),
    ],
)
def test_the_message_names_policy_machine_and_what_to_use(policy, machine, message):
    with pytest.raises(ValueError, match=message):
        replay(crowded(), MACHINES[machine], policy=policy)


class Bare:
    """A machine of a user, of which no policy knows anything."""

    size = nodes = 1

    def fits(self, workload):
        return workload.processors > 0

    def occupancy(self, *, numbered):
        del numbered
        return object()


def test_a_machine_of_a_user_is_asked_as_well():
    with pytest.raises(ValueError, match=r"^policy easy must have .*, got Bare; use fcfs$"):
        replay(crowded(), Bare())


def test_what_is_not_a_machine_a_policy_or_a_recovery_is_named():
    for machine in (512, None, BlueGene, "flat"):
        with pytest.raises(TypeError, match=r"^machine must be an object .* as flat\(128\), got"):
            replay(crowded(), machine)
    for policy in (Easy, 1, None, RECOVERIES["drop"]):
        with pytest.raises(TypeError, match=r"^policy must be a name or an object with name,"):
            replay(crowded(), flat(512), policy=policy)
        with pytest.raises(TypeError, match=r"^policy must be a name or an object with name,"):
            replay_grid(crowded(), MACHINES["grid"], policy=policy)
    with pytest.raises(TypeError, match=r"^recovery must be a name or an object with begin, got 3"):
        replay(crowded(), flat(512), recovery=3)


def test_what_is_not_a_workload_a_feed_or_a_way_to_checkpoint_is_named():
    for jobs in ([1, 2], crowded().submit, None):
        message = r"^workload must be a Workload, got .*; make one with .* or Workload\.from_frame$"
        with pytest.raises(TypeError, match=message):
            replay(jobs, flat(512))
        with pytest.raises(TypeError, match=message):
            replay_grid(jobs, MACHINES["grid"])
    frame = pd.DataFrame({"submit": [0.0], "runtime": [1.0], "processors": [1]})
    with pytest.raises(TypeError, match=r"^workload must be a Workload, got a DataFrame; .*from_f"):
        replay(frame, flat(512))
    with pytest.raises(TypeError, match=r"^frame must be a table, .*, got \[1\]"):
        Workload.from_frame([1])
    with pytest.raises(
        TypeError, match=r"^failures must be a Failures, got a DataFrame; .*s_from_f"
    ):
        replay(crowded(), flat(512), failures=frame)
    for every in (3600.0, Periodic):
        with pytest.raises(TypeError, match=r"^checkpointing must be .* such as Periodic\("):
            replay(crowded(), flat(512), checkpointing=every)


def test_policies_of_equal_names_are_told_apart():
    with pytest.raises(ValueError, match=r"^policy fcfs \(GridFcfs\) must have a Grid, got Flat; "):
        replay(crowded(), flat(512), policy=GridFcfs())


@pytest.mark.parametrize("machine", ["flat", "flat-of-nodes", "bluegene"])
def test_a_grid_replay_must_have_a_grid(machine, begun):
    public = type(MACHINES[machine]).__name__
    with pytest.raises(TypeError, match=f"^grid must be a Grid, got {public}; use replay$"):
        replay_grid(crowded(), MACHINES[machine])
    assert begun == []


@pytest.mark.parametrize("name", SPECIAL)
def test_every_policy_plays_on_a_grid_or_is_refused(name, begun):
    if runs(name, "grid", "no failures"):
        result = replay_grid(crowded(), MACHINES["grid"], policy=SPECIAL[name])
        assert result.metrics["completed"] == 12
        return
    message = rf"^policy {SPECIAL[name].name} must have a .*, got Grid; use .* or LocalSearch\(\)$"
    with pytest.raises(ValueError, match=message):
        replay_grid(crowded(), MACHINES["grid"], policy=SPECIAL[name])
    assert begun == []


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ALL)
def test_users_pay_for_every_pair_or_it_is_refused(name, machine, begun):
    def play():
        return replay_credits(
            crowded(),
            MACHINES[machine],
            wanted="E" * 12,
            prices=Prices({"A": 0.0, "E": 2.0}, 1.0, 10.0, 0.0),
            policy=ALL[name],
            failures=NONE,
        )

    if runs(name, machine, "empty feed"):
        assert len(play().charges) == 12
        return
    with pytest.raises(ValueError, match=r"^policy .* must have a .*; use "):
        play()
    assert begun == []


def test_a_forecaster_of_the_other_kind_is_refused(begun):
    with pytest.raises(TypeError, match=r"^forecaster must have outlook, got Qsim.*; use RateFore"):
        replay_promises(crowded(), processors=512, forecaster=QsimForecaster(), confidence=0.5)
    for allocation in (FaultAware, ReleasedFaultAware):
        with pytest.raises(TypeError, match=r"^forecaster must have begin, got Rate.*; use Qsim"):
            allocation(forecaster=RateForecaster(0.0))
    assert begun == []
    done = replay_promises(
        crowded(), processors=512, forecaster=RateForecaster(0.0), confidence=0.5
    )
    assert done.kept.all()
    assert Cobalt(allocation=LeastBlocking()).name == "cobalt-wfp3"
