"""The figure that a reader turns, which the script of the page draws: sliders and its data."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import numpy as np

from ...figures import BEST, OTHER, PREDICTED, WANTED
from .turning import Turning

_DIGITS = 4
_COLOURS = {"set": PREDICTED, "before": OTHER, "best": BEST, "planned": WANTED}


def view_of(turning: Turning) -> str:
    """Return sliders, a place to draw in, and what is drawn, as HTML."""
    row, column = turning.start
    sliders = "".join(
        f'<label>{escape(words)} <input type="range" min="0" max="{len(values) - 1}" step="1" '
        f'value="{now}" name="{name}"> <output>{escape(values[now])}</output></label>'
        for name, words, values, now in (
            ("mtbf", "MTBF", turning.mtbfs, row),
            ("cost", turning.turned, turning.costs, column),
        )
    )
    data = json.dumps(_data(turning), separators=(",", ":"))
    return (
        f'<div class="live"><div class="sliders">{sliders}</div>'
        '<p role="status" class="said"></p><div class="drawn"></div>'
        f'<script type="application/json">{data.replace("<", chr(92) + "u003c")}</script></div>'
    )


def _data(turning: Turning) -> dict[str, Any]:
    """Return the numbers of all curves, with few digits."""
    return {
        "mtbf": turning.mtbfs,
        "cost": turning.costs,
        "planned": _short(turning.planned),
        "across": f"work between checkpoints [{turning.unit}]",
        "ends": [_short(end) for end in turning.ends],
        "colours": _COLOURS,
        "x": [_short(each) for each in turning.intervals],
        "curves": [
            [
                {
                    "y": [_short(value) for value in each["beyond"]],
                    "best": _short(each["best"]),
                    "near": each["near"] and [_short(end) for end in each["near"]],
                    "said": each["said"],
                }
                for each in row
            ]
            for row in turning.curves
        ],
    }


def _short(value: float) -> float | None:
    """Return a number with few digits; None for one that JSON does not have."""
    return float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None
