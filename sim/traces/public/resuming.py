"""A download that continues where the last attempt was cut, over https and to a plain file only."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import stat
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from typing import IO, Any, TypeAlias
from urllib.parse import urlsplit

from ..parsing.limits import Limits

Progress: TypeAlias = Callable[[int, int | None], None]

_PIECE = 1 << 16
_TIMEOUT = 30.0
_RANGE = re.compile(r"bytes ([0-9]{1,18})-[0-9]{1,18}/(?:([0-9]{1,18})|\*)")


class _HttpsOnly(urllib.request.HTTPRedirectHandler):
    def redirect_request(  # noqa: PLR0917 - as its base has it
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Any,
        newurl: str,
    ) -> urllib.request.Request | None:
        _refuse_insecure(newurl, f"{req.full_url} must stay with https, got a redirect to")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Resuming:
    """A downloader for pooch.

    The part fetched so far lies beside the target. It must have `size` bytes in the end where
    that is known; `check` is given the whole and raises ValueError if it is not what was wanted,
    and then it is removed.
    """

    def __init__(
        self,
        target: Path,
        size: int | None,
        check: Callable[[Path], None],
        progress: Progress | None,
        retries: int,
    ) -> None:
        self._part = target.with_name(target.name + ".part")
        self._size = size
        self._check = check
        self._progress = progress
        self._retries = retries

    def __call__(self, url: str, output_file: str, pooch: Any) -> None:
        """Fetch `url`, check what came, and move it to `output_file`."""
        del pooch
        _refuse_insecure(url, "url must be https, got")
        for attempt in range(self._retries + 1):
            try:
                self._continue(url)
                break
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                # A refusal by the server is final: it is not asked again.
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
        done = self._length()
        headers = {"Accept-Encoding": "identity", "User-Agent": "perfmodel"}
        if done:
            headers["Range"] = f"bytes={done}-"
        request = urllib.request.Request(url, headers=headers)
        try:
            response = urllib.request.build_opener(_HttpsOnly).open(request, timeout=_TIMEOUT)
        except urllib.error.HTTPError as error:
            if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
                raise
            error.close()
            if error.headers.get("Content-Range") == f"bytes */{done}":
                self._compare(done)
                return
            self._part.unlink()
            raise ConnectionError("the part at hand is longer than the file") from error
        with response:
            resumed = response.status == http.client.PARTIAL_CONTENT
            done = done if resumed else 0
            total = self._total(response.headers, done, resumed=resumed)
            if total is not None:
                self._compare(total)
            with self._opened(resumed=resumed) as part:
                while piece := response.read(_PIECE):
                    part.write(piece)
                    done += len(piece)
                    self._compare(done, at_most=True)
                    if self._progress is not None:
                        self._progress(done, total)
        if total is not None and done < total:
            raise ConnectionError(f"cut after {done:,} of {total:,} bytes")
        self._compare(done)

    def _total(self, headers: Message, done: int, *, resumed: bool) -> int | None:
        """Return how long the whole will be, as far as the server says so in digits."""
        if resumed:
            stated = headers.get("Content-Range", "")
            found = _RANGE.fullmatch(stated)
            if found is None or int(found[1]) != done:
                self._part.unlink(missing_ok=True)
                raise ConnectionError(f"asked for bytes from {done:,} on, got {stated[:60]!r}")
            if found[2] is not None:
                return int(found[2])
        length = headers.get("Content-Length", "")
        plain = length.isascii() and length.isdigit() and len(length) <= 18
        return done + int(length) if plain else self._size

    def _compare(self, done: int, *, at_most: bool = False) -> None:
        """Remove the part and raise ValueError if it has not its size, or can no longer have it."""
        limits = Limits()
        wanted = limits.max_bytes if self._size is None else self._size
        if done > wanted or (done < wanted and self._size is not None and not at_most):
            self._part.unlink(missing_ok=True)
            rule = "at most " if self._size is None else ""
            got = "more" if done > wanted else f"{done:,}"
            raise ValueError(f"{self._part.stem} must have {rule}{wanted:,} bytes, got {got}")

    def _length(self) -> int:
        """Return the bytes at hand, or raise ValueError unless they are in a file of their own."""
        try:
            found = self._part.lstat()
        except FileNotFoundError:
            return 0
        self._refuse_link(found)
        return found.st_size

    def _opened(self, *, resumed: bool) -> IO[bytes]:
        """Open the part to append or to begin anew; what it links to is never written."""
        # Links are not followed, and pipes are not waited for, where the system has the flags.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        self._length()
        file = os.fdopen(os.open(self._part, flags, 0o666), "ab")
        try:
            self._refuse_link(os.fstat(file.fileno()))
            if not resumed:
                file.truncate(0)
        except BaseException:
            file.close()
            raise
        return file

    def _refuse_link(self, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            raise ValueError(f"{self._part} must be a file without links, got one: remove it")


def _refuse_insecure(url: str, words: str) -> None:
    if urlsplit(url).scheme != "https":
        raise ValueError(f"{words} {url[:200]!r}")
