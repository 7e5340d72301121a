"""The job that a request describes, as numbers, as JSON and in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypedDict, TypeVar

from asking.refusals import Field, Refused, Said, joined
from asking.units import human_count, human_duration

from ...estimate import CONFIDENCE, of_nodes, of_rate, stated
from ...interval.whole_steps import whole_steps
from ..requests.job import COSTS, FORMS, Forms, JobRequest
from ..requests.presets import preset_of
from ..shown import in_one_unit
from .estimates import Mtbf, from_counts, from_log, of_bursts, of_log, of_some_nodes

J = TypeVar("J", bound=JobRequest)

FORMS_IN_WORDS = Said(
    "{}, {} with {}, {} with {}, {} with {}, {}, or {}",
    *map(Field, ("mtbf", "node_mtbf", "nodes", "failures", "observed", "failure_rate", "nodes")),
    *map(Field, ("log", "preset")),
)
COSTS_IN_WORDS = Said(
    "{}, or {} with {}", *map(Field, ("checkpoint_cost", "checkpoint_size", "bandwidth"))
)


class Costs(TypedDict):
    """Arguments of `expected_makespan` and its kin, [s]."""

    mtbf: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job with all that its request says or implies; durations in [s]."""

    mtbf: Mtbf
    checkpoint_cost: float
    cost_words: str
    recovery_cost: float
    downtime: float
    work: float
    step_time: float | None
    price: float | None
    nodes: int | None
    preset: str = ""

    @property
    def costs(self) -> Costs:
        """The arguments common to all makespan functions."""
        return self.costs_at(self.mtbf.value)

    def costs_at(self, mtbf: float) -> Costs:
        """Return the arguments common to all makespan functions under another MTBF, [s]."""
        return {
            "mtbf": mtbf,
            "checkpoint_cost": self.checkpoint_cost,
            "recovery_cost": self.recovery_cost,
            "downtime": self.downtime,
        }

    def in_steps(
        self, interval: float, cost: Callable[[float], Any], *, least: int = 1
    ) -> tuple[float, int | None]:
        """Return the interval [s] in whole steps that costs least, and how many, from `least` on.

        The interval itself and None where no step is known, or no number can count them.
        """
        if self.step_time is None or not interval / self.step_time < math.inf:
            return interval, None
        steps = whole_steps(interval, self.step_time, cost, least=least)
        return steps * self.step_time, steps

    @property
    def on_all_nodes(self) -> bool:
        """Whether the job is on all nodes of its log, as far as that says how many there are."""
        return self.mtbf.machine in (None, self.nodes)

    @property
    def other_gaps(self) -> str:
        """Say that gaps of a log are not those of the job's nodes."""
        count = f"{self.mtbf.machine:,}"
        return f"The recorded gaps are those of all {count} nodes of the log: they are left out."

    @property
    def hourly_price(self) -> float | None:
        """Price of one hour of the whole job; a price without nodes is that already."""
        return None if self.price is None else self.price * (self.nodes or 1)

    def plain(self) -> dict[str, Any]:
        """Return what was understood, under unit-named keys."""
        return {
            "mtbf_s": self.mtbf.value,
            "mtbf_low_s": self.mtbf.low,
            "mtbf_high_s": self.mtbf.high,
            "mtbf_basis": self.mtbf.words,
            "failures": self.mtbf.failures,
            "checkpoint_cost_s": self.checkpoint_cost,
            "recovery_cost_s": self.recovery_cost,
            "downtime_s": self.downtime,
            "work_s": self.work,
            "step_time_s": self.step_time,
            "nodes": self.nodes,
            "price_per_node_hour": self.price if self.nodes else None,
            "price_per_hour": self.hourly_price,
            **({} if self.mtbf.spread is None else self.mtbf.spread.plain()),
            **({"log": None} if self.mtbf.log is None else self.mtbf.log.plain()),
        }

    def _repairs_left_out(self) -> str:
        """Mention repairs that the log has and the job does not wait for."""
        repairs = None if self.mtbf.log is None else self.mtbf.log.uptimes.repairs
        if self.downtime > 0.0 or repairs is None or not repairs.size or not repairs.mean() > 0.0:
            return ""
        mean = human_duration(float(repairs.mean()))
        return Said(
            " (repairs of the log, {} on average, are left out: {})", mean, Field("downtime")
        )

    def facts(self) -> list[tuple[str, str]]:
        """Return what was understood: a name and a text each."""
        mtbf = self.mtbf
        log = [] if mtbf.log is None else mtbf.log.facts()
        known = f"{human_duration(mtbf.value)} ({mtbf.words})"
        if mtbf.low is not None and mtbf.high is not None and mtbf.failures:
            value, low, high = in_one_unit(mtbf.value, mtbf.low, mtbf.high)
            known = f"{value} ({mtbf.words}); {CONFIDENCE:.0%} confidence: {low} to {high}"
        price = []
        if self.price is not None:
            per = "per hour of the job"
            if self.nodes:
                per = f"per node-hour x {human_count(self.nodes, 'node')}"
            price = [("price", f"{self.price:g} {per}")]
        return [
            *([("preset", self.preset)] if self.preset else []),
            *log,
            ("MTBF", known),
            *([] if mtbf.spread is None else mtbf.spread.facts()),
            ("checkpoint", f"{human_duration(self.checkpoint_cost)} ({self.cost_words})"),
            ("recovery", human_duration(self.recovery_cost)),
            ("downtime", Said("{}{}", human_duration(self.downtime), self._repairs_left_out())),
            ("work", human_duration(self.work)),
            *price,
        ]


