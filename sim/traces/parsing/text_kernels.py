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
_GATHER = np.uint64(0x0102040810204080)
# Six bits of the product tell which one of 64 bits is set.
_TURNS = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, dtype=np.int64)
_PLACES[[((int(_TURNS) << bit) % (1 << 64)) >> 58 for bit in range(64)]] = np.arange(64)
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0001000100010001)
_ONE, _SEVEN, _EIGHT = np.uint64(1), np.uint64(7), np.uint64(8)
_TOP, _UPPER = np.uint64(56), np.uint64(48)
_FOUR = np.uint64(4)
# "0000-00-" and "00:00:00" from their ends, and how far digits and marks are from the highest bit.
_DATE, _DATE_ROOM = np.uint64(0x2D30302D30303030), np.uint64(0x7F76767F76767676)
_CLOCK, _CLOCK_ROOM = np.uint64(0x30303A30303A3030), np.uint64(0x76767F76767F7676)
# Eight digits: what makes one that is none reach the highest bit, and what pairs of them weigh.
_ZEROS, _DIGIT_ROOM = np.uint64(0x3030303030303030), np.uint64(0x7676767676767676)
_PAIR = np.uint64(0x000000FF000000FF)
_HIGHER, _LOWER = np.uint64(0x000F424000000064), np.uint64(0x0000271000000001)
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


@compiled(inner=True)
def _bits(matches: np.uint64) -> np.uint64:
    """Return the highest bits of eight bytes as the bits of one, the first byte the lowest."""
    return ((matches >> _SEVEN) * _GATHER) >> _TOP


@compiled(inner=True)
def _hits(
    data: ByteArray, words: npt.NDArray[np.uint64], block: int, mark: int, quote: int
) -> np.uint64:
    """Return a bit for each of 64 bytes: whether it is a mark, a quote or the end of a line."""
    hits = np.uint64(0)
    if 8 * block + 8 > words.size:  # the last bytes, and the end of the last line
        for at in range(64 * block, data.size):
            if data[at] in (mark, NEWLINE, quote):
                hits |= _ONE << np.uint64(at % 64)
        return hits | _ONE << np.uint64(data.size % 64)
    marks, newlines = _ONES * np.uint64(mark), _ONES * np.uint64(NEWLINE)
    quotes = _ONES * np.uint64(quote)
    for part in range(8):
        word = words[8 * block + part]
        found = _matches(word, marks) | _matches(word, newlines) | _matches(word, quotes)
        hits |= _bits(found) << np.uint64(8 * part)
    return hits


@compiled()
def cut_lines(
    data: ByteArray, begin: int, mark: int, quoted: bool, cells: PlaceArray, kinds: ByteArray
) -> None:
    """Do what `delimited.cut_lines_plainly` does from `begin` on; lines with quotes are ODD."""
    words, width = _words(data), cells.shape[1]
    line, column, start, first, quote = 0, 0, begin, begin, False
    for block in range(begin // 64, data.size // 64 + 1 if kinds.size else 0):
        # So many bytes at a time, as each end of the inner loop is guessed wrong.
        hits = _hits(data, words, block, mark, QUOTE if quoted else mark)
        while hits:
            low = hits & (~hits + _ONE)
            hits ^= low
            at = 64 * block + _PLACES[(low * _TURNS) >> np.uint64(58)]
            if at < begin:
                continue
            byte = data[at] if at < data.size else NEWLINE
            if byte == QUOTE and byte != mark:
                quote = True
                continue
            if column < width:
                stop = at
                if start < stop and (data[start] <= 32 or data[stop - 1] <= 32):
                    start, stop = _trimmed(data, start, stop)
                cells[line, column, 0], cells[line, column, 1] = start, stop
            column, start = column + 1, at + 1
            if byte == NEWLINE:
                if first < at and data[first] <= HASH:
                    first, at = _trimmed(data, first, at)
                if first == at or data[first] == HASH:
                    kinds[line] = SILENT
                else:
                    kinds[line] = PLAIN if column == width and not quote else ODD
                line, column, first, quote = line + 1, 0, start, False
                if line == kinds.size:
                    return


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


@compiled()
def plain_wholes(
    data: ByteArray, starts: PlaceArray, stops: PlaceArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in the whole number of each piece of 1 to 15 digits, nan for all else."""
    for row in range(starts.size):
        stop = stops[row]
        size = stop - starts[row]
        if 0 < size <= 8 <= stop:  # zeros in front of the digits make eight of them
            before = np.uint64(64 - 8 * size)
            word = (_eight(data, stop - 8) ^ _ZEROS) >> before << before
            plain = ((word + _DIGIT_ROOM) | word) & ~_REST == np.uint64(0)
            word = word * np.uint64(10) + (word >> _EIGHT)
            word = (word & _PAIR) * _HIGHER + ((word >> np.uint64(16)) & _PAIR) * _LOWER
            into[row] = float(word >> _TURN) if plain else np.nan
            continue
        number, plain = 0, 0 < size <= 15
        for place in range(starts[row], stop if plain else starts[row]):
            byte = data[place]
            plain &= 48 <= byte <= 57
            number = 10 * number + byte - 48
        into[row] = float(number) if plain else np.nan
