"""How much work to do between two checkpoints, and what a wrong choice costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .asynchronous import optimal_interval_async as optimal_interval_async
    from .optimum import best_segments as best_segments
    from .optimum import optimal_interval as optimal_interval
    from .optimum import regret as regret
    from .predicted_failures import optimal_period_predicted as optimal_period_predicted
    from .predicted_failures import waste_predicted as waste_predicted
    from .reservation import expected_saved_work as expected_saved_work
    from .reservation import optimal_checkpoint_margin as optimal_checkpoint_margin
    from .rules import optimal_interval_closed_form as optimal_interval_closed_form
    from .rules import optimal_interval_daly as optimal_interval_daly
    from .rules import optimal_interval_daly_first_order as optimal_interval_daly_first_order
    from .rules import optimal_interval_wsj as optimal_interval_wsj
    from .rules import optimal_interval_young as optimal_interval_young

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
