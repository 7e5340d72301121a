"""Fetch a published log by name: checked, resumed where it was cut, put where readers look."""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from .catalogue import Entry, entry
from .lookup import folders, with_suffixes
from .report import Findings
from .sources import open_source

__all__ = ["fetch", "verify"]

Progress: TypeAlias = Callable[[int, int | None], None]

_PIECE = 1 << 16
_TIMEOUT = 30.0
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

    Raises
    ------
    ValueError
        If the name is unknown, or the content is not what the catalogue expects; what was
        downloaded is then removed.
    OSError
        If the server cannot be reached or keeps cutting the connection; what has come stays, and
        the next call continues from there.
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
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"{target.parent} must be writable, got {error}") from error
    downloader = _Resuming(target, wanted, progress, retries)
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


class _Resuming:
    """A downloader for pooch that goes on where the last attempt was cut."""

    def __init__(
        self, target: Path, wanted: Entry, progress: Progress | None, retries: int
    ) -> None:
        self._part = target.with_name(target.name + ".part")
        self._wanted = wanted
        self._progress = progress
        self._retries = retries

    def __call__(self, url: str, output_file: str, pooch: Any) -> None:
        del pooch
        for attempt in range(self._retries + 1):
            try:
                self._continue(url)
                break
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                # A refusal by the server will not get better by asking again.
                refused = isinstance(error, urllib.error.HTTPError) and error.code < 500
                if refused or attempt == self._retries:
                    raise ConnectionError(f"{url} cannot be fetched: {error}") from error
        try:
            verify(self._part, self._wanted)
        except ValueError:
            self._part.unlink()
            raise
        shutil.move(self._part, output_file)

    def _continue(self, url: str) -> None:
        """Ask for what is missing and append it; start over where the server cannot resume."""
        done = self._part.stat().st_size if self._part.exists() else 0
        headers = {"Accept-Encoding": "identity", "User-Agent": "perfmodel"}
        if done:
            headers["Range"] = f"bytes={done}-"
        request = urllib.request.Request(url, headers=headers)
        try:
            response = urllib.request.urlopen(request, timeout=_TIMEOUT)
        except urllib.error.HTTPError as error:
            if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
                raise
            error.close()
            if error.headers.get("Content-Range") == f"bytes */{done}":
                return
            self._part.unlink()
            raise ConnectionError("the part at hand is longer than the file") from error
        with response:
            resumed = response.status == http.client.PARTIAL_CONTENT
            done = done if resumed else 0
            length = response.headers.get("Content-Length")
            total = None if length is None else done + int(length)
            with self._part.open("ab" if resumed else "wb") as part:
                while piece := response.read(_PIECE):
                    part.write(piece)
                    done += len(piece)
                    if self._progress is not None:
                        self._progress(done, total)
        if total is not None and done < total:
            raise ConnectionError(f"cut after {done:,} of {total:,} bytes")
