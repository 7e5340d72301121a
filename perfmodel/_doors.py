"""Doors of packages: a module is loaded when one of its names is first asked for."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

# What a door imports for the type checker: one name each time, in brackets where the line is long.
_IMPORT = re.compile(rb"^    from (\.?)([\w.]*) import (?:\(\s+)?(\w+|\*)", re.MULTILINE)


def loading(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package that loads names on demand.

    It offers what the ``if TYPE_CHECKING`` of its own source imports, so that each name stands
    there once: ``from .module import name as name``, or ``*`` for all that another door offers. A
    module, ``from . import module as module``, is loaded on demand too, but is not in `__all__`.

    Parameters
    ----------
    package : str
        `__name__` of the package.

    Returns
    -------
    tuple of a list of str and two functions
        To be bound in the package, under these names.
    """
    spec: Any = sys.modules[package].__spec__
    home_of: dict[str, str] = {}
    modules: set[str] = set()
    for near, module, name in _IMPORT.findall(spec.loader.get_data(spec.origin)):
        if not module:
            modules.add(name.decode())
            continue
        home, offered = f"{near.decode()}{module.decode()}", name.decode()
        if near:
            modules.add(module.decode())
        whole = import_module(home, package).__all__ if offered == "*" else (offered,)
        home_of.update(dict.fromkeys(whole, home))

    def load(name: str) -> Any:
        if name in home_of:
            value = getattr(import_module(home_of[name], package), name)
        elif name in modules:
            value = import_module(f"{package}.{name}")
        else:
            from ._renamed import renamed  # few ask for an old name

            return renamed(package, name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        special = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*special, *home_of})

    return list(home_of), load, names
