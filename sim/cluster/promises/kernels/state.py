"""What the loop knows of a replay with promises, as tables that compiled code fills.

As in `sim.cluster.kernels.state`, each table is an array of records. A strike ends at most one
attempt, as nodes are single, so that jobs and strikes bound reservations and attempts; only
`cells` grows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....records import FloatArray, IntArray
from ...kernels.state import table

DETECTED, STATED, RATED = range(3)  # forecasters
PERIODIC, COOPERATIVE = range(2)

# `asked` to `final`: what the replay is. `known`: failures known to the forecaster that struck
# before now; `change`: the first of its changes after now; `serial` counts negotiations and
# passes, for marks; `stuck` is a job without an opening, or -1.
NOW = table(
    times="time first idle_sum down_sum idle_time down_time asked if_struck otherwise longest",
    counts="forecaster checkpointing size jobs left stop_at arrived struck idle down starts ends "
    "repairs wakes outages slots cells reservations head tail news next_news touched known opens "
    "change serial stuck",
    flags="failing saving final within inside",
)
JOB = table(
    times="submit executed request saved planned promised deadline start",
    counts="processors attempts",
    flags="negotiated",
)
COURSE = table(times="work wall read_back useful lost written", counts="begin past", flags="cut")
RESERVATION = table(counts="job begin past")
# A slot of a job stands at its position, that of an outage at jobs + node.
SLOT = table(times="start end", counts="begin past counted", flags="held")
NODE = table(times="out_until rate", counts="turn outage claimed marked picked", flags="touched")
OUTAGE = table(times="start end", counts="node turn next")  # turn: what it struck, or -1
KNOWN = table(times="time up chance", counts="node")


class State(NamedTuple):
    """The tables; a turn is the position of an attempt in order of start."""

    now: Any  # (1,) of `NOW`
    jobs: Any
    attempts: Any
    courses: Any
    checkpoints: Any
    option: IntArray
    options: Any  # what becomes of jobs that were struck, as in `sim.cluster.kernels`
    reservations: Any
    waiting: Any  # reservations [head, tail) by start, then by order of negotiation
    slots: Any
    by_start: Any  # rows of slots, sorted
    by_end: Any
    cells: Any  # intervals of nodes; the first ones are single nodes
    nodes: Any
    strikes: Any
    outages: Any
    ends: Any  # heaps by (time, turn)
    repairs: Any
    wakes: FloatArray  # latest first
    news: IntArray  # jobs to negotiate with in this pass
    touched: IntArray  # nodes that were struck or repaired since the last pass
    known: Any  # failures that the forecaster knows, by time
    opens: IntArray  # of those before now, the outages that are not over
    changes: FloatArray
    by_rate: IntArray  # nodes
    busy: IntArray  # slots on each node, room of a negotiation
    chosen: IntArray
    best: IntArray
    struck: Any
