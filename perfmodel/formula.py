"""The class of a row of the catalogue: source, kind, range and trend of one formula.

Rows stand under their formulas, in the `ROWS` of each module; `perfmodel.registry` adds them up.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .validity import Range

__all__ = ["ANY", "Ends", "Formula", "Kind", "Trend", "equations_in"]

Kind = Literal["exact", "approximation", "bound"]
Ends = tuple[float, float]

ANY: Ends = (1e-6, 1e6)  # what the catalogue calls any ratio

_MATH = re.compile(r"^( *)\.\. math::(?:[ ]*)(.*(?:\n(?:\1 +\S.*|[ ]*(?=\n\1 )))*)", re.MULTILINE)
_WORK = re.compile(r"^\.\. \[\d+\] ", re.MULTILINE)
_LABEL = re.compile(r"^[ ]*:(?:label|nowrap):.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Trend:
    """Arguments in which every time or number of the result rises, and those in which it falls.

    Parameters
    ----------
    rising, falling : tuple of str
        Names of arguments. Others have no direction, or none that was proved.
    """

    rising: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Formula:
    """One row of the catalogue.

    Parameters
    ----------
    function : callable
        The public function.
    source, equation : str
        Short name of the source and the place in it; ``derived`` where we derived it ourselves.
    kind : {"exact", "approximation", "bound"}
        What `validation` must show: agreement, an error within its range, or one side.
    range : Range, optional
        For an approximation: where its error is stated.
    fallback : callable, optional
        For an approximation: the exact function of the same arguments that takes over beyond.
        Arguments it does not have are left out, because its value does not depend on them.
    ranges : mapping of str to (float, float)
        What the formula is documented for, all of which is judged: for each ratio of two
        arguments, ``"interval/mtbf"``, or argument without a unit its lowest and highest value;
        ``"cv of downtime"`` is that of a law, ``"... at risk"`` where failures strike repairs.
    within : str
        Of a formula that is exact for a model and not for the machine: what the model leaves out.
    domain : mapping of str to (float, float)
        The part of the documented range where simulated jobs can show an error, each duration in
        multiples of the mtbf. An approximation's domain reaches beyond its range, where the
        fallback must take over.
    trend : Trend
        The arguments in which the result rises or falls, from theory; none if none was proved.
    """

    function: Callable[..., Any]
    source: str
    equation: str
    kind: Kind
    range: Range | None = None
    fallback: Callable[..., Any] | None = None
    ranges: Mapping[str, Ends] = field(default_factory=dict)
    within: str = ""
    domain: Mapping[str, Ends] = field(default_factory=dict)
    trend: Trend = field(kw_only=True)  # without a default, so that no row forgets it

    @property
    def name(self) -> str:
        """The function's public name."""
        return self.function.__name__

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self._words.splitlines()[0]

    @property
    def equations(self) -> tuple[str, ...]:
        """What stands under each math directive of the docstring, in the language of TeX."""
        return equations_in(self._words)

    @property
    def symbols(self) -> str:
        """What the docstring says right below its equations, on what their letters are."""
        head = self._words.partition("\nParameters\n")[0]
        ends = [found.end() for found in _MATH.finditer(head)]
        return " ".join(head[ends[-1] :].split()) if ends else ""

    @property
    def references(self) -> tuple[str, ...]:
        """The works that the docstring names, in full."""
        named = self._words.partition("\nReferences\n----------\n")[2].partition("\n\n")[0]
        return tuple(" ".join(work.split()) for work in _WORK.split(named)[1:])

    @property
    def _words(self) -> str:
        return inspect.getdoc(self.function) or ""

    @property
    def documented(self) -> str:
        """The documented range in words: ``any``, or the ratios that have narrower ends."""
        narrow = [
            f"{ratio} {_brief(low)} to {_brief(high)}"
            for ratio, (low, high) in self.ranges.items()
            if not (low <= ANY[0] and high >= ANY[1])
        ]
        return ", ".join(narrow) or "any"

    @property
    def statement(self) -> str:
        """The sentence of the docstring that states the documented range."""
        if self.documented == "any":
            where = "any ratio of its arguments from 1e-6 to 1e6"
        elif any(ends == ANY for ends in self.ranges.values()):
            where = f"{self.documented}, and any other ratio from 1e-6 to 1e6"
        else:
            where = self.documented
        model = f", in a model in which {self.within}" if self.within else ""
        return f"Judged for {where}{model}."


def equations_in(docstring: str) -> tuple[str, ...]:
    """Return what stands under each math directive of a docstring, in the language of TeX."""
    return tuple(
        re.sub(r"\n\s*\n", "\n", inspect.cleandoc(_LABEL.sub("", found[2]))).strip()
        for found in _MATH.finditer(docstring)
    )


def _brief(value: float) -> str:
    """Write a number as people do: 1e-6, not 1e-06, and 1e-4, not 0.0001."""
    text = f"{value:g}" if value == 0.0 or value >= 1e-3 else f"{value:.0e}"
    return text.replace("e-0", "e-").replace("e+0", "e")
