"""Files with a few characters changed: nothing leaves a reader but rows, a report, a ValueError.

And whatever a row holds is within its domain, or a line of the report says that it is not.
"""

import bz2
import gzip
import io
import lzma
import random
import re

import numpy as np
import pytest

from sim.cluster.bluegene import PartitionTable
from sim.cluster.grid import read_grid
from sim.traces import FAILURE_FORMATS, read_lifetimes, read_node_names

from .test_formats import JOB_SAMPLES, SAMPLES, reader

GRID = """[[cluster]]
name = "a"
machines = 2
processors_per_machine = [4, 8]
speed = 2.5
properties = ["xeon"]
queues = { short = "2h", long = 86400 }
time_limit = "30d"
"""
XML = """<BG><Partition name='A'><NodeCard id='R00-M0-N00'/><Switch id='S1'/><Wire id='W1'/>
</Partition><Partition name='B'><NodeCard id='R00-M1-N00'/></Partition></BG>
"""
OPERATOR = """Date,Hardware Identifier,What Failed,Up
11/29/2003 7:00,node12,Disk,11/29/2003 9:00
1/2/2004 19:05,node7,"Memory, all",
"""
LIVES = """hours,slot,status
10,1,failed
20.5,2,running
4h 9m,3,failed
"""
OTHERS = {
    "lifetimes": (read_lifetimes, LIVES),
    "toml": (read_grid, GRID),
    "xml": (PartitionTable.from_cobalt, XML),
    "names": (read_node_names, "nid1\nnid2\n"),
}
TEXTS = {**SAMPLES, "operator": OPERATOR, **{name: text for name, (_, text) in OTHERS.items()}}
WORDS = (
    *("", "x", "-", "-1", "-7", "0", "0.5", "1e999", "nan", "inf", "1e30", "1_0", "+5", "-0"),
    *("9" * 20, "9" * 400, "9" * 5_000, "9007199254740993", "\x00", '"', "'", "é", "²", "٣"),
    *(",", "|", "\t", "\n", "\r", ";", "#", "=", "{", "}", "[", "]", "[" * 3_000, "null", "true"),
    *("80\x1c", "\u2028", "\xa0", "NULL", "1/1/1200 0:00", "1/1/2500 3:00", "29/11/2003"),
    *("0/0/0 0:00", "1969-12-31T23:59:59", "9999-12-31T23:59:59", "99999-23:59:59"),
)
PACKERS = (bytes, bytes, bytes, bytes, gzip.compress, lzma.compress, bz2.compress)


def mutated(text, rng):
    """Change one to four words or characters, or the end."""
    for _ in range(rng.randint(1, 4)):
        words = list(re.finditer(r"[^\s|,]+|[\s|,]", text)) or [re.match("", text)]
        start, end = rng.choice(words).span()
        kind = rng.randrange(10)
        if kind < 5:
            text = text[:start] + rng.choice(WORDS) + text[end:]
        elif kind < 7:
            text = text[:start] + rng.choice(WORDS) + text[start:]
        elif kind < 8:
            text = text[:start] + chr(rng.randrange(rng.choice([32, 256, 0x3000]))) + text[end:]
        elif kind < 9:
            text = text[:start] + text[start + rng.randint(1, 5) :]
        else:
            text = text[: rng.randint(0, len(text))]
    data = text.encode(rng.choice(["utf-8", "latin-1"]), "replace")
    packed = bytearray(rng.choice(PACKERS)(data))
    if packed and not packed.startswith(data[:1] or b"\0"):  # that is, packed: damage some, too
        for _ in range(rng.randrange(3)):
            packed[rng.randrange(len(packed))] = rng.randrange(256)
    return bytes(packed)


def read(name, data):
    """Read, and check what came: within its domain, or reported."""
    if name in OTHERS:
        OTHERS[name][0](io.BytesIO(data))
        return
    trace = reader("csv" if name == "operator" else name)(io.BytesIO(data))
    frame, report = trace
    assert report.rows == len(frame)
    assert all(problem.line >= 1 and len(problem.reason) < 250 for problem in report.problems)
    if name in FAILURE_FORMATS or name == "operator":
        assert np.isfinite(frame["time"]).all()
        assert not (frame["repair"] < 0.0).any()
        if frame["node"].dtype.kind == "i":
            assert (frame["node"] >= -1).all()
    if name == "mira-ras":
        assert not ((frame["similarity"] < 0.0) | (frame["similarity"] > 1.0)).any()
        assert (frame["last_time"] >= frame["time"]).all()
    if name == "machines":
        assert (frame[["nodes", "cpus", "speed"]] >= 1).all(axis=None)
        assert (frame["memory"] >= 0).all()
    if name in JOB_SAMPLES:
        numbers = frame[["wait", "runtime", "processors", "walltime", "memory"]]
        assert ((numbers >= 0) | (numbers == -1)).all(axis=None)


def look(name, seed):
    refusal = ""
    try:
        read(name, mutated(TEXTS[name], random.Random(seed)))
    except ValueError as error:
        refusal = str(error)
    assert not refusal or re.search(r"must |^line \d+: ", refusal)
    assert len(refusal) < 1_000


@pytest.mark.few(12)
@pytest.mark.parametrize("name", TEXTS)
def test_a_few_changes_make_no_reader_stumble(name):
    for seed in range(40):
        look(name, f"{name} {seed}")


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_ten_thousand_changes_make_no_reader_stumble(name):
    for seed in range(40, 40 + 10_000 // len(TEXTS)):
        look(name, f"{name} {seed}")
