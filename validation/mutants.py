"""Every wrong formula that the cases must reject: the proof that they are worth something.

A formula's assumption that is stated has a mutant without it, a misprint that is known has one
that repeats it. A mutant is a row, `Mutant(right function, fault in words, wrong function)`;
those that survive the cases fail the run, and then it is the cases that are wrong.
"""

from __future__ import annotations

from .judge.court import Mutant
from .subjects.completion import mutants as completion_mutants
from .subjects.downtime import mutants as downtime_mutants
from .subjects.extra_node import mutants as extra_node_mutants
from .subjects.failure_feed import mutants as failure_feed_mutants
from .subjects.failure_log import mutants as failure_log_mutants
from .subjects.fitting import mutants as fitting_mutants
from .subjects.grid_failures import mutants as grid_failures_mutants
from .subjects.interval import mutants as interval_mutants
from .subjects.lifetimes import mutants as lifetimes_mutants
from .subjects.makespan import mutants as makespan_mutants
from .subjects.parallel import mutants as parallel_mutants
from .subjects.partition import mutants as partition_mutants
from .subjects.predicted import mutants as predicted_mutants
from .subjects.promises import mutants as promises_mutants
from .subjects.queue_delay import mutants as queue_delay_mutants
from .subjects.recovery import mutants as recovery_mutants
from .subjects.replay import mutants as replay_mutants
from .subjects.whole_laws import mutants as whole_laws_mutants
from .subjects.wsj import mutants as wsj_mutants

__all__ = ["MUTANTS"]

MUTANTS: tuple[Mutant, ...] = (
    *makespan_mutants.MUTANTS,
    *predicted_mutants.MUTANTS,
    *promises_mutants.MUTANTS,
    *replay_mutants.MUTANTS,
    *recovery_mutants.MUTANTS,
    *queue_delay_mutants.MUTANTS,
    *completion_mutants.MUTANTS,
    *downtime_mutants.MUTANTS,
    *extra_node_mutants.MUTANTS,
    *wsj_mutants.MUTANTS,
    *interval_mutants.MUTANTS,
    *lifetimes_mutants.MUTANTS,
    *fitting_mutants.MUTANTS,
    *parallel_mutants.MUTANTS,
    *partition_mutants.MUTANTS,
    *grid_failures_mutants.MUTANTS,
    *failure_feed_mutants.MUTANTS,
    *failure_log_mutants.MUTANTS,
    *whole_laws_mutants.MUTANTS,
)
