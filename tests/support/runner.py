"""A click runner for tests of the command line."""

from click.testing import CliRunner

__all__ = ["runner"]


def runner(**options):
    """Return a runner; `options` are those of click's `CliRunner`, such as `env`."""
    return CliRunner(**options)
