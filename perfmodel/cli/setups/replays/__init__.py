"""The parts of a replay that a request describes: machine, jobs, failures, policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...._doors import loading

if TYPE_CHECKING:
    from .credits import prices_of as prices_of
    from .credits import read_prices as read_prices
    from .failures import lemons_in_words as lemons_in_words
    from .failures import refuse_endless as refuse_endless
    from .failures import refuse_two_sources as refuse_two_sources
    from .failures import time_to_fill as time_to_fill
    from .failures import together as together
    from .maintenance import maintenance_of as maintenance_of
    from .policies import order_of as order_of
    from .promises import PromisesSetup as PromisesSetup
    from .promises import cells_of as cells_of
    from .promises import forecaster_of as forecaster_of
    from .promises import heeded as heeded
    from .promises import promises_setup as promises_setup
    from .promises import with_seed as with_seed
    from .replay import Setup as Setup
    from .replay import last_end as last_end
    from .replay import no_failures as no_failures
    from .replay import of_seed as of_seed
    from .replay import setup as setup
    from .replay import variants as variants
    from .walltimes import missing_walltimes as missing_walltimes

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
