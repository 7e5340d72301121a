"""A plan, or several, as plain numbers under unit-named keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ...planning import Variant

_SECONDS = frozenset(
    {
        *("interval", "interval_low", "interval_high", "present_interval", "expected_time"),
        *("time", "mean", "deadline", "time_halved", "time_doubled", "observed", "work"),
        *(
            "mtbf",
            "checkpoint_cost",
            "recovery_cost",
            "downtime",
            "wait",
            "snapshot_cost",
            "latency",
        ),
        *("local_cost", "local_recovery", "proactive_cost", "window", "step_time", "crossover"),
    }
)
_OTHERS = {"energy": "energy_j"}
_ESTIMATE = frozenset({"value", "low", "high", "observed"})
_OF_TIME = {"percentiles": frozenset({"time", "low", "high"}), "mtbf": _ESTIMATE}


def plain(variants: tuple[Variant, ...]) -> dict[str, Any]:
    """Return the plan, or a list of them with the values by which they differ."""
    if len(variants) == 1 and not variants[0].values:
        return _plan(variants[0])
    rows = [{"values": dict(each.values), **_plan(each)} for each in variants]
    return {"variants": rows}


def _plan(variant: Variant) -> dict[str, Any]:
    found = asdict(variant.plan)
    del found["scenario"]
    for name in ("foretold", "constant_rate"):
        if found["completion"] is not None and found["completion"][name] is None:
            del found["completion"][name]
    return {key: _named(value, _OF_TIME.get(key, frozenset())) for key, value in found.items()}


def _named(value: Any, seconds: frozenset[str]) -> Any:
    """Add the unit to the names of durations, at any depth."""
    if isinstance(value, Mapping):
        return {
            _OTHERS.get(name, f"{name}_s" if _is_duration(name, item, seconds) else name): _named(
                item, _OF_TIME.get(name, frozenset())
            )
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_named(item, seconds) for item in value]
    return value


def _is_duration(name: str, item: Any, seconds: frozenset[str]) -> bool:
    return (name in _SECONDS or name in seconds) and not isinstance(item, Mapping | list | tuple)


def json_name(name: str, *, of: str, scalar: bool) -> str:
    """Return under which key JSON has the field of a class of a plan, a value or several."""
    seconds = {"Percentile": _OF_TIME["percentiles"], "Estimate": _OF_TIME["mtbf"]}
    timed = scalar and (name in _SECONDS or name in seconds.get(of, ()))
    return _OTHERS.get(name, f"{name}_s" if timed else name)
