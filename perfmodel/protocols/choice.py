"""Which protocol finishes a job soonest, by how much, and where another takes over."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from scipy.optimize import brentq

from .._checks import shown
from ..formula import Formula, Trend
from ..makespan.asynchronous import InFlight
from ..validity import ValidityWarning
from .protocol import Plan, Protocol
from .situation import Situation
from .table import PROTOCOLS, protocols_for

Quantity: TypeAlias = Literal["mtbf", "work", "checkpoint_cost", "latency", "local_cost", "nodes"]

_QUANTITIES = get_args(Quantity)
_EACH = 6  # steps per decade of the search for a crossover
_DECADES = 3  # to either side
_TIE = 1e-9  # relative; times that are nearer are equal
_CLOSE = 1e-10  # relative, of a crossover


@dataclass(frozen=True, slots=True)
class ProtocolTime:
    """One protocol at its best for one job.

    Parameters
    ----------
    protocol : str
        Its name: single_segment, synchronous, asynchronous, two_levels, pairs or predicted.
    interval : float, [time]
        Work between two checkpoints of any kind, checkpoint excluded; on pairs of nodes the
        computing time of a segment, twice that on single nodes.
    segments : float, [-]
        Equal segments of the job, a whole number.
    durable_every : float, [-]
        Checkpoints from one that survives all failures to the next, that one included.
    expected_time : float, [time]
        Mean time from the start to the last checkpoint; inf where a float cannot hold it.
    overhead : float, [-]
        Mean time beyond the work, over the work.
    efficiency : float, [-]
        Work over mean time.
    regret : float, [-]
        How much longer the job takes than with the best protocol, relatively.
    error : float, [-]
        Stated relative error of the mean: 0 where it is exact, inf beyond the range of a rule.
    crossover : float, optional, [-]
        Value of the quantity asked for from which on the order of this protocol and the best one
        changes; None for the best one, and where there is no such value within a factor of 1,000.
        Of nodes it is the first whole number at which it has changed.
    """

    protocol: str
    interval: float
    segments: float
    durable_every: float
    expected_time: float
    overhead: float
    efficiency: float
    regret: float
    error: float
    crossover: float | None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Protocols for one job, the best first.

    Parameters
    ----------
    quantity : str, optional
        The argument in which crossovers were searched, if any.
    value : float, optional
        Its value, in its own unit.
    protocols : tuple of ProtocolTime
        By rising mean time.
    left_out : tuple of (str, str)
        Protocols whose mean cannot be computed for this job, and why.
    """

    quantity: str | None
    value: float | None
    protocols: tuple[ProtocolTime, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def best(self) -> ProtocolTime:
        """The protocol of the least mean time; the simplest of several."""
        return self.protocols[0]


def recommend(
    work: float,
    *,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    snapshot_cost: float | None = None,
    latency: float | None = None,
    slowdown: float = 0.0,
    in_flight: InFlight = "overlap",
    local_cost: float | None = None,
    survived: float | None = None,
    local_recovery: float = 0.0,
    nodes: int | None = None,
    recall: float | None = None,
    precision: float | None = None,
    proactive_cost: float | None = None,
    window: float = 0.0,
    quantity: Quantity | None = "mtbf",
) -> Recommendation:
    r"""Compare checkpoint protocols for one job, each at its best, and say where the order changes.

    .. math:: \min_p E[T_p], \quad \text{regret}_p = E[T_p] \Big/ \min_q E[T_q] - 1, \quad
        x:\ E[T_p(x)] = E[T_{best}(x)]

    Protocols of which all arguments are given are compared; ``single_segment`` and ``synchronous``
    always are. One whose mean cannot be computed for this job is left out, and the reason is told.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job on all nodes, checkpoints excluded; > 0.
    mtbf : float, [time]
        Mean uptime between failures of the machine, repair excluded; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint that survives all failures, for which the job stands still; > 0. To
        read it back; >= 0.
    downtime : float, [time]
        After each failure; >= 0.
    snapshot_cost, latency : float, optional, [time]
        ``asynchronous``: the copy for which the job stands still; > 0. From its end until the
        snapshot is durable; >= 0.
    slowdown : float, [-]
        Share of computing that is lost while a snapshot drains; >= 0 and <= 1.
    in_flight : {"overlap", "single_buffer", "skip"}, [-]
        The rule for a snapshot that falls due while the previous one drains.
    local_cost : float, optional, [time]
        ``two_levels``: cost of a local checkpoint; > 0.
    survived : float, optional, [-]
        Share of the failures that a local checkpoint survives; >= 0 and <= 1.
    local_recovery : float, [time]
        To read back a local checkpoint; >= 0.
    nodes : int, optional, [-]
        ``pairs``: nodes of the machine, a whole number >= 2; each then has an MTBF of mtbf*nodes.
    recall, precision : float, optional, [-]
        ``predicted``: shares of the failures that are predicted, and of the predictions that come
        true; > 0 and at most 1, recall below 1 with a window.
    proactive_cost : float, optional, [time]
        Cost of a checkpoint before a predicted failure; >= 0, with a window > 0.
    window : float, [time]
        Length of the window that a prediction names, in which the failure strikes at an instant
        that is not known; >= 0. It is cut as `best_window_segments` says.
    quantity : {"mtbf", "work", "checkpoint_cost", "latency", "local_cost", "nodes"}, optional, [-]
        Argument that is given and > 0, in which crossovers are searched; None for no search, which
        takes most of the time. With "nodes" those of the machine change and the mtbf of each stays:
        the machine has mtbf*nodes over their number, and all costs and the work of each node stay.

    Returns
    -------
    Recommendation, [time]
        `best`, all `protocols` by rising mean time, and those `left_out`.

    Raises
    ------
    ValueError
        If `quantity` is not given; if a protocol has some of its arguments and not the others; or
        if times of the synchronous one are not comparable.

    Warns
    -----
    ValidityWarning
        If the best period of ``predicted`` is beyond the range of `waste_predicted` or, with a
        window, `waste_windows`.

    Notes
    -----
    Exact, but for ``predicted``, whose `error` is stated: the means are those of
    `expected_makespan`, `expected_makespan_async`, `expected_makespan_two_levels` with the rule
    "reinstated", and for pairs of nodes 1 - `waste_of_pairs` with restarts, by which each of
    several equal segments takes what it does in a long job. The result of the job is kept in every
    protocol: each ends with a checkpoint that is durable. Segments are equal, and their number is
    the best one; that of ``two_levels`` is searched, to 1e-4 of the least mean. A crossover is the
    nearest one in steps of six per decade, then a root: two that are nearer to each other than a
    step may be missed. Within their `error` the order of two protocols is not known.
    Source: derived; see the functions named.

    Judged for work/mtbf 0.1 to 100, checkpoint_cost/mtbf 1e-4 to 1, recovery_cost/mtbf 1e-4 to 1,
    downtime/mtbf 1e-4 to 1, snapshot_cost/checkpoint_cost 0.01 to 1, latency/checkpoint_cost 0.01
    to 10, slowdown 0 to 1, local_cost/checkpoint_cost 0.001 to 1, local_recovery/mtbf 1e-4 to 1,
    survived 0.01 to 0.99, nodes 2 to 10000. Errors: see `perfmodel`.

    References
    ----------
    .. [1] N. H. Vaidya, "Impact of checkpoint latency on overhead ratio of a checkpointing scheme",
       IEEE Transactions on Computers 46, 1997; only the abstract was seen.

    Examples
    --------
    A checkpoint to the file system takes 10 minutes, or one of 20 s that is durable 15 minutes
    later; in hours.

    >>> found = recommend(
    ...     168.0, mtbf=8.0, checkpoint_cost=1 / 6, recovery_cost=1 / 6,
    ...     snapshot_cost=20 / 3600, latency=0.25,
    ... )
    >>> for each in found.protocols[:2]:
    ...     print(f"{each.protocol} {each.expected_time:.1f} h, {100 * each.regret:.1f} % longer")
    asynchronous 184.0 h, 0.0 % longer
    synchronous 211.9 h, 15.2 % longer
    >>> round(found.protocols[1].crossover, 3)  # below that MTBF the synchronous one wins
    0.315
    """
    job = Situation(
        work=work,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        snapshot_cost=snapshot_cost,
        latency=latency,
        slowdown=slowdown,
        in_flight=in_flight,
        local_cost=local_cost,
        survived=survived,
        local_recovery=local_recovery,
        nodes=nodes,
        recall=recall,
        precision=precision,
        proactive_cost=proactive_cost,
        window=window,
    ).checked()
    _check_needs(job)
    return compare(job, quantity)


def compare(job: Situation, quantity: Quantity | None = None) -> Recommendation:
    """Compare the protocols of which a job, with every number in its range, says all they need."""
    known = [each for each in protocols_for(job.protocol) if each.known(job)]
    for each in known:
        each.check(job)
    value = None if quantity is None else _value_of(job, quantity)
    unit, inside = job.without_overflow()
    plans: list[tuple[Protocol, Plan]] = []
    left_out: list[tuple[str, str]] = []
    for row in known:
        try:
            plans.append((row, row.best(inside)))
        except ValueError as error:
            why = _in_given_unit(row, job) or error
            if not row.needs:
                raise why from None
            left_out.append((row.name, str(why)))
    plans = _shortest_first(plans)
    (winner, best), *others = plans
    crossovers: list[float | None] = [None] * len(others)
    if quantity is not None and value is not None:
        times = _Times(inside, quantity)
        if quantity == "nodes":
            crossovers = [_crossover_in_nodes(times, winner, row, value) for row, _ in others]
        else:
            ratios = (_crossover(times, winner, row, value / unit) for row, _ in others)
            crossovers = [None if ratio is None else ratio * value for ratio in ratios]
    found = [
        _judged(plan, best, row.name, work=inside.work, unit=unit, crossover=crossover)
        for (row, plan), crossover in zip(plans, [None, *crossovers], strict=True)
    ]
    return Recommendation(quantity, value, tuple(found), tuple(left_out))


def _shortest_first(plans: list[tuple[Protocol, Plan]]) -> list[tuple[Protocol, Plan]]:
    """Return plans by their times; of equal times the simplest comes first."""
    found: list[tuple[Protocol, Plan]] = []
    left = list(plans)  # from simple to elaborate
    while left:
        least = min(plan.expected_time for _, plan in left)
        place = next(i for i, (_, p) in enumerate(left) if p.expected_time <= least * (1.0 + _TIE))
        found.append(left.pop(place))
    return found


def _in_given_unit(row: Protocol, job: Situation) -> ValueError | None:
    """Return why a protocol has no plan, in the numbers that were given."""
    try:
        row.best(job)
    except ValueError as error:
        return error
    return None


def _judged(
    plan: Plan, best: Plan, name: str, *, work: float, unit: float, crossover: float | None
) -> ProtocolTime:
    """Return a plan and what it says of a job, both in a unit, as they are in that of the job."""
    time = plan.expected_time
    regret = 0.0
    if best.expected_time < math.inf:  # a simpler plan wins if it is longer by a rounding
        regret = max(time / best.expected_time - 1.0, 0.0)
    return ProtocolTime(
        protocol=name,
        interval=unit * plan.interval,
        segments=plan.segments,
        durable_every=plan.durable_every,
        expected_time=unit * time,
        overhead=time / work - 1.0,
        efficiency=work / time,
        regret=regret,
        error=plan.error,
        crossover=crossover,
    )


class _Times:
    """Mean times of protocols as functions of one quantity, each computed once."""

    def __init__(self, job: Situation, quantity: str) -> None:
        self._job, self._quantity = job, quantity
        self._known: dict[tuple[str, float], float] = {}

    def log_ratio(self, one: Protocol, other: Protocol, value: float) -> float:
        """Return the logarithm of the time of one over that of the other; nan if not known."""
        first, second = (self._time(row, value) for row in (one, other))
        if math.isinf(first) or math.isinf(second):
            return first - second
        found = math.log(first / second)
        return 0.0 if abs(found) <= _TIE else found

    def _time(self, row: Protocol, value: float) -> float:
        key = (row.name, value)
        if key not in self._known:
            changed: Any = {self._quantity: value}
            if self._quantity == "nodes":
                assert self._job.nodes is not None
                changed["mtbf"] = self._job.mtbf * (self._job.nodes / value)
            with warnings.catch_warnings():
                # Of the job itself a rule beyond its range has warned.
                warnings.simplefilter("ignore", ValidityWarning)
                try:
                    time = row.best(replace(self._job, **changed)).expected_time
                except ValueError:  # far from the job itself a mean may not be known
                    time = math.nan
            self._known[key] = time
        return self._known[key]


def _crossover(times: _Times, winner: Protocol, other: Protocol, value: float) -> float | None:
    """Return the nearest at which their order changes, over the value here; None if none is."""

    def order(power: float) -> float:
        return times.log_ratio(other, winner, value * math.exp(power))

    here, step = order(0.0), math.log(10.0) / _EACH
    last = {1.0: 0.0, -1.0: 0.0}  # by direction, as far as the order is known and the same
    for number in range(1, _EACH * _DECADES + 1):
        for direction in tuple(last):
            power = direction * number * step
            there = order(power)
            if math.isnan(there):  # not known, or both take longer than a float can hold
                del last[direction]
            elif _sign(there) != _sign(here):
                return math.exp(_change(order, last[direction], power, _sign(here)))
            else:
                last[direction] = power
    return None


def _crossover_in_nodes(
    times: _Times, winner: Protocol, other: Protocol, nodes: float
) -> float | None:
    """Return the nearest number of nodes, in steps, at which the order has changed, or None."""

    def order(number: int) -> int:
        found = times.log_ratio(other, winner, float(number))
        return here if math.isnan(found) else _sign(found)

    here = 0
    here = order(int(nodes))
    last = {1.0: int(nodes), -1.0: int(nodes)}
    for number in range(1, _EACH * _DECADES + 1):
        for direction in (1.0, -1.0):
            there = max(round(nodes * 10.0 ** (direction * number / _EACH)), 2)
            if order(there) != here:
                same, beyond = last[direction], there
                while abs(beyond - same) > 1:
                    middle = (same + beyond) // 2
                    same, beyond = (middle, beyond) if order(middle) == here else (same, middle)
                return float(beyond)
            last[direction] = there
    return None


def _change(order: Callable[[float], float], same: float, beyond: float, sign: int) -> float:
    """Return where the sign ends, between a power at which it holds and one at which it does not.

    A root where the order turns round, a bisection where two times become equal and stay so.
    """
    ends = order(same), order(beyond)
    if ends[0] * ends[1] < 0.0 and all(map(math.isfinite, ends)):
        return float(brentq(order, same, beyond, xtol=_CLOSE))
    while abs(beyond - same) > _CLOSE:
        middle = 0.5 * (same + beyond)
        if _sign(order(middle)) == sign:
            same = middle
        else:
            beyond = middle
    return beyond


def _sign(number: float) -> int:
    return (number > 0.0) - (number < 0.0)


def _check_needs(job: Situation) -> None:
    """Refuse a protocol that is half described."""
    for row in PROTOCOLS:
        missing = [name for name in row.needs if getattr(job, name) is None]
        if missing and len(missing) < len(row.needs):
            given = next(name for name in row.needs if name not in missing)
            raise ValueError(f"{missing[0]} must be given with {given}, got None")
    if job.window > 0.0 and job.recall is None:
        raise ValueError("recall must be given with window, got None")


def _value_of(job: Situation, quantity: str) -> float:
    value = getattr(job, quantity, None) if quantity in _QUANTITIES else None
    if value is None or not value > 0.0:
        choices = [name for name in _QUANTITIES if (getattr(job, name) or 0.0) > 0.0]
        raise ValueError(f"quantity must be one of {', '.join(choices)}, got {shown(quantity)}")
    return float(value)


ROWS = (
    Formula(
        recommend,
        "derived",
        "least mean makespan",
        "exact",
        ranges={
            "work/mtbf": (0.1, 100.0),
            "checkpoint_cost/mtbf": (1e-4, 1.0),
            "recovery_cost/mtbf": (1e-4, 1.0),
            "downtime/mtbf": (1e-4, 1.0),
            "snapshot_cost/checkpoint_cost": (1e-2, 1.0),
            "latency/checkpoint_cost": (1e-2, 10.0),
            "slowdown": (0.0, 1.0),
            "local_cost/checkpoint_cost": (1e-3, 1.0),
            "local_recovery/mtbf": (1e-4, 1.0),
            "survived": (0.01, 0.99),
            "nodes": (2.0, 1e4),
        },
        trend=Trend(),
    ),
)
