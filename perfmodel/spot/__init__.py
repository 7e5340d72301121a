"""Jobs with a deadline on machines that may be taken away, with dearer ones behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .deadline import deadline_probability_spot as deadline_probability_spot
    from .deadline import expected_cost_safety_net as expected_cost_safety_net
    from .deadline import spot_probability_safety_net as spot_probability_safety_net
    from .laws import SpotOutlook as SpotOutlook
    from .laws import spot_outlook as spot_outlook

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
