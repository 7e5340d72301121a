"""Slow, plain versions of the policies, which recompute everything and keep almost no state.

A plan is a list of (start, end, processors). Every decision asks the plan when a number of
processors is free for a time. Nothing is updated in place, and only the reservations of
conservative-compress are kept, because that policy keeps them.
"""

import itertools
from dataclasses import dataclass, field

NEVER = float("inf")


@dataclass(eq=False)
class OracleJob:
    index: int
    submit: float
    executed: float
    planned: float
    processors: int
    start: float | None = None
    nodes: list = field(default_factory=list)

    @property
    def end(self):
        return self.start + self.executed

    @property
    def planned_end(self):
        return self.start + self.planned


def earliest(plan, now, capacity, processors, length):
    """Return the first time from now on at which `processors` are free for `length`."""
    changes = {now: 0}
    for start, end, count in plan:
        if end > now:
            changes[max(start, now)] = changes.get(max(start, now), 0) + count
            changes[end] = changes.get(end, 0) - count
    busy, candidate = 0, None
    for time in sorted(changes):
        if candidate is not None and time >= candidate + length:
            return candidate
        busy += changes[time]
        if busy + processors > capacity:
            candidate = None
        elif candidate is None:
            candidate = time
    return NEVER if candidate is None else candidate


class Oracle:
    """A flat machine of numbered processors; node k is processor k."""

    def __init__(self, jobs, capacity, policy, order, failures=()):
        self.jobs, self.capacity, self.policy, self.order = jobs, capacity, policy, order
        self.failures = list(failures)  # (time, node, repair), sorted
        self.now = -NEVER
        self.waiting, self.running, self.attempts = [], [], []
        self.down = {}  # node -> until
        self.slots = {}  # reservations of conservative-compress

    # Events.

    def run(self):  # noqa: PLR0912  (the three event orders side by side)
        coming = list(self.jobs)
        while coming or self.waiting or self.running:
            times = [job.end for job in self.running] + [job.submit for job in coming[:1]]
            times += [until for until in self.down.values() if until < NEVER]
            times += [failure[0] for failure in self.failures[:1]]
            times += [slot for slot in self.slots.values() if slot > self.now]
            if not times:
                break
            self.now = min(times)
            ending = [job for job in self.running if job.end == self.now]  # in order of start
            arriving = list(itertools.takewhile(lambda job: job.submit == self.now, coming))
            del coming[: len(arriving)]
            if self.order == "batch":
                for job in ending:
                    self.end(job)
                upset = self.repairs_and_failures(passes=False)
                self.waiting += arriving
                self.schedule(ended=bool(ending), upset=upset)
            elif self.order == "ends-first":
                for job in ending:
                    self.end(job)
                    self.schedule(ended=True)
                self.repairs_and_failures(passes=True)
                for job in arriving:
                    self.waiting.append(job)
                    self.schedule()
                self.schedule()
            else:
                for job in ending:
                    if job.planned_end <= self.now:
                        self.end(job)
                for job in arriving:
                    self.waiting.append(job)
                    self.schedule()
                for job in ending:
                    if job in self.running:
                        self.end(job)
                    self.schedule(ended=True)
                self.repairs_and_failures(passes=True)
                self.schedule()
        return self

    def end(self, job):
        self.running.remove(job)
        self.attempts.append((job.index, job.start, self.now))

    def repairs_and_failures(self, *, passes):
        upset = False
        while True:
            back = [node for node, until in self.down.items() if until <= self.now]
            if back:
                # Nodes repaired at one instant return in the order of their numbers.
                del self.down[min(back)]
            elif self.failures and self.failures[0][0] <= self.now:
                _, node, repair = self.failures.pop(0)
                for job in [job for job in self.running if node in job.nodes]:
                    self.running.remove(job)
                    self.attempts.append((job.index, job.start, self.now))
                    job.start = None
                    self.waiting.append(job)
                    self.waiting.sort(key=lambda job: job.index)
                until = max(self.now + repair, self.down.get(node, self.now))
                if until > self.now:
                    self.down[node] = until
            else:
                return upset
            upset = True
            if passes:
                self.schedule(upset=True)

    # Planning.

    def free_nodes(self):
        held = {node for job in self.running for node in job.nodes}
        return [n for n in range(self.capacity) if n not in held and n not in self.down]

    def plan(self):
        running = [(job.start, job.planned_end, job.processors) for job in self.running]
        return running + [(self.now, until, 1) for until in self.down.values()]

    def earliest(self, plan, job, length):
        return earliest(plan, self.now, self.capacity, job.processors, length)

    def start_if_free(self, job):
        nodes = self.free_nodes()[: job.processors]
        if len(nodes) < job.processors:
            return False
        job.start, job.nodes = self.now, nodes
        self.waiting.remove(job)
        self.slots.pop(job.index, None)
        self.running.append(job)
        return True

    def schedule(self, *, ended=False, upset=False):
        if self.policy == "fcfs":
            self.fcfs()
        elif self.policy == "easy":
            self.easy()
        elif self.policy == "conservative":
            self.conservative()
        else:
            self.conservative_compress(ended=ended, upset=upset)

    def fcfs(self):
        while self.waiting and self.start_if_free(self.waiting[0]):
            pass

    def easy(self):
        self.fcfs()
        if not self.waiting:
            return
        head, *others = self.waiting
        time = self.earliest(self.plan(), head, 0)
        for job in others:
            if len(self.free_nodes()) < job.processors:
                continue
            with_job = [*self.plan(), (self.now, self.now + job.planned, job.processors)]
            if self.earliest(with_job, head, 0) <= time:
                self.start_if_free(job)

    def conservative(self):
        self.slots.clear()
        plan = self.plan()
        for job in list(self.waiting):
            slot = self.earliest(plan, job, job.planned)
            plan.append((slot, slot + job.planned, job.processors))
            if slot > self.now or not self.start_if_free(job):
                self.slots[job.index] = slot
        if self.policy == "conservative":
            self.slots.clear()

    def conservative_compress(self, *, ended, upset):
        if upset or any(slot < self.now for slot in self.slots.values()):
            self.conservative()
            return
        for job in self.waiting:
            if ended or job.index not in self.slots:
                others = [
                    (self.slots[o.index], self.slots[o.index] + o.planned, o.processors)
                    for o in self.waiting
                    if o is not job and o.index in self.slots
                ]
                self.slots[job.index] = self.earliest(self.plan() + others, job, job.planned)
        for job in list(self.waiting):
            if self.slots[job.index] <= self.now:
                self.start_if_free(job)


def oracle_attempts(workload, capacity, policy, order, *, kill, estimates, failures=()):
    """Return every attempt (job, start, end), sorted."""
    jobs = []
    for index in range(len(workload)):
        runtime, walltime = float(workload.runtime[index]), float(workload.walltime[index])
        executed = min(runtime, walltime) if kill else runtime
        planned = walltime if estimates == "walltime" else executed
        jobs.append(
            OracleJob(
                index,
                float(workload.submit[index]),
                executed,
                planned,
                int(workload.processors[index]),
            )
        )
    return sorted(Oracle(jobs, capacity, policy, order, failures).run().attempts)


def attempts(result):
    """Return position, start and end of every attempt, in order."""
    records = result.attempt_records
    return sorted(
        zip(records.position.tolist(), records.start.tolist(), records.end.tolist(), strict=True)
    )
