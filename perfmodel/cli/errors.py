"""Errors of the command line: bad input ends in exit code 2 and one line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import click

from asking.refusals import Refused, Spoken

from ..answers.logs.limits import within
from ..answers.shown import plain
from .options.limits import LIMITS
from .options.naming import in_options
from .options.types import option_of
from .plain import echo

# What is shown of a long argument; a path of some length is still echoed whole.
_LONGEST, _HEAD, _TAIL = 200, 40, 17

# What installs a library within the bounds that are tested.
_EXTRAS = {
    "matplotlib": "plot",
    "latex2mathml": "plot",
    "pyarrow": "parquet",
    "defusedxml": "cluster",
    "pooch": "cluster",
}

BAD_INPUT, CLOSED_PIPE, INTERRUPTED = 2, 1, 130

# What files and numbers from outside can raise on their way through library and readers;
# the second by module, because loading lzma or tarfile to name their errors takes time.
_FROM_OUTSIDE = (ValueError, OSError, EOFError, OverflowError, MemoryError, RecursionError)
_FILE_MODULES = {"_csv", "_lzma", "lzma", "zlib", "zipfile", "tarfile", "pandas.errors"}


class OneLineGroup(click.Group):
    """A group of commands that reports every refusal as one line ``Error: ...``."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn what data from outside raised into one line."""
        try:
            with within(ctx.meta.setdefault(LIMITS, {})):  # which options fill
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except Exception as error:
            if isinstance(error, _FROM_OUTSIDE) or type(error).__module__ in _FILE_MODULES:
                raise click.ClickException(_words(error)) from error
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit: 0, or 2 after one line on standard error."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            if sys.stdout is None:  # the shell's >&-, after which Python drops all it prints
                raise click.ClickException("standard output must be open, got it closed")
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            code = _refuse(error, args)
        except BrokenPipeError:
            _write_no_more()
            code = CLOSED_PIPE
        except OSError as error:
            _write_no_more()
            code = _refuse(click.ClickException(_words(error)), args)
        except click.Abort as stopped:
            echo(f"Interrupted: {str(stopped) or 'the same command begins anew'}.", err=True)
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def never_an_answer() -> Iterator[None]:
    """Make every fault end in exit code 2 and one line, in a command of which 1 is an answer."""
    try:
        yield
        sys.stdout.flush()
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except BrokenPipeError:
        _write_no_more()
        raise click.ClickException("standard output must be open, got it closed") from None
    except Refused:
        raise
    except Exception as error:
        known = isinstance(error, _FROM_OUTSIDE)
        words = in_options(_words(error)) if known else f"{type(error).__name__}: {error}"
        raise click.ClickException(words) from error


@contextmanager
def going_on(how: str) -> Iterator[None]:
    """Let the line after Ctrl-C say how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.Abort(how) from None


def _refuse(error: click.ClickException, args: Sequence[str] | None) -> int:
    message = _shortened(error.format_message(), sys.argv[1:] if args is None else args)
    click.echo(f"{_error()} {plain(' '.join(message.split()))}", err=True)
    return BAD_INPUT


def _error() -> str:
    """Return the first word of a refusal; click leaves its colour to terminals."""
    return "Error:" if os.environ.get("NO_COLOR") else click.style("Error:", fg="red", bold=True)


def _shortened(message: str, args: Sequence[str]) -> str:
    """Show the two ends of each argument, or part of one, that is longer than _LONGEST."""
    parts = {part for arg in args for part in (arg, arg.strip(), *re.split("[,:=/]", arg))}
    for part in sorted(parts, key=len, reverse=True):
        if len(part) > _LONGEST:
            for echo in (repr(part)[1:-1], part):
                message = message.replace(echo, f"{echo[:_HEAD]}...{echo[-_TAIL:]}")
    return message


def _write_no_more() -> None:
    """Redirect standard output to nowhere, because Python flushes it again at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def needing(option: str) -> Iterator[None]:
    """Name the library that an option needs where it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = str(error.name).partition(".")[0]
        what = f"'perfmodel[{_EXTRAS[library]}]'" if library in _EXTRAS else library
        raise click.UsageError(
            f"{option} must have {library}, which is not installed: pip install {what}"
        ) from None


def _words(error: Exception) -> str:
    if isinstance(error, Spoken):
        return error.by(option_of)
    if isinstance(error, OSError) and error.strerror:
        what = (
            "output must be writable"
            if error.filename is None
            else f"{error.filename} must be readable"
        )
        return f"{what}, got {error.strerror.lower()!r}"
    if isinstance(error, MemoryError):
        return f"what is asked for must fit into memory, got {str(error) or 'more'}"
    if isinstance(error, RecursionError):
        return "what is read must not be nested so deeply, got more levels than can be followed"
    return str(error) or type(error).__name__
