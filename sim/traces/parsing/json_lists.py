"""The elements of a list in JSON, each with its line; what is broken spoils one element only."""

from __future__ import annotations

import json
import re
from typing import Any

from .report import Findings
from .sources import Content

__all__ = ["json_keys", "json_list"]

# Where another record may begin, to continue after one that is broken.
_NEXT = re.compile(r"[,}]\s*+(?=\{)")
_KEY = re.compile(r'"([A-Za-z_][A-Za-z0-9_ .-]{0,60})"\s*+:')
_KEYS = 100  # that are looked at


def json_keys(text: str) -> tuple[str, ...]:
    """Return the first keys of the objects in a text, at any depth, in order.

    Examples
    --------
    >>> json_keys('[{"node": "n7", "at": {"day": 3}}, {"node": "n8"}')
    ('node', 'at', 'day')
    """
    found: dict[str, None] = {}
    for key in _KEY.finditer(text):
        found[key[1]] = None
        if len(found) == _KEYS:
            break
    return tuple(found)


def json_list(
    content: Content, findings: Findings, *, key: str | None = None
) -> list[tuple[int, Any]]:
    """Return (line, element) of a list, as far as it is JSON.

    The list is all of the file or, in a file that is an object, what stands under the first `key`.
    Dropped as `bad-json`: what is not JSON, up to the next element that is an object, and what
    stands outside of the list.
    """
    content.hold_json()
    text = content.data.decode("utf-8-sig", "replace")
    decoder = json.JSONDecoder(parse_int=_figures)
    found: list[tuple[int, Any]] = []
    place, within = _begin(text, key)
    line = 1 + text.count("\n", 0, place)
    if text[place : place + 1] == "[":
        place += 1
    elif place < len(text):
        begins = "the file does not begin with a list"
        reason = begins if key is None else f"{begins}, and has none under {key!r}"
        findings.add("dropped", line, "bad-json", reason)
        if key is not None:
            return found
    while True:
        start = place
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        line += text.count("\n", start, place)
        if place == len(text):
            if text.strip() and (within or not text.rstrip().endswith("]")):
                findings.add("dropped", line, "bad-json", "the list does not end")
            return found
        if text[place] == "]":
            if not within and text[place + 1 :].strip():
                reason = "the list has ended; what follows is left out"
                findings.add("dropped", line, "bad-json", reason)
            return found
        try:
            entry, end = decoder.raw_decode(text, place)
        except (json.JSONDecodeError, RecursionError) as error:
            broken = error.pos if isinstance(error, json.JSONDecodeError) else place
            words = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            following = _NEXT.search(text, broken)
            where = line + text.count("\n", place, broken)
            rest = "from here on" if following is None else "up to the next record"
            findings.add("dropped", where, "bad-json", f"not JSON {rest}: {words}")
            if following is None:
                return found
            end = following.end()
        else:
            found.append((line, entry))
        line += text.count("\n", place, end)
        place = end


def _begin(text: str, key: str | None) -> tuple[int, bool]:
    """Return where the list should begin, and whether that is within an object."""
    start = len(text) - len(text.lstrip())
    if key is None or text[start : start + 1] != "{":
        return start, False
    inner = re.compile(rf'"{key}"\s*+:\s*+(?=\[)').search(text, start)
    return (start, False) if inner is None else (inner.end(), True)


def _figures(digits: str) -> int | float:
    """Return a whole number; one too long to be an event or a node becomes a float."""
    return int(digits) if len(digits) <= 18 else float(digits)
