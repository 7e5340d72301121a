"""What standby blocks give a job, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from asking.refusals import joined
from asking.units import human_duration

from ...estimate import CONFIDENCE
from ..shown import Facts, Part, Table, percent

if TYPE_CHECKING:
    from ..known.estimates import Mtbf
    from ..parts.standbys import Needed, StandbyAnswer


def limit_headings() -> list[str]:
    """Return the headings of what is needed at both limits of an MTBF that was counted."""
    return [f"{limit} limit\nof {CONFIDENCE:.0%}" for limit in ("lower", "upper")]


def standby_parts(found: StandbyAnswer, limits: tuple[StandbyAnswer, ...]) -> Iterator[Part]:
    """Yield the job on its blocks, its goodput, and the standbys for each goodput wanted."""
    facts: list[tuple[str, str]] = [
        *log_facts(found.seen),
        ("blocks", f"{found.blocks:,}"),
        ("job's MTBF", human_duration(found.job_mtbf_s) + basis_words(found.seen, 1)),
        ("down", f"{found.blocks_down:.4g} blocks on average if none is ever missing"),
        ("checkpoint", f"after every {human_duration(found.interval_s)} of work"),
        *_most(found),
    ]
    if found.standbys is not None and found.goodput is not None:
        facts += [("standbys", f"{found.standbys:,}"), *_stops(found)]
        goodput = f"{percent(found.goodput, 2)} % of the time"
        if limits:
            ends = " to ".join(
                f"{percent(each.goodput, 2)} %" for each in limits if each.goodput is not None
            )
            goodput += f"; within the limits of the MTBF: {ends}"
        facts += [("goodput", goodput)]
    if found.waiting_goodput is not None:
        facts += [("if it waits", f"{percent(found.waiting_goodput, 2)} % of the time")]
    if found.work_s is not None:
        takes = "longer than can be computed"
        if found.makespan_s is not None:
            takes = f"{human_duration(found.makespan_s)} on average"
        facts += [(f"{human_duration(found.work_s)} of work", takes)]
    yield Facts.of(facts)
    if not found.needed:
        return
    rows = [
        [
            each.wanted,
            _count(each),
            "-" if each.goodput is None else percent(each.goodput, 2),
            *(_count(at.needed[place]) for at in reversed(limits)),
        ]
        for place, each in enumerate(found.needed)
    ]
    heads = ["goodput wanted", "standby blocks", "goodput\n[%]"]
    yield Table.of(heads + (limit_headings() if limits else []), rows)


def _count(needed: Needed) -> str:
    if needed.more_than is not None:
        return f"more than {needed.more_than}"
    return "none suffice" if needed.standbys is None else f"{needed.standbys:,}"


def log_facts(seen: Mtbf | None) -> list[tuple[str, str]]:
    """Return the notes of the log that failures were counted in, as one fact."""
    return [("log", joined("\n", seen.log.notes))] if seen and seen.log else []


def basis_words(seen: Mtbf | None, nodes: int) -> str:
    """Return from which failures an MTBF is known, and its limits for `nodes` times as long."""
    if seen is None:
        return ""
    words = f" ({seen.words})"
    if seen.failures and seen.low is not None and seen.high is not None:
        low, high = (human_duration(nodes * limit) for limit in (seen.low, seen.high))
        words += f"; {CONFIDENCE:.0%} confidence: {low} to {high}"
    return words


def _most(found: StandbyAnswer) -> list[tuple[str, str]]:
    """Return what standbys without end would give, where that is known."""
    if found.staged:
        return []
    most = "crews do not keep up with the failures"
    if found.most is not None:
        most = f"{percent(found.most, 2)} % of the time, with a standby for every failure"
    return [("most goodput", most)]


def _stops(found: StandbyAnswer) -> list[tuple[str, str]]:
    """Return how long a failure stops a job that waits."""
    if found.staged or found.may_miss:
        return []
    stop = "ever longer"
    if found.mean_stop_s is not None:
        stop = f"{human_duration(found.mean_stop_s)} per failure on average"
    return [("stop", stop)]
