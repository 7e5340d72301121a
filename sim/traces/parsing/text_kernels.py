"""Compiled twins of what is done to many lines of text: cut them, read clocks, tell words apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..._compiled import compiled

SILENT, PLAIN, ODD = 0, 1, 2  # kinds of lines
NEWLINE, QUOTE, HASH = 10, 34, 35
_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
_PRIME, _TURN = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)  # that spread bits
# Eight bytes are looked at together, as one number.
_ONES, _REST = np.uint64(0x0101010101010101), np.uint64(0x7F7F7F7F7F7F7F7F)
_PLACES = np.uint64(0x0001020304050607)
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0001000100010001)
_ONE, _SEVEN, _EIGHT = np.uint64(1), np.uint64(7), np.uint64(8)
_TOP, _UPPER = np.uint64(56), np.uint64(48)
_FOUR = np.uint64(4)
# "0000-00-" and "00:00:00" from their ends, and how far digits and marks are from the highest bit.
_DATE, _DATE_ROOM = np.uint64(0x2D30302D30303030), np.uint64(0x7F76767F76767676)
_CLOCK, _CLOCK_ROOM = np.uint64(0x30303A30303A3030), np.uint64(0x76767F76767F7676)
_BLOCK = 60  # words, at most 255, as their matches are counted in a byte
BLOCKS = 1_000
_MISSES = 8  # of one text, on average, when texts are looked up

ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int64]
PlaceArray = npt.NDArray[np.signedinteger[Any]]


@compiled(inner=True)
def _words(data: ByteArray) -> npt.NDArray[np.uint64]:
    return data[: data.size // 8 * 8].view(np.uint64)


@compiled(inner=True)
def _matches(word: np.uint64, signs: np.uint64) -> np.uint64:
    """Return the highest bit of each byte in which the two agree."""
    other = word ^ signs
    return ~(((other & _REST) + _REST) | other | _REST)


@compiled()
def count_signs(data: ByteArray, signs: ByteArray, counts: IntArray) -> tuple[bool, bool]:
    """Fill in how often each sign stands in the text.

    Return whether the first is in each block, of which two are shorter than `BLOCKS` bytes, and
    whether all bytes are ASCII.
    """
    words, dense, bits = _words(data), True, np.uint64(0)
    for begin in range(0, words.size, _BLOCK):
        block = words[begin : begin + _BLOCK]
        for place in range(signs.size):
            repeated, found = _ONES * np.uint64(signs[place]), np.uint64(0)
            for at in range(block.size):
                found += _matches(block[at], repeated) >> _SEVEN
            pairs = (found & _PAIRS) + ((found >> _EIGHT) & _PAIRS)
            counts[place] += np.int64((pairs * _FOURS) >> _UPPER)
            dense &= bool(place > 0 or found > 0 or block.size < _BLOCK)
        for at in range(block.size):
            bits |= block[at]
    for at in range(8 * words.size, data.size):
        bits |= np.uint64(data[at])
        for place in range(signs.size):
            counts[place] += data[at] == signs[place]
    return dense, bits & ~_REST == np.uint64(0)


@compiled(inner=True)
def _is_blank(byte: int) -> bool:
    return byte <= 32 and (byte == 32 or 9 <= byte <= 13)


@compiled(inner=True)
def _trimmed(data: ByteArray, start: int, stop: int) -> tuple[int, int]:
    while start < stop and _is_blank(data[start]):
        start += 1
    while start < stop and _is_blank(data[stop - 1]):
        stop -= 1
    return start, stop


@compiled()
def cut_lines(
    data: ByteArray, begin: int, mark: int, quoted: bool, cells: PlaceArray, kinds: ByteArray
) -> None:
    """Do what `delimited.cut_lines_plainly` does from `begin` on; lines with quotes are ODD."""
    words, width = _words(data), cells.shape[1]
    marks, newlines = _ONES * np.uint64(mark), _ONES * np.uint64(NEWLINE)
    quotes = _ONES * np.uint64(QUOTE)
    line, column, start, first, quote = 0, 0, begin, begin, False
    for place in range(begin // 8, words.size + 1):
        if place < words.size:
            word = words[place]
        else:  # the last bytes, and the end of the last line
            word = np.uint64(NEWLINE)
            for at in range(data.size - 1, 8 * place - 1, -1):
                word = (word << _EIGHT) | np.uint64(data[at])
        hits = _matches(word, marks) | _matches(word, newlines) | _matches(word, quotes)
        while hits:
            low = hits & (~hits + _ONE)
            hits ^= low
            at = 8 * place + int(((low >> _SEVEN) * _PLACES) >> _TOP)
            if at < begin or line == kinds.size:
                continue
            byte = data[at] if at < data.size else NEWLINE
            if byte == QUOTE and byte != mark:
                quote = True
                continue
            if column < width:
                start, stop = _trimmed(data, start, at)
                cells[line, column, 0], cells[line, column, 1] = start, stop
            column, start = column + 1, at + 1
            if byte == NEWLINE:
                first, stop = _trimmed(data, first, at)
                if first == stop or data[first] == HASH:
                    kinds[line] = SILENT
                else:
                    kinds[line] = PLAIN if column == width and not (quote and quoted) else ODD
                line, column, first, quote = line + 1, 0, at + 1, False


@compiled(inner=True)
def _eight(text: ByteArray) -> np.uint64:
    """Return eight bytes as one number, which takes one step if they are named one by one."""
    low = np.uint64(text[0]) | np.uint64(text[1]) << _EIGHT
    low |= np.uint64(text[2]) << np.uint64(16) | np.uint64(text[3]) << np.uint64(24)
    high = np.uint64(text[4]) | np.uint64(text[5]) << _EIGHT
    high |= np.uint64(text[6]) << np.uint64(16) | np.uint64(text[7]) << np.uint64(24)
    return low | high << _TURN


@compiled(inner=True)
def _pairs(text: ByteArray, form: np.uint64, room: np.uint64) -> np.uint64:
    """Return eight bytes in which each pair of digits has become its number, the first byte of it.

    `form` has "0" for digits, and else the byte that must stand there; `room` is what makes a byte
    that does not fit reach its highest bit. All bits are set where one does not fit.
    """
    found = _eight(text) ^ form
    if (found | (found + room)) & ~_REST:
        return ~np.uint64(0)
    return found * np.uint64(10) + (found >> _EIGHT)


@compiled()
def clock_seconds(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in Unix seconds of each ``YYYY-MM-DD?hh:mm:ss`` or ``YYYY-MM-DD``, nan for all else."""
    byte, ten = np.uint64(255), np.uint64(10)
    for row in range(starts.size):
        text = data[starts[row] : stops[row]]
        into[row] = np.nan
        if text.size not in (10, 19):
            continue
        date, clock = _pairs(text, _DATE, _DATE_ROOM), np.uint64(0)
        tens, ones = np.uint64(text[8] ^ 48), np.uint64(text[9] ^ 48)
        year = (date & byte) * np.uint64(100) + ((date >> np.uint64(16)) & byte)
        month, day = (date >> np.uint64(40)) & byte, ten * tens + ones
        if max(tens, ones) >= ten or min(year, month, day) < _ONE or month > np.uint64(12):
            continue
        if text.size == 19:
            clock = _pairs(text[11:], _CLOCK, _CLOCK_ROOM)
            hour, minute = clock & byte, (clock >> np.uint64(24)) & byte
            second = (clock >> _UPPER) & byte
            if (text[10] != 84 and text[10] != 32) or max(minute, second) > np.uint64(59):
                continue
            if hour > np.uint64(23):
                continue
            clock = np.uint64(60) * (np.uint64(60) * hour + minute) + second
        if day > np.uint64(28):
            leap = year % _FOUR == 0 and (year % np.uint64(100) != 0 or year % np.uint64(400) == 0)
            if np.int64(day) > _DAYS[month] + (month == np.uint64(2) and leap):
                continue
        # Years that begin in March have the odd day at their end.
        early = month <= np.uint64(2)
        year, month = year - np.uint64(early), month + np.uint64(12 * early) - np.uint64(3)
        days = np.uint64(365) * year + year // _FOUR - year // np.uint64(100)
        days += year // np.uint64(400) + (np.uint64(153) * month + np.uint64(2)) // np.uint64(5)
        into[row] = 86_400.0 * (np.int64(days + day) - 719_469) + np.int64(clock)


