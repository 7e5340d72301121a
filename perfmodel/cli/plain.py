"""The door of text: what comes from files is printed without what a terminal would obey."""

from __future__ import annotations

import click

from ..answers.shown import plain


def echo(text: str, *, err: bool = False) -> None:
    """Print a line of words in which names may stand."""
    click.echo(plain(text), err=err)
