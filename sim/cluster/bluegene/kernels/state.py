"""What the core knows of a replay on a Blue Gene, beside what flat machines have too.

A turn is the position of an attempt in order of start; a kind is the rank of a partition size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....records import BoolArray, FloatArray, IntArray
from ...kernels.state import table

DONE, SHORT, SCORE, HOUR = range(4)  # why the core returned: see `core.play`
BLOCKING, RISKY, NEIGHBOURS, WHOLE, RELEASED = range(5)  # allocations
SEEN, ALARMS = range(2)  # forecasters
SEPARATE, JANUARY, JUNE, HEAD = range(4)  # schedulers

# `least_drain` to `slack`, `scheduler` to `forecaster`, `by_length` to `idle_failures`: what is
# played. `next_hour`: until
# when the false alarms hold. `out` counts midplanes, `alone` the partitions that reboot without
# theirs, `seen` the failures that the forecaster has passed, `stamp` its forecasts. `listed` jobs
# are considered by a pass, of which `ranked` stand in order and `heaped` are still to come.
# `known`: whether `until` is up to date.
SITE = table(
    times="least_drain threshold smallest alpha beta if_struck otherwise sensitivity false_rate "
    "slack next_hour",
    counts="scheduler allocation forecaster total busy per_midplane out alone alone_nodes running "
    "seen stamp looked listed ranked heaped",
    flags="by_length whole idle_failures known",
)
JOB = table(
    times="submit executed request saved queued_at planned slot nodes log_nodes user project queue",
    counts="processors following previous band attempts place kind",
)
# `blockers`: running and held partitions in conflict. `outs`: its midplanes that are out. Of what
# it has several, the places [first, past) in a list; `slot` in the list of what runs.
PART = table(
    counts="blockers outs kind nodes slot rivals rivals_past parents parents_past uses uses_past "
    "containers containers_past withheld withheld_past"
)
# `spared` of the idle ones are withheld by no drain; `latest`: until when one may be used.
KIND = table(times="latest", counts="first past idle waiting spared", flags="drained")
ALONE = table(counts="partition node")  # which midplane's failure it reboots after
# `fails`: the last forecast that says so; `own`: the last candidate that uses it.
NODE = table(
    times="out_until strikes_at", counts="outage reasons upcoming users users_past fails own"
)


class State(NamedTuple):
    """The tables; those up to `due_jobs` are as in `sim.cluster.kernels.state`."""

    now: Any
    jobs: Any
    attempts: Any
    courses: Any
    checkpoints: Any
    option: IntArray
    options: Any
    strikes: Any
    nodes: Any
    outages: Any
    struck: IntArray
    holds: Any
    ends: Any
    repairs: Any
    returns: Any
    wakes: Any
    due_ends: IntArray
    due_jobs: IntArray
    line: Any  # without places: a pass looks at all jobs that wait
    blocks: Any
    site: Any  # (1,) of `SITE`
    parts: Any
    kinds: Any
    members: IntArray  # partitions by kind
    rivals: IntArray  # partitions that conflict with each, itself excluded
    parents: IntArray
    containers: IntArray  # for the released schedulers: partitions that contain each,
    withheld: IntArray  # and those that a drain of it withholds, itself included
    uses: IntArray  # midplanes of each partition
    users: IntArray  # partitions of each midplane
    reboots: IntArray  # (M, M): how often the outage of one midplane withholds another
    alone: Any  # partitions that reboot, and their midplanes do not
    places: IntArray  # partition of each attempt, by turn
    running: IntArray  # turns
    idle: BoolArray
    until: FloatArray  # when what keeps a partition is planned to end, -inf if nothing does
    drained: FloatArray  # room: when a partition that drains is free
    spared: BoolArray  # room: idle, and withheld by no drain
    candidates: IntArray  # room
    marks: IntArray  # stamp of the last forecast by which a partition fails
    after: IntArray  # next failure of the same midplane, -1 if none
    detectable: FloatArray  # of failures
    false_alarms: FloatArray  # of this hour, by midplane
    waiting: IntArray  # what a pass considers: jobs in queue order, their scores,
    scores: FloatArray
    heap: IntArray  # and of these two, places still to be ranked,
    order: IntArray  # and ranked
    ops: IntArray
    numbers: FloatArray
    stack: FloatArray
