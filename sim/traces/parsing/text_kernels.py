"""Compiled twins of what is done to many lines of text: cut them, read clocks, compare."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..._compiled import compiled

SILENT, PLAIN, ODD = 0, 1, 2  # kinds of lines
NEWLINE, QUOTE, HASH = 10, 34, 35
_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)

ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int64]


@compiled()
def cut_lines(data: ByteArray, mark: int, quoted: bool, cells: IntArray, kinds: ByteArray) -> None:
    """Do what `delimited.cut_lines_plainly` does, in one pass; lines with quotes are ODD."""
    width = cells.shape[1]
    position = 0
    for line in range(kinds.size):
        start, stop, column = position, position, 0
        first, silent, quote = -1, True, False
        while position < data.size and data[position] != NEWLINE:
            byte = data[position]
            if byte == mark:
                if column < width:
                    cells[line, column, 0], cells[line, column, 1] = start, stop
                column += 1
                start, stop = position + 1, position + 1
            elif byte == 32 or 9 <= byte <= 13:
                if start == position:
                    start, stop = position + 1, position + 1
            else:
                stop = position + 1
                quote |= byte == QUOTE
            if silent and not (byte == 32 or 9 <= byte <= 13):
                silent, first = False, byte
            position += 1
        if column < width:
            cells[line, column, 0], cells[line, column, 1] = start, stop
        position += 1
        if silent or first == HASH:
            kinds[line] = SILENT
        else:
            kinds[line] = PLAIN if column == width - 1 and not (quote and quoted) else ODD


@compiled()
def clock_seconds(
    data: ByteArray, starts: IntArray, stops: IntArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in Unix seconds of each ``YYYY-MM-DD?hh:mm:ss`` or ``YYYY-MM-DD``, nan for all else."""
    for row in range(starts.size):
        at, size = starts[row], stops[row] - starts[row]
        into[row] = np.nan
        if size not in (10, 19) or data[at + 4] != 45 or data[at + 7] != 45:
            continue
        if size == 19 and (
            (data[at + 10] != 84 and data[at + 10] != 32)
            or data[at + 13] != 58
            or data[at + 16] != 58
        ):
            continue
        good = True
        numbers = np.zeros(6, dtype=np.int64)
        place, field = 0, 0
        while place < size:
            byte = data[at + place]
            if 48 <= byte <= 57:
                numbers[field] = 10 * numbers[field] + byte - 48
            elif place in (4, 7, 10, 13, 16):
                field += 1
            else:
                good = False
            place += 1
        year, month, day = numbers[0], numbers[1], numbers[2]
        if not good or year < 1 or not 1 <= month <= 12 or day < 1:
            continue
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        if day > _DAYS[month] + (month == 2 and leap):
            continue
        if numbers[3] > 23 or numbers[4] > 59 or numbers[5] > 59:
            continue
        years = year - (month <= 2)
        months = month + (9 if month <= 2 else -3)
        days = (
            365 * years + years // 4 - years // 100 + years // 400 + (153 * months + 2) // 5 + day
        )
        clock = 3600 * numbers[3] + 60 * numbers[4] + numbers[5]
        into[row] = 86_400.0 * (days - 719_469) + clock


@compiled()
def fingerprints(
    data: ByteArray, starts: IntArray, stops: IntArray, into: npt.NDArray[np.uint64]
) -> None:
    """Fill in a number for each piece of text; equal texts have equal numbers."""
    for row in range(starts.size):
        mixed = _OFFSET
        for place in range(starts[row], stops[row]):
            mixed = (mixed ^ np.uint64(data[place])) * _PRIME
        into[row] = mixed


@compiled()
def same_texts(data: ByteArray, starts: IntArray, stops: IntArray, like: IntArray) -> bool:
    """Whether each piece of text equals that of the row `like` names."""
    for row in range(starts.size):
        other = starts[like[row]]
        if stops[like[row]] - other != stops[row] - starts[row]:
            return False
        for place in range(stops[row] - starts[row]):
            if data[starts[row] + place] != data[other + place]:
                return False
    return True


@compiled()
def plain_wholes(
    data: ByteArray, starts: IntArray, stops: IntArray, into: npt.NDArray[np.float64]
) -> None:
    """Fill in the whole number of each piece of 1 to 15 digits, nan for all else."""
    for row in range(starts.size):
        size = stops[row] - starts[row]
        number, plain = 0.0, 0 < size <= 15
        for place in range(starts[row], stops[row] if plain else starts[row]):
            byte = data[place]
            plain &= 48 <= byte <= 57
            number = 10.0 * number + byte - 48.0
        into[row] = number if plain else np.nan
