"""The command line: units in, tables or JSON out. The only part of `perfmodel` that meets `sim`."""

from __future__ import annotations

from importlib import import_module

import click

from .errors import OneLineGroup
from .options.example import example
from .output.kept_tables import table_option
from .output.progress import announce_compilation, quiet_option

# Where to start, then what is asked of what; the help shows commands in these groups.
GROUPS: dict[str, tuple[str, ...]] = {
    "Start here": ("plan", "interval", "report", "demo"),
    "One job": ("completion", "goodput", "simulate", "advise"),
    "Machines": ("spares", "nodes", "extra", "partition"),
    "Logs": ("fit", "forecast", "traces"),
    "Replays of job logs": ("replay", "recovery", "qos", "quote", "grid"),
    "Many at once": ("sweep",),
    "For programs": ("schema",),
}
# Command -> where it lives; nothing is imported before it is asked for, to start fast.
_FOLDERS = {"Machines": "machines."}
COMMANDS: dict[str, str] = {
    name: f".commands.{_FOLDERS.get(group, '')}{name}:{name}"
    for group, names in GROUPS.items()
    for name in names
}


class _LazyGroup(OneLineGroup):
    """A group whose commands are imported when they are looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command = getattr(import_module(module, __name__), attribute)
        assert isinstance(command, click.Command)
        for each in command.commands.values() if isinstance(command, click.Group) else (command,):
            if all("--quiet" not in option.opts for option in each.params):
                if any("--json" in option.opts for option in each.params):
                    each.params.append(table_option())
                each.params.append(quiet_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                limit = formatter.width - 4 - max(map(len, names))
                formatter.write_dl([(name, self._short(ctx, name, limit)) for name in names])

    def _short(self, ctx: click.Context, name: str, limit: int) -> str:
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str(limit)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("perfmodel interval --mtbf 8h --checkpoint-cost 6min"),
)
@click.version_option(package_name="perfmodel")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Predict how failures affect a job, and advise what to do."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
    announce_compilation()
