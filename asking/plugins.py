"""What installed packages add under names of their own, found by their entry points.

They are looked for only when a name is asked for that is not built in, so that nobody else waits,
and nothing of a package is imported before its name is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

__all__ = ["GROUPS", "added", "loaded"]

# Kind of thing -> group of entry points.
GROUPS = {
    "preset": "perfmodel.presets",
    "policy": "perfmodel.policies",
    "job format": "perfmodel.job_formats",
    "failure format": "perfmodel.failure_formats",
    "law": "perfmodel.laws",
    "protocol": "perfmodel.protocols",
}


def added(kind: str, built_in: Collection[str]) -> dict[str, EntryPoint]:
    """Return what installed packages add to a kind of `GROUPS`, by name.

    Raises
    ------
    ValueError
        If a package takes a name that is built in, or one that another package has.
    """
    found: dict[str, EntryPoint] = {}
    for each in _entries(GROUPS[kind], tuple(sys.path)):
        if each.name in built_in:
            raise ValueError(
                f"{kind} of the installed {_package(each)} must not have a name that is built in, "
                f"got {each.name!r}; uninstall it"
            )
        if each.value != found.setdefault(each.name, each).value:
            raise ValueError(
                f"{kind} must have a name of its own, got {each.name!r} in the installed "
                f"{_package(found[each.name])} and {_package(each)}; uninstall one"
            )
    return found


def loaded(kind: str, name: str, built_in: Collection[str]) -> Any:
    """Return what an installed package adds under a name, or None where none does.

    Raises
    ------
    ValueError
        If it cannot be loaded, whatever its code raises; or as `added`.
    """
    entry = added(kind, built_in).get(name)
    if entry is None:
        return None
    try:
        return entry.load()
    except Exception as error:
        raise ValueError(
            f"{kind} {name} of the installed {_package(entry)} must load, got "
            f"{type(error).__name__} ({error})"
        ) from error


@lru_cache
def _entries(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group; to read those of all packages takes milliseconds."""
    return tuple(entry_points(group=group))


def _package(entry: EntryPoint) -> str:
    return "package" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
