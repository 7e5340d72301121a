"""The failure feed: what strikes, when, and for how long."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import column_of, shown
from ..._shown import facts_html, span
from ...records import FloatArray, IntArray
from ...samplers import Renewing, Sampler, Stationary
from ...streams import stream


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

    def __repr__(self) -> str:
        facts = self._facts()
        return f"<failures: {', '.join(f'{name} {value}' for name, value in facts.items())}>"

    def _repr_html_(self) -> str:
        return facts_html("Failures", self._facts())

    def _facts(self) -> dict[str, str]:
        facts = {"count": f"{self.time.size:,}"}
        if self.time.size:
            facts["nodes struck"] = f"{np.unique(self.node).size:,}"
            facts["over"] = span(float(self.time[-1] - self.time[0]))
        return facts

    def __post_init__(self) -> None:
        time = column_of("time", self.time, np.float64)
        node = np.broadcast_to(column_of("node", self.node, np.int64), time.shape)
        repair = np.broadcast_to(column_of("repair", self.repair, np.float64), time.shape)
        if time.ndim != 1:
            raise ValueError(f"time must be one-dimensional, got shape {time.shape}")
        if not np.isfinite(time).all():
            raise ValueError(f"time must be finite, got {float(time[~np.isfinite(time)][0])!r}")
        if (node < 0).any():
            raise ValueError(f"node must be >= 0, got {int(node.min())!r}")
        if not (repair >= 0.0).all():
            raise ValueError(f"repair must be >= 0, got {float(repair[~(repair >= 0.0)][0])!r}")
        order = np.argsort(time, kind="stable")
        for name, values in (("time", time), ("node", node), ("repair", repair)):
            ordered = values[order]
            ordered.flags.writeable = False
            object.__setattr__(self, name, ordered)

    def __len__(self) -> int:
        return int(self.time.size)

    @classmethod
    def together(cls, *feeds: Failures) -> Self:
        """Return all failures of several feeds; of equal times the first feed's come first."""
        return cls(
            np.concatenate([feed.time for feed in feeds]),
            np.concatenate([feed.node for feed in feeds]),
            np.concatenate([feed.repair for feed in feeds]),
        )

    @classmethod
    def sampled(
        cls,
        *,
        nodes: int,
        uptime: Sampler | Sequence[Sampler],
        repair: Sampler,
        start: float = 0.0,
        end: float,
        seed: int,
        new_nodes: bool = False,
        stationary: bool = False,
    ) -> Self:
        """Draw a feed on [start, end): each node alternates uptimes and repairs by itself.

        Parameters
        ----------
        nodes : int
            How many. Node k draws from stream k of `seed`, so that more nodes do not change the
            first ones.
        uptime, repair : Sampler, [s]
            From a repair to the next failure, and how long a node is then out. `uptime` may be a
            sequence of one for each node.
        start, end : float, [s]
            Of the feed, on the clock of the submissions.
        seed : int
            Of the random numbers.
        new_nodes : bool
            By default the nodes have been in use for long and all are up at `start`: the uptime
            that lasts then is drawn by its `residual`, and each fails once in a mean uptime from
            the first second. True: every node is new at `start`. With Weibull uptimes of a shape
            below 1 they fail more often at first, many times so where the span is short beside
            the mean uptime.
        stationary : bool
            The nodes have been in use for long, and each is out at `start` as often as at any
            later instant: the rate of failures, one in a mean uptime and repair of each node, and
            the share of nodes that are out are the same from the first second to the last.

        Returns
        -------
        Failures
            Those before `end`. A node out at `start` has one just before, with what is then left
            of its repair.

        Raises
        ------
        ValueError
            If `nodes` is < 1, `end` not finite or before `start`, the uptimes are not one for
            each node, or the nodes are to be both new and stationary.
        TypeError
            If `uptime` has no `residual`, which nodes that are not new need, or where
            `stationary`, `uptime` or `repair` no `residual` and `mean`.

        Examples
        --------
        >>> from sim.samplers import Deterministic, Weibull
        >>> drawn = {"nodes": 4000, "uptime": Weibull(0.5, 5e4), "repair": Deterministic(0.0)}
        >>> hour = {"end": 3600.0, "seed": 1}  # in which 4000 nodes of mean uptime 1e5 s fail 144
        >>> len(Failures.sampled(**drawn, **hour))
        148
        >>> len(Failures.sampled(**drawn, **hour, new_nodes=True))
        1162
        """
        if nodes < 1:
            raise ValueError(f"nodes must be >= 1, got {nodes!r}")
        if not start <= end < np.inf:
            raise ValueError(f"end must be finite and >= start, got {end!r} for start={start!r}")
        if new_nodes and stationary:
            raise ValueError("new_nodes must be False where stationary is True, got True")
        laws = [uptime] * nodes if isinstance(uptime, Sampler) else list(uptime)
        if len(laws) != nodes:
            raise ValueError(f"uptime must be one for each of {nodes} nodes, got {len(laws)}")
        begin = _beginning(laws, repair, new_nodes=new_nodes, stationary=stationary)
        rows: list[tuple[float, int, float]] = []
        for node, law in enumerate(laws):
            rng = stream(seed, node)
            left, now = begin(rng, law, repair)
            if left > 0.0:
                rows.append((math.nextafter(start, -math.inf), node, left))
            now += start
            while now < end:
                rows.append((now, node, repair.sample(rng)))
                now += rows[-1][2]
                now += law.sample(rng)
        time, node_, out = (
            (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 3
        )
        return cls(_floats(time), np.asarray(node_, dtype=np.int64), _floats(out))


# Of a node at the start: what is left of a repair, and when it then fails first, [s] from there.
_Beginning: TypeAlias = "Callable[[np.random.Generator, Any, Any], tuple[float, float]]"


def _beginning(
    laws: Sequence[Sampler], repair: Sampler, *, new_nodes: bool, stationary: bool
) -> _Beginning:
    uptimes = {id(law): law for law in laws}.values()
    if new_nodes:
        return lambda rng, uptime, _: (0.0, uptime.sample(rng))
    if not stationary:
        for law in uptimes:
            if not isinstance(law, Renewing):
                raise TypeError(
                    "uptime must be a sampler that knows what is left of it at a random instant "
                    f"(a method `residual`), or new_nodes be True, got {shown(law)}"
                )
        return lambda rng, uptime, _: (0.0, uptime.residual(rng))
    for name, law in (*(("uptime", law) for law in uptimes), ("repair", repair)):
        if not isinstance(law, Stationary):
            raise TypeError(
                f"{name} must be a sampler with `residual` and `mean` where stationary is True, "
                f"got {shown(law)}"
            )
    return _long_in_use


def _long_in_use(
    rng: np.random.Generator, uptime: Stationary, repair: Stationary
) -> tuple[float, float]:
    # A random instant falls into a repair with the share of time that repairs take.
    if repair.mean and rng.random() * (uptime.mean + repair.mean) < repair.mean:
        left = repair.residual(rng)
        return left, left + uptime.sample(rng)
    return 0.0, uptime.residual(rng)


def _floats(values: npt.ArrayLike) -> FloatArray:
    return np.asarray(values, dtype=np.float64)


# A replay given an empty feed numbers what jobs hold; one given no feed need not.
NO_FAILURES = Failures(np.empty(0), np.empty(0, np.int64), np.empty(0))
