"""Write job logs in the Standard Workload Format; reading back gives the same values."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from .swf_dialects import SWF_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["write_swf"]

Target: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]

_BLOCK = 1 << 16


def write_swf(
    frame: pd.DataFrame, target: Target, *, header: Mapping[str, str] | None = None
) -> None:
    """Write the 18 columns of `frame`, one job per line.

    Parameters
    ----------
    frame : DataFrame
        With the columns `read_swf` returns; further ones are not written.
    target : path or file object
        A path ending in ``.gz``, ``.xz``, ``.bz2`` or ``.zip`` is compressed, the same bytes
        every time.
    header : mapping, optional
        Written as ``; Key: value`` lines, one for each line of a value; the key ``""`` gives
        bare comments. A header from `read_swf` comes back unchanged.

    Raises
    ------
    ValueError
        If a column is missing, or holds nan or infinity.
    """
    if missing := [name for name in SWF_COLUMNS if name not in frame.columns]:
        raise ValueError(f"frame must have the 18 columns of the format, lacks {missing}")
    for name in SWF_COLUMNS:
        if not np.isfinite(frame[name].to_numpy(dtype=np.float64)).all():
            raise ValueError(f"frame must be finite, got nan or infinity in {name}")
    pieces = _text(frame, header or {})
    if isinstance(target, str | os.PathLike):
        path = Path(target)
        data = "".join(pieces).encode()
        pack = _PACKERS.get(path.suffix)
        path.write_bytes(data if pack is None else pack(data, path.stem))
    elif isinstance(target, io.TextIOBase):
        target.writelines(pieces)
    else:
        cast("IO[bytes]", target).writelines(piece.encode() for piece in pieces)


def _text(frame: pd.DataFrame, header: Mapping[str, str]) -> Iterator[str]:
    for key, value in header.items():
        for text in value.split("\n"):
            yield (f"; {key}: {text}" if key else f";{text}").rstrip() + "\n"
    for start in range(0, len(frame), _BLOCK):
        block = frame.iloc[start : start + _BLOCK]
        rows = zip(*(_words(block[name].to_numpy()) for name in SWF_COLUMNS), strict=True)
        yield "".join(f"{' '.join(row)}\n" for row in rows)


def _words(values: npt.NDArray[Any]) -> list[str]:
    """Return the shortest text that reads back as the same number."""
    if values.dtype.kind == "f":
        whole = (values == np.floor(values)) & (np.abs(values) <= 2.0**53)
        return [
            str(int(value)) if is_whole else repr(value)
            for value, is_whole in zip(values.tolist(), whole.tolist(), strict=True)
        ]
    return [str(value) for value in values.tolist()]


def _zipped(data: bytes, name: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as entries:
        # ZipInfo has a fixed date, so that the same log gives the same bytes.
        entries.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


_PACKERS: dict[str, Callable[[bytes, str], bytes]] = {
    ".gz": lambda data, _: gzip.compress(data, mtime=0),
    ".xz": lambda data, _: lzma.compress(data),
    ".bz2": lambda data, _: bz2.compress(data),
    ".zip": _zipped,
}
