"""A click runner for tests of the command line."""

from click.testing import CliRunner

__all__ = ["runner", "words_of"]


def runner(**options):
    """Return a runner; `options` are those of click's `CliRunner`, such as `env`."""
    return CliRunner(**options)


def words_of(error):
    """Return what a refusal says on a command line, where options have the names of fields."""
    if (said := getattr(error, "said", None)) is not None:
        return said.by(lambda name: f"--{name.replace('_', '-')}")
    return getattr(error, "message", None) or str(error)
