"""A download that goes on where the last attempt was cut."""

from __future__ import annotations

import http.client
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["Progress", "Resuming"]

Progress: TypeAlias = Callable[[int, int | None], None]

_PIECE = 1 << 16
_TIMEOUT = 30.0


class Resuming:
    """A downloader for pooch.

    The part fetched so far lies beside the target; `check` is given the whole and raises
    ValueError if it is not what was wanted, and then it is removed.
    """

    def __init__(
        self,
        target: Path,
        check: Callable[[Path], None],
        progress: Progress | None,
        retries: int,
    ) -> None:
        self._part = target.with_name(target.name + ".part")
        self._check = check
        self._progress = progress
        self._retries = retries

    def __call__(self, url: str, output_file: str, pooch: Any) -> None:
        """Fetch `url`, check what came, and move it to `output_file`."""
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
            self._check(self._part)
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
