"""Figures of answers: ``--plot FILE`` of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .file import axes_in as axes_in
    from .file import draw_in as draw_in
    from .file import plot_option as plot_option

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
