"""What standby blocks gain, and how many a goodput takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...interval import optimal_interval
from ...standbys import mean_stop, spares_for, spares_goodput
from ..options.filling import given
from ..requests.fractions import Fractions
from ..requests.machines import SparesRequest

__all__ = ["Needed", "StandbyAnswer", "answered"]


@dataclass(frozen=True, slots=True)
class Needed:
    """Standby blocks for a goodput, None if none are enough; named as the goodput was typed."""

    wanted: str
    standbys: int | None
    goodput: float | None


@dataclass(frozen=True, slots=True)
class StandbyAnswer:
    """A job on blocks; durations in [s], `most` its goodput if there is always a standby."""

    blocks: int
    job_mtbf_s: float
    blocks_down: float
    interval_s: float
    most: float | None
    standbys: int | None
    mean_stop_s: float | None
    goodput: float | None
    needed: tuple[Needed, ...]

    def plain(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        found: dict[str, Any] = {
            "blocks": self.blocks,
            "job_mtbf_s": self.job_mtbf_s,
            "mean_blocks_down": self.blocks_down,
            "interval_s": self.interval_s,
            "most_goodput": self.most,
        }
        if self.standbys is not None:
            found |= {
                "standbys": self.standbys,
                "mean_stop_s": self.mean_stop_s,
                "goodput": self.goodput,
            }
        needed = {
            each.wanted: {"standbys": each.standbys, "goodput": each.goodput}
            for each in self.needed
        }
        return {**found, "needed": needed}


def answered(request: SparesRequest) -> StandbyAnswer:
    """Return the answer for a request that names blocks."""
    blocks = given(request.blocks, "--blocks")
    pool: dict[str, Any] = {
        "blocks": blocks,
        "block_mtbf": given(request.block_mtbf, "--block-mtbf"),
        "mttr": given(request.mttr, "--mttr"),
        "switch_time": request.switch_time,
        "crews": math.inf if request.crews is None else request.crews,
        "standby_hazard": request.standby_hazard,
        "stopped_hazard": request.stopped_hazard,
    }
    cost = given(request.checkpoint_cost, "--checkpoint-cost")
    mtbf = pool["block_mtbf"] / blocks
    interval = request.interval
    if interval is None:
        interval = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
    costs = {
        "interval": interval,
        "checkpoint_cost": cost,
        "recovery_cost": request.recovery_cost,
    }
    most = _most(pool, costs)
    stop = goodput = None
    if request.standbys is not None:
        longest = float(mean_stop(standbys=request.standbys, **pool))
        stop = longest if math.isfinite(longest) else None
        goodput = float(spares_goodput(standbys=request.standbys, **pool, **costs))
    return StandbyAnswer(
        blocks,
        mtbf,
        pool["mttr"] / mtbf,
        interval,
        most,
        request.standbys,
        stop,
        goodput,
        _needed(request.goodput, pool, costs),
    )


def _most(pool: dict[str, Any], costs: dict[str, Any]) -> float | None:
    """Return the goodput with standbys without end, or None where crews do not keep up."""
    try:
        return float(spares_goodput(standbys=np.inf, **pool, **costs))
    except ValueError:
        if math.isinf(pool["crews"]):
            raise
        return None


def _needed(wanted: Fractions, pool: dict[str, Any], costs: dict[str, Any]) -> tuple[Needed, ...]:
    counts = [float(spares_for(value, **pool, **costs)) for value in wanted.values]
    return tuple(
        Needed(name, None, None)
        if math.isinf(count)
        else Needed(name, int(count), float(spares_goodput(standbys=count, **pool, **costs)))
        for name, count in zip(wanted.names, counts, strict=True)
    )
