"""Monte Carlo: one job with checkpoints, played many times under drawn failures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from asking.kinds import COST, POSITIVE
from asking.units import human_count

from .values import Reader, of_kind

_MOST_EVENTS = 1e9  # failures and segments of a replication; beyond, a slip of a unit is likelier

DURATIONS = (
    *("work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime", "deadline"),
)
READERS: dict[str, Reader] = {name: of_kind(COST) for name in DURATIONS}
READERS["shape"] = of_kind(POSITIVE)
NEEDED = ("work", "interval", "mtbf", "checkpoint_cost")


@dataclass(frozen=True, slots=True)
class JobPlay:
    """So many jobs a replication, with Weibull failures of a shape, 1 by default."""

    jobs: int

    def __call__(self, parameters: Mapping[str, Any], seed: int) -> dict[str, int | float | str]:
        """Return the mean time of the jobs, what it adds to the work, and the share on time."""
        from sim.application import simulate_makespans
        from sim.samplers import Exponential, Weibull

        given = dict(parameters)
        mtbf, shape, deadline = given.pop("mtbf"), given.pop("shape", 1.0), given.get("deadline")
        given.pop("deadline", None)
        _refuse_endless(self.jobs, mtbf, given)
        scale = mtbf / math.gamma(1.0 + 1.0 / shape)
        walls = simulate_makespans(
            **given,
            uptime=Exponential(mtbf) if shape == 1.0 else Weibull(shape, scale),
            replications=self.jobs,
            seed=seed,
        )
        mean = float(walls.mean())
        found: dict[str, int | float | str] = {
            "makespan_s": mean,
            "overhead": mean / given["work"] - 1.0,
        }
        if deadline is not None:
            found["on_time"] = float((walls <= deadline).mean())
        return found


def _refuse_endless(jobs: int, mtbf: float, job: Mapping[str, Any]) -> None:
    from ...makespan import expected_makespan

    failures = float(expected_makespan(**job, mtbf=mtbf)) / mtbf
    events = (failures + job["work"] / job["interval"]) * jobs
    if not events <= _MOST_EVENTS:
        raise ValueError(
            f"a replication must have at most {_MOST_EVENTS:g} events, got about {events:.3g} "
            f"in {human_count(jobs, 'job')}"
        )
