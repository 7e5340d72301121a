"""Mutants that are the same program by construction: they are left out, and never counted.

A rule sees the innermost call around the change, before it and after it, each on one line as
`ast.unparse` writes it. What a rule does not say stays as it is, by a back reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CALLS", "RULES", "Rule", "rule_for"]


@dataclass(frozen=True)
class Rule:
    """A pattern of the call before and after, and why the two are the same program."""

    name: str
    before: str
    after: str
    reason: str

    def takes(self, before: str, after: str) -> bool:
        """Whether a change of one call is of this kind."""
        return bool(re.fullmatch(f"{self.before}\n{self.after}", f"{before}\n{after}"))


RULES = (
    Rule(
        "strict",
        r"zip\((?P<rest>.+), strict=True\)",
        r"zip\((?P=rest)(, strict=(False|None))?\)",
        "an assertion of our own: only columns of different lengths, a fault, would raise",
    ),
    Rule(
        "spelling of inf and nan",
        r"float\('(?P<word>inf|nan)'\)",
        r"float\('(?i:(?P=word))'\)",
        "Python reads both in any case of letters",
    ),
    Rule(
        "spelling of an encoding",
        r"(?P<head>.+\(.*encoding=)'(?P<word>utf-8|utf-8-sig|ascii)'(?P<tail>.*\))",
        r"(?P=head)'(?i:(?P=word))'(?P=tail)",
        "Python looks encodings up in any case of letters",
    ),
    Rule(
        "no copy",
        r"(?P<head>.+)\.astype\((?P<rest>.+), copy=False\)",
        r"(?P=head)\.astype\((?P=rest), copy=None\)",
        "NumPy asks `astype` for the truth of `copy`: None is false",
    ),
    Rule(
        "type of its own",
        r"(?P<head>.+)\.astype\(np\.float64(?P<tail>(, copy=False)?)\)",
        r"(?P=head)\.astype\(None(?P=tail)\)",
        "NumPy reads None as float64 there",
    ),
    Rule(
        "named type",
        r"cast\((?P<kind>[^()]+?), (?P<value>.+)\)",
        r"cast\((None|'[^']*'), (?P=value)\)",
        "`typing.cast` returns its second argument and looks at no other",
    ),
)


# The functions that rules speak of: no other call needs to be written out.
CALLS = {"astype", "cast", "fdopen", "float", "open", "read_text", "write_text", "zip"}


def rule_for(before: str, after: str) -> str:
    """Return the name of the first rule that takes a change of one call, or an empty text."""
    return next((rule.name for rule in RULES if rule.takes(before, after)), "")
