"""Compile what the tests play, on two processors, before workers start that need the same.

``python -m tests.support.compile_cores``; without it every worker compiles most of it for itself.
Where all is kept from an earlier run this takes seconds.
"""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from sim import application, cluster, samplers

JOBS = cluster.Workload(
    submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8], processors=[3, 4, 1]
)
STRIKE = cluster.Failures([3.0], [0], [2.0])
UPTIME = samplers.Exponential(4.0)
JOB = {"interval": 2.0, "checkpoint_cost": 0.1}
FEW = {"replications": 2, "seed": 1}


def on_a_grid() -> None:
    grid = cluster.Grid((cluster.ClusterSpec("a", 4),))
    for policy in ("easy", "ls"):
        cluster.replay_grid(JOBS, grid, policy=policy, seed=1, failures=STRIKE, engine="kernel")


def on_a_flat_machine() -> None:
    # Each of the three loops.
    for policy, failures in (("easy", None), ("easy", STRIKE), ("conservative", STRIKE)):
        machine = cluster.flat(4)
        cluster.replay(JOBS, machine, policy=policy, failures=failures, engine="kernel")


def on_a_blue_gene() -> None:
    machine = cluster.BlueGene(cluster.bluegene.regular(1, 1))
    cluster.replay(JOBS, machine, policy=cluster.Cobalt(), failures=STRIKE, engine="kernel")


def with_promises() -> None:
    cluster.replay_promises(
        JOBS,
        processors=4,
        forecaster=cluster.DetectabilityForecaster(0.5, 1),
        confidence=0.5,
        failures=STRIKE,
        engine="kernel",
    )


def jobs_with_failures_alone() -> None:
    application.simulate_durations(UPTIME, **FEW)
    application.simulate_makespans(9.0, uptime=UPTIME, **JOB, **FEW)
    application.simulate_async_makespans(9.0, uptime=UPTIME, latency=0.5, **JOB, **FEW)
    application.simulate_wsj_makespans(9.0, mtbf=4.0, downtime=1.0, **JOB, **FEW)


def jobs_with_more() -> None:
    predictor = {"recall": 0.5, "false_alarms": UPTIME, "proactive_cost": 0.1, "threshold": 0.5}
    application.simulate_predicted_makespans(9.0, uptime=UPTIME, **predictor, **JOB, **FEW)
    tiers = {"durable_every": 2, "survived": 0.5, "local_cost": 0.1, "durable_cost": 0.2}
    application.simulate_two_level_makespans(9.0, uptime=UPTIME, interval=2.0, **tiers, **FEW)
    application.simulate_delays_after_failure(
        gap=1.0, places=2, running=UPTIME, strike=1.0, option="rear", **FEW
    )


# Those that take longest come first, so that both processors end together.
CORES: tuple[Callable[[], None], ...] = (
    on_a_grid,
    on_a_flat_machine,
    on_a_blue_gene,
    with_promises,
    jobs_with_failures_alone,
    jobs_with_more,
)


def main() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for done in [pool.submit(core) for core in CORES]:
            done.result()


if __name__ == "__main__":
    main()
