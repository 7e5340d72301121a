"""What a plan was made for: numbers that were given, with their source, and assumed ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from asking.units import human_duration, seconds

from ...planning import Plan
from ..shown import Lines, Part, Table

_UNIT = re.compile(r"^([0-9.]+)([%A-Za-z][A-Za-z/]*)$")
_GIVEN, _ASSUMED = "given", "assumed"
_DELAYS = ("detection", "queue", "downtime", "recovery", "warm_up")


def input_parts(
    plan: Plan, tables: Mapping[str, Any], origins: Mapping[str, str]
) -> Iterator[Part]:
    """Yield one table of all inputs; `origins` say whence those are that the file does not say."""
    rows = [*_given(tables, origins), *_assumed(plan, tables), *_computed(plan)]
    assumed = sum(row[2].startswith(_ASSUMED) for row in rows)
    words = "Nothing was assumed." if not assumed else f"{assumed} of these were assumed."
    yield Lines.of(words)
    yield Table.of(["input", "value", "source"], rows, words=3)


def _given(tables: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[list[str]]:
    for section, table in tables.items():
        if isinstance(table, Mapping):
            for key, value in table.items():
                name = f"{section}.{key}"
                source = origins.get(name, _GIVEN)
                yield [name, value_words(value), "unknown" if value == "unknown" else source]


def value_words(value: Any) -> str:
    """Return a value of TOML as a reader would write it."""
    if isinstance(value, list):
        return ", ".join(map(value_words, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"
    if isinstance(value, str):
        with suppress(ValueError, OverflowError):
            return human_duration(float(seconds(value)))
        return _UNIT.sub(r"\1 \2", value)
    return str(value)


def _assumed(plan: Plan, tables: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield what the answer takes for numbers that nobody gave, and that matter to it."""
    scenario = plan.scenario
    job, how, spares = scenario.job, scenario.checkpoint, scenario.spares
    known: list[tuple[str, str, str]] = [("failures.law", scenario.failures.law, "a constant rate")]
    known += [(f"job.{name}", "0 s", "") for name in _DELAYS]
    known.append(("checkpoint.protocol", how.protocol, "the one with the least mean time"))
    if how.snapshot_cost is not None and plan.job is not None and plan.job.latency is not None:
        latency = human_duration(plan.job.latency)
        known.append(("checkpoint.latency", latency, "as long as a checkpoint takes to write"))
        known.append(("checkpoint.slowdown", "0 %", ""))
    if how.local_cost is not None:
        read = human_duration(job.recovery or 0.0)
        known.append(("checkpoint.local_recovery", read, "as long as any recovery"))
    if spares is not None:
        confidence = 0.99 if spares.confidence is None else spares.confidence
        known.append(("spares.confidence", f"{100.0 * confidence:g} %", ""))
        known.append(("spares.block_nodes", f"{spares.block_nodes:,}", ""))
        known.append(("spares.standbys", "always one", "no failure waits for a spare"))
        known.append(("spares.switch_time", "as after any failure", ""))
        known.append(("spares.standby_hazard", "0 %", "a spare does not fail before it is used"))
        if scenario.prices.node_hour is not None:
            known.append(("prices.spare_node_year", "as any other node", ""))
    if scenario.deadline.time is not None:
        chance = scenario.deadline.probability or 0.9
        known.append(("deadline.probability", f"{100.0 * chance:g} %", ""))
    if plan.mtbf is not None and plan.mtbf.low is not None:
        sure = scenario.questions.confidence or 0.95
        known.append(("questions.confidence", f"{100.0 * sure:g} %", "of the limits of the MTBF"))
    for name, value, why in known:
        section, _, key = name.partition(".")
        table = tables.get(section)
        if not (isinstance(table, Mapping) and key in table):
            yield [name, value, f"{_ASSUMED}{': ' * bool(why)}{why}"]


def _computed(plan: Plan) -> Iterator[list[str]]:
    """Yield what the job has by these inputs."""
    if plan.mtbf is not None:
        yield ["MTBF of the job", human_duration(plan.mtbf.value), plan.mtbf.words]
    if plan.job is not None and plan.scenario.checkpoint.size is not None:
        cost = human_duration(plan.job.checkpoint_cost)
        yield ["time of a checkpoint", cost, "size by bandwidth"]