def job_of(request: JobRequest) -> Job:
    """Build the job that a request describes, or refuse the combination in one line."""
    _check_form(request, FORMS, "the MTBF", FORMS_IN_WORDS)
    _check_form(request, COSTS, "the checkpoint", COSTS_IN_WORDS)
    cost, words = _checkpoint(request)
    return Job(
        mtbf=_mtbf(request, cost),
        checkpoint_cost=cost,
        cost_words=words,
        recovery_cost=request.recovery_cost,
        downtime=request.downtime,
        work=request.work,
        step_time=request.step_time,
        price=request.price,
        nodes=request.nodes,
        preset="" if request.preset is None else preset_of(request.preset).source,
    )


def filled(asked: J) -> J:
    """Return the request with what its preset knows, but for what was said in another form."""
    request = asked
    if asked.preset is not None:
        others: set[str] = set()
        for forms, more in ((FORMS, {"observed"}), (COSTS, set())):
            if asked.says(*forms):
                others |= forms.keys() | more
        known = {
            name: value
            for name, value in preset_of(asked.preset).given.items()
            if name not in others and not asked.says(name)
        }
        request = replace(asked, **known)
    per_node = request.node_mtbf is not None or request.failure_rate is not None
    form = next((name for name in ("mtbf", "failures") if getattr(request, name) is not None), None)
    if form is not None and not per_node and request.price is None and asked.says("nodes"):
        refuse_nodes(form)
    request.check()
    return request


def refuse_nodes(form: str) -> None:
    """Refuse nodes beside a form of the MTBF that is of the whole machine."""
    raise Refused(
        "{} must come with {}, {}, {} or {}, got {}, which is of the whole machine already",
        *map(Field, ("nodes", "node_mtbf", "failure_rate", "log", "price", form)),
    )


def _check_form(request: JobRequest, forms: Forms, what: str, wanted: Said) -> None:
    """Refuse no form and several, one that lacks what it needs, and what belongs to another."""

    def has(name: str) -> bool:
        value = getattr(request, name)
        return value is not None and value is not False

    found = [form for form in forms if has(form)]
    companions = {name for must, may in forms.values() for name in (*must, *may)}
    stray = [name for name in sorted(companions - {"nodes"}) if has(name)]  # which multiply a price
    if len(found) != 1:
        got = joined(" and ", map(Field, found or stray)) if found or stray else "none"
        raise Refused("{} must come in exactly one form: {}; got {}", what, wanted, got)
    (form,) = found
    must, may = forms[form]
    for name in must:
        if not has(name):
            raise Refused("{} must come with {}, got it alone", Field(form), Field(name))
    for name in stray:
        if name not in (*must, *may):
            owner = next(lead for lead, (needs, takes) in forms.items() if name in needs + takes)
            raise Refused("{} must come with {}, got {}", Field(name), Field(owner), Field(form))


def _checkpoint(request: JobRequest) -> tuple[float, str]:
    """Return the time to write one checkpoint, [s], and in words where it comes from."""
    cost, size, bandwidth = request.checkpoint_cost, request.checkpoint_size, request.bandwidth
    words = "as given"
    if request.preset is not None and cost == preset_of(request.preset).given["checkpoint_cost"]:
        words = "of the preset"
    if cost is None:
        assert size is not None
        assert bandwidth is not None
        cost, words = size.value / bandwidth.value, f"{size.text} at {bandwidth.text}"
    if not 0.0 < cost < float("inf"):
        raise Refused("the checkpoint must take some time, got {:g} s", cost)
    return cost, words


def _mtbf(request: JobRequest, cost: float) -> Mtbf:
    nodes = request.nodes
    if request.mtbf is not None:
        mtbf = of_log(stated(request.mtbf))
    elif request.node_mtbf is not None and nodes is not None:
        mtbf = of_log(of_nodes(request.node_mtbf, nodes))
    elif request.failure_rate is not None and nodes is not None:
        rate = request.failure_rate
        mtbf = of_log(
            of_rate(rate.value, nodes, words=f"{rate.text} x {human_count(nodes, 'node')}")
        )
    elif request.failures is not None and request.observed is not None:
        mtbf = from_counts(request.failures, request.observed)
    else:
        assert request.log is not None
        from ..logs import spread_of

        size = request.log_nodes or nodes
        mtbf = from_log(request, nodes=nodes, machine=size)
        assert mtbf.log is not None
        spread = spread_of(mtbf.log, request.bursts, cost)
        if nodes is not None and not mtbf.log.of_jobs:
            bursts = spread.pattern.bursts if spread is not None and spread.merged else None
            mtbf = of_some_nodes(mtbf.log, nodes, request.log_nodes, bursts)
            mtbf = replace(mtbf, spread=spread)
        elif request.log_nodes is not None:
            raise Refused("{} must come with {}, got it alone", Field("log_nodes"), Field("nodes"))
        else:
            mtbf = of_bursts(mtbf, spread)
    if not 0.0 < mtbf.value < float("inf"):
        raise Refused("the MTBF must be finite and > 0, got {}", human_duration(mtbf.value))
    return mtbf
