"""What a job log is like, as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from asking.refusals import joined
from asking.units import human_duration

from ...answers.shown import percent
from .tables import print_facts, print_lines, print_table

if TYPE_CHECKING:
    from sim.traces import JobLogDescription

_SHARES = {"equal_size", "equal_size_independent", "overrun", "equal_to_last", "accuracy_mean"}
_SPREAD = (0.05, 0.5, 0.95)
_SIZES = 8
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_HOURS = 3  # of a column


def show_description(found: JobLogDescription, notes: tuple[str, ...], *, dated: bool) -> None:
    """Print the measures, arrivals by hour and day, the sizes most asked for, the busiest days."""
    from sim.traces import MEASURES

    left_out = f", {found.left_out:,} left out" if found.left_out else ""
    print_facts(
        [
            ("log", joined("\n", notes)),
            ("jobs", f"{found.jobs:,} that ran{left_out}, over {human_duration(found.span)}"),
            ("machine", f"{found.processors:,} processors" if found.processors else "not known"),
        ]
    )
    weeks = found.weeks
    headings = ["", "log"]
    if len(weeks) > 1:
        headings += ["5 % of\nweeks", "median\nweek", "95 % of\nweeks"]
    rows = []
    for name, words in MEASURES.items():
        values = [found.measures[name]]
        if len(weeks) > 1:
            values += [float(weeks[name].quantile(level)) for level in _SPREAD]
        rows.append([_named(name, words), *(_shown(name, value) for value in values)])
    print_lines("")
    print_table(headings, rows)
    if len(weeks) > 1:
        print_lines("", f"{len(weeks):,} whole weeks of 50 jobs or more.")
    _show_arrivals(found, dated=dated)
    _show_sizes(found)


def show_comparison(own: JobLogDescription, drawn: JobLogDescription) -> None:
    """Print how far the weeks of a log differ, and the median week of one drawn from it."""
    from sim.traces import MEASURES

    if not (len(own.weeks) > 1 and len(drawn.weeks)):
        return
    low, high = (own.weeks.quantile(level) for level in (_SPREAD[0], _SPREAD[-1]))
    week = drawn.weeks.median()
    print_lines("", "The median week of the drawn log, and where 90 % of the weeks of LOG lie:", "")
    print_table(
        ["", "drawn", "LOG\nfrom", "to"],
        [
            [_named(name, words), *(_shown(name, each[name]) for each in (week, low, high))]
            for name, words in MEASURES.items()
        ],
    )


def _show_arrivals(found: JobLogDescription, *, dated: bool) -> None:
    if dated:
        hours = found.by_hour.reshape(-1, _HOURS).sum(axis=1)
        names = [f"{_HOURS * place}-{_HOURS * (place + 1)} h" for place in range(hours.size)]
        print_lines("", "Jobs a day by hour, and by day of the week:", "")
        print_table(["", *names], [["jobs", *(f"{value:,.1f}" for value in hours)]])
        print_lines("")
        print_table(["", *_DAYS], [["jobs", *(f"{value:,.1f}" for value in found.by_weekday)]])
    days = found.days
    levels = {"least": 0.0, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "most": 1.0}
    jobs, load = (days[name].quantile(list(levels.values())).tolist() for name in ("jobs", "load"))
    rows = [["jobs", *(f"{value:,.0f}" for value in jobs)]]
    if found.processors:
        rows.append(["offered load [%]", *(percent(value, 1) for value in load)])
    print_lines("", f"Of {len(days):,} day{'s' if len(days) > 1 else ''}:", "")
    print_table(["", *levels], rows)


def _show_sizes(found: JobLogDescription) -> None:
    most = found.sizes.nlargest(_SIZES, "share").sort_values("processors")
    columns = (most[name].tolist() for name in ("processors", "share", "load_share"))
    sizes = len(found.sizes)
    said = "1" if sizes == 1 else f"{sizes:,} different ones; those most asked for"
    print_lines("", f"Sizes: {said}:", "")
    print_table(
        ["processors", "of jobs\n[%]", "of load\n[%]"],
        [
            [f"{size:,}", percent(share, 1), percent(load, 1)]
            for size, share, load in zip(*columns, strict=True)
        ],
        words=0,
    )


def plain_description(found: JobLogDescription) -> dict[str, Any]:
    """Return all of it for JSON; what is not known is null."""
    return {
        "jobs": found.jobs,
        "left_out": found.left_out,
        "processors": found.processors,
        "span_s": found.span,
        "measures": dict(found.measures),
        "weeks": found.weeks.reset_index().to_dict("records"),
        "jobs_by_hour": found.by_hour.tolist(),
        "jobs_by_weekday": found.by_weekday.tolist(),
        "days": found.days.to_dict("list"),
        "sizes": found.sizes.to_dict("list"),
    }


def _named(name: str, words: str) -> str:
    return f"{words} [%]" if name in _SHARES or name == "load" else words


def _shown(name: str, value: float) -> str:
    if math.isnan(value):
        return "-"
    if name in _SHARES or name == "load":
        return percent(value, 1)
    if name.endswith("_s"):
        return human_duration(value)
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.3g}"
