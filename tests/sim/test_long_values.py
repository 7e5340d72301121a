"""Values that are far too long, such as the field of a damaged header: a refusal shows a part."""

import io
import zipfile

import pandas as pd
import pytest

from sim import traces
from sim._checks import flag, generator, number, numbers, one_of, whole
from sim.application import simulate_makespans
from sim.cluster import Failures, PartitionTable, Workload, flat, regular
from sim.cluster.grid import ClusterSpec, Grid, read_grid
from sim.samplers import Exponential, HyperExponential
from sim.streams import stream

LONG = "xy" * 5000
MANY = [*range(5000), "x"]
CLUSTER = '[[cluster]]\nname = "a"\nmachines = 4\n'
JOB = {"interval": 1.0, "checkpoint_cost": 0.0, "replications": 9, "seed": 1}


def text(words):
    """Return a file that holds these words."""
    return io.BytesIO(words.encode())


def archive():
    """Return a zip of many files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for place in range(2000):
            file.writestr(f"file{place}", "1")
    packed.seek(0)
    return packed


CALLS = {
    "processors of a header": lambda: flat("9" * 5000),
    "processors": lambda: flat(-(10**300)),
    "format": lambda: traces.read_jobs("x", LONG),
    "source": lambda: traces.read_jobs(MANY),
    "dialect": lambda: traces.read_swf("x", dialect=LONG),
    "member": lambda: traces.read_swf(io.BytesIO(b"1"), member=LONG),
    "members": lambda: traces.read_swf(archive(), member="y"),
    "name of a log": lambda: traces.entry(LONG),
    "path of a log": lambda: traces.locate(f"/{LONG}"),
    "delimiter": lambda: traces.read_failures("x", "csv", delimiter=LONG),
    "since": lambda: traces.read_failures(io.StringIO("time\n1\n"), "csv", since=LONG),
    "until": lambda: traces.read_failures(io.StringIO("time\n1\n"), "csv", until=MANY),
    "failures": lambda: traces.uptimes({"x": MANY}),
    "columns": lambda: Workload.from_frame(pd.DataFrame(columns=range(3000))),
    "number": lambda: number("x", MANY),
    "whole": lambda: whole("x", -(10**300)),
    "flag": lambda: flag("x", MANY),
    "choice": lambda: one_of("x", LONG, ("a", "b")),
    "numbers": lambda: numbers("x", MANY),
    "ragged numbers": lambda: numbers("x", [[1.0] * 2000, [2.0]]),
    "rng": lambda: generator("rng", MANY),
    "mean of a law": lambda: Exponential(LONG),
    "probabilities": lambda: HyperExponential([0.1] * 3000, [1.0] * 3000),
    "uptime": lambda: simulate_makespans(1.0, uptime=MANY, **JOB),
    "downtime": lambda: simulate_makespans(1.0, uptime=Exponential(1.0), downtime=LONG, **JOB),
    "column of jobs": lambda: Workload(LONG, [1.0], [1.0], [1]),
    "columns of jobs": lambda: Workload(MANY, [1.0], [1.0], [1]),
    "column of failures": lambda: Failures(time=MANY, node=[0], repair=[1.0]),
    "seed": lambda: stream(LONG),
    "rows": lambda: regular(LONG, 1),
    "queue": lambda: ClusterSpec("a", 1, queues={LONG: -1.0}),
    "queue of a file": lambda: read_grid(text(f'{CLUSTER}queues = {{ {LONG} = "no" }}')),
    "machines of a file": lambda: read_grid(text(f'[[cluster]]\nname = "a"\nmachines = "{LONG}"')),
    "partition": lambda: PartitionTable.from_cobalt(text(f"<P><Partition name='{LONG}'/></P>")),
    "clusters": lambda: Grid((ClusterSpec(LONG, 1), ClusterSpec(LONG, 1))),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_refusal_of_a_long_value_is_short(call):
    with pytest.raises((ValueError, TypeError), match=r" must (be|have) ") as refused:
        call()
    assert len(str(refused.value)) < 1000
