"""Answers as plain data: numbers, text, lists, mappings and None."""

from __future__ import annotations

import math
from typing import Any

from .refusals import Speaker, said_by

__all__ = ["strict"]


def strict(value: Any, speaker: Speaker | None = None) -> Any:
    """Return a value of strict JSON: what is not a finite number becomes None.

    With a speaker, words name fields as that one knows them.
    """
    if isinstance(value, dict):
        return {name: strict(item, speaker) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item, speaker) for item in value]
    if isinstance(value, str) and speaker is not None:
        return said_by(speaker, value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
