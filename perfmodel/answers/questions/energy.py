"""The intervals at which a job takes least time and least energy, and what each costs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from asking.plain import strict
from asking.refusals import given

from ..known.job import Job, filled, job_of
from ..known.unforeseen import Unforeseen
from ..parts.energy import Energies, energies
from ..requests.job import EnergyRequest
from ..shown import Answer, Facts, Lines, Part
from ..words.energy import energy_parts


@dataclass(frozen=True, slots=True)
class EnergyAnswer(Answer):
    """A job, and time and energy of it at the best interval for each.

    `to_frame` has a row for the least time and one for the least energy.
    """

    job: Job
    found: Energies

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys."""
        return dict(strict({**asdict(self.found), **self.job.plain(), **self._unforeseen.plain()}))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield what the least time and the least energy cost."""
        yield {"choice": "least time", **asdict(self.found.least_time)}
        yield {"choice": "least energy", **asdict(self.found.least_energy)}

    def parts(self) -> Iterator[Part]:
        """Yield the job, and both intervals with what they cost."""
        yield Facts.of(self.job.facts())
        yield from energy_parts(self.found)
        if self._unforeseen.why:
            yield Lines.of(*self._unforeseen.reasons())

    @property
    def _unforeseen(self) -> Unforeseen:
        return Unforeseen.with_log(self.job.mtbf.log, "none is made of energy")


def energy(request: EnergyRequest) -> EnergyAnswer:
    """Compute the interval of least energy, beside that of least time.

    Parameters
    ----------
    request : EnergyRequest
        The job, its machine and its powers; durations in [s], powers in [W].

    Returns
    -------
    EnergyAnswer
        With both intervals and the curve between them.

    Raises
    ------
    Refused
        If the MTBF or the checkpoint comes in no form or in several, or there are no powers.

    Examples
    --------
    >>> from perfmodel.answers import EnergyRequest, energy
    >>> job = EnergyRequest(mtbf="8h", checkpoint_cost="6min", power="static=8MW,compute=10MW")
    >>> found = energy(job).found
    >>> round(found.least_energy.interval_s / found.least_time.interval_s, 3)
    0.678
    """
    known = filled(request)
    job = job_of(known)
    return EnergyAnswer(job, energies(job, given(known.power, "power"), known.overlap))
