"""What an advisor says to a batch script, after it was told what happened."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from asking.refusals import Field, Refused, given

from ...advisor import CheckpointAdvisor, Recommendation
from ...advisor.lock import held
from ...advisor.memory import Memory
from ..known.advisor import advisor_of, end_of, now_of
from ..requests.advise import AdviseRequest, Event

_OWN = ("due", "running", "writing", "draining", "now_s", "next_step")


@dataclass(frozen=True, slots=True)
class Advised:
    """The answer of one call; `due` is None if nothing was asked.

    A checkpoint that has begun is `writing`, and `draining` until it is durable. `next_step` is
    that at whose end the next one is expected to be due, None if unknown.
    """

    due: bool | None
    running: bool
    writing: bool
    draining: bool
    now_s: float
    next_step: int | None
    known: Recommendation

    @property
    def exit_code(self) -> int:
        """What a script is told by: 1 if a checkpoint was asked for and is not due, else 0."""
        return 1 if self.due is False else 0

    @property
    def wait_s(self) -> float:
        """Time until the next checkpoint is due, [s]; inf if none is."""
        return 0.0 if self.due else max(self.known.next_checkpoint - self.now_s, 0.0)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Advised:
        """Return the answer that `to_dict` gave, read from JSON, in which inf is null."""
        known: dict[str, Any] = {}
        for field in fields(Recommendation):
            value = values[_key(field.name)]
            known[field.name] = (
                tuple(math.inf if each is None else each for each in value)
                if isinstance(value, list)
                else math.inf
                if value is None
                else value
            )
        own = {name: values[name] for name in _OWN}
        return cls(**own, known=Recommendation(**known))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        known = asdict(self.known)
        return {
            "due": self.due,
            "running": self.running,
            "writing": self.writing,
            "draining": self.draining,
            "now_s": self.now_s,
            "wait_s": self.wait_s,
            "next_step": self.next_step,
            **{_key(name): value for name, value in known.items()},
        }


def _key(name: str) -> str:
    """Return what a number of a recommendation is called in JSON."""
    unitless = ("expected_loss", "failures", "bound", "level", "survives", "contradiction")
    return name if name in unitless else f"{name}_s"


def advised(request: AdviseRequest) -> Advised:
    """Tell the advisor of a file what happened, save it, and return what it says."""
    state = given(request.state, "state")
    tells = request.events or request.step is not None or request.end is not None
    if not tells and state.exists():  # a question alone
        return _answered(request)
    with held(state):
        return _answered(request)


def _answered(request: AdviseRequest) -> Advised:
    advisor, new = advisor_of(request)
    level = _level(request, advisor)
    now = now_of(request, advisor)
    if (end := end_of(request, now)) is not None:
        advisor.ends(end)
    if new and "started" not in request.events:
        advisor.started(now)
    for event in request.events:
        _tell(advisor, event, now, end, level)
    due = None if request.events else advisor.due(now)
    if request.step is not None:
        if not advisor.memory.running or request.step < advisor.memory.pace.step:
            if advisor.end <= now:
                advisor.ends(math.inf)  # it was that of another allocation
            advisor.started(now)
        due = advisor.stepped(now, request.step)
    if new or request.events or request.step is not None or request.end is not None:
        advisor.save(given(request.state, "state"))
    known = advisor.recommendation(now)
    memory = advisor.memory
    return Advised(
        due,
        memory.running,
        not math.isnan(memory.begun),
        not math.isnan(memory.draining),
        now,
        _next_step(memory, due, known),
        known,
    )


def _level(request: AdviseRequest, advisor: CheckpointAdvisor) -> int | None:
    """Return the level that was told of, if the state has it."""
    level, last = request.on_level, len(advisor.levels) + 1
    if level is None:
        return None
    if not {"begun", "restored"}.intersection(request.events):
        raise Refused(
            "{} must come with {} begun or {} restored, got it without",
            Field("on_level"),
            Field("events"),
            Field("events"),
        )
    if not 1 <= level <= last:
        raise Refused("{} must be from 1 to {}, got {}", Field("on_level"), last, level)
    return level


def _tell(
    advisor: CheckpointAdvisor, event: Event, now: float, end: float | None, level: int | None
) -> None:
    memory = advisor.memory
    if event == "started":
        if end is None:
            advisor.ends(math.inf)  # what was told of another allocation
        advisor.started(now)
        return
    if not memory.running:
        raise Refused(
            "{} {} must come while the job runs, got it before {} started",
            Field("events"),
            event,
            Field("events"),
        )
    begun, draining = not math.isnan(memory.begun), not math.isnan(memory.draining)
    if event == "done" and not begun:
        raise Refused(
            "{} done must follow {} begun, got it without", Field("events"), Field("events")
        )
    if event == "durable" and not begun and not draining:
        raise Refused(
            "{} durable must follow {} begun, or done if the first call had {}, got it without",
            Field("events"),
            Field("events"),
            Field("latency"),
        )
    if event == "durable":
        if begun:
            advisor.checkpoint_done(now)
        if not math.isnan(advisor.memory.draining):
            advisor.checkpoint_durable(now)
        return
    if event == "restored":
        advisor.restored(now, level)
        return
    if event == "begun":
        advisor.checkpoint_begun(now, level)
        return
    tell: dict[Event, Callable[[float], None]] = {
        "done": advisor.checkpoint_done,
        "signal": advisor.requested,
        "failed": advisor.failed,
        "ended": advisor.stopped,
    }
    tell[event](now)


def _next_step(memory: Memory, due: bool | None, known: Recommendation) -> int | None:
    """Return the step at whose end a checkpoint is expected to be due."""
    pace = memory.pace
    if math.isnan(pace.step) or known.next_checkpoint == math.inf:
        return None
    if due:
        return int(pace.step)
    left = known.next_checkpoint - max(pace.ended, memory.segment)
    if not 0.0 < left < 1e9 * pace.ahead:
        return None
    return int(pace.step + pace.stride * max(round(left / pace.ahead), 1))
