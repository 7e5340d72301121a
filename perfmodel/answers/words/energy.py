"""Time and energy of a job at the interval that is best for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..shown import Lines, Part, Table, in_unit, percent, shared_unit, two_decimals

if TYPE_CHECKING:
    from ..parts.energy import Energies

_UNITS = {"J": 1.0, "kWh": 3.6e6, "MWh": 3.6e9, "GWh": 3.6e12}


def energy_parts(found: Energies) -> Iterator[Part]:
    """Yield one line for the least time and one for the least energy."""
    choices = {"least time": found.least_time, "least energy": found.least_energy}
    short, short_factor = shared_unit(each.interval_s for each in choices.values())
    long, long_factor = shared_unit(each.expected_makespan_s for each in choices.values())
    least = min(each.expected_energy_j for each in choices.values())
    unit = next((name for name, size in reversed(_UNITS.items()) if least >= size), "J")
    quickest = found.least_time.expected_makespan_s
    frugal = found.least_energy.expected_energy_j
    rows = [
        [
            name,
            in_unit(each.interval_s, short_factor),
            in_unit(each.expected_makespan_s, long_factor),
            two_decimals(each.expected_energy_j / _UNITS[unit]),
            percent(max(each.expected_makespan_s / quickest - 1.0, 0.0), 2),
            percent(max(each.expected_energy_j / frugal - 1.0, 0.0), 2),
        ]
        for name, each in choices.items()
    ]
    headings = [
        "interval of a long job" + (", in whole steps" if found.least_time.steps else ""),
        f"interval\n[{short}]",
        f"makespan\n[{long}]",
        f"energy\n[{unit}]",
        "more time\n[%]",
        "more energy\n[%]",
    ]
    beside = "" if found.overlap == 0.0 else f" at {percent(found.overlap, 0)} % of the speed"
    yield Lines.of(
        "Time against energy, the job"
        + (f" going on{beside} while it checkpoints:" if beside else " standing still:")
    )
    yield Table.of(headings, rows)
