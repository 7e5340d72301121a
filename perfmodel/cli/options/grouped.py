"""Options under headings, in the help of a command that has any in groups."""

from __future__ import annotations

from typing import Any

import click

_FIRST, _OUTPUT = "Options", "Output"


class InGroup(click.Option):
    """An option that a help lists under a heading, that of no group under the first."""

    def __init__(self, *names: Any, group: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group = group or _FIRST


class Grouped(click.Command):
    """A command whose help lists options by group, what belongs to none as output."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group, in the order of the options."""
        groups: dict[str, list[tuple[str, str]]] = {}
        options = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
        for each in options:
            if (record := each.get_help_record(ctx)) is not None:
                group = each.group if isinstance(each, InGroup) else _OUTPUT
                groups.setdefault(group, []).append(record)
        if list(groups) == [_OUTPUT]:
            super().format_options(ctx, formatter)
            return
        for group in sorted(groups, key=_OUTPUT.__eq__):
            with formatter.section(group):
                formatter.write_dl(groups[group])
