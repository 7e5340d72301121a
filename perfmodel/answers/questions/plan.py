"""All answers for one scenario, or for each of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...planning import Variant, plans
from ..parts.plan import plain
from ..refusals import given
from ..requests.plan import PlanRequest
from ..scenario import read_tables
from ..shown import strict

__all__ = ["PlanAnswer", "plan"]


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan, or several with the values by which they differ."""

    variants: tuple[Variant, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel plan --json`` prints it."""
        return dict(strict(plain(self.variants)))


def plan(request: PlanRequest) -> PlanAnswer:
    """Plan the job of a scenario file: checkpoints, deadline, spares, costs.

    Parameters
    ----------
    request : PlanRequest
        The file. What is not in a file is planned by `perfmodel.plan`.

    Returns
    -------
    PlanAnswer
        One variant, or one for each choice of the values that are lists.

    Raises
    ------
    ValueError
        If the file is no scenario, or its values do not go together; it names section and key.
    """
    return PlanAnswer(plans(read_tables(given(request.scenario, "scenario"))))
