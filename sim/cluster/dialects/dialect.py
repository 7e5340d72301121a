"""What other simulators do in their own way, so that their schedules come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..._checks import one_of
from ..backfill.conservative import Conservative
from ..backfill.easy import Easy
from ..backfill.fcfs import Fcfs
from ..loop.cluster import Policy
from .accasim import UnenforcedEasy
from .cqsim import ConservativeByRuntime


@dataclass(frozen=True, slots=True)
class Dialect:
    """The rules of another simulator on a plain machine.

    Parameters
    ----------
    name : str
        Of the simulator.
    event_order : {"batch", "ends-first", "submissions-first"}
        What happens when several events fall on one instant.
    kill_at_walltime : bool
        Whether a job that reaches its wall time ends there.
    policies : mapping of str to Policy
        What it plays under each name; the first by default.
    """

    name: str
    event_order: Literal["batch", "ends-first", "submissions-first"]
    kill_at_walltime: bool
    policies: Mapping[str, Policy]

    def options(self, policy: str | None = None) -> dict[str, Any]:
        """Return the arguments of `replay` that make it play these rules.

        Parameters
        ----------
        policy : str, optional
            A key of `policies`; the first by default.

        Returns
        -------
        dict
            `policy`, `event_order` and `kill_at_walltime`.

        Raises
        ------
        ValueError
            If the simulator has no such policy.

        Examples
        --------
        >>> from sim.cluster import Workload, flat, replay
        >>> from sim.cluster.dialects import DIALECTS
        >>> jobs = Workload(submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8],
        ...                 processors=[3, 4, 2])
        >>> replay(jobs, flat(4), **DIALECTS["accasim"].options("easy")).jobs["start"].tolist()
        [0.0, 13.0, 9.0]
        """
        name = next(iter(self.policies)) if policy is None else policy
        one_of("policy", name, self.policies)
        return {
            "policy": self.policies[name],
            "event_order": self.event_order,
            "kill_at_walltime": self.kill_at_walltime,
        }


_PYSS: Mapping[str, Policy] = {
    "easy": Easy(),
    "conservative": Conservative(compress=True),
    "fcfs": Fcfs(),
}

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("pyss", "submissions-first", kill_at_walltime=True, policies=_PYSS),
        Dialect("predictsim", "submissions-first", kill_at_walltime=True, policies=_PYSS),
        Dialect(
            "cqsim",
            "ends-first",
            kill_at_walltime=True,
            policies={"conservative": ConservativeByRuntime(), "fcfs": Fcfs()},
        ),
        Dialect(
            "accasim",
            "batch",
            kill_at_walltime=False,
            policies={"easy": UnenforcedEasy(), "fcfs": Fcfs()},
        ),
    )
}
