"""A click runner for tests of the command line."""

from click.testing import CliRunner

from perfmodel.answers.refusals import Refused

__all__ = ["runner", "words_of"]


def runner(**options):
    """Return a runner; `options` are those of click's `CliRunner`, such as `env`."""
    return CliRunner(**options)


def words_of(error):
    """Return what a refusal says on a command line, where options have the names of fields."""
    if isinstance(error, Refused):
        return error.said.by(lambda name: f"--{name.replace('_', '-')}")
    return getattr(error, "message", None) or str(error)
