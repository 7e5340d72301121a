"""Bursts: failures that strike several nodes at once, as seen by a job and by a pair of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .strikes import Placement as Placement
    from .strikes import effective_mtbf_bursts as effective_mtbf_bursts
    from .strikes import pair_mtbf_bursts as pair_mtbf_bursts

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
