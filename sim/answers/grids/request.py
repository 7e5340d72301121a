"""The jobs of a log on several clusters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from ..._units import MINUTE
from ..reading import JobLogReading
from ..replays.requests import Estimates, EventOrder, MissingWalltime, OnFailure
from ..studies.request import ALONE, StudyRequest

__all__ = ["FailureFormat", "GridRequest"]

FailureFormat: TypeAlias = Literal["metacentrum", "csv", "fta", "lanl"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRequest(JobLogReading):
    """Jobs, clusters, their failures and what the jobs require of them; durations in [s].

    None, or an empty tuple, stands for a default that depends on the files: formats follow the
    first lines of files, `missing_walltime` is runtime, `scenarios` are all that apply, `policies`
    fcfs, easy, cons and, unless runtimes are scaled or an `order` is given, ls. Failures are read
    from `failures` or drawn where `mtbf` is given; `requirements` is the name of a file,
    ``reconstruct`` or ``log``. Walltimes count with `kill` or as `estimates` only.
    """

    log: Path
    machines: Path
    job_format: str | None = None
    jobs: int | None = None
    failures: Path | None = None
    failure_format: FailureFormat | None = None
    unknown_repair: float = 20.0 * MINUTE
    origin: float | None = None
    mtbf: float | None = None
    weibull_shape: float = 1.0
    burst_size: float = 1.0
    burst_span: float = MINUTE
    lemon_share: float = 0.0
    lemon_factor: float = 10.0
    mttr: float = 20.0 * MINUTE
    maintenance: Path | None = None
    requirements: str | None = None
    reconstruct_by: tuple[str, ...] = ()
    partitions: str | None = None
    partition_map: Path | None = None
    scale_runtimes: bool = False
    missing_walltime: MissingWalltime | None = None
    walltime_factor: float | None = None
    estimates: Estimates = "runtime"
    kill: bool = False
    order: str | None = None
    event_order: EventOrder = "batch"
    policies: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    runs: int = 10
    seed: int = 0
    on_failure: OnFailure = "drop"
    keep_stranded: bool = False
    by_class: bool = False
    use_over_time: float | None = None
    study: StudyRequest = ALONE
