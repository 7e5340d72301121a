"""Answers about replays, as data: a request, a function, a frozen answer.

    from sim.answers import ReplayRequest, replay

    found = replay(ReplayRequest(log="jobs.swf", compare=("fcfs", "easy")))
    found.to_dict(), found.to_frame()

Durations are in seconds. What cannot be answered is refused by a `Refused`, a ValueError that
names the fields of the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from asking.refusals import Refused as Refused

    from .deadlines.question import PromisesAnswer as PromisesAnswer
    from .deadlines.question import cell_label as cell_label
    from .deadlines.question import promises as promises
    from .deadlines.quote import Offer as Offer
    from .deadlines.quote import QuoteAnswer as QuoteAnswer
    from .deadlines.quote import quote as quote
    from .deadlines.setup import PromisesSetup as PromisesSetup
    from .grids.places import first_processors as first_processors
    from .grids.places import grid_attempts as grid_attempts
    from .grids.places import processors_of_attempts as processors_of_attempts
    from .grids.question import GridAnswer as GridAnswer
    from .grids.question import GridRun as GridRun
    from .grids.question import grid as grid
    from .grids.request import FailureFormat as FailureFormat
    from .grids.request import GridRequest as GridRequest
    from .kinds import JOB_FORMAT as JOB_FORMAT
    from .logs.reports import refuse_without_submit as refuse_without_submit
    from .logs.words import of_file as of_file
    from .progress import Progress as Progress
    from .recoveries.question import RecoveryAnswer as RecoveryAnswer
    from .recoveries.question import recovery as recovery
    from .replays.question import PlayedCell as PlayedCell
    from .replays.question import ReplayAnswer as ReplayAnswer
    from .replays.question import played_cells as played_cells
    from .replays.question import replay as replay
    from .replays.requests import Allocation as Allocation
    from .replays.requests import BurstWithin as BurstWithin
    from .replays.requests import Checkpoints as Checkpoints
    from .replays.requests import DialectName as DialectName
    from .replays.requests import Estimates as Estimates
    from .replays.requests import EventOrder as EventOrder
    from .replays.requests import Forecaster as Forecaster
    from .replays.requests import LowerBands as LowerBands
    from .replays.requests import MissingWalltime as MissingWalltime
    from .replays.requests import OnFailure as OnFailure
    from .replays.requests import Oversize as Oversize
    from .replays.requests import PromisesRequest as PromisesRequest
    from .replays.requests import QuoteRequest as QuoteRequest
    from .replays.requests import Reboots as Reboots
    from .replays.requests import RecoveryRequest as RecoveryRequest
    from .replays.requests import ReplayRequest as ReplayRequest
    from .replays.requests import SchedulerName as SchedulerName
    from .replays.requests import SiteRequest as SiteRequest
    from .replays.requests import Strikes as Strikes
    from .replays.requests import Ties as Ties
    from .replays.requests import names_code as names_code
    from .schemas.made import KINDS as KINDS
    from .schemas.made import schema as schema
    from .studies.answer import StudyAnswer as StudyAnswer
    from .studies.measured import measures_of_study as measures_of_study
    from .studies.plan import Measure as Measure
    from .studies.plan import Plan as Plan
    from .studies.request import StudyRequest as StudyRequest

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
