"""The job that the options describe, as numbers, as JSON and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from ..output.tables import in_one_unit
from ..units import human_duration
from .estimates import CONFIDENCE, Mtbf

__all__ = ["Costs", "Job"]


class Costs(TypedDict):
    """Arguments of `expected_makespan` and its kin, [s]."""

    mtbf: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Everything the options said; durations in [s]."""

    mtbf: Mtbf
    checkpoint_cost: float
    cost_words: str
    recovery_cost: float
    downtime: float
    work: float
    step_time: float | None
    price: float | None
    nodes: int | None

    @property
    def costs(self) -> Costs:
        """The arguments common to all makespan functions."""
        return self.costs_at(self.mtbf.value)

    def costs_at(self, mtbf: float) -> Costs:
        """Return the same under another MTBF, [s]."""
        return {
            "mtbf": mtbf,
            "checkpoint_cost": self.checkpoint_cost,
            "recovery_cost": self.recovery_cost,
            "downtime": self.downtime,
        }

    @property
    def hourly_price(self) -> float | None:
        """Price of one hour of the whole job; a price without nodes is that already."""
        return None if self.price is None else self.price * (self.nodes or 1)

    def plain(self) -> dict[str, Any]:
        """Return what was understood, under unit-named keys."""
        return {
            "mtbf_s": self.mtbf.value,
            "mtbf_low_s": self.mtbf.low,
            "mtbf_high_s": self.mtbf.high,
            "mtbf_basis": self.mtbf.words,
            "failures": self.mtbf.failures,
            "checkpoint_cost_s": self.checkpoint_cost,
            "recovery_cost_s": self.recovery_cost,
            "downtime_s": self.downtime,
            "work_s": self.work,
            "step_time_s": self.step_time,
            "nodes": self.nodes,
            "price_per_node_hour": self.price if self.nodes else None,
            "price_per_hour": self.hourly_price,
            "log": list(self.mtbf.log.notes) if self.mtbf.log else None,
        }

    def _repairs_left_out(self) -> str:
        """Tell of repairs that the log knows and the job, perhaps rightly, does not wait for."""
        repairs = None if self.mtbf.log is None else self.mtbf.log.uptimes.repairs
        if self.downtime > 0.0 or repairs is None or not repairs.size or not repairs.mean() > 0.0:
            return ""
        mean = human_duration(float(repairs.mean()))
        return f" (repairs of the log, {mean} on average, are left out: --downtime)"

    def facts(self) -> list[tuple[str, str]]:
        """Say what was understood: a name and a text each."""
        mtbf = self.mtbf
        log = [] if mtbf.log is None else [("log", "\n".join(mtbf.log.notes))]
        known = f"{human_duration(mtbf.value)} ({mtbf.words})"
        if mtbf.low is not None and mtbf.high is not None and mtbf.failures:
            value, low, high = in_one_unit(mtbf.value, mtbf.low, mtbf.high)
            known = f"{value} ({mtbf.words}); {CONFIDENCE:.0%} confidence: {low} to {high}"
        price = []
        if self.price is not None:
            per = f"per node-hour x {self.nodes:,} nodes" if self.nodes else "per hour of the job"
            price = [("price", f"{self.price:g} {per}")]
        return [
            *log,
            ("MTBF", known),
            ("checkpoint", f"{human_duration(self.checkpoint_cost)} ({self.cost_words})"),
            ("recovery", human_duration(self.recovery_cost)),
            ("downtime", f"{human_duration(self.downtime)}{self._repairs_left_out()}"),
            ("work", human_duration(self.work)),
            *price,
        ]
