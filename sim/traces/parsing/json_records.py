"""The records of a JSON file, each with its line: whatever stands around them, or of one list."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .encoding import utf8_text
from .numbers import finite
from .report import Findings
from .sources import Content

_BEGIN = re.compile(r"^[ \t]*+[\[{]", re.MULTILINE)
_OBJECT = re.compile(r"\{")
_TRIES = 1_000  # objects within a broken record
# Where another record may begin, to continue after one that is broken.
_NEXT = re.compile(r"[,}]\s*+(?=\{)")
_KEY = re.compile(r'"([A-Za-z_][A-Za-z0-9_ .-]{0,60})"\s*+:')
_KEYS = 100  # that are looked at


@dataclass(frozen=True, slots=True)
class JsonRecords:
    """Records with their lines, what else a file says, and how many there are, with broken ones."""

    found: list[tuple[int, Any]]
    about: dict[str, Any]
    count: int

    def __iter__(self) -> Iterator[Any]:
        yield self.found
        yield self.about


def json_records(
    content: Content, key: str, findings: Findings, *, marks: tuple[str, ...] = ()
) -> JsonRecords:
    """Return the records of a file.

    They are the elements of the list under `key` of an object, those of a list, or objects that
    follow each other, a line each; several such files may have been joined. What is not JSON is
    dropped (`bad-json`): up to the next record, an object with all members of `marks`.
    """
    content.hold_json()
    text = utf8_text(content.data, findings).decode("utf-8", "replace")
    reader = _Reader(text, key, marks, findings)
    try:
        reader.skip_to_json()
        while reader.more(","):
            reader.document()
    except (ValueError, RecursionError) as error:
        reader.drop(error, "from here on")
    return JsonRecords(reader.found, reader.about, len(reader.found) + reader.broken)


def json_number(value: Any) -> float | None:
    """Return a number: plain, as text, or of ``{"set": true, "number": 7}``; None without one.

    Examples
    --------
    >>> json_number(7), json_number("7"), json_number({"set": True, "number": 7})
    (7.0, 7.0, 7.0)
    >>> json_number({"set": True, "infinite": True, "number": 0}), json_number(True)
    (None, None)
    """
    if isinstance(value, dict):
        if value.get("infinite") is True or value.get("set") is False:
            return None
        value = value.get("number")
    return finite(value) if isinstance(value, str) else plain_number(value)


def plain_number(value: Any) -> float | None:
    """Return a number that is finite, and no text."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known and math.isfinite(value) else None


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


class _Reader:
    """A place in a text, its line, and what was found before it."""

    def __init__(self, text: str, key: str, marks: tuple[str, ...], findings: Findings) -> None:
        self._text, self._key, self._marks, self._findings = text, key, marks, findings
        self._place = self.broken = 0
        self._decoder = json.JSONDecoder(parse_int=_figures)
        self.line = 1
        self.found: list[tuple[int, Any]] = []
        self.about: dict[str, Any] = {}

    def skip_to_json(self) -> None:
        """Pass lines of another kind, such as what a command wrote to standard error."""
        found = _BEGIN.search(self._text)
        if found is not None and self._text[: found.start()].strip():
            line = self._text.lstrip()[:60].partition("\n")[0]
            self._findings.add("noted", 1, "before-json", f"not JSON: {line!r}")
            self._go(found.start())

    def more(self, between: str = "") -> bool:
        """Go to what is neither blank nor `between`; False at the end."""
        text, place, passed = self._text, self._place, " \t\r\n" + between
        while place < len(text) and text[place] in passed:
            place += 1
        self._go(place)
        return place < len(text)

    def document(self) -> None:
        """Find the records of what begins here."""
        if self._at("["):
            self._list()
            return
        line, members, listed = self.line, dict[str, Any](), False
        self._step("{")
        while self.more(",") and not self._at("}"):
            name = self._value()
            self.more()
            self._step(":")
            self.more()
            if name == self._key and self._at("["):
                listed = True
                self.about.update(members)
                self._list()
            else:
                members[str(name)] = self._value()
            if listed:
                self.about.update(members)
        self._step("}")
        if not listed:
            self.found.append((line, members))

    def _list(self) -> None:
        self._step("[")
        while self.more(",") and not self._at("]"):
            try:
                self.found.append((self.line, self._value()))
            except (ValueError, RecursionError) as error:
                following = self._next_record(getattr(error, "pos", self._place))
                if following is None:
                    raise
                self.drop(error, "up to the next record")
                self._go(following)
        self._step("]")

    def drop(self, error: Exception, up_to: str) -> None:
        """Report what is not JSON."""
        words = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
        self._findings.add("dropped", self.line, "bad-json", f"not JSON {up_to}: {words}")
        self.broken += 1

    def _next_record(self, place: int) -> int | None:
        """Return where the next record begins after a place where the text is broken."""
        for tried, found in enumerate(_OBJECT.finditer(self._text, place)):
            if tried == _TRIES or not self._marks:
                break
            try:
                value, _ = self._decoder.raw_decode(self._text, found.start())
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict) and value.keys() >= set(self._marks):
                return found.start()
        return None

    def _value(self) -> Any:
        value, end = self._decoder.raw_decode(self._text, self._place)
        self._go(end)
        return value

    def _at(self, mark: str) -> bool:
        return self._text.startswith(mark, self._place)

    def _step(self, mark: str) -> None:
        if not self._at(mark):
            raise json.JSONDecodeError(f"no {mark!r}", self._text, self._place)
        self._go(self._place + 1)

    def _go(self, place: int) -> None:
        self.line += self._text.count("\n", self._place, place)
        self._place = place


def _figures(digits: str) -> int | float:
    """Return a whole number; one too long to be a count, a time or a node becomes a float."""
    return int(digits) if len(digits) <= 18 else float(digits)
