"""What a job gains in energy if it checkpoints at another interval than the quickest one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from asking.refusals import Field, Refused

from ..known.job import Job
from ..requests.powers import Powers


@dataclass(frozen=True, slots=True)
class Choice:
    """An interval [s], and the means of makespan [s] and energy [J] of the job at it."""

    interval_s: float
    steps: int | None
    expected_makespan_s: float
    expected_energy_j: float


@dataclass(frozen=True, slots=True)
class Point:
    """An interval [s], and time and energy of a long job over the least ones."""

    interval_s: float
    time: float
    energy: float


@dataclass(frozen=True, slots=True)
class Energies:
    """The intervals of a long job with the least time and with the least energy, and between.

    Both are in whole steps where these are known; the curve between is not.
    """

    static_w: float
    compute_w: float
    io_w: float
    down_w: float
    overlap: float
    least_time: Choice
    least_energy: Choice
    curve: tuple[Point, ...]


def energies(job: Job, powers: Powers, overlap: float) -> Energies:
    """Return the two best intervals, what each costs this job, and what lies between them."""
    from ...energy import expected_energy, time_energy_curve

    drawn = {
        "static_power": powers.static,
        "compute_power": powers.compute,
        "io_power": powers.io,
        "down_power": powers.down,
    }
    machine: dict[str, Any] = {**job.costs, "overlap": overlap}
    time_alone = {"static_power": 1.0, "compute_power": 0.0}

    def of_job(interval: float, weighed: dict[str, float]) -> float:
        return float(expected_energy(job.work, interval=interval, **machine, **weighed))

    try:
        curve = time_energy_curve(**machine, **drawn)
        quick, frugal = (
            job.in_steps(float(end), partial(of_job, weighed=weighed))
            for end, weighed in zip(curve.interval[[0, -1]], (time_alone, drawn), strict=True)
        )
        least_time, least_energy = (
            Choice(interval, steps, of_job(interval, time_alone), of_job(interval, drawn))
            for interval, steps in (quick, frugal)
        )
    except ValueError as error:
        raise Refused(
            "{} must be powers that floats can weigh: {}", Field("power"), error
        ) from None
    points = zip(curve.interval, curve.time, curve.energy, strict=True)
    return Energies(
        *(powers.static, powers.compute, powers.io, powers.down, overlap),
        *(least_time, least_energy),
        tuple(Point(*(float(each) for each in point)) for point in points),
    )
