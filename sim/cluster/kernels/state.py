"""What the core knows of a replay, as tables that compiled code fills.

Each table is an array of records, so that what belongs together lies together and few arrays go
from function to function. What changes from event to event is one record, `State.now`. The sizes
of the tables that grow with attempts are checked before every pass; the core returns where one
is short, and goes on where it was when it is called again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...records import FloatArray, IntArray

BATCH, ENDS_FIRST, SUBMISSIONS_FIRST = range(3)  # as in `sim.cluster.loop.cluster`
FCFS, EASY, CONSERVATIVE, COMPRESS = range(4)
AT_ONCE, AT_WALLTIME_END, AT_REPAIR, NOT_AGAIN = range(4)
UNPLANNED = -np.inf  # slot of a job that the plan does not know yet


def table(*, times: str = "", counts: str = "", flags: str = "") -> np.dtype[Any]:
    """Return the type of a record with these fields: [s], whole numbers, and yes or no."""
    kinds = ((times, np.float64), (counts, np.int64), (flags, np.bool_))
    fields = [(name, kind) for names, kind in kinds for name in names.split()]
    return np.dtype(fields, align=True)


# `order` to `final`: what the replay is. `head` to `cells`: sizes of lists and heaps. `newcomer`
# is the first job that joined the end of the queue since the last pass, and `changed` to `upset`
# what else happened since: processors came or went, a job joined the queue before others, a job
# ended, a failure or repair. `spare` to `considered`, `reserved` and `valid`: what policies keep.
NOW = table(
    times="time first idle_sum down_sum idle_time down_time reserved_at next_slot",
    counts="order policy per_node size jobs most left stop_at waiting arrived struck idle down "
    "head last starts ends running repairs returns wakes due_ends due_end due_returns due_return "
    "gaps cells outages struck_attempts holding newcomer spare steps reached considered line",
    flags="first_band failing saving final within inside freed submitting "
    "changed inserted ended upset grouped reserved valid lined",
)
JOB = table(
    times="submit executed request saved queued_at planned slot",
    counts="processors following previous band attempts place",
)
ATTEMPT = table(times="start end planned_end", counts="job outcome")
# How an attempt goes, where checkpoints or failures can be: its place is cells from `cells` on.
COURSE = table(times="work wall read_back useful lost written", counts="cells", flags="cut")
CHECKPOINT = table(times="interval cost recovery limit")
OPTION = table(counts="band returns", flags="by_return same_place")
STRIKE = table(times="time repair", counts="node")
NODE = table(times="out_until", counts="outage")  # -inf if it is up; -1 if none is open
OUTAGE = table(times="start end", counts="node begin past next")  # next: older one still open
HOLD = table(times="until", counts="turn")
ENTRY = table(times="time", counts="turn")
COMEBACK = table(times="time", counts="turn count")
SPAN = np.dtype([("first", np.int32), ("past", np.int32)])  # of processors; there are many
LINED = table(times="planned", counts="job processors")  # -1 where no job stands
LEAST = table(times="planned", counts="processors")


class State(NamedTuple):
    """The tables; a turn is the position of an attempt in order of start."""

    now: Any  # (1,) of `NOW`
    jobs: Any
    attempts: Any
    courses: Any
    checkpoints: Any  # one per job, or one if all are equal, as of `option`
    option: IntArray
    options: Any
    strikes: Any
    nodes: Any
    outages: Any
    struck: IntArray  # turns, by outage
    holds: Any  # attempts that failed and whose jobs wait for their old place
    ends: Any  # heaps by (time, turn): ends of attempts, repairs of nodes, returns of jobs, wakes
    repairs: Any
    returns: Any
    wakes: Any
    due_ends: IntArray
    due_jobs: IntArray
    comebacks: Any  # what runs, and below 0 what is out or held, by planned time
    line: Any  # the queue side by side, and the least needs in each of its blocks
    blocks: Any
    gaps: Any  # free processors, highest first
    room: Any  # to write them anew
    cells: Any  # processors of attempts
    reasons: IntArray  # of each processor to be withheld
    back: FloatArray  # room: when each processor comes back, and a heap of these times
    sorting: Any
    times: FloatArray  # the plan of the conservative policies
    levels: IntArray
