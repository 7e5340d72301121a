"""Bytes of text in any usual encoding, with any line end, as UTF-8 with line feeds."""

from __future__ import annotations

import codecs

from .report import Findings

__all__ = ["utf8_text"]

_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LOOKED_AT = 1_000  # bytes


def utf8_text(data: bytes, findings: Findings) -> bytes:
    """Return the text in UTF-8 with lines that end in LF; note what it was instead.

    A byte order mark is cut off. What is neither UTF-16 nor UTF-8 is read as latin-1.
    """
    data = _of_wide_characters(data, findings)
    if data.startswith(codecs.BOM_UTF8):
        findings.add("noted", 1, "byte-order-mark", "the file starts with a byte order mark")
        data = data[len(codecs.BOM_UTF8) :]
    first = data.find(b"\r\n") if b"\r" in data else -1
    if first >= 0:
        line = data.count(b"\n", 0, first) + 1
        findings.add("noted", line, "crlf", "lines end in CR LF")
        data = data.replace(b"\r\n", b"\n")
    elif b"\r" in data and b"\n" not in data:
        findings.add("noted", 1, "cr", "lines end in CR")
        data = data.replace(b"\r", b"\n")
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            reason = f"byte 0x{data[error.start]:02x} is not UTF-8; read as latin-1"
            findings.add("noted", line, "latin-1", reason)
            data = data.decode("latin-1").encode("utf-8")
    return data


def _of_wide_characters(data: bytes, findings: Findings) -> bytes:
    """Return UTF-16 as UTF-8, and anything else as it is."""
    coding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if coding is None and len(data) > 3:
        # Without a mark, text in a Latin script has a zero in every second byte.
        even, odd = data[:_LOOKED_AT:2], data[1:_LOOKED_AT:2]
        if odd.count(0) > 0.9 * len(odd) and not even.count(0):
            coding = "utf-16-le"
        elif even.count(0) > 0.9 * len(even) and not odd.count(0):
            coding = "utf-16-be"
    if coding is None:
        return data
    findings.add("noted", 1, "utf-16", f"the file is in {coding.upper()}")
    text = data.decode(coding, "replace").removeprefix("\ufeff")
    return text.encode("utf-8", "replace")
