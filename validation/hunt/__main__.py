"""``python -m validation.hunt``: search, print findings and the number of calls of each name."""

from __future__ import annotations

import secrets
import sys

import click

from .public_names import names
from .search import Finding, Hunt, hunt, targets_named


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--minutes", type=click.FloatRange(min=0.0, min_open=True), help="Duration; 1 by default."
)
@click.option("--calls", type=click.IntRange(min=1), help="Number of calls, instead of minutes.")
@click.option("--seed", type=click.IntRange(min=0), help="Repeat the search of this seed.")
@click.option("--only", metavar="NAME", help="Only functions and facts with NAME in their names.")
def main(*, minutes: float | None, calls: int | None, seed: int | None, only: str | None) -> None:
    """Search all public functions of perfmodel for a call that contradicts its docstring.

    Every finding is a short call to paste. The exit code is 1 if there is any.
    """
    if minutes is None and calls is None:
        minutes = 1.0
    seed = secrets.randbits(32) if seed is None else seed
    click.echo(f"seed {seed}; to paste: from perfmodel import *; from validation.hunt import again")
    number = 0

    def report(finding: Finding) -> None:
        nonlocal number
        number += 1
        click.echo(f"{number}. {finding}")

    try:
        targets_named(only)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    found = hunt(seed=seed, minutes=minutes, calls=calls, only=only, report=report)
    _summary(found)
    sys.exit(1 if found.findings else 0)


def _summary(found: Hunt) -> None:
    click.echo(f"\n{'calls':>9}  function")
    for name in sorted({*names(), *found.calls}):
        click.echo(f"{found.calls.get(name, 0):9}  {name}")
    click.echo(
        f"\n{found.checked} calls drawn and {sum(found.calls.values())} made in "
        f"{found.seconds / 60.0:.1f} min: {len(found.findings)} findings, "
        f"{found.repeats} more of the same kinds"
    )


if __name__ == "__main__":
    main()
