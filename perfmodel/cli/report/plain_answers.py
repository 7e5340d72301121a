"""JSON of any command as tables and facts: durations in a unit that suits them, dates as dates."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeGuard

from asking.units import human_duration

from ...answers.shown import chance, in_unit, percent, shared_unit, whole_number
from ...answers.words.plan import amount
from ..output.cells import Row, named_factor
from ..output.measures import show_percentiles
from ..output.tables import print_facts, print_heading, print_lines, print_table
from .drawn_answers import draw_fits, show_spares
from .jobs import draw_node_time
from .page import Page
from .studies import asked_facts, show_cells

_MOST = 200  # rows of a table, or lines
_MANY = 25  # of them, from which on they are folded
_MOMENTS = {"now", "next_checkpoint", "begin", "end", "since", "until", "at"}
# What is a share, by its name; limits and losses by class are as well.
_SHARE = re.compile(
    r"(?:^|_)(?:(?:confidence|efficiency|goodput|loss|on_time|overhead|precision|probability|q|recall"
    r"|regret|sensitivity|share|specificity|utilization)(?:_(?:low|high|value))?$|losses_)"
)
_CHANCE = re.compile(r"(?:^|_)(?:on_time|probability)(?:_(?:low|high|value))?$")
_BEYOND_ONE = re.compile(r"(?:^|_)(?:overhead|regret)$")  # shares that may be more than a whole
_UNITS = ("s", "bytes/s")  # of an input that a plan changes
_EARLIEST = 1e9  # s since 1970, from which on a number is a date rather than a duration
_LARGE = 1000.0
# What a replay is, by the names that the JSON of its command has.
_OF_CELLS = ("scenario", "policy", "utility", "case", "accuracy", "confidence")
_SHOWN_APART = {"results", "means", "options", "notes", "inputs"}
_OF_RUN = ("dropped", "repaired", "version", "seed", "options", "notes")
_WAITS = "wait_percentiles_s"


def are_rows(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    """Return whether this is a list of mappings, one at least."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def show_plain_answer(answers: Mapping[str, Any], page: Page) -> None:
    """Add what an answer holds: its rows, its numbers, then each of its parts under its name."""
    rows = answers.get("results", answers.get("means"))
    if rows is None and (cells := _cells_of([answers])):
        _show_replays([answers], cells, answers.get("recorded"), page)
        answers = {name: answers[name] for name in _OF_RUN if name in answers}
    shown = show_spares(answers, page) if "spares" in answers else set()
    own = {name: value for name, value in answers.items() if name not in _SHOWN_APART | shown}
    plain = _facts({key: each for key, each in own.items() if not isinstance(each, list | dict)})
    if are_rows(rows) and (cells := _cells_of(rows)):
        _show_replays(rows, cells, answers.get("recorded"), page)
    elif are_rows(rows):
        print_heading("Answer")
        show_rows(rows)
    if plain:
        print_heading("Numbers" if are_rows(rows) else "Answer")
        print_facts(plain)
    if "uptime_fits" in own:
        draw_fits(answers, page)
    for name, value in own.items():
        if isinstance(value, dict | list) and value and name != "recorded":
            words = named_factor(name)
            print_heading(f"{words[0].upper()}{words[1:]}")
            if isinstance(value, list) and len(value) > _MANY:
                with page.folded(f"{len(value):,} of them"):
                    _show_part(name, value)
            else:
                _show_part(name, value)
    _show_asked(answers)


def show_list(answers: Sequence[Mapping[str, Any]]) -> None:
    """Add what a command says of several values: a row for each, what was varied first."""
    print_heading("Answers")
    given = [each.get("given") for each in answers]
    show_rows(
        [
            {**(varied if isinstance(varied, dict) else {}), **each}
            for varied, each in zip(given, answers, strict=True)
        ]
    )


def _show_asked(answers: Mapping[str, Any]) -> None:
    """Add the options of a command, with units, and its notes."""
    options, notes = answers.get("options"), answers.get("notes")
    if isinstance(options, dict):
        print_heading("How it was asked")
        print_facts(asked_facts(options))
    if isinstance(notes, list) and notes:
        print_heading("Notes")
        print_lines(*map(str, notes[:_MOST]))


def _show_part(name: str, value: dict[str, Any] | list[Any]) -> None:
    if are_rows(value):
        show_rows(value)
    elif isinstance(value, list) and all(map(_is_number, value)):
        print_lines(", ".join(_word(name, each) for each in value[:_MOST]))
    elif isinstance(value, list):
        print_lines(*(_word(name, each) for each in value[:_MOST]))
    elif all(map(_is_number, value.values())):
        sign = " %" if "ntiles" in name else ""  # quantiles and percentiles
        print_facts([(f"{_name(key, None)}{sign}", _word(name, value[key])) for key in value])
    elif all(isinstance(each, dict) for each in value.values()):
        show_rows([{"": key, **each} for key, each in value.items()])
    else:
        rows = {key: each for key, each in value.items() if are_rows(each)}
        print_facts(_facts({key: each for key, each in value.items() if key not in rows}, name))
        for key, each in rows.items():
            print_lines(f"{named_factor(key)}:")
            show_rows(each)


