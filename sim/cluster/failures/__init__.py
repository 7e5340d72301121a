"""Where failures come from: the feed of a machine, logs, and what is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .bursts import bursty_failures as bursty_failures
    from .drawn import DrawnFailures as DrawnFailures
    from .drawn import lemon_nodes as lemon_nodes
    from .feed import Failures as Failures
    from .logs import failures_from_frame as failures_from_frame
    from .logs import mapping_in_words as mapping_in_words
    from .maintenance import Maintenance as Maintenance

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
