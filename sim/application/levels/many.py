"""One job that writes checkpoints on any number of levels, in a fixed pattern.

The rules, in words, are the whole specification:

- After every `interval` of work comes a checkpoint. Between two checkpoints of the last level lie
  `counts[-1]` of the level before it, between two of these levels `counts[-2]` of the next lower
  one, and so on; a count of 0 leaves the level out. The job ends with the last checkpoint of its
  `patterns` patterns. A checkpoint counts when it is complete.
- Each failure has a kind: the lowest level that survives it, drawn by the shares that the levels
  survive. It destroys the copies on all levels below its kind. It strikes whatever the job does,
  except in downtime. Then comes `downtime`, and the latest copy that is left on the lowest used
  level is read back; what was done since is done again. Uptimes are drawn anew after a downtime.
- Rule "reinstated": a checkpoint leaves a copy on every lower level, too, and so does a recovery
  when it is complete. The job starts with all copies of its input.
- Rule "escalate": a checkpoint makes the copies on lower levels worthless, and so does a recovery.
  The job starts with a copy of its input on the last level. A failure during the recovery from a
  level that is of the kind of that level destroys its copy, too, unless it is the last one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import fraction, nonnegative, one_of, positive, whole
from ...samplers import FloatArray, Sampler
from .._arguments import only_sampler, own_sampler, unplayed
from .._replications import FAILURES_LIMIT, drawn_downtime, replicate

__all__ = ["simulate_level_makespans"]

EscalationRule: TypeAlias = Literal["reinstated", "escalate"]
_BLOCK = 256


def simulate_level_makespans(
    *,
    interval: float,
    counts: Sequence[int],
    uptime: Sampler,
    costs: Sequence[float],
    recoveries: Sequence[float],
    survives: Sequence[float],
    downtime: Sampler | npt.ArrayLike = 0.0,
    rule: EscalationRule = "reinstated",
    patterns: int = 1,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job of some patterns `replications` times; return the makespans, [time].

    Parameters
    ----------
    interval : float, [time]
        Work before each checkpoint; > 0.
    counts : sequence of int
        For each level but the last, checkpoints between two of the levels above; >= 0.
    uptime : Sampler, [time]
        Uptime from each start of the machine to its next failure of any kind.
    costs, recoveries : sequence of float, [time]
        Of each level, to write and to read a checkpoint; >= 0.
    survives : sequence of float
        Share of the failures that each level survives: rising, the last 1.
    downtime : float, Sampler or list of float, [time]
        Dead time after each failure; >= 0.
    rule : {"reinstated", "escalate"}
        What a checkpoint leaves on lower levels, and when a level is given up.
    patterns : int
        How many patterns in turn; >= 1.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or the job does not end within ten million failures.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> walls = simulate_level_makespans(
    ...     interval=10.0, counts=(4,), uptime=Exponential(500.0), costs=(0.5, 2.0),
    ...     recoveries=(0.5, 2.0), survives=(0.8, 1.0), replications=100, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((100,), 54.0)
    """
    job = _Job(
        positive("interval", interval),
        [whole("counts", count + 1) - 1 for count in counts],
        [nonnegative("costs", cost) for cost in costs],
        [nonnegative("recoveries", recovery) for recovery in recoveries],
        [fraction("survives", share) for share in survives],
        one_of("rule", rule, ("reinstated", "escalate")),
        whole("patterns", patterns),
    )
    up = unplayed(only_sampler("uptime", uptime))
    down = own_sampler("downtime", downtime)

    def play_one(rng: np.random.Generator) -> float:
        return job.play(unplayed(up), unplayed(down), rng)

    return replicate(play_one, None, replications=replications, seed=seed, block=_BLOCK)


class _Job:
    """The rules, step by step; a step is work with its checkpoint, or a recovery."""

    def __init__(  # noqa: PLR0917 (in the order of the public function)
        self,
        interval: float,
        counts: list[int],
        costs: list[float],
        recoveries: list[float],
        survives: list[float],
        rule: str,
        patterns: int,
    ) -> None:
        number = len(survives)
        if not len(counts) + 1 == len(costs) == len(recoveries) == number:
            raise ValueError(
                f"costs, recoveries and survives must be {len(counts) + 1} each, one more than "
                f"counts, got {len(costs)}, {len(recoveries)}, {number}"
            )
        if sorted(survives) != survives or survives[-1] != 1.0:
            raise ValueError(f"survives must rise to 1, got {survives}")
        self._interval, self._costs, self._recoveries = interval, costs, recoveries
        self._survives, self._rule = survives, rule
        self._used = [k for k in range(number) if k == number - 1 or counts[k] > 0]
        segments = math.prod(count + 1 for count in counts)
        self._level = []  # of the checkpoint after each segment of a pattern
        for place in range(1, segments + 1):
            level, every = self._used[0], 1
            for below, above in itertools.pairwise(self._used):
                every *= counts[below] + 1
                if place % every == 0:
                    level = above
            self._level.append(level)
        self._segments = patterns * segments

    def play(self, uptime: Sampler, downtime: Sampler, rng: np.random.Generator) -> float:
        """Play the job to its end; return the makespan."""
        now, saved, failures = 0.0, 0, 0
        copies = dict.fromkeys(self._used, 0)  # level -> segments in its copy
        if self._rule == "escalate":
            copies = {self._used[-1]: 0}
        fails = uptime.sample(rng)
        reading: int | None = None
        while saved < self._segments:
            level = self._level[saved % len(self._level)]
            span = self._interval + self._costs[level]
            if reading is not None:
                span = self._recoveries[reading]
            if now + span < fails:
                now += span
                if reading is None:
                    saved += 1
                    self._leave_copies(copies, level, saved)
                else:
                    self._leave_copies(copies, reading, saved)
                    reading = None
                continue
            now = fails
            failures += 1
            kind = int(np.searchsorted(self._survives, rng.random(), side="right"))
            if self._rule == "escalate" and reading == kind < self._used[-1]:
                kind += 1
            for lost in [k for k in copies if k < kind]:
                del copies[lost]
            down = drawn_downtime(downtime, rng, failures)
            if failures > FAILURES_LIMIT:
                raise RuntimeError(f"the job does not end within {FAILURES_LIMIT} failures")
            now += down
            fails = now + uptime.sample(rng)
            reading = min(copies)
            saved = copies[reading]
        return now

    def _leave_copies(self, copies: dict[int, int], level: int, saved: int) -> None:
        """Leave the copies of a checkpoint of `level`, or of a recovery from it."""
        copies[level] = saved
        for lower in [k for k in self._used if k < level]:
            if self._rule == "reinstated":
                copies[lower] = saved
            else:
                copies.pop(lower, None)
