"""The answer for a site, shown: intervals by class of jobs, changes and bad nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

from asking.refusals import Field, Said, joined
from asking.units import human_count, human_duration

from ...estimate import CONFIDENCE
from ..known.outlook import UNCERTAIN
from ..known.unforeseen import Unforeseen
from ..parts.suspects import FALSE_ALARM
from ..parts.watched import PROMISED, JobClass, Watched
from ..shown import Facts, Lines, Part, Table, in_one_unit, in_unit, percent, shared_unit
from .fit import not_here

SUSPECTS = 20  # bad nodes that are printed


def watched_parts(found: Watched, *, cost: float) -> Iterator[Part]:
    """Yield what to do now, what has changed, and which nodes are bad."""
    since = human_duration(found.since_s)
    value, low, high = in_one_unit(found.node_mtbf_s, found.node_mtbf_low_s, found.node_mtbf_high_s)
    limits = f"{low} to {high}" if found.failures else f"{low} or more"
    where = "failures in the log" if found.by_log else "jobs ended by a node"
    yield Facts.of(
        [
            ("logs", joined("\n", found.notes)),
            ("window", f"the last {since}, beside the {since} before"),
            ("machine", human_count(found.nodes, "node")),
            ("failures", f"{found.failures:,} {where}, {found.failures_before:,} before"),
            ("MTBF", f"{value} of a node ({CONFIDENCE:.0%} confidence: {limits})"),
            ("change", _change(found)),
            ("checkpoint", f"{human_duration(cost)} to write"),
        ]
    )
    if not found.classes:
        yield Lines.of(f"No job ran in the last {since}.")
    else:
        yield from _classes(found.classes)
        yield Lines.of(
            "MTBF: with half a failure more than was seen, which keeps promises after few; "
            "perfmodel fit tells it without. "
            f"Share: of the node time. Promise: {PROMISED:.0%} of the jobs of median length end in "
            "this time, waits in the queue left out. No checkpoint is written at the end of a job, "
            "and none at all where the interval is longer than the job.",
            *_law(found.classes),
        )
        yield from _changes(found)
    yield from bad_node_parts(found)


def _classes(classes: tuple[JobClass, ...]) -> Iterator[Part]:
    interval, by_interval = shared_unit(one.interval_s for one in classes)
    mtbf, by_mtbf = shared_unit(one.mtbf_s for one in classes)
    length, by_length = shared_unit(one.promise_s for one in classes)
    foretold = any(one.law != "constant" for one in classes)
    yield Table.of(
        [
            "nodes",
            "jobs",
            "share\n[%]",
            f"MTBF\n[{mtbf}]",
            f"interval\n[{interval}]",
            f"before\n[{interval}]",
            "goodput\n[%]",
            f"median\n[{length}]",
            f"promise\n[{length}]",
            *([f"steady\n[{length}]"] if foretold else []),
        ],
        [
            [
                _nodes(one),
                f"{one.jobs:,}",
                percent(one.share, 1),
                in_unit(one.mtbf_s, by_mtbf),
                in_unit(one.interval_s, by_interval),
                in_unit(one.interval_before_s, by_interval),
                percent(one.goodput, 2),
                in_unit(one.length_s, by_length),
                in_unit(one.promise_s, by_length),
                *([in_unit(one.promise_constant_s, by_length)] if foretold else []),
            ]
            for one in classes
        ],
    )


def _law(classes: tuple[JobClass, ...]) -> Iterator[str]:
    """Say by which law the promises are, and why not all are by a forecast."""
    if any(one.law != "constant" for one in classes):
        yield (
            "Promises are by what the failure log says of the failures to come; steady: at the "
            "rate of the window, as intervals and goodput are."
        )
    for why, each in groupby(classes, lambda one: one.no_forecast):
        if why is None:
            continue
        first, *rest = each
        if first.law == "constant":
            yield from Unforeseen(why).reasons()
            continue
        nodes = f"{_nodes(first)}{f' to {rest[-1].most:,}' if rest else ''}"
        yield f"No forecast for {nodes} nodes: {why}. {UNCERTAIN}"


def _changes(found: Watched) -> Iterator[Part]:
    """Yield how often jobs of each class were struck, now and before."""
    yield Lines.of("Jobs that a node's failure ended, and their rate per node time:")
    yield Table.of(
        ["nodes", "now", "before", "rate now\nover before", "p", ""],
        [
            [
                _nodes(one),
                f"{one.failures:,}",
                f"{one.failures_before:,}",
                "-" if not math.isfinite(one.change.ratio) else f"{one.change.ratio:.3g}",
                f"{one.change.p_value:.2g}",
                "changed" if one.changed else "",
            ]
            for one in found.classes
        ],
    )
    if not found.covered:
        yield Lines.of("No line is called changed: the logs do not cover the window before.")
        return
    yield Lines.of(
        f"Changed: p is at most {found.level:.2g}, so that with no change anywhere a line is wrong "
        f"in at most {found.level * (1 + len(found.classes)):.0%} of all answers.",
    )


def bad_node_parts(found: Watched) -> Iterator[Part]:
    """Say which nodes fail too often, and how sure that is."""
    if found.suspects is None:
        unknown = Said("Bad nodes: unknown without {}, a log that names nodes.", Field("failures"))
        yield Lines.of(unknown)
        return
    sure = f"nodes that are alike raise such an alarm in at most {FALSE_ALARM:.0%} of all windows"
    if not found.suspects:
        yield Lines.of(f"No node fails more often than chance explains; {sure}.")
        return
    yield Lines.of(f"Nodes that fail more often than chance explains; {sure}:")
    yield Table.of(
        ["node", "failures", "expected", "probability"],
        [
            [one.node, f"{one.failures:,}", f"{one.expected:.3g}", f"{one.probability:.2g}"]
            for one in found.suspects[:SUSPECTS]
        ],
    )
    if len(found.suspects) > SUSPECTS:
        yield not_here(len(found.suspects) - SUSPECTS)


def _nodes(one: JobClass) -> str:
    return f"{one.least:,}" if one.least == one.most else f"{one.least:,} - {one.most:,}"


def _change(found: Watched) -> str:
    change = found.change
    if not found.covered:
        return "not known: the logs do not cover the window before"
    if not math.isfinite(change.ratio):
        return f"rate of failures: no ratio, p {change.p_value:.2g}"
    words = "changed" if found.changed else "no change is seen"
    high = "more" if change.upper == math.inf else f"{change.upper:.3g}"
    return (
        f"rate of failures {change.ratio:.3g} times that before "
        f"({change.confidence:.0%} confidence: {change.lower:.3g} to {high}), "
        f"p {change.p_value:.2g}: {words}"
    )
