"""Types of arguments, with one form of message: NAME must be RULE, got VALUE (reason)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from asking import kinds
from asking.requests import reason_of

F = TypeVar("F", bound=Callable[..., Any])

_THOUSANDS = re.compile(r"0\d\d")  # as tables print them: 4,096


class Wanted(click.ParamType[Any]):
    """An argument described by what is wanted and by the function that reads it."""

    listed = False  # whether several with commas between are asked for one after the other

    def __init__(self, name: str, wanted: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self.wanted = wanted
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what was read, or stop with one line."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            reason = reason_of(error).by(option_of)
            raise click.UsageError(
                f"{_label(param)} must be {self.wanted}, got {value!r}{reason}", ctx
            ) from None

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Let the shell complete names of files and folders."""
        del ctx, param
        kind = {"file": "file", "folder": "dir"}.get(self.name)
        return [] if kind is None else [CompletionItem(incomplete, type=kind)]


@cache
def wanted(kind: kinds.Kind) -> Wanted:
    """Return the type of an argument of this kind, always the same one."""
    found = Wanted(kind.name, kind.wanted, kind.read)
    found.listed = kind.listed
    return found


class Values(tuple[Any, ...]):
    """Several values of an option, and each as it was typed."""

    texts: tuple[str, ...]


class Several(click.ParamType[Any]):
    """One value of a type, or several with commas between, which come as `Values`."""

    def __init__(self, one: click.ParamType[Any]) -> None:
        self.one = one
        self.name = one.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value or the values, or stop with one line."""
        if not isinstance(value, str) or "," not in value:
            return self.one.convert(value, param, ctx)
        texts = tuple(part.strip() for part in value.split(","))
        if any(_THOUSANDS.fullmatch(text) for text in texts[1:]):
            whole = "".join(texts)
            raise click.UsageError(
                f"{_label(param)} must be numbers without leading zeros, got {value!r}: commas "
                f"separate values; if one is meant, write {whole}",
                ctx,
            )
        try:
            values = Values(self.one.convert(text, param, ctx) for text in texts)
        except click.UsageError as error:
            said = f"{error.message}: commas separate the values of {','.join(texts)}"
            raise click.UsageError(said, ctx) from None
        values.texts = texts
        return values

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Let the shell complete what the type of one value completes."""
        return self.one.shell_complete(ctx, param, incomplete)


class OneOf(click.Choice[str]):
    """A word of several, refused in the words of all other arguments."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word, or stop with one line."""
        if value in self.choices:
            return str(value)
        known = ", ".join(self.choices)
        raise click.UsageError(f"{_label(param)} must be one of {known}, got {value!r}", ctx)


def completed_by(
    *words: str,
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return what completes an option whose words its command checks itself."""
    return lambda context, option, typed: [word for word in words if word.startswith(typed)]


def gone(name: str, *, remedy: str, flag: bool = False) -> Callable[[F], F]:
    """Return a decorator that refuses an option of earlier versions and says what to do."""

    def refuse(context: click.Context, option: click.Parameter, value: Any) -> None:
        del option
        if value:
            raise click.UsageError(f"{name} is no longer an option: {remedy}", context)

    return click.option(name, hidden=True, expose_value=False, is_flag=flag, callback=refuse)


def option_of(name: str) -> str:
    """Return how the running command calls the field of a request."""
    context = click.get_current_context(silent=True)
    params = [] if context is None else context.command.params
    found = next((param for param in params if param.name == name), None)
    if found is None:
        return f"--{name.removeprefix('as_').replace('_', '-')}"  # as_json is --json everywhere
    return (
        found.human_readable_name if isinstance(found, click.Argument) else max(found.opts, key=len)
    )


def _label(param: click.Parameter | None) -> str:
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.name.upper() if param and param.name else "argument"


COUNT, DURATION, EVENTS = map(wanted, (kinds.COUNT, kinds.DURATION, kinds.EVENTS))
FOLDER, LOG_FILE, OUTPUT_FILE = map(wanted, (kinds.FOLDER, kinds.LOG_FILE, kinds.OUTPUT_FILE))
NAMES, POSITIVE = map(wanted, (kinds.NAMES, kinds.POSITIVE))
