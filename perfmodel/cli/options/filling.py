"""Options that fill a request: made of its fields, which have the defaults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields, replace
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, TypeVar

import click
from click.core import ParameterSource

from asking import kinds
from asking.kinds import TEXT, Kind
from asking.refusals import Refused
from asking.requests import Asked, Option, options_for
from asking.units import shown_duration

from ...answers.logs.limits import given_limits
from .grouped import InGroup
from .naming import in_options
from .types import F, Several, Values, completed_by, option_of, wanted

R = TypeVar("R", bound=Asked)


def options_of(
    request: type[Asked], *, but: Collection[str] = (), **called: str
) -> Callable[[F], F]:
    """Return a decorator that adds an option for each field that says how it is said.

    Fields of `but` get none, `called` has other names of options, by field.
    """
    said = {each.name: (each, asked) for each, asked in options_for(request)}
    flags = {each.name: _dashed(each.name) for each in fields(request)}
    flags |= {name: asked.called or _dashed(name) for name, (_, asked) in said.items()} | called

    def place(each: tuple[Field[Any], Option]) -> tuple[bool, int]:
        _, asked = each
        last = request.last.index(asked.group) if asked.group in request.last else -1
        return not _is_argument(asked), last

    def decorate(command: F) -> F:
        for each, asked in sorted(said.values(), key=place)[::-1]:
            if each.name not in but:
                several = each.name in request.compared
                command = _option_of(each, asked, flags, several=several)(command)
        return command

    return decorate


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _is_argument(asked: Option) -> bool:
    return not asked.words


def _option_of(
    field: Field[Any], asked: Option, flags: Mapping[str, str], *, several: bool
) -> Callable[[F], F]:
    kind, required = asked.kind, field.default is MISSING
    if kind is not None and _is_argument(asked):
        return click.argument(field.name, type=wanted(kind), required=required)
    settings: dict[str, Any] = {"help": asked.help(flags.__getitem__), "required": required}
    if not required:
        settings["default"] = field.default
    if kind is None:
        settings["is_flag"] = True
    else:
        metavar = asked.metavar or (f"[{'|'.join(kind.words)}]" if kind.words else None)
        one = None if kind is TEXT else wanted(kind)
        if several:
            metavar = f"{metavar or kind.name.upper()},..."
        settings |= {
            "type": Several(one) if several and one is not None else one,
            "metavar": metavar,
            "multiple": asked.repeated,
            "callback": _flattened if kind.many and asked.repeated else None,
            "shell_complete": completed_by(*kind.words) if kind.words else None,
        }
        if field.default not in (MISSING, None, ()):
            settings["help"] += f"  [default: {_shown(field.default, kind)}]"
    return click.option(flags[field.name], field.name, cls=InGroup, group=asked.group, **settings)


def _flattened(context: click.Context, option: click.Parameter, value: Any) -> tuple[Any, ...]:
    """Return what all of the texts say, of an option of which each may say several."""
    del context, option
    return tuple(each for several in value for each in several)


def fills(
    request: type[R],
) -> Callable[[Callable[Concatenate[R, ...], None]], Callable[..., None]]:
    """Let click fill a request: the command gets it in place of the options of its fields.

    What a formula then refuses is refused in the name of the option.
    """
    own = {field.name for field in fields(request)}
    own |= {field.name for field, _ in options_for(request)}

    def decorate(command: Callable[Concatenate[R, ...], None]) -> Callable[..., None]:
        @wraps(command)
        def filled(**arguments: Any) -> None:
            others = {name: value for name, value in arguments.items() if name not in own}
            with in_words_of_options():
                command(request_of(request, arguments), **others)

        return filled

    return decorate


def request_of(request: type[R], arguments: Mapping[str, Any]) -> R:
    """Return a request with those of the arguments of the running command that are fields of it.

    Of a field of which several values were said it has the first, its `study` all of them.
    """
    said: dict[str, Any] = {}
    for each in fields(request):
        if (within := each.metadata.get("inner")) is not None:
            said[each.name] = request_of(within, arguments)
        elif each.name in arguments:
            said[each.name] = arguments[each.name]
    several = {
        name: tuple(dict.fromkeys(said[name]))
        for name in request.compared
        if isinstance(said[name], Values)
    }
    if several:
        said |= {name: values[0] for name, values in several.items()}
        varied = {name: values for name, values in several.items() if len(values) > 1}
        said["study"] = replace(said["study"], varied=varied)
    if hasattr(request, "limits"):  # which are those of every file that the command reads
        from sim.traces import Limits

        said["limits"] = Limits(**given_limits())
    return request(**said, said=frozenset(filter(_typed_field, arguments.keys() & said.keys())))


@contextmanager
def said_to(command: click.Command, words: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield what words say by the options of another command, which refusals then name."""
    parent = click.get_current_context()
    with click.Context(command, info_name=command.name, parent=parent) as context:
        command.parse_args(context, list(words))
        with in_words_of_options():
            yield context.params


@contextmanager
def in_words_of_options() -> Iterator[None]:
    """Say refusals, which name fields or arguments, as ones of the options of the command."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, Refused):
            raise click.UsageError(error.said.by(option_of)) from error
        if (said := in_options(str(error))) == str(error):
            raise
        raise ValueError(said) from error


def _typed_field(name: str) -> bool:
    """Whether an option for the field stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}


def _shown(default: Any, kind: Kind) -> str:
    """Return a default as one would type it."""
    if kind in {kinds.DURATION, kinds.COST}:
        return shown_duration(default)
    if isinstance(default, timedelta):
        return shown_duration(abs(default.total_seconds()))
    if isinstance(default, tuple):
        return ",".join(v if isinstance(v, str) else f"{v:g}" for v in default)
    return f"{default:g}" if isinstance(default, float) else str(default)
