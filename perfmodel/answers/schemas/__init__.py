"""What the JSON of answers, requests and scenarios looks like, as JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .made import KINDS as KINDS
    from .made import schema as schema

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
