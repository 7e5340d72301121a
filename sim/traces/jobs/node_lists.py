"""Lists of nodes as Slurm writes them, ``n[1-3,7],gpu01``."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[^\[\],\s]*+(?:\[[^\[\]]*+\][^\[\],\s]*+)*+")
_BRACKETS = re.compile(r"\[([^\[\]]*+)\]")
_NOBODY = frozenset({"", "None assigned", "None", "(null)", "Unknown", "N/A", "nan"})
_MOST = 10**9


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
    total, place = 0, 0
    while True:
        found = _PIECE.match(text, place)
        if found is None or found.end() == place:
            return None
        count = _of_piece(found[0])
        if count is None or total > _MOST:
            return None
        total += count
        place = found.end()
        if place == len(text):
            return total
        if text[place] != ",":
            return None
        place += 1


def _of_piece(piece: str) -> int | None:
    count = 1
    for ranges in _BRACKETS.findall(piece):
        among = [_of_range(part) for part in ranges.split(",")]
        if any(number is None for number in among):
            return None
        count *= sum(number for number in among if number is not None)
        if count > _MOST:
            return None
    return count


def _of_range(part: str) -> int | None:
    low, dash, high = part.partition("-")
    if not low.isdecimal() or len(low) > 9 or (dash and (not high.isdecimal() or len(high) > 9)):
        return None
    count = int(high) - int(low) + 1 if dash else 1
    return count if count > 0 else None
