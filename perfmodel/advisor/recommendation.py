"""What an advisor says when it is asked for more than whether a checkpoint is due."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What an advisor advises, and what it knows.

    Parameters
    ----------
    interval : float, [s]
        Work from one checkpoint to the next; inf if no checkpoint pays any more.
    next_checkpoint : float, [s]
        When the next one is due, on the clock of `now`; inf if none is.
    expected_loss : float, [-]
        Share of time that checkpoints, rework and recoveries take with this interval.
    loss_of_waiting : float, [s]
        Time that the job is expected to lose if that checkpoint comes one interval late.
    mtbf, mtbf_lower, mtbf_upper : float, [s]
        One over the mean failure rate, and limits that hold the MTBF with probability 0.9. While
        little is known, rare high rates add most to the mean, and the first is below the limits.
    cost : float, [s]
        Mean cost of the next checkpoint, recent ones counting more.
    failures : int
        How many failures it was told of.
    watched : float, [s]
        For how long it watched the job run.
    bound : {"", "least", "most", "latency", "end"}
        What made the interval another than the best one.
    level : int
        On which level the next checkpoint is, from 1, the cheapest; the last one is durable.
    periods : tuple of float, [s]
        For each level, work from one checkpoint there or above to the next; a level whose period is
        that of the level above is not used.
    survives : tuple of float, [-]
        For each level, the share of the failures that it survives, as far as it is known.
    contradiction : float, [-]
        How much likelier the failures are if nothing is stated of these shares than if what is
        stated is right. Where it is, this ever reaches 20 in at most one job of 20.
    """

    interval: float
    next_checkpoint: float
    expected_loss: float
    loss_of_waiting: float
    mtbf: float
    mtbf_lower: float
    mtbf_upper: float
    cost: float
    failures: int
    watched: float
    bound: str
    level: int
    periods: tuple[float, ...]
    survives: tuple[float, ...]
    contradiction: float
