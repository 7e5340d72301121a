"""What is fuzzed: each target takes any bytes, and raises nothing but what is documented.

`python -m tests.fuzz` runs them with bytes that lead to new branches.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from perfmodel import read_scenario, units
from perfmodel.advisor import CheckpointAdvisor
from sim.cluster.order.expression import parse_expression
from sim.traces import Limited, Limits
from sim.traces.parsing import Findings, open_source, read_toml, text_lines
from tests.sim.traces import test_mutated_files as files

__all__ = ["TARGETS", "Target"]

_FEW = 1_000  # characters of a message
_ADVISOR = ("settings", "prior", "memory")


@dataclass(frozen=True, slots=True)
class Target:
    """A function of bytes that must not raise, and bytes from which a search can begin."""

    run: Callable[[bytes], object]
    seeds: tuple[bytes, ...]


def _refusing(read: Callable[[bytes], object], *, words: str = "") -> Callable[[bytes], object]:
    """Return what reads, and takes a short ValueError with these words for an answer."""

    def run(data: bytes) -> None:
        refusal = None
        try:
            read(data)
        except ValueError as error:
            refusal = str(error)
        if refusal is not None:
            assert re.search(words, refusal), refusal
            assert len(refusal) < _FEW, refusal

    return run


def _file(name: str) -> Callable[[bytes], object]:
    """Return a reader of files whose refusals say what must be, or which line it is."""
    return _refusing(lambda data: files.read(name, data), words=r"must |^line \d+: ")


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return _refusing(lambda data: read(data.decode("utf-8", "replace")))


def _scenario(data: bytes) -> object:
    return read_scenario(read_toml(io.BytesIO(data))[1])


def _packed(data: bytes) -> None:
    """Open what may be an archive or a table, with limits that a small one can pass."""
    limits = Limits(max_bytes=100_000, max_lines=1_000, max_memory=1_000_000)
    findings = Findings()
    content = open_source(Limited(io.BytesIO(data), limits), findings)
    assert len(content.data) <= limits.max_bytes
    text_lines(content, findings)


def _zipped(method: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("a", b"1,2\n" * 90)
    return target.getvalue()


def _state(data: bytes) -> None:
    """Load a state whose checksum is right, whatever it holds; another would end the search."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        path.write_bytes(_signed(data))
        advisor = CheckpointAdvisor.load(path)
        advisor.save(path)
        assert CheckpointAdvisor.load(path).memory == advisor.memory


def _signed(data: bytes) -> bytes:
    try:
        whole = json.loads(data)
        body = json.dumps({name: whole[name] for name in _ADVISOR}, sort_keys=True)
        whole["sha256"] = hashlib.sha256(body.encode()).hexdigest()
        return json.dumps(whole).encode()
    except (ValueError, TypeError, KeyError, RecursionError):
        return data


def _saved() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        advisor = CheckpointAdvisor(cost=120.0)
        advisor.started(0.0)
        advisor.save(path)
        return path.read_bytes()


_SCENARIOS = Path(__file__).parents[2] / "docs" / "scenarios"
_METHODS = (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_DURATIONS = (b"30min", b"2d12h", b"1.5 h", b"1e400s", b"5y")

TARGETS: dict[str, Target] = {
    **{f"log-{name}": Target(_file(name), (text.encode(),)) for name, text in files.TEXTS.items()},
    "seconds": Target(_text(units.seconds), _DURATIONS),
    "byte_count": Target(_text(units.byte_count), (b"12TB", b"1.2TiB")),
    "bytes_per_second": Target(_text(units.bytes_per_second), (b"400GB/s", b"1.2 TiB/min")),
    "failures_per_node_second": Target(
        _text(units.failures_per_node_second), (b"6.5/1000node-days", b"1/node-h")
    ),
    "watts": Target(_text(units.watts), (b"700W", b"1.2kW")),
    "share": Target(_text(units.share), (b"1%", b"0.01")),
    "expression": Target(
        _text(parse_expression),
        (
            *(b"(wait/walltime)**3*nodes", b"-1e9+nodes"),
            b"where(user == 3, max(wait, 1, queue), sqrt(log2(nodes)) > abs(time))",
        ),
    ),
    "scenario": Target(
        _refusing(_scenario), tuple(path.read_bytes() for path in sorted(_SCENARIOS.glob("*.toml")))
    ),
    "archive": Target(
        _refusing(_packed, words="must "), (*map(_zipped, _METHODS), gzip.compress(b"1,2\n"))
    ),
    "advisor-state": Target(_refusing(_state), (_saved(),)),
}
