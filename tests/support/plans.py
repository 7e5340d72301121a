"""The policy of a grid that keeps its plan of the first instant."""

from dataclasses import dataclass

from sim.cluster import ANY
from sim.cluster.grid.policies.planned import Plan


@dataclass(frozen=True)
class Watched:
    """Planned as usual; the slots of the first plan are added to `plans` before a job starts."""

    plans: list
    name = "watched"
    runs_on = (ANY,)

    def begin(self, cluster):
        """Return what to do on news."""
        plan = Plan(cluster)

        def schedule(news):
            if not self.plans:
                plan.start_due = lambda: None
                plan.schedule(news)
                self.plans.append(dict(plan.slots))
                del plan.start_due
                plan.start_due()
            else:
                plan.schedule(news)

        return schedule
