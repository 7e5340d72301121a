"""Compiled twins of what is done to many lines of text: cut them, read clocks, tell words apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..._compiled import compiled
from .lanes import LANES, equal_lanes, high_lanes, lowest, ones

SILENT, PLAIN, ODD = 0, 1, 2  # kinds of lines
NEWLINE, QUOTE, HASH, DOT = 10, 34, 35, 46
_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
_PRIME, _TURN = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)  # that spread bits
_REST = np.uint64(0x7F7F7F7F7F7F7F7F)
_NONE, _ONE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(4)
_SEVEN, _EIGHT = np.uint64(7), np.uint64(8)
_TOP, _UPPER = np.uint64(56), np.uint64(48)
# "0000-00-" and "00:00:00" from their ends, and how far digits and marks are from the highest bit.
_DATE, _DATE_ROOM = np.uint64(0x2D30302D30303030), np.uint64(0x7F76767F76767676)
_CLOCK, _CLOCK_ROOM = np.uint64(0x30303A30303A3030), np.uint64(0x76767F76767F7676)
# Eight digits: what makes one that is none reach the highest bit, and what pairs of them weigh.
_ZEROS, _DIGIT_ROOM = np.uint64(0x3030303030303030), np.uint64(0x7676767676767676)
_PAIR = np.uint64(0x000000FF000000FF)
_HIGHER, _LOWER = np.uint64(0x000F424000000064), np.uint64(0x0000271000000001)
_BLOCK, BLOCKS = 7, 1_000  # lanes; bytes in two blocks and what is left at the end
_PIECE = 64 * LANES  # bytes whose marks are looked for at a time
_MISSES = 8  # of one text, on average, when texts are looked up

ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int64]
PlaceArray = npt.NDArray[np.signedinteger[Any]]


@compiled()
def count_signs(data: ByteArray, signs: ByteArray, counts: IntArray) -> tuple[bool, bool]:
    """Fill in how often each sign stands in the text.

    Return whether the first is in each block, of which two are shorter than `BLOCKS` bytes, and
    whether all bytes are ASCII.
    """
    dense, is_ascii, whole = True, True, data.size // LANES
    for begin in range(0, whole, _BLOCK):
        end = min(begin + _BLOCK, whole)
        for place in range(signs.size):
            found = 0
            for block in range(begin, end):
                found += ones(equal_lanes(data, LANES * block, signs[place]))
            counts[place] += found
            dense &= bool(place > 0 or found > 0 or end < begin + _BLOCK)
        for block in range(begin, end):
            is_ascii &= high_lanes(data, LANES * block) == _NONE
    for at in range(LANES * whole, data.size):
        is_ascii &= data[at] < 128
        for place in range(signs.size):
            counts[place] += data[at] == signs[place]
    return dense, is_ascii


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


@compiled(inner=True)
def _signs(data: ByteArray, place: int, mark: int, quote: int) -> np.uint64:
    marks = equal_lanes(data, place, mark) | equal_lanes(data, place, quote)
    found: np.uint64 = marks | equal_lanes(data, place, NEWLINE)
    return found


@compiled(inner=True)
def _hits(data: ByteArray, begin: int, mark: int, quote: int, hits: PlaceArray) -> int:
    """Fill in where a piece has marks, quotes and ends of lines, and return how many.

    The end of the text ends its last line.
    """
    count = 0
    for place in range(begin, min(begin + _PIECE, data.size + 1), LANES):
        if place + LANES <= data.size:
            found = _signs(data, place, mark, quote)
        else:
            text = np.full(LANES, NEWLINE, np.uint8)
            text[: data.size - place] = data[place:]
            end = _ONE << np.uint64(data.size - place)
            found = _signs(text, 0, mark, quote) & (end | (end - _ONE))
        last = count + ones(found)
        while count < last:
            # So many at once, as each end of a loop is guessed wrong; the rest is written over.
            for more in range(8):
                hits[count + more] = place + lowest(found)
                found &= found - _ONE
            count += 8
        count = last
    return count


@compiled(inner=True)
def _may_be_blank(data: ByteArray, start: int, stop: int) -> bool:
    # Without jumps, which would be guessed wrong.
    return bool((start < stop) & ((data[start] <= 32) | (data[stop - 1] <= 32)))


@compiled()
def trim(data: ByteArray, starts: PlaceArray, stops: PlaceArray, quoted: int) -> None:
    """Leave out the blanks around each piece, and the quotes of those in the first bytes."""
    for row in range(starts.size):
        start, stop = starts[row], stops[row]
        quotes = start < min(stop, quoted) and data[start] == QUOTE
        starts[row], stops[row] = _trimmed(data, start + quotes, stop - quotes)


@compiled(inner=True)
def _is_strange(byte: int) -> bool:
    return byte > 127 or 28 <= byte < 32


@compiled(inner=True)
def _has_strange_ends(data: ByteArray, start: int, stop: int) -> bool:
    """Whether Python may strip a letter from a piece that `trim` leaves there."""
    if start >= stop:
        return False
    left, right = _trimmed(data, start, stop)
    return left < right and (_is_strange(data[left]) or _is_strange(data[right - 1]))


@compiled(inner=True)
def _kind(data: ByteArray, first: int, at: int, plain: bool) -> int:
    if first < at and data[first] <= HASH:
        first, at = _trimmed(data, first, at)
    return SILENT if first == at or data[first] == HASH else PLAIN if plain else ODD


@compiled(inner=True)
def _usual_line(
    data: ByteArray,
    mark: int,
    quoted: bool,
    hits: PlaceArray,
    start: int,
    edges: PlaceArray,
    line: int,
) -> tuple[int, bool]:
    """Cut a line with as many fields as most, with quotes around none or some of them.

    Return how many hits it has, 0 where it is no such line, and whether `trim` may be needed.
    """
    width, hit = edges.shape[0] - 1, 0
    plain, blank, quotes, strange = True, False, False, False
    for place in range(width):
        at, inside = hits[hit], 0
        if at == start and at < data.size and data[at] == QUOTE:
            before, at, inside = hits[hit + 1], hits[hit + 2], 1
            plain &= at == before + 1 and data[before] == QUOTE
            quotes = True
        byte = data[at] if at < data.size else NEWLINE
        plain &= byte == (mark if place < width - 1 else NEWLINE)
        blank |= _may_be_blank(data, start, at)
        left, right = start + inside, at - inside - 1
        if quoted and left <= right:
            strange |= not ((32 < data[left] < 128) & (32 < data[right] < 128))
        edges[place, line], start = start, at + 1
        hit += 1 + 2 * inside
    edges[width, line] = start
    return hit if plain and not (quotes and strange) else 0, blank or quotes


@compiled()
def cut_lines(
    data: ByteArray, begin: int, mark: int, quoted: bool, edges: PlaceArray, kinds: ByteArray
) -> bool:
    """Do what `delimited.cut_lines_plainly` does from `begin` on.

    Lines with quotes are ODD, unless each quote begins or ends a field that has no other, and
    there is nothing to strip but what `trim` does. Return whether it has something to do.
    """
    width, hits = edges.shape[0] - 1, np.empty(_PIECE + LANES, edges.dtype)
    line, column, first, start, blank = 0, 0, begin, begin, False
    quote, opened, odd, strange = False, False, False, False
    most = 3 * width if quoted else width  # hits of a line
    for piece in range(begin, data.size + 1 if kinds.size else 0, _PIECE):
        count, hit = _hits(data, piece, mark, QUOTE if quoted else mark, hits), 0
        while hit < count:
            if column == 0 and not quote and hit + most <= count:
                ahead = hits[hit : hit + most]
                after, may_be = _usual_line(data, mark, quoted, ahead, start, edges, line)
                blank |= may_be
                if after:
                    start = edges[width, line]
                    kinds[line] = _kind(data, first, start - 1, True)
                    line, hit, first = line + 1, hit + after, start
                    if line == kinds.size:
                        return blank
                    continue
            at = hits[hit]
            hit += 1
            byte = data[at] if at < data.size else NEWLINE
            if byte == QUOTE and byte != mark:
                after = data[at + 1] if at + 1 < data.size else NEWLINE
                odd |= (after not in (mark, NEWLINE)) if opened else at > start
                quote, opened = True, not opened
                continue
            if opened and byte != NEWLINE:
                continue
            if column < width:
                edges[column, line], edges[column + 1, line] = start, at + 1
                blank |= quote or _may_be_blank(data, start, at)
                inside = int(quote and data[start] == QUOTE)
                strange |= _has_strange_ends(data, start + inside, at - inside)
            column, start = column + 1, at + 1
            if byte == NEWLINE:
                odd |= opened or (quote and strange)
                kinds[line] = _kind(data, first, at, column == width and not odd)
                line, column, first = line + 1, 0, at + 1
                quote, opened, odd, strange = False, False, False, False
                if line == kinds.size:
                    return blank
    return blank


@compiled(inner=True)
def _eight(data: ByteArray, place: int | np.uint64) -> np.uint64:
    """Return eight bytes as one number, which takes one step if they are named one by one."""
    at = np.uint64(place)  # slices would be counted, and places below 0 looked for
    low = np.uint64(data[at]) | np.uint64(data[at + _ONE]) << _EIGHT
    low |= np.uint64(data[at + np.uint64(2)]) << np.uint64(16)
    low |= np.uint64(data[at + np.uint64(3)]) << np.uint64(24)
    high = np.uint64(data[at + _FOUR]) | np.uint64(data[at + np.uint64(5)]) << _EIGHT
    high |= np.uint64(data[at + np.uint64(6)]) << np.uint64(16)
    high |= np.uint64(data[at + _SEVEN]) << np.uint64(24)
    return low | high << _TURN


@compiled(inner=True)
def _pairs(word: np.uint64, form: np.uint64, room: np.uint64) -> np.uint64:
    """Return eight bytes in which each pair of digits has become its number, the first byte of it.

    `form` has "0" for digits, and else the byte that must stand there; `room` is what makes a byte
    that does not fit reach its highest bit. All bits are set where one does not fit.
    """
    found = word ^ form
    if (found | (found + room)) & ~_REST:
        return ~np.uint64(0)
    return found * np.uint64(10) + (found >> _EIGHT)


@compiled(inner=True)
def _midnight(word: np.uint64, day: np.uint64) -> float:
    """Return Unix seconds of a date whose year and month are eight bytes, nan where it is none."""
    byte = np.uint64(255)
    date = _pairs(word, _DATE, _DATE_ROOM)
    year = (date & byte) * np.uint64(100) + ((date >> np.uint64(16)) & byte)
    month = (date >> np.uint64(40)) & byte
    if min(year, month, day) < _ONE or month > np.uint64(12):
        return np.nan
    if day > np.uint64(28):
        leap = year % _FOUR == 0 and (year % np.uint64(100) != 0 or year % np.uint64(400) == 0)
        if np.int64(day) > _DAYS[month] + (month == np.uint64(2) and leap):
            return np.nan
    # Years that begin in March have the odd day at their end.
    early = month <= np.uint64(2)
    year, month = year - np.uint64(early), month + np.uint64(12 * early) - np.uint64(3)
    days = np.uint64(365) * year + year // _FOUR - year // np.uint64(100)
    days += year // np.uint64(400) + (np.uint64(153) * month + np.uint64(2)) // np.uint64(5)
    return 86_400.0 * (np.int64(days + day) - 719_469)


@compiled()
def clock_seconds(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in Unix seconds of each ``YYYY-MM-DD?hh:mm:ss`` or ``YYYY-MM-DD``, nan for all else."""
    byte, nine, ten, sixty = np.uint64(255), np.uint64(9), np.uint64(10), np.uint64(60)
    # The last year and month that each day of the month came with, and when that was.
    met, midnights = np.zeros(100, np.uint64), np.full(100, np.nan)
    for row in range(starts.size):
        start = np.uint64(starts[row])
        size = np.uint64(stops[row]) - start
        into[row] = np.nan
        if size != ten and size != np.uint64(19):
            continue
        tens, ones = np.uint64(data[start + _EIGHT] ^ 48), np.uint64(data[start + nine] ^ 48)
        if max(tens, ones) >= ten:
            continue
        word, day = _eight(data, start), ten * tens + ones
        if met[day] != word:
            met[day], midnights[day] = word, _midnight(word, day)
        clock = np.uint64(0)
        if size != ten:
            clock = _pairs(_eight(data, start + np.uint64(11)), _CLOCK, _CLOCK_ROOM)
            hour, minute = clock & byte, (clock >> np.uint64(24)) & byte
            second = (clock >> _UPPER) & byte
            between = data[start + ten]
            if between not in (84, 32) or max(minute, second) > np.uint64(59):
                continue
            if hour > np.uint64(23):
                continue
            clock = sixty * (sixty * hour + minute) + second
        into[row] = midnights[day] + np.int64(clock)


