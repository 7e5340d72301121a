"""What the readers share: sources, tables, numbers, dates, and the report of every problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .limits import Limits as Limits
    from .numbers import leading_whole as leading_whole
    from .numbers import numbered as numbered
    from .report import Argument as Argument
    from .report import Findings as Findings
    from .report import LogRefused as LogRefused
    from .report import Problem as Problem
    from .report import Report as Report
    from .report import Trace as Trace
    from .sources import Limited as Limited
    from .sources import open_source as open_source
    from .sources import split_csv as split_csv
    from .sources import text_lines as text_lines
    from .times import instant as instant
    from .toml import read_toml as read_toml

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
