"""Answers in JSON as tables: verdicts of a validation run, or rows of replays and studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import UnionType
from typing import Any, TypeGuard

import numpy as np

from ..._checks import BoolArray, shown
from ...figures import Curve, Mark, draw_curves
from ..figures import axes_in
from ..output.tables import print_facts, print_heading, print_lines, print_table
from .page import Page
from .plain_answers import are_rows, show_list, show_plain_answer, show_rows
from .studies import is_study, show_study_answer

_MOST = 200  # rows of a table
_MOST_VERDICTS = 3000
_LEAST = 1e-9  # ratio on the map
_PARTS = ("documented", "fixed", "random")
_NUMBER = int | float | None
_OF_VERDICT: Mapping[str, type | UnionType] = {"formula": str, "passed": bool, "z": _NUMBER}
_OF_SPAN: Mapping[str, type | UnionType] = {"formula": str, "ratio": str, "judged": bool}
_KINDS: Mapping[type | UnionType, str] = {
    str: "a text",
    bool: "true or false",
    _NUMBER: "a number or null",
}


def show_answers(answers: Mapping[str, Any] | Sequence[Any], page: Page) -> None:
    """Print what an answer holds; a list of spans is the map of a validation run."""
    if not isinstance(answers, Mapping):
        if are_rows(answers) and not any("judged" in row or "formula" in row for row in answers):
            show_list(answers)
            return
        _show_map(_rows_with(answers, _OF_SPAN), page)
        return
    if "verdicts" in answers and "mutants" in answers:
        _show_verdicts(answers, page)
        return
    if "loss_of_waiting_s" in answers:
        _show_advised(answers)
    rows = answers.get("results", answers.get("means"))
    if is_study(rows):
        show_study_answer(answers, rows, page)
        return
    show_plain_answer(answers, page)


def _show_advised(answers: Mapping[str, Any]) -> None:
    """Say what a running job was advised, as the command does."""
    from ...answers.parts.advised import Advised
    from ...answers.words.advised import advised_facts

    with suppress(KeyError, TypeError):  # another command's, or changed by hand: numbers alone
        facts = advised_facts(Advised.from_dict(answers))
        print_heading("Advice")
        print_facts(facts)


def _rows_with(value: Any, names: Mapping[str, type | UnionType]) -> list[dict[str, Any]]:
    """Return the rows of a validation run, or refuse what is none."""
    if are_rows(value):
        for row in value:
            for name, kind in names.items():
                if not isinstance(row.get(name), kind):
                    raise ValueError(
                        f"{name} of a validation run must be {_KINDS[kind]}, got "
                        f"{shown(row.get(name))}"
                    )
        return value
    if value == []:
        return []
    raise ValueError(f"a validation run must have rows of values, got {shown(value)}")


def _show_verdicts(answers: Mapping[str, Any], page: Page) -> None:
    from ...registry import FORMULAS

    verdicts = _rows_with(answers["verdicts"], _OF_VERDICT)
    mutants = _rows_with(answers["mutants"], {"rejected": bool})
    failed = [row for row in verdicts if not row["passed"]]
    survived = [row for row in mutants if not row["rejected"]]
    print_heading("Verdict")
    print_lines(
        f"{len(verdicts):,} comparisons, {len(failed):,} failed; "
        f"{len(mutants):,} wrong formulas, {len(survived):,} passed for right."
    )
    print_facts(
        [
            ("tier", _word(answers.get("tier"))),
            ("seed", _word(answers.get("seed"))),
            ("limit of |z|", _word(answers.get("z_limit"))),
            ("false alarms", _word(answers.get("false_alarm_probability"))),
        ]
    )
    _draw_distances(verdicts, answers.get("z_limit"), page)
    if failed:
        print_heading("What failed")
        show_rows(failed)
    if survived:
        print_heading("What passed for right")
        show_rows(survived)
    print_heading("By formula")
    every, wrong = (Counter(row["formula"] for row in rows) for rows in (verdicts, failed))
    wrongs = Counter(row.get("formula") for row in mutants)
    far: dict[str, float] = {}
    for row in verdicts:
        far[row["formula"]] = max(far.get(row["formula"], 0.0), abs(row["z"] or 0.0))
    stated = {row.name: row for row in FORMULAS}
    print_table(
        ["formula", "comparisons", "failed", "largest |z|", "wrong ones rejected"],
        [
            [name, f"{count:,}", f"{wrong[name]:,}", f"{far[name]:.2f}", f"{wrongs[name]:,}"]
            for name, count in sorted(every.items())
        ],
    )
    print_heading("Sources and ranges")
    print_table(
        ["formula", "source", "kind", "documented for"],
        [
            [name, f"{row.source}, {row.equation}", row.kind, row.documented]
            for name, row in sorted(stated.items())
            if name in every
        ],
        words=4,
    )
    many = len(verdicts) > _MOST_VERDICTS
    print_heading(f"The first {_MOST_VERDICTS:,} comparisons" if many else "All comparisons")
    names = ("formula", "check", "point", "predicted", "observed", "z", "resolution", "passed")
    print_table(
        [name.replace("_", " ") for name in names],
        [[_word(row.get(name)) for name in names] for row in verdicts[:_MOST_VERDICTS]],
        words=3,
    )
    if many:
        print_lines(f"And {len(verdicts) - _MOST_VERDICTS:,} more, in the JSON.")


def _draw_distances(verdicts: Sequence[Mapping[str, Any]], limit: Any, page: Page) -> None:
    """Draw how far simulations were from formulas, beside what chance alone does."""
    from scipy.special import ndtr

    exact = [row for row in verdicts if row.get("kind") == "exact" and row.get("stderr")]
    found = [abs(row["z"]) for row in exact if row["z"] is not None]
    if not found:
        return
    far = np.sort(np.array(found))
    most = max(4.5, 1.05 * float(limit or 0.0), min(float(far[-1]), 10.0))
    grid = np.linspace(0.0, most, 200)
    known = 100.0 * np.searchsorted(far, grid, "right") / far.size
    curves = [
        Curve("comparisons", grid, known),
        Curve("chance alone", grid, 100.0 * (2.0 * ndtr(grid) - 1.0), dashed=True),
    ]
    marks = [Mark(f"limit: {limit:.3g}", limit, "wanted")] if isinstance(limit, float) else []

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_curves(curves, across="|z|", up="comparisons below [%]", marks=marks, ax=axes)

    page.figure(
        f"Distance of {far.size:,} simulations from exact formulas, in standard errors.", draw
    )


def _show_map(spans: Sequence[Mapping[str, Any]], page: Page) -> None:
    """Print and draw where formulas were judged, of all ranges that they are documented for."""
    missing = [row for row in spans if not row["judged"]]
    formulas = len({row["formula"] for row in spans})
    print_heading("What was judged")
    print_lines(
        f"{len(spans):,} ranges of {formulas:,} formulas; {len(missing):,} not judged to their "
        "documented ends."
    )
    _draw_map(spans, page)
    for title, rows in (("Not judged to the ends", missing), ("All ranges", spans)):
        if rows:
            print_heading(title)
            print_table(
                ["formula", "of", "documented", "judged at fixed points", "at random points"],
                [
                    [row["formula"], row["ratio"], *(_ends(row.get(part)) for part in _PARTS)]
                    for row in rows
                ],
                words=2,
            )


def _draw_map(spans: Sequence[Mapping[str, Any]], page: Page) -> None:
    """Draw how many ranges hold each ratio, and how many of these were judged there."""
    grid = np.geomspace(_LEAST, 1.0 / _LEAST, 400)

    def holding(part: str) -> BoolArray:
        held = np.zeros((len(spans), grid.size), np.bool_)
        for place, row in enumerate(spans):
            ends = row.get(part)
            if _are_ends(ends):
                held[place] = (grid >= ends[0]) & (grid <= ends[1])
        return held

    documented = holding("documented")
    judged = documented & (holding("fixed") | holding("random"))
    curves = [
        Curve("documented", grid, documented.sum(axis=0).astype(np.float64)),
        Curve("judged", grid, judged.sum(axis=0).astype(np.float64), dashed=True),
    ]

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_curves(
                curves, across="ratio of two arguments", up="ranges", logarithmic=True, ax=axes
            )

    words = "How many formulas are documented for each ratio, and judged there."
    page.figure(words, draw, wide=True)


def _are_ends(value: Any) -> TypeGuard[list[float]]:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(end, int | float) for end in value)
    )


def _ends(value: Any) -> str:
    return f"{value[0]:.3g} to {value[1]:.3g}" if _are_ends(value) else "-"


def _word(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
