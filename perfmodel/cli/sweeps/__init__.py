"""What `perfmodel sweep` prints and writes: an example of a study, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .example import EXAMPLE as EXAMPLE
    from .table_file import write_table as write_table

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
