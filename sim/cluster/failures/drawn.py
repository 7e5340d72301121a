"""Failures drawn for a machine from one description: uptimes, bursts, nodes that fail more often.

The first failures of all bursts are renewal processes, one of each node. The others of a burst
follow their first one within a stated span, and leave the process of the node that they strike as
it was: its next uptime begins when the repair after its own last failure has ended.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..._checks import flag, fraction, kind_of, nonnegative, one_of, positive, whole
from ...records import FloatArray, IntArray
from ...samplers import Deterministic, Exponential, Sampler, Weibull
from ...streams import BURSTS, LEMONS, stream
from .bursts import near
from .feed import Failures
from .maintenance import Maintenance

if TYPE_CHECKING:
    from ..loop.protocols import Machine
    from ..workload import Workload

Within = Literal["node", "rack", "machine"]
WITHIN: tuple[Within, ...] = get_args(Within)


@dataclass(frozen=True, slots=True)
class DrawnFailures:
    """Failures drawn anew for each seed.

    Parameters
    ----------
    mtbf : float, [s]
        Mean time between failures of the whole machine, all failures of bursts and all nodes
        counted, while its nodes are up; > 0.
    mttr : float, [s]
        Time of a repair; >= 0.
    weibull_shape : float, [-]
        Of the uptimes of each node; > 0; 1 for exponential ones.
    new_nodes, stationary : bool
        Nodes in use for long and all up at the start (the default), all new, or out as often as
        at any later instant: see `Failures.sampled`.
    burst_size : float, [-]
        Mean number of failures in a burst, geometric; >= 1. Bursts are so many times rarer than
        failures; with 1 each failure comes alone.
    burst_span : float, [s]
        The others of a burst come within this time after the first, at any instant alike; >= 0.
    burst_within : {"node", "rack", "machine"}
        What the others strike: the node of the first; any node of its rack alike, that one
        included; or any node of the machine.
    rack_size : int, optional
        Nodes of a rack, numbered one after the other; the last may have fewer. The midplanes of a
        Blue Gene/P stand two to a rack.
    lemon_share : float, [-]
        Share of the nodes, drawn by the seed, that fail more often than the others; in [0, 1],
        rounded to whole nodes.
    lemon_factor : float, [-]
        How many times as often, while they are up: their uptimes are so many times shorter; > 0.
    maintenance : Maintenance, optional
        Windows that every seed has beside what is drawn.

    Raises
    ------
    ValueError
        If a number or name is outside the range given above, nodes are to be both new and
        stationary, or `burst_within` is "rack" without a `rack_size`.
    TypeError
        If a number is none, a flag not True or False, or `maintenance` not one.
    """

    mtbf: float
    mttr: float = 0.0
    weibull_shape: float = 1.0
    new_nodes: bool = False
    stationary: bool = False
    burst_size: float = 1.0
    burst_span: float = 60.0
    burst_within: Within = "machine"
    rack_size: int | None = None
    lemon_share: float = 0.0
    lemon_factor: float = 10.0
    maintenance: Maintenance | None = None

    def __post_init__(self) -> None:
        for name in ("mtbf", "weibull_shape", "burst_size", "lemon_factor"):
            positive(name, getattr(self, name))
        for name in ("mttr", "burst_span"):
            nonnegative(name, getattr(self, name))
        for name in ("new_nodes", "stationary"):
            flag(name, getattr(self, name))
        fraction("lemon_share", self.lemon_share)
        one_of("burst_within", self.burst_within, WITHIN)
        if self.new_nodes and self.stationary:
            raise ValueError("new_nodes must be False where stationary is True, got True")
        if self.burst_size < 1.0:
            raise ValueError(f"burst_size must be >= 1, got {self.burst_size!r}")
        if self.rack_size is not None:
            whole("rack_size", self.rack_size)
        elif self.burst_within == "rack":
            raise ValueError("rack_size must be given where burst_within is 'rack', got None")
        if self.maintenance is not None:
            remedy = "make one with Maintenance(windows, nodes)"
            kind_of("maintenance", self.maintenance, Maintenance, remedy)

    def of(self, machine: Machine, workload: Workload, seed: int) -> Failures:
        """Return the failures of a seed over the span of the submissions, and all windows.

        Parameters
        ----------
        machine : Machine
            Whose nodes fail.
        workload : Workload
            From whose first submission to whose last they do.
        seed : int
            Of the random numbers; >= 0.

        Returns
        -------
        Failures
            Equal for equal arguments, whatever the policy.

        Raises
        ------
        ValueError
            As `between`, or if `maintenance` is of another number of nodes.
        """
        first = last = 0.0
        if len(workload):
            first, last = float(workload.submit[0]), float(workload.submit[-1])
        drawn = self.between(machine.nodes, start=first, end=last, seed=seed)
        if self.maintenance is None:
            return drawn
        if self.maintenance.nodes != machine.nodes:
            raise ValueError(
                f"maintenance must be of {machine.nodes} nodes, as the machine, "
                f"got {self.maintenance.nodes}"
            )
        return Failures.together(self.maintenance.failures(), drawn)

    def between(self, nodes: int, *, start: float, end: float, seed: int) -> Failures:
        """Return the failures that a seed draws on [start, end), without windows.

        Parameters
        ----------
        nodes : int
            That fail; >= 1.
        start, end : float, [s]
            Of the feed, on the clock of the submissions.
        seed : int
            Of the random numbers; >= 0.

        Returns
        -------
        Failures
            Of stationary nodes also one just before `start` for each that is out then.

        Raises
        ------
        ValueError
            As `Failures.sampled`, or if a `lemon_share` > 0 makes no node a lemon, or all.
        """
        first = Failures.sampled(
            nodes=nodes,
            uptime=self._uptimes(nodes, seed),
            repair=Deterministic(self.mttr),
            start=start - self._early,
            end=end,
            seed=seed,
            new_nodes=self.new_nodes,
            stationary=self.stationary,
        )
        if self.burst_size == 1.0:
            return first
        return self._followed(first, nodes, start=start, end=end, seed=seed)

    def expected(self, nodes: int, span: float) -> float:
        """Return the mean number of failures in `span` [s] of nodes long in use."""
        return self.burst_size * sum(
            count * span / (mean + self.mttr) for count, mean in self.mean_uptimes(nodes)
        )

    def mean_uptimes(self, nodes: int) -> tuple[tuple[int, float], ...]:
        """Return how many nodes have which mean uptime before the first failure of a burst, [s].

        The nodes that are not lemons come first, then the lemons if there are any.
        """
        lemons = self.lemons(nodes, 0).size
        usual = self._mean_uptime(nodes, lemons)
        if not lemons:
            return ((nodes, usual),)
        return ((nodes - lemons, usual), (lemons, usual / self.lemon_factor))

    def lemons(self, nodes: int, seed: int) -> IntArray:
        """Return the nodes that fail more often, sorted; more of them include the fewer.

        Raises
        ------
        ValueError
            If a `lemon_share` > 0 makes no node a lemon, or all.
        """
        return lemon_nodes(nodes, self.lemon_share, seed)

    @property
    def _early(self) -> float:
        """How long before the start there are bursts of which some failures come after it, [s]."""
        return 0.0 if self.new_nodes or self.burst_size == 1.0 else self.burst_span

    def _mean_uptime(self, nodes: int, lemons: int) -> float:
        """Return the mean uptime of a node that is not a lemon, [s]."""
        # Each lemon counts as so many nodes when all failures of all nodes are one in an MTBF.
        alike = nodes - lemons + lemons * self.lemon_factor if lemons else nodes
        return self.mtbf * alike * self.burst_size

    def _uptimes(self, nodes: int, seed: int) -> Sampler | list[Sampler]:
        laws = [self._uptime(mean) for _, mean in self.mean_uptimes(nodes)]
        each = [laws[0]] * nodes
        for node in self.lemons(nodes, seed).tolist():
            each[node] = laws[1]
        return laws[0] if len(laws) == 1 else each

    def _uptime(self, mean: float) -> Sampler:
        if self.weibull_shape == 1.0:
            return Exponential(mean)
        return Weibull(self.weibull_shape, mean / math.gamma(1.0 + 1.0 / self.weibull_shape))

    def _followed(
        self, first: Failures, nodes: int, *, start: float, end: float, seed: int
    ) -> Failures:
        """Return what is on [start, end) of bursts that begin with the failures `first`."""
        # Nodes out before the first burst could come are not the first failures of any.
        begins = first.time >= start - self._early
        rng = stream(seed, *BURSTS)
        others = np.where(begins, rng.geometric(1.0 / self.burst_size, len(first)) - 1, 0)
        origin = np.repeat(first.node, others)
        later = np.repeat(first.time, others) + self.burst_span * rng.random(origin.size)
        time = np.concatenate((first.time, later))
        repair = np.concatenate((first.repair, np.full(later.size, self.mttr)))
        node = np.concatenate((first.node, self._struck(rng, origin, nodes)))
        time, repair, kept = _from(time, repair, start, out=self.stationary)
        kept &= time < end
        return Failures(time[kept], node[kept], repair[kept])

    def _struck(self, rng: np.random.Generator, origin: IntArray, nodes: int) -> IntArray:
        """Return which nodes the others of bursts strike that began on the nodes `origin`."""
        if self.burst_within == "node":
            return origin
        if self.burst_within == "rack":
            assert self.rack_size is not None
            return near(rng, origin, self.rack_size, nodes)
        return near(rng, origin, nodes, nodes)


def lemon_nodes(nodes: int, share: float, seed: int) -> IntArray:
    """Return which nodes of a machine fail more often.

    Parameters
    ----------
    nodes : int
        Of the machine.
    share : float, [-]
        How many of them, rounded to whole nodes; in [0, 1].
    seed : int
        Of the random numbers; of equal seeds, more lemons include the fewer.

    Returns
    -------
    ndarray of int
        Their numbers, sorted; none if `share` is 0.

    Raises
    ------
    ValueError
        If a `share` > 0 makes no node a lemon, or all.
    """
    count = round(share * nodes)
    if share > 0.0 and not 0 < count < nodes:
        raise ValueError(
            f"lemon_share must be at least one and not all of the {nodes} nodes, got {share!r}"
        )
    if not count:
        return np.empty(0, np.int64)
    return np.sort(stream(seed, *LEMONS).permutation(nodes)[:count]).astype(np.int64)


def _from(
    time: FloatArray, repair: FloatArray, start: float, *, out: bool
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Cut what was before `start`: nodes still `out` then become so just before, or are up."""
    before = time < start
    left = time + repair - start
    time = np.where(before, math.nextafter(start, -math.inf), time)
    return time, np.where(before, left, repair), ~before | (out & (left > 0.0))
