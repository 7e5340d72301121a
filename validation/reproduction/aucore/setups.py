"""The set-ups of `aucore`: what its text leaves open, each reading beside every other.

No reading was chosen by what it gives. Option B is a band behind the others in the paper's words
(III-B, Fig. 2), and in the simulator that was released the failed job joins the one queue as a new
submission. The walltimes of the log are unpublished: those of the log behind `qsim`, halfway
between these and the running times (an option of that simulator), or exact. Work since the last
checkpoint is done again, or, as in that simulator, none. The job log is unpublished too: jobs come
independently of each other, or in sessions of jobs alike as in the log behind `qsim`. The scheduler
is "WFP/Backfilling", of which Cobalt had several versions: ours, in which every waiting job drains
a partition of its own, or that of January 2009 with a threshold of 0.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias, get_args

OptionB: TypeAlias = Literal["band", "new"]
Walltimes: TypeAlias = Literal["requested", "halfway", "exact"]
Scheduler: TypeAlias = Literal["separate-drains", "january-2009"]


@dataclass(frozen=True, slots=True)
class Setup:
    """One reading of each open point.

    Parameters
    ----------
    option_b : {"band", "new"}
        Where a failed job of option B stands: behind all others, or as a new submission.
    walltimes : {"requested", "halfway", "exact"}
        What users request, and so when they look (option A).
    rework : bool
        Whether work since the last checkpoint is done again.
    sessions : bool
        Whether jobs that follow each other are alike, and come in bursts.
    scheduler : {"separate-drains", "january-2009"}
        The version of Cobalt, the second with a threshold of 0.7.
    """

    option_b: OptionB = "band"
    walltimes: Walltimes = "requested"
    rework: bool = True
    sessions: bool = False
    scheduler: Scheduler = "separate-drains"

    @property
    def levels(self) -> dict[str, str]:
        """As they appear in tables."""
        return {
            "option B": self.option_b,
            "walltimes": self.walltimes,
            "rework": "yes" if self.rework else "no",
            "jobs": "in sessions" if self.sessions else "independent",
            "scheduler": self.scheduler,
        }


# The first is the paper's text, word by word.
SETUPS = tuple(
    Setup(option_b, walltimes, rework, sessions, scheduler)
    for sessions, scheduler, option_b, walltimes, rework in product(
        (False, True), get_args(Scheduler), get_args(OptionB), get_args(Walltimes), (True, False)
    )
)
