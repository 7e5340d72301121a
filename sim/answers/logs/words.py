"""What is said of a file that holds nothing to use, and of lines that are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from asking.refusals import Field, Refused, joined

if TYPE_CHECKING:
    from ...traces import Argument, Report


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Name the file in an error about a line or cluster of it: commands read several.

    Parameters
    ----------
    path : Path
        That is read within the block.

    Returns
    -------
    context manager

    Raises
    ------
    ValueError
        With the name of the file before what the block raised, `Refused` where that names
        arguments of a reader: they are then fields of a request.
    """
    from ...traces import LogRefused

    try:
        yield
    except LogRefused as error:
        named = str(error).startswith(("line ", "cluster"))
        said = joined("", (_field(part) for part in error.parts))
        raise (Refused("{}, {}", path.name, said) if named else Refused("{}", said)) from error
    except ValueError as error:
        if str(error).startswith("frame "):  # what Python calls the jobs of the file
            raise ValueError(f"{path.name} {str(error).removeprefix('frame ')}") from error
        if not str(error).startswith(("line ", "cluster")):
            raise
        raise ValueError(f"{path.name}, {error}") from error


def _field(part: str | Argument) -> str | Field:
    """Return the field of a request that is an argument of a reader; words as they are."""
    if isinstance(part, str):
        return part
    name = part.name.removeprefix("columns.")
    if name != part.name and name not in ("unit", "timezone", "state"):
        name += "_column"
    return Field("states" if name == "state" else name)


def why_empty(report: Report) -> str:
    """Return how many records there were and why none of them is left."""
    return f"none {of_records(report)}"


def of_records(report: Report) -> str:
    """Return how many records there were and why some were left out."""
    reasons = "; ".join(report.words)
    return f"of {report.records:,}" + (f" ({reasons})" if reasons else "")
