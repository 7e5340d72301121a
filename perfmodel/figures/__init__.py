"""Figures of results; they need matplotlib, which the extra `plot` installs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from ._style import BEST as BEST
    from ._style import OTHER as OTHER
    from ._style import PREDICTED as PREDICTED
    from ._style import WANTED as WANTED
    from .bars import draw_losses as draw_losses
    from .bars import draw_numbers as draw_numbers
    from .bars import draw_schedule as draw_schedule
    from .bars import draw_stacks as draw_stacks
    from .bars import draw_swings as draw_swings
    from .curves import Curve as Curve
    from .curves import Mark as Mark
    from .curves import Span as Span
    from .curves import draw_curves as draw_curves
    from .laws import draw_completion as draw_completion
    from .laws import draw_survival as draw_survival
    from .means import draw_map as draw_map
    from .means import draw_points as draw_points

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
