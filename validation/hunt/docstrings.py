"""The ranges and units of arguments and results, parsed from docstrings.

The search draws from the documented range itself, not from a second list: if a docstring says
">= 0", it draws zero, if it says "inf", it draws inf.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

__all__ = ["Argument", "Result", "arguments_of", "result_of", "unit_of"]

Unit = Mapping[str, int]

_SECTION = re.compile(r"^(\w+)\n-{3,}$", flags=re.MULTILINE)
_ENTRY = re.compile(r"^(\w[\w, ]*) : (.*)\n((?:[ ]+.*\n?|\n)*)", flags=re.MULTILINE)
_LOWER = re.compile(r"(>=?) (-?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as its docstring describes it.

    Parameters
    ----------
    name, kind, text : str
        The name, the text after the colon, and the description.
    unit : mapping of str to int
        Exponents of the base units; empty for a pure number.
    least, most : float
        Ends of the range of a number.
    open_below, open_above : bool
        Whether the ends themselves are left out.
    whole : bool
        Whether only whole numbers are meant.
    infinite : bool
        Whether the description says that inf may be given.
    """

    name: str
    kind: str
    text: str
    unit: Unit = field(default_factory=dict)
    least: float = float("-inf")
    most: float = float("inf")
    open_below: bool = False
    open_above: bool = False
    whole: bool = False
    infinite: bool = False

    @property
    def optional(self) -> bool:
        """Whether it may be None."""
        return "optional" in self.kind or "or None" in self.kind

    @property
    def takes_arrays(self) -> bool:
        """Whether it may be an array instead of a number."""
        return "array_like" in self.kind

    @property
    def takes_laws(self) -> bool:
        """Whether it may be a law of durations instead of a number."""
        return "Lifetime" in self.kind

    @property
    def takes_numbers(self) -> bool:
        """Whether it may be a number."""
        return self.takes_arrays or "float" in self.kind

    @property
    def is_list(self) -> bool:
        """Whether an array of it is one list: it has a shape of its own and does not broadcast."""
        return "hape: kinds" in self.text or "hape (" in self.text or "then kinds" in self.text

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words, if it is a word."""
        return tuple(re.findall(r'"(\w+)"', self.kind)) if self.kind.startswith("{") else ()


@dataclass(frozen=True, slots=True)
class Result:
    """The result as the docstring describes it."""

    unit: Unit
    text: str

    @property
    def may_be_infinite(self) -> bool:
        """Whether the description says when the result is inf."""
        return bool(re.search(r"\binf\b|nfinite", self.text))


def unit_of(kind: str) -> Unit:
    """Return the exponents of the base units in brackets, ``{}`` for ``[-]`` and for none."""
    found = re.search(r"\[([^\]]+)\]", kind.replace("[-] or ", ""))
    exponents: dict[str, int] = {}
    if found is None or found[1] == "-":
        return exponents
    if found[1].startswith("log "):
        return {found[1]: 1}
    above, _, below = found[1].partition("/")
    for part, sign in ((above, 1), (below.strip("()"), -1)):
        for token in part.split():
            base, _, power = token.partition("^")
            if not base.isdigit():
                exponents[base] = exponents.get(base, 0) + sign * int(power or 1)
    return exponents


@cache
def arguments_of(function: Callable[..., Any]) -> Mapping[str, Argument]:
    """Return the arguments of a public function or class in the order of its signature."""
    found: dict[str, Argument] = {}
    for names, kind, text in _ENTRY.findall(_sections(function).get("Parameters", "")):
        shared = names.split(", ")
        words = " ".join(text.split())
        bounds = _LOWER.findall(words)
        for place, name in enumerate(shared):
            # "> 0 and >= 0" for two arguments gives the first bound to the first argument.
            own = bounds[place : place + 1] if len(bounds) == len(shared) else bounds[:1]
            found[name] = _argument(name, kind, words, own)
    return {name: found[name] for name in inspect.signature(function).parameters}


@cache
def result_of(function: Callable[..., Any]) -> Result:
    """Return the documented result of a public function or class."""
    kind, _, text = _sections(function).get("Returns", "").strip().partition("\n")
    return Result(unit_of(kind), " ".join(text.split()))


def _argument(name: str, kind: str, words: str, lower: list[tuple[str, str]]) -> Argument:
    given: dict[str, Any] = {}
    inside = re.search(r"[iI]n ([\[(])0, 1([\])])", words)
    if inside:
        given = {
            "least": 0.0,
            "most": 1.0,
            "open_below": inside[1] == "(",
            "open_above": inside[2] == ")",
        }
    elif lower:
        sign, number = lower[0]
        given = {"least": float(number), "open_below": sign == ">"}
        if re.search(r"(at most|<=) 1\b(?!\.\d)", words):
            given["most"] = 1.0
        elif "below 1" in words:
            given |= {"most": 1.0, "open_above": True}
    return Argument(
        name,
        kind,
        words,
        unit_of(kind),
        whole=bool(re.search(r"\bwhole( number|,| and|;)", words)) or kind.startswith("int"),
        infinite=bool(re.search(r"\binf\b", words)),
        **given,
    )


def _sections(function: Callable[..., Any]) -> dict[str, str]:
    pieces = _SECTION.split(inspect.getdoc(function) or "")
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))
