"""Recovery that users pay for: admitted at submission, used at failures, settled at the end.

What a job may cost is held back by its walltime when it is submitted; it is charged for what it
executed, checkpoints and work done again not counted, because the user did not cause these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..._checks import one_of
from ..._units import HOUR
from .._replay import Replay, replay
from ..loop.cluster import Recover
from .credits import Accounts, Prices
from .options import OPTIONS, RecoverByOption, RecoveryOption

if TYPE_CHECKING:
    import pandas as pd

    from ..loop.cluster import Cluster
    from ..loop.jobs import News
    from ..loop.protocols import Machine
    from ..workload import Workload

__all__ = ["CreditReplay", "replay_credits"]


@dataclass(frozen=True, slots=True, eq=False)
class CreditReplay:
    """A replay, and the accounts after it."""

    replay: Replay
    granted: tuple[str, ...]  # option of each job, in queue order
    ledger: Accounts

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
    options: Mapping[str, RecoveryOption] = OPTIONS,
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
        As for `replay`, `recovery` left out.

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
    accounts = Accounts(prices)
    granted = list(wanted)
    recovery = _Paid(wanted, accounts, options, granted)
    played = replay(workload, machine, recovery=recovery, engine="general", **settings)
    return CreditReplay(played, tuple(granted), accounts)


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
                if job.failures == 0:
                    self.granted[job.index] = self.accounts.admit(
                        job.index,
                        user[job.index],
                        self.wanted[job.index],
                        job.request * job.processors / HOUR,
                    )

        return observe
