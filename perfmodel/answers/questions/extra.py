"""What one more node serves best as: a worker, a replica or a spare."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from asking.plain import strict
from asking.refusals import Field, Refused, given
from asking.units import human_duration

from ...validity import ValidityWarning
from ..known.repairs import lifetime_of
from ..requests.machines import ExtraRequest
from ..shown import Answer, Facts, Lines, Part, Table, in_unit, shared_unit

_SHARES = (0.5, 0.9, 0.99)
_LEVEL = 1e-3  # of the best mean: what is nearer is as good
_SMALLEST = 1e-3  # [%] of the mean that is worth a number
_DOES = {
    "worker": "Let it work: each of {more:,} nodes then has {smaller} of the work.",
    "replica": "Let it repeat the task of another node: the first of both counts.",
    "spare": "Keep it as a spare, which takes over from a node that fails.",
}


@dataclass(frozen=True, slots=True)
class NodeUse:
    """One use of the node: how long the job takes [s], on average and by probabilities."""

    use: str
    expected_time_s: float
    time_50_s: float
    time_90_s: float
    time_99_s: float


@dataclass(frozen=True, slots=True)
class ExtraAnswer(Answer):
    """The job on `nodes` as they are, and with one more in each use; times in [s].

    `to_frame` has a row for each use, the one without the node first.
    """

    nodes: int
    work: float
    node_mtbf: float
    downtime: float
    interval: float
    uses: tuple[NodeUse, ...]
    notes: tuple[str, ...]

    @property
    def best(self) -> str:
        """The use with the least mean."""
        return min(self.uses[1:], key=lambda use: use.expected_time_s).use

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel extra --json`` prints it."""
        values = {
            "nodes": self.nodes,
            "work_s": self.work,
            "interval_s": self.interval,
            "best": self.best,
            "notes": list(self.notes),
            "uses": [asdict(use) for use in self.uses],
        }
        return dict(strict(values))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield each use."""
        yield from map(asdict, self.uses)

    def parts(self) -> Iterator[Part]:
        """Yield the job, its time in each use, and which is best."""
        yield Facts.of(
            [
                ("nodes", f"{self.nodes:,} and one more"),
                ("work", f"{human_duration(self.work)} on one node"),
                ("node MTBF", human_duration(self.node_mtbf)),
                ("downtime", human_duration(self.downtime)),
                ("interval", human_duration(self.interval)),
                *(("note", note) for note in self.notes),
            ]
        )
        times = [
            [use.expected_time_s, use.time_50_s, use.time_90_s, use.time_99_s] for use in self.uses
        ]
        unit, factor = shared_unit(time for row in times for time in row)
        yield Table.of(
            ["the node is", *(f"{name}\n[{unit}]" for name in ("mean", "50 %", "90 %", "99 %"))],
            [
                [use.use, *(in_unit(time, factor) for time in row)]
                for use, row in zip(self.uses, times, strict=True)
            ],
            best=[use.use for use in self.uses].index(self.best),
        )
        best, *others = sorted(self.uses[1:], key=lambda use: use.expected_time_s)
        does = _DOES[best.use].format(
            more=self.nodes + 1, smaller=human_duration(self.work / (self.nodes + 1))
        )
        near = [
            use.use
            for use in others
            if use.expected_time_s <= (1.0 + _LEVEL) * best.expected_time_s
        ]
        without = self.uses[0].expected_time_s
        saved = 100.0 * (1.0 - best.expected_time_s / without)
        much = f"{saved:.3g}" if saved >= _SMALLEST or saved == 0.0 else f"<{_SMALLEST:g}"
        yield Lines.of(
            does,
            f"That saves {much} % of the mean without it."
            + (f" As good, within 0.1 %: {', '.join(near)}." if near else ""),
        )


def extra(request: ExtraRequest) -> ExtraAnswer:
    """Compare the uses of one more node: as a worker, as a replica and as a spare.

    Parameters
    ----------
    request : ExtraRequest
        Durations in [s].

    Returns
    -------
    ExtraAnswer
        The completion time in each use, and the best of them.

    Raises
    ------
    Refused
        If a field that must be given is None, or repairs take as long as uptimes.

    Examples
    --------
    >>> from perfmodel.answers import ExtraRequest, extra
    >>> extra(ExtraRequest(nodes=10, work="1280h", node_mtbf="512h", downtime="30min",
    ...                    interval="2h", checkpoint_cost="12min")).best
    'worker'
    """
    from ...completion import wsj_compound
    from ...interval import optimal_interval_wsj
    from ...parallel import compare_extra_node, slowest_of

    nodes, work = given(request.nodes, "nodes"), given(request.work, "work")
    mtbf = given(request.node_mtbf, "node_mtbf")
    cost = given(request.checkpoint_cost, "checkpoint_cost")
    downtime = _downtime(request)
    mean = downtime if isinstance(downtime, float) else downtime.mean
    if not mean < mtbf:
        raise Refused(
            "{} must be less than {}, got {}: repairs would pile up",
            Field("downtime"),
            Field("node_mtbf"),
            human_duration(mean),
        )
    interval = request.interval
    if interval is None:
        if not cost > 0.0:
            raise Refused(
                "{} must be given where {} is 0, got none",
                Field("interval"),
                Field("checkpoint_cost"),
            )
        best = float(optimal_interval_wsj(mtbf=mtbf, checkpoint_cost=cost))
        interval = min(best, work / nodes)
    task: dict[str, Any] = {
        "mtbf": mtbf,
        "downtime": downtime,
        "interval": interval,
        "checkpoint_cost": cost,
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ValidityWarning)
        found = compare_extra_node(nodes, work=work, **task)
    laws = {
        "not there": slowest_of(wsj_compound(work / nodes, **task), nodes),
        "worker": found.worker,
        "replica": found.replica,
        "spare": found.spare,
    }
    uses = tuple(NodeUse(use, law.mean, *map(float, law.ppf(_SHARES))) for use, law in laws.items())
    notes = tuple(str(warning.message) for warning in caught)
    return ExtraAnswer(nodes, work, mtbf, mean, interval, uses, notes)


def _downtime(request: ExtraRequest) -> Any:
    if request.downtime_law is None:
        return float(given(request.downtime, "downtime"))
    if request.downtime is not None:
        raise Refused("{} must come without {}, got both", Field("downtime"), Field("downtime_law"))
    return lifetime_of(request.downtime_law, "downtime_law")
