"""Every wrong formula that the cases must reject: the proof that they are worth something.

A formula's assumption that is stated has a mutant without it, a misprint that is known has one
that repeats it. A mutant is a row, `Mutant(right function, fault in words, wrong function)`;
those that survive the cases fail the run, and then it is the cases that are wrong.
"""

from __future__ import annotations

from . import (
    distribution_mutants,
    downtime_mutants,
    extra_node_mutants,
    failure_feed_mutants,
    failure_log_mutants,
    fault_generator_mutants,
    fitting_mutants,
    interval_mutants,
    law_mutants,
    lifetimes_mutants,
    makespan_mutants,
    parallel_mutants,
    partition_mutants,
    proactive_mutants,
    qos_mutants,
    recovery_delay_mutants,
    recovery_mutants,
    replay_mutants,
    wsj_mutants,
)
from .judge.court import Mutant

__all__ = ["MUTANTS"]

MUTANTS: tuple[Mutant, ...] = (
    *makespan_mutants.MUTANTS,
    *proactive_mutants.MUTANTS,
    *qos_mutants.MUTANTS,
    *replay_mutants.MUTANTS,
    *recovery_mutants.MUTANTS,
    *recovery_delay_mutants.MUTANTS,
    *distribution_mutants.MUTANTS,
    *downtime_mutants.MUTANTS,
    *extra_node_mutants.MUTANTS,
    *wsj_mutants.MUTANTS,
    *interval_mutants.MUTANTS,
    *lifetimes_mutants.MUTANTS,
    *fitting_mutants.MUTANTS,
    *parallel_mutants.MUTANTS,
    *partition_mutants.MUTANTS,
    *fault_generator_mutants.MUTANTS,
    *failure_feed_mutants.MUTANTS,
    *failure_log_mutants.MUTANTS,
    *law_mutants.MUTANTS,
)
