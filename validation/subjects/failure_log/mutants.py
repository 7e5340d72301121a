"""Wrong readings of the names in a failure log: each maps a name to a wrong node."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.cluster.failures import failures_from_frame
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _in_sorted_order(frame: Any, *, nodes: int, names: Any = (), **options: Any) -> Any:
    del names
    found = sorted(set(frame["node"]))
    place = {name: index for index, name in enumerate(found)}
    numbers = np.array([place[name] for name in frame["node"]], dtype=np.int64)
    return failures_from_frame(frame.assign(node=numbers), nodes=nodes, **options)


def _list_sorted(frame: Any, *, nodes: int, names: Any = (), **options: Any) -> Any:
    return failures_from_frame(frame, nodes=nodes, names=tuple(sorted(names)), **options)


def _list_left_out(frame: Any, *, nodes: int, names: Any = (), **options: Any) -> Any:
    del names
    return failures_from_frame(frame, nodes=nodes, **options)


def _from_one(frame: Any, *, nodes: int, **options: Any) -> Any:
    feed, counts = failures_from_frame(frame, nodes=nodes, **options)
    return type(feed)(feed.time, np.maximum(feed.node - 1, 0), feed.repair), counts


MUTANTS = (
    Mutant(failures_from_frame, "names numbered in sorted order", _in_sorted_order),
    Mutant(failures_from_frame, "the list of names sorted first", _list_sorted),
    Mutant(failures_from_frame, "numbers in names before the list", _list_left_out),
    Mutant(failures_from_frame, "nodes counted from one", _from_one),
)
