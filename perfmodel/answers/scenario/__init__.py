"""Scenario files: read, checked, and one to start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .example import EXAMPLE as EXAMPLE
    from .files import LOG_KEYS as LOG_KEYS
    from .files import ScenarioFile as ScenarioFile
    from .files import read_file as read_file
    from .files import read_tables as read_tables

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
