"""What each recovery option costs the jobs of a log: a replay for each case, or a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

from asking.plain import strict
from asking.refusals import Field, Refused

from ..attempts import places_in_queue
from ..plain import frame_of, without
from ..progress import SILENT, Progress
from ..replays.failures import no_failures
from ..replays.requests import LowerBands, RecoveryRequest
from ..replays.setup import Setup, last_end, of_seed, setup_and_log
from ..studies.answer import StudyAnswer, study_answer
from ..studies.plan import Factor, Measure, Plan, plain_numbers
from .credits import prices_of
from .job_options import OWN, OwnOptions, own_options

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import Policy, Prices, RecoveryOption, Replay
    from ...cluster.recovery import CreditReplay

_CREDITS = ("charged", "forfeited", "waived")
MEASURES = (
    Measure("failure_slowdown", "failure\nslowdown", "number"),
    Measure("mean_response_s", "response", "time"),
    Measure("failed_jobs", "failed\njobs", "number"),
    Measure("service_unit_loss", "lost", "share"),
)
_METRICS = (
    *("jobs", "failures", "unsuccessful", "mean_wait_s", "mean_bounded_slowdown", "utilization"),
    *("job_failure_rate", "service_unit_loss", "makespan_s", "dropped", "engine_s"),
)


@dataclass(frozen=True, slots=True, eq=False)
class CaseReplay:
    """The replay of a case, the option that each job had, and what its users paid."""

    result: Replay
    options: Sequence[RecoveryOption]
    credits: CreditReplay | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RecoveryAnswer:
    """The replay of each case by its name, with its numbers; `parts` are what was replayed."""

    request: RecoveryRequest
    parts: Setup
    cases: Mapping[str, CaseReplay]
    rows: tuple[dict[str, Any], ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read, drawn and assumed."""
        return self.parts.notes

    def to_dict(self, *, timed: bool = False) -> dict[str, Any]:
        """Return the answer as plain data, with `timed` also how long computing took."""
        rows = [row if timed else without(row, "engine_s") for row in self.rows]
        found: dict[str, Any] = strict(
            {"results": rows, "seed": self.request.seed, "notes": list(self.notes)}
        )
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return a row of numbers for each case, times in [s]."""
        return frame_of(self.rows, "engine_s")

    def attempts(self) -> dict[str, pd.DataFrame]:
        """Return a row per attempt of a job, by case; `option` is the one that its job had."""
        found = {}
        for name, case in self.cases.items():
            table = self.parts.attempts(case.result)
            names = [option.name for option in case.options]
            table["option"] = [names[place] for place in places_in_queue(table).tolist()]
            found[name] = table
        return found

    def accounts(self) -> dict[str, pd.DataFrame]:
        """Return the account of each user, by case; nothing where nobody pays."""
        return {
            name: case.credits.accounts
            for name, case in self.cases.items()
            if case.credits is not None
        }


def recovery(
    request: RecoveryRequest, *, places: bool = False, progress: Progress = SILENT
) -> RecoveryAnswer | StudyAnswer:
    """Compare ways to recover the failed jobs of a log; every case meets the same failures.

    Parameters
    ----------
    request : RecoveryRequest
        The log, the machine with its failures, and the cases; durations in [s].
    places : bool
        Number the nodes of a plain machine, so that `attempts` say where jobs ran.
    progress : Progress
        Told of what is played.

    Returns
    -------
    RecoveryAnswer, or StudyAnswer
        The latter where the request has a `study` of several seeds.

    Raises
    ------
    Refused
        If what is asked does not go together, or a field has no effect; a ValueError that names
        the fields.
    ValueError
        If a file cannot be read as what it is to be.
    """
    names = _case_names(request)
    request = request.with_failures()
    request.check()
    study = request.study
    if study.wanted:
        request = replace(request, seed=study.first_seed(request.seed))
    parts, trace = setup_and_log(request)
    own = None
    if request.job_options is not None:
        own = own_options(request, request.job_options, trace)
        parts = replace(parts, notes=(*parts.notes, own.words(parts.workload)))
    prices = prices_of(request, names, own)
    replays = _Replays(request, parts, _banded(parts, request.lower_bands), prices, own)
    if study.wanted:
        plan = _plan(names, replace(replays, parts=replace(parts, job_ids={})))
        machine = f"{parts.site.machine.size:,} {parts.site.counted}"
        return study_answer(
            *(request, plan),
            facts=[("machine", machine), ("jobs", f"{len(parts.workload):,}")],
            notes=parts.notes,
            files=parts.files,
            progress=progress,
        )
    replays = replace(replays, count=len(names))
    cases = {name: replays.case(name, places=places, progress=progress) for name in names}
    rows = tuple(_row(parts, name, case) for name, case in cases.items())
    return RecoveryAnswer(request, parts, cases, rows)


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a case with the failures and the options of a seed."""

    request: RecoveryRequest
    parts: Setup
    policy: Policy
    prices: Prices | None
    own: OwnOptions | None = None
    count: int | None = None  # of all replays, where that is known

    def __call__(self, case: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        request = replace(self.request, seed=seed)
        parts = of_seed(self.parts, request)
        row = _row(parts, case, replace(self, request=request, parts=parts).case(case))
        by_option = row["failure_slowdown_by_option"]
        letters = {f"failure_slowdown_{name}": by_option.get(name, nan) for name in "ABCDEF"}
        return {**plain_numbers(row, "engine_s"), **letters}

    def case(self, name: str, *, places: bool = False, progress: Progress = SILENT) -> CaseReplay:
        """Return the replay of a case."""
        from ...cluster import RecoverByOption, assign_options, replay, replay_credits
        from ...cluster.recovery import CASES, WITH_PREEMPTION
        from ...streams import RECOVERY_OPTIONS, stream

        parts = self.parts
        workload, machine = parts.workload, parts.site.machine
        if self.request.oversize == "skip":
            workload = workload.select(machine.fits(workload), rule="larger_than_machine")
        rng = stream(self.request.seed, *RECOVERY_OPTIONS)
        if name == OWN:
            assert self.own is not None
            assigned = self.own.of(workload)
        else:
            assigned = assign_options(rng, len(workload), CASES[name])
        failures = parts.feeds.planned if name == "ff" else parts.feeds.every
        if places and failures is None:
            failures = no_failures()
        with progress.replay(name, len(workload)) as report:
            settings: dict[str, Any] = {
                "policy": self.policy,
                "failures": failures,
                "checkpointing": parts.checkpointing,
                "progress": report,
            }
            if self.prices is None:
                recover = RecoverByOption(assigned)
                settings |= {"recovery": recover, "replays": self.count}
                return CaseReplay(replay(workload, machine, **settings), assigned)
            wanted = [option.name for option in assigned]
            paid = replay_credits(workload, machine, wanted=wanted, prices=self.prices, **settings)
        return CaseReplay(paid.replay, [WITH_PREEMPTION[granted] for granted in paid.granted], paid)


def _plan(names: list[str], play: _Replays) -> Plan:
    return Plan(
        play=play,
        cells={name: {"case": Factor(name, name)} for name in names},
        headings={"case": "case"},
        measures=MEASURES[1:] if set(names) == {"ff"} else MEASURES,
        baselines={name: names[0] for name in names[1:]},
    )


def _case_names(request: RecoveryRequest) -> list[str]:
    from ...cluster.recovery import CASES

    names = [name.strip() for name in request.cases]
    if request.job_options is not None and not request.says("cases"):
        names = ["ff", "mr", OWN]
    for name in names:
        if name == OWN and request.job_options is None:
            raise Refused("{} {} must come with {}", Field("cases"), OWN, Field("job_options"))
        if name not in CASES and name != OWN:
            known = ",".join((*CASES, OWN))
            raise Refused("{} must be some of {}, got {!r}", Field("cases"), known, name)
    return list(dict.fromkeys(names))


def _banded(parts: Setup, lower_bands: LowerBands) -> Policy:
    from ...cluster import POLICIES, Cobalt, all_bands, first_band

    order = first_band if lower_bands == "wait" else all_bands
    ((name, policy),) = parts.policies.items()
    if isinstance(policy, str):
        return replace(POLICIES[policy], order=order)
    if not isinstance(policy, Cobalt):
        raise Refused(
            "{} must be one of {} for recovery options, got {!r}",
            *(Field("policy"), ", ".join(POLICIES), name),
        )
    return replace(policy, bands=order)


def _row(parts: Setup, name: str, played: CaseReplay) -> dict[str, Any]:
    from ...metrics import failure_slowdown, mean_by_name

    result, metrics = played.result, played.result.metrics
    delays = failure_slowdown(result.job_records)
    return {
        "case": name,
        "failure_slowdown": metrics["failure_slowdown"],
        "mean_response_s": metrics["mean_response_s"],
        "failure_slowdown_by_option": mean_by_name(
            delays, [option.name for option in played.options]
        ),
        "failed_jobs": int((result.job_records.failures > 0).sum()),
        "failures_drawn": None if name == "ff" else parts.failures_drawn(last_end(result)),
        **{key: metrics[key] for key in _METRICS},
        "engine": result.engine,
        **_paid(played.credits),
    }


def _paid(played: CreditReplay | None) -> dict[str, int | float]:
    """Return what users paid in all, and how many jobs did not get what they asked for."""
    if played is None:
        return {}
    accounts = played.accounts
    sums = {f"credits_{name}": float(accounts[name].sum()) for name in _CREDITS}
    return {"users": len(accounts), "downgraded_jobs": int(accounts["downgraded"].sum()), **sums}
