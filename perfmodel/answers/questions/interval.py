"""How often to write a checkpoint: by every rule, protocol and law that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from asking.plain import strict
from asking.refusals import Field, Refused
from asking.units import human_duration

from ...makespan.asynchronous import InFlight
from ..known.job import Job, filled, job_of
from ..known.repairs import lifetime_of
from ..known.unforeseen import Unforeseen
from ..parts.advice import Advice, advise
from ..parts.ageing import Aged, aged
from ..parts.asynchronous import Drained, drained
from ..parts.energy import Energies, energies
from ..parts.levels import Layered, layered
from ..parts.protocols import compared, plain
from ..requests.job import FORMS, IntervalRequest
from ..shown import Answer, Facts, Lines, Part
from ..words.advice import (
    ageing_lines,
    asynchronous_lines,
    level_lines,
    mistakes_table,
    recommendation_lines,
    rules_table,
)
from ..words.energy import energy_parts
from ..words.protocols import protocol_parts

if TYPE_CHECKING:
    from ...lifetimes import Lifetime
    from ...protocols import Recommendation
    from ..parts.foretold_interval import ForeseenInterval


@dataclass(frozen=True, slots=True)
class IntervalAnswer(Answer):
    """The interval to recommend, what every rule says, and what else was asked for.

    `to_frame` has a row for every rule, `plot` the time of the job over the interval.

    `advice` has the job as it was understood. The others are None where they were not asked for:
    checkpoints that are durable later, copies on several `levels`, the comparison of `protocols`,
    the interval of least `energy`, and that of a machine whose uptimes are not exponential.
    `foreseen` is the interval by what a log says of the rate to come, `unforeseen` why there is
    none; both are empty at `rate="constant"`.
    """

    advice: Advice
    asynchronous: Drained | None = None
    levels: Layered | None = None
    protocols: Recommendation | None = None
    energy: Energies | None = None
    ageing: Aged | None = None
    foreseen: ForeseenInterval | None = None
    unforeseen: Unforeseen = field(default_factory=Unforeseen)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel interval --json`` prints it."""
        more: dict[str, Any] = {}
        if self.ageing is not None:
            more |= self.ageing.plain(self.advice)
        if self.asynchronous is not None:
            more["asynchronous"] = asdict(self.asynchronous)
        if self.levels is not None:
            more["levels"] = asdict(self.levels)
        if self.protocols is not None:
            more["protocols"] = plain(self.protocols)
            more["protocols_left_out"] = dict(self.protocols.left_out)
        if self.energy is not None:
            more["energy"] = asdict(self.energy)
        more |= self.unforeseen.plain()
        if self.foreseen is not None:
            more |= self.foreseen.plain(self.advice)
        found: dict[str, Any] = strict({**self.advice.plain(), **more})
        return found

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield what every rule recommends, and what that costs."""
        yield from map(asdict, self.advice.rules)

    def parts(self) -> Iterator[Part]:
        """Yield the job, the rules, the recommendation and what else was asked for."""
        advice = self.advice
        stepped = advice.job.step_time is not None
        to_come = [] if self.foreseen is None else self.foreseen.outlook.facts()
        yield Facts.of([*advice.job.facts(), *to_come])
        yield rules_table(advice)
        where = "" if self.foreseen is None else "at a constant rate"
        if self.ageing is not None:
            where = "were uptimes exponential"
        rate = where and f", {where}"
        yield Lines.of(
            f"All for {human_duration(advice.job.work)} of work{rate}. Best segments are equal "
            "ones; exact is the best interval of a much longer job, which need not divide this one."
        )
        if self.foreseen is not None:
            yield Lines.of(*self.foreseen.lines(advice))
        elif self.unforeseen.why:
            yield Lines.of(*self.unforeseen.reasons())
        if self.ageing is not None:
            yield Lines.of(*ageing_lines(self.ageing))
        yield Lines.of(*recommendation_lines(advice, where=where.capitalize()))
        others = self.asynchronous, self.levels, self.protocols, self.energy
        if self.foreseen is not None and any(each is not None for each in others):
            yield Lines.of("At a constant rate, too:")
        if self.asynchronous is not None:
            yield Lines.of(*asynchronous_lines(advice, self.asynchronous))
        if self.levels is not None:
            yield Lines.of(*level_lines(self.levels))
        if self.protocols is not None:
            yield from protocol_parts(self.protocols, stepped=stepped)
        if self.energy is not None:
            yield from energy_parts(self.energy)
        if self.foreseen is None:
            cost = "this interval costs"
            if self.ageing is not None or any(each is not None for each in others):
                every = human_duration(advice.best.interval_s)
                cost = f"synchronous checkpoints after every {every} cost"
            yield Lines.of(f"What {cost} if the true MTBF is another{rate}:")
            yield mistakes_table(advice.mistakes)
            return
        every, mtbf = (
            human_duration(each) for each in (self.foreseen.interval, self.foreseen.mtbf.value)
        )
        of = " of clusters" if self.foreseen.outlook.cluster_size > 1.005 else ""
        yield Lines.of(
            f"What checkpoints after every {every} cost if the true MTBF{of} is another than "
            f"{mtbf}:"
        )
        yield mistakes_table(self.foreseen.mistakes)

    def plot(self, ax: Any = None) -> Any:
        """Draw how much longer than its work the job takes, over the interval."""
        from ..drawn import advice_figure

        return advice_figure(self.advice, ax, ahead=self.foreseen)


def interval(request: IntervalRequest) -> IntervalAnswer:
    """Recommend how much work to do between two checkpoints.

    Parameters
    ----------
    request : IntervalRequest
        The job, its machine, and what to compare; durations in [s].

    Returns
    -------
    IntervalAnswer
        With `to_dict()` for all numbers under unit-named keys.

    Raises
    ------
    Refused
        If the MTBF or the checkpoint comes in no form or in several, or a field has no effect; a
        ValueError that names the fields.

    Examples
    --------
    >>> from perfmodel.answers import IntervalRequest, interval
    >>> found = interval(IntervalRequest(mtbf=28_800.0, checkpoint_cost=360.0))
    >>> found.advice.best.interval_s, found.advice.segments
    (4320.0, 140)
    >>> found.to_dict()["recommended_interval_s"]
    4320.0
    """
    known, law = _with_law(request)
    advice = advise(job_of(known))
    job, older = advice.job, None
    if law is not None:
        older = aged(job, law, str(known.uptime_law), sequence=known.sequence)
    later = _drained(job, request)
    found: ForeseenInterval | Unforeseen = Unforeseen()
    if known.rate != "constant" and job.mtbf.log is not None:  # else forecasts are not loaded
        from ..parts.foretold import outlook_for
        from ..parts.foretold_interval import foreseen_interval

        outlook = outlook_for(job, log_nodes=known.log_nodes)
        found = outlook if isinstance(outlook, Unforeseen) else foreseen_interval(outlook, advice)
    return IntervalAnswer(
        advice,
        asynchronous=later,
        energy=None if known.power is None else energies(job, known.power, known.overlap),
        levels=layered(job, known.levels, asked=request) if known.levels else None,
        protocols=compared(job, known) if known.compare else None,
        ageing=older,
        foreseen=None if isinstance(found, Unforeseen) else found,
        unforeseen=found if isinstance(found, Unforeseen) else Unforeseen(),
    )


def _drained(job: Job, request: IntervalRequest) -> Drained | None:
    """Return the best asynchronous checkpoints, None if not asked for or left out of --compare."""
    if request.async_latency is None:
        return None
    copy = request.snapshot_cost or job.checkpoint_cost
    try:
        return drained(job, copy, request.async_latency, cast("InFlight", request.in_flight))
    except ValueError:
        if not request.compare:  # which tells the reason
            raise
        return None


def _with_law(asked: IntervalRequest) -> tuple[IntervalRequest, Lifetime | None]:
    """Return the request with the mean of its law of uptimes as MTBF, and the law."""
    request = filled(asked)
    if request.uptime_law is None:
        return request, None
    if also := next(filter(asked.says, FORMS), None):
        raise Refused("{} must come without {}, got both", Field("uptime_law"), Field(also))
    if asked.says("nodes") and not asked.says("price"):
        raise Refused(
            "{} must come with {} where {} is the law of the machine",
            Field("nodes"),
            Field("price"),
            Field("uptime_law"),
        )
    if more := next(filter(asked.says, ("async_latency", "levels", "power", "compare")), None):
        raise Refused(
            "{} takes exponential uptimes: leave {} out", Field(more), Field("uptime_law")
        )
    law = lifetime_of(request.uptime_law, "uptime_law")
    others: dict[str, Any] = dict.fromkeys(
        ("node_mtbf", "failures", "observed", "failure_rate", "log")
    )
    return replace(request, **others, mtbf=law.mean), law
