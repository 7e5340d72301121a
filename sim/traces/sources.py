"""Open a log wherever it is: a path or a file object, compressed in any of the usual ways."""

from __future__ import annotations

import bz2
import csv
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, TypeAlias

from .report import Findings

__all__ = ["Content", "Source", "open_source", "split_csv", "text_lines"]

Source: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]

_PIECE = 1 << 16


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


# The content decides, not the suffix: logs are renamed more often than recompressed.
_STREAMS: tuple[tuple[bytes, str, Callable[[], _Decompressor]], ...] = (
    (b"\x1f\x8b", "gzip", lambda: zlib.decompressobj(wbits=31)),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
    (b"BZh", "bzip2", bz2.BZ2Decompressor),
)


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a log, decompressed, and the name to call it by."""

    name: str
    data: bytes


def open_source(source: Source, findings: Findings, *, member: str | None = None) -> Content:
    """Read and decompress `source`; damage at its end is recorded in `findings`.

    Parameters
    ----------
    source : path or file object
        gz, xz, bz2, zip and tar content is recognised; text objects are taken as they are.
    findings : Findings
        Receives `truncated-archive` where a compressed file ends early or is damaged.
    member : str, optional
        Which file to take from a zip or tar that holds several.
    """
    name, raw = _raw(source)
    data, damage = _inflate(raw)
    if data.startswith(b"PK\x03\x04"):
        data, damage = _from_zip(data, name, member)
    elif data[257:262] == b"ustar":
        data, damage = _from_tar(data, name, member)
    elif member is not None:
        raise ValueError(f"member must be None for a single file, got {member!r}")
    if damage is not None:
        findings.add("kept", data.count(b"\n") + 1, "truncated-archive", damage)
    return Content(name, data)


def text_lines(content: Content, findings: Findings) -> list[str]:
    """Split into lines without line ends; note CRLF, latin-1 and a byte order mark."""
    data = content.data
    if data.startswith(b"\xef\xbb\xbf"):
        findings.add("noted", 1, "byte-order-mark", "the file starts with a byte order mark")
        data = data[3:]
    first = data.find(b"\r\n")
    if first >= 0:
        line = data.count(b"\n", 0, first) + 1
        findings.add("noted", line, "crlf", "lines end in CR LF")
        data = data.replace(b"\r\n", b"\n")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        findings.add("noted", line, "latin-1", f"byte 0x{byte:02x} is not UTF-8; read as latin-1")
        text = data.decode("latin-1")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def split_csv(line: str, delimiter: str = ",") -> list[str]:
    """Return the fields of one line; a stray quote spoils its own line, not those below."""
    try:
        return next(csv.reader([line], delimiter=delimiter), []) or [line]
    except csv.Error:
        return [line]


def _raw(source: Source) -> tuple[str, bytes]:
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        return path.name, path.read_bytes()
    if not hasattr(source, "read"):
        raise TypeError(f"source must be a path or a file object, got {source!r}")
    content = source.read()
    name = Path(str(getattr(source, "name", "<file>"))).name
    if isinstance(content, str):
        return name, content.encode("utf-8", "surrogateescape")
    return name, bytes(content)


def _inflate(raw: bytes) -> tuple[bytes, str | None]:
    """Decompress all there is; what came before a damage is kept, and the damage is told."""
    for magic, kind, decompressor in _STREAMS:
        if raw.startswith(magic):
            return _drain(raw, kind, magic, decompressor)
    return raw, None


def _drain(
    raw: bytes, kind: str, magic: bytes, decompressor: Callable[[], _Decompressor]
) -> tuple[bytes, str | None]:
    pieces: list[bytes] = []
    while raw.startswith(magic):  # archives may be several streams in a row
        stream = decompressor()
        try:
            for start in range(0, len(raw), _PIECE):
                pieces.append(stream.decompress(raw[start : start + _PIECE]))
                if stream.eof:
                    raw = stream.unused_data + raw[start + _PIECE :]
                    break
            else:
                return b"".join(pieces), f"the {kind} data ends early"
        except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            return b"".join(pieces), f"the {kind} data is damaged: {error}"
    return b"".join(pieces), None


def _from_zip(data: bytes, name: str, member: str | None) -> tuple[bytes, str | None]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            return archive.read(_choose(files, name, member)), None
    except (EOFError, RuntimeError, zlib.error, zipfile.BadZipFile) as error:
        return b"", f"the zip data cannot be read: {error}"


def _from_tar(data: bytes, name: str, member: str | None) -> tuple[bytes, str | None]:
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            files = [entry.name for entry in archive.getmembers() if entry.isfile()]
            stream = archive.extractfile(_choose(files, name, member))
            assert stream is not None
            return stream.read(), None
    except tarfile.TarError as error:
        return b"", f"the tar data is damaged: {str(error).splitlines()[0]}"


def _choose(files: list[str], name: str, member: str | None) -> str:
    if member is None and len(files) == 1:
        return files[0]
    if member not in files:
        raise ValueError(f"member must be one of {', '.join(files)} in {name}, got {member!r}")
    return member
