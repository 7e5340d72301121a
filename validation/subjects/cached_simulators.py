"""Cached simulators: mutants reuse the replications simulated for the formula."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, cast

import sim.application

from ..judge.chance import FloatArray

__all__ = [
    "simulate_async_makespans",
    "simulate_buddy_cycles",
    "simulate_burst_interruptions",
    "simulate_chain_makespans",
    "simulate_delays_after_failure",
    "simulate_detected_late_makespans",
    "simulate_durations",
    "simulate_energies",
    "simulate_failures_to_loss",
    "simulate_iterative_makespans",
    "simulate_level_makespans",
    "simulate_makespans",
    "simulate_memory_runs",
    "simulate_mtbfs",
    "simulate_parallel_makespans",
    "simulate_platform_failures",
    "simulate_platform_makespans",
    "simulate_predicted_makespans",
    "simulate_random_cost_makespans",
    "simulate_replicated_cycles",
    "simulate_saved_work",
    "simulate_silent_makespans",
    "simulate_spare_makespans",
    "simulate_spot_jobs",
    "simulate_standby_makespans",
    "simulate_training_cycles",
    "simulate_two_level_makespans",
    "simulate_unknown_mtbf_makespans",
    "simulate_windowed_makespans",
    "simulate_wsj_makespans",
]

P = ParamSpec("P")

_KEPT = 8  # results per simulator; no comparison needs more


def once(simulate: Callable[P, FloatArray]) -> Callable[P, FloatArray]:
    """Cache the last few results of `simulate`, read-only; its arguments must be hashable."""

    @lru_cache(maxsize=_KEPT)
    @wraps(simulate)
    def play(*args: P.args, **kwargs: P.kwargs) -> FloatArray:
        replications = simulate(*args, **kwargs)
        replications.flags.writeable = False
        return replications

    return cast("Callable[P, FloatArray]", play)


simulate_async_makespans = once(sim.application.simulate_async_makespans)
simulate_buddy_cycles = once(sim.application.simulate_buddy_cycles)
simulate_failures_to_loss = once(sim.application.simulate_failures_to_loss)
simulate_burst_interruptions = once(sim.application.simulate_burst_interruptions)
simulate_makespans = once(sim.application.simulate_makespans)
simulate_windowed_makespans = once(sim.application.simulate_windowed_makespans)
simulate_wsj_makespans = once(sim.application.simulate_wsj_makespans)
simulate_parallel_makespans = once(sim.application.simulate_parallel_makespans)
simulate_predicted_makespans = once(sim.application.simulate_predicted_makespans)
simulate_platform_failures = once(sim.application.simulate_platform_failures)
simulate_platform_makespans = once(sim.application.simulate_platform_makespans)
simulate_phased_makespans = once(sim.application.simulate_phased_makespans)
simulate_random_cost_makespans = once(sim.application.simulate_random_cost_makespans)
simulate_replicated_cycles = once(sim.application.simulate_replicated_cycles)
simulate_energies = once(sim.application.simulate_energies)
simulate_detected_late_makespans = once(sim.application.simulate_detected_late_makespans)
simulate_silent_makespans = once(sim.application.simulate_silent_makespans)
simulate_saved_work = once(sim.application.simulate_saved_work)
simulate_spare_makespans = once(sim.application.simulate_spare_makespans)
simulate_spot_jobs = once(sim.application.simulate_spot_jobs)
simulate_standby_makespans = once(sim.application.simulate_standby_makespans)
simulate_iterative_makespans = once(sim.application.simulate_iterative_makespans)
simulate_level_makespans = once(sim.application.simulate_level_makespans)
simulate_two_level_makespans = once(sim.application.simulate_two_level_makespans)
simulate_mtbfs = once(sim.application.simulate_mtbfs)
simulate_unknown_mtbf_makespans = once(sim.application.simulate_unknown_mtbf_makespans)
simulate_durations = once(sim.application.simulate_durations)
simulate_delays_after_failure = once(sim.application.simulate_delays_after_failure)
simulate_memory_runs = lru_cache(maxsize=_KEPT)(sim.application.simulate_memory_runs)
simulate_training_cycles = lru_cache(maxsize=_KEPT)(sim.application.simulate_training_cycles)
simulate_chain_makespans = once(sim.application.simulate_chain_makespans)
