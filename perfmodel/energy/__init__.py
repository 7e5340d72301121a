"""Energy of a job that computes on while it writes its checkpoints, and what saving it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .exact import energy_per_work as energy_per_work
    from .exact import expected_energy as expected_energy
    from .exact import waste_energy as waste_energy
    from .first_order import energy_per_work_first_order as energy_per_work_first_order
    from .first_order import (
        optimal_interval_energy_first_order as optimal_interval_energy_first_order,
    )
    from .optimum import TimeEnergyCurve as TimeEnergyCurve
    from .optimum import optimal_interval_energy as optimal_interval_energy
    from .optimum import time_energy_curve as time_energy_curve

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
