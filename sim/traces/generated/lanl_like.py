"""Generate a failure log in the layout of LANL's, for where that is absent."""

from __future__ import annotations

import csv
import io
import math
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from ..._checks import generator, positive, whole
from ..failures.frame import failure_frame
from ..failures.lanl import LANL_COLUMNS

if TYPE_CHECKING:
    from typing import IO

    import pandas as pd

# Logarithms [ln s] of the repair times of the real log have this mean and deviation.
_REPAIR_MU, _REPAIR_SIGMA = 0.0593 + math.log(3600.0), 1.402
# Records by cause in the real log.
_CAUSES = {
    "hardware": 14_341,
    "software": 5_361,
    "undetermined": 2_652,
    "network": 421,
    "facilities": 362,
    "human error": 149,
}
_MINUTE = 60.0


def lanl_like(
    rng: np.random.Generator,
    *,
    system: int = 20,
    nodes: int = 64,
    days: float = 365.0,
    node_mtbf: float = 60.0 * 86_400.0,
    shape: float = 0.75,
    start: str = "2003-01-01",
) -> pd.DataFrame:
    """Draw a failure log: each node is up for a Weibull time, then repaired for a lognormal one.

    Parameters
    ----------
    rng : numpy Generator
        Source of randomness, drawn from node by node.
    system, nodes : int
        The number of the system and how many nodes it has.
    days : float, [d]
        Length of the observation, from `start` on; all nodes are new and up at its beginning.
    node_mtbf : float, [s]
        Mean uptime of a node, repair excluded.
    shape : float, [-]
        Of the Weibull uptimes; below 1 failures come in bursts.
    start : str
        ISO date.

    Returns
    -------
    DataFrame
        As `read_lanl` returns it: sorted by node and time, whole minutes.

    Raises
    ------
    ValueError
        If a number is not finite and > 0, or `start` is not a date.
    TypeError
        If an argument is of the wrong kind.
    """
    draw, size = generator("rng", rng), whole("nodes", nodes)
    length, k = positive("days", days), positive("shape", shape)
    scale = positive("node_mtbf", node_mtbf) / math.gamma(1.0 + 1.0 / k)
    begin = datetime.fromisoformat(start).replace(tzinfo=UTC).timestamp()
    end = begin + 86_400.0 * length
    names, weights = list(_CAUSES), np.array(list(_CAUSES.values()), dtype=np.float64)
    time, repair, node, cause = [], [], [], []
    for number in range(size):
        now = begin + scale * draw.weibull(k)
        while now < end:
            down = _MINUTE * np.ceil(draw.lognormal(_REPAIR_MU, _REPAIR_SIGMA) / _MINUTE)
            time.append(_MINUTE * np.floor(now / _MINUTE))
            repair.append(down)
            node.append(number)
            cause.append(names[draw.choice(weights.size, p=weights / weights.sum())])
            now += down + scale * draw.weibull(k)
    count = len(time)
    return failure_frame(
        time=time,
        node=node,
        repair=repair,
        system=[system] * count,
        cause=cause,
        line=range(2, count + 2),
        detail=cause,
        nodes=[size] * count,
    )


def write_lanl(frame: pd.DataFrame, target: str | os.PathLike[str] | IO[str]) -> None:
    """Write a frame of `read_lanl` or `lanl_like` in the layout of the LANL log.

    Parameters
    ----------
    frame : DataFrame
        As `read_lanl` and `lanl_like` return it.
    target : path or text file
        Where to write; a file there is replaced.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, LANL_COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in frame.to_dict("records"):
        record = {
            "System": row["system"],
            "nodes": row["nodes"],
            "nodenum": row["node"],
            "nodenumz": row["node"],
            "Prob Started": _clock(row["time"]),
            "Prob Fixed": "" if np.isnan(row["repair"]) else _clock(row["time"] + row["repair"]),
            "Down Time": "" if np.isnan(row["repair"]) else round(row["repair"] / _MINUTE),
            "Same Event": "No",
        }
        if row["cause"]:
            column = next(c for c in LANL_COLUMNS if c.lower() == row["cause"])
            record[column] = row["detail"]
        writer.writerow(record)
    if isinstance(target, str | os.PathLike):
        with open(target, "w", encoding="utf-8", newline="") as stream:
            stream.write(text.getvalue())
    else:
        target.write(text.getvalue())


def _clock(seconds: float) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return f"{moment.month}/{moment.day}/{moment.year} {moment.hour}:{moment.minute:02d}"
