"""One table of several answers, with their differences in time and money."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from asking.units import DURATIONS, human_duration

from ...answers.shown import Table, chance, change, in_unit, money, percent, shared_unit
from ..output.tables import print_lines, print_parts
from .headline import Headline, Number

_HOUR, _YEAR = DURATIONS["h"], DURATIONS["y"]
_Column = tuple[str, Callable[[Headline], str]]


def print_answers(
    given: Sequence[Mapping[str, str]], answers: Sequence[Headline], *, per_year: bool
) -> None:
    """Print a line for each combination; changes are those from the first line."""
    columns = [*_numbers(answers), *_times(answers), *_shares(answers), *_costs(answers)]
    if per_year:
        columns += _years(answers)
    keys = [name.replace("_", "\n") for name in given[0]] or [""]
    rows = [
        [*(values.values() or ("now",)), *(show(answer) for _, show in columns)]
        for values, answer in zip(given, answers, strict=True)
    ]
    table = Table.of(
        *([*keys, *(heading for heading, _ in columns)], rows),
        words=len(keys),
        best=_best(answers),
    )
    print_parts([table])
    if len(answers) > 1 and any(heading.startswith("change") for heading, _ in columns):
        print_lines("", "Changes are those from the first line.")


def _best(answers: Sequence[Headline]) -> int | None:
    """Return the place of the answer with the least time, or the most of it useful, if it is one.

    Where all are equal, or not all are known, there is none.
    """
    times = [answer.time for answer in answers]
    known = times if None not in times else [answer.useful for answer in answers]
    if None in known or len(set(known)) < 2:
        return None
    found: list[Any] = list(known)
    return found.index(min(found) if None not in times else max(found))


def yearly(answer: Headline) -> dict[str, float | None]:
    """Return what is lost in a year, [s], and what that costs."""
    lost, price = _lost(answer), answer.per_hour
    return {
        "lost_per_year_s": lost,
        "lost_per_year": None if lost is None or price is None else lost / _HOUR * price,
    }


def _numbers(answers: Sequence[Headline]) -> list[_Column]:
    """Return the numbers that any of the answers has, durations in one unit."""
    names = dict.fromkeys(name for answer in answers for name in answer.numbers)
    return [_number(name, answers) for name in names]


def _number(name: str, answers: Sequence[Headline]) -> _Column:
    known = [answer.numbers[name] for answer in answers if name in answer.numbers]
    unit, factor = shared_unit(each.value or 0.0 for each in known)

    def show(answer: Headline) -> str:
        number = answer.numbers.get(name, Number("count", None))
        if number.value is None:
            return "-"
        if number.kind == "duration":
            return in_unit(number.value, factor)
        if number.kind == "chance" and number.value > 0.0:
            return chance(number.value, 2)
        if number.kind in {"share", "chance"}:
            return percent(number.value, 2)
        return f"{number.value:,.6g}"

    ends = {"duration": f"\n[{unit}]", "share": "\n[%]", "chance": "\n[%]", "count": ""}
    return f"{name}{ends[known[0].kind]}", show


def _times(answers: Sequence[Headline]) -> list[_Column]:
    if all(answer.time is None for answer in answers):
        return []
    unit, factor = shared_unit(answer.time or 0.0 for answer in answers)
    first = answers[0].time

    def time(answer: Headline) -> str:
        return "-" if answer.time is None else in_unit(answer.time, factor)

    def changed(answer: Headline) -> str:
        if answer.time is None or not first:
            return "-"
        return change(answer.time, first)

    more: list[_Column] = [("change\n[%]", changed)] if len(answers) > 1 else []
    return [(f"mean time\n[{unit}]", time), *more]


def _shares(answers: Sequence[Headline]) -> list[_Column]:
    if all(answer.useful is None for answer in answers):
        return []

    def useful(answer: Headline) -> str:
        return "-" if answer.useful is None else percent(answer.useful, 2)

    def change(answer: Headline) -> str:
        if answer.useful is None or answers[0].useful is None:
            return "-"
        return f"{100.0 * (answer.useful - answers[0].useful):+,.2f}"

    timed = any(answer.time is not None for answer in answers)
    more: list[_Column] = [("change\n[points]", change)] if len(answers) > 1 and not timed else []
    return [("goodput\n[%]", useful), *more]


def _costs(answers: Sequence[Headline]) -> list[_Column]:
    if all(_cost(answer) is None for answer in answers):
        return []
    first = _cost(answers[0])

    def cost(answer: Headline) -> str:
        return _money(_cost(answer))

    def change(answer: Headline) -> str:
        own = _cost(answer)
        if own is None or first is None:
            return "-"
        return f"{'-' if own < first else '+'}{money(abs(own - first))}"

    more: list[_Column] = [("change", change)] if len(answers) > 1 else []
    return [("cost", cost), *more]


def _years(answers: Sequence[Headline]) -> list[_Column]:
    def time(answer: Headline) -> str:
        lost = _lost(answer)
        return "-" if lost is None else human_duration(lost)

    def cost(answer: Headline) -> str:
        return _money(yearly(answer)["lost_per_year"])

    priced = any(answer.per_hour is not None for answer in answers)
    more: list[_Column] = [("cost of\nthat", cost)] if priced else []
    return [("lost in\na year", time), *more]


def _cost(answer: Headline) -> float | None:
    if answer.time is None or answer.per_hour is None:
        return None
    return answer.time / _HOUR * answer.per_hour


def _lost(answer: Headline) -> float | None:
    return None if answer.useful is None else (1.0 - answer.useful) * _YEAR


def _money(amount: float | None) -> str:
    return "-" if amount is None else money(amount)
