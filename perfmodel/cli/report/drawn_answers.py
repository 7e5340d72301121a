"""Parts of answers in JSON that have a table or a figure of their own: spares, fitted laws."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from asking.units import natural_unit

from ... import lifetimes
from ...answers.drawn import spares_figure
from ...answers.known.repairs import CLASSES
from ...answers.words.standbys import limit_headings
from ...figures import draw_survival
from ..figures import axes_in, draw_in
from ..output.tables import print_heading, print_table
from .page import Page


def show_spares(answers: Mapping[str, Any], page: Page) -> set[str]:
    """Add the spares by the probability that they suffice; return the keys that this has shown."""
    headings = {"spares": "spare nodes", "constant_rate": "constant\nrate"}
    headings |= dict(zip(("spares_low", "spares_high"), limit_headings(), strict=True))
    shown = [name for name in headings if _are_counts(answers.get(name))]
    if "spares" not in shown:
        return set()
    shown = [name for name in shown if answers[name].keys() == answers["spares"].keys()]
    print_heading("Spares")
    print_table(
        ["they suffice with probability", *(headings[name] for name in shown)],
        [
            [chance, *(f"{answers[name][chance]:,}" for name in shown)]
            for chance in answers["spares"]
        ],
    )
    with suppress(
        KeyError, TypeError, ValueError, ArithmeticError
    ):  # changed by hand: the table alone
        nodes, mtbf, mttr = (answers[name] for name in ("nodes", "node_mtbf_s", "mttr_s"))
        at_one_rate = answers.get("constant_rate", answers["spares"])
        page.figure(
            "Probability that spares suffice, at a constant rate.",
            lambda path: draw_in(path, lambda: spares_figure(nodes, mtbf, mttr, at_one_rate)),
        )
    return set(shown)


def _are_counts(found: Any) -> bool:
    return bool(found) and isinstance(found, dict) and all(type(n) is int for n in found.values())


def draw_fits(answers: Mapping[str, Any], page: Page) -> None:
    """Add the fitted laws of uptimes and of repairs, over the percentiles that were recorded."""
    with (
        suppress(KeyError, TypeError, ValueError, ArithmeticError),
        page.columns(),
    ):  # or changed by hand
        for what in ("uptime", "repair"):
            fits = answers[f"{what}_fits"]
            if fits:
                _draw_laws(what, fits, answers[f"{what}_quantiles_s"], page)


def _draw_laws(what: str, fits: Any, percentiles: Mapping[str, float], page: Page) -> None:
    laws = {
        fit["family"]: getattr(lifetimes, CLASSES[fit["family"]])(
            **{name.removesuffix("_s"): value for name, value in fit["parameters"].items()}
        )
        for fit in sorted(fits, key=lambda fit: fit["aic"])
    }
    unit, size = natural_unit(fits[0]["mean_s"])
    alive = 100.0 - np.array([float(percent) for percent in percentiles])
    recorded = np.array(list(percentiles.values())) / size

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_survival(laws, words=what, unit=unit, size=size, ax=axes)
            axes.plot(recorded, alive, "o", color="#595959", label="recorded")
            axes.legend(frameon=False, fontsize="small", loc="lower left")

    page.figure(f"Laws of the {what}s, the best solid, over recorded percentiles.", draw)
