"""How many spare nodes suffice, or what standby blocks give a job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from asking.plain import strict
from asking.refusals import Field, Refused, Said, given
from asking.requests import refuse_idle
from asking.units import human_duration

from ...estimate import CONFIDENCE
from ..known.estimates import Mtbf
from ..known.machine_mtbf import mean_repair, seen_failures, spares_at
from ..known.unforeseen import Unforeseen
from ..parts.foretold_spares import ForeseenSpares, foreseen_spares
from ..parts.standbys import StandbyAnswer, answered, limits_of
from ..requests.machines import SparesRequest
from ..shown import Answer, Facts, Lines, Part, Table
from ..words.standbys import basis_words, limit_headings, log_facts, standby_parts

_OF_NODES = ("nodes", "node_mtbf", "confidence", "rate", "log_nodes")
_OF_BLOCKS = (
    *("standbys", "goodput", "block_mtbf", "checkpoint_cost", "recovery_cost"),
    *("interval", "switch_time", "crews", "standby_hazard", "stopped_hazard"),
    *("may_miss", "resize_time", "automatic_time", "manual_time", "escalated"),
    *("automatic_false", "manual_false", "work", "under_repair"),
)


@dataclass(frozen=True, slots=True)
class BlocksAnswer(Answer):
    """A job on blocks with standbys, and the same at both limits of an MTBF that was counted.

    `to_frame` has a row for every goodput wanted, `plot` the goodput over the standbys of the
    `request`, fewer and more of them.
    """

    found: StandbyAnswer
    request: SparesRequest
    limits: tuple[StandbyAnswer, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel spares --json`` prints it."""
        found = self.found.plain() | _plain_limits(self.limits) | self._unforeseen.plain()
        return dict(strict(found))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield the standbys that every goodput wanted needs, and what they give."""
        for each in self.found.needed:
            yield asdict(each)

    def parts(self) -> Iterator[Part]:
        """Yield the job on its blocks, its goodput, and the standbys for each goodput wanted."""
        yield from standby_parts(self.found, self.limits)
        if self._unforeseen.why:
            yield Lines.of(*self._unforeseen.reasons())

    @property
    def _unforeseen(self) -> Unforeseen:
        seen = self.found.seen
        return Unforeseen.with_log(seen and seen.log, "none is made of blocks")

    def plot(self, ax: Any = None) -> Any:
        """Draw the goodput over the standbys."""
        from ...standbys.two_stage import MOST_STAGED
        from ...standbys.wait import MOST_STANDBYS
        from ..drawn import standbys_figure

        found = self.found
        needed = {each.wanted: each.standbys for each in found.needed}
        counts = [count for count in needed.values() if count is not None]
        most = max([found.standbys or 0, *counts])
        ends = min(most + 3, (MOST_STAGED if found.staged else MOST_STANDBYS) + 1)
        every = (answered(replace(self.request, standbys=count)) for count in range(ends))
        return standbys_figure([each.goodput or 0.0 for each in every], needed, ax)


@dataclass(frozen=True, slots=True)
class SparesAnswer(Answer):
    """Spare nodes by the probability that they suffice; times in [s].

    `seen` is the MTBF of all nodes together where failures were counted; `spares_at_limits` are
    then those at its upper and its lower limit. With `foreseen` the `spares` are by the failures of
    the next month that a log leaves open, and `steady` those of a constant rate; `unforeseen` says
    why there is none. `to_frame` has a row for every probability, `plot` the probability over the
    number of spares at a constant rate.
    """

    nodes: int
    node_mtbf: float
    mttr: float
    nodes_down: float
    spares: Mapping[str, int]
    seen: Mtbf | None = None
    spares_at_limits: tuple[Mapping[str, int], ...] = ()
    foreseen: ForeseenSpares | None = None
    steady: Mapping[str, int] = field(default_factory=dict)
    unforeseen: Unforeseen = field(default_factory=Unforeseen)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel spares --json`` prints it."""
        found: dict[str, Any] = {
            "nodes": self.nodes,
            "node_mtbf_s": self.node_mtbf,
            "mttr_s": self.mttr,
            "mean_nodes_down": self.nodes_down,
            "spares": dict(self.spares),
        }
        if self.seen is None:
            return found
        found |= self.unforeseen.plain()
        if self.foreseen is not None:
            found |= self.foreseen.plain() | {"constant_rate": dict(self.steady)}
        low, high = self.seen.low or 0.0, self.seen.high or 0.0
        few, many = self.spares_at_limits
        return found | {
            "mtbf_basis": self.seen.words,
            "mtbf_confidence": CONFIDENCE,
            "node_mtbf_low_s": self.nodes * low,
            "node_mtbf_high_s": self.nodes * high if self.seen.failures else None,
            "spares_low": dict(few),
            "spares_high": dict(many),
        }

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield the spares by the probability that they suffice."""
        kinds = ("spares_low", "spares_high")
        for name, count in self.spares.items():
            limits = zip(kinds, self.spares_at_limits, strict=False)
            steady = {"constant_rate": self.steady[name]} if self.steady else {}
            yield {
                "probability": name,
                "spares": count,
                **steady,
                **{kind: at[name] for kind, at in limits},
            }

    def parts(self) -> Iterator[Part]:
        """Yield the machine, and the spares by the probability that they suffice."""
        to_come = [] if self.foreseen is None else self.foreseen.outlook.facts()
        yield Facts.of(
            [
                *log_facts(self.seen),
                *to_come,
                ("nodes", Said("{:,}{}", self.nodes, self._others_named())),
                (
                    "node MTBF",
                    human_duration(self.node_mtbf) + basis_words(self.seen, self.nodes),
                ),
                ("repair", f"{human_duration(self.mttr)} on average"),
                ("down", f"{self.nodes_down:.4g} nodes on average"),
            ]
        )
        limits = self.spares_at_limits
        beside = ((self.steady,) if self.steady else ()) + limits
        yield Table.of(
            [
                "they suffice with probability",
                "spare nodes",
                *(["constant\nrate"] if self.steady else []),
                *(limit_headings() if limits else []),
            ],
            [
                [name, f"{count:,}", *(f"{at[name]:,}" for at in beside)]
                for name, count in self.spares.items()
            ],
        )
        if self.foreseen is not None:
            yield Lines.of(*self.foreseen.sentences())
        elif self.unforeseen.why:
            yield Lines.of(*self.unforeseen.reasons())

    def _others_named(self) -> Said | str:
        """Say whether the log names more nodes, of which all failures count."""
        log = None if self.seen is None else self.seen.log
        if log is None or log.nodes_named <= (log.machine or self.nodes):
            return ""
        named = f"{log.nodes_named:,}"
        return Said(
            "; the log names {}: all of its failures count as theirs, {} {} takes their part",
            *(named, Field("log_nodes"), named),
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the probability that spares suffice, over their number."""
        from ..drawn import spares_figure

        steady = self.steady or self.spares
        return spares_figure(self.nodes, self.node_mtbf, self.mttr, steady, ax)


