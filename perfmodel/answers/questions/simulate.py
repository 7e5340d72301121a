"""The job played many times, beside what is predicted of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from asking.plain import strict
from asking.refusals import Refused
from sim.application import simulate_makespans
from sim.samplers import Exponential

from ..._checks import FloatArray
from ...makespan import expected_makespan, makespan_variance
from ..known.job import Job, filled, job_of
from ..known.unforeseen import Unforeseen
from ..logs.recorded_gaps import STARTS, play_recorded
from ..parts.advice import recommended_interval
from ..requests.job import SimulateRequest

BATCH = 5000
MOST_EVENTS = 1e9
REJECT_Z = 4.0
CONFIDENCE_Z = 1.959963984540054
COARSEST = 0.1
FEWEST = 100  # jobs, and failures in all of them, for the normal limits


@dataclass(frozen=True, slots=True)
class Comparison:
    """One predicted number beside its simulated estimate, with 95 % limits.

    `resolution` is the smallest relative error that the test notices.
    """

    quantity: str
    predicted_s: float
    simulated_s: float
    simulated_low_s: float
    simulated_high_s: float
    z: float
    resolution: float
    verdict: str


@dataclass(frozen=True, slots=True, eq=False)
class SimulateAnswer:
    """Jobs that were played, [s], beside what was predicted of them.

    `interval` is the one that was played, [s], as `request` has it too. `gaps_of_the_log` is what
    jobs took on the recorded gaps of a log, None without one.
    """

    request: SimulateRequest
    job: Job
    interval: float
    played: FloatArray
    comparisons: tuple[Comparison, ...]
    gaps_of_the_log: dict[str, float] | None

    @property
    def unforeseen(self) -> Unforeseen:
        """Why no forecast is played where there is a log."""
        return Unforeseen.with_log(self.job.mtbf.log, "jobs are played at one rate")

    @property
    def verdict(self) -> str:
        """Of all comparisons: the first that is not "agrees"."""
        verdicts = [comparison.verdict for comparison in self.comparisons]
        return next((verdict for verdict in verdicts if verdict != "agrees"), "agrees")

    @property
    def differs(self) -> bool:
        """Whether one of them differs by more than chance allows."""
        return any(comparison.verdict == "differs" for comparison in self.comparisons)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel simulate --json`` prints it."""
        log = self.job.mtbf.log
        found: dict[str, Any] = strict(
            {
                "interval_s": self.interval,
                "period_s": self.interval + self.job.checkpoint_cost,
                "replications": self.request.replications,
                **self.job.plain(),
                **self.unforeseen.plain(),
                "comparisons": [asdict(comparison) for comparison in self.comparisons],
                "verdict": self.verdict,
                "gaps_of_the_log": self.gaps_of_the_log,
                "seed": self.request.seed,
                "notes": list(log.notes if log else ()),
            }
        )
        return found


Batches = list[tuple[int, Any]]


def simulate(
    request: SimulateRequest, *, watched: Callable[[Batches], Iterable[tuple[int, Any]]] = iter
) -> SimulateAnswer:
    """Play a job many times under random failures, and compare with the prediction.

    Parameters
    ----------
    request : SimulateRequest
        The job, its machine, and how many to play; durations in [s].
    watched : function, optional
        Returns what goes through the batches, and may tell somebody how far they are.

    Returns
    -------
    SimulateAnswer
        With `comparisons` of mean and standard deviation, and `differs`.

    Raises
    ------
    Refused
        If the MTBF or the checkpoint comes in no form or in several, or the jobs would have more
        than 1e9 failures together; a ValueError that names the fields.
    """
    known = filled(request)
    job = job_of(known)
    interval = recommended_interval(job) if known.interval is None else known.interval
    _refuse_endless(job, interval, known.replications)
    played = _play(job, interval, known, watched)
    found = tuple(_compare(job, interval, played))
    return SimulateAnswer(known, job, interval, played, found, _gaps_of_the_log(job, interval))


def _refuse_endless(job: Job, interval: float, replications: int) -> None:
    failures = float(expected_makespan(job.work, interval=interval, **job.costs)) / job.mtbf.value
    if not _playable(failures, replications):
        raise Refused(
            "the simulation must play at most {:g} events, got about {:.3g} failures a job "
            "x {:,} replications",
            MOST_EVENTS,
            failures,
            replications,
        )


def _playable(failures: float, replications: int) -> bool:
    """Return whether that many failures a job can be played in reasonable time and memory."""
    return (failures + 10.0) * replications <= MOST_EVENTS


def _gaps_of_the_log(job: Job, interval: float) -> dict[str, float] | None:
    makespans = play_recorded(job, interval)
    if makespans is None:
        return None
    return {
        "mean_s": float(makespans.mean()),
        "std_s": float(makespans.std()),
        "starts": STARTS,
    }


def _play(
    job: Job,
    interval: float,
    request: SimulateRequest,
    watched: Callable[[Batches], Iterable[tuple[int, Any]]],
) -> FloatArray:
    """Return simulated makespans, [s]; batches depend on nothing but the arguments."""
    sizes = [BATCH] * (request.replications // BATCH)
    if rest := request.replications % BATCH:
        sizes.append(rest)
    seeds = np.random.SeedSequence(request.seed).generate_state(len(sizes), np.uint64)
    played = [
        simulate_makespans(
            job.work,
            interval=interval,
            uptime=Exponential(job.mtbf.value),
            checkpoint_cost=job.checkpoint_cost,
            recovery_cost=job.recovery_cost,
            downtime=job.downtime,
            replications=size,
            seed=int(batch_seed),
        )
        for size, batch_seed in watched(list(zip(sizes, seeds, strict=True)))
    ]
    return np.concatenate(played)


def _compare(job: Job, interval: float, played: FloatArray) -> list[Comparison]:
    """Compare mean and standard deviation with their predictions."""
    mean = float(expected_makespan(job.work, interval=interval, **job.costs))
    std = math.sqrt(float(makespan_variance(job.work, interval=interval, **job.costs)))
    centred = played - played.mean()
    second, fourth = float(np.mean(centred**2)), float(np.mean(centred**4))
    count = played.size
    enough = count >= FEWEST and count * mean / job.mtbf.value >= FEWEST
    std_stderr = 0.0
    if second > 0.0:
        std_stderr = math.sqrt(max(fourth - second**2, 0.0) / count) / (2.0 * math.sqrt(second))
    return [
        _comparison("mean", mean, float(played.mean()), math.sqrt(second / count), enough),
        _comparison("standard deviation", std, math.sqrt(second), std_stderr, enough),
    ]


def _comparison(
    quantity: str, predicted: float, simulated: float, stderr: float, enough: bool
) -> Comparison:
    z = (simulated - predicted) / stderr if stderr > 0.0 else math.nan
    resolution = REJECT_Z * stderr / predicted if stderr > 0.0 else math.inf
    if not enough or resolution > COARSEST:
        verdict = "too few replications to tell"
    else:
        verdict = "agrees" if abs(z) < REJECT_Z else "differs"
    half = CONFIDENCE_Z * stderr
    return Comparison(
        quantity, predicted, simulated, simulated - half, simulated + half, z, resolution, verdict
    )
