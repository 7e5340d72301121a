"""All answers for one scenario, or for each of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from asking.plain import strict
from asking.refusals import given

from ...planning import Variant
from ..parts.plan import plain
from ..requests.plan import PlanRequest
from ..scenario import read_file
from ..shown import Answer, Part
from ..words.plan import plan_parts
from ..words.variants import variant_parts


@dataclass(frozen=True, slots=True)
class PlanAnswer(Answer):
    """A plan, or several with the values by which they differ.

    `to_frame` has a row for each of them, with its answers to the questions of the scenario.
    """

    variants: tuple[Variant, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel plan --json`` prints it."""
        return dict(strict(plain(self.variants)))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield what each plan says in short; None is what the scenario does not tell."""
        for each in self.variants:
            plan = each.plan
            best, when, costs = plan.checkpoint, plan.completion, plan.costs
            yield {
                **each.values,
                "protocol": None if best is None else best.protocol,
                "interval_s": None if best is None else best.interval,
                "expected_time_s": None if when is None else when.mean,
                "goodput": None if plan.goodput is None else plan.goodput.value,
                "on_time": None if when is None else when.on_time,
                "spares": None if plan.spares is None else plan.spares.needed,
                "cost": None if costs is None else costs.job,
            }

    def parts(self) -> Iterator[Part]:
        """Yield the page of the plan, or tables that compare several."""
        if len(self.variants) == 1:
            yield from plan_parts(self.variants[0].plan)
        else:
            yield from variant_parts(self.variants)


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
    return PlanAnswer(read_file(given(request.scenario, "scenario")).plans())
