"""Arguments kept as the calls that return them, to be scaled, simplified and pasted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import perfmodel

from .docstrings import Argument, Unit, arguments_of

__all__ = ["Arguments", "Made", "build", "described", "paste", "scaled"]

Arguments: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """An argument that is itself the result of a public name, kept as the call that returns it.

    Parameters
    ----------
    name : str
        Public name, or ``Law.from_mean``.
    arguments : dict
        Its arguments.
    """

    name: str
    arguments: Arguments

    def __repr__(self) -> str:
        return paste(self.name, self.arguments)


def paste(name: str, arguments: Arguments) -> str:
    """Return the call as Python code."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def build(value: Any, public: Any = perfmodel) -> Any:
    """Return `value` with the result of every `Made` in it."""
    if isinstance(value, Made):
        made = public
        for part in value.name.split("."):
            made = getattr(made, part)
        return made(**{name: build(inner, public) for name, inner in value.arguments.items()})
    if isinstance(value, list) and any(isinstance(inner, Made) for inner in value):
        return [build(inner, public) for inner in value]
    return value


def scaled(value: Any, unit: Unit, base: str, factor: float) -> Any:
    """Return `value` as it reads when `base` is measured in a unit `factor` times smaller."""
    if isinstance(value, Made):
        units = {name: argument.unit for name, argument in described(value.name).items()}
        return Made(
            value.name,
            {name: scaled(v, units[name], base, factor) for name, v in value.arguments.items()},
        )
    if isinstance(value, list):
        return [scaled(inner, unit, base, factor) for inner in value]
    if unit.get(f"log {base}") and not isinstance(value, bool):
        return value + math.log(factor)
    exponent = unit.get(base, 0)
    if exponent == 0 or value is None or isinstance(value, bool | str):
        return value
    return value * factor**exponent


def described(name: str) -> Mapping[str, Argument]:
    """Return the arguments of a public name, those of ``from_mean`` included."""
    if name.endswith(".from_mean"):
        return {
            "mean": Argument("mean", "float", "> 0.", {"time": 1}, 0.0, open_below=True),
            "cv": Argument("cv", "float", "> 0.", {}, 0.0, open_below=True),
        }
    return arguments_of(getattr(perfmodel, name))
