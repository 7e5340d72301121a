"""Bad input ends in exit code 2 and one line; interrupts and closed pipes end quietly."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sim.traces import Report

__all__ = ["OneLineGroup", "of_file", "why_empty"]

BAD_INPUT, CLOSED_PIPE, INTERRUPTED = 2, 1, 130

# What files and numbers from outside can raise on their way through library and readers;
# the second by module, because loading lzma or tarfile to name their errors takes time.
_FROM_OUTSIDE = (ValueError, OSError, EOFError, OverflowError, MemoryError)
_FILE_MODULES = {"_csv", "_lzma", "lzma", "zlib", "zipfile", "tarfile", "pandas.errors"}


class OneLineGroup(click.Group):
    """A group of commands that reports every refusal as one line ``Error: ...``."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn what outside data raised into a refusal."""
        try:
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
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            click.echo(f"Error: {' '.join(error.format_message().split())}", err=True)
            code = BAD_INPUT
        except BrokenPipeError:
            # Python flushes again at exit: give it somewhere to write.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = CLOSED_PIPE
        except click.Abort:
            click.echo("Interrupted.", err=True)
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Put the name of the file before a refusal that names its line: commands read several."""
    try:
        yield
    except ValueError as error:
        if not str(error).startswith("line "):
            raise
        raise ValueError(f"{path.name}, {error}") from error


def why_empty(report: Report) -> str:
    """Say how many records there were and what became of them, for where none is left."""
    reasons = "; ".join(report.words)
    return f"none of {report.records:,}" + (f" ({reasons})" if reasons else "")


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        what = (
            "output must be writable"
            if error.filename is None
            else f"{error.filename} must be readable"
        )
        return f"{what}, got {error.strerror.lower()!r}"
    if isinstance(error, MemoryError):
        return f"what is asked for must fit into memory, got {str(error) or 'more'}"
    return str(error) or type(error).__name__
