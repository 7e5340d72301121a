"""Outputs that must not depend on the vector code NumPy picks for a processor.

A second process plays an older processor: NPY_DISABLE_CPU_FEATURES names every group that NumPy
found here above its baseline. Where it found none, there is nothing to compare.
"""

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.application import (
    simulate_delays_after_failure,
    simulate_durations,
    simulate_makespans,
    simulate_predicted_makespans,
    simulate_wsj_makespans,
)
from sim.cluster import DrawnFailures, Failures, Workload, flat, replay
from sim.cluster.failures import bursty_failures
from sim.cluster.forecasts import RateForecaster
from sim.cluster.grid import ClusterSpec, FailureModel, Grid, generate_failures
from sim.cluster.order import UTILITIES, Waiting, utility_from_expression
from sim.cluster.promises import replay_promises
from sim.samplers import (
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from sim.traces import generate_jobs, intrepid_like
from sim.traces.generated.lanl_like import lanl_like

ROOT = Path(__file__).resolve().parents[2]
FOUND = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
OLDER = {"NPY_DISABLE_CPU_FEATURES": " ".join(FOUND)}
LAWS = {
    "exponential": Exponential(6.0),
    "weibull": Weibull(0.7, 5.0),
    "weibull of a tiny shape": Weibull(1e-3, 5.0),
    "gamma": Gamma(0.4, 3.0),
    "gamma above one": Gamma(2.5, 3.0),
    "lognormal": LogNormal(1.5, 0.8),
    "lognormal beyond the largest number": LogNormal(709.0, 3.0),
    "hyperexponential": HyperExponential((0.2, 0.5, 0.3), (1.0, 10.0, 50.0)),
    "empirical": Empirical([1.0, 3.5, 6.0, 12.0, 13.0]),
    "deterministic": Deterministic(6.25),
}
# Small enough to be played twice in one run, and each compares numbers bit by bit.
PART = (
    "tests/sim/application/predicted/test_job.py",
    "tests/sim/application/test_struck_queue.py",
    "tests/sim/test_samplers.py",
    "tests/sim/cluster/order",
    "tests/sim/cluster/grid/test_failures.py",
    "tests/sim/cluster/forecasts/test_windows.py",
)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
def test_the_readable_sampler_and_the_compiled_draw_the_same_bits(law):
    kernel, events = (
        simulate_durations(law, replications=3_000, seed=5, method=method)
        for method in ("kernel", "events")
    )
    np.testing.assert_array_equal(kernel, events)


def outputs():
    """Return digests of what is random and of what decides, by name."""
    rng = np.random.default_rng(3)
    found = {
        f"durations, {name}": [law.sample(rng) for _ in range(2_000)] for name, law in LAWS.items()
    }
    job = {"interval": 4.0, "uptime": Weibull(0.7, 6.0), "checkpoint_cost": 0.5, "seed": 1}
    predictions = {"recall": 0.6, "false_alarms": None, "proactive_cost": 0.25, "threshold": 0.5}
    found["makespans"] = simulate_makespans(
        13.0, downtime=LogNormal(0.0, 1.0), replications=500, **job
    )
    found["predicted"] = simulate_predicted_makespans(
        13.0, downtime=LogNormal(0.0, 1.0), replications=500, **job, **predictions
    )
    found["wsj"] = simulate_wsj_makespans(
        40.0,
        interval=4.0,
        mtbf=6.0,
        downtime=LogNormal(0.0, 1.0),
        checkpoint_cost=0.5,
        replications=500,
        seed=1,
    )
    found["delays"] = simulate_delays_after_failure(
        gap=4.0,
        places=3,
        running=LogNormal(1.0, 1.0),
        strike=60.0,
        option="rear",
        downtime=5.0,
        replications=300,
        seed=3,
    )
    for name, log in (
        ("intrepid", intrepid_like(np.random.default_rng(1), jobs=300, days=3.0)),
        ("lanl", lanl_like(np.random.default_rng(1), nodes=8).drop(columns=["cause", "detail"])),
    ):
        found[f"{name} log"] = log.select_dtypes("number").to_numpy()
    drawn = generate_jobs(
        np.random.default_rng(2),
        jobs=300,
        gaps=Weibull(0.6, 60.0),
        processors={1: 2.0, 2: 1.0, 8: 1.0},
        runtime=LogNormal(6.0, 1.5),
        overestimate=LogNormal(0.5, 0.5),
    )
    jobs = Workload(*(drawn[c].to_numpy() for c in ("submit", "runtime", "walltime", "processors")))
    end = float(jobs.submit.max()) + 1e5
    feed = Failures.sampled(
        nodes=16, uptime=Weibull(0.7, 5e4), repair=LogNormal(7.0, 1.0), end=end, seed=4
    )
    bursts = bursty_failures(nodes=16, per_year=9000.0, repair=600.0, start=0.0, end=end, seed=4)
    described = DrawnFailures(
        mtbf=5e3,
        mttr=600.0,
        weibull_shape=0.7,
        stationary=True,
        burst_size=2.5,
        lemon_share=0.2,
    )
    drawn_feed = described.between(16, start=0.0, end=end, seed=4)
    grid = Grid((ClusterSpec("a", 40, 2), ClusterSpec("b", 30, 2)))
    model = FailureModel(afc=0.01, gap_shape=0.8, repair_shape=0.7, repair_scale=3600.0, skew=0.8)
    for name, failures in (
        ("feed", feed),
        ("bursts", bursts),
        ("drawn failures", drawn_feed),
        ("grid failures", generate_failures(grid, model, end=1e6, seed=2)),
    ):
        found[name] = np.concatenate((failures.time, failures.node, failures.repair))
    found["schedule"] = replay(jobs, flat(16), policy="easy", failures=feed).job_records.start
    rates = tuple(np.random.default_rng(6).random(16) * 1e-5)
    promised = replay_promises(
        jobs.select(np.arange(len(jobs)) < 60),
        processors=16,
        forecaster=RateForecaster(rates),
        confidence=0.9,
        failures=feed,
    )
    found["promises"] = np.concatenate((promised.promised, promised.deadline, promised.start))
    wait, walltime = (np.random.default_rng(7).random((2, 3_000)) + 0.1) * 1e5
    nodes = np.random.default_rng(8).integers(1, 40_961, 3_000).astype(np.float64)
    written = "(wait/walltime)**1.7*nodes**-.3/(1+queue_length)**3"
    for utility in (*UTILITIES.values(), utility_from_expression(written)):
        found[f"score {utility.name}"] = utility.scores(Waiting(wait, walltime, nodes, 512.0))
    return {
        name: hashlib.sha256(np.asarray(values, dtype=np.float64).tobytes()).hexdigest()
        for name, values in found.items()
    }


@pytest.mark.skipif(not FOUND, reason="NumPy has no code above its baseline for this processor")
def test_an_older_processor_gives_the_same_bits():
    code = (
        "import json; from tests.sim.test_processors import outputs; print(json.dumps(outputs()))"
    )
    assert json.loads(on_an_older_processor("-c", code)) == outputs()


@pytest.mark.slow
@pytest.mark.skipif(not FOUND, reason="NumPy has no code above its baseline for this processor")
def test_a_part_of_the_suite_passes_on_an_older_processor():
    options = ("-q", "-n0", "-p", "no:cacheprovider")
    assert " passed" in on_an_older_processor("-m", "pytest", *options, *PART)


@pytest.mark.skipif(not FOUND, reason="NumPy has no code above its baseline for this processor")
def test_the_older_processor_is_one():
    code = "import numpy as np; print(np.show_config(mode='dicts')['SIMD Extensions'].get('found'))"
    assert on_an_older_processor("-c", code).strip() == "None"


def on_an_older_processor(*arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | OLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


BY_VECTOR_CODE = {
    *("exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2"),
    *("power", "float_power", "cbrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh"),
}


def test_sim_calls_no_elementary_function_of_numpy():
    # Compiled code calls the C library under these names; it is found by its folder or file.
    for path in (ROOT / "sim").rglob("*.py"):
        if "kernels" in path.parts or path.stem == "kernels":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called = node.value.id == "np" and node.attr in BY_VECTOR_CODE
                assert not called, f"{path}:{node.lineno}: np.{node.attr}, see sim/_libm.py"
