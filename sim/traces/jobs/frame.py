"""What every job reader returns: the columns of SWF, whatever names the log has for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .swf_dialects import SWF_COLUMNS, WHOLE_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["job_frame"]


def job_frame(given: Mapping[str, Sequence[Any] | npt.NDArray[Any]]) -> pd.DataFrame:
    """Build a frame: the 18 columns of SWF, -1 where not given; then the others in their order.

    `line` has to be among them; columns of text or tuples become objects.
    """
    import pandas as pd

    lines = np.asarray(given["line"], dtype=np.int64)
    columns: dict[str, Any] = {}
    for name in SWF_COLUMNS:
        kind = np.int64 if name in WHOLE_COLUMNS else np.float64
        values = given.get(name)
        columns[name] = (
            np.full(lines.size, -1, kind) if values is None else np.asarray(values, kind)
        )
    for name, values in given.items():
        if name not in columns:
            columns[name] = values if isinstance(values, np.ndarray) else _objects(values)
    return pd.DataFrame(columns | {"line": lines})


def _objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    # One by one, because NumPy would make a table of tuples of equal length.
    column = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        column[place] = value
    return column
