"""Fields that have no effect where what they belong to is not there."""

from __future__ import annotations

from asking.reading import refuse_idle_reading
from asking.refusals import Field, Said
from asking.requests import refuse_idle

from .requests import JobsRequest, SiteRequest

__all__ = ["refuse_idle_forecaster", "refuse_idle_log", "refuse_idle_parts"]


def refuse_idle_forecaster(request: SiteRequest) -> None:
    """Refuse what is said of a forecaster where nothing asks one."""
    asked = request.fault_aware or request.allocation not in (None, "least-blocking")
    refuse_idle(request, "sensitivity", "specificity", unless=asked, lead=Field("fault_aware"))


def refuse_idle_log(request: JobsRequest) -> None:
    """Refuse what is said of a failure log where there is none."""
    read, lead = request.failures is not None, Field("failures")
    of_a_log = ("failure_format", "node_names", "failures_from_start")
    refuse_idle(request, *of_a_log, unless=read, lead=lead)
    of_jobs = ("columns", "fields")
    refuse_idle_reading(request, unless=read, lead=lead, but=of_jobs)


def refuse_idle_parts(request: SiteRequest) -> None:
    """Refuse what is said of failures and checkpoints that the replay does not have."""
    drawn, read = request.mtbf is not None, request.failures is not None
    of_draws = ("weibull_shape", "new_nodes", "stationary", "burst_size", "lemon_share")
    refuse_idle(request, *of_draws, unless=drawn, lead=Field("mtbf"))
    bursts, racks = request.burst_size > 1.0, request.burst_within == "rack"
    lead = Said("{} above 1", Field("burst_size"))
    refuse_idle(request, "burst_span", "burst_within", unless=bursts, lead=lead)
    lead = Said("{} rack", Field("burst_within"))
    refuse_idle(request, "rack_size", unless=bursts and racks, lead=lead)
    lead = Said("{} above 0", Field("lemon_share"))
    refuse_idle(request, "lemon_factor", unless=request.lemon_share > 0.0, lead=lead)
    refuse_idle_log(request)
    dated = read or request.maintenance is not None
    windowed = request.since is not None or request.before is not None
    lead = Said("{} or {}", Field("failures"), Field("maintenance"))
    refuse_idle(request, "log_start", unless=dated or windowed, lead=lead)
    lead = Said("{} or {}", Field("mtbf"), Field("failures"))
    refuse_idle(request, "mttr", unless=drawn or read, lead=lead)
    lead = Said("{}, {} or {}", Field("mtbf"), Field("failures"), Field("maintenance"))
    refuse_idle(request, "on_failure", "reboots", unless=drawn or dated, lead=lead)
    checkpoints = request.checkpoint_interval is not None or request.job_checkpoints is not None
    lead = Said("{} or {}", Field("checkpoint_interval"), Field("job_checkpoints"))
    names = ("recovery_cost", "checkpoints_in_walltime")
    refuse_idle(request, *names, unless=checkpoints, lead=lead)
