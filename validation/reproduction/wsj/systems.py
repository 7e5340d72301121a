"""Systems of different machines as `wsj` section 5 draws them, and what is left open there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.application import Machine
from sim.records import FloatArray
from validation.subjects.laws import Law, sampler

INTERVAL, STORAGE = 2.0, 0.2  # [h], defaults of section 3, which Figs 10 and 11 have by the text
_RATES, _MEANS = (1.5e-7, 4.5e-7), (2.0, 4.0)  # per s; h
# Section 5 uses one repair law at a time and states no CV. 2.4 is the median CV of LANL systems
# with mean repairs of 1.5 to 4 h in 2004-05; 4.05 fits Fig. 1.
REPAIR_CV, HEAVY_CV = 2.4, 4.05


@dataclass(frozen=True, slots=True)
class Repair:
    """A family of repair times and its coefficient of variation."""

    name: str
    cv: float

    def law(self, mean: float) -> Law:
        """Return the member with this mean, [time]."""
        if self.name == "Exponential":
            return Law("Exponential", (mean,))
        if self.name == "Gamma":
            return Law("Gamma", (self.cv**-2, mean * self.cv**2))
        spread = math.log1p(self.cv**2)
        return Law("LogNormal", (math.log(mean) - spread / 2.0, math.sqrt(spread)))

    def __str__(self) -> str:
        return f"{self.name.lower()} repair, CV {self.cv:g}"


REPAIRS = (
    Repair("Exponential", 1.0),
    Repair("Gamma", REPAIR_CV),
    Repair("LogNormal", REPAIR_CV),
    Repair("Gamma", HEAVY_CV),
    Repair("LogNormal", HEAVY_CV),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What section 5 does not print of Figs 8 and 9 and Table 1.

    Parameters
    ----------
    interval, storage : float, [h]
        Checkpoint period and storage cost; the defaults are those of section 3.
    cv : float, [-]
        Coefficient of variation of the lognormal repairs of Table 1.
    even_speeds : bool
        Whether speeds are even between 1 and 5, not in their logarithm.
    """

    interval: float = INTERVAL
    storage: float = STORAGE
    cv: float = REPAIR_CV
    even_speeds: bool = False


USUAL = Choice()


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Machines by array: `speed` [-], `mtbf` [h], mean repair `mttr` [h]."""

    speed: FloatArray
    mtbf: FloatArray
    mttr: FloatArray

    def machines(
        self, repair: Repair, chosen: npt.ArrayLike | None = None, *, choice: Choice = USUAL
    ) -> list[Machine]:
        """Return the machines for `sim`: all, or those chosen in the order given."""
        which = np.arange(self.speed.size) if chosen is None else np.asarray(chosen)
        return [
            Machine(
                speed=float(self.speed[k]),
                mtbf=float(self.mtbf[k]),
                downtime=sampler(repair.law(float(self.mttr[k]))),
                interval=choice.interval,
                checkpoint_cost=choice.storage,
            )
            for k in which
        ]


def draw(
    rng: np.random.Generator, nodes: int, *, speeds: float = 1.0, even: bool = False
) -> System:
    """Draw rates and mean repairs evenly over the paper's ranges.

    Speeds from 1 to `speeds` are even in their logarithm, or themselves, and include both ends.
    """
    share = rng.random(nodes)
    share = (share - share.min()) / (share.max() - share.min())
    return System(
        speed=1.0 + (speeds - 1.0) * share if even else speeds**share,
        mtbf=1.0 / (3600.0 * rng.uniform(*_RATES, nodes)),
        mttr=rng.uniform(*_MEANS, nodes),
    )
