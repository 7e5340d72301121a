"""Where real logs lie: `$PERFMODEL_TRACES`, then `../shared/traces` next to the checkout."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from ..._checks import shown

_SUFFIXES = ("", ".xz", ".gz", ".bz2", ".zip")


def folders() -> Iterator[Path]:
    """Yield the folders that are searched, in order; they need not exist."""
    if given := os.environ.get("PERFMODEL_TRACES"):
        yield Path(given)
    yield Path(__file__).resolve().parents[4] / "shared" / "traces"
    yield Path("..") / "shared" / "traces"


def locate(relative: str | PurePath) -> Path | None:
    """Return the path of a real log, or None where it is not at hand.

    Parameters
    ----------
    relative : str or path
        Place below the folder, such as ``failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv``.
        A compression suffix may be left out, and a file named with one may lie there without.

    Returns
    -------
    Path or None
        The first that is there: below ``$PERFMODEL_TRACES``, then ``../shared/traces``.

    Raises
    ------
    ValueError
        If `relative` is absolute or leads out of the folder.

    Examples
    --------
    >>> locate("jobs/no-such-log.swf") is None
    True
    """
    asked = below(relative)
    for folder in folders():
        if (found := with_suffixes(folder / asked)) is not None:
            return found
    return None


def below(relative: str | PurePath) -> PurePath:
    """Return the path, or raise ValueError if it leads out of the folder it is taken from."""
    asked = PurePath(relative)
    if asked.is_absolute() or ".." in asked.parts or not asked.name or "\0" in asked.name:
        raise ValueError(f"relative must be a path below the folder, got {shown(str(relative))}")
    return asked


def with_suffixes(path: Path) -> Path | None:
    """Return `path` or the same name with another compression suffix, whichever is a file."""
    bare = path.with_suffix("") if path.suffix in _SUFFIXES[1:] else path
    for name in [path, *(bare.with_name(bare.name + end) for end in _SUFFIXES)]:
        if name.is_file():
            return name
    return None
