# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .optimum import TimeEnergyCurve as TimeEnergyCurve
from .optimum import time_energy_curve as time_energy_curve

@overload
def energy_per_work(
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    overlap: Number = ...,
    static_power: Number,
    compute_power: Number,
    io_power: Number = ...,
    down_power: Number = ...,
) -> float: ...
@overload
def energy_per_work(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    overlap: ArrayLike = ...,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = ...,
    down_power: ArrayLike = ...,
) -> FloatArray: ...
@overload
def expected_energy(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    overlap: Number = ...,
    static_power: Number,
    compute_power: Number,
    io_power: Number = ...,
    down_power: Number = ...,
) -> float: ...
@overload
def expected_energy(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    overlap: ArrayLike = ...,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = ...,
    down_power: ArrayLike = ...,
) -> FloatArray: ...
@overload
def waste_energy(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    overlap: Number = ...,
    static_power: Number,
    compute_power: Number,
    io_power: Number = ...,
    down_power: Number = ...,
) -> float: ...
@overload
def waste_energy(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    overlap: ArrayLike = ...,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = ...,
    down_power: ArrayLike = ...,
) -> FloatArray: ...
@overload
def energy_per_work_first_order(
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    overlap: Number = ...,
    static_power: Number,
    compute_power: Number,
    io_power: Number = ...,
    down_power: Number = ...,
) -> float: ...
@overload
def energy_per_work_first_order(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    overlap: ArrayLike = ...,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = ...,
    down_power: ArrayLike = ...,
) -> FloatArray: ...
@overload
def optimal_interval_energy_first_order(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    overlap: Number = ...,
    static_power: Number,
    compute_power: Number,
    io_power: Number = ...,
    down_power: Number = ...,
) -> float: ...
@overload
def optimal_interval_energy_first_order(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    overlap: ArrayLike = ...,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = ...,
    down_power: ArrayLike = ...,
) -> FloatArray: ...
@overload
def optimal_interval_energy(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    overlap: Number = ...,
    static_power: Number,
    compute_power: Number,
    io_power: Number = ...,
    down_power: Number = ...,
) -> float: ...
@overload
def optimal_interval_energy(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    overlap: ArrayLike = ...,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = ...,
    down_power: ArrayLike = ...,
) -> FloatArray: ...
