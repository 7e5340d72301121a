"""What a job costs, and a year of its machine: nodes, spares, energy, and what is lost of it."""

from __future__ import annotations

import math

import numpy as np

from asking.units import DURATIONS

from .answers import Costs
from .case import Case

_HOUR, _YEAR = DURATIONS["h"], DURATIONS["y"]
_KWH = 3.6e6


def costs_of(
    case: Case,
    goodput: float,
    ended: float | None = None,
    *,
    foretold: bool = False,
) -> Costs | None:
    """Return prices of the job and of its machine, or None where there is no price and no power.

    The job is paid for until it has `ended` [s], if that is not its time at a constant rate; energy
    is that of a constant rate, which it says where the others are `foretold`.
    """
    scenario, job = case.scenario, case.job
    prices, nodes, time = scenario.prices, scenario.machine.nodes, case.chosen.expected_time
    paid = time if ended is None else ended
    energy, why_not = _energy(case)
    if prices.node_hour is None and energy is None and why_not is None:
        return None
    if prices.node_hour is not None and nodes is None:
        raise ValueError("prices.node_hour must come with machine.nodes, got it alone")
    bill = _bill(energy, prices.kwh)
    hourly = None if prices.node_hour is None or nodes is None else prices.node_hour * nodes
    yearly = None if hourly is None else hourly * _YEAR / _HOUR
    spares = _spares(case)
    power = None if bill is None or not time < math.inf else bill * _YEAR / time
    known = [each for each in (yearly, spares, power) if each is not None]
    return Costs(
        job=None if hourly is None else hourly * paid / _HOUR,
        job_lost=None if hourly is None else hourly * (paid - job.work) / _HOUR,
        per_hour=hourly,
        per_year=yearly,
        lost_per_year=None if yearly is None else (1.0 - goodput) * yearly,
        spares_per_year=spares,
        energy_per_year=power,
        all_per_year=sum(known) if known else None,
        energy=energy,
        energy_cost=bill,
        energy_law=None if energy is None or not foretold else "constant",
        why_no_energy=why_not,
    )


def _spares(case: Case) -> float | None:
    """Return what a year of the spares costs that there are, else of those to keep."""
    spares, prices = case.scenario.spares, case.scenario.prices
    if spares is None or spares.mttr is None or prices.node_hour is None:
        return None
    each = prices.spare_node_year
    each = prices.node_hour * _YEAR / _HOUR if each is None else each
    count = case.spares_needed(spares.mttr) if spares.standbys is None else spares.standbys
    return each * count * spares.block_nodes


def _bill(energy: float | None, price: float | None) -> float | None:
    return None if energy is None or price is None else energy / _KWH * price


def _energy(case: Case) -> tuple[float | None, str | None]:
    """Return the mean energy of the job, [J], where powers are given, or why none is known."""
    machine = case.scenario.machine
    powers = {
        name: getattr(machine, name) for name in ("static_power", "compute_power", "io_power")
    }
    if all(each is None for each in powers.values()):
        return None, None
    if machine.nodes is None:
        raise ValueError("machine.static_power must come with machine.nodes, got it alone")
    job, chosen = case.job, case.chosen
    why_not = chosen.protocol.why_not(job, "energy")
    if why_not is not None:
        return None, why_not
    drawn = {name: (each or 0.0) * machine.nodes for name, each in powers.items()}
    if not machine.static_power:
        got = "none" if machine.static_power is None else "0 W"
        raise ValueError(f"machine.static_power must be > 0 where powers are given, got {got}")
    with np.errstate(all="ignore"):
        return chosen.protocol.energy(job, min(chosen.interval, job.work), drawn), None
