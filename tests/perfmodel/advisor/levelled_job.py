"""A job with copies on two levels, struck at given instants; it asks an advisor, or follows a plan.

A plain loop that knows no formula. A failure is survived by the local copy or not; the job then
reads the copy that is left, and a failure while it reads strikes that, too. A durable checkpoint,
and a recovery from one, leaves a local copy.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Failures:
    """Instants, [s], and whether the local copy survives each."""

    instants: np.ndarray
    survived: np.ndarray

    @classmethod
    def drawn(cls, seed, *, mtbf, survived, duration):
        rng = np.random.default_rng(seed)
        instants = np.cumsum(rng.exponential(mtbf, int(duration / mtbf * 2) + 50))
        return cls(instants, rng.random(instants.size) < survived)


class Fixed:
    """A plan that knows: work of one interval, and every so many checkpoints a durable one."""

    def __init__(self, interval, durable_every):
        self.interval, self.every, self.since = interval, durable_every, 0

    def next_checkpoint(self):
        return self.begin + self.interval

    def next_level(self):
        return 2 if self.since + 1 >= self.every else 1

    def started(self, now):
        self.begin = now

    def restored(self, now, level):
        self.begin = now
        self.since = 0 if level == 2 else self.since

    def failed(self, now):
        pass

    def checkpoint_begun(self, now, level):
        self.level = level

    def checkpoint_done(self, now):
        self.begin = now
        self.since = 0 if self.level == 2 else self.since + 1


def lost(advice, failures, *, duration, costs, recoveries):
    """Return the time lost in a window and how many checkpoints lay on each level."""
    strikes = zip(failures.instants, failures.survived, strict=True)
    fails, survived = next(strikes)
    now, kept, durable, written = 0.0, 0.0, 0.0, [0, 0]
    advice.started(now)
    while True:
        due, level = max(advice.next_checkpoint(), now), advice.next_level()
        done = due + costs[level - 1]
        if min(fails, done) >= duration:
            return duration - (kept + max(min(due, duration) - now, 0.0)), written
        if due < fails:
            advice.checkpoint_begun(due, level)
        if done <= fails:
            advice.checkpoint_done(done)
            kept, now = kept + due - now, done
            durable = kept if level == 2 else durable
            written[level - 1] += 1
            continue
        local, reading = True, True
        while reading:
            advice.failed(fails)
            advice.started(fails)
            local = local and survived
            now = fails + recoveries[0 if local else 1]
            fails, survived = next(strikes)
            reading = fails < now
        kept = kept if local else durable
        if now >= duration:
            return duration - kept, written
        advice.restored(now, 1 if local else 2)
