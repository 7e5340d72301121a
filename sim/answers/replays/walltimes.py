"""What stands in for the walltimes that a log does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asking.refusals import Field, Refused

if TYPE_CHECKING:
    from ..grids.request import GridRequest
    from .requests import MissingWalltime, SiteRequest


def missing_walltimes(request: SiteRequest | GridRequest) -> tuple[MissingWalltime, float]:
    """Return the rule and its factor, as `Workload.from_frame` takes them."""
    missing, factor = request.missing_walltime, request.walltime_factor
    if factor is not None and missing not in (None, "factor"):
        raise Refused(
            "{} must be left out with {} {}",
            *(Field("walltime_factor"), Field("missing_walltime"), missing),
        )
    if factor is None and missing == "factor":
        raise Refused(
            "{} factor must have a {}", Field("missing_walltime"), Field("walltime_factor")
        )
    return missing or ("runtime" if factor is None else "factor"), factor or 1.0