@compiled(inner=True)
def _print(data: ByteArray, start: int, stop: int) -> np.uint64:
    """Return a number that equal texts share: of up to seven bytes these and their number."""
    size = stop - start
    mixed = np.uint64(size)
    if size < 8:
        mixed <<= _TOP
        if start + 8 <= data.size:
            rest = np.uint64(8 * size)
            return mixed | _eight(data, start) & ((_ONE << rest) - _ONE)
        for at in range(size):
            mixed |= np.uint64(data[start + at]) << np.uint64(8 * at)
        return mixed
    for begin in range(start, stop - 7, 8):
        mixed = (mixed ^ _eight(data, begin)) * _PRIME
        mixed ^= mixed >> _TURN
    mixed = (mixed ^ _eight(data, stop - 8)) * _PRIME
    return mixed | np.uint64(0xFF) << _TOP


@compiled(inner=True)
def _same(data: ByteArray, one: int, other: int, size: int) -> bool:
    """Whether two texts of at least eight bytes are the same."""
    for place in range(0, size - 8, 8):
        if _eight(data, one + place) != _eight(data, other + place):
            return False
    return bool(_eight(data, one + size - 8) == _eight(data, other + size - 8))


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
        start, stop = starts[row], stops[row]
        mixed = _print(data, start, stop)
        slot = _slot(mixed, slots)
        code = slots[slot]
        while code >= 0:
            if prints[code] == mixed:
                other, size = starts[first[code]], stop - start
                equal = stops[first[code]] - other == size
                if size < 8 or (equal and _same(data, start, other, size)):
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


