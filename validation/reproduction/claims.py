"""What a paper claims, and what of it stands, under every reading of what it leaves open.

A reading is one level of each factor; the first is the paper's text. Its steps are the comparisons
that the claim makes, each with a 95 % interval. A verdict follows from the claim and its readings
alone, so that it can be worked out again from the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from math import ceil, inf, isnan, nan
from typing import Any, Literal

from .estimates import estimate

Word = Literal["yes", "open", "no"]
Cause = Literal["", "W", "P", "F", "E", "R", "N"]
CAUSES = {
    "W": "workload not public",
    "P": "parameter not printed",
    "F": "failure trace not public",
    "E": "error in print",
    "R": "reading of the text",
    "N": "noise",
}
_ALPHA = 0.025  # on one side
_MOST = 1_000  # seeds; what needs more is called level
_BAR = 6


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison: a mean, the half width of its 95 % interval, and how many were drawn.

    Nothing was drawn where the half width is 0; with an unknown number the law is normal.
    """

    what: str
    mean: float
    half: float = 0.0
    seeds: int = 0

    @classmethod
    def of(cls, what: str, values: Any) -> Step:
        """Return the mean over seeds; a log in which nothing is drawn is what it is."""
        if values.size == 1:
            return cls(what, float(values[0]))
        found = estimate(values)
        return cls(what, found.mean, found.half, values.size)

    def seen(self, low: float, high: float) -> bool:
        """Return whether all of the interval is within the limits."""
        return bool(low < self.mean - self.half and self.mean + self.half < high)

    def chance(self, low: float, high: float) -> float:
        """Return how probable it is to lie so far outside, were the truth at the nearer limit."""
        from scipy.special import stdtr

        inside = min(self.mean - low, high - self.mean)
        if isnan(inside) or isnan(self.half):
            return 1.0
        if self.half == 0.0:
            return 1.0 if inside > 0.0 else 0.0
        return float(stdtr(self._freedom, inside / self.half * self._wide))

    def seeds_needed(self, low: float, high: float) -> float:
        """Return how many seeds decide, if the mean stays: more than were drawn."""
        margin = abs(min(self.mean - low, high - self.mean))
        if margin == 0.0 or isnan(margin):
            return inf
        drawn = max(self.seeds, 2)
        return max(drawn * (self.half / margin * 1.96 / self._wide) ** 2 + 2, drawn + 1)

    @property
    def _freedom(self) -> float:
        return float(self.seeds - 1) if self.seeds > 1 else 1e9

    @property
    def _wide(self) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self._freedom, 1.0 - _ALPHA))


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper, and how it is judged.

    Parameters
    ----------
    place, says, printed : str
        Where it stands, the statement in our words, and what is printed.
    rule : str
        How it is judged, in words.
    low, high : float
        Limits between which every step must lie.
    trend : bool
        Whether the last step is the whole way, which must be seen, and the others are parts of it,
        which must not be seen the other way.
    unit : str
        Of the steps.
    cause : str
        Why it does not hold throughout: a key of `CAUSES`.
    why : str
        The same in words.
    ruled : {"", "printed error", "not testable"}
        A verdict that is derived, not measured; `why` has the derivation.
    """

    place: str
    says: str
    printed: str
    rule: str
    low: float = 0.0
    high: float = inf
    trend: bool = False
    unit: str = ""
    cause: Cause = ""
    why: str = ""
    ruled: Literal["", "printed error", "not testable"] = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found under one level of each factor; a level found afterwards says so."""

    levels: Mapping[str, str]
    ours: str
    steps: Sequence[Step]

    @classmethod
    def of(cls, levels: Mapping[str, str], steps: Mapping[str, Any]) -> Reading:
        """Return what numbers by seed of each step say; the first five are told."""
        told = [f"{what} {estimate(values)}" for what, values in list(steps.items())[:5]]
        return cls(levels, ", ".join(told), [Step.of(*each) for each in steps.items()])

    def word(self, claim: Claim) -> Word:
        """Return whether the claim holds under this reading.

        It does not if a step is seen against it, with 2.5 % false alarms in all steps together
        (Holm, of which the first rejection is enough here).
        """
        low, high = claim.low, claim.high
        if min(step.chance(low, high) for step in self.steps) <= _ALPHA / len(self.steps):
            return "no"
        needed = self.steps[-1:] if claim.trend else self.steps
        return "yes" if all(step.seen(low, high) for step in needed) else "open"

    def seen(self, claim: Claim) -> int:
        """Return how many steps are seen in the printed direction."""
        return sum(step.seen(claim.low, claim.high) for step in self.steps)

    def seeds_needed(self, claim: Claim) -> int | None:
        """Return how many seeds would decide, to two digits; None if no number does."""
        low, high = claim.low, claim.high
        asked = self.steps[-1:] if claim.trend else self.steps
        open_ = [step for step in asked if not step.seen(low, high)]
        against = [step for step in open_ if not low < step.mean < high]
        numbers = [step.seeds_needed(low, high) for step in against or open_]
        if not numbers:
            return None
        number = min(numbers) if against else max(numbers)
        if number > _MOST:
            return None
        coarse: int = 10 ** max(0, len(str(int(number))) - 2)
        return ceil(number / coarse) * coarse


