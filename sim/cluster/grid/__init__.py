"""Grids: several clusters, what jobs require of them, their failures and their replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .cancel_stranded import CancelStranded as CancelStranded
    from .failures import FailureModel as FailureModel
    from .failures import average_failure_count as average_failure_count
    from .failures import failure_count as failure_count
    from .failures import generate_failures as generate_failures
    from .files import grid_failures as grid_failures
    from .files import grid_from_frame as grid_from_frame
    from .files import read_grid as read_grid
    from .fitted import fitted_failure_model as fitted_failure_model
    from .machine import CLUSTERS as CLUSTERS
    from .machine import ClusterSpec as ClusterSpec
    from .machine import Grid as Grid
    from .machine import GridOccupancy as GridOccupancy
    from .machine import GridPlacement as GridPlacement
    from .policies.easy import GridEasy as GridEasy
    from .policies.fcfs import GridFcfs as GridFcfs
    from .policies.local_search import LocalSearch as LocalSearch
    from .policies.planned import Planned as Planned
    from .replay import GRID_POLICIES as GRID_POLICIES
    from .replay import SCENARIOS as SCENARIOS
    from .replay import SEEDED as SEEDED
    from .replay import GridReplay as GridReplay
    from .replay import replay_grid as replay_grid
    from .requirements import Requirement as Requirement
    from .requirements import partitions_in_order as partitions_in_order
    from .requirements import reconstruct as reconstruct
    from .requirements import requirements_from_frame as requirements_from_frame
    from .requirements import suitability as suitability
    from .requirements import suitability_cdf as suitability_cdf
    from .speed import ScaledRuntimes as ScaledRuntimes
    from .speed import runtime_scale as runtime_scale
    from .use import ClusterUse as ClusterUse
    from .use import use_by_cluster as use_by_cluster

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
