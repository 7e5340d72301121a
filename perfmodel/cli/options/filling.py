"""Options that fill a request: the fields of the request have the defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields
from functools import wraps
from typing import Any, ClassVar, Concatenate, Protocol, TypeVar

import click
from click.core import ParameterSource

from asking.kinds import TEXT
from asking.requests import Asked, Option, option_for
from asking.units import shown_duration

from ...answers.logs.limits import given_limits
from ...answers.requests.groups import LAST
from .grouped import InGroup
from .naming import in_options
from .types import COST, DURATION, F, completed_by, wanted

__all__ = [
    "fills",
    "in_words_of_options",
    "option",
    "options_of",
    "request_of",
    "said_to",
]


class _Request(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=_Request)
T = TypeVar("T")


def option(request: type[_Request], *names: str, **settings: Any) -> Callable[[F], F]:
    """Return an option for the field of its name, with the default of the field.

    `names` and `settings` are those of ``click.option``. A default other than None is shown.
    """
    name = next((name for name in names if name.isidentifier()), _field(names[0]))
    default = next(field.default for field in fields(request) if field.name == name)
    if default is not MISSING:
        settings["default"] = default
        if default not in (None, ()) and not settings.get("is_flag"):
            shown = f"[default: {_shown(default, settings.get('type'))}]"
            settings["help"] = f"{settings['help']}  {shown}" if "help" in settings else shown
    return click.option(*names, **settings)


def options_of(request: type[Asked], **called: str) -> Callable[[F], F]:
    """Return a decorator that adds an option for each field that says how it is said.

    `called` has other names of options, by field.
    """
    flags = {
        each.name: _flag(each.name, option_for(request, each.name)) for each in fields(request)
    }
    flags |= called

    said = [(name, asked) for name in flags if (asked := option_for(request, name)) is not None]

    def decorate(command: F) -> F:
        for name, asked in sorted(said, key=lambda each: each[1].group in LAST)[::-1]:
            command = _option_of(request, name, asked, flags)(command)
        return command

    return decorate


def _flag(name: str, asked: Option | None) -> str:
    return asked.called if asked and asked.called else f"--{name.replace('_', '-')}"


def _option_of(
    request: type[Asked], name: str, asked: Option, flags: Mapping[str, str]
) -> Callable[[F], F]:
    kind = asked.kind
    if kind is None:
        return option(
            *(request, flags[name]),
            cls=InGroup,
            group=asked.group,
            is_flag=True,
            help=asked.help(flags.__getitem__),
        )
    if not asked.words:
        required = all(each.default is MISSING for each in fields(request) if each.name == name)
        return click.argument(name, type=wanted(kind), required=required)
    shown = asked.metavar or (f"[{'|'.join(kind.words)}]" if kind.words else None)
    return option(
        request,
        *(flags[name], name),
        cls=InGroup,
        group=asked.group,
        type=None if kind is TEXT else wanted(kind),
        metavar=shown,
        multiple=asked.repeated,
        callback=_flattened if kind.many else None,
        shell_complete=completed_by(*kind.words) if kind.words else None,
        help=asked.help(flags.__getitem__),
    )


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

    def decorate(command: Callable[Concatenate[R, ...], None]) -> Callable[..., None]:
        @wraps(command)
        def filled(**arguments: Any) -> None:
            asked = request_of(request, arguments)
            others = arguments.keys() - {field.name for field in fields(request)}
            with in_words_of_options():
                command(asked, **{name: arguments[name] for name in others})

        return filled

    return decorate


def request_of(request: type[R], arguments: Mapping[str, Any]) -> R:
    """Return a request with those of the arguments of the running command that are fields of it."""
    names = {field.name for field in fields(request)}
    asked = {name: value for name, value in arguments.items() if name in names}
    if "said" in names:
        asked["said"] = frozenset(filter(_typed_field, asked))
    if "limits" in names:  # which are those of every file that the command reads
        from sim.traces import Limits

        asked["limits"] = Limits(**given_limits())
    return request(**asked)


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
        if (words := getattr(error, "said", None)) is not None:  # a refusal, of whatever package
            raise click.UsageError(words.by(option_of)) from error
        if (said := in_options(str(error))) == str(error):
            raise
        raise ValueError(said) from error


def option_of(name: str) -> str:
    """Return how the running command calls the field of a request."""
    context = click.get_current_context(silent=True)
    params = [] if context is None else context.command.params
    found = next((param for param in params if param.name == name), None)
    if found is None:
        return f"--{name.replace('_', '-')}"
    return (
        found.human_readable_name if isinstance(found, click.Argument) else max(found.opts, key=len)
    )


def _typed_field(name: str) -> bool:
    """Whether an option for the field stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}


def _field(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _shown(default: Any, kind: Any) -> str:
    """Return a default as one would type it."""
    if getattr(kind, "one", kind) in {DURATION, COST}:
        return shown_duration(default)
    if isinstance(default, tuple):
        return ",".join(v if isinstance(v, str) else f"{v:g}" for v in default)
    return f"{default:g}" if isinstance(default, float) else str(default)
