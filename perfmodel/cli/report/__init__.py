"""Answers as one page of HTML that stands by itself: to send, to print, to read on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .page import Page as Page
    from .sources import reported as reported

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
