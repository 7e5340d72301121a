"""Claims on Table 1 of `wsj`, with even and equal-time shares of rivals, and each reliability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from sim.records import FloatArray

from ..claims import Claim, Judged, Reading, Step
from ..estimates import estimate
from .systems import Choice
from .table import COLUMNS, PRINTED, RELIABILITIES, SHARES, Table, rule_of

_BAND = 0.15
_LATE = (4, 5)  # columns in which the paper has reliability before speed
_NAMES = [f"{processes} of {machines}" for machines, processes in COLUMNS]


def claims(tables: Mapping[Choice, Table]) -> Iterator[Judged]:
    """Yield the claims, judged under every choice of what is not printed."""
    yield Judged(
        Claim(
            "Table 1",
            "fault-aware scheduling is the fastest of five rules in all six columns",
            "fastest in all",
            "the best other rule less fault-aware, above 0 in each column",
            unit="h",
            cause="P",
            why="with even shares of the rivals its lead is that of the shares; with equal-time "
            "shares it is level with speed, as a machine loses less than 1 % of its time to "
            "failures while speeds differ by 5",
        ),
        [_first(*each) for each in _readings(tables)],
    )
    yield Judged(
        Claim(
            "Table 1",
            "random selection is the slowest in all six columns",
            "slowest in all",
            "random less the worst other rule, above 0 in each column",
            unit="h",
        ),
        [_last(*each) for each in _readings(tables)],
    )
    wanted = [a / r for a, r in zip(PRINTED["fault-aware"], PRINTED["random"], strict=True)]
    yield Judged(
        Claim(
            "Table 1",
            "how much faster fault-aware is than random",
            " / ".join(f"{each:.2f}" for each in wanted),
            "the ratio within 15 % of the printed one, in each column",
            low=-_BAND,
            high=_BAND,
            cause="P",
            why="shares, speeds and work are not printed",
        ),
        [_ratio(levels, times, wanted) for levels, times, _ in _readings(tables)],
    )
    yield Judged(
        Claim(
            "Table 1",
            "speed-only is second with few processes; from 200 on, speed times reliability is "
            "before it",
            "239.4 < 275.6; 332.8 < 348.8",
            "speed-reliability less speed-only, above 0, in the columns of 200 and 400 below 0",
            unit="h",
            cause="E",
            why="the random row is 5,209 h / p + 91 h to within 0.1 h for p = 10, 20, 40: 91 h "
            "that do not shrink, while all delays of ten machines are 26 h in the mean and 61 h at "
            "the worst corner of the printed ranges; no table of these ranges has that order",
        ),
        [_changing(*each) for each in _readings(tables)],
    )


def _readings(
    tables: Mapping[Choice, Table],
) -> Iterator[tuple[dict[str, str], dict[str, FloatArray], list[str]]]:
    """Yield levels, times by rule, and the rivals of fault-aware but random."""
    for (choice, table), shares, over in product(tables.items(), SHARES, RELIABILITIES):
        levels = {
            "shares": shares,
            "reliability during": over,
            "period": f"{choice.interval:g} h",
            "CV": f"{choice.cv:g}",
            "speeds even": "themselves" if choice.even_speeds else "in the logarithm",
        }
        rules = [rule_of(rule, over) for rule in PRINTED if rule not in ("fault-aware", "random")]
        yield levels, table.times[shares], rules


def _first(levels: dict[str, str], times: dict[str, FloatArray], rivals: list[str]) -> Reading:
    """Return the lead over the rival of the least mean in each column."""
    steps = []
    for column, name in enumerate(_NAMES):
        best = min((*rivals, "random"), key=lambda rule: float(times[rule][column].mean()))
        steps.append(Step.of(name, times[best][column] - times["fault-aware"][column]))
    return Reading(levels, f"{_means(times['fault-aware'])} h", steps)


def _last(levels: dict[str, str], times: dict[str, FloatArray], rivals: list[str]) -> Reading:
    steps = []
    for column, name in enumerate(_NAMES):
        worst = max((*rivals, "fault-aware"), key=lambda rule: float(times[rule][column].mean()))
        steps.append(Step.of(name, times["random"][column] - times[worst][column]))
    return Reading(levels, f"{_means(times['random'])} h", steps)


def _ratio(levels: dict[str, str], times: dict[str, FloatArray], wanted: list[float]) -> Reading:
    steps, texts = [], []
    for column, (name, printed) in enumerate(zip(_NAMES, wanted, strict=True)):
        aware, random = times["fault-aware"][column], times["random"][column]
        ratio = float(aware.mean() / random.mean())
        half = estimate((aware - ratio * random) / random.mean()).half
        steps.append(Step(name, ratio / printed - 1.0, half / printed, aware.size))
        texts.append(f"{ratio:.2f}")
    return Reading(levels, " / ".join(texts), steps)


def _changing(levels: dict[str, str], times: dict[str, FloatArray], rivals: list[str]) -> Reading:
    both = next(rule for rule in rivals if rule.startswith("speed-reliability"))
    steps = [
        Step.of(name, (times[both][c] - times["speed-only"][c]) * (-1.0 if c in _LATE else 1.0))
        for c, name in enumerate(_NAMES)
    ]
    return Reading(levels, f"{_means(times[both])} h", steps)


def _means(times: FloatArray) -> str:
    return " / ".join(f"{each.mean():.0f}" for each in times)
