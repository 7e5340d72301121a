"""Open a log wherever it is: a path or a file object, compressed in any of the usual ways."""

from __future__ import annotations

import bz2
import csv
import io
import lzma
import os
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import shown
from .encoding import utf8_text
from .limits import Limits, room_for
from .parquet import MAGIC, parquet_lines
from .report import Findings
from .signs import SEPARATORS, Signs, signs_of
from .tar_members import read_members

__all__ = [
    "Content",
    "Limited",
    "Source",
    "content_pieces",
    "open_source",
    "split_csv",
    "text_lines",
]

File: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]

_PIECE = 1 << 16
_LARGE = 1 << 20  # bytes of a file that is read at once
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls
_IN_WORKBOOKS = frozenset(("xl/workbook.xml", "xl/workbook.bin", "META-INF/manifest.xml"))
_ZIP_MAGIC = b"PK\x03\x04"
# Of what is decompressed at a time.
_CHUNK = 1 << 20
_MOST_MEMBERS = 100_000  # of a zip, each of which takes half a kilobyte to be listed
# What Python takes for a line, a field and a problem, with the list that holds it; measured.
_LINE, _FIELD, _PROBLEM = 600, 60, 2000  # bytes
# What an object, a list and a value of JSON take, by what they begin with or end with.
_OF_JSON = {b"{": 400, b"[": 100, b",": 100}
_SHOWN = 500  # characters of names that a message lists
# What `xz -9` needs four times over; a header may ask for 4 GiB.
_LZMA_MEMORY = 1 << 28


@dataclass(frozen=True, slots=True, eq=False)
class Limited:
    """A source with limits of its own, for every reader that takes a source.

    Parameters
    ----------
    source : path or file object
        What to read.
    limits : Limits
        How much of it.
    """

    source: File
    limits: Limits


Source: TypeAlias = File | Limited


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """The decompressor of zlib with the interface of those of lzma and bz2."""

    def __init__(self, wbits: int = 31) -> None:
        self._stream = zlib.decompressobj(wbits)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


_Unpack: TypeAlias = Callable[[io.BytesIO, str, str | None, list[str]], Iterator[bytes]]


class _Packing(NamedTuple):
    magic: bytes
    kind: str
    decompressor: Callable[[], _Decompressor]


# The content decides, not the suffix: logs are renamed more often than recompressed.
_PACKINGS = (
    _Packing(b"\x1f\x8b", "gzip", _Gzip),
    _Packing(b"\xfd7zXZ\x00", "xz", lambda: lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)),
    _Packing(b"BZh", "bzip2", bz2.BZ2Decompressor),
)
# Of members of a zip, by the number of their method; 0 is not packed.
_ZIPPED: dict[int, Callable[[], _Decompressor]] = {
    zipfile.ZIP_DEFLATED: lambda: _Gzip(-zlib.MAX_WBITS),
    zipfile.ZIP_BZIP2: bz2.BZ2Decompressor,
    zipfile.ZIP_LZMA: lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_LZMA_MEMORY),
}
_LONGEST_MAGIC = 6
_TAR_MAGIC = slice(257, 262)
# All that a damaged archive makes the standard library raise.
_DAMAGE = (
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True)
class Content:
    """The bytes of a log, decompressed, the name to call it by, and what it may hold."""

    name: str
    whole: npt.NDArray[np.uint8]
    limits: Limits

    @property
    def data(self) -> bytes:
        """A copy of all bytes."""
        return self.whole.tobytes()

    @cached_property
    def signs(self) -> Signs:
        """What stands in the text."""
        return signs_of(self.whole)

    def hold(self, size: float) -> None:
        """Refuse to hold so many bytes in memory beyond the limit; readers ask before they do."""
        if size > self.limits.max_memory:
            self.limits.refuse(self.name, "max_memory")

    def check_lines(self, *, of_line: int, of_field: int) -> int:
        """Refuse lines that are too long, of too many columns, or too many; return their number.

        Parameters
        ----------
        of_line, of_field : int, [byte]
            What a reader holds for a line, and for a field between commas, semicolons, bars or
            tabulators.
        """
        whole, limits, signs = self.whole, self.limits, self.signs
        copies = 3 if signs.ascii else 8
        self.hold(copies * whole.size + of_line * signs.newlines + of_field * signs.separators)
        short = min(limits.max_line, limits.max_columns)
        shorter = signs.longest is not None and short >= signs.longest
        data, place = b"" if shorter else self.data, 0
        while place + short < len(data):
            # Past as many short lines as there are in so many bytes.
            end = data.rfind(b"\n", place, place + short + 1)
            if end < 0:
                end = data.find(b"\n", place)
                end = len(data) if end < 0 else end
                if end - place > limits.max_line:
                    limits.refuse(self.name, "max_line")
                if max(data.count(sign, place, end) for sign in SEPARATORS) >= limits.max_columns:
                    limits.refuse(self.name, "max_columns")
            place = end + 1
        return signs.newlines + bool((whole[-1:] != ord("\n")).any())

    def hold_json(self) -> None:
        """Refuse JSON that takes more memory than the limit."""
        data = self.data
        self.hold(sum(size * data.count(mark) for mark, size in _OF_JSON.items()))


