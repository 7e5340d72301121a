"""Fetch a published log by name: checked, resumed where it was cut, put where readers look."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from .catalogue import Entry, entry
from .lookup import folders, with_suffixes
from .report import Findings
from .sources import open_source

if TYPE_CHECKING:
    from .resuming import Progress

__all__ = ["fetch", "verify"]

_RETRIES = 3


def fetch(
    name: str | Entry,
    *,
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    retries: int = _RETRIES,
) -> Path:
    """Download a log unless it is there already, and return where it lies.

    Parameters
    ----------
    name : str or Entry
        As in `CATALOGUE`.
    folder : path, optional
        Folder of traces. Default: the first that `locate` searches.
    progress : callable, optional
        Called with (bytes so far, bytes in all or None) as data arrives.
    retries : int
        How often a cut connection is taken up again, from where it was cut.

    Returns
    -------
    Path
        Of the log.

    Raises
    ------
    ValueError
        If the name is unknown, or the content is not what the catalogue expects; what was
        downloaded is then removed.
    OSError
        If the server cannot be reached or keeps cutting the connection; what has come stays, and
        the next call continues from there.
    RuntimeError
        If pooch is not installed.
    """
    wanted = entry(name) if isinstance(name, str) else name
    target = (next(folders()) if folder is None else Path(folder)) / wanted.path
    present = with_suffixes(target)
    if present is not None:
        verify(present, wanted)
        return present
    try:
        import pooch
    except ImportError as error:
        raise RuntimeError("fetching needs pooch: pip install 'perfmodel[cluster]'") from error
    from .resuming import Resuming  # what speaks with servers is slow to import

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"{target.parent} must be writable, got {error}") from error
    downloader = Resuming(target, lambda part: verify(part, wanted), progress, retries)
    # pooch downloads beside the target and moves the file only when the downloader is content.
    keeper = pooch.create(
        path=target.parent,
        base_url="",
        registry={target.name: None},
        urls={target.name: wanted.url},
    )
    return Path(keeper.fetch(target.name, downloader=downloader))


def verify(path: Path, wanted: Entry) -> None:
    """Raise ValueError if the content of `path` is not what the catalogue expects."""
    if wanted.sha256 is None:
        return
    findings = Findings()
    digest = hashlib.sha256(open_source(path, findings).data).hexdigest()
    if digest != wanted.sha256:
        raise ValueError(f"{wanted.name} must have the sha256 {wanted.sha256}, got {digest}")
