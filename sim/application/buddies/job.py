"""One long job whose checkpoints are images in the memory of buddies, between two failures.

The rules, in words, are the whole specification:

- The nodes make images of what they have done, `local_cost` long, and send them to their buddies,
  one after the other. Sending takes `transfer_time` at full speed; the job goes on meanwhile and
  loses `overhead`, for which sending takes `overlap_factor` times the rest longer.
- When `interval` of work is done since the last image and that image has been sent to all buddies,
  the next one is made. It counts when the first buddy has it; until then the one before counts.
- A failure, at exponential times, stops the job for `downtime`. Then the image that counts is read
  back, `transfer_time` long, and what was done since is done again. Images are sent again as if
  the image had just been made. By "double_blocking" they are sent at full speed, and the job waits.
- Failures strike all the time but in downtime. No image is ever lost with all its copies.
- A cycle begins with a failure and ends with the next.

All replications go through these steps side by side: between two failures all jobs do the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..._checks import check_fields, nonnegative, one_of, positive
from ...samplers import FloatArray
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_buddy_cycles"]

BuddyProtocol: TypeAlias = Literal["double", "double_blocking", "triple"]


@dataclass(frozen=True, slots=True)
class Buddies:
    """The checked arguments.

    Parameters
    ----------
    interval, mtbf, transfer_time : float, [time]
        Work per image, mean uptime of all nodes together, and to send an image; > 0.
    overhead, local_cost, downtime : float, [time]
        Lost while an image is sent, to make one, and dead after a failure; >= 0.
    overlap_factor : float
        How much longer sending takes for what the job saves; >= 0.
    protocol : str
        Number of buddies, and whether the job waits where images are sent again.
    """

    interval: float
    mtbf: float
    transfer_time: float
    overhead: float
    overlap_factor: float
    local_cost: float
    downtime: float
    protocol: str

    def __post_init__(self) -> None:
        check_fields(self, positive, "interval", "mtbf", "transfer_time")
        check_fields(self, nonnegative, "overhead", "overlap_factor", "local_cost", "downtime")
        one_of("protocol", self.protocol, ("double", "double_blocking", "triple"))
        if self.overhead > self.transfer_time:
            raise ValueError(
                f"overhead must be at most transfer_time, got {self.overhead} "
                f"> {self.transfer_time}"
            )

    def steps(self) -> Iterator[tuple[float, bool]]:
        """Yield, from a downtime on, how long each step takes, and if an image counts after it."""
        saved = self.transfer_time - self.overhead
        sending = self.transfer_time + self.overlap_factor * saved
        done_meanwhile = sending - self.overhead
        buddies = 2 if self.protocol == "triple" else 1
        yield self.transfer_time, False  # to read back
        if self.protocol == "double_blocking":
            yield self.transfer_time, False  # to send again
            yield self.interval, False
        else:
            for _ in range(buddies):
                yield sending, False
            yield max(self.interval - buddies * done_meanwhile, 0.0), False
        while True:
            yield self.local_cost, False
            for buddy in range(buddies):
                yield sending, buddy == 0
            yield max(self.interval - buddies * done_meanwhile, 0.0), False


def play(rng: np.random.Generator, count: int, *, job: Buddies) -> FloatArray:
    """Play `count` cycles; return how long each takes, and the work that images keep."""
    uptime = job.mtbf * rng.standard_exponential(count)
    kept, now, last = np.zeros(count), 0.0, float(uptime.max())
    for number, (span, counts) in enumerate(job.steps()):
        now += span
        if now > last:
            break
        if number > FAILURES_LIMIT:
            raise never_ends()
        if counts:
            kept[uptime >= now] += job.interval
    return np.stack([job.downtime + uptime, kept], axis=1)


def simulate_buddy_cycles(
    interval: float,
    *,
    mtbf: float,
    transfer_time: float,
    overhead: float,
    overlap_factor: float = 0.0,
    local_cost: float = 0.0,
    downtime: float = 0.0,
    protocol: BuddyProtocol = "double",
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job with images in memory from one failure to the next, `replications` times.

    Parameters
    ----------
    interval : float, [time]
        Work between two images; > 0.
    mtbf : float, [time]
        Mean uptime between failures of all nodes of the job, exponential; > 0.
    transfer_time : float, [time]
        To send an image at full speed, and to read it back; > 0.
    overhead : float, [time]
        What the job loses while an image is sent; >= 0 and at most `transfer_time`.
    overlap_factor : float
        By how much longer sending takes for what the job saves; >= 0.
    local_cost, downtime : float, [time]
        To make an image, and dead after a failure; >= 0.
    protocol : {"double", "double_blocking", "triple"}
        How many buddies, and whether the job waits where images are sent again.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications, 2): how long each cycle takes, and the work of the images that came to
        count in it.

    Raises
    ------
    RuntimeError
        If a cycle does not end within ten million steps.

    Examples
    --------
    >>> time, kept = simulate_buddy_cycles(
    ...     10.0, mtbf=100.0, transfer_time=1.0, overhead=0.5, replications=5000, seed=1
    ... ).T
    >>> bool(0.8 < kept.mean() / time.mean() < 0.95)
    True
    """
    costs = (transfer_time, overhead, overlap_factor, local_cost, downtime)
    job = Buddies(interval, mtbf, *costs, protocol)
    return in_lockstep(
        lambda rng, count: play(rng, count, job=job), replications=replications, seed=seed
    )
