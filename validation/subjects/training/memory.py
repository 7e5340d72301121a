"""Shares of a run with copies in memory, against played runs and its Markov chain.

In a state of the chain a segment is tried, or a copy read back; the numbers of visits in a pattern
are the solution of linear equations. Each fault drops or changes one rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache, partial
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

from perfmodel.training import MemoryShares, training_shares_memory
from validation.judge.compare import compare_number, compare_ratio
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep

from ..cached_simulators import simulate_memory_runs

__all__ = ["CASES", "MUTANTS", "SWEEPS", "shares"]

Predict = Callable[..., Any]

_CLASSES = tuple(field.name for field in fields(MemoryShares))
_STAGES = ("detection", "queue", "rescheduling")
_DIGITS = 40

FAULTS = (
    "every failure survived",
    "no failure survived",
    "a recovery never fails",
    "a failure in a restore leaves the copy in memory",
    "all restores from memory",
    "no copy in memory after a restore",
    "warm-up after restores alone",
    "one copy too many",
    "durable cost on top of the copy",
    "memory save not told apart",
    "detection dropped",
    "queue dropped",
    "rescheduling dropped",
)


def shares(fault: str = "", **run: float) -> dict[str, Any]:
    """Return the shares by class, with a fault if one is named."""
    return _shares(fault, tuple(run.items()))


@lru_cache(maxsize=256)
def _shares(fault: str, run: tuple[tuple[str, float], ...]) -> dict[str, Any]:
    with mp.workdps(_DIGITS):
        return _solved(fault, {name: mp.mpf(float(value)) for name, value in run})


def _solved(fault: str, run: dict[str, Any]) -> dict[str, Any]:
    mu, count = run["mtbf"], int(run["durable_every"]) + (fault == "one copy too many")
    survived = {"every failure survived": mp.mpf(1), "no failure survived": mp.mpf(0)}.get(
        fault, run["survived"]
    )
    local, durable = run["memory_cost"], run["checkpoint_cost"]
    if fault == "durable cost on top of the copy":
        durable += local
    quick, slow, warm = run["memory_restore"], run["restore"], run["warm_up"]
    if fault == "all restores from memory":
        slow = quick
    first_warm = mp.mpf(0) if fault == "warm-up after restores alone" else warm
    # Segment k is state k, a copy in memory that is read back in it count + k; a restore is last.
    spans = [run["interval"] + (durable if k == count - 1 else local) for k in range(count)]
    spans += [quick + first_warm] * count + [slow + warm]
    safe = [k >= count and fault == "a recovery never fails" for k in range(2 * count + 1)]
    fails = [mp.mpf(0) if s else -mp.expm1(-span / mu) for s, span in zip(safe, spans, strict=True)]
    size, back = 2 * count + 1, 2 * count
    moves = mp.zeros(size, size)
    for k in range(count):
        if k + 1 < count:
            moves[k, k + 1] += 1 - fails[k]
        moves[count + k, k] += 1 - fails[count + k]
        for state in (k, count + k):
            moves[state, count + k] += survived * fails[state]
            moves[state, back] += (1 - survived) * fails[state]
    again = survived if fault == "a failure in a restore leaves the copy in memory" else mp.mpf(0)
    moves[back, count] += again * fails[back]
    moves[back, back] += (1 - again) * fails[back]
    moves[back, 0] += 1 - fails[back]
    if fault == "no copy in memory after a restore":
        # Until the first copy after it, any failure leads to the durable one.
        moves[0, back] += moves[0, count]
        moves[0, count] = 0
    start = mp.zeros(size, 1)
    start[0] = 1
    visits = mp.lu_solve((mp.eye(size) - moves).T, start)

    def spent(span: Any, *, never: bool) -> Any:
        return span if never else -mu * mp.expm1(-span / mu)

    def within(before: Any, span: Any, *, never: bool) -> Any:
        return spent(before + span, never=never) - spent(before, never=never)

    segments = sum(visits[k] * spent(spans[k], never=False) for k in range(count))
    local_visits = sum(visits[count + k] for k in range(count))
    failures = sum(visits[k] * fails[k] for k in range(size))
    never = safe[-1]
    kept = {
        "goodput": count * run["interval"],
        "memory_save": (count - 1) * local,
        "checkpoint_save": durable,
    }
    times = {
        **kept,
        "wasted_progress": segments - sum(kept.values()),
        **{
            name: mp.mpf(0) if fault == f"{name} dropped" else failures * run[name]
            for name in _STAGES
        },
        "memory_restore": local_visits * spent(quick, never=never),
        "checkpoint_restore": visits[back] * spent(slow, never=never),
        "warm_up": local_visits * within(quick, first_warm, never=never)
        + visits[back] * within(slow, warm, never=never),
    }
    if fault == "memory save not told apart":
        times["checkpoint_save"] += times["memory_save"]
        times["memory_save"] = mp.mpf(0)
    total = sum(times.values())
    return {name: times[name] / total for name in _CLASSES}


def share(predict: Predict, budget: Budget, *, part: str, patterns: int, **run: Any) -> Verdict:
    """Judge the share of one class by played runs, which all end with a durable checkpoint."""
    played = simulate_memory_runs(
        **run, patterns=patterns, replications=budget.replications, seed=budget.seed
    )
    found = float(getattr(predict(**run), part))
    spent = played.kept if part == "goodput" else getattr(played, part)
    return compare_ratio(found, spent, played.total, alpha=budget.alpha, tolerance=budget.tolerance)


def from_the_chain(predict: Predict, budget: Budget, **run: Any) -> Verdict:
    """Expect every share to keep its digits; what is wasted is a difference of shares."""
    del budget
    known, found = shares(**run), predict(**run)
    worst = 0.0
    for name, value in known.items():
        off = abs(float(getattr(found, name) - value))
        worst = max(worst, off if name == "wasted_progress" else off / max(float(value), 1e-290))
    return compare_number(1.0 + worst, 1.0, tolerance=1e-10)


_RUN: dict[str, Any] = {
    "interval": 2.0,
    "durable_every": 3,
    "mtbf": 6.0,
    "survived": 0.6,
    "memory_cost": 0.2,
    "checkpoint_cost": 0.8,
    "memory_restore": 0.3,
    "restore": 1.0,
    "warm_up": 0.4,
    "detection": 0.3,
    "queue": 0.5,
    "rescheduling": 0.2,
}

_PLAYED = ("wasted_progress", "goodput", "memory_restore", "checkpoint_restore", "warm_up")

CASES = (
    Case(
        training_shares_memory,
        share,
        tuple({**_RUN, "patterns": 2, "part": name} for name in _PLAYED),
        effort=0.03,
    ),
)
SWEEPS = (
    Sweep(
        training_shares_memory,
        from_the_chain,
        lambda fraction: drawn(training_shares_memory, fraction),
        quick=5,
        full=200,
    ),
)


def _wrong(*, fault: str, **run: Any) -> MemoryShares:
    return MemoryShares(**{name: float(x) for name, x in shares(fault, **run).items()})  # type: ignore[arg-type]


MUTANTS = tuple(
    Mutant(training_shares_memory, fault, partial(_wrong, fault=fault)) for fault in FAULTS
)
