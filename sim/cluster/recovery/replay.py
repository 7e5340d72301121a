"""Recovery that users pay for: admitted at submission, used at failures, settled at the end.

What a job may cost is held back by its walltime when it is submitted; it is charged for what it
executed, checkpoints and work done again not counted, because the user did not cause these.

The readable loop keeps the books while it plays. The compiled core does not know of accounts: it
plays with the options that were wanted, then the books are kept from its records. They are right up
to the first option they do not grant, so that playing again with what they grant, until no job that
was struck gets another option, gives the same schedule and the same books.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import one_of
from ..._units import HOUR
from ...records import Outcome
from .._engines import compiled_core
from .._replay import Replay, replay
from ..loop.cluster import EVENT_ORDERS, Recover
from .credits import Accounts, Prices
from .options import WITH_PREEMPTION, RecoverByOption, RecoveryOption

if TYPE_CHECKING:
    import pandas as pd

    from ..loop.cluster import Cluster
    from ..loop.jobs import News
    from ..loop.protocols import Machine
    from ..workload import Workload

_TRIES = 50  # of the core, before the readable loop plays after all


@dataclass(frozen=True, slots=True, eq=False)
class CreditReplay:
    """A replay, and the accounts after it."""

    replay: Replay
    granted: tuple[str, ...]  # option of each job, in queue order
    ledger: Accounts

    def __repr__(self) -> str:
        return f"<credits of {self.replay!r}>"

    def _repr_html_(self) -> str:
        return self.replay._repr_html_()

    @property
    def charges(self) -> pd.DataFrame:
        """One row per job that ended, in order of its end, [credit]."""
        import pandas as pd

        columns = (
            *("job", "user", "wanted", "granted", "node_hours"),
            *("charged", "forfeited", "waived", "balance"),
        )
        rows = [[getattr(charge, name) for name in columns[1:]] for charge in self.ledger.charges]
        frame = pd.DataFrame(rows, columns=list(columns[1:]))
        number = self.replay.workload.job
        frame.insert(0, "job", [int(number[index]) for index in self.ledger.settled])
        frame["downgraded"] = frame["wanted"] != frame["granted"]
        return frame

    @property
    def accounts(self) -> pd.DataFrame:
        """One row per user: jobs, downgrades; charged, forfeited, waived and left, [credit]."""
        charges = self.charges
        frame = charges.groupby("user").agg(
            jobs=("job", "size"),
            downgraded=("downgraded", "sum"),
            node_hours=("node_hours", "sum"),
            charged=("charged", "sum"),
            forfeited=("forfeited", "sum"),
            waived=("waived", "sum"),
            balance=("balance", "last"),
        )
        return frame.reset_index()


def replay_credits(
    workload: Workload,
    machine: Machine,
    *,
    wanted: Sequence[str],
    prices: Prices,
    options: Mapping[str, RecoveryOption] = WITH_PREEMPTION,
    **settings: Any,
) -> CreditReplay:
    """Replay with the option that each job's user wants and can afford.

    Parameters
    ----------
    workload : Workload
        The jobs; `user` says whose account pays.
    machine : Machine
        As for `replay`.
    wanted : sequence of str
        Name of the option wanted for each job.
    prices : Prices
        Of every option that may be wanted or granted.
    options : mapping of str to RecoveryOption
        What each name means.
    **settings
        As for `replay`, `recovery` left out. ``engine="kernel"`` is the compiled core, which plays
        until the books and the schedule agree; ``general`` is the readable loop. A job larger than
        the machine that is skipped has an option in `wanted` all the same.

    Returns
    -------
    CreditReplay
        The replay, the option granted to each job in queue order, and the accounts.

    Raises
    ------
    ValueError
        If there is not one option wanted per job, or an option wanted or priced has no meaning;
        and as for `replay`.
    """
    for name in prices.per_node_hour:
        one_of("prices", name, options)
    for name in wanted:
        one_of("wanted", name, prices.per_node_hour)
    if len(wanted) != len(workload):
        raise ValueError(f"wanted must be one per job, got {len(wanted)} for {len(workload)}")
    if settings.get("oversize") == "skip":
        wanted = list(compress(wanted, machine.fits(workload)))
    engine = settings.pop("engine", "auto")
    if engine != "general":
        found = _by_core(
            workload,
            machine,
            wanted=wanted,
            prices=prices,
            options=options,
            engine=engine,
            settings=settings,
        )
        if found is not None:
            return found
    accounts, granted = Accounts(prices), list(wanted)
    recovery = _Paid(wanted, accounts, options, granted)
    played = replay(workload, machine, recovery=recovery, engine="general", **settings)
    return CreditReplay(played, tuple(granted), accounts)


def _by_core(
    workload: Workload,
    machine: Machine,
    *,
    wanted: Sequence[str],
    prices: Prices,
    options: Mapping[str, RecoveryOption],
    engine: str,
    settings: Mapping[str, Any],
) -> CreditReplay | None:
    """Return the replay by the compiled core, or None where the readable loop has to play."""
    granted = list(wanted)
    order, estimates = settings.get("event_order", "batch"), settings.get("estimates", "walltime")
    one_of("event_order", order, EVENT_ORDERS)
    policy, checkpointing = settings.get("policy", "easy"), settings.get("checkpointing")
    spared = settings.get("failures") is not None and not settings.get("idle_failures", True)
    core = compiled_core(
        machine, policy, checkpointing, RecoverByOption([]), order, idle_failures=not spared
    )
    if any(options[name].preempts for name in dict.fromkeys(wanted)):
        core = "options that preempt"
    if engine == "auto" and isinstance(core, str):
        return None
    # Every try gets at least one job more right than the one before.
    for _ in range(_TRIES if engine == "auto" else len(granted) + 1):
        chosen = RecoverByOption([options[name] for name in granted])
        played = replay(workload, machine, recovery=chosen, engine="kernel", **settings)
        settings, accounts = {**settings, "progress": None}, Accounts(prices)
        assumed, granted = granted, _keep_books(accounts, played, wanted, estimates, order)
        struck = np.flatnonzero(played.job_records.failures)
        if all(granted[job] == assumed[job] for job in struck):
            return CreditReplay(played, tuple(granted), accounts)
    return None


def _keep_books(
    accounts: Accounts, played: Replay, wanted: Sequence[str], estimates: str, event_order: str
) -> list[str]:
    """Admit and settle the jobs of a replay in the order of its events; return what is granted."""
    jobs, attempts = played.job_records, played.attempt_records
    request = jobs.walltime if estimates == "walltime" else jobs.executed
    held, used = request * jobs.processors / HOUR, jobs.executed * jobs.processors / HOUR
    over = attempts.outcome <= Outcome.KILLED
    position, start, end = attempts.position[over], attempts.start[over], attempts.end[over]
    assert attempts.turn is not None
    # At one instant: ends, then submissions, then ends of what was started by a pass at it.
    late = 1 + (start == end) if event_order == "submissions-first" else 2 * (start == end)
    submitted = int(event_order != "submissions-first")
    count = len(jobs.job)
    times = np.append(jobs.submit, end)
    phases = np.append(np.full(count, submitted), late)
    ranks = np.append(np.arange(count), attempts.turn[over])
    which = np.append(np.arange(count), position)
    granted, user = list(wanted), jobs.user.tolist()
    for place in np.lexsort((ranks, phases, times)).tolist():
        job = int(which[place])
        if place < count:
            hours = float(held[job])
            granted[job] = accounts.admit(job, user[job], wanted[job], hours)
        else:
            accounts.settle(job, float(used[job]))
    return granted


@dataclass(frozen=True, slots=True, eq=False)
class _Paid:
    wanted: Sequence[str]
    accounts: Accounts
    options: Mapping[str, RecoveryOption]
    granted: list[str]

    def begin(self, cluster: Cluster) -> Recover:
        cluster.observe(self._keep_books(cluster))
        chosen = [self.options[name] for name in self.wanted]
        by_option = RecoverByOption(chosen).begin(cluster)

        def recover(attempt: Any, repaired: float) -> None:
            index = attempt.job.index
            chosen[index] = self.options[self.granted[index]]
            by_option(attempt, repaired)

        return recover

    def _keep_books(self, cluster: Cluster) -> Callable[[News], None]:
        user = cluster.workload.user.tolist()

        def observe(news: News) -> None:
            for attempt in news.ended:
                job = attempt.job
                self.accounts.settle(job.index, job.executed * job.processors / HOUR)
            for job in news.submitted:
                if job.attempts == 0:
                    self.granted[job.index] = self.accounts.admit(
                        job.index,
                        user[job.index],
                        self.wanted[job.index],
                        job.request * job.processors / HOUR,
                    )

        return observe
