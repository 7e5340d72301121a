"""Scheduling policies: which waiting jobs start now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .by_name import POLICIES as POLICIES
    from .conservative import Conservative as Conservative
    from .easy import Easy as Easy
    from .fcfs import Fcfs as Fcfs

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
