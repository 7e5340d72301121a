"""Which engine plays a replay: the compiled core, or the readable loop; both give the same records.

Compiling a core takes 8 to 30 s of processor time, once after each installation, and loading what
was compiled one more. What plays is told by what is asked for, never by what was compiled before,
so that equal requests print equal bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from .._checks import one_of
from .backfill import POLICIES
from .backfill.conservative import Conservative
from .backfill.easy import Easy
from .backfill.fcfs import Fcfs
from .loop.cluster import EVENT_ORDERS, Cluster, Pass, Policy, Recovery
from .loop.protocols import Checkpointing, Kind, Machine, Occupancy
from .machines.flat import Flat
from .order.bands import COMPILED

if TYPE_CHECKING:
    from .kernels.written import Played
    from .loop.jobs import News

_MOST = 3_000_000_000  # ns that the readable loop may take for all replays that are asked for


class TooLong(Exception):  # noqa: N818  (no error: another engine goes on)
    """The readable loop would take longer than compiling."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A policy whose replay ends with TooLong when its passes took their time, by estimate."""

    policy: Policy
    most: int  # [ns]
    per_pass: int  # [ns]
    per_waiting: int  # [ns] for each job that waits at a pass

    @property
    def name(self) -> str:
        """That of the policy."""
        return self.policy.name

    @property
    def runs_on(self) -> tuple[Kind[Occupancy], ...]:
        """As the policy does."""
        return self.policy.runs_on

    def begin(self, cluster: Cluster) -> Pass:
        """Return passes of the policy that are counted."""
        schedule, left = self.policy.begin(cluster), self.most

        def schedule_within(news: News) -> None:
            nonlocal left
            left -= self.per_pass + self.per_waiting * len(cluster.queue)
            if left < 0:
                raise TooLong
            schedule(news)

        return schedule_within


def bounded(policy: Policy, machine: Machine, *, jobs: int, replays: int) -> Bounded | None:
    """Return a policy for the readable loop to try first, or None where that is no use.

    Parameters
    ----------
    policy : Policy
        As it is to be played.
    machine : Machine
        On which.
    jobs, replays : int
        How many jobs each replay has, and how many replays are wanted.
    """
    per_pass, per_waiting = _costs(policy, machine)
    most = _MOST // max(replays, 1)
    # Each job is submitted once and ends once at least, mostly with a pass for either.
    if not per_pass or 2 * jobs * per_pass > most:
        return None
    return Bounded(policy, most, per_pass, per_waiting)


def _costs(policy: Policy, machine: Machine) -> tuple[int, int]:
    """Return what a pass takes, and what for each job that waits [ns]; 0 where no core plays.

    Measured on logs of some thousand jobs, at their own and at twice and ten times their load.
    """
    if isinstance(machine, Flat) and getattr(policy, "order", None) in COMPILED:
        match policy:
            case Fcfs() | Easy():
                return 40_000, 150
            case Conservative():
                return 40_000, 8_000
    from .promises.negotiation import Negotiated

    if isinstance(policy, Negotiated):
        return 200_000, 3_000
    from .grid.machine import Grid

    if isinstance(machine, Grid):
        return 60_000, 3_000
    from .bluegene.machine import BlueGene

    return (150_000, 500) if isinstance(machine, BlueGene) else (0, 0)


def compiled_core(  # noqa: PLR0911  (a core for each machine)
    machine: Machine,
    policy: str | Policy,
    checkpointing: Checkpointing | None,
    recovery: Recovery,
    event_order: str,
    *,
    idle_failures: bool = True,
) -> Callable[..., Played] | str:
    """Return the compiled core that plays this, or in words what of it none takes."""
    from .promises.negotiation import Negotiated

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT, with which nothing is compiled"
    policy, order = policy_of(policy), EVENT_ORDERS.index(event_order)
    if not idle_failures:
        from .bluegene.machine import BlueGene

        if not isinstance(machine, BlueGene):
            return "failures that strike running jobs only"
    if isinstance(policy, Negotiated):
        from .promises.kernels import play as promises

        terms = promises.taken(machine, policy, checkpointing, recovery, event_order=event_order)
        return terms if isinstance(terms, str) else partial(promises.play_compiled, replay=terms)
    if isinstance(machine, Flat):
        from .kernels.flat import play as flats

        on_flat = flats.taken(machine, policy, checkpointing, recovery)
        flat = partial(flats.play_compiled, event_order=order)
        return on_flat if isinstance(on_flat, str) else partial(flat, replay=on_flat)
    from .grid.machine import Grid

    if isinstance(machine, Grid):
        from .grid.kernels import play as grids

        on_grid = grids.taken(machine, policy, checkpointing, recovery, event_order)
        return on_grid if isinstance(on_grid, str) else partial(grids.play_grid, replay=on_grid)
    from .bluegene.kernels import play as bluegene

    partitions = bluegene.taken(machine, policy, checkpointing, recovery)
    if isinstance(partitions, str):
        return partitions
    return partial(
        bluegene.play_compiled,
        replay=partitions,
        event_order=order,
        idle_failures=idle_failures,
    )


def policy_of(policy: str | Policy) -> Policy:
    """Return the policy of a name, or the one that is given."""
    if isinstance(policy, str):
        one_of("policy", policy, POLICIES)
        return POLICIES[policy]
    if isinstance(policy, type) or not isinstance(policy, Policy):
        raise TypeError(
            f"policy must be a name or an object with name, runs_on and begin, got {policy!r}"
        )
    return policy
