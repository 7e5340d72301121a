"""The records of a JSON file, each with its line: whatever stands around them."""

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

__all__ = ["JsonRecords", "json_number", "json_records"]

_BEGIN = re.compile(r"^[ \t]*+[\[{]", re.MULTILINE)
_OBJECT = re.compile(r"\{")
_TRIES = 1_000  # objects within a broken record


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
    if isinstance(value, str):
        return finite(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


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
    """Return a whole number; one too long to be a count or a time becomes a float."""
    return int(digits) if len(digits) <= 18 else float(digits)
