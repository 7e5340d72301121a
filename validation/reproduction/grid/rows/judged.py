"""How statements of `grid` on its figures are judged: by intervals of paired differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from ...rows import Estimate, Word, above, within_factor, worst
from ..results import MEANS, POLICIES

__all__ = [
    "CLOSE",
    "Compared",
    "GridRow",
    "all_of",
    "apart",
    "better",
    "close",
    "fcfs_worst",
    "more_than_half",
    "named",
    "requirements_hurt_more",
]

Played = tuple[str, str]  # scenario and policy
CLOSE = 2.0  # "close" and "nearly the same": within this factor, the band of the other papers' rows


@dataclass(frozen=True, slots=True)
class GridRow:
    """One line: a statement of the paper on its figures, and our numbers."""

    what: str
    printed: str
    ours: str
    kind: str
    verdict: Word
    note: str = ""


class Compared(Protocol):
    """Runs on one system, paired: by jobs and weeks, or by draws."""

    def difference(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return the first minus the second, with its interval."""

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return the first over the second, with its interval."""


def better(runs: Compared, metric: str, low: Played, high: Played) -> Word:
    """Judge that a metric is lower for `low` than for `high`; fails only where it is higher."""
    return above(0.0, runs.difference(metric, high, low), by_interval=True)


def named(words: Mapping[str, Word]) -> str:
    """Return which parts do not hold."""
    parts = []
    for word in ("unresolved", "fails"):
        names = [name for name, found in words.items() if found == word]
        if names:
            parts.append(f"{word}: {'all' if len(names) == len(words) else ', '.join(names)}")
    return "; ".join(parts)


def all_of(words: Mapping[str, Word]) -> tuple[Word, str]:
    """Return the verdict of a statement about all of its parts, and which do not hold."""
    verdict = worst(words.values())
    return verdict, named(words).removeprefix(f"{verdict}: ")


def more_than_half(words: Mapping[str, Word]) -> tuple[Word, str]:
    """Return the verdict of "usually": what more than half of the parts say, if they do."""
    found = Counter(words.values())
    for word in ("holds", "fails"):
        if 2 * found[word] > len(words):
            return word, f"in {found['holds']} of {len(words)}; {named(words)}".rstrip("; ")
    return "unresolved", f"in {found['holds']} of {len(words)}; {named(words)}"


def close(
    runs: Compared, what: str, printed: str, scenarios: Sequence[str], policies: Sequence[str]
) -> GridRow:
    """Judge that all policies are within a factor of 2 of each other in every mean."""
    words: dict[str, Word] = {}
    texts = []
    for scenario, (metric, name) in product(scenarios, MEANS.items()):
        ratio, pair = _widest(runs, metric, scenario, policies)
        where = f"{name} in {scenario}" if len(scenarios) > 1 else name
        words[where] = within_factor(1.0, ratio, CLOSE, by_interval=True)
        texts.append(f"{where} {ratio} ({pair})")
    verdict, note = all_of(words)
    return GridRow(what, printed, "largest / smallest: " + ", ".join(texts), "B 2", verdict, note)


def _widest(
    runs: Compared, metric: str, scenario: str, policies: Sequence[str]
) -> tuple[Estimate, str]:
    """Return the largest ratio of two policies, and which they are."""
    return max(
        (
            (runs.ratio(metric, (scenario, one), (scenario, other)), f"{one} / {other}")
            for one, other in product(policies, policies)
            if one != other
        ),
        key=lambda found: found[0].mean,
    )


def apart(runs: Compared, what: str, printed: str, scenario: str) -> GridRow:
    """Judge that policies are further apart in a scenario than in BASIC, in every mean."""
    words: dict[str, Word] = {}
    texts = []
    for metric, name in MEANS.items():
        basic, _ = _widest(runs, metric, "BASIC", POLICIES)
        ours, pair = _widest(runs, metric, scenario, POLICIES)
        words[name] = above(0.0, _difference(ours, basic), by_interval=True)
        texts.append(f"{name} {basic} -> {ours} ({pair})")
    verdict, note = all_of(words)
    ours_text = f"largest / smallest, BASIC -> {scenario}: " + ", ".join(texts)
    return GridRow(what, printed, ours_text, "O", verdict, note)


def _difference(one: Estimate, other: Estimate) -> Estimate:
    # Half widths added, not their squares: the two share their jobs.
    return Estimate(one.mean - other.mean, one.half + other.half)


def fcfs_worst(runs: Compared, what: str, printed: str, scenarios: Iterable[str]) -> GridRow:
    """Judge that FCFS is worse than every other policy in every mean."""
    words: dict[str, Word] = {}
    texts = []
    for scenario in scenarios:
        for metric, name in MEANS.items():
            words[f"{name} in {scenario}"] = worst(
                better(runs, metric, (scenario, policy), (scenario, "fcfs"))
                for policy in POLICIES[1:]
            )
        steps = [
            runs.difference("mean_wait_s", (scenario, "fcfs"), (scenario, policy))
            for policy in POLICIES[1:]
        ]
        texts.append(f"{scenario} {min(steps, key=lambda step: step.mean)}")
    verdict, note = all_of(words)
    ours = "wait, FCFS minus the next [s]: " + ", ".join(texts)
    return GridRow(what, printed, ours, "O", verdict, note)


def requirements_hurt_more(
    runs: Compared, what: str, printed: str, failing: Sequence[str], *, usually: bool = True
) -> GridRow:
    """Judge that EXT-REQ is worse than EXT-FAIL: `usually` in more than half of all, or in all."""
    words: dict[str, Word] = {}
    texts = []
    for scenario, policy in product(failing, POLICIES):
        for metric, name in MEANS.items():
            where = f"{policy} in {name}" + (f" ({scenario[-1]})" if len(failing) > 1 else "")
            words[where] = better(runs, metric, (scenario, policy), ("EXT-REQ", policy))
        step = runs.difference("mean_wait_s", ("EXT-REQ", policy), (scenario, policy))
        texts.append(f"{policy} {step}" if len(failing) == 1 else f"{scenario} {policy} {step}")
    verdict, note = more_than_half(words) if usually else all_of(words)
    ours = "wait, EXT-REQ minus EXT-FAIL [s]: " + ", ".join(texts)
    return GridRow(what, printed, ours, "O", verdict, note)
