"""How the tests of the command line call it."""

from click.testing import CliRunner

__all__ = ["runner"]


def runner(**options):
    """Return a runner; `options` are those of click's, such as `env`."""
    return CliRunner(**options)
