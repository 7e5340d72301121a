"""``perfmodel schema``: what the JSON of an answer, a request or a scenario looks like."""

from __future__ import annotations

import json

import click

from sim import answers as replays

from ...answers import schemas
from ..options.example import example
from ..options.types import OneOf

_KINDS = (*schemas.KINDS, *replays.KINDS)


@click.command(epilog=example("perfmodel schema scenario"))
@click.argument("kind", type=OneOf(_KINDS), metavar="KIND", required=False)
def schema(kind: str | None) -> None:
    """Print the JSON Schema of an answer, a request or a scenario.

    KIND is a question, such as interval, for its answer in JSON, promises for that of qos; the same
    with -request, such as interval-request, for the fields of perfmodel.answers.IntervalRequest or
    sim.answers.ReplayRequest; or scenario, for editors that check a scenario while it is typed.
    """
    if kind is None:
        raise click.UsageError(f"KIND must be given, got none: one of {', '.join(_KINDS)}")
    of_kind = schemas.schema if kind in schemas.KINDS else replays.schema
    click.echo(json.dumps(of_kind(kind), indent=2))
