"""One way to call the command line whatever the version of click."""

from click.testing import CliRunner


def runner(**options):
    """Return a runner that keeps standard error apart; click 8.1 has to be told so."""
    try:
        return CliRunner(mix_stderr=False, **options)
    except TypeError:
        return CliRunner(**options)
