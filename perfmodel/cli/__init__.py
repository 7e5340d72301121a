"""The command line: units in, tables or JSON out. The only part of `perfmodel` that meets `sim`."""

from __future__ import annotations

from importlib import import_module

import click

from .errors import OneLineGroup

# Command -> where it lives; nothing is imported before it is asked for, to start fast.
COMMANDS: dict[str, str] = {
    "completion": ".completion:completion",
    "demo": ".demo:demo",
    "fit": ".fit:fit",
    "grid": ".grid:grid",
    "interval": ".interval:interval",
    "partition": ".partition:partition",
    "qos": ".qos:qos",
    "recovery": ".recovery:recovery",
    "replay": ".replay:replay",
    "simulate": ".simulate:simulate",
    "spares": ".spares:spares",
    "traces": ".traces:traces",
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
        return command

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
)
@click.version_option(package_name="perfmodel")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tell how failures will treat a job, and what to do about it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
