"""A clock that only tests move, and what an advisor says of steps of equal length."""

from perfmodel.advisor import CheckpointAdvisor, Prior

__all__ = ["COST", "PRIOR", "STEP", "Clock", "saved_steps"]

STEP, COST = 600.0, 60.0
PRIOR = Prior.of_history(90, 900 * 3600.0)


class Clock:
    """Seconds, from an origin of its own."""

    def __init__(self, now=1000.0):
        self.now = now

    def __call__(self):
        return self.now


def saved_steps(count, *, cost=COST, taken=COST, start=0):
    """Return after which of `count` steps a first run saves."""
    one, now, found = CheckpointAdvisor(cost=cost, prior=PRIOR), 0.0, []
    one.started(now)
    for step in range(start + 1, start + count + 1):
        now += STEP
        if one.stepped(now, step):
            one.checkpoint_begun(now)
            now += taken
            one.checkpoint_done(now)
            found.append(step)
    assert found
    return found
