"""Fetch a published log by name: checked, resumed where it was cut, put where readers look."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..parsing.report import Argument, Findings, LogRefused
from ..parsing.sources import content_pieces
from .catalogue import Entry, entry
from .lookup import below, folders, with_suffixes

if TYPE_CHECKING:
    from .resuming import Progress

_RETRIES = 3
_MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ", ".bz2": b"BZh", ".zip": b"PK"}


def fetch(
    name: str | Entry,
    *,
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    retries: int = _RETRIES,
    insecure_no_checksum: bool = False,
) -> Path:
    """Download a log over https unless it is there already, and return where it lies.

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
    insecure_no_checksum : bool
        Take a log whose checksum the catalogue does not know as it is, fetched or at hand.

    Returns
    -------
    Path
        Of the log.

    Raises
    ------
    ValueError
        If the name is unknown; if the entry has no checksum, its path leads out of the folder or
        its address is not https; if the log, its part or a folder between would be a link; if
        size or content are not what the catalogue expects, and what was downloaded is then removed.
    OSError
        If the server cannot be reached or keeps cutting the connection; what has come stays, and
        the next call continues from there.
    RuntimeError
        If pooch is not installed.
    """
    wanted = entry(name) if isinstance(name, str) else name
    root = next(folders()) if folder is None else Path(folder)
    target = root / below(wanted.path)
    if wanted.sha256 is None and not insecure_no_checksum:
        raise LogRefused(
            f"{wanted.name} must have a known checksum, got none; ",
            *(Argument("insecure_no_checksum"), " takes it as it is"),
        )
    present = with_suffixes(target)
    if present is not None:
        verify(present, wanted)
        return present
    _refuse_links(root, target.parent)
    if target.is_symlink():
        raise ValueError(f"{target} must not be a link, got one that leads nowhere")
    try:
        import pooch
    except ImportError as error:
        raise RuntimeError("fetching needs pooch: pip install 'perfmodel[cluster]'") from error
    from .resuming import Resuming  # what speaks with servers is slow to import

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"{target.parent} must be writable, got {error}") from error
    downloader = Resuming(target, wanted.size, lambda part: verify(part, wanted), progress, retries)
    # pooch downloads beside the target and moves the file only when the downloader accepts it.
    keeper = pooch.create(
        path=target.parent,
        base_url="",
        registry={target.name: None},
        urls={target.name: wanted.url},
    )
    return Path(keeper.fetch(target.name, downloader=downloader))


def _refuse_links(root: Path, parent: Path) -> None:
    """Raise ValueError if a folder below `root`, on the way to `parent`, is a link."""
    place = root
    for name in parent.relative_to(root).parts:
        place = place / name
        if place.is_symlink():
            raise ValueError(
                f"{place} must not be a link, got one to {os.readlink(place)}; put a "
                "folder there, or make the whole folder of traces the link"
            )


def verify(path: Path, wanted: Entry) -> None:
    """Raise ValueError if the content of `path` is not what the catalogue expects.

    Without a known checksum it checks little: that the file is not empty, and that it is
    compressed if its name says so, which an error page of a server is not.
    """
    digest = hashlib.sha256()
    if wanted.sha256 is None:
        named = Path(wanted.path) if path.suffix == ".part" else path
        packing = _MAGIC.get(named.suffix, b"")
        with path.open("rb") as file:
            head = file.read(8)
        if not head or not head.startswith(packing):
            raise ValueError(f"{named.name} must hold what its name says, got {head!r}")
        return
    for piece in content_pieces(path, Findings()):
        digest.update(piece)
    if digest.hexdigest() != wanted.sha256:
        got = digest.hexdigest()
        raise ValueError(f"{wanted.name} must have the sha256 {wanted.sha256}, got {got}")