def _facts(values: Mapping[str, Any], within: str = "") -> list[tuple[str, str]]:
    """Return what is known, each by its name; of a list all values, of a mapping each by its."""
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, dict):
            timed = "_s" if name.endswith("_s") else ""  # as are all that it has
            each_name = (f"{name.removesuffix('_s')}_{key}{timed}" for key in value)
            found += _facts(dict(zip(each_name, value.values(), strict=True)), within)
        elif isinstance(value, list) and value:
            found.append((_name(name, None), ", ".join(_word(name, each) for each in value)))
        elif value not in (None, "", []):
            share = _is_share(f"{within}_{name}", value)
            words = f"{_percent(name, value)} %" if share else _word(name, value)
            found.append((_name(name, value), words))
    return found


def _cells_of(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Return replays as cells without intervals; none where these are no replays."""
    from sim.answers import measures_of_study

    names = [name for name in _OF_CELLS if name in rows[0]]
    if not names or not measures_of_study(rows[0]):
        return []
    return [
        {
            **{name: row.get(name) for name in names},
            "metrics": {
                key: {"mean": value, "half_width": None}
                for key, value in row.items()
                if key not in _OF_CELLS
                and isinstance(value, int | float)
                and not isinstance(value, bool)
            },
        }
        for row in rows
    ]


def _show_replays(
    rows: Sequence[Mapping[str, Any]], cells: Sequence[Row], recorded: Any, page: Page
) -> None:
    """Add the measures of replays, a figure of each, and percentiles as their command does."""
    from sim.answers import measures_of_study

    names = [name for name in _OF_CELLS if name in rows[0]]
    known = dict.fromkeys(key for cell in cells for key in cell["metrics"])
    show_cells(cells, names, measures_of_study(known), page)
    spread = {", ".join(str(row.get(name)) for name in names): row for row in rows}
    if isinstance(recorded, dict):
        spread["recorded"] = recorded
    if all(map(_has_percentiles, spread.values())):
        print_heading("Percentiles")
        show_percentiles("", spread)
    with suppress(KeyError, TypeError):  # as of a grid
        draw_node_time(page, {name: row for name, row in spread.items() if name != "recorded"})


def _has_percentiles(row: Mapping[str, Any]) -> bool:
    return all(
        isinstance(found := row.get(name), dict)
        and list(found) == ["50", "90", "99"]
        and all(isinstance(value, int | float) for value in found.values())
        for name in (_WAITS, "bounded_slowdown_percentiles")
    )


def show_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows, texts first; what is a list or a mapping in any of them is left out."""
    rows = [_with_unit(row) for row in rows]
    names = [
        name
        for name in dict.fromkeys(name for row in rows for name in row)
        if not any(isinstance(row.get(name), dict | list) for row in rows)
        and any(row.get(name) is not None for row in rows)
    ]
    texts = [name for name in names if any(isinstance(row.get(name), str) for row in rows)]
    ordered = [*texts, *(name for name in names if name not in texts)]
    columns = [_column(name, [row.get(name) for row in rows[:_MOST]]) for name in ordered]
    print_table(
        [heading for heading, _ in columns],
        list(zip(*(cells for _, cells in columns), strict=True)),
        words=len(texts),
    )
    if len(rows) > _MOST:
        print_lines(f"And {len(rows) - _MOST:,} more rows.")


def _with_unit(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row in which an input that changes stands with its unit."""
    value, unit = row.get("value"), row.get("unit")
    if unit not in _UNITS or not _is_number(value):
        return row
    own = {name: each for name, each in row.items() if name != "unit"}
    return {**own, "value": amount(value, unit)}


def _column(name: str, values: Sequence[Any]) -> tuple[str, list[str]]:
    """Return the heading of a column and its cells, durations in one unit."""
    numbers = [value for value in values if value is not None]
    if numbers and all(_is_share(name, value) for value in numbers):
        cells = ["-" if value is None else _percent(name, value) for value in values]
        return f"{named_factor(name)}\n[%]", cells
    timed = name.endswith("_s") and all(map(_is_number, numbers))
    if not timed or any(_is_moment(name, value) for value in numbers):
        return named_factor(name) if name else "", [_word(name, value) for value in values]
    unit, size = shared_unit(numbers)
    cells = ["-" if value is None else in_unit(value, size) for value in values]
    return f"{named_factor(name)}\n[{unit}]", cells


def _name(name: str, value: Any) -> str:
    """Return what a number is called: its unit goes where the number says it."""
    timed = name.endswith("_s") and (value is None or _is_number(value))
    return named_factor(name if timed else f"{name}_s")


def _word(name: str, value: Any) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_words(name, value) if _is_number(value) and math.isfinite(value) else str(value)


def number_words(name: str, value: float) -> str:
    """Return a number in words: a date, a duration with its unit, or few digits."""
    if _is_moment(name, value):
        return f"{datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M:%S} UTC"
    if name.endswith("_s") and not name.endswith("_per_s"):
        return human_duration(value) if value > 0.0 else f"{value:g} s"
    if isinstance(value, int):
        return whole_number(value)
    return f"{value:,.0f}" if _LARGE <= abs(value) < 1e12 else f"{value:.4g}"


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_share(name: str, value: Any) -> TypeGuard[float]:
    most = math.inf if _BEYOND_ONE.search(name) else 1.0
    return _is_number(value) and 0.0 <= value <= most and bool(_SHARE.search(name))


def _percent(name: str, value: float) -> str:
    return (chance if value > 0.0 and _CHANCE.search(name) else percent)(value, 2)


def _is_moment(name: str, value: Any) -> bool:
    """Whether a number of seconds is a date: it is called so, and long after 1970."""
    return (
        name.removesuffix("_s") in _MOMENTS
        and _is_number(value)
        and _EARLIEST <= value < 4.0 * _EARLIEST
    )