@dataclass(frozen=True)
class Judged:
    """A claim with what was found under every reading; the first is the paper's text."""

    claim: Claim
    readings: Sequence[Reading]

    @cached_property
    def words(self) -> list[Word]:
        """Of each reading."""
        return [reading.word(self.claim) for reading in self.readings]

    @property
    def seeds(self) -> int:
        """The least drawn under any reading; 0 where nothing is drawn."""
        drawn = [step.seeds for reading in self.readings for step in reading.steps]
        return min((number for number in drawn if number), default=0)

    def among(self, records: Sequence[Mapping[str, Any]]) -> Judged:
        """Return the claim with readings that were not played now as an earlier JSON has them."""
        found = [from_record(each) for each in records if each["says"] == self.claim.says]
        before = found[0].readings if found else ()
        now = [dict(reading.levels) for reading in self.readings]
        old = [reading for reading in before if dict(reading.levels) not in now]
        return Judged(self.claim, [*self.readings, *old])

    @cached_property
    def needed(self) -> int | None:
        """Seeds that would decide the first reading that is open."""
        for reading, word in zip(self.readings, self.words, strict=True):
            if word == "open":
                return reading.seeds_needed(self.claim)
        return None

    @property
    def verdict(self) -> str:
        """In one of the words of the page."""
        words = self.words
        if self.claim.ruled:
            return self.claim.ruled
        if "yes" in words:
            return "holds" if set(words) == {"yes"} else f"holds {self._condition()}"
        if set(words) == {"no"}:
            return "contradicted"
        if words[0] == "no":  # the paper's text
            return f"contradicted in {words.count('no')} of {len(words)}, open in the others"
        if self.needed is not None:
            return "open"
        return self._level() if self.claim.high == inf and self.claim.low == 0.0 else "open"

    def _level(self) -> str:
        """Return how far apart what cannot be told apart is at most."""
        steps = next(
            reading.steps
            for reading, word in zip(self.readings, self.words, strict=True)
            if word == "open"
        )
        most = max(abs(step.mean) + step.half for step in steps)
        return f"level within {most:.2g} {self.claim.unit}".rstrip()

    def effects(self) -> dict[str, dict[str, list[int]]]:
        """Return factor -> level -> readings in which it holds, is open, does not hold."""
        found: dict[str, dict[str, list[int]]] = {}
        for reading, word in zip(self.readings, self.words, strict=True):
            for factor, level in reading.levels.items():
                counts = found.setdefault(factor, {}).setdefault(level, [0, 0, 0])
                counts[("yes", "open", "no").index(word)] += 1
        return {factor: levels for factor, levels in found.items() if len(levels) > 1}

    def _condition(self) -> str:
        """Return by the fewest factors what parts readings that hold from the others."""
        apart = self._parted({"open", "no"}) or self._parted({"no"})
        if apart:
            return "if " + ", ".join(f"{factor} {_span(these)}" for factor, these in apart)
        count = f"in {self.words.count('yes')} of {len(self.words)}"
        return count if "no" in self.words else f"{count}, open in the others"

    def _parted(self, others: set[Word]) -> list[tuple[str, list[tuple[str, int]]]]:
        levels = {factor: list(found) for factor, found in self.effects().items()}
        held = [
            r.levels for r, word in zip(self.readings, self.words, strict=True) if word == "yes"
        ]
        rest = [
            r.levels for r, word in zip(self.readings, self.words, strict=True) if word in others
        ]
        if not rest:
            return []
        for count in range(1, min(3, len(levels)) + 1):
            for factors in combinations(levels, count):
                kept = {f: {each[f] for each in held if f in each} for f in factors}
                if not any(all(each.get(f) in kept[f] for f in factors) for each in rest):
                    return [
                        (f, [(name, n) for n, name in enumerate(levels[f]) if name in kept[f]])
                        for f in factors
                    ]
        return []

    def record(self) -> dict[str, Any]:
        """Return the claim as plain JSON."""
        claim, text = self.claim, self.readings[0]
        limits = {"low": claim.low, "high": claim.high}
        return {
            **{name: value for name, value in asdict(claim).items() if name not in limits},
            **{name: value if abs(value) < inf else None for name, value in limits.items()},
            "ours": text.ours,
            "interval": [[step.what, *_limits(step)] for step in text.steps],
            "seen": [text.seen(claim), len(text.steps)],
            "held": {word: self.words.count(word) for word in ("yes", "open", "no")},
            "effects": self.effects(),
            "verdict": self.verdict,
            "seeds": self.seeds,
            "seeds_needed": self.needed,
            "readings": [
                {
                    "levels": dict(reading.levels),
                    "word": word,
                    "ours": reading.ours,
                    "steps": [
                        [step.what, _short(step.mean), _short(step.half), step.seeds]
                        for step in reading.steps
                    ],
                }
                for reading, word in zip(self.readings, self.words, strict=True)
            ],
        }

    def bar(self) -> str:
        """Return under how many readings it holds, as a bar: full, open, empty."""
        counts = [self.words.count(word) for word in ("yes", "open", "no")]
        total = len(self.words)
        full = ceil(_BAR * counts[0] / total) if counts[2] + counts[1] else _BAR
        full = min(full, _BAR - 1) if counts[0] < total else full
        empty = min(ceil(_BAR * counts[2] / total), _BAR - full)
        half = _BAR - full - empty
        if not counts[1]:
            half, empty = 0, empty + half
        return f"{'█' * full}{'▒' * half}{'░' * empty} {counts[0]} of {total}"


