"""What a training run gets done, where its time goes, and what would change that."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from asking.plain import strict
from asking.units import DURATIONS, human_duration

from ..._checks import FloatArray
from ...estimate import CONFIDENCE
from ...forecasts import PastPromises
from ...interval import optimal_interval_async
from ...levels import optimal_pattern_two_levels
from ...training import ettr_first_order, goodput, training_shares, training_shares_memory
from ...validity import ValidityWarning
from ..known.job import Job
from ..known.outlook import Outlook, kept_words
from ..known.unforeseen import Unforeseen
from ..logs.node_hours import Measured, measured_losses, node_hours_parts
from ..requests.training import GoodputRequest
from ..shown import (
    Answer,
    Facts,
    Lines,
    Part,
    Table,
    money,
    percent,
    step_words,
    whole_number,
)

_WAITING = "waiting to start again"
_LOOKED = 65  # intervals between the best under the least and under the largest rate
ASYNCHRONOUS, IN_MEMORY = "asynchronous writes", "copies in memory as well"
LOSSES = {
    "memory_save": "copy in memory",
    "local_save": "local copy",
    "checkpoint_save": "checkpoint save",
    "redundancy": "work done twice",
    "wasted_progress": "wasted progress",
    "detection": "detection",
    "queue": "queue",
    "rescheduling": "re-scheduling",
    "spare_wait": "wait for a spare",
    "memory_restore": "restore from memory",
    "local_restore": "restore from a local copy",
    "checkpoint_restore": "checkpoint restore",
    "warm_up": "warm-up",
}


@dataclass(frozen=True, slots=True)
class Change:
    """The run with one thing changed, at its own best interval [s]."""

    change: str
    interval_s: float
    goodput: float


@dataclass(frozen=True, slots=True)
class Memory:
    """The run with copies in memory, at their best interval [s]: goodput and losses by class.

    `durable_every` is inf where none need be durable.
    """

    interval_s: float
    steps: int | None
    durable_every: float
    goodput: float
    losses: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Training(Answer):
    """Goodput of a run and its losses by class, all of which add up to 1; durations in [s].

    `to_frame` has a row for the goodput and every loss, `plot` a bar of them.

    `goodput_low` and `goodput_high` come from the confidence limits of an estimated MTBF;
    `lost_to` are the losses that failures cause, by the causes of known failures. With `foreseen`
    all are means over the rates to come that a log leaves open, and the limits hold so many of
    these; `constant` is then the run at the mean rate so far. `unforeseen` says why there is none.
    `measured` is what failures cost the jobs of a log, which stands beside what is predicted.
    """

    job: Job
    interval_s: float
    steps: int | None
    goodput: float
    losses: Mapping[str, float]
    goodput_low: float | None
    goodput_high: float | None
    ettr_first_order: float
    lost_to: Mapping[str, float]
    changes: tuple[Change, ...]
    memory: Memory | None
    tokens_per_step: float | None
    foreseen: Outlook | None = None
    past: PastPromises | None = None
    constant: Training | None = None
    unforeseen: Unforeseen = field(default_factory=Unforeseen)
    measured: Measured | None = None

    @property
    def tokens_per_day(self) -> float | None:
        """Tokens that the run keeps in a day."""
        if self.tokens_per_step is None or self.job.step_time is None:
            return None
        return self.goodput * self.tokens_per_step * DURATIONS["d"] / self.job.step_time

    def to_dict(self) -> dict[str, Any]:
        """Return everything under unit-named keys."""
        found: dict[str, Any] = {
            "goodput": self.goodput,
            "losses": dict(self.losses),
            "goodput_low": self.goodput_low,
            "goodput_high": self.goodput_high,
            "ettr_first_order": self.ettr_first_order,
            "interval_s": self.interval_s,
            "interval_steps": self.steps,
            "tokens_per_day": self.tokens_per_day,
            "lost_to": dict(self.lost_to),
            "changes": [asdict(change) for change in self.changes],
            "memory": None if self.memory is None else asdict(self.memory),
            "measured": None if self.measured is None else asdict(self.measured),
            **self.job.plain(),
        }
        found |= self.unforeseen.plain()
        if self.foreseen is not None and self.past is not None and self.constant is not None:
            names = ("goodput", "goodput_low", "goodput_high", "interval_s")
            steady = {name: getattr(self.constant, name) for name in names}
            found |= self.foreseen.plain() | {
                "past": asdict(self.past),
                "constant_rate": steady,
            }
        return dict(strict(found))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield what becomes of the time: goodput and losses as shares, and as time of each day."""
        for name, share in {"goodput": self.goodput, **self.losses}.items():
            yield {"class": name, "share": share, "of_each_day_s": share * DURATIONS["d"]}

    def parts(self) -> Iterator[Part]:
        """Yield the run, its goodput and losses, and what would change them."""
        interval = f"{human_duration(self.interval_s)}{step_words(self.steps)}"
        to_come = [] if self.foreseen is None else self.foreseen.facts()
        known = [fact for fact in self.job.facts() if fact[0] != "work"]
        yield Facts.of([*known, *to_come, ("interval", interval)])
        yield shares_table(self.goodput, self.losses)
        yield Lines.of(*remarks(self))
        if self.lost_to:
            yield Lines.of("Lost to failures, by their cause:")
            shares = [[cause, percent(share, 2)] for cause, share in self.lost_to.items()]
            yield Table.of(["cause", "share\n[%]"], shares)
        yield from _measured(self)
        if self.memory is not None:
            yield Lines.of(memory_line(self.memory))
            yield shares_table(self.memory.goodput, self.memory.losses)
        yield Lines.of("With one thing changed, each at its best interval:")
        yield Table.of(
            ["", "interval", "goodput\n[%]"],
            [
                [change.change, human_duration(change.interval_s), percent(change.goodput, 2)]
                for change in self.changes
            ],
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the losses by class, of the run and of one with copies in memory."""
        from ..drawn import losses_figure

        runs = {"this run": self.losses}
        if self.memory is not None:
            runs["with copies\nin memory"] = self.memory.losses
        return losses_figure(runs, ax)


def _measured(found: Training) -> Iterator[Part]:
    """Set what a job log says of failures beside what was predicted."""
    log = found.job.mtbf.log
    if found.measured is None or log is None:
        return
    measured = found.measured
    told = {"wasted progress": measured.wasted_progress, _WAITING: measured.waiting}
    yield Lines.of(
        "Predicted, beside what the jobs of the log tell, as shares of their node hours:"
    )
    yield Table.of(
        ["", "predicted\n[%]", "measured\n[%]"],
        [
            [name, percent(share, 2), _told(told.get(name))]
            for name, share in _comparable(found.losses).items()
        ],
    )
    jobs = f"{measured.jobs} job" + "s" * (measured.jobs != 1)
    share, every = percent(measured.struck, 2), human_duration(found.interval_s)
    again = measured.restarted or "none"
    yield Lines.of(
        f"{jobs} ended as NODE_FAIL, with {share} % of the node hours; wasted is what came after "
        f"the last checkpoint, were one written every {every}. Of them {again} started again in "
        "the log. What checkpoints and restores take, a log of jobs does not tell."
    )
    yield from node_hours_parts(log.node_hours)


def _told(share: float | None) -> str:
    return "not told" if share is None else percent(share, 2)


def _comparable(losses: Mapping[str, float]) -> dict[str, float]:
    """Return what is lost in as many classes as a log of jobs may tell apart."""
    classes = {
        "checkpoints": ("memory_save", "local_save", "checkpoint_save"),
        "wasted progress": ("wasted_progress", "redundancy"),
        _WAITING: ("detection", "queue", "rescheduling", "spare_wait"),
        "restores and warm-up": (
            *("memory_restore", "local_restore", "checkpoint_restore"),
            "warm_up",
        ),
    }
    return {
        name: sum(losses.get(each, 0.0) for each in several) for name, several in classes.items()
    }


def shares_table(goodput: float, losses: Mapping[str, float]) -> Table:
    """Return goodput and losses as shares of the time, and as time of each day."""
    rows = [["goodput", percent(goodput, 2), ""]]
    for name, share in losses.items():
        if share > 0.0:
            rows.append([LOSSES[name], percent(share, 2), human_duration(share * DURATIONS["d"])])
    return Table.of(["", "share\n[%]", "of each\nday"], rows)


def memory_line(memory: Memory) -> str:
    """Say what the shares of a run with copies in memory belong to."""
    every = "none of them need be durable"
    if memory.durable_every < math.inf:
        every = f"one in {whole_number(int(memory.durable_every))} of them durable"
    if memory.durable_every == 1.0:
        every = "all of them durable"
    interval = f"{human_duration(memory.interval_s)} of work{step_words(memory.steps)}"
    return f"With copies in memory every {interval}, {every}:"


def remarks(found: Training) -> list[str]:
    """Say what the shares amount to, and how sure they are."""
    lines = [*found.unforeseen.reasons()]
    if found.foreseen is not None and found.constant is not None:
        lines += found.foreseen.reasons()
        steady = found.constant
        lines.append(
            f"{found.foreseen.by.capitalize()}, a mean over the rates to come; at a constant rate "
            f"{percent(steady.goodput, 2)} %, every {human_duration(steady.interval_s)}."
        )
    if found.goodput_low is not None and found.goodput_high is not None:
        of = "confidence limits of the MTBF" if found.foreseen is None else "rates to come, but 5 %"
        lines.append(
            f"Within the {of}: {percent(found.goodput_low, 2)} to "
            f"{percent(found.goodput_high, 2)} % at this interval."
        )
    if found.tokens_per_day is not None:
        lines.append(f"{found.tokens_per_day:.4g} tokens a day are kept.")
    if found.job.hourly_price is not None:
        year = DURATIONS["y"] / DURATIONS["h"] * found.job.hourly_price
        lost = money((1.0 - found.goodput) * year)
        lines.append(f"A year of the nodes costs {money(year)}, of which {lost} are lost.")
    if found.past is not None:
        lines.append(kept_words(found.past))
    lines.append(f"To first order (ETTR) it would be {percent(found.ettr_first_order, 2)} %.")
    return lines


@dataclass(frozen=True, slots=True)
class _Run:
    """Arguments of `training_shares` but for the interval; [s]."""

    mtbf: float
    checkpoint_cost: float
    latency: float
    restore: float
    warm_up: float
    detection: float
    queue: float
    rescheduling: float

    # Rates to come as multiples of their mean, and their weights; None for that rate alone.
    spread: tuple[FloatArray, FloatArray] | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments, the MTBF under each of the rates."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        del found["spread"]
        return found if self.spread is None else found | {"mtbf": self.mtbf / self.spread[0]}

    def mean(self, values: Any) -> float:
        """Return the mean over the rates."""
        return float(values if self.spread is None else self.spread[1] @ values)

    def best_interval(self) -> float:
        """Return the best interval at which snapshots are durable before the next is due."""
        least = self.latency - self.checkpoint_cost
        rates = np.ones(1) if self.spread is None else self.spread[0][[-1, 0]]
        bests = optimal_interval_async(
            mtbf=self.mtbf / rates, checkpoint_cost=self.checkpoint_cost, latency=self.latency
        )
        if self.spread is None:
            return max(float(bests[0]), least)
        from scipy.optimize import minimize_scalar

        # Over all rates the best is between those of the largest and the least.
        low, high = np.maximum(bests, least).tolist()
        looked = np.geomspace(low, high, _LOOKED)
        shares = goodput(interval=looked[:, None], **self.arguments) @ self.spread[1]
        likely = int(np.argmax(np.nan_to_num(shares)))
        near = looked[[max(likely - 1, 0), min(likely + 1, _LOOKED - 1)]]
        found = minimize_scalar(
            lambda log: -self.at(math.exp(log)),
            bounds=tuple(np.log(near)),
            method="bounded",
            options={"xatol": 1e-6},
        )
        return max(math.exp(found.x), least)

    def at(self, interval: float) -> float:
        """Return the goodput."""
        return self.mean(goodput(interval=interval, **self.arguments))


def train(
    job: Job, request: GoodputRequest, causes: Mapping[str, int], outlook: Outlook | None = None
) -> Training:
    """Return the goodput of a run at its interval or the best, its losses, and what would help."""
    spread = None
    if outlook is not None:
        stopped = job.recovery_cost + request.warm_up + request.detection + request.queue
        asked = job.checkpoint_cost + request.latency + (request.interval or 0.0) + job.downtime
        longest = stopped + asked + 1.0 / float(outlook.rates.means.min())
        rates, weights = outlook.rates.nodes(longest)
        spread = rates / outlook.rates.mean, weights
    run = _Run(
        mtbf=job.mtbf.value if outlook is None else _mtbf_to_come(outlook, request),
        checkpoint_cost=job.checkpoint_cost,
        latency=request.latency,
        restore=job.recovery_cost,
        warm_up=request.warm_up,
        detection=request.detection,
        queue=request.queue,
        rescheduling=job.downtime,
        spread=spread,
    )
    with np.errstate(all="ignore"):
        interval, steps = request.interval, None
        if interval is None:
            interval, steps = _best(run, job)
        shares = training_shares(interval=interval, **run.arguments)
        losses = {name: run.mean(value) for name, value in shares.losses().items()}
        found = run.mean(shares.goodput)
        limits = job.mtbf.low, job.mtbf.high
        if outlook is not None:
            tail = 0.5 - 0.5 * CONFIDENCE
            ends = (outlook.rates.ppf(q) / outlook.rates.mean for q in (1.0 - tail, tail))
            limits = tuple(run.mtbf / end for end in ends)  # type: ignore[assignment]
        low, high = (
            None if end is None else replace(run, mtbf=end, spread=None).at(interval)
            for end in limits
        )
        memory, log = None, job.mtbf.log
        if request.memory_cost is not None:
            memory = _with_memory(run, request, request.memory_cost, job)
        return Training(
            job=job,
            interval_s=interval,
            steps=steps,
            goodput=found,
            losses=losses,
            goodput_low=low,
            goodput_high=high,
            ettr_first_order=_first_order(run, interval),
            lost_to=_lost_to(causes, 1.0 - found - losses["checkpoint_save"]),
            changes=(Change("as it is", interval, found), *_changes(run, request, memory, job)),
            memory=memory,
            tokens_per_step=request.tokens_per_step,
            foreseen=outlook,
            measured=None
            if log is None or log.jobs is None
            else measured_losses(log.jobs, every=interval + job.checkpoint_cost),
        )


def _mtbf_to_come(outlook: Outlook, request: GoodputRequest) -> float:
    """Return the mean time between clusters, or between all failures if these are to be counted."""
    each = outlook.cluster_size if request.bursts == "count" else 1.0
    return 1.0 / (each * outlook.rates.mean)


def _best(run: _Run, job: Job) -> tuple[float, int | None]:
    """Return the best interval, in whole steps that a drain fits into where these are known."""
    least = 1
    if job.step_time is not None:
        least = max(math.ceil((run.latency - run.checkpoint_cost) / job.step_time), 1)
    return job.in_steps(run.best_interval(), lambda each: -run.at(each), least=least)


def _first_order(run: _Run, interval: float) -> float:
    stopped = run.restore + run.warm_up + run.detection + run.queue + run.rescheduling
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return float(
            ettr_first_order(
                interval=interval,
                mtbf=run.mtbf,
                checkpoint_cost=run.checkpoint_cost,
                restore=stopped,
            )
        )


def _lost_to(causes: Mapping[str, int], lost: float) -> dict[str, float]:
    """Share out what failures cost: each of them costs as much in the mean, whatever its cause."""
    failures = sum(causes.values())
    return {cause: lost * count / failures for cause, count in causes.items()}


def _changes(
    run: _Run, request: GoodputRequest, memory: Memory | None, job: Job
) -> Iterator[Change]:
    """Yield the run with one thing changed."""
    variants: dict[str, _Run] = {}
    if run.detection > 0.0:
        variants["failures noticed at once"] = replace(run, detection=0.0)
    if run.queue + run.rescheduling > 0.0:
        variants["spares that take over at once"] = replace(run, queue=0.0, rescheduling=0.0)
    if request.snapshot_cost is not None:
        later = run.latency + run.checkpoint_cost
        variants[ASYNCHRONOUS] = replace(run, checkpoint_cost=request.snapshot_cost, latency=later)
    for change, variant in variants.items():
        best, _ = _best(variant, job)
        yield Change(change, best, variant.at(best))
    if memory is not None:
        yield Change(IN_MEMORY, memory.interval_s, memory.goodput)
    twice = replace(run, mtbf=2.0 * run.mtbf)
    best, _ = _best(twice, job)
    yield Change("half as many failures", best, twice.at(best))


def _with_memory(run: _Run, request: GoodputRequest, cost: float, job: Job) -> Memory:
    """Return the run with copies in memory between its checkpoints, each of which is durable."""
    durable = max(run.checkpoint_cost, cost)
    pattern = optimal_pattern_two_levels(
        mtbf=run.mtbf,
        survived=request.survived,
        local_cost=cost,
        durable_cost=durable,
        local_recovery=request.memory_recovery + run.warm_up,
    )
    every = min(pattern.durable_every, 1e6)  # beyond, durable ones cost nothing
    costs: dict[str, Any] = {
        "mtbf": run.arguments["mtbf"],
        "survived": request.survived,
        "memory_cost": cost,
        "checkpoint_cost": durable,
        "memory_restore": request.memory_recovery,
        "restore": run.restore,
        "warm_up": run.warm_up,
        "detection": run.detection,
        "queue": run.queue,
        "rescheduling": run.rescheduling,
    }

    def shares_at(interval: float) -> Any:
        return training_shares_memory(interval=interval, durable_every=every, **costs)

    interval, steps = job.in_steps(
        pattern.interval, lambda each: -run.mean(shares_at(each).goodput)
    )
    shares = shares_at(interval)
    losses = {name: run.mean(value) for name, value in shares.losses().items()}
    return Memory(interval, steps, pattern.durable_every, run.mean(shares.goodput), losses)
