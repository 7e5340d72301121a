"""What every request is: fields that say what they take, and a memory of which were said."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from .kinds import Kind
from .refusals import Field, Refused, Said, joined

__all__ = [
    "Asked",
    "Lead",
    "Option",
    "above",
    "again",
    "any_of",
    "argument",
    "equal_to",
    "flag",
    "inner",
    "opt",
    "options_for",
    "reason_of",
    "refuse_idle",
]


@dataclass(frozen=True, slots=True, eq=False)
class Lead:
    """What a request must have so that a field of it has an effect or no place, and its words."""

    words: Said
    holds: Callable[[Any], bool]


def any_of(*names: str) -> Lead:
    """Return that one of these fields has a value."""
    words = Said("{}", Field(names[-1]))
    if len(names) > 1:
        words = Said("{} or {}", joined(", ", map(Field, names[:-1])), words)
    return Lead(words, lambda asked: asked.has(*names))


def equal_to(name: str, *values: str) -> Lead:
    """Return that a field has one of these values."""
    words = Said("{} {}", Field(name), " or ".join(values))
    return Lead(words, lambda asked: getattr(asked, name) in values)


def above(name: str, limit: float) -> Lead:
    """Return that a field is above a limit."""
    words = Said("{} above {:g}", Field(name), limit)
    return Lead(words, lambda asked: getattr(asked, name) > limit)


@dataclass(frozen=True, slots=True)
class Option:
    """How a field of a request is said.

    Parameters
    ----------
    kind : Kind or None
        What it takes; None for a flag.
    words : str
        What it is; ``{name}`` stands for another field, as its speaker calls it.
    group : str
        Heading under which a help lists it; empty for what the request itself is about.
    called : str or None
        The option of a command line where that is not the name of the field.
    metavar : str or None
        What a help shows for the value, where that is not the name of the kind.
    repeated : bool
        Whether the field is a tuple, to which each option of a command line adds.
    needs : str, Lead or None
        The field, or what else, without which this one has no effect.
    without : tuple of str or Lead
        Fields, or what else, beside which this one has no place.
    """

    kind: Kind | None
    words: str
    group: str = ""
    called: str | None = None
    metavar: str | None = None
    repeated: bool = False
    needs: str | Lead | None = None
    without: tuple[str | Lead, ...] = ()

    def help(self, name_of: Callable[[str], str]) -> str:
        """Return what the field is, with other fields as `name_of` calls them."""
        return self.words.format_map(_Named(name_of))

    def value(self, name: str, given: Any) -> Any:
        """Return the value that is said, text read; refuse what is none of the kind."""
        if self.kind is None:
            if isinstance(given, bool):
                return given
            raise Refused("{} must be true or false, got {!r}", Field(name), given)
        if not self.repeated:
            return self._one(self.kind, name, given)
        if isinstance(given, str):
            read = self._one(self.kind, name, given)
            return read if self.kind.many else (read,)
        if self.kind.many:
            return tuple(given)
        return tuple(self._one(self.kind, name, each) for each in given)

    def _one(self, kind: Kind, name: str, given: Any) -> Any:
        try:
            return kind.value(given)
        except ValueError as error:
            raise Refused(
                "{} must be {}, got {!r}{}", Field(name), kind.wanted, given, reason_of(error)
            ) from None


def reason_of(error: ValueError) -> Said:
    """Return why a value was refused, in brackets; nothing where the error does not say."""
    said = [each for each in error.args if isinstance(each, Said)]
    return Said(" ({})", said[0] if said else error) if str(error) else Said("")


class _Named(dict[str, str]):
    """The names of fields, each asked for when it is needed."""

    def __init__(self, name_of: Callable[[str], str]) -> None:
        super().__init__()
        self._name_of = name_of

    def __missing__(self, name: str) -> str:
        return self._name_of(name)


def opt(kind: Kind, words: str, *, default: Any = None, **more: Any) -> Any:
    """Return a field that an option says; `more` are those of `Option`. None: it was not said."""
    return field(default=default, metadata={"option": Option(kind, words, **more)})


def flag(words: str, **more: Any) -> Any:
    """Return a field that is True if its option stands there."""
    return field(default=False, metadata={"option": Option(None, words, **more)})


def argument(kind: Kind) -> dict[str, Option]:
    """Return the metadata of a field that a command line takes without an option's name."""
    return {"option": Option(kind, "")}


def again(request: type[Asked], name: str, words: str | None = None, **more: Any) -> Any:
    """Return a field as another request has it, with other `words` about it where they are given.

    `more` are its default and what else differs of its `Option`.
    """
    (same,) = (each for each in fields(request) if each.name == name)
    default = more.pop("default", same.default)
    option: Option = same.metadata["option"]
    option = replace(option, words=option.words if words is None else words, **more)
    return field(default=default, metadata={"option": option})


def inner(request: type[Asked], **options: Option) -> Any:
    """Return a field that is a request of its own, whose fields are said beside those of the outer.

    `options` take the place of those that its class has, by field.
    """
    return field(default=request(), metadata={"inner": request, "options": options})


def options_for(request: type[Asked]) -> Iterator[tuple[dataclasses.Field[Any], Option]]:
    """Yield the fields that somebody says, and how, those of a request inside among them."""
    for each in fields(request):
        if (option := each.metadata.get("option")) is not None:
            yield each, option
        elif (within := each.metadata.get("inner")) is not None:
            others = each.metadata["options"]
            yield from ((own, others.get(own.name, said)) for own, said in options_for(within))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request; `said` names the fields that were given a value, though it is the default.

    A value may be text as a command line takes it: ``"8h"`` for 28,800 s. A help lists options by
    group, those of the groups in `last` after all others. Of the fields in `compared` somebody may
    say several values, which its `study` then holds.
    """

    last: ClassVar[tuple[str, ...]] = ()
    compared: ClassVar[tuple[str, ...]] = ()

    said: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for each in fields(self):
            option, given = each.metadata.get("option"), getattr(self, each.name)
            if option is not None and given is not None and given is not each.default:
                object.__setattr__(self, each.name, option.value(each.name, given))

    def check(self) -> None:
        """Refuse a field that was said without what it needs, or beside what rules it out."""
        for each in fields(self):
            if "inner" in each.metadata:
                getattr(self, each.name).check()
            option = each.metadata.get("option")
            if option is None or not self.says(each.name):
                continue
            for lead in map(_lead, option.without):
                if lead.holds(self):
                    raise Refused("{} must be left out with {}", Field(each.name), lead.words)
            if option.needs is not None:
                lead = _lead(option.needs)
                refuse_idle(self, each.name, unless=lead.holds(self), lead=lead.words)

    def has(self, *names: str) -> bool:
        """Whether any of these fields, or of those of a request inside, has a value."""
        within = [getattr(self, each.name) for each in fields(self) if "inner" in each.metadata]
        for name in names:
            asked = next((each for each in (self, *within) if hasattr(each, name)), self)
            value = getattr(asked, name)
            if value is not None and value is not False and value != ():
                return True
        return False

    def says(self, *names: str) -> bool:
        """Whether any of these fields was given a value, or has another than its default."""
        return any(
            field.name in self.said or getattr(self, field.name) != field.default
            for field in fields(self)
            if field.name in names
        )


def _lead(of: str | Lead) -> Lead:
    return of if isinstance(of, Lead) else any_of(of)


def refuse_idle(asked: Asked, *names: str, unless: bool, lead: object) -> None:
    """Refuse fields that were said but have no effect without `lead`, `unless` that is given."""
    for name in names:
        if not unless and asked.says(name):
            raise Refused("{} must come with {}, got it alone", Field(name), lead)
