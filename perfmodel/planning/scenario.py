"""What a plan is made for: sections of keys, each with its unit, read from the tables of TOML.

Every key may be left out, or be ``"unknown"``, which is the same. What a plan cannot do without is
said by `perfmodel.plan`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal

from .._checks import shown
from ..forecasts import FailureHistory
from ..protocols.table import NAMES
from ._quantities import UNKNOWN, key_of_object, keys_of, quantity_of, word

PROTOCOLS = ("choose", *NAMES)
_LETTERS = 200  # of a title
_TOP = ("title", "preset", "extends")  # what a file says besides its sections
LAWS = ("exponential", "gamma", "lognormal", "weibull")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Nodes of the job, and of the whole machine; bandwidth in [bytes/s]; power of a node in [W].

    `compute_power` is drawn in addition to `static_power` while a node computes.
    """

    nodes: int | None = quantity_of("nodes")
    machine_nodes: int | None = quantity_of("nodes")
    bandwidth: float | None = quantity_of("bandwidth")
    static_power: float | None = quantity_of("power")
    compute_power: float | None = quantity_of("power")
    io_power: float | None = quantity_of("power")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """The MTBF in one form, and what else is known; durations in [s].

    `mtbf` is that of the nodes of the job together; `failures` were seen in `observed` on
    `observed_nodes`, which are those of the job if not given. Where they are `failures_per_burst`
    failures each, what was counted are bursts that strike the job once. The `truncation` says what
    ended the time observed, the clock or the last of the failures. A `history` is what a log tells,
    by which the failures to come are foreseen.
    """

    mtbf: float | None = quantity_of("duration")
    node_mtbf: float | None = quantity_of("duration")
    failure_rate: float | None = quantity_of("rate")
    failures: int | None = quantity_of("events")
    observed: float | None = quantity_of("duration")
    observed_nodes: int | None = quantity_of("nodes")
    failures_per_burst: float | None = quantity_of("factor")
    truncation: Literal["time", "failure"] = word("time", "failure", default="time")
    law: str = word(*LAWS, default="exponential")
    shape: float | None = quantity_of("shape")
    cv: float | None = quantity_of("cv")
    lemon_share: float | None = quantity_of("share")
    lemon_factor: float | None = quantity_of("factor")
    lemons_watched: float | None = quantity_of("duration")
    burst_mtbf: float | None = quantity_of("duration")
    burst_size: float | None = quantity_of("factor")
    placement: str = word("random", "contiguous", "strided", default="random")
    history: FailureHistory | None = field(
        default=None, metadata=key_of_object(FailureHistory, "what a failure log tells")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job or a training run, [s]; `work` is its time without failures and checkpoints.

    After a failure pass `detection`, `queue` and `downtime`, in which no failure strikes, then
    `recovery` and `warm_up`, in which one may.
    """

    work: float | None = quantity_of("duration")
    node_work: float | None = quantity_of("duration")
    step_time: float | None = quantity_of("duration")
    tokens_per_step: float | None = quantity_of("factor")
    detection: float | None = quantity_of("delay", default=0.0)
    queue: float | None = quantity_of("delay", default=0.0)
    downtime: float | None = quantity_of("delay", default=0.0)
    recovery: float | None = quantity_of("delay", default=0.0)
    warm_up: float | None = quantity_of("delay", default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """How checkpoints are written, [s] and [bytes]; the arguments of `recommend`.

    A local copy is read back in `local_recovery`, or in the time of any recovery.
    """

    protocol: str = word(*PROTOCOLS, default="choose", adds="protocol")
    cost: float | None = quantity_of("duration")
    size: float | None = quantity_of("size")
    present_interval: float | None = quantity_of("duration")
    snapshot_cost: float | None = quantity_of("duration")
    latency: float | None = quantity_of("delay")
    slowdown: float | None = quantity_of("share", default=0.0)
    local_cost: float | None = quantity_of("duration")
    local_recovery: float | None = quantity_of("delay")
    survived: float | None = quantity_of("share")
    recall: float | None = quantity_of("share")
    precision: float | None = quantity_of("share")
    proactive_cost: float | None = quantity_of("delay")
    window: float | None = quantity_of("delay")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spares:
    """Spare blocks of nodes, and their repair, [s]; `standbys` are those that there are.

    With these, a failure that finds none left waits for a repair; without, one is always there.
    A standby takes over in `switch_time`, or in all that passes after a failure of the job.
    """

    mttr: float | None = quantity_of("duration")
    confidence: float | None = quantity_of("chance", default=0.99, needs="spares.mttr")
    block_nodes: int = quantity_of("nodes", default=1)
    standbys: int | None = quantity_of("events")
    switch_time: float | None = quantity_of("delay")
    standby_hazard: float | None = quantity_of("share", default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """The time that the job may take, [s], and with which probability it should keep to it."""

    time: float | None = quantity_of("duration")
    probability: float | None = quantity_of("chance", default=0.9, needs="deadline.time")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """In any currency: of one node-hour, of a kWh, of one spare node for a year."""

    currency: str = word(default="units")
    node_hour: float | None = quantity_of("price")
    kwh: float | None = quantity_of("price", needs="machine.static_power")
    spare_node_year: float | None = quantity_of("price")


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What is asked: percentiles of the time, limits that hold how often, a goodput to reach."""

    percentiles: tuple[float, ...] = quantity_of("probabilities", default=(0.5, 0.9, 0.99))
    confidence: float | None = quantity_of("chance", default=0.95)
    goodput: float | None = quantity_of("share")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """All sections, in plain units, the keys that are unknown, as section.key, and a title."""

    machine: Machine = field(default_factory=Machine)
    failures: Failures = field(default_factory=Failures)
    job: Job = field(default_factory=Job)
    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    spares: Spares | None = None
    deadline: Deadline = field(default_factory=Deadline)
    prices: Prices = field(default_factory=Prices)
    questions: Questions = field(default_factory=Questions)
    unknown: tuple[str, ...] = ()
    title: str | None = None

    def value_of(self, key: str) -> Any:
        """Return the value of a key, section.key, in plain units; None where there is none."""
        section, _, name = key.partition(".")
        return getattr(getattr(self, section), name, None)

    def varied(self, key: str, value: Any) -> Scenario:
        """Return the scenario with another value of one key of a section that it has."""
        section, _, name = key.partition(".")
        changed: Any = {section: replace(getattr(self, section), **{name: value})}
        return replace(self, **changed)

    @property
    def checkpoint_cost(self) -> float | None:
        """The time to write a checkpoint, [s]; None where it is not said, ValueError if twice."""
        how, bandwidth = self.checkpoint, self.machine.bandwidth
        if how.cost is not None and how.size is not None:
            raise ValueError("checkpoint must come with either cost or size, got both")
        if how.size is None:
            return how.cost
        return None if bandwidth is None else how.size / bandwidth


SECTIONS: dict[str, type] = {
    "machine": Machine,
    "failures": Failures,
    "job": Job,
    "checkpoint": Checkpoint,
    "spares": Spares,
    "deadline": Deadline,
    "prices": Prices,
    "questions": Questions,
}


def read_scenario(tables: Mapping[str, Any]) -> Scenario:
    """Read the sections of a scenario, as tomllib returns them.

    Parameters
    ----------
    tables : mapping of str to mapping
        Section -> key -> value: text with a unit, a number, a word, or ``"unknown"``. A text under
        ``title`` names the scenario.

    Returns
    -------
    Scenario
        In seconds, bytes, bytes/s, watts and failures per node-second.

    Raises
    ------
    ValueError
        If a section or key is none of those there are, or a value is not what its key takes.
    TypeError
        If `tables` is not a mapping.
    """
    if not isinstance(tables, Mapping):
        raise TypeError(f"tables must be a mapping of sections, got {shown(tables)}")
    unknown: list[str] = []
    found: dict[str, Any] = {}
    title = tables.get("title")
    if title is not None and not (isinstance(title, str) and 0 < len(title) <= _LETTERS):
        raise ValueError(f"title must be a text of 1 to {_LETTERS} letters, got {shown(title)}")
    said = {
        f"{name}.{key}"
        for name, table in tables.items()
        if isinstance(table, Mapping)
        for key in table
    }
    for name, table in tables.items():
        if name == "title":
            continue
        _check_known(name, "section", SECTIONS, () if isinstance(table, Mapping) else _TOP)
        if not isinstance(table, Mapping):
            raise ValueError(f"{name} must be a table, such as [{name}], got {shown(table)}")
        keys, values = keys_of(SECTIONS[name]), {}
        for key, given in table.items():
            _check_known(key, f"key of [{name}]", keys)
            values[key] = keys[key].value(f"{name}.{key}", given)
            if (other := keys[key].needs) is not None and other not in said:
                raise ValueError(f"{name}.{key} must come with {other}, got it alone")
            if given == UNKNOWN:
                unknown.append(f"{name}.{key}")
        found[name] = SECTIONS[name](**values)
    return Scenario(**found, unknown=tuple(unknown), title=title)


def _check_known(
    name: str, what: str, known: Mapping[str, object], others: Iterable[str] = ()
) -> None:
    """Refuse a name that there is not, with the nearest that there is, or is among `others`."""
    if name in known:
        return
    near = get_close_matches(str(name), (*known, *others), n=1, cutoff=0.5)
    rule = f"a known one (nearest: {near[0]})" if near else f"one of {', '.join(known)}"
    raise ValueError(f"{what} must be {rule}, got {shown(name)}")
