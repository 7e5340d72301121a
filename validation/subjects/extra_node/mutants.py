"""Wrong uses of one more node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from perfmodel.completion import wsj_compound
from perfmodel.parallel import ExtraNode, compare_extra_node, slowest_of
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _instead(use: str, *, more_shares: int = 0, more_tasks: int = 0) -> Callable[..., ExtraNode]:
    """Return a wrong law of `use`, with this many more shares of the work and more tasks."""

    def wrong(nodes: int, **job: Any) -> ExtraNode:
        rest = dict(job)
        task = wsj_compound(rest.pop("work") / (nodes + more_shares), **rest)
        law = slowest_of(task, nodes + more_tasks)
        return replace(compare_extra_node(nodes, **job), **{use: law})

    return wrong


def _every_task_twice(nodes: int, **job: Any) -> ExtraNode:
    found = compare_extra_node(nodes, **job)
    first = compare_extra_node(1, **{**job, "work": job["work"] / nodes}).replica
    return replace(found, replica=slowest_of(first, nodes))


def _spare(wait: Callable[[int, float, Any], Any]) -> Callable[..., ExtraNode]:
    def wrong(nodes: int, **job: Any) -> ExtraNode:
        found = compare_extra_node(nodes, **job)
        down = wait(nodes, job["mtbf"], job["downtime"])
        rest = {**job, "downtime": down}
        task = wsj_compound(rest.pop("work") / nodes, **rest)
        return replace(found, spare=slowest_of(task, nodes))

    return wrong


def _printed_wait(nodes: int, mtbf: float, downtime: Any) -> Any:
    mean = float(getattr(downtime, "mean", downtime))
    down = mean / (mtbf + mean)
    shorter = 1.0 - nodes * down * (1.0 - down) ** (nodes - 1)
    return downtime.scaled(shorter) if hasattr(downtime, "mean") else shorter * downtime


def _no_rework_anywhere(nodes: int, *, interval: float, **job: Any) -> ExtraNode:
    cost = job.pop("checkpoint_cost", 0.0)
    return compare_extra_node(nodes, interval=interval / 1e3, checkpoint_cost=cost / 1e3, **job)


def _printed(nodes: int, **job: Any) -> ExtraNode:
    return compare_extra_node(nodes, printed=True, **job)


WRONG: dict[str, Callable[..., ExtraNode]] = {
    "both replicas must end": _instead("replica", more_tasks=1),
    "replica of no use": _instead("replica"),
    "every task run twice": _every_task_twice,
    "worker, but no smaller shares": _instead("worker", more_tasks=1),
    "worker not among the slowest": _instead("worker", more_shares=1),
    "spare waits for the whole repair": _spare(lambda nodes, mtbf, downtime: downtime),
    "spare always free": _spare(lambda nodes, mtbf, downtime: 0.0),
    "repairs shortened by P_1, as printed": _spare(_printed_wait),
    "rework dropped": _no_rework_anywhere,
    "as printed": _printed,
}

MUTANTS: tuple[Mutant, ...] = tuple(
    Mutant(compare_extra_node, fault, wrong) for fault, wrong in WRONG.items()
)
