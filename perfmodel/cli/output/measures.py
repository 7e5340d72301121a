"""Tables of percentiles, of classes of jobs and of use over time, of one replay or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from asking.units import human_duration, natural_unit

from ...answers.shown import in_unit, percent, shared_unit, two_decimals
from .tables import print_lines, print_part, print_table

ALL = "all"  # as `sim.metrics.ALL_CLASSES`, which a test compares
BY_CLASS = "By size and running time"
_MOST_PERIODS = 60  # shown; JSON has all


def engine_words(objects: Sequence[Mapping[str, Any]]) -> str:
    """Return what played the replays of one machine."""
    engines = {row["engine"] for row in objects}
    if engines == {"kernel"}:
        return "the compiled core"
    if len(engines) == 1:
        return "the readable loop"
    by_loop = dict.fromkeys(str(row["policy"]) for row in objects if row["engine"] != "kernel")
    return f"the compiled core; the readable loop for {', '.join(by_loop)}"


def show_percentiles(heading: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Print what `spread` gives, a row for each name."""
    waits = [row["wait_percentiles_s"] for row in rows.values()]
    numbers = list(waits[0])
    unit, factor = shared_unit(row[numbers[1]] for row in waits)
    print_lines("", "Percentiles of wait and of bounded slowdown:", "")
    print_table(
        [
            heading,
            *(f"wait [{unit}]\n{number} %" for number in numbers),
            *(f"slowdown\n{number} %" for number in numbers),
        ],
        [
            [
                name,
                *(in_unit(value, factor) for value in row["wait_percentiles_s"].values()),
                *(two_decimals(value) for value in row["bounded_slowdown_percentiles"].values()),
            ]
            for name, row in rows.items()
        ],
    )


def show_classes(
    found: Mapping[str, Sequence[Mapping[str, Any]]], *, unit: str = "processors"
) -> None:
    """Print jobs, mean wait and bounded slowdown by size (down) and length (across), by name."""
    print_part(BY_CLASS)
    first = next(iter(found.values()))  # the same jobs for all
    _show_measure(f"Jobs by {unit} and running time:", first, "jobs", unit, _count)
    time, factor = shared_unit(
        row["mean_wait_s"] for rows in found.values() for row in rows if row["size"] == ALL
    )
    for name, rows in found.items():
        words = f"{name}: mean wait [{time}]:"
        _show_measure(words, rows, "mean_wait_s", unit, lambda value: in_unit(value, factor))
    for name, rows in found.items():
        words = f"{name}: mean bounded slowdown:"
        _show_measure(words, rows, "mean_bounded_slowdown", unit, two_decimals)


def _show_measure(
    words: str,
    rows: Sequence[Mapping[str, Any]],
    key: str,
    unit: str,
    shown: Callable[[float], str],
) -> None:
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    lengths = [row["length"] for row in rows if row["size"] == ALL]
    found = {(row["size"], row["length"]): shown(row[key]) for row in rows}
    print_lines("", words, "")
    print_table(
        [unit, *lengths],
        [[size, *(found.get((size, length), "") for length in lengths)] for size in sizes],
    )


def _count(value: float) -> str:
    return f"{value:,.0f}"


def show_use(heading: str, found: Mapping[str, Mapping[str, list[float]]], step: float) -> None:
    """Print use of the machine and jobs waiting, a row for each period of `step` [s]."""
    unit, factor = natural_unit(step)
    rows: list[list[str]] = []
    for name, columns in found.items():
        shown = zip(columns["from_s"], columns["utilization"], columns["waiting_jobs"], strict=True)
        rows.extend(
            [name, f"{begin / factor:,.10g}", percent(used, 1), f"{waiting:,.1f}"]
            for begin, used, waiting in islice(shown, _MOST_PERIODS)
        )
        if (more := len(columns["from_s"]) - _MOST_PERIODS) > 0:
            rows.append([name, f"{more:,} more", "", ""])
    print_lines(
        "", f"Means over periods of {human_duration(step)}, since the first submission:", ""
    )
    print_table([heading, f"from\n[{unit}]", "in use\n[%]", "jobs\nwaiting"], rows)
    if any(len(columns["from_s"]) > _MOST_PERIODS for columns in found.values()):
        print_lines("", "--json and --use-out have every period.")
