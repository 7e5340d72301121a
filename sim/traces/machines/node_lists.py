"""Lists of nodes as Slurm writes them, ``n[1-3,7],gpu01``, and as people do, ``n1; n2``."""

from __future__ import annotations

import re
from itertools import product

_PIECE = re.compile(r"[^\[\],\s]*+(?:\[[^\[\]]*+\][^\[\],\s]*+)*+")
_BRACKETS = re.compile(r"\[([^\[\]]*+)\]")
_NOBODY = frozenset({"", "None assigned", "None", "(null)", "Unknown", "N/A", "nan"})
_MOST = 10**9
_NAMED = 1_000_000  # nodes whose names are wanted
# Names apart, and the first and the last of a row: n01-n16, n01 to n16.
_BETWEEN = re.compile(r"\s*[,;+&]\s*|\s+and\s+|\s+und\s+|\s+")
_FROM_TO = re.compile(r"(\D+)([0-9]{1,9})\s*(?:-|\u2013|\.\.|\bto\b|\bbis\b)\s*\1([0-9]{1,9})")
_SINGLE = re.compile(r"[A-Za-z][\w.-]*[0-9][\w.-]*")


def nodes_in(text: str) -> int | None:
    """Return how many nodes a list names; None for no list, or one that is not well formed.

    Examples
    --------
    >>> nodes_in("n[1-3,7],gpu01"), nodes_in("r[1-2]n[01-16]"), nodes_in("None assigned")
    (5, 32, None)
    """
    text = text.strip()
    if text in _NOBODY:
        return None
    pieces = _pieces(text)
    total = 0
    for piece in pieces or ():
        count = 1
        for ranges in _BRACKETS.findall(piece):
            among = [_of_range(part) for part in ranges.split(",")]
            if None in among:
                return None
            count *= sum(len(numbers) for numbers in among if numbers is not None)
            if count > _MOST:
                return None
        total += count
        if total > _MOST:
            return None
    return total or None


def names_in(text: str) -> list[str] | None:
    """Return the names of several nodes that stand in one field; None if it names one.

    Raises
    ------
    ValueError
        If it names more than a million.

    Examples
    --------
    >>> names_in("n[08-10],gpu1"), names_in("n1; n2"), names_in("n08 to n10")
    (['n08', 'n09', 'n10', 'gpu1'], ['n1', 'n2'], ['n08', 'n09', 'n10'])
    >>> names_in("n1"), names_in("rack1, unit7"), names_in("chassis1-2")
    (None, None, None)
    """
    text = text.strip()
    if text.isalnum():
        return None  # as most are, which is soon seen
    if found := _FROM_TO.fullmatch(text):
        text = f"{found[1].strip()}[{found[2]}-{found[3]}]"
    if "[" not in text:
        names = _BETWEEN.split(text)
        alike = {re.sub("[0-9]+", "", name) for name in names}
        listed = len(names) > 1 and len(alike) == 1 and all(map(_SINGLE.fullmatch, names))
        return names if listed else None
    count = nodes_in(text)
    if count is None:
        return None
    if count > _NAMED:
        raise ValueError(f"a list must name at most {_NAMED:,} nodes, got {text[:60]!r}")
    return [name for piece in _pieces(text) or () for name in _spelt(piece)]


def _spelt(piece: str) -> list[str]:
    """Return the names that a piece stands for, numbers as wide as the first of their range."""
    parts = _BRACKETS.split(piece)
    for place in range(1, len(parts), 2):
        parts[place] = parts[place].strip()
    among = [
        [part]
        if place % 2 == 0
        else [
            str(number).zfill(len(each.partition("-")[0]))
            for each in part.split(",")
            for number in _of_range(each) or ()
        ]
        for place, part in enumerate(parts)
    ]
    return ["".join(name) for name in product(*among)]


def _pieces(text: str) -> list[str] | None:
    """Return what commas outside brackets separate, None if it is no list."""
    pieces, place = [], 0
    while True:
        found = _PIECE.match(text, place)
        if found is None or found.end() == place:
            return None
        pieces.append(found[0])
        place = found.end()
        if place == len(text):
            return pieces
        if text[place] != ",":
            return None
        place += 1


def _of_range(part: str) -> range | None:
    low, dash, high = part.partition("-")
    if not low.isdecimal() or len(low) > 9 or (dash and (not high.isdecimal() or len(high) > 9)):
        return None
    found = range(int(low), int(high if dash else low) + 1)
    return found or None
