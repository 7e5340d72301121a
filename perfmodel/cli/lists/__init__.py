"""Lists of values on a command line: every combination is answered, one table compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .command import takes_lists as takes_lists
    from .headline import Headline as Headline
    from .headline import Number as Number
    from .protocols import protocol_headline as protocol_headline
    from .table import print_answers as print_answers

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
