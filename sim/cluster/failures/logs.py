"""Build the feed of one machine from a failure log: match its clock and its names of nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..._checks import shown
from ...records import IntArray
from .feed import Failures

if TYPE_CHECKING:
    import pandas as pd

_REMEDY = "give their names in the order of the machine (--node-names FILE, one a line)"
_UNKNOWN = frozenset({"", "-1", -1, None})


def failures_from_frame(
    frame: pd.DataFrame,
    *,
    nodes: int,
    names: Sequence[str] = (),
    origin: float = 0.0,
    unknown_repair: float = 1200.0,
) -> tuple[Failures, dict[str, int]]:
    """Build the feed of a machine from a table of `sim.traces`.

    Parameters
    ----------
    frame : DataFrame
        Columns ``time`` [s], ``node`` and ``repair`` [s], nan where it is unknown.
    nodes : int
        Nodes of the machine.
    names : sequence of str
        Their names, in order, where the log may call a part of a node (``R00-M0-N04`` of
        ``R00-M0``); of several systems ``system/name`` counts first. Without names, whole numbers
        are nodes counted from 0, and other labels the nodes of the number that they end in, if
        all are below `nodes`, no two are one and none is a fraction. Empty and -1 are unknown.
    origin : float, [s]
        Time of the log at which the clock of the submissions starts.
    unknown_repair : float, [s]
        Repair time where the log has none.

    Returns
    -------
    tuple of Failures and dict
        The feed, and rule -> count: ``unknown_node`` (left out), ``unknown_repair`` (set).

    Raises
    ------
    ValueError
        If the labels are not numbers of nodes and there are no names, or names that do not identify
        the nodes of several systems apart.
    """
    node = _nodes(frame, nodes, names)
    known = node >= 0
    repair = frame["repair"].to_numpy(dtype=np.float64)
    missing = np.isnan(repair) & known
    counts = {"unknown_node": int(np.sum(~known)), "unknown_repair": int(np.sum(missing))}
    feed = Failures(
        time=frame["time"].to_numpy(dtype=np.float64)[known] - origin,
        node=node[known],
        repair=np.where(missing, unknown_repair, repair)[known],
    )
    return feed, {rule: count for rule, count in counts.items() if count}


def mapping_in_words(frame: pd.DataFrame, *, nodes: int, names: Sequence[str] = ()) -> str:
    """Return in words how `failures_from_frame` mapped labels to nodes; empty for numbers."""
    number = _nodes(frame, nodes, names)
    labels = _labels(frame)
    known = sorted({(int(n), label) for n, label in zip(number, labels, strict=True) if n >= 0})
    if not known or (not names and _are_numbers(frame)):
        return ""
    (first, first_label), (last, last_label) = known[0], known[-1]
    how = "by the list of names" if names else "by the numbers that names end in"
    count = len({label for _, label in known})
    if count == 1:
        return f"nodes {how}: {first_label} is node {first} (1 name, nodes counted from 0)"
    return (
        f"nodes {how}: {first_label} is node {first}, {last_label} is node {last} "
        f"({count:,} names, nodes counted from 0)"
    )


def _nodes(frame: pd.DataFrame, nodes: int, names: Sequence[str]) -> IntArray:
    if names:
        return _named(frame, names)
    return _whole(frame, nodes) if _are_numbers(frame) else _numbered(frame, nodes)


def _labels(frame: pd.DataFrame) -> list[str]:
    """Return the names of nodes as text, empty where they are unknown."""
    return [_text(label) for label in frame["node"].tolist()]


def _text(label: object) -> str:
    if isinstance(label, float):
        if math.isnan(label):
            return ""
        label = int(label) if label.is_integer() else label
    return "" if label in _UNKNOWN else str(label)


def _systems(frame: pd.DataFrame) -> list[str]:
    """Return the system of each failure where there are several, else nothing for each."""
    if "system" not in frame.columns or frame["system"].nunique() < 2:
        return [""] * len(frame)
    return [str(system) for system in frame["system"].tolist()]


def _are_numbers(frame: pd.DataFrame) -> bool:
    return frame["node"].dtype.kind in "iu"


def _named(frame: pd.DataFrame, names: Sequence[str]) -> IntArray:
    place = {name: index for index, name in enumerate(names)}
    if len(place) < len(names):
        raise ValueError(f"names must be different, got {len(names) - len(place)} of them again")
    width = max(map(len, names))
    found: dict[tuple[str, str], int] = {}
    bare: dict[int, str] = {}
    for system, label in zip(_systems(frame), _labels(frame), strict=True):
        if (system, label) in found:
            continue
        node = _find(f"{system}/{label}", place, width) if system else -1
        if node < 0:
            node = _find(label, place, width)
            if node >= 0 and bare.setdefault(node, system) != system:
                raise ValueError(
                    "names must say system/name where two systems have the same, "
                    f"got {shown(label)} in {shown(bare[node])} and {shown(system)}"
                )
        found[system, label] = node
    pairs = zip(_systems(frame), _labels(frame), strict=True)
    return np.array([found[pair] for pair in pairs], dtype=np.int64)


def _find(label: str, place: dict[str, int], width: int) -> int:
    """Return the node whose name `label` is, or begins with at the end of a word; else -1."""
    for end in range(min(width, len(label)), 0, -1):
        if label[:end] in place and not label[end : end + 1].isalnum():
            return place[label[:end]]
    return -1


def _whole(frame: pd.DataFrame, nodes: int) -> IntArray:
    """Take whole numbers as they are."""
    labels: IntArray = frame["node"].to_numpy(dtype=np.int64)
    systems = sorted(set(_systems(frame)))
    if len(systems) > 1:
        raise ValueError(
            f"node numbers must be of one system, got {len(systems)} ({', '.join(systems)[:60]}); "
            f"leave the others out of the log, or {_REMEDY} as system/number"
        )
    outside = labels[(labels < -1) | (labels >= nodes)]
    if outside.size:
        raise ValueError(
            f"node numbers must be below the {nodes:,} of the machine, counted from 0, got "
            f"{int(outside[0])}; {_REMEDY}"
        )
    return labels


def _is_fraction(label: str) -> bool:
    """Return whether a label is a number that counts nothing: 1.5, 0,5, 1e5, -7."""
    try:
        float(label.replace(",", "."))
    except ValueError:
        return False
    return not label.isdecimal() and "_" not in label


def _numbered(frame: pd.DataFrame, nodes: int) -> IntArray:
    """Take names for the nodes whose numbers they end in, if that is beyond doubt."""
    found: dict[tuple[str, str], int] = {}
    owner: dict[int, tuple[str, str]] = {}
    pairs = list(zip(_systems(frame), _labels(frame), strict=True))
    for pair in pairs:
        _, label = pair
        if pair in found or not label:
            found[pair] = found.get(pair, -1)
            continue
        digits = label[len(label.rstrip("0123456789")) :]
        number = int(digits) if 0 < len(digits) <= 18 and not _is_fraction(label) else -1
        fits = 0 <= number < nodes
        if not fits or owner.setdefault(number, pair) != pair:
            got = " and ".join(_shown(name) for name in ([pair, owner[number]] if fits else [pair]))
            raise ValueError(
                f"node names must end in numbers of their own below the {nodes:,} nodes of the "
                f"machine, got {got}; {_REMEDY}"
            )
        found[pair] = number
    return np.array([found[pair] for pair in pairs], dtype=np.int64)


def _shown(name: tuple[str, str]) -> str:
    system, label = name
    return repr(f"{system}/{label}" if system else label)[:60]
