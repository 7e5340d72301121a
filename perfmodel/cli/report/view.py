"""The figure that a reader turns: Vega-Lite and its data, all of it inside the page.

The libraries come with vl-convert, which the extra `interactive` installs; it fetches nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from ...figures import BEST, OTHER, PREDICTED, WANTED
from .turning import Turning

__all__ = ["drawing_script", "view_of"]

_DIGITS = 4
_LINES = {"as set": (PREDICTED, [1, 0]), "as planned": (OTHER, [6, 4])}
_TEXT = {"labelColor": "currentColor", "titleColor": "currentColor", "labelFontSize": 13}


@cache
def drawing_script() -> str | None:
    """Return a script with all that draws views; None without vl-convert."""
    try:
        from vl_convert import javascript_bundle
    except ImportError:
        return None
    return str(javascript_bundle(files(__package__).joinpath("view.js").read_text("utf-8")))


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
    data = json.dumps({"spec": _spec(turning), **_data(turning)}, separators=(",", ":"))
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


def _spec(turning: Turning) -> dict[str, Any]:
    """Return the drawing in Vega-Lite; the page's script fills in what `now` and `at` are."""
    first, last = turning.intervals[0], turning.intervals[-1]
    across = _axis(f"work between checkpoints [{turning.unit}]", (float(first), float(last)))
    up = _axis("time beyond the work [%]", turning.ends)
    names = list(_LINES)
    line = {
        "data": {"name": "now", "values": []},
        "mark": {"type": "line", "clip": True, "strokeWidth": 2},
        "encoding": {
            "x": {"field": "x", **across},
            "y": {"field": "y", **up},
            "color": {
                "field": "line",
                "type": "nominal",
                "scale": {"domain": names, "range": [_LINES[name][0] for name in names]},
                "legend": {"title": None, "orient": "top", "symbolSize": 500, **_TEXT},
            },
            "strokeDash": {
                "field": "line",
                "type": "nominal",
                "scale": {"domain": names, "range": [_LINES[name][1] for name in names]},
            },
        },
    }
    near = {
        "data": {"name": "near", "values": []},
        "mark": {"type": "rect", "color": BEST, "opacity": 0.15, "clip": True},
        "encoding": {"x": {"field": "low", **across}, "x2": {"field": "high"}},
    }
    rule = {
        "data": {"name": "at", "values": []},
        "encoding": {"x": {"field": "x", **across}},
        "layer": [
            {
                "mark": {"type": "rule", "strokeDash": [2, 3], "strokeWidth": 2},
                "encoding": {"color": {"field": "colour", "type": "nominal", "scale": None}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 13},
                "encoding": {
                    "text": {"field": "words"},
                    "y": {"field": "y", "type": "quantitative", "scale": None},
                    "color": {"value": "currentColor"},
                },
            },
        ],
    }
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": 300,
        "background": None,
        "usermeta": {"best": BEST, "planned": WANTED},
        "config": {"font": "system-ui, sans-serif", "view": {"stroke": "currentColor"}},
        "layer": [near, line, rule],
    }


def _axis(title: str, ends: tuple[float, float]) -> Mapping[str, Any]:
    """Return a logarithmic scale with plain numbers at it."""
    colours = {"domainColor": "currentColor", "tickColor": "currentColor"}
    return {
        "type": "quantitative",
        "scale": {"type": "log", "domain": [_short(end) for end in ends], "nice": False},
        "axis": {
            "title": title,
            "values": _ticks(*ends),
            "format": "~g",
            "gridOpacity": 0.3,
            "titleFontSize": 13,
            "titleFontWeight": "normal",
            **colours,
            **_TEXT,
        },
    }


def _ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 of each power of ten within two ends."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    every = (lead * 10.0**power for power in powers for lead in (1.0, 2.0, 5.0))
    return [float(f"{each:g}") for each in every if low <= each <= high]
