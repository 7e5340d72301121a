"""Several scenarios side by side: differences in time, money and risk, and what turns the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from asking.plain import strict

from ...planning import Plan, Variant
from ...planning.offers import Turn, cost_of_job, turns
from ..parts.plan import plain
from ..scenario import ScenarioFile, read_file
from ..shown import Answer, Part
from ..words.offers import offer_parts


@dataclass(frozen=True, slots=True)
class OffersAnswer(Answer):
    """A plan for each of several scenarios, by name, and what would turn the order of the two best.

    `to_frame` has a row for each of them.
    """

    names: tuple[str, ...]
    plans: tuple[Plan, ...]
    files: tuple[ScenarioFile, ...]
    turns: tuple[Turn, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel plan --json`` prints it."""
        offers = [
            {"name": name, **plain((Variant({}, plan),))}
            for name, plan in zip(self.names, self.plans, strict=True)
        ]
        named = [
            {**asdict(turn), "of": None if turn.of is None else self.names[turn.of]}
            for turn in self.turns
        ]
        return dict(strict({"offers": offers, "turns": named}))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield what each plan says in short; None is what the scenario does not tell."""
        for name, plan in zip(self.names, self.plans, strict=True):
            best, when, costs = plan.checkpoint, plan.completion, plan.costs
            yield {
                "offer": name,
                "protocol": None if best is None else best.protocol,
                "interval_s": None if best is None else best.interval,
                "expected_time_s": None if when is None else when.mean,
                "goodput": None if plan.goodput is None else plan.goodput.value,
                "on_time": None if when is None else when.on_time,
                "spares": None if plan.spares is None else plan.spares.needed,
                "cost": cost_of_job(plan),
                "cost_per_year": None if costs is None else costs.all_per_year,
            }

    def parts(self) -> Iterator[Part]:
        """Yield which to take, tables of time, risk and money, and what turns the order."""
        tables = [each.tables for each in self.files]
        yield from offer_parts(self.names, self.plans, tables, self.turns)


def offers(scenarios: Sequence[Path]) -> OffersAnswer:
    """Plan each of several scenario files, and compare the plans.

    Parameters
    ----------
    scenarios : sequence of Path
        At least two files, of one plan each.

    Returns
    -------
    OffersAnswer
        The plans by name: the title of each, or its file.

    Raises
    ------
    ValueError
        If a file is no scenario, or makes several plans; it names the file.
    """
    files, found = [], []
    for path in scenarios:
        try:
            read = read_file(path)
            variants = read.plans()
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from error
        if len(variants) > 1:
            raise ValueError(f"{path.name}: lists must be left out where offers are compared")
        files.append(read)
        found.append(variants[0].plan)
    names = _named(scenarios, found)
    whole = [plan for plan in found if plan.completion is not None]
    turned = turns(found) if len(whole) > 1 else ()
    return OffersAnswer(tuple(names), tuple(found), tuple(files), turned)


def _named(scenarios: Sequence[Path], found: Sequence[Plan]) -> list[str]:
    """Return names that tell the offers apart."""
    names = [plan.scenario.title or path.stem for path, plan in zip(scenarios, found, strict=True)]
    for other in ([path.name for path in scenarios], [str(path) for path in scenarios]):
        count = Counter(names)
        names = [
            name if count[name] == 1 else instead
            for name, instead in zip(names, other, strict=True)
        ]
    count = Counter(names)
    return [
        name if count[name] == 1 else f"{name} ({place})" for place, name in enumerate(names, 1)
    ]
