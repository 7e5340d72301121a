"""Every answer that a command prints, as data: a request, a function, a frozen answer.

    from perfmodel.answers import IntervalRequest, interval

    found = interval(IntervalRequest(mtbf=28_800.0, checkpoint_cost=360.0))
    found.advice.best.interval_s, found.to_dict()

Durations are in seconds. What cannot be answered is refused by a `Refused`, a ValueError that
names the fields of the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from asking.refusals import Refused as Refused

    from .known.job import Job as Job
    from .parts.training import Training as Training
    from .parts.watched import Watched as Watched
    from .questions.completion import CompletionAnswer as CompletionAnswer
    from .questions.completion import completion as completion
    from .questions.energy import EnergyAnswer as EnergyAnswer
    from .questions.energy import energy as energy
    from .questions.extra import ExtraAnswer as ExtraAnswer
    from .questions.extra import NodeUse as NodeUse
    from .questions.extra import extra as extra
    from .questions.fit import FitAnswer as FitAnswer
    from .questions.fit import fit as fit
    from .questions.forecast import ForecastAnswer as ForecastAnswer
    from .questions.forecast import forecast as forecast
    from .questions.goodput import goodput as goodput
    from .questions.interval import IntervalAnswer as IntervalAnswer
    from .questions.interval import interval as interval
    from .questions.nodes import NodeCount as NodeCount
    from .questions.nodes import NodesAnswer as NodesAnswer
    from .questions.nodes import nodes as nodes
    from .questions.offers import OffersAnswer as OffersAnswer
    from .questions.offers import offers as offers
    from .questions.partition import MachineShare as MachineShare
    from .questions.partition import PartitionAnswer as PartitionAnswer
    from .questions.partition import StrategiesAnswer as StrategiesAnswer
    from .questions.partition import Strategy as Strategy
    from .questions.partition import partition as partition
    from .questions.plan import PlanAnswer as PlanAnswer
    from .questions.plan import plan as plan
    from .questions.played_schedules import Played as Played
    from .questions.simulate import SimulateAnswer as SimulateAnswer
    from .questions.simulate import simulate as simulate
    from .questions.site import SiteAnswer as SiteAnswer
    from .questions.site import site as site
    from .questions.spares import BlocksAnswer as BlocksAnswer
    from .questions.spares import SparesAnswer as SparesAnswer
    from .questions.spares import spares as spares
    from .requests.advise import AdviseRequest as AdviseRequest
    from .requests.fit import FitRequest as FitRequest
    from .requests.forecast import ForecastRequest as ForecastRequest
    from .requests.job import CompletionRequest as CompletionRequest
    from .requests.job import EnergyRequest as EnergyRequest
    from .requests.job import IntervalRequest as IntervalRequest
    from .requests.job import SimulateRequest as SimulateRequest
    from .requests.machines import ExtraRequest as ExtraRequest
    from .requests.machines import NodesRequest as NodesRequest
    from .requests.machines import PartitionRequest as PartitionRequest
    from .requests.machines import SparesRequest as SparesRequest
    from .requests.plan import PlanRequest as PlanRequest
    from .requests.training import GoodputRequest as GoodputRequest
    from .schemas.made import schema as schema
    from .shown.rendered import Answer as Answer
    from .shown.rendered import render as render
    from .sweeps.question import SweepAnswer as SweepAnswer
    from .sweeps.question import sweep as sweep
    from .sweeps.request import SweepRequest as SweepRequest

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
