"""Small random workloads and failures with many ties, for tests of replays."""

import numpy as np
from hypothesis import strategies as st

from sim.cluster import Failures, Workload

POLICIES = ("fcfs", "easy", "conservative", "conservative-compress")
ORDERS = ("batch", "ends-first", "submissions-first")


def random_workload(rng, *, processors, jobs=14, horizon=20):
    count = int(rng.integers(1, jobs))
    runtime = rng.integers(1, 12, count)
    return Workload(
        submit=np.sort(rng.integers(0, horizon, count)),
        runtime=runtime,
        walltime=np.maximum(1, runtime + rng.integers(-3, 8, count)),
        processors=rng.integers(1, processors + 1, count),
    )


def random_failures(rng, *, nodes, count=8, horizon=60):
    number = int(rng.integers(0, count))
    return Failures(
        time=rng.integers(-5, horizon, number),
        node=rng.integers(0, nodes, number),
        repair=rng.integers(0, 15, number),
    )


seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
