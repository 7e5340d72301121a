"""Types of arguments, with one form of message: NAME must be RULE, got VALUE (reason)."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ...answers.requests.levels import local_copy
from ...answers.requests.powers import powers
from ...answers.requests.predictor import predictor
from ...units import (
    Typed,
    TypedDuration,
    byte_count,
    bytes_per_second,
    failures_per_node_second,
    seconds,
    share,
)
from ..requests.slurm import slurm_setting
from ..requests.sweep import tls_files

__all__ = [
    "BANDWIDTH",
    "COST",
    "COUNT",
    "DURATION",
    "EVENTS",
    "FAILURE_RATE",
    "FOLDER",
    "FRACTION",
    "FROM_ONE",
    "INSTANT",
    "LEVEL",
    "LOG_FILE",
    "OUTPUT_FILE",
    "POSITIVE",
    "POWERS",
    "PREDICTOR",
    "PRICE",
    "SHAPE",
    "SHARE",
    "SIZE",
    "SLURM",
    "TLS",
    "WEIGHT",
    "OneOf",
    "Wanted",
    "completed_by",
    "gone",
]


_DIGITS = 18  # of a count: more than any machine has, and a float knows most of them

F = TypeVar("F", bound=Callable[..., Any])


class Wanted(click.ParamType[Any]):
    """An argument described by what is wanted and by the function that reads it."""

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
            reason = f" ({error})" if str(error) else ""
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


def _label(param: click.Parameter | None) -> str:
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.name.upper() if param and param.name else "argument"


def _positive(read: Callable[[str], float]) -> Callable[[str], float]:
    def positive(text: str) -> float:
        number = read(text)
        if number > 0.0:
            return number
        raise ValueError("not > 0")

    return positive


def _typed(read: Callable[[str], float]) -> Callable[[str], Typed]:
    return lambda text: Typed(read(text), text.strip())


def _echoed(read: Callable[[str], float]) -> Callable[[str], float]:
    return lambda text: TypedDuration.of(read(text), text)


def _whole(least: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        digits = text.strip()
        if not (text.isascii() and digits.isdigit()):
            raise ValueError
        if len(digits.lstrip("0")) > _DIGITS:
            raise ValueError(f"of more than {_DIGITS} digits")
        if int(digits) < least:
            raise ValueError
        return int(digits)

    return whole


def _price(text: str) -> float:
    price = float(text) if text.isascii() and "_" not in text else -1.0
    if 0.0 <= price < float("inf"):
        return price
    raise ValueError


def _number(holds: Callable[[float], bool]) -> Callable[[str], float]:
    def number(text: str) -> float:
        value = float(text) if text.isascii() and "_" not in text else float("nan")
        if holds(value):
            return value
        raise ValueError

    return number


def _plain(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Drop Python's own reason; the rule already says what is wanted."""

    def plain(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            raise ValueError from None

    return plain


def _instant(text: str) -> float | datetime:
    """Read the clock of a log: local dates, or seconds from its own origin."""
    if not text.isascii() or "_" in text:
        raise ValueError
    with suppress(ValueError):
        seconds = float(text)
        if abs(seconds) < float("inf"):
            return seconds
    date = datetime.fromisoformat(text)
    if date.tzinfo is not None:
        raise ValueError
    return date


def _file(find: Callable[[str], Path]) -> Callable[[str], Path]:
    """Turn the refusal of a name by the system, such as a too long one, into one of the option."""

    def file(text: str) -> Path:
        try:
            return find(text)
        except OSError as error:
            raise ValueError((error.strerror or str(error)).lower()) from None

    return file


def _output_file(text: str) -> Path:
    """Refuse a file that cannot be written now, not after an hour of replays."""
    path = Path(text)
    if "\0" in text or not path.parent.is_dir():
        raise ValueError("no such folder")
    if path.is_dir():
        raise ValueError("a directory")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError("permission denied")
    return path


def _folder(text: str) -> Path:
    path = Path(text)
    if "\0" in text or (path.exists() and not path.is_dir()):
        raise ValueError("not a folder")
    return path


def _log_file(text: str) -> Path:
    path = Path(text)
    if "\0" in text or not path.exists():
        raise ValueError("no such file")
    if path.is_dir():
        raise ValueError("a directory")
    return path


_EXAMPLES = "a duration with a unit, such as 30min, 1.5h or 2d12h"
DURATION = Wanted("duration", _EXAMPLES, _echoed(_positive(seconds)))
COST = Wanted("duration", _EXAMPLES, _echoed(seconds))
SIZE = Wanted("size", "a size with a unit, such as 12TB or 1.2TiB", _typed(byte_count))
BANDWIDTH = Wanted(
    "bandwidth", "a bandwidth with a unit, such as 400GB/s", _typed(_positive(bytes_per_second))
)
FAILURE_RATE = Wanted(
    "rate",
    "failures per node-time, such as 6.5/1000node-days",
    _typed(_positive(failures_per_node_second)),
)
COUNT = Wanted("n", "a whole number >= 1", _whole(1))
LEVEL = Wanted("level", "a level such as cost=10s,recovery=5s,survives=85%", local_copy)
PREDICTOR = Wanted("predictor", "a predictor such as recall=70%,precision=60%,cost=1min", predictor)
SLURM = Wanted("key=value", "a pair such as partition=batch or time=2h", slurm_setting)
TLS = Wanted("files", "files such as ca=ca.pem,cert=cert.pem,key=key.pem", tls_files)
POWERS = Wanted("powers", "powers such as static=8MW,compute=10MW,io=1MW", powers)
EVENTS = Wanted("n", "a whole number >= 0", _whole(0))
PRICE = Wanted("money", "a number >= 0", _plain(_price))
POSITIVE = Wanted(
    "number", "a number > 0", _plain(_number(lambda value: 0.0 < value < float("inf")))
)
WEIGHT = Wanted("number", "a number >= 0", _plain(_price))
FRACTION = Wanted("fraction", "a number in [0, 1]", _plain(_number(lambda x: 0.0 <= x <= 1.0)))
INSTANT = Wanted("date", "a date such as 2004-05-31 or seconds", _plain(_instant))
SHARE = Wanted("share", "a share such as 1% or 0.01", _plain(share))
FROM_ONE = Wanted("number", "a number >= 1", _plain(_number(lambda x: 1.0 <= x < float("inf"))))
LOG_FILE = Wanted("file", "a readable file", _file(_log_file))
FOLDER = Wanted("folder", "a folder", _file(_folder))
OUTPUT_FILE = Wanted("file", "a writable file", _file(_output_file))
# Of a Weibull law; below it the mean is more than 1e157 times the scale.
SHAPE = Wanted("number", "a number >= 0.01", _plain(_number(lambda x: 0.01 <= x < float("inf"))))
