"""The failure feed: what strikes, when, and for how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from ..records import FloatArray, IntArray
from ..samplers import Sampler
from ..streams import stream

__all__ = ["Failures"]


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Failures sorted by time; equal times keep the order in which they were given.

    Parameters
    ----------
    time : ndarray, [s]
        When each failure strikes, on the clock of the submissions.
    node : ndarray
        The node it strikes, counted from 0.
    repair : ndarray, [s]
        How long the node is then out; >= 0, inf if it never comes back. A failure that strikes a
        node already out prolongs the outage if its own repair ends later.
    """

    time: FloatArray
    node: IntArray
    repair: FloatArray

    def __post_init__(self) -> None:
        time = np.array(self.time, dtype=np.float64)
        node = np.broadcast_to(np.asarray(self.node, dtype=np.int64), time.shape)
        repair = np.broadcast_to(np.asarray(self.repair, dtype=np.float64), time.shape)
        if time.ndim != 1:
            raise ValueError(f"time must be one-dimensional, got shape {time.shape}")
        if not np.isfinite(time).all():
            raise ValueError(f"time must be finite, got {float(time[~np.isfinite(time)][0])!r}")
        if (node < 0).any():
            raise ValueError(f"node must be >= 0, got {int(node.min())!r}")
        if not (repair >= 0.0).all():
            raise ValueError(f"repair must be >= 0, got {float(repair[~(repair >= 0.0)][0])!r}")
        order = np.argsort(time, kind="stable")
        for name, column in (("time", time), ("node", node), ("repair", repair)):
            ordered = column[order]
            ordered.flags.writeable = False
            object.__setattr__(self, name, ordered)

    def __len__(self) -> int:
        return int(self.time.size)

    @classmethod
    def sampled(
        cls,
        *,
        nodes: int,
        uptime: Sampler,
        repair: Sampler,
        start: float = 0.0,
        end: float,
        seed: int,
    ) -> Self:
        """Draw a feed on [start, end): each node alternates uptimes and repairs by itself.

        Node k draws from stream k of `seed`, so that more nodes do not change the first ones.
        """
        if nodes < 1:
            raise ValueError(f"nodes must be >= 1, got {nodes!r}")
        if not start <= end < np.inf:
            raise ValueError(f"end must be finite and >= start, got {end!r} for start={start!r}")
        rows: list[tuple[float, int, float]] = []
        for node in range(nodes):
            rng, now = stream(seed, node), start
            while (now := now + uptime.sample(rng)) < end:
                rows.append((now, node, repair.sample(rng)))
                now += rows[-1][2]
        time, node_, out = (
            (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 3
        )
        return cls(_floats(time), np.asarray(node_, dtype=np.int64), _floats(out))


def _floats(values: npt.ArrayLike) -> FloatArray:
    return np.asarray(values, dtype=np.float64)
