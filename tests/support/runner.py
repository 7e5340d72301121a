"""A click runner for tests of the command line."""

from click.testing import CliRunner

__all__ = ["option_named", "runner", "words_of"]


def runner(**options):
    """Return a runner; `options` are those of click's `CliRunner`, such as `env`."""
    return CliRunner(**options)


def option_named(field):
    """Return the option of a field of a request."""
    return "--format" if field == "job_format" else f"--{field.replace('_', '-')}"


def words_of(error):
    """Return what a refusal says on a command line, where options have the names of fields."""
    if (said := getattr(error, "said", None)) is not None:
        return said.by(option_named)
    return getattr(error, "message", None) or str(error)
