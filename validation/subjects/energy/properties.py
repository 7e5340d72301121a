"""Random points for the energy of jobs, and of long ones."""

from __future__ import annotations

from perfmodel.energy import energy_per_work, expected_energy, waste_energy
from validation.judge.search import Property

from ..strategies import points_of
from .cases import each_segment, mean, share_lost

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(expected_energy, mean, points_of(expected_energy), 0.5),
    Property(waste_energy, share_lost, points_of(waste_energy), 0.5),
    Property(energy_per_work, each_segment, points_of(energy_per_work), 0.5),
)
