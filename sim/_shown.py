"""Results as tables of HTML, for notebooks; pandas escapes every text in them."""

from __future__ import annotations

import math
from collections.abc import Mapping

__all__ = ["facts_html", "span"]


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """Return a table of two columns, what and how much."""
    import pandas as pd

    values = [_plain(value) for value in facts.values()]
    frame = pd.DataFrame({title: values}, index=list(facts), dtype=object)
    return frame.to_html(border=0, justify="left")


def span(seconds: float) -> str:
    """Return a length of time in days, or in hours where it is short."""
    days = seconds / 86_400.0
    return f"{days:.4g} days" if days >= 1.0 else f"{days * 24.0:.4g} hours"


def _plain(value: object) -> object:
    is_number = isinstance(value, float) and math.isfinite(value)
    return f"{value:.6g}" if is_number else value
