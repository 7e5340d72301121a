"""Which policies a request describes, and on which clusters of a grid jobs ran."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from asking.refusals import Field, Refused
from sim.answers.grids.partitions import clusters_of_jobs
from sim.answers.grids.request import GridRequest
from sim.answers.replays.machines import BlueGeneSite, PlainSite
from sim.answers.replays.policies import allocation_name, own_policy
from sim.answers.replays.requests import ReplayRequest
from sim.cluster import POLICIES, UTILITIES, Cobalt, QsimForecaster, flat, utility_from_expression
from sim.cluster.bluegene import (
    SCHEDULERS,
    BlueGene,
    FaultAware,
    LeastBlocking,
    ReleasedFaultAware,
    most_blocked,
    regular,
)
from sim.cluster.dialects import DIALECTS
from sim.cluster.grid import ClusterSpec, Grid
from tests.support.runner import words_of

BLUE = BlueGene(regular(1, 1))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(machine, **options):
    notes = []
    site = BlueGeneSite(machine, None) if machine is BLUE else PlainSite(machine, None)
    request = ReplayRequest(log=Path("jobs"), **options)
    request.check()
    return site.policies(request, notes), notes


def refusal(act, kind=Refused):
    with pytest.raises(kind) as refused:
        act()
    return words_of(refused.value)


def blue(**options):
    return found(BLUE, **options)[0]


def test_a_plain_machine_has_its_policies_by_name():
    plain = flat(4)
    assert found(plain) == ({"easy": "easy"}, [])
    for name in POLICIES:
        assert found(plain, policy=name) == ({name: name}, [])
    assert found(plain, compare=("fcfs", "easy"))[0] == {"fcfs": "fcfs", "easy": "easy"}
    ordered, notes = found(plain, policy="fcfs", order="wait")
    assert notes == ["the queue is ordered by wait, highest first"]
    assert replace(ordered["fcfs"], order=POLICIES["fcfs"].order) == POLICIES["fcfs"]
    assert ordered["fcfs"].order is not POLICIES["fcfs"].order
    known = ", ".join(POLICIES)
    for options, flag in (({"policy": "x"}, "--policy"), ({"compare": ("easy", "x")}, "--compare")):
        said = f"{flag} must be one of {known} or package.module:Name, got 'x'"
        assert refusal(lambda options=options: found(plain, **options)) == said
    both = {"policy": "easy", "compare": ("fcfs",)}
    assert refusal(lambda: found(plain, **both)) == "--policy must be left out with --compare"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_has_policies_of_its_own(dialect):
    known = DIALECTS[dialect].policies
    first = next(iter(known))
    assert found(flat(4), dialect=dialect)[0] == {first: known[first]}
    for name, policy in known.items():
        assert found(flat(4), dialect=dialect, compare=(name,))[0] == {name: policy}
    said = "--dialect must be left out on a Blue Gene: none of them has one"
    assert refusal(lambda: blue(dialect=dialect)) == said


def test_a_blue_gene_is_scheduled_by_utilities():
    usual = SCHEDULERS["separate-drains"]
    assert blue() == {"wfp3": Cobalt(UTILITIES["wfp3"], LeastBlocking(), scheduler=usual)}
    for name, utility in UTILITIES.items():
        assert blue(utility=name) == {name: Cobalt(utility, LeastBlocking(), scheduler=usual)}
    for name, scheduler in SCHEDULERS.items():
        assert blue(scheduler=name)["wfp3"].scheduler == scheduler
    assert [*blue(compare=("fat", "wfp1"))] == ["fat", "wfp1"]
    lazy = blue(compare=("fat", "wfp1"), threshold=0.25)
    assert [each.utility for each in lazy.values()] == [
        UTILITIES[name].with_threshold(0.25) for name in ("fat", "wfp1")
    ]
    own = blue(utility_expr="wait * nodes", threshold=0.5)
    ((name, policy),) = own.items()
    expected = utility_from_expression("wait * nodes", threshold=0.5)
    assert (name, policy.utility.name, policy.utility.threshold) == (
        expected.name,
        expected.name,
        0.5,
    )
    assert blue(scheduler="head", threshold=0.0)["wfp3"].scheduler.name == "head"
    known = ", ".join(UTILITIES)
    for options, flag in (
        ({"utility": "x"}, "--utility"),
        ({"compare": ("fat", "x")}, "--compare"),
    ):
        said = f"{flag} must be one of {known}, got 'x'"
        assert refusal(lambda options=options: blue(**options)) == said


def test_a_utility_may_change_at_stated_times():
    for first in ({"utility": "fcfs"}, {"utility_expr": "wait"}):
        (policy,) = blue(**first, utility_at=["10d=fat", "20d=user"], threshold=0.5).values()
        name = f"{first.get('utility', 'wait')}; 864000 s: fat; 1.728e+06 s: user"
        assert (policy.utility.name, policy.utility.threshold) == (name, 0.5)
    assert next(iter(blue(utility_at=[(5.0, "wait")]))) == "wfp3; 5 s: wait"
    for options, said in (
        ({"utility_at": ["2d=wait", "1d=fat"]}, "--utility-at: times of later utilities must rise"),
        ({"utility_at": ["2d=what"]}, "--utility-at: expression must use only wait"),
        ({"utility_at": ["wait"]}, "--utility-at must be a time and a utility from then on"),
        ({"utility_at": ["1d=fat"], "utility": "x"}, "--utility must be one of"),
        ({"utility_at": ["1d=fat"], "compare": ("fat", "fcfs")}, "--utility-at must be left out"),
    ):
        assert refusal(lambda options=options: blue(**options)).startswith(said)


def test_a_blue_gene_chooses_partitions():
    asked = {"sensitivity": 0.25, "specificity": 0.75}
    forecaster = QsimForecaster(0.25, 0.75)
    risk = "partitions chosen by the risk of failures, once for every parent (released)"
    for options in ({"allocation": "released"}, {"fault_aware": True}):
        policies, notes = found(BLUE, **options, **asked)
        assert policies["wfp3"].allocation == ReleasedFaultAware(forecaster)
        assert notes == [risk]
    policies, notes = found(BLUE, allocation="printed", alpha=0.5, beta=1000.0, **asked)
    assert policies["wfp3"].allocation == FaultAware(forecaster, alpha=0.5, beta=1000.0)
    assert notes == ["partitions chosen with alpha 0.5 and beta 1000 as printed"]
    for name, parents in (("neighbours", "neighbours"), ("june-2009", "all")):
        policies, notes = found(BLUE, allocation=name, alpha=0.5, **asked)
        wanted = FaultAware(forecaster, alpha=0.5, parents=parents)
        assert policies["wfp3"].allocation == wanted
        assert notes == [f"partitions chosen with alpha 0.5 and beta 1 by the cost {name}"]
    least = most_blocked(BLUE.table)
    policies, notes = found(BLUE, allocation="printed", **asked)
    assert policies["wfp3"].allocation == FaultAware(forecaster, alpha=1.0, beta=1.0)
    assert (len(notes) == 2) is (least > 1.0)
    assert len(found(BLUE, allocation="printed", beta=float(least), **asked)[1]) == 1
    assert found(BLUE, allocation="printed", alpha=2.0, beta=float(least), **asked)[1][1] == (
        f"warning: beta {least:g} is below the {2 * least:g} that blocking partitions can cost: "
        "one about to fail may be preferred, because it blocks others that fail with it; "
        f"beta {2 * least:g} or allocation released prevents that"
    )


def test_how_partitions_are_chosen_by_name():
    def name(**options):
        return allocation_name(ReplayRequest(log=Path("jobs"), **options))

    assert name() == "least-blocking"
    assert name(fault_aware=True) == "released"
    for allocation in ("least-blocking", "printed", "neighbours", "june-2009", "released"):
        assert name(allocation=allocation) == allocation
    assert name(allocation="printed", fault_aware=True, alpha=1.0, beta=0.0) == "printed"
    said = (
        "--allocation must be one of printed, neighbours, june-2009 or released with --fault-aware"
    )
    asked = {"allocation": "least-blocking", "fault_aware": True}
    assert refusal(lambda: name(**asked)) == said
    for flag in ("alpha", "beta"):
        said = (
            f"--{flag} must be left out unless --allocation is one of printed, neighbours, "
            "june-2009; it is "
        )
        for allocation in ("least-blocking", "released"):
            asked = {"allocation": allocation, flag: 0.0}
            assert refusal(lambda asked=asked: name(**asked)) == said + allocation


MINE = """
from dataclasses import dataclass


