"""What every request remembers: which of its fields were said, be it their defaults."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_args, get_type_hints

from .refusals import Field, Refused

__all__ = ["Asked", "refuse_idle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request; `said` names the fields that were given a value, though it is the default.

    The name of a file may be a text: the field holds a path.
    """

    said: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        texts = [each.name for each in fields(self) if isinstance(getattr(self, each.name), str)]
        kinds = get_type_hints(type(self)) if texts else {}
        for name in texts:
            if Path in (kinds[name], *get_args(kinds[name])):
                object.__setattr__(self, name, Path(getattr(self, name)))

    def says(self, *names: str) -> bool:
        """Whether any of these fields was given a value, or has another than its default."""
        return any(
            field.name in self.said or getattr(self, field.name) != field.default
            for field in fields(self)
            if field.name in names
        )


def refuse_idle(asked: Asked, *names: str, unless: bool, lead: object) -> None:
    """Refuse fields that were said but have no effect without `lead`, `unless` that is given."""
    for name in names:
        if not unless and asked.says(name):
            raise Refused("{} must come with {}, got it alone", Field(name), lead)
