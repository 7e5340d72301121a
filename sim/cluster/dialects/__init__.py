"""Rules of other simulators, by name: their event orders, limits and policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .accasim import UnenforcedEasy as UnenforcedEasy
    from .cqsim import ConservativeByRuntime as ConservativeByRuntime
    from .dialect import DIALECTS as DIALECTS
    from .dialect import Dialect as Dialect

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
