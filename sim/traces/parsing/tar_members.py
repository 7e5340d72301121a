"""The files in a tar archive: where each begins and how long it is.

The standard library's `tarfile` does more than a log needs, and in versions that are in use takes
quadratic time for some headers (CVE-2024-6232).
"""

from __future__ import annotations

from typing import IO

_BLOCK = 512
_REGULAR = (b"0", b"\0", b"7")
_LONG_NAME = b"L"


def read_members(data: IO[bytes]) -> tuple[dict[str, tuple[int, int]], str | None]:
    """Return name -> (offset, size) [byte] of the regular files, and what is damaged, if any.

    Headers that only describe, as those of POSIX 2001, are passed over; what stands before a
    damaged header is kept.
    """
    found: dict[str, tuple[int, int]] = {}
    long_name: str | None = None
    place = 0
    while True:
        data.seek(place)
        header = data.read(_BLOCK)
        if not header.strip(b"\0"):
            return found, None
        size = _octal(header[124:136])
        if size is None or len(header) < _BLOCK or _octal(header[148:156]) != _checksum(header):
            return found, f"no header at byte {place:,}"
        kind, start = header[156:157], place + _BLOCK
        if kind == _LONG_NAME:
            long_name = _text(data.read(min(size, _BLOCK * 8)))
        else:
            name = long_name or _text(header[:100])
            if kind in _REGULAR and not name.endswith("/"):
                prefix = "" if long_name else _text(header[345:500])
                found[f"{prefix}/{name}" if prefix else name] = (start, size)
            long_name = None
        place = start + size + -size % _BLOCK


def _checksum(header: bytes) -> int:
    """Return the sum of the bytes, where the field of the sum itself counts as blanks."""
    return sum(header) - sum(header[148:156]) + 8 * ord(" ")


def _octal(field: bytes) -> int | None:
    digits = field.strip(b" \0")
    if not all(48 <= digit < 56 for digit in digits):
        return None
    return int(digits or b"0", 8)


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "replace")