def spares(request: SparesRequest) -> SparesAnswer | BlocksAnswer:
    """Compute how many spare nodes suffice, or the goodput of a job on blocks with standbys.

    Parameters
    ----------
    request : SparesRequest
        Nodes, or blocks of a job; times in [s].

    Returns
    -------
    SparesAnswer or BlocksAnswer
        The second where the request names `blocks`.

    Raises
    ------
    Refused
        If what must be given is not, the MTBF comes in two forms, or a field has no effect.

    Examples
    --------
    >>> from perfmodel.answers import SparesRequest, spares
    >>> found = spares(SparesRequest(nodes=2048, node_mtbf=6666 * 3600.0, mttr=48 * 3600.0))
    >>> found.spares["0.99"]
    24
    """
    if request.blocks is not None:
        for name in _OF_NODES:
            if request.says(name):
                raise Refused("{} must be left out with {}", Field(name), Field("blocks"))
        request.check()
        found = answered(request)
        return BlocksAnswer(found, request, limits_of(request, found))
    refuse_idle(request, *_OF_BLOCKS, unless=False, lead=Field("blocks"))
    nodes = given(request.nodes, "nodes")
    request.check()
    seen = seen_failures(request, nodes)
    mtbf = nodes * seen.value if seen else given(request.node_mtbf, "node_mtbf")
    mttr = mean_repair(request, seen)
    down = nodes * mttr / mtbf
    if not down <= nodes * 1e3:
        raise Refused(
            "{} must be at most 1000 times {}, got {}",
            *(Field("mttr"), Field("node_mtbf"), human_duration(mttr)),
        )
    confidence = request.confidence

    def needed_at(mtbf: float) -> dict[str, int]:
        return {
            name: spares_at(nodes, mtbf, mttr, value)
            for name, value in zip(confidence.names, confidence.values, strict=True)
        }

    ends = () if seen is None else (seen.high or 0.0, seen.low or 0.0)
    at_limits = tuple(needed_at(nodes * limit) for limit in ends)
    steady = SparesAnswer(nodes, mtbf, mttr, down, needed_at(mtbf), seen, at_limits)
    if request.rate == "constant" or seen is None or seen.log is None:
        return steady
    from ..logs.history import history_of

    history = None if seen.log.of_jobs else history_of(seen.log)
    ours: ForeseenSpares | Unforeseen
    size = request.log_nodes or nodes
    if size == nodes:
        ours = foreseen_spares(history, nodes, mttr, confidence.values)
    else:
        ours = Unforeseen.of_others(size, nodes)
    if isinstance(ours, Unforeseen):
        return replace(steady, unforeseen=ours)
    needed = dict(zip(confidence.names, ours.spares, strict=True))
    return replace(steady, foreseen=ours, spares=needed, steady=steady.spares)


def _plain_limits(limits: tuple[StandbyAnswer, ...]) -> dict[str, Any]:
    """Return for JSON what the limits of the MTBF leave open."""
    if not limits:
        return {}
    low, high = limits
    return {
        "mtbf_basis": low.seen.words if low.seen else None,
        "mtbf_confidence": CONFIDENCE,
        "at_mtbf_low": low.plain(),
        "at_mtbf_high": high.plain(),
    }