@compiled(inner=True)
def _print(text: ByteArray) -> np.uint64:
    """Return a number that equal texts share: of up to seven bytes these and their number."""
    mixed = np.uint64(text.size)
    if text.size < 8:
        for at in range(text.size):
            mixed = (mixed << _EIGHT) | np.uint64(text[at])
        return mixed
    for begin in range(0, text.size - 7, 8):
        mixed = (mixed ^ _eight(text[begin : begin + 8])) * _PRIME
        mixed ^= mixed >> _TURN
    mixed = (mixed ^ _eight(text[text.size - 8 :])) * _PRIME
    return mixed | np.uint64(0xFF) << _TOP


@compiled(inner=True)
def _same(one: ByteArray, other: ByteArray) -> bool:
    same = one.size == other.size
    for place in range(one.size if same else 0):
        same &= one[place] == other[place]
    return same


@compiled(inner=True)
def _slot(mixed: np.uint64, slots: PlaceArray) -> int:
    return int((mixed * _PRIME) >> _TURN) & (slots.size - 1)


@compiled()
def number_texts(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, codes: IntArray, first: IntArray
) -> int:
    """Return how many texts there are, numbered as they come; fill in the first row of each.

    It is -1 where too many texts fall together, as somebody may have made them to.
    """
    slots, prints = np.full(1 << 10, -1, np.int32), np.empty(codes.size, np.uint64)
    count, left = 0, _MISSES * codes.size + slots.size
    for row in range(codes.size):
        text = data[starts[row] : stops[row]]
        mixed = _print(text)
        slot = _slot(mixed, slots)
        code = slots[slot]
        while code >= 0:
            row_of = first[code]
            if prints[code] == mixed and (
                text.size < 8 or _same(text, data[starts[row_of] : stops[row_of]])
            ):
                break
            slot, left = (slot + 1) & (slots.size - 1), left - 1
            code = slots[slot]
        if left < 0:
            return -1
        if code < 0:
            code, slots[slot] = count, count
            prints[count], first[count] = mixed, row
            count += 1
            if 4 * count > slots.size:
                slots = np.full(4 * slots.size, -1, np.int32)
                for old in range(count):
                    slot = _slot(prints[old], slots)
                    while slots[slot] >= 0:
                        slot, left = (slot + 1) & (slots.size - 1), left - 1
                    slots[slot] = old
        codes[row] = code
    return count


@compiled()
def copy_texts(data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: ByteArray) -> None:
    """Fill in the bytes of one text after the other."""
    end = 0
    for row in range(starts.size):
        for place in range(starts[row], stops[row]):
            into[end] = data[place]
            end += 1


@compiled()
def plain_wholes(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in the whole number of each piece of 1 to 15 digits, nan for all else."""
    for row in range(starts.size):
        size = stops[row] - starts[row]
        number, plain = 0, 0 < size <= 15
        for place in range(starts[row], stops[row] if plain else starts[row]):
            byte = data[place]
            plain &= 48 <= byte <= 57
            number = 10 * number + byte - 48
        into[row] = float(number) if plain else np.nan
