"""Bytes of text in any usual encoding, with any line end, as UTF-8 with line feeds."""

from __future__ import annotations

import codecs
import re

from .report import Findings

UNTOLD = "unknown-encoding"

_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LOOKED_AT = 1_000  # bytes
# Encodings of two bytes a character: codec, the name for it, the codec of what is common in it, and
# whether its text may have kana, must or must not.
_OF_EAST_ASIA = (
    ("cp932", "Shift-JIS", "shift_jis", (False, True)),
    ("euc_jp", "EUC-JP", "euc_jp", (True,)),
    ("gb18030", "GB18030", "gb2312", (False,)),
)
_READ = 100_000  # characters that must make sense
_EAST_ASIAN = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]+")
_KANA = re.compile("[\u3041-\u30ff]")
# First byte of GB2312's common characters that hardly any of Japanese or Korean has.
_CHINESE = 0xD0
_HANGUL = re.compile("[\uac00-\ud7a3]")
_MANY = 8  # different syllables; of so many characters of Chinese one is none of Korean
_CONTROLS = re.compile("[\x80-\x9f]")  # in latin-1; letters and quotes on Windows
# Letters of languages of the West, each with those of names and words that all of them borrow.
_BORROWED = frozenset("éèêçñäöüßáµªº")
_ALPHABETS = tuple(
    _BORROWED | set(letters)
    for letters in ("àâæëîïôœùûÿ", "íóúàïòâãõô", "àìíîòóùúï", "åæøôòóíâà", "åëïóúíàî", "æðíóúýþå")
)
_ASCII = frozenset(map(chr, range(128)))
_LETTER = "A-Za-zÀ-ÖØ-öø-ÿ"
# A sign inside a word, or three of what is not ASCII in a row, as no such language writes.
_STRANGE = re.compile(
    f"(?<=[{_LETTER}])[^\x00-\x7f{_LETTER}ŒœŠšŽžŸªºµ\xa0\xad\xb4\xb7\u2013\u2014\u2019](?=[{_LETTER}])"
    "|[^\x00-\x7f\xa0«»\u2013-\u2014\u2018-\u2019\u201c-\u201d\u2026]{3}"
)
_NONE_OF_TEXT = re.compile("[\ue000-\uf8ff\uff61-\uff9f]")  # of private use, or of half the width


def utf8_text(data: bytes, findings: Findings) -> bytes:
    """Return the text in UTF-8 with lines that end in LF; note what it was instead.

    A byte order mark is cut off. What is neither UTF-16 nor UTF-8 is read as Shift-JIS or GB18030
    where that makes words of Japanese or Chinese (or EUC-JP, EUC-KR), else as latin-1 or
    Windows-1252. Noted as `UNTOLD` where that makes no words of a language of the West.
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
            coding, name, told = _coding_of(data)
            reason = f"byte 0x{data[error.start]:02x} is not UTF-8; read as {name}"
            findings.add("noted", line, name.lower() if told else UNTOLD, reason)
            data = data.decode(coding).encode("utf-8")
    return data


def _coding_of(data: bytes) -> tuple[str, str, bool]:
    """Return the codec of a text that is not in UTF-8, its name, and whether it makes words."""
    for coding, name, common, kana in _OF_EAST_ASIA:
        try:
            text = data.decode(coding)[:_READ]
        except UnicodeDecodeError:
            continue
        words = _EAST_ASIAN.findall(text)
        # In latin-1 a letter with an accent takes the next one with it: one character alone.
        alone = sum(len(word) == 1 for word in words)
        letters = "".join(words)
        usual = letters.encode(common, "ignore").decode(common)
        likely = words and 2 * alone < len(words) and len(usual) > 0.95 * len(letters)
        fits = bool(_KANA.search(letters)) in kana and not _NONE_OF_TEXT.search(text)
        if likely and fits and coding == "gb18030" and not _is_chinese(data):
            korean = data.decode("euc_kr", "replace")
            syllables = len({*_HANGUL.findall(korean)})
            if "\ufffd" in korean or syllables < _MANY:
                return coding, name, False  # or EUC-KR, or EUC-JP
            return "euc_kr", "EUC-KR", True
        if likely and fits:
            return coding, name, True
    text = data.decode("latin-1")
    if _CONTROLS.search(text) is None:
        return "latin-1", "latin-1", _is_western(text)
    try:
        return "cp1252", "Windows-1252", _is_western(data.decode("cp1252"))
    except UnicodeDecodeError:
        return "latin-1", "latin-1", False


def _is_chinese(data: bytes) -> bool:
    """Whether characters are of those that common ones of Japanese or Korean do not look like."""
    pieces = re.findall(rb"(?:[\xa1-\xfe]{2})+", data)
    return any(max(piece[::2]) >= _CHINESE for piece in pieces)


def _is_western(text: str) -> bool:
    """Whether letters beyond ASCII are of one language of the West, and stand as its do."""
    letters = {letter.lower() for letter in set(text) - _ASCII if letter.isalpha()}
    return any(letters <= known for known in _ALPHABETS) and _STRANGE.search(text) is None


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
