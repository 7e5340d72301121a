"""The compiled twin of `table.scan_plain`: plain numbers in blank-separated columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..._compiled import compiled
from .numbers import LARGEST

BLANK, COMMENT, ROW, ODD = 0, 1, 2, 3
NEWLINE, PLUS, MINUS, DOT, SEMICOLON = 10, 43, 45, 46, 59

# Exact powers of ten: mantissa / POWERS[k] is then rounded once, as float() rounds.
POWERS = np.array([float(10**k) for k in range(19)])


@compiled()
def scan(
    data: npt.NDArray[np.uint8],
    width: int,
    values: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    kinds: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Fill `values[:, row]` with each line of `width` plain numbers; return (lines, rows).

    `starts` receives the offset of every line and `kinds` what it is. A line that is neither
    blank nor a comment takes a row; where it is ODD the caller must parse it.
    """
    position, line, row = 0, 0, 0
    while position < data.size:
        starts[line] = position
        position = _skip_blanks(data, position)
        kind = BLANK
        if position < data.size and data[position] == SEMICOLON:
            kind = COMMENT
        elif position < data.size and data[position] != NEWLINE:
            kind, position = _row(data, position, width, values[:, row])
        while position < data.size and data[position] != NEWLINE:
            position += 1
        position += 1
        kinds[line] = kind
        row += kind >= ROW
        line += 1
    return line, row


@compiled(inner=True)
def _row(
    data: npt.NDArray[np.uint8], position: int, width: int, into: npt.NDArray[np.float64]
) -> tuple[int, int]:
    """Parse one line from its first word on; return (kind, where the parsing stopped)."""
    column = 0
    while position < data.size and data[position] != NEWLINE:
        if column == width:
            return ODD, position
        plain, into[column], position = _number(data, position)
        if not plain:
            return ODD, position
        column += 1
        position = _skip_blanks(data, position)
    return (ROW if column == width else ODD), position


@compiled(inner=True)
def _number(data: npt.NDArray[np.uint8], position: int) -> tuple[bool, float, int]:
    """Parse one word; return (whether it is a plain number, the number, its end)."""
    negative = data[position] == MINUS
    if negative or data[position] == PLUS:
        position += 1
    mantissa, digits, decimals, dot = 0, 0, 0, False
    while position < data.size:
        byte = data[position]
        if 48 <= byte <= 57:
            mantissa = 10 * mantissa + (byte - 48)
            digits += 1
            decimals += dot
        elif byte == DOT and not dot:
            dot = True
        else:
            break
        position += 1
    ended = position == data.size or data[position] == 32 or 9 <= data[position] <= 13
    if not ended or not 1 <= digits <= 18 or mantissa > LARGEST:
        return False, 0.0, position
    number = mantissa / POWERS[decimals]
    return True, (-number if negative else number), position


@compiled(inner=True)
def _skip_blanks(data: npt.NDArray[np.uint8], position: int) -> int:
    while position < data.size and (
        data[position] == 32 or (9 <= data[position] <= 13 and data[position] != NEWLINE)
    ):
        position += 1
    return position
