"""How often a text has the signs that cut it into lines and fields."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SEPARATORS = (b",", b";", b"|", b"\t")
_SIGNS = b"".join((b"\n", *SEPARATORS, b"\r", b"\0"))
# Bytes; fewer are cut before the compiled twins are even imported.
WORTH_COMPILING = 1 << 20 if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") else math.inf


@dataclass(frozen=True, slots=True)
class Signs:
    """What stands in a text.

    Parameters
    ----------
    newlines, separators : int
        Line feeds, and the most of one of the separators of columns.
    longest : int, optional
        A line surely has fewer bytes; None where that is not known.
    ascii, plain : bool
        Whether all bytes are ASCII, and whether lines end in line feeds alone, too.
    """

    newlines: int
    separators: int
    longest: int | None
    ascii: bool
    plain: bool


def signs_of(whole: npt.NDArray[np.uint8], *, compiled: bool | None = None) -> Signs:
    """Count the signs of a text.

    Parameters
    ----------
    whole : ndarray of uint8
        The text.
    compiled : bool, optional
        Whether by the compiled twin (default: by size); both count the same, and the plain one
        does not say how long lines are.
    """
    longest, signs = None, np.frombuffer(_SIGNS, dtype=np.uint8)
    if compiled if compiled is not None else whole.size > 4 * WORTH_COMPILING:
        from .text_kernels import BLOCKS, count_signs

        counts = np.zeros(signs.size, dtype=np.int64)
        dense, is_ascii = count_signs(whole, signs, counts)
        longest = BLOCKS if dense else None
    else:
        data = whole.tobytes()
        counts, is_ascii = np.array(list(map(data.count, signs.tolist()))), data.isascii()
    plain = bool(is_ascii and not counts[-2:].any())
    return Signs(int(counts[0]), int(counts[1:-2].max()), longest, bool(is_ascii), plain)
