"""The public names of perfmodel, with their calls counted and some replaced by mutants."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import perfmodel

__all__ = ["Public", "names"]


class Public:
    """Access to the public names of `perfmodel` that counts the calls of each.

    Parameters
    ----------
    mutants : mapping of str to callable, optional
        Functions to call in place of some of them.
    """

    def __init__(self, mutants: Mapping[str, Callable[..., Any]] | None = None) -> None:
        self.calls: Counter[str] = Counter()
        self._mutants = dict(mutants or {})

    def __getattr__(self, name: str) -> Any:
        real = getattr(perfmodel, name)
        if inspect.isclass(real):
            self.calls[name] += 1
            return real
        called = self._mutants.get(name, real)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            return called(*args, **kwargs)

        return counted


_APART = {
    *("evaluate_formula", "credible_interval", "plan", "plans", "read_scenario"),
    *("forecast_makespan", "forecasts_for", "outlook_of", "past_promises"),
}


def names() -> tuple[str, ...]:
    """Return every public name that can be called with numbers: functions, laws and machines.

    Those apart are not: their arguments are those of another function, tables of text or a history.
    """
    return tuple(
        name
        for name in dir(perfmodel)
        if not name.startswith("_")
        and (
            (inspect.isfunction(thing := getattr(perfmodel, name)) and name not in _APART)
            or thing is perfmodel.Machines
            or (
                inspect.isclass(thing)
                and issubclass(thing, perfmodel.Lifetime)
                and not inspect.isabstract(thing)
            )
        )
    )
