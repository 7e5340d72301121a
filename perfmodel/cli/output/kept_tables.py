"""``--table FILE``: the tables of an answer as LaTeX, Markdown, CSV or HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..options.types import OUTPUT_FILE, option_of
from .tables import keeping
from .whole_file import whole_file

ENDS = (".tex", ".md", ".csv", ".html")


class _TableOption(click.Option):
    """An option that is refused beside --json, whichever stands first."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        if opts.get(self.name or "") is not None and opts.get("as_json"):
            raise click.UsageError("--table must be left out with --json, got both", ctx)
        return super().handle_parse_result(ctx, opts, args)


def table_option() -> click.Option:
    """Return the option --table, for any command that prints an answer."""

    def keep(context: click.Context, option: click.Parameter, path: Path | None) -> None:
        del option
        if path is None:
            return
        if path.suffix not in ENDS:
            raise click.UsageError(
                f"--table must end with {words_of_ends(ENDS)}, got {path.name!r}"
            )
        context.with_resource(_kept_in(path, context))

    return _TableOption(
        ["--table"],
        type=OUTPUT_FILE,
        expose_value=False,
        callback=keep,
        help="Also write the tables as LaTeX, Markdown, CSV or HTML: .tex, .md, .csv or .html.",
    )


def words_of_ends(ends: Sequence[str]) -> str:
    """Return endings of files in words."""
    return f"{', '.join(ends[:-1])} or {ends[-1]}"


@contextmanager
def _kept_in(path: Path, context: click.Context) -> Iterator[None]:
    """Write what is printed until the command ends, whatever its exit code."""
    from ...answers.shown import Part

    parts: list[Part] = []
    try:
        with keeping(parts, context):
            yield
    except (click.exceptions.Exit, click.Abort):
        _write(path, parts, context)
        raise
    _write(path, parts, context)


def _write(path: Path, parts: Sequence[Any], context: click.Context) -> None:
    if parts:
        with whole_file(path) as part:
            part.write_text(written_tables(parts, path.suffix, context.command_path), "utf-8")


def written_tables(parts: Iterable[Any], end: str, name: str) -> str:
    """Return the tables with the sentences beside them, in CSV without; facts if there is none."""
    from ...answers.shown import Facts, Lines, Table, csv_of, latex_of, markdown_of

    every = list(parts)
    if any(isinstance(each, Table) for each in every):
        beside = (Facts, Lines) if end == ".csv" else Facts
        every = [each for each in every if not isinstance(each, beside)]
    if end == ".html":
        return _page_of(every, name)
    shown = {".tex": latex_of, ".md": markdown_of, ".csv": csv_of}[end]
    return shown(every, option_of)


def _page_of(parts: Iterable[Any], name: str) -> str:
    from importlib.metadata import version

    from ..report import Page
    from .tables import print_on

    page = Page(name)
    print_on(page, parts)
    about = {"made by": f"perfmodel {version('perfmodel')}"}
    return page.html(about, source=name, dated=False)
