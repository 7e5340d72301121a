"""Means of several answers of one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def means_of(answers: Sequence[Any]) -> Any:
    """Return an answer of the same shape: of numbers the mean of the known ones, else the first.

    Mappings and lists are gone through; they must agree in keys and lengths.
    """
    first = answers[0]
    if isinstance(first, dict):
        return {name: means_of([answer[name] for answer in answers]) for name in first}
    if isinstance(first, list):
        return [means_of(column) for column in zip(*answers, strict=True)]
    if isinstance(first, str):
        return first
    values = np.array(answers, dtype=np.float64)
    known = values[~np.isnan(values)]
    return float(np.mean(known)) if known.size else float("nan")
