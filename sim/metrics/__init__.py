"""Metrics of a replay: functions of its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .classes import ALL_CLASSES as ALL_CLASSES
    from .classes import JOB_LENGTHS as JOB_LENGTHS
    from .classes import JOB_SIZES as JOB_SIZES
    from .classes import means_by_class as means_by_class
    from .over_time import mean_level as mean_level
    from .over_time import use_over_time as use_over_time
    from .promises import brier_score as brier_score
    from .promises import calibration as calibration
    from .promises import capacity_utilized as capacity_utilized
    from .promises import kept as kept
    from .promises import lost_work as lost_work
    from .promises import quality_of_service as quality_of_service
    from .qsim_classes import LENGTH_CLASSES as LENGTH_CLASSES
    from .qsim_classes import SCALE_CLASSES as SCALE_CLASSES
    from .qsim_classes import length_class as length_class
    from .qsim_classes import mean_by_class as mean_by_class
    from .qsim_classes import scale_class as scale_class
    from .replay import NodeTime as NodeTime
    from .replay import bounded_slowdown as bounded_slowdown
    from .replay import cut_by_checkpoints as cut_by_checkpoints
    from .replay import failure_slowdown as failure_slowdown
    from .replay import mean_by_name as mean_by_name
    from .replay import mean_of_known as mean_of_known
    from .replay import node_time as node_time
    from .replay import response as response
    from .replay import slowdown as slowdown
    from .replay import summary as summary
    from .replay import wait as wait
    from .spread import PERCENTILES as PERCENTILES
    from .spread import percentiles as percentiles

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
