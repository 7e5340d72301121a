"""The same scenario with several values of some keys: one plan for each combination."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from .composed import Plan, plan

Tables: TypeAlias = Mapping[str, Any]
_MOST = 200


@dataclass(frozen=True, slots=True)
class Variant:
    """One combination of the values that differ, as written, by section.key, and its plan."""

    values: Mapping[str, Any]
    plan: Plan


def plans(
    tables: Tables, *, failures: Callable[[Tables], Tables] | None = None
) -> tuple[Variant, ...]:
    """Return a plan for each combination of the values that come as lists.

    Parameters
    ----------
    tables : mapping of str to mapping
        A scenario, as `plan` takes it, in which a key may have a list of values.
    failures : callable, optional
        Returns the section of failures of a scenario without lists, where it depends on others.

    Returns
    -------
    tuple of Variant
        In the order of the lists, the last one changing fastest; brief plans if there are several.

    Raises
    ------
    ValueError
        As `plan`; if a list is empty, or there are more than 200 combinations.
    TypeError
        If `tables` is not a mapping.
    """
    lists = {
        f"{section}.{key}": value
        for section, table in dict(tables).items()
        if isinstance(table, Mapping)
        for key, value in table.items()
        if isinstance(value, list)
    }
    if not lists:
        return (Variant({}, plan(tables)),)
    for key, values in lists.items():
        if not values:
            raise ValueError(f"{key} must have at least one value, got []")
    count = 1
    for values in lists.values():
        count *= len(values)
    if count > _MOST:
        raise ValueError(f"lists must have at most {_MOST} combinations, got {count:,}")
    return tuple(
        _variant(tables, dict(zip(lists, chosen, strict=True)), failures, brief=count > 1)
        for chosen in product(*lists.values())
    )


def _variant(
    tables: Tables,
    values: dict[str, Any],
    failures: Callable[[Tables], Tables] | None,
    *,
    brief: bool,
) -> Variant:
    """Return the plan with one value for each list."""
    chosen = {
        section: (
            {key: values.get(f"{section}.{key}", value) for key, value in table.items()}
            if isinstance(table, Mapping)
            else table
        )
        for section, table in tables.items()
    }
    if failures is not None:
        chosen["failures"] = failures(chosen)
    return Variant(values, plan(chosen, brief=brief))
