"""The random search: draw calls, check each, shorten and count what fails."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter, process_time
from typing import Any, TypeAlias

import numpy as np

from .allowed import is_allowed
from .call import Arguments, paste
from .checks import AbstractCheck, checks_of
from .facts import FACTS
from .public_names import Public, names
from .random_arguments import Drawer
from .shrink import shrunk
from .watch import watched

__all__ = ["Finding", "Hunt", "again", "hunt", "targets_named"]

Complaint: TypeAlias = Callable[[Public, Arguments], str]
Checks: TypeAlias = Callable[[Arguments, Drawer], Iterator[tuple[str, Complaint]]]

_EVERYWHERE = ("near", "wide", "far", "extreme")
_COMPARABLE = ("near", "wide", "far")  # extreme floats overflow in the products of any formula
_OF_LAWS = ("near", "near", "wide", "wide", "far", "extreme")  # laws are slow, so few are extreme
_LAWS = frozenset(
    {
        "exact_makespan",
        "exact_makespan_async",
        "mixed_makespan",
        "wsj_compound",
        "gamma_error",
        "compare_extra_node",
        "slowest",
        "slowest_of",
        "optimal_interval_parallel",
    }
)
# The moments of the slowest resolve thousands of steps where repairs take recorded values; an
# uncertain law is dozens of laws.
_SECONDS = {
    "exact_makespan_ageing": 20.0,
    "optimal_interval_parallel": 15.0,
    "compare_extra_node": 10.0,
    "mixed_makespan": 20.0,
    "predictive_makespan": 60.0,
    "slowest": 30.0,
    "slowest_of": 30.0,
}
_LONGEST = 5.0  # processor seconds for one call and the numbers of its result
_SHRINK = 20.0  # seconds to shorten one finding


@dataclass(frozen=True)
class Finding:
    """A call that failed a check.

    Parameters
    ----------
    target, check : str
        The public function or fact, and the name of the check.
    call : str
        The shortest failing call found, as code to paste.
    complaint : str
        What is wrong with it.
    """

    target: str
    check: str
    call: str
    complaint: str

    def __str__(self) -> str:
        return f"{self.target}: {self.check}\n    {self.call}\n    {self.complaint}"


@dataclass
class Hunt:
    """The result of a random search.

    Parameters
    ----------
    seed : int
        Seed that repeats the search.
    findings : list of Finding
        One for each target, check and kind of complaint.
    repeats : int
        Number of further failures of a kind already found.
    calls : mapping of str to int
        How often each public name was called.
    checked : int
        Number of calls drawn, each with all its checks.
    seconds : float
        Duration of the search.
    """

    seed: int
    findings: list[Finding] = field(default_factory=list)
    repeats: int = 0
    calls: Mapping[str, int] = field(default_factory=dict)
    checked: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class _Target:
    """What is searched: the checks of one function, or one fact."""

    name: str
    of: str
    checks: Checks
    seconds: float

    @property
    def spreads(self) -> tuple[str, ...]:
        if self.name != self.of:
            return _COMPARABLE
        return _OF_LAWS if self.of in _LAWS else _EVERYWHERE


def targets() -> tuple[_Target, ...]:
    """Return every function and fact that is searched."""
    found = []
    for name in names():
        seconds = _SECONDS.get(name, _LONGEST)
        found.append(_Target(name, name, _promises(name), seconds))
    for fact in FACTS:
        found.append(_Target(fact.name, fact.of, _only(fact.ask), fact.seconds))
    return tuple(found)


def hunt(
    *,
    seed: int,
    minutes: float | None = None,
    calls: int | None = None,
    only: str | None = None,
    mutants: Mapping[str, Callable[..., Any]] | None = None,
    report: Callable[[Finding], None] | None = None,
    most: int | None = None,
) -> Hunt:
    """Draw calls and check them until the time is over or the number of calls is reached.

    Parameters
    ----------
    seed : int
        Two searches with the same seed and number of calls draw the same calls.
    minutes : float, optional, [min]
        Duration of the search.
    calls : int, optional
        Number of calls to draw, for every function and fact in turn.
    only : str, optional
        Functions and facts with this word in their names; if there is none, with this part of one.
    mutants : mapping of str to callable, optional
        Wrong functions to call in place of public ones.
    report : callable, optional
        Called with every finding when it is found.
    most : int, optional
        Largest number of findings, at which the search ends.

    Returns
    -------
    Hunt
        Findings, counts and times.
    """
    aims = targets_named(only)
    search = _Search(Public(mutants), Hunt(seed), report)
    found = search.found
    drawn = dict.fromkeys((target.name for target in aims), 0)
    spent = dict.fromkeys((target.name for target in aims), 0.0)
    began = perf_counter()
    while (
        (calls is None or found.checked < calls)
        and (minutes is None or perf_counter() - began < 60.0 * minutes)
        and (most is None or len(found.findings) < most)
    ):
        if minutes is None:
            target = aims[found.checked % len(aims)]
        else:  # every target gets the same time, laws get more
            target = min(aims, key=lambda t: spent[t.name] / (4.0 if t.of in _LAWS else 1.0))
        start, before = process_time(), len(found.findings)
        rng = np.random.default_rng([seed, zlib.crc32(target.name.encode()), drawn[target.name]])
        search.look(target, Drawer(rng, target.spreads))
        if len(found.findings) == before:  # the time to shorten a finding is not time of the search
            spent[target.name] += process_time() - start
        spent[target.name] += 1e-4
        drawn[target.name] += 1
        found.checked += 1
    found.seconds = perf_counter() - began
    found.calls = dict(search.public.calls)
    return found


def targets_named(only: str | None) -> list[_Target]:
    """Return those with a word or a part of their names, or raise ValueError."""
    everything = targets()
    if only is None:
        return list(everything)
    word = re.compile(rf"\b{re.escape(only)}\b")
    whole = [t for t in everything if word.search(t.name) or word.search(t.of)]
    aims = whole or [t for t in everything if only in t.name or only in t.of]
    if not aims:
        raise ValueError(f"only must be part of the name of a public function, got {only!r}")
    return aims


def again(target: str, of: str = "", /, **arguments: Any) -> str:
    """Repeat the check of one fact, as a pasted finding does; return its complaint.

    Of facts with the same name, `of` says whose arguments these are.
    """
    (fact,) = [fact for fact in FACTS if fact.name == target and of in ("", fact.of)]
    return fact.ask(Public(), arguments)


class _Search:
    """Checks one call after the other, and keeps the kinds of failure found so far."""

    def __init__(
        self, public: Public, found: Hunt, report: Callable[[Finding], None] | None
    ) -> None:
        self.public, self.found, self._report = public, found, report
        self._known: set[tuple[str, str, str]] = set()

    def look(self, target: _Target, drawer: Drawer) -> None:
        """Draw one call of the target and run its checks up to the first that fails."""
        arguments = drawer.arguments(target.of)
        for _ in range(20):
            if is_allowed(target.of, arguments):
                break
            arguments = drawer.arguments(target.of)
        for label, complaint in target.checks(arguments, drawer):
            said = self._ask(target, complaint, arguments)
            if said:  # without a result no other check can run
                self._keep(target, label, complaint, arguments, said)
                return

    def _ask(self, target: _Target, complaint: Complaint, arguments: Arguments) -> str:
        return watched(
            lambda: complaint(self.public, arguments),
            allowed=is_allowed(target.of, arguments),
            seconds=target.seconds,
        )

    def _keep(self, target: _Target, label: str, complaint: Complaint, *failing: Any) -> None:
        arguments, said = failing
        kind = (target.name, label, _kind(said))
        if kind in self._known:
            self.found.repeats += 1
            return
        self._known.add(kind)
        slow = said.startswith("takes")  # then every step of shortening it is slow as well
        short = shrunk(
            target.of,
            arguments,
            lambda given: _kind(self._ask(target, complaint, given)) == kind[2],
            seconds=_LONGEST if slow else _SHRINK,
        )
        message = said if slow else self._ask(target, complaint, short) or said
        finding = Finding(target.name, label, _call_of(target, short), message)
        self.found.findings.append(finding)
        if self._report is not None:
            self._report(finding)


def _call_of(target: _Target, arguments: Arguments) -> str:
    inner = paste(target.of, arguments)
    if target.name == target.of:
        return inner
    several = sum(fact.name == target.name for fact in FACTS) > 1
    whose = f"{target.of!r}, " if several else ""
    return f"again({target.name!r}, {whose}{inner.split('(', 1)[1]}"


def _promises(name: str) -> Checks:
    def checks(arguments: Arguments, drawer: Drawer) -> Iterator[tuple[str, Complaint]]:
        for check in checks_of(name, arguments, drawer):
            yield check.label, partial(_complaint_of, check, name)

    return checks


def _complaint_of(check: AbstractCheck, name: str, public: Public, arguments: Arguments) -> str:
    return check.complaint(public, name, arguments)


def _only(ask: Complaint) -> Checks:
    def checks(arguments: Arguments, drawer: Drawer) -> Iterator[tuple[str, Complaint]]:
        del arguments, drawer
        yield "holds", ask

    return checks


def _kind(complaint: str) -> str:
    """Return a complaint without its numbers."""
    return re.sub(r"[\d.e+-]+|\[[^\]]*\]|nan|inf|array\(.*?\)", "", complaint)[:40]