def _span(levels: Sequence[tuple[str, int]]) -> str:
    """Return levels in words; more than two that follow each other by their ends."""
    names, places = [name for name, _ in levels], [place for _, place in levels]
    if len(names) > 2 and places == list(range(places[0], places[0] + len(places))):
        return f"{names[0]} to {names[-1]}"
    return " or ".join(names)


def _limits(step: Step) -> tuple[float | None, float | None]:
    return _short(step.mean - step.half), _short(step.mean + step.half)


def _short(value: float) -> float | None:
    """Return a number to five digits, in which intervals are judged; None for nan."""
    return None if isnan(value) else float(f"{value:.5g}")


def _number(value: float | None) -> float:
    return nan if value is None else value


def from_record(record: Mapping[str, Any]) -> Judged:
    """Return a claim and its readings from JSON, to be judged again."""
    named = {name: record[name] for name in Claim.__slots__}
    named |= {"low": -inf if named["low"] is None else named["low"]}
    named |= {"high": inf if named["high"] is None else named["high"]}
    readings = [
        Reading(
            each["levels"],
            each["ours"],
            [
                Step(what, _number(mean), _number(half), seeds)
                for what, mean, half, seeds in each["steps"]
            ],
        )
        for each in record["readings"]
    ]
    return Judged(Claim(**named), readings)
