"""The nodes of a machine and what strikes them: bursts, and renewals of some or of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .burst_gaps import simulate_burst_gaps as simulate_burst_gaps
    from .bursts import simulate_burst_interruptions as simulate_burst_interruptions
    from .renewals import Renewal as Renewal
    from .renewals import simulate_platform_failures as simulate_platform_failures
    from .renewals import simulate_platform_makespans as simulate_platform_makespans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
