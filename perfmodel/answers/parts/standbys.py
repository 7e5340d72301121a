"""What standby blocks gain, and how many a goodput takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from asking.refusals import Field, Refused, given
from asking.requests import refuse_idle

from ...interval import optimal_interval
from ...standbys import (
    degraded_goodput,
    expected_makespan_standbys,
    mean_stop,
    spares_for,
    spares_goodput,
    two_stage_goodput,
)
from ...standbys.wait import MOST_STANDBYS
from ..known.estimates import Mtbf
from ..known.machine_mtbf import mean_repair, seen_failures
from ..requests.fractions import Fractions
from ..requests.machines import SparesRequest

_STAGES = (
    *("automatic_time", "manual_time", "escalated"),
    *("automatic_false", "manual_false"),
)


@dataclass(frozen=True, slots=True)
class Needed:
    """Standby blocks for a goodput, None if none are enough; named as the goodput was typed.

    If it takes more than can be computed, that is `more_than`.
    """

    wanted: str
    standbys: int | None
    goodput: float | None
    more_than: int | None = None

    def plain(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        found = {"standbys": self.standbys, "goodput": self.goodput}
        return found if self.more_than is None else {**found, "more_than": self.more_than}


@dataclass(frozen=True, slots=True)
class StandbyAnswer:
    """A job on blocks; durations in [s], `most` its goodput if there is always a standby.

    `waiting_goodput` is what it would have if it waited instead of going on with fewer blocks.
    """

    blocks: int
    job_mtbf_s: float
    blocks_down: float
    interval_s: float
    most: float | None
    standbys: int | None = None
    mean_stop_s: float | None = None
    goodput: float | None = None
    needed: tuple[Needed, ...] = ()
    may_miss: int = 0
    waiting_goodput: float | None = None
    staged: bool = False
    work_s: float | None = None
    makespan_s: float | None = None
    seen: Mtbf | None = None

    def plain(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        found: dict[str, Any] = {
            "blocks": self.blocks,
            "job_mtbf_s": self.job_mtbf_s,
            "mean_blocks_down": self.blocks_down,
            "interval_s": self.interval_s,
        }
        if not self.staged:
            found["most_goodput"] = self.most
        if self.standbys is not None:
            found["standbys"] = self.standbys
            if not self.staged and not self.may_miss:
                found["mean_stop_s"] = self.mean_stop_s
            found["goodput"] = self.goodput
        if self.may_miss:
            found |= {"may_miss": self.may_miss, "waiting_goodput": self.waiting_goodput}
        if self.work_s is not None:
            found |= {"work_s": self.work_s, "mean_makespan_s": self.makespan_s}
        if not self.needed:
            return found
        return {**found, "needed": {each.wanted: each.plain() for each in self.needed}}


def answered(request: SparesRequest) -> StandbyAnswer:
    """Return the answer for a request that names blocks."""
    blocks = given(request.blocks, "blocks")
    seen = seen_failures(request, blocks)
    if seen is not None:
        known = _repaired(request, seen)
        return replace(answered(_at(known, blocks * seen.value)), seen=seen)
    mtbf = given(request.block_mtbf, "block_mtbf") / blocks
    if _in_stages(request):
        return _staged(request, blocks, mtbf)
    if request.standbys is not None and request.standbys > MOST_STANDBYS:
        raise Refused(
            "{} must be at most {}, got {}: take larger blocks",
            Field("standbys"),
            MOST_STANDBYS,
            request.standbys,
        )
    pool: dict[str, Any] = {**_common(request), "mttr": given(request.mttr, "mttr")}
    costs = _costs(request, mtbf)
    refuse_idle(request, "resize_time", unless=request.may_miss > 0, lead=Field("may_miss"))
    refuse_idle(request, "under_repair", unless=request.work is not None, lead=Field("work"))
    asked: dict[str, Any] = {}
    if request.may_miss:
        asked = _going_on(request, pool, costs)
    elif request.standbys is not None:
        longest = float(mean_stop(standbys=request.standbys, **pool))
        asked = {
            "standbys": request.standbys,
            "mean_stop_s": longest if math.isfinite(longest) else None,
            "goodput": float(spares_goodput(standbys=request.standbys, **pool, **costs)),
        }
    if request.work is not None:
        asked |= _one_job(request, pool, costs)
    return StandbyAnswer(
        blocks,
        mtbf,
        pool["mttr"] / mtbf,
        costs["interval"],
        _most(pool, costs),
        needed=() if request.may_miss else _needed(request.goodput, pool, costs),
        **asked,
    )


def limits_of(request: SparesRequest, found: StandbyAnswer) -> tuple[StandbyAnswer, ...]:
    """Return the answers at both limits of an MTBF that is known by its failures, if it is."""
    seen = found.seen
    if seen is None or seen.low is None or seen.high is None:
        return ()
    if not seen.failures:
        raise Refused(
            "{} must be above 0 with {}, got 0: their MTBF has no upper limit",
            Field("failures"),
            Field("blocks"),
        )
    known = _repaired(request, seen)
    fixed = replace(known, interval=found.interval_s)
    return tuple(
        replace(answered(_at(fixed, found.blocks * limit)), seen=seen)
        for limit in (seen.low, seen.high)
    )


def _repaired(request: SparesRequest, seen: Mtbf) -> SparesRequest:
    """Return the request with the mean repair of its log, where repairs have one stage."""
    if _in_stages(request):
        return request
    return replace(request, mttr=mean_repair(request, seen))


def _at(request: SparesRequest, block_mtbf: float) -> SparesRequest:
    """Return the request with an MTBF in place of the failures."""
    return replace(request, block_mtbf=block_mtbf, failures=None, observed=None, log=None)


def _in_stages(request: SparesRequest) -> bool:
    """Return whether anything is said of two stages of repair."""
    return request.says(*_STAGES)


def _common(request: SparesRequest) -> dict[str, Any]:
    """Return what a pool has whatever becomes of the blocks that failed."""
    return {
        "blocks": given(request.blocks, "blocks"),
        "block_mtbf": given(request.block_mtbf, "block_mtbf"),
        "switch_time": request.switch_time,
        "crews": math.inf if request.crews is None else request.crews,
        "standby_hazard": request.standby_hazard,
        "stopped_hazard": request.stopped_hazard,
    }


def _costs(request: SparesRequest, mtbf: float) -> dict[str, Any]:
    cost = given(request.checkpoint_cost, "checkpoint_cost")
    interval = request.interval
    if interval is None:
        interval = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
    if interval == 0.0 and (request.may_miss or request.work is not None or _in_stages(request)):
        raise Refused(
            "{} must be given where checkpoints are free, or they never end, got none",
            Field("interval"),
        )
    return {
        "interval": interval,
        "checkpoint_cost": cost,
        "recovery_cost": request.recovery_cost,
    }


def _going_on(request: SparesRequest, pool: dict[str, Any], costs: dict[str, Any]) -> Any:
    """Return the goodput of a job that goes on with fewer blocks, and of one that waits."""
    _refuse(request, "may_miss", "goodput", "work")
    standbys = given(request.standbys, "standbys")
    if request.may_miss >= pool["blocks"]:
        raise Refused(
            "{} must be less than {}, got {} of {}",
            Field("may_miss"),
            Field("blocks"),
            request.may_miss,
            pool["blocks"],
        )
    more = {"may_miss": request.may_miss, "resize_time": request.resize_time}
    return {
        "standbys": standbys,
        "may_miss": request.may_miss,
        "goodput": float(degraded_goodput(standbys=standbys, **more, **pool, **costs)),
        "waiting_goodput": float(spares_goodput(standbys=standbys, **pool, **costs)),
    }


def _one_job(request: SparesRequest, pool: dict[str, Any], costs: dict[str, Any]) -> Any:
    """Return the mean time of one job."""
    standbys = given(request.standbys, "standbys")
    if request.under_repair > standbys:
        raise Refused(
            "{} must be at most {}, got {} of {}",
            Field("under_repair"),
            Field("standbys"),
            request.under_repair,
            standbys,
        )
    mean = float(
        expected_makespan_standbys(
            given(request.work, "work"),
            standbys=standbys,
            under_repair=request.under_repair,
            **pool,
            **costs,
        )
    )
    return {"work_s": request.work, "makespan_s": mean if math.isfinite(mean) else None}


def _staged(request: SparesRequest, blocks: int, mtbf: float) -> StandbyAnswer:
    """Return the answer where a repair has two stages."""
    _refuse(
        request,
        "automatic_time",
        *("mttr", "goodput", "may_miss", "resize_time", "stopped_hazard"),
        *("work", "under_repair"),
    )
    pool = _common(request)
    del pool["stopped_hazard"]
    stages = {
        "automatic_time": given(request.automatic_time, "automatic_time"),
        "manual_time": given(request.manual_time, "manual_time"),
        "escalated": given(request.escalated, "escalated"),
        "automatic_false": request.automatic_false,
        "manual_false": request.manual_false,
    }
    standbys = given(request.standbys, "standbys")
    costs = _costs(request, mtbf)
    found = float(two_stage_goodput(standbys=standbys, **pool, **stages, **costs))
    repair = stages["automatic_time"] + stages["escalated"] * stages["manual_time"]
    return StandbyAnswer(
        blocks,
        mtbf,
        repair / mtbf,
        costs["interval"],
        None,
        standbys=standbys,
        goodput=found,
        staged=True,
    )


def _refuse(request: SparesRequest, lead: str, *names: str) -> None:
    """Refuse what says nothing of a job with `lead`."""
    for name in names:
        if request.says(name):
            raise Refused("{} must be left out with {}", Field(name), Field(lead))


def _most(pool: dict[str, Any], costs: dict[str, Any]) -> float | None:
    """Return the goodput with standbys without end, or None where crews do not keep up."""
    try:
        return float(spares_goodput(standbys=np.inf, **pool, **costs))
    except ValueError:
        if math.isinf(pool["crews"]):
            raise
        return None


def _needed(wanted: Fractions, pool: dict[str, Any], costs: dict[str, Any]) -> tuple[Needed, ...]:
    def needed(name: str, goodput: float) -> Needed:
        try:
            count = float(spares_for(goodput, **pool, **costs))
        except ValueError as error:
            if not str(error).startswith("goodput must be reached"):
                raise
            return Needed(name, None, None, more_than=MOST_STANDBYS)
        if math.isinf(count):
            return Needed(name, None, None)
        return Needed(name, int(count), float(spares_goodput(standbys=count, **pool, **costs)))

    return tuple(map(needed, wanted.names, wanted.values))
