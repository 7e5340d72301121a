"""What a table of several intervals shows: those of the protocol or law that is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .headline import Headline, Number

_ASKED = {"asynchronous": "--async-latency", "levels": "--level", "energy": "--power"}


def protocol_headline(answer: Mapping[str, Any]) -> Headline:
    """Return what to show of the JSON of ``perfmodel interval``; refuse what no line can hold."""
    if "protocols" in answer:
        raise click.UsageError(
            "--compare must come with one value of each option and without --per-year: "
            "several values take --json alone"
        )
    both = [flag for key, flag in _ASKED.items() if key in answer]
    if len(both) > 1:
        raise click.UsageError(
            f"{' and '.join(both)} must not come together with several values or --per-year, "
            "got both: leave one out, or take --json alone"
        )
    shown: Headline | None = None
    if "asynchronous" in answer:
        shown = _timed(answer["asynchronous"], answer)
    elif "levels" in answer:
        shown = _layered(answer["levels"])
    elif "energy" in answer:
        shown = _frugal(answer["energy"], answer)
    elif "ageing" in answer:
        shown = _aged(answer["ageing"])
    else:
        plain = {"interval_s": answer["recommended_interval_s"]}
        shown = _timed({**answer, **plain}, answer)
    return Headline(shown.numbers, shown.time, shown.useful, answer["price_per_hour"])


def _timed(found: Mapping[str, Any], job: Mapping[str, Any]) -> Headline:
    time = found["expected_makespan_s"]
    return Headline(
        {"interval": Number("duration", found["interval_s"])},
        time=time,
        useful=None if time is None else job["work_s"] / time,
    )


def _layered(found: Mapping[str, Any]) -> Headline:
    counts = {
        f"level {number}\n1 in": Number("count", layer["every"] or None)
        for number, layer in enumerate(found["levels"], start=1)
    }
    interval = Number("duration", found["interval_s"])
    return Headline({"interval": interval, **counts}, useful=found["efficiency"])


def _frugal(found: Mapping[str, Any], job: Mapping[str, Any]) -> Headline:
    quick, frugal = found["least_time"], found["least_energy"]
    spent = frugal["expected_energy_j"]
    saved = None if not spent else 1.0 - spent / quick["expected_energy_j"]
    numbers = {
        "least\nenergy": Number("duration", frugal["interval_s"]),
        "energy\nsaved": Number("share", saved),
    }
    timed = _timed(quick, job)
    first = {"least\ntime": timed.numbers["interval"]}
    return Headline({**first, **numbers}, timed.time, timed.useful)


def _aged(found: Mapping[str, Any]) -> Headline:
    numbers = {"interval": Number("duration", found["interval_s"])}
    if found["intervals_useful_share"] is not None:
        numbers["goodput\nby age"] = Number("share", found["intervals_useful_share"])
    return Headline(numbers, found["expected_makespan_s"], found["useful_share"])
