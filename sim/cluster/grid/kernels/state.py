"""What the core of grids knows of a replay, as tables that compiled code fills.

As in `sim.cluster.kernels.state`: tables of records, and one record, `GridState.now`, of what
changes from event to event. A turn is the position of an attempt in order of start.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....records import FloatArray, IntArray

FCFS, EASY, PLANNED, SEARCHED = range(4)
ORIGINAL, RETURNED, DROPPED = range(3)  # where a job stands in the queue after a failure


def _table(*, times: str = "", counts: str = "", flags: str = "") -> np.dtype[Any]:
    """Return the type of a record with these fields: [s], whole numbers, and yes or no."""
    kinds = ((times, np.float64), (counts, np.int64), (flags, np.bool_))
    fields = [(name, kind) for names, kind in kinds for name in names.split()]
    return np.dtype(fields, align=True)


# `policy` to `most`: what the replay is. `starts` to `unplaced`: sizes of lists and heaps; the jobs
# that wait are queue[front:past], the random numbers not used yet draws[drawn:]. `head` to
# `reserved_at`: what EASY keeps. `of_slowdown` to `of_response`: weights of a search.
# `searching`: a pass waits for a better plan. Since the last pass, `hit`: a failure struck, and
# `early`: a job ended at another time than planned.
NOW = _table(
    times="time first idle_sum down_sum idle_time down_time reserved_at period next_search "
    "of_slowdown of_wait of_response",
    counts="policy again rounds budget jobs most left stop_at arrived struck idle down starts ends "
    "repairs front past newcomers outages struck_attempts cells due wakes drawn unplaced "
    "head reserved spare",
    flags="stranding inside searching hit early",
)
# `slot` to `previous`: the reservation, its cluster, and its neighbours there in order of planning;
# `pace` is the row of `GridState.paces`.
JOB = _table(
    times="submit executed planned queued_at end slot",
    counts="processors kind pace outcome pool following previous",
)
ATTEMPT = _table(times="start end planned_end", counts="job outcome pool cells")
# A cluster: its machines [first, past), its part of `comebacks` from `base` on and how much of that
# is used, free processors and those not out, and the free ones after the last pass. `steps` of its
# profile, 0 if it has to be made; the jobs with a reservation, from `head` to `last`.
POOL = _table(
    counts="first past base running free up known steps listed head last", flags="touched changed"
)
MACHINE = _table(times="out_until", counts="capacity free pool outage")
CELL = _table(counts="machine count")


class GridState(NamedTuple):
    """The tables; what is not described here is as in `sim.cluster.kernels.state`."""

    now: Any  # (1,) of `NOW`
    jobs: Any
    attempts: Any
    pools: Any
    machines: Any
    cells: Any  # parts of machines that attempts hold
    choices: IntArray  # (kinds, clusters): those that suit jobs of a kind, best first, then -1
    paces: FloatArray  # (paces, clusters): how much longer a job runs there than it says
    queue: IntArray
    newcomers: IntArray  # that joined the queue since the last pass
    strikes: Any
    outages: Any
    struck: IntArray  # turns, by outage
    ends: Any  # heaps by (time, turn): ends of attempts, repairs of machines
    repairs: Any
    comebacks: Any  # what runs on each cluster, by planned end
    due: Any  # heap by (planned start, job)
    due_jobs: IntArray
    unplaced: IntArray  # jobs that no cluster can hold now
    wakes: Any  # heap by time
    draws: FloatArray  # (many, 3): random numbers in [0, 1)
    times: FloatArray  # (clusters, steps): the profiles
    free: IntArray
