"""Every result of `grid` that we can compare, as rows: what the paper says beside what we find."""

from __future__ import annotations

from .judged import GridRow
from .metacentrum import of_metacentrum
from .others import of_the_others

__all__ = ["GridRow", "of_metacentrum", "of_the_others"]
