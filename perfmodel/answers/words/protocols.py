"""The table of checkpoint protocols, and where their order changes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from asking.units import human_duration

from ..shown import Lines, Part, Table, in_unit, percent, shared_unit, whole_number

if TYPE_CHECKING:
    from ...protocols import ProtocolTime, Recommendation

_TIE = 1e-12  # relative; of two plans that are one


def protocol_parts(found: Recommendation, *, stepped: bool) -> Iterator[Part]:
    """Yield one line per protocol, the best first, then the crossovers.

    A comparison does not keep to whole steps, which is said of a job that is `stepped`.
    """
    plans = found.protocols
    short, short_factor = shared_unit(plan.interval for plan in plans)
    long, long_factor = shared_unit(plan.expected_time for plan in plans)
    headings = [
        "protocol",
        f"interval\n[{short}]",
        "segments",
        "durable\n1 in",
        f"makespan\n[{long}]",
        "overhead\n[%]",
        "longer than\nthe best [%]",
    ]
    rows = [
        [
            _name(plan),
            in_unit(plan.interval, short_factor),
            whole_number(int(plan.segments)),
            whole_number(int(plan.durable_every)),
            in_unit(plan.expected_time, long_factor),
            percent(plan.overhead, 2),
            percent(plan.regret, 2),
        ]
        for plan in plans
    ]
    beside = ", not in whole steps" if stepped else ""
    yield Lines.of(f"Protocols, each with its best number of equal segments{beside}:")
    yield Table.of(headings, rows, best=0)
    yield Lines.of(
        *(_crossover(plan, found) for plan in plans[1:]),
        *(_error(plan) for plan in plans if plan.error > 0.0),
        *(_left_out(name, reason) for name, reason in found.left_out),
    )


def _name(plan: ProtocolTime) -> str:
    return _words(plan.protocol)


def _words(protocol: str) -> str:
    from ...protocols.table import protocol_of

    return protocol_of(protocol).known_as


def _left_out(protocol: str, reason: str) -> str:
    name = _words(protocol).capitalize()
    return f"{name}: left out, as it cannot be computed: {reason}."


def _error(plan: ProtocolTime) -> str:
    name = _name(plan).capitalize()
    if math.isinf(plan.error):
        return f"{name}: beyond the range of its rule, so that its makespan is not known."
    return f"{name}: to first order, its makespan is within {percent(plan.error, 2)} %."


def _crossover(plan: ProtocolTime, found: Recommendation) -> str:
    name, best = _name(plan).capitalize(), _name(found.best)
    if plan.regret <= _TIE:
        return f"{name}: as good as {best} at this MTBF."
    if plan.crossover is None or found.value is None:
        return f"{name}: never as good as {best} within a factor of 1,000 of this MTBF."
    side = "less" if plan.crossover < found.value else "more"
    return (
        f"{name}: at least as good as {best} at an MTBF of "
        f"{human_duration(plan.crossover)} or {side}."
    )