@dataclass(frozen=True)
class Mine:
    name: str = "mine"
    runs_on: tuple = ()

    def begin(self, cluster):
        return lambda news: cluster(news)


def made():
    return Mine("made")


ready = Mine("ready")


class Group:
    Inner = Mine
"""


def test_policies_of_users_are_objects_classes_or_what_functions_give(folder, monkeypatch):
    (folder / "own_of_user.py").write_text(MINE)
    before = list(sys.path)
    for text, name in {
        "Mine": "mine",
        "made": "made",
        "ready": "ready",
        "Group.Inner": "mine",
    }.items():
        policy = own_policy(f"own_of_user:{text}", Field("policy"))
        assert (policy.name, policy.runs_on) == (name, ())
        assert sys.path == before
    for machine, others in ((flat(4), "easy"), (BLUE, "fat")):
        policies, _ = found(machine, compare=(others, "own_of_user:ready"))
        assert [*policies] == [others, "own_of_user:ready"]
        policy = policies["own_of_user:ready"]
        assert (policy.name, policy.runs_on, policy.text) == ("ready", (), "own_of_user:ready")
        assert policy.begin(lambda news: 2 * news)(4) == 8
        with pytest.raises(ValueError, match=r"^policy own_of_user:ready must not raise, got Zero"):
            policy.begin(lambda news: news / 0)(4)
    assert blue(compare=("fat", "own_of_user:ready"))["fat"] == Cobalt(UTILITIES["fat"])
    known = ", ".join(UTILITIES)
    said = f"--compare must be one of {known} or package.module:Name, got 'x'"
    assert refusal(lambda: blue(compare=("x", "own_of_user:ready"))) == said
    of_utilities = {
        "utility": "fat",
        "utility_expr": "wait",
        "threshold": 0.0,
        "scheduler": "head",
        "fault_aware": True,
        "allocation": "released",
    }
    for name, value in of_utilities.items():
        flag = f"--{name.replace('_', '-')}"
        for option in ("policy", "compare"):
            mine = "own_of_user:ready"
            asked = {name: value, option: mine if option == "policy" else (mine,)}
            said = f"{flag} must be left out with --{option} own_of_user:ready"
            assert refusal(lambda asked=asked: blue(**asked)) == said
    both = {"policy": "own_of_user:ready", "compare": ("fat",)}
    assert refusal(lambda: blue(**both)) == "--policy must be left out with --compare"
    said = (
        "--policy must be left out on a Blue Gene, or be package.module:Name; give --utility, got "
        "'easy'"
    )
    assert refusal(lambda: blue(policy="easy")) == said
    monkeypatch.delitem(sys.modules, "own_of_user")


GRID = Grid((ClusterSpec("a", 2, 4), ClusterSpec("b", 3, 4)))


def ran(numbers, names=None, queues=None, **options):
    columns = {} if numbers is None else {"partition": numbers}
    if names is not None:
        columns["partition_name"] = names
    if queues is not None:
        columns["queue"] = queues
    jobs = SimpleNamespace(partition=np.array(numbers or [-1]), queue=np.array(queues or [-1]))
    request = GridRequest(log=Path("jobs"), machines=Path("grid"), **options)
    notes = []
    trace = SimpleNamespace(frame=pd.DataFrame(columns))
    return clusters_of_jobs(request, trace, jobs, GRID, notes).tolist(), notes


def test_partitions_are_clusters_by_order_by_name_or_as_given():
    assert ran([1, 2, 1]) == ([0, 1, 0], ["partition 1 is a, 2 is b, by order"])
    assert ran([2, 1, -1]) == (
        [1, 0, -1],
        ["partition 1 is a, 2 is b, by order", "jobs that ran on partitions left out: 1"],
    )
    assert ran([7, 3], ["b", "a"]) == ([1, 0], ["partition a is a, b is b, by name"])
    assert ran([7, 3], ["b", "z"]) == (
        [1, -1],
        ["partition b is b, by name", "jobs that ran on partitions left out: 1"],
    )
    assert ran([5, 6], partitions=" 6 = a ,5=b") == ([1, 0], ["partition 6 is a, 5 is b"])


@pytest.mark.parametrize("partitions", [[1, 3], [2, 2], [1, 1], [0, 2]])
def test_partitions_that_do_not_count_the_clusters_must_be_named(partitions):
    some = ", ".join(map(str, sorted(set(partitions))))
    assert refusal(lambda: ran(partitions)) == (
        "--partitions must say on which cluster each partition of --log was, as in 1=a,2=b, got "
        f"{some} for a, b"
    )


def test_a_log_without_partitions_says_nothing():
    said = "--log must say on which cluster jobs ran; --partition-map can say it by queue"
    assert refusal(lambda: ran(None)) == said
    assert refusal(lambda: ran([-1, -1])) == said


def test_a_map_names_partitions_or_queues():
    def found(text):
        Path("map.csv").write_text(text)
        return ran([1, 2, 3], queues=[4, 4, 5], partition_map=Path("map.csv"))

    assert found("partition,cluster\n3,a\n1,b\n") == (
        [1, -1, 0],
        ["partition 3 is a, 1 is b", "jobs that ran on partitions left out: 1"],
    )
    assert found("queue,cluster\n4,b\n") == (
        [1, 1, -1],
        ["queue 4 is b", "jobs that ran on queues left out: 1"],
    )
    said = "line 2: partition must be one of 1, 2, 3, as in LOG, got '9'"
    assert refusal(lambda: found("partition,cluster\n9,a\n"), ValueError) == f"map.csv, {said}"
    said = "map.csv must hold queues and their clusters, got none"
    assert refusal(lambda: found("queue,cluster\n")) == said
    many = [*range(1, 31)]
    Path("map.csv").write_text("partition,cluster\n99,a\n")
    first = ", ".join(map(str, many[:20]))
    said = f"map.csv, line 2: partition must be one of {first}, ..., as in LOG, got '99'"
    asked = {"partition_map": Path("map.csv")}
    assert refusal(lambda: ran(many, **asked), ValueError) == said
    Path("map.csv").write_text("queue,cluster\n1,a\n")
    said = "map.csv, line 2: queue must be in LOG, which has no queues, got '1'"
    assert refusal(lambda: ran([1, 2], **asked), ValueError) == said
