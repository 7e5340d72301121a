"""What comes out of the core: records of jobs, attempts and outages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...records import AttemptRecords, FloatArray, IntArray, JobRecords, Outage, Outcome
from ..workload import Workload
from .state import NOT_AGAIN


@dataclass(frozen=True, slots=True)
class Played:
    """What a replay by the core gives."""

    jobs: JobRecords
    attempts: AttemptRecords
    idle: float  # [unit s]
    down: float
    outages: tuple[Outage, ...]
    engine_s: float
    processor_s: float


def records_of(
    workload: Workload,
    executed: FloatArray,
    undisturbed: FloatArray,
    state: Any,
    *,
    processors: IntArray,
    places: Callable[[IntArray], Sequence[Any]] | None,
) -> tuple[JobRecords, AttemptRecords]:
    """Return the records of jobs and attempts.

    `processors` are those of each attempt, by turn; `places` returns the placements of some turns.
    """
    now, jobs = state.now[0], len(workload)
    attempts = state.attempts[: now["starts"]]
    job, start, end = attempts["job"], attempts["start"], attempts["end"]
    outcome = attempts["outcome"].copy()
    killed = (executed < workload.runtime)[job]
    if now["within"]:
        killed = state.courses["cut"][: now["starts"]]
    outcome[(outcome == Outcome.COMPLETED) & killed] = Outcome.KILLED
    first_start, last_start = np.full((2, jobs), np.nan)
    first_start[job[::-1]] = start[::-1]  # of equal places, numpy keeps the last
    last_start[job] = start
    last = np.full(jobs, -1)
    last[job] = np.arange(job.size)
    tried = last >= 0
    ended = np.full(jobs, int(Outcome.UNFINISHED))
    ended[tried] = outcome[last[tried]]
    failed = ended == Outcome.FAILED
    gives_up = np.broadcast_to(state.options["returns"][state.option] == NOT_AGAIN, jobs)
    ended[failed] = np.where(gives_up[failed], Outcome.DROPPED, Outcome.UNFINISHED)
    over = ended != Outcome.UNFINISHED
    job_end = np.full(jobs, np.nan)
    job_end[over] = end[last[over]]
    return JobRecords(
        job=workload.job,
        submit=workload.submit,
        first_start=first_start,
        start=last_start,
        end=job_end,
        processors=workload.processors,
        runtime=workload.runtime,
        walltime=workload.walltime,
        executed=executed,
        undisturbed=undisturbed,
        attempts=np.bincount(job, minlength=jobs),
        failures=np.bincount(job[outcome == Outcome.FAILED], minlength=jobs),
        outcome=ended,
        user=workload.user,
    ), _attempt_records(executed, state, outcome, processors, places)


def _attempt_records(
    executed: FloatArray,
    state: Any,
    outcome: IntArray,
    processors: IntArray,
    places: Callable[[IntArray], Sequence[Any]] | None,
) -> AttemptRecords:
    now = state.now[0]
    attempts, courses = state.attempts[: outcome.size], state.courses[: outcome.size]
    job = attempts["job"]
    order = np.lexsort((job, attempts["start"], attempts["end"]))
    if now["failing"] or now["saving"]:
        failed = outcome == Outcome.FAILED
        work, read_back = courses["work"], courses["read_back"]
        useful = np.where(failed | courses["cut"], courses["useful"], work)
        lost = np.where(failed, courses["lost"], 0.0)
        written = np.where(failed, courses["written"], courses["wall"] - useful - read_back)
    else:
        useful = executed[job]
        lost = written = read_back = np.zeros(job.size)
    return AttemptRecords(
        position=job[order],
        start=attempts["start"][order],
        end=attempts["end"][order],
        outcome=outcome[order],
        processors=processors[order],
        useful=useful[order],
        lost=lost[order],
        checkpoint=written[order],
        recovery=read_back[order],
        placement=None if places is None else places(order),
        turn=order,
    )


def outages_of(state: Any, places: Sequence[Any]) -> tuple[Outage, ...]:
    """Return the outages; `places` are the placements of the attempts, by turn."""
    outages = state.outages[: state.now[0]["outages"]]
    return tuple(
        Outage(node, start, end, tuple(places[turn] for turn in state.struck[begin:past]))
        for start, end, node, begin, past, _ in outages.tolist()
    )
