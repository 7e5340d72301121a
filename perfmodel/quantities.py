"""What an argument is, by its name: its unit, and the range that any formula takes of it.

A formula may take less than that, and its docstring says so; a test compares each docstring with
this table. Checks, the points of the judge and changes of units read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ._checks import (
    ArrayLike,
    FloatArray,
    broadcast,
    finite,
    fraction,
    nonnegative,
    nonnegative_or_inf,
    positive,
    positive_or_inf,
    whole,
)

__all__ = ["QUANTITIES", "Domain", "Quantity", "checked"]

Domain = Literal[
    "finite",
    "positive",
    "positive_or_inf",
    "nonnegative",
    "nonnegative_or_inf",
    "fraction",
    "whole",
]

_CHECKS = {
    "finite": finite,
    "positive": positive,
    "positive_or_inf": positive_or_inf,
    "nonnegative": nonnegative,
    "nonnegative_or_inf": nonnegative_or_inf,
    "fraction": fraction,
    "whole": whole,
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """What the argument of this name is, whatever the formula.

    Parameters
    ----------
    name : str
        As in the signature.
    unit : str
        ``time``, ``power``, ``-`` for a number without a unit, and so on.
    domain : Domain
        The check of `perfmodel._checks` that the widest of its ranges passes.
    least : int
        Of a whole number, the smallest.
    """

    name: str
    unit: str
    domain: Domain
    least: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number."""
        return self.domain == "whole"

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.domain == "fraction"

    @property
    def may_be_infinite(self) -> bool:
        """Whether some formula takes inf."""
        return self.domain.endswith("_or_inf")

    def checked(self, value: ArrayLike) -> FloatArray:
        """Return `value` as float64 in the range, or raise naming the argument."""
        if self.is_whole:
            return whole(self.name, value, least=self.least)
        return _CHECKS[self.domain](self.name, value)


_NAMES: Mapping[tuple[Domain, str], str] = {
    ("positive_or_inf", "time"): "mtbf silent_mtbf node_mtbf burst_mtbf interval half_lives",
    ("positive_or_inf", "-"): "shapes",
    ("positive", "1/time"): "means",
    ("positive", "time"): """
        automatic_time block_mtbf deadline durations iteration_time longest manual_time
        observed_before observed_time period reservation resolution samples service_time
        snapshot_cost transfer_time walltime work
        """,
    ("nonnegative_or_inf", "time"): "mttr spot_life",
    ("nonnegative", "time"): """
        age censored checkpoint_cost checkpoint_cost_per_node checkpoint_costs cluster_gap detection
        detection_latency downtime durable_cost durable_recovery duration entered gaps
        input_recovery intervals latency local_cost local_recovery margin memory_cost memory_restore
        observed overhead proactive_cost queue recovery_cost recovery_costs remaining repairs
        rescheduling resize_time restore risk spot_gap start_time switch_time time unsaved
        verification_cost warm_up window works
        """,
    ("positive", "power"): "static_power",
    ("nonnegative", "power"): "compute_power down_power io_power",
    ("nonnegative", "money/time"): "on_demand_price spot_price",
    ("nonnegative", "credit/(node h)"): "allowance price",
    ("nonnegative", "h"): "runtime",
    ("nonnegative", "-"): "burst_size cv lemon_factor overlap_factor scv spreads weights",
    ("fraction", "-"): """
        automatic_false confidence cured escalated failure_probability false_alarm goodput
        lemon_share load manual_false overlap precision probability quantile recall sequential_share
        slowdown standby_hazard stopped_hazard survived together
        """,
}
_COUNTS: Mapping[int, str] = {
    0: """
        failures failures_before lemons may_miss pairs places removed standbys under_repair
        window_segments
        """,
    1: """
        blocks count crews distance durable_every every iterations jobs machine_nodes most most_sets
        nodes phases points processes tasks
        """,
}

QUANTITIES: Mapping[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        *(
            Quantity(name, unit, domain)
            for (domain, unit), names in _NAMES.items()
            for name in names.split()
        ),
        *(
            Quantity(name, "-", "whole", least)
            for least, names in _COUNTS.items()
            for name in names.split()
        ),
    )
}


def checked(**given: ArrayLike) -> tuple[FloatArray, ...]:
    """Return arguments as float64, each in the range of its name, broadcast together, or raise."""
    return broadcast(**{name: QUANTITIES[name].checked(value) for name, value in given.items()})
