"""Wrong stops and goodputs of a job with standby blocks, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from perfmodel.standbys import (
    degraded_goodput,
    mean_stop,
    spares_for,
    spares_goodput,
    two_stage_goodput,
)
from validation.judge.run import Mutant

from . import fewer_blocks, one_job
from .definitions import FAULTS, long_run

__all__ = ["MUTANTS"]


def _stop(*, fault: str, **job: Any) -> float:
    return long_run(fault, **job).stop


def _goodput(*, fault: str, **job: Any) -> float:
    return long_run(fault, **job).goodput


def _degraded(*, fault: str, **job: Any) -> float:
    return fewer_blocks.degraded(fault, **job)


def _from_above(goodput: float, **job: Any) -> float:
    """Return the number by the nodes down on average, and a share of time for each."""
    del goodput
    return float(np.ceil(job["mttr"] * job["blocks"] / job["block_mtbf"]))


def _one_short(goodput: float, **job: Any) -> float:
    return max(float(spares_for(goodput, **job)) - 1.0, 0.0)


def _never_enough(goodput: float, **job: Any) -> float:
    del goodput, job
    return float("inf")


_STAGES: dict[str, dict[str, float]] = {
    "no repair is false": {"automatic_false": 0.0, "manual_false": 0.0},
    "manual repairs are true": {"manual_false": 0.0},
    "automatic repairs are true": {"automatic_false": 0.0},
    "no manual repair": {"escalated": 0.0},
    "a manual repair for every block": {"escalated": 1.0},
    "a technician for every block": {"crews": np.inf},
    "standbys never fail": {"standby_hazard": 0.0},
}


def _two_stages(*, changed: dict[str, float], **job: Any) -> float:
    return float(two_stage_goodput(**{**job, **changed}))


def _one_stage(**job: Any) -> float:
    """Return the goodput with one repair of the same mean, and no broken standbys."""
    mean = job.pop("automatic_time") + job.pop("escalated") * job.pop("manual_time")
    del job["automatic_false"], job["manual_false"]
    return float(spares_goodput(mttr=mean, **job))


MUTANTS = (
    *one_job.MUTANTS,
    *(Mutant(mean_stop, fault, partial(_stop, fault=fault)) for fault in FAULTS),
    *(
        Mutant(spares_goodput, fault, partial(_goodput, fault=fault))
        for fault in (*FAULTS, "recovery never fails")
    ),
    *(
        Mutant(degraded_goodput, fault, partial(_degraded, fault=fault))
        for fault in fewer_blocks.FAULTS
    ),
    *(
        Mutant(two_stage_goodput, fault, partial(_two_stages, changed=changed))
        for fault, changed in _STAGES.items()
    ),
    Mutant(two_stage_goodput, "one stage of the same mean", _one_stage),
    Mutant(spares_for, "blocks down on average", _from_above),
    Mutant(spares_for, "one short", _one_short),
    Mutant(spares_for, "never enough", _never_enough),
)
