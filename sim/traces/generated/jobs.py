"""Job logs drawn from laws, in the columns of `read_swf`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sim.samplers import Sampler

from ..._checks import shown
from ..jobs.frame import job_frame

if TYPE_CHECKING:
    import pandas as pd


def generate_jobs(
    rng: np.random.Generator,
    *,
    jobs: int,
    gaps: Sampler,
    processors: Mapping[int, float],
    runtime: Sampler,
    overestimate: Sampler | None = None,
) -> pd.DataFrame:
    """Draw a job log with independent gaps between arrivals, sizes and runtimes.

    Parameters
    ----------
    rng : numpy Generator
        Source of randomness; drawn from in the order gaps, sizes, runtimes, overestimates.
    jobs : int
        How many; the first is submitted after the first gap.
    gaps : Sampler, [s]
        Time between submissions: ``Exponential`` makes Poisson arrivals, ``Weibull`` with a
        shape below 1 bursts.
    processors : mapping
        Weight of each size [processors]; weights need not sum to 1.
    runtime : Sampler, [s]
        Rounded up to whole seconds, as logs have them.
    overestimate : Sampler, optional
        Factor [-] from runtime to requested time; below 1 counts as 1. Default: no request (-1).

    Returns
    -------
    DataFrame
        The columns of `read_swf`; status 1 (completed), all else that is not drawn -1.

    Raises
    ------
    ValueError
        If `jobs` is < 1, or `processors` holds no sizes >= 1 with weights >= 0.
    """
    if not isinstance(jobs, int | np.integer) or isinstance(jobs, bool) or jobs < 1:
        raise ValueError(f"jobs must be a whole number >= 1, got {shown(jobs)}")
    sizes = np.array(list(processors), dtype=np.int64)
    weights = np.array(list(processors.values()), dtype=np.float64)
    if sizes.size == 0 or sizes.min() < 1:
        raise ValueError(
            f"processors must be sizes >= 1 with weights, got {shown(dict(processors))}"
        )
    if not (np.isfinite(weights).all() and weights.min() >= 0.0 and weights.sum() > 0.0):
        raise ValueError(f"processors must have weights >= 0, got {shown(dict(processors))}")
    submit = np.floor(np.cumsum([gaps.sample(rng) for _ in range(jobs)]))
    size = rng.choice(sizes, jobs, p=weights / weights.sum())
    length = np.ceil([runtime.sample(rng) for _ in range(jobs)])
    walltime = np.full(jobs, -1.0)
    if overestimate is not None:
        factors = np.array([overestimate.sample(rng) for _ in range(jobs)])
        walltime = np.ceil(length * np.maximum(factors, 1.0))
    return generated_frame(submit=submit, processors=size, runtime=length, walltime=walltime)


def generated_frame(
    *,
    submit: npt.NDArray[np.float64],
    processors: npt.NDArray[np.int64],
    runtime: npt.NDArray[np.float64],
    walltime: npt.NDArray[np.float64],
) -> pd.DataFrame:
    """Build the frame of a generated log: jobs numbered from 1, all completed."""
    numbers = np.arange(1, submit.size + 1)
    return job_frame(
        {
            "job": numbers,
            "submit": submit,
            "runtime": runtime,
            "processors": processors,
            "requested_processors": processors,
            "walltime": walltime,
            "status": np.ones_like(numbers),
            "line": numbers,
        }
    )
