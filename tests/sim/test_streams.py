"""What a run draws, each thing from a stream of its own."""

import ast
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import sim
from sim import streams
from sim.streams import stream

NAMED = {name: getattr(streams, name) for name in streams.__all__ if name.isupper()}
ROOT = Path(sim.__file__).parents[1]


def test_no_two_things_share_a_stream():
    keys = [*NAMED.values(), (), *((k,) for k in range(9)), (*streams.FALSE_ALARMS, 3)]
    first = [stream(5, *key).random() for key in keys]
    assert len(set(first)) == len(keys)


@pytest.mark.parametrize(("one", "other"), list(combinations([*NAMED, "node 0"], 2)))
def test_streams_of_one_seed_are_not_correlated(one, other):
    a, b = (stream(1, *NAMED.get(name, (0,))).random(4_000) for name in (one, other))
    assert abs(np.corrcoef(a, b)[0, 1]) < 5.0 / np.sqrt(4_000)


def test_named_things_are_asked_for_by_their_names():
    for folder in ("sim", "perfmodel"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            for node in ast.walk(ast.parse(text)) if "stream(" in text else ():
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "stream":
                    literal = any(isinstance(key, ast.Constant) for key in node.args[1:])
                    assert not literal, f"{path}:{node.lineno}: see sim/streams.py"
