"""A chain of tasks with checkpoints after some of them, played from failure to failure.

What happens:

- Tasks follow each other; after some of them the state is copied, at a cost of its own.
- A failure sets the chain back to the last copy, or to its input. Then come `downtime`, in which
  nothing fails, and the recovery from that copy; a failure in it begins both again.
- The uptime to the next failure is drawn anew when the machine comes up, not at checkpoints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._checks import nonnegative, whole
from ..samplers import FloatArray, Sampler
from ..streams import stream
from ._arguments import only_sampler, own_sampler
from ._draws import drawn


@dataclass(frozen=True, slots=True)
class _Runs:
    """Replications that go through the chain together: their clocks, and uptime that is left."""

    uptime: Sampler
    downtime: Sampler
    rng: np.random.Generator
    now: FloatArray
    left: FloatArray

    def pass_segment(self, span: float, back: float) -> None:
        """Move all replications through a segment; after a failure with `back` before it."""
        need = np.full(self.now.size, span)
        going = np.arange(self.now.size)
        while going.size:
            through = self.left[going] > need[going]
            done, struck = going[through], going[~through]
            self.now[done] += need[done]
            self.left[done] -= need[done]
            self.now[struck] += self.left[struck] + drawn(self.downtime, struck.size, self.rng)
            self.left[struck] = drawn(self.uptime, struck.size, self.rng)
            need[struck] = span + back
            going = struck


def simulate_chain_makespans(
    works: npt.ArrayLike,
    *,
    checkpoint_after: npt.ArrayLike,
    uptime: Sampler,
    checkpoint_costs: npt.ArrayLike,
    recovery_costs: npt.ArrayLike = 0.0,
    input_recovery: float = 0.0,
    downtime: Sampler | float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a chain `replications` times; return the makespans, [time].

    Parameters
    ----------
    works : array_like, [time]
        Failure-free time of each task; >= 0. Shape (tasks,).
    checkpoint_after : array_like of bool
        After which tasks the state is copied. Shape (tasks,).
    uptime : Sampler, [time]
        Uptime from each start of the machine to its next failure.
    checkpoint_costs, recovery_costs : array_like, [time]
        To copy the state after each task, and to read it back; >= 0.
    input_recovery : float, [time]
        To read the input back; >= 0.
    downtime : float or Sampler, [time]
        Dead time after each failure; >= 0.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Examples
    --------
    A failure at 4, in the second task: the first is kept.

    >>> from sim.samplers import Recorded
    >>> simulate_chain_makespans(
    ...     [3.0, 2.0], checkpoint_after=[True, False], uptime=Recorded([4.0], then="never"),
    ...     checkpoint_costs=0.5, recovery_costs=1.0, replications=1, seed=0,
    ... ).tolist()
    [7.0]
    """
    tasks = np.asarray(works, dtype=np.float64)
    flags = np.asarray(checkpoint_after, dtype=np.bool_)
    costs = np.broadcast_to(np.asarray(checkpoint_costs, dtype=np.float64), tasks.shape)
    backs = np.broadcast_to(np.asarray(recovery_costs, dtype=np.float64), tasks.shape)
    for name, values in (
        ("works", tasks),
        ("checkpoint_costs", costs),
        ("recovery_costs", backs),
    ):
        for value in values.tolist():
            nonnegative(name, value)
    back = nonnegative("input_recovery", input_recovery)
    count = whole("replications", replications)
    rng = stream(whole("seed", seed, least=0))
    up = own_sampler("uptime", only_sampler("uptime", uptime))
    down = own_sampler("downtime", downtime)

    runs = _Runs(up, down, rng, np.zeros(count), drawn(up, count, rng))
    span = 0.0
    for work, written, cost, next_back in zip(
        tasks.tolist(), flags.tolist(), costs.tolist(), backs.tolist(), strict=True
    ):
        span += work + cost * written
        if not written:
            continue
        runs.pass_segment(span, back)
        span, back = 0.0, next_back
    runs.pass_segment(span, back)
    return runs.now