@compiled(inner=True)
def _digits(data: ByteArray, stop: int, size: int) -> np.uint64:
    """Return the whole number of the 1 to 8 digits before `stop` >= 8, all bits set without."""
    before = np.uint64(64 - 8 * size)  # zeros in front of the digits make eight of them
    word = (_eight(data, stop - 8) ^ _ZEROS) >> before << before
    if ((word + _DIGIT_ROOM) | word) & ~_REST:
        return ~np.uint64(0)
    word = word * np.uint64(10) + (word >> _EIGHT)
    word = (word & _PAIR) * _HIGHER + ((word >> np.uint64(16)) & _PAIR) * _LOWER
    return word >> _TURN


@compiled()
def plain_wholes(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in the whole number of each piece of 1 to 15 digits, nan for all else."""
    for row in range(starts.size):
        stop = stops[row]
        size = stop - starts[row]
        into[row] = np.nan
        if 0 < size <= 15 and stop >= 16:
            number, high = _digits(data, stop, min(size, 8)), np.uint64(0)
            if size > 8:
                high = _digits(data, stop - 8, size - 8)
            if number != ~np.uint64(0) and high != ~np.uint64(0):
                into[row] = float(high * np.uint64(100_000_000) + number)
            continue
        read, plain = 0, 0 < size <= 15
        for place in range(starts[row], stop if plain else starts[row]):
            byte = data[place]
            plain &= 48 <= byte <= 57
            read = 10 * read + byte - 48
        if plain:
            into[row] = float(read)


@compiled()
def leading_wholes(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: IntArray, rests: ByteArray
) -> None:
    """Fill in the whole number of 1 to 15 digits that each piece begins with, -1 without one.

    And what else it has: 0 nothing, 1 something, 2 a dot.
    """
    for row in range(starts.size):
        place, stop, number = starts[row], stops[row], 0
        last = min(stop, place + 16)
        while place < last and 48 <= data[place] <= 57:
            number = 10 * number + data[place] - 48
            place += 1
        size = place - starts[row]
        plain = 0 < size < 16
        into[row] = number if plain else -1
        rests[row] = place < stop or not plain
        for at in range(place, stop):
            if data[at] == DOT:
                rests[row] = 2
