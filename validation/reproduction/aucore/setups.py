"""The set-ups of `aucore`: what its text leaves open, each reading beside every other.

No reading was chosen by what it gives. Option B is a band behind the others in the paper's words
(III-B, Fig. 2), and in the simulator that was released the failed job joins the one queue as a new
submission. The walltimes of the log are unpublished: those of the log behind `qsim`, halfway
between these and the running times (an option of that simulator), or exact. Work since the last
checkpoint is done again, or, as in that simulator, none. The job log is unpublished too: jobs come
independently of each other, or in sessions of jobs alike as in the log behind `qsim`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias, get_args

__all__ = ["SETUPS", "OptionB", "Setup", "Walltimes"]

OptionB: TypeAlias = Literal["band", "new"]
Walltimes: TypeAlias = Literal["requested", "halfway", "exact"]


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
    """

    option_b: OptionB = "band"
    walltimes: Walltimes = "requested"
    rework: bool = True
    sessions: bool = False

    @property
    def name(self) -> str:
        """As it appears in tables."""
        read = f"{self.option_b}, {self.walltimes}, {'rework' if self.rework else 'no rework'}"
        return f"sessions, {read}" if self.sessions else read


# The first is the paper's text, word by word.
SETUPS = tuple(
    Setup(option_b, walltimes, rework, sessions)
    for sessions, option_b, walltimes, rework in product(
        (False, True), get_args(OptionB), get_args(Walltimes), (True, False)
    )
)
