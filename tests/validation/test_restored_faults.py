"""Faults that users once found, planted again: the output must differ from the right one.

Each row has a question, its right answer, and the piece of code that was once wrong.
"""

import json
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pint
import pytest

import sim.metrics.replay
import sim.traces
from perfmodel import _checks as checks
from perfmodel import (
    expected_makespan,
    fit_lifetime,
    optimal_interval,
    optimal_interval_parallel,
    wsj_mean,
)
from perfmodel.cli import main
from perfmodel.fitting import lifetime
from perfmodel.parallel import tasks
from perfmodel.registry import FORMULAS
from sim.answers.replays import policies as policies_setup
from sim.cluster import bluegene
from sim.traces import INTREPID_HEADER, intrepid_like, write_swf
from tests.support.runner import runner

UNIT = pint.get_application_registry()
FAMILIES = ["exponential", "gamma"]


def read(*arguments):
    done = runner().invoke(main, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def interval_of_quantities(folder):
    """An mtbf of 8 h and a checkpoint of 6 min give an interval of 1.2 h, not 6.3."""
    del folder
    try:
        return float(optimal_interval(mtbf=8 * UNIT.hour, checkpoint_cost=6 * UNIT.minute))
    except TypeError as error:
        return "refused" if "quantity in hour" in str(error) else str(error)


def interval_where_the_mean_is_infinite(folder):
    del folder
    job = {"work": 30.0, "mtbf": 1.0, "checkpoint_cost": 800.0}
    try:
        return float(optimal_interval_parallel(2, **job))
    except ValueError as error:
        if "interval must be at least" in str(error):
            return "doubled until no float could count the segments"
        return "refused" if "got inf for its time" in str(error) else str(error)


def families_of_two_durations(folder):
    del folder
    try:
        found = fit_lifetime([1.0, 2.0], resolution=1.0, families=("exponential", "weibull"))
        return [row.family for row in found]
    except RuntimeError:
        return "none"


def mtbf_of_512_nodes(folder):
    """Return the mtbf, in years, of 512 nodes with 161 failures in 363 days."""
    rng = np.random.default_rng(8)
    day = 86_400.0
    node = np.concatenate([np.arange(99), rng.integers(0, 99, 63)])
    times = np.sort(rng.uniform(0.0, 363.0, node.size)) * day
    times[[0, -1]] = 0.0, 363.0 * day
    rows = [f"{t!r},nid{n:04},60" for t, n in zip(times.tolist(), node.tolist(), strict=True)]
    log = folder / "nodes.csv"
    log.write_text("\n".join(["time,node,repair", *rows, ""]))
    found = read("fit", str(log), "--format", "csv", "--by", "node", "--nodes", "512")
    return round(found["mtbf_s"] / (365.25 * day), 1)


def slowdown_where_nobody_failed(folder):
    log = folder / "jobs.swf"
    log.write_text("; MaxProcs: 4\n1 0 -1 9 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n")
    (row,) = read("recovery", str(log), "--mtbf", "1000y", "--case", "even")["results"]
    return row["failure_slowdown"]


def awareness_of_failures(folder):
    """Expect the released weights, or a warning that the given weights are too small."""
    log = folder / "intrepid-like.swf"
    frame = intrepid_like(np.random.default_rng(3)).iloc[:40]
    write_swf(frame, log, header=INTREPID_HEADER)
    options = ("--machine", "bluegene:5x8", "--mtbf", "4h", "--seed", "1", "--fault-aware")
    notes = " ".join(read("replay", str(log), *options)["notes"])
    return "(released)" in notes or "warning: --beta 1 is below" in notes


def exactness_of_wsj(folder):
    """Expect an exact formula to name its process, if jobs on a machine take longer."""
    del folder
    job = {"mtbf": 10.0, "interval": 5.0, "checkpoint_cost": 1.0}
    process = expected_makespan(40.0, **job, downtime=1.0)
    (row,) = [row for row in CATALOGUE[0] if row.function is wsj_mean]
    same = np.isclose(wsj_mean(40.0, **job, downtime=1.0), process, rtol=0.05)
    return bool(same) or bool(row.within)


CATALOGUE = [FORMULAS]


@contextmanager
def endless_doubling():
    def least(objective, start):
        high = 2 * start
        while objective(high) <= objective(start):
            high *= 2**100  # doubling alone takes long to reach the largest float
        return high

    with patch.object(tasks, "_least", least):
        yield


@contextmanager
def one_family_ends_all():
    right = lifetime.maximise

    def maximise(family, sample):
        found = right(family, sample)
        if found is None:
            raise RuntimeError("the likelihood has no maximum")
        return found

    with patch.object(lifetime, "maximise", maximise):
        yield


@contextmanager
def silent_nodes_left_out():
    right = sim.traces.uptimes

    def uptimes(frame, *, nodes, **options):
        del nodes
        return right(frame, **options)

    with patch("sim.traces.failures.log.uptimes", uptimes):
        yield


@contextmanager
def nothing_averaged_to_zero():
    right = sim.metrics.replay.mean_of_known
    with patch.object(sim.metrics.replay, "mean_of_known", lambda x: np.nan_to_num(right(x))):
        yield


@contextmanager
def printed_weights_unasked():
    with (
        patch.object(policies_setup, "allocation_name", lambda request: "printed"),
        patch.object(bluegene, "most_blocked", lambda table: 0.0),
    ):
        yield


@contextmanager
def an_unconditional_catalogue():
    right = CATALOGUE[0]
    CATALOGUE[0] = tuple(SimpleNamespace(function=row.function, within="") for row in right)
    try:
        yield
    finally:
        CATALOGUE[0] = right


FAULTS = {
    "units stripped": (
        interval_of_quantities,
        "refused",
        lambda: patch.object(checks, "refuse_quantity", lambda *_: None),
        pytest.approx(6.275, abs=1e-3),
    ),
    "a search without end": (
        interval_where_the_mean_is_infinite,
        "refused",
        endless_doubling,
        "doubled until no float could count the segments",
    ),
    "one family without a maximum ends all": (
        families_of_two_durations,
        ["exponential"],
        one_family_ends_all,
        "none",
    ),
    "nodes that never failed not counted": (
        mtbf_of_512_nodes,
        3.2,  # 512 nodes for 363 days, 161 times
        silent_nodes_left_out,
        pytest.approx(0.6, abs=0.1),
    ),
    "the mean of nothing shown as 0": (
        slowdown_where_nobody_failed,
        None,
        nothing_averaged_to_zero,
        0.0,
    ),
    "weights that lead astray, unsaid": (
        awareness_of_failures,
        True,
        printed_weights_unasked,
        False,
    ),
    "exact, of a process that is not said": (
        exactness_of_wsj,
        True,
        an_unconditional_catalogue,
        False,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.filterwarnings("ignore::pint.UnitStrippedWarning")
def test_a_fault_that_is_planted_again_is_noticed(fault, tmp_path):
    asked, right, plant, wrong = FAULTS[fault]
    assert asked(tmp_path) == right
    with plant():
        found = asked(tmp_path)
    assert found != right
    assert found == wrong