def open_source(source: Source, findings: Findings, *, member: str | None = None) -> Content:
    """Read and decompress `source`; damage at its end is recorded in `findings`.

    Parameters
    ----------
    source : path or file object, or Limited
        gz, xz, bz2, zip, tar and Parquet content is recognised; text objects are taken as they
        are.
    findings : Findings
        Receives `truncated-archive` where a compressed file ends early or is damaged.
    member : str, optional
        Which file to take from a zip or tar that holds several.

    Raises
    ------
    ValueError
        If the member is unknown, or the content exceeds the limits; that is found out before
        more than the limit is held in memory.
    """
    name, limits = _name(source), _limits(source)
    findings.at_most(limits.max_memory // _PROBLEM, lambda: limits.refuse(name, "max_memory"))
    whole = None if member is not None else _read_at_once(source, limits)
    if whole is None:
        pieces = content_pieces(source, findings, member=member)
        whole = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    whole.flags.writeable = False
    content = Content(name, whole, limits)
    if whole.size > max(_LARGE, limits.max_lines) and content.signs.newlines > limits.max_lines:
        limits.refuse(name, "max_lines")
    return content


def _read_at_once(source: Source, limits: Limits) -> npt.NDArray[np.uint8] | None:
    """Return the bytes of a large file, None of one that is packed or is no file."""
    file, size = source.source if isinstance(source, Limited) else source, _size(source)
    if not isinstance(file, str | os.PathLike) or not _LARGE < size <= limits.max_bytes:
        return None
    with _opened(Path(file)) as opened:
        head = opened.read(_TAR_MAGIC.stop)
        packed = head.startswith((*(packing.magic for packing in _PACKINGS), _ZIP_MAGIC, MAGIC))
        if packed or head[_TAR_MAGIC] == b"ustar":
            return None
        whole = room_for(size, np.uint8)
        room, end = whole.data, len(head)
        room[:end] = head
        while got := opened.readinto(room[end:]):
            end += got
    return whole[:end]


def content_pieces(
    source: Source, findings: Findings, *, member: str | None = None
) -> Iterator[bytes]:
    """Yield in pieces what `open_source` returns; only archives of files are held in memory."""
    name, limits, damage = _name(source), _limits(source), list[str]()
    pieces = _inflated(_raw(source), damage)
    head = _at_least(_TAR_MAGIC.stop, b"", pieces)
    unpack: _Unpack | None = None
    if head.startswith(_OLD_WORKBOOK):
        raise _workbook(name)
    if head.startswith(_ZIP_MAGIC):
        unpack = _unzipped
    elif head[_TAR_MAGIC] == b"ustar":
        unpack = _untarred
    elif head.startswith(MAGIC) and member is None:
        unpack = partial(_tabled, limits=limits)
    elif member is not None:
        raise ValueError(f"member must be None for a single file, got {shown(member)}")
    pieces = chain((head,), pieces)
    if unpack is not None:
        archive = io.BytesIO()
        size = 0
        for piece in pieces:
            size += archive.write(piece)
            if size > limits.max_bytes:
                limits.refuse(name, "max_bytes")
        pieces = unpack(archive, name, member, damage)
    size = lines = 0
    for piece in pieces:
        size += len(piece)
        lines += int(np.count_nonzero(np.frombuffer(piece, dtype=np.uint8) == ord("\n")))
        if size > limits.max_bytes:
            limits.refuse(name, "max_bytes")
        if lines > limits.max_lines:
            limits.refuse(name, "max_lines")
        yield piece
    for words in damage:
        findings.add("kept", lines + 1, "truncated-archive", words)


def text_lines(content: Content, findings: Findings) -> list[str]:
    """Split into lines without line ends, in any encoding that `utf8_text` knows.

    Raises
    ------
    ValueError
        As `Content.check_lines`.
    """
    content.check_lines(of_line=_LINE, of_field=_FIELD)
    lines = utf8_text(content.data, findings).decode("utf-8").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def split_csv(line: str, delimiter: str = ",") -> list[str]:
    """Return the fields of one line; a stray quote damages its own line only."""
    try:
        return next(csv.reader([line], delimiter=delimiter), []) or [line]
    except csv.Error:
        return [line]


def _limits(source: Source) -> Limits:
    return source.limits if isinstance(source, Limited) else Limits()


def _name(source: Source) -> str:
    file = source.source if isinstance(source, Limited) else source
    if isinstance(file, str | os.PathLike):
        return Path(file).name
    return Path(str(getattr(file, "name", "<file>"))).name


def _size(source: Source) -> int:
    """Return the bytes of a file, 0 of what does not say."""
    file = source.source if isinstance(source, Limited) else source
    with suppress(OSError, ValueError):
        if isinstance(file, str | os.PathLike):
            return os.stat(file).st_size
    return 0


def _raw(source: Source) -> Iterator[bytes]:
    file = source.source if isinstance(source, Limited) else source
    if isinstance(file, str | os.PathLike):
        with _opened(Path(file)) as opened:
            first = _first_of_pipe(opened, _name(source), _limits(source).max_wait)
            while raw := first or opened.read(_PIECE):
                first = b""
                yield raw
        return
    if not hasattr(file, "read"):
        raise TypeError(f"source must be a path or a file object, got {shown(file)}")
    while piece := file.read(_PIECE):
        yield piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else bytes(piece)


def _opened(path: Path) -> io.FileIO:
    """Open a file, or raise as the system does, in words that say which file and why."""
    try:
        # Or a pipe to which nobody writes would stop the process here.
        return open(path, "rb", buffering=0, opener=_without_waiting)
    except (OSError, ValueError) as error:
        text = str(path)
        if len(text) > _SHOWN:
            text = f"{text[: _SHOWN // 4]}...{text[-_SHOWN // 4 :]}"
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        words = f"source must be a readable file, got {text!r} ({reason})"
        if isinstance(error, OSError):
            raise type(error)(words) from error
        raise ValueError(words) from error  # of a name that no file can have


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _first_of_pipe(opened: IO[bytes], name: str, patience: float) -> bytes:
    """Return what a pipe gives first, if somebody writes to it in time; of a file nothing."""
    handle = opened.fileno()
    if not stat.S_ISFIFO(os.fstat(handle).st_mode):
        return b""
    until = time.monotonic() + patience
    first = b""
    with suppress(BlockingIOError):  # somebody has it open, and has not yet written
        while not (first := os.read(handle, _PIECE)):
            if time.monotonic() > until:
                raise ValueError(
                    f"{name} must be a file, or a pipe that something is written to, got nothing "
                    f"for {patience:g} s"
                )
            time.sleep(0.01)
    os.set_blocking(handle, True)
    return first


def _at_least(size: int, head: bytes, pieces: Iterator[bytes]) -> bytes:
    """Return `head` prolonged to `size` bytes or more, as far as there are pieces."""
    while len(head) < size and (piece := next(pieces, b"")):
        head += piece
    return head


def _inflated(raw: Iterator[bytes], damage: list[str]) -> Iterator[bytes]:
    """Decompress as far as possible; keep what precedes damage, and report the damage."""
    head = _at_least(_LONGEST_MAGIC, b"", raw)
    for packing in _PACKINGS:
        if head.startswith(packing.magic):
            yield from _drain(head, raw, packing, damage)
            return
    yield head
    yield from raw


def _drain(
    given: bytes, raw: Iterator[bytes], packing: _Packing, damage: list[str]
) -> Iterator[bytes]:
    while given.startswith(packing.magic):  # archives may be several streams in a row
        stream = packing.decompressor()
        while not stream.eof:
            if stream.needs_input and not given and not (given := next(raw, b"")):
                damage.append(f"the {packing.kind} data ends early")
                return
            try:
                piece = stream.decompress(given, _CHUNK)
            except _DAMAGE as error:
                damage.append(f"the {packing.kind} data is damaged: {_words(error)}")
                return
            given = b""
            yield piece
        given = stream.unused_data
        while not (given := given.lstrip(b"\0")) and (given := next(raw, b"")):
            pass  # what is filled up with zeros
        given = _at_least(_LONGEST_MAGIC, given, raw)
    if given:
        damage.append(f"what follows the {packing.kind} data is left out")


def _unzipped(
    data: io.BytesIO, name: str, member: str | None, damage: list[str]
) -> Iterator[bytes]:
    if data.getvalue().count(b"PK\x01\x02") > _MOST_MEMBERS:
        raise ValueError(f"{name} must hold at most {_MOST_MEMBERS:,} files, got more")
    try:
        archive = zipfile.ZipFile(data)
        files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
    except _DAMAGE as error:
        damage.append(f"the zip data cannot be read: {_words(error)}")
        return
    if member is None and not _IN_WORKBOOKS.isdisjoint(files):
        raise _workbook(name)
    chosen = archive.getinfo(_choose(files, name, member))
    try:
        yield from _member(data, chosen)
    except _DAMAGE as error:
        damage.append(f"the zip data cannot be read: {_words(error)}")


def _workbook(name: str) -> ValueError:
    return ValueError(
        f"{name} must be text, got a workbook: save the sheet as CSV, or: libreoffice --headless "
        f"--convert-to csv {name}"
    )


def _member(data: io.BytesIO, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a member in pieces of bounded size, which `zipfile` does not do for every method."""
    if entry.flag_bits & 1:
        raise ValueError(f"{entry.filename!r} is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, *_ZIPPED):
        raise ValueError(f"{entry.filename!r} is packed by method {entry.compress_type}")
    data.seek(entry.header_offset)
    mark, *_, names, extra = struct.unpack("<4s22xHH", data.read(30))
    if mark != b"PK\x03\x04":
        raise ValueError(f"{entry.filename!r} does not begin where it should")
    data.seek(names + extra, os.SEEK_CUR)
    packed = _read_to(data, data.tell() + entry.compress_size)
    if entry.compress_type == zipfile.ZIP_LZMA:  # the header that xz knows stands in another form
        head = next(packed, b"")
        size = b"\xff" * 8 if entry.flag_bits & 2 else struct.pack("<Q", entry.file_size)
        packed = chain((head[4:9] + size + head[9:],), packed)
    check, left = 0, entry.file_size
    for piece in packed if entry.compress_type == 0 else _expanded(packed, entry.compress_type):
        check = zlib.crc32(piece, check)
        yield piece[:left]
        left = max(0, left - len(piece))
    if check != entry.CRC:
        raise ValueError(f"bad CRC-32 for file {entry.filename!r}")


def _read_to(data: io.BytesIO, end: int) -> Iterator[bytes]:
    while piece := data.read(min(_PIECE, max(0, end - data.tell()))):
        yield piece


def _expanded(packed: Iterator[bytes], method: int) -> Iterator[bytes]:
    stream = _ZIPPED[method]()
    while not stream.eof:
        given = next(packed, b"") if stream.needs_input else b""
        if stream.needs_input and not given:
            return
        yield stream.decompress(given, _CHUNK)


def _untarred(
    data: io.BytesIO, name: str, member: str | None, damage: list[str]
) -> Iterator[bytes]:
    files, problem = read_members(data)
    if problem is not None:
        damage.append(f"the tar data is damaged: {problem}")
    if not files and problem is not None:
        return
    start, size = files[_choose(list(files), name, member)]
    data.seek(start)
    piece = data.read(size)
    yield piece
    if len(piece) < size and problem is None:
        damage.append("the tar data ends early")


def _tabled(
    data: io.BytesIO, name: str, member: str | None, damage: list[str], *, limits: Limits
) -> Iterator[bytes]:
    del member, damage  # a table is one file, and whole or refused
    data.seek(0)
    yield from parquet_lines(data, name, limits)


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _choose(files: list[str], name: str, member: str | None) -> str:
    if not files:
        raise ValueError(f"{name} must hold a file, got an empty archive")
    if member is None and len(files) == 1:
        return files[0]
    if member not in files:
        known = ", ".join(files)
        known = known if len(known) <= _SHOWN else f"{known[:_SHOWN]}..."
        raise ValueError(f"member must be one of {known} in {name}, got {shown(member)}")
    return member
