"""Logs that take long to draw, kept as files outside the tree.

They are in the user's cache, or below `$PERFMODEL_DRAWN`, by name, seed and a digest of what draws
them: when that changes they are drawn anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def kept_frame(
    name: str, seed: int, sources: Sequence[Path], draw: Callable[[], pd.DataFrame]
) -> pd.DataFrame:
    """Return the frame that was kept, or draw and keep it; columns of numbers only.

    `sources` are the files on which it depends: code and logs.
    """
    import pandas as pd

    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    path = _folder() / f"{name}-{seed}-{digest}.npz"
    if path.exists():
        with np.load(path, allow_pickle=False) as columns:
            return pd.DataFrame({name: columns[name] for name in columns.files})
    frame = draw()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: another process may draw the same.
    part = path.with_name(f".{os.getpid()}-{path.name}")
    columns_by_name: dict[str, Any] = {str(name): frame[name].to_numpy() for name in frame}
    np.savez_compressed(part, **columns_by_name)
    part.replace(path)
    return frame


def _folder() -> Path:
    given = os.environ.get("PERFMODEL_DRAWN")
    if given:
        return Path(given)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "perfmodel" / "drawn"
