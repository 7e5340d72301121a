"""What section 5 of `wsj` leaves open: period, storage cost, CV and speeds, each played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from ..rows import Word, worst
from .prediction import Point, Task, below, half_of, play_points
from .systems import HEAVY_CV, REPAIR_CV, REPAIRS, STORAGE, Choice, Repair
from .table import SHARES, Table
from .table_rows import by_column, ratio_to_random

__all__ = ["TABLE_CHOICES", "errors", "play_errors", "table_1"]

# The default of section 3; about the best period of eq. (12) in the ranges of section 5; and one
# so long that few are written.
_INTERVALS = (2.0, 20.0, 100.0)
_STORAGES = (0.0, STORAGE)
_PAIRS = tuple(product(_INTERVALS, _STORAGES))
TABLE_CHOICES = (
    *(Choice(g, c, cv) for (g, c), cv in product(_PAIRS, (1.0, REPAIR_CV, HEAVY_CV))),
    Choice(even_speeds=True),
)
# Ends and middles of Figs 8 and 9: figure, nodes, work on each [h].
_PLACES = (
    *((8, 100, work) for work in (16.0, 64.0, 512.0)),
    *((9, nodes, 32.0) for nodes in (25, 200, 800)),
)
_BOUND = 0.10
_PLAYS = 500


def play_errors(systems: int, *, workers: int = 2) -> dict[tuple[Choice, Repair], list[Point]]:
    """Measure the error of the predicted mean with every period, storage cost and repair law."""
    kinds = list(product((Choice(interval, storage) for interval, storage in _PAIRS), REPAIRS))
    tasks = [
        Task(*place, repair, systems, _PLAYS, choice)
        for choice, repair in kinds
        for place in _PLACES
    ]
    points = play_points(tasks, "choices of Figs 8 and 9", workers=workers)
    found: dict[tuple[Choice, Repair], list[Point]] = {kind: [] for kind in kinds}
    for task, point in zip(tasks, points, strict=True):
        found[task.choice, task.repair].append(point)
    return found


def errors(found: Mapping[tuple[Choice, Repair], Sequence[Point]]) -> str:
    """Return the largest error of Figs 8 and 9 under each choice as a table."""
    lines = [
        f"| period [h] | storage [h] | figure | {' | '.join(map(str, REPAIRS))} |",
        "|---" * (3 + len(REPAIRS)) + "|",
    ]
    for choice, figure in product(dict.fromkeys(choice for choice, _ in found), (8, 9)):
        cells = []
        for repair in REPAIRS:
            points = [p for p in found[choice, repair] if p.figure == figure]
            cells.append(_worst_of(points))
        head = f"| {choice.interval:g} | {choice.storage:g} | {figure} |"
        lines.append(f"{head} {' | '.join(cells)} |")
    return "\n".join(lines)


def _worst_of(points: Sequence[Point]) -> str:
    each = [(float(p.error.mean()), half_of(p)) for p in points]
    error, half = max(each, key=lambda pair: abs(pair[0]))
    word = worst(below(error, half, _BOUND) for error, half in each)
    text = f"{100 * error:+.1f} ± {100 * half:.1f}"
    return {"fails": f"**{text}**", "unresolved": f"{text}, unresolved"}.get(word, text)


def table_1(tables: Mapping[Choice, Table]) -> str:
    """Return what becomes of Table 1 under each choice, with both shares of the rivals."""
    lines = [
        "| period [h] | storage [h] | CV | speeds even | shares | fault-aware [h] | first "
        "| random last | fault-aware / random |",
        "|---" * 9 + "|",
    ]
    for choice, table in tables.items():
        head = f"| {choice.interval:g} | {choice.storage:g} | {choice.cv:g} "
        head += f"| {'themselves' if choice.even_speeds else 'in the logarithm'} "
        lines += [f"{head}| {cells} |" for cells in _outcomes(table)]
    return "\n".join(lines)


def _outcomes(table: Table) -> Iterator[str]:
    for shares in SHARES:
        times = table.times[shares]
        aware = " ".join(f"{each.mean():.0f}" for each in times["fault-aware"])
        ratios = " ".join(f"{each.mean:.2f}" for each in ratio_to_random(times))
        first = _counted(by_column(times, first="fault-aware"))
        last = _counted(by_column(times, last="random"))
        yield " | ".join((shares, aware, first, last, ratios))


def _counted(words: Sequence[Word]) -> str:
    """Return in how many columns an order holds, is unresolved and fails."""
    return ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
