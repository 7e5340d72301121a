"""Doors of packages: a module is loaded when one of its names is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["loading"]


def loading(
    package: str, homes: Mapping[str, Iterable[str]]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package that loads names on demand.

    Parameters
    ----------
    package : str
        `__name__` of the package.
    homes : mapping
        Module, relative to the package and without the leading dot -> names that it offers.

    Returns
    -------
    tuple of a list of str and two functions
        To be bound in the package, under these names.
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name in home_of:
            value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        elif name in homes:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        special = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*special, *home_of})

    return list(home_of), load, names
