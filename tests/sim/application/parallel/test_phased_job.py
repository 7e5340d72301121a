import numpy as np

from sim.application import simulate_makespans, simulate_phased_makespans
from sim.samplers import Exponential

JOB = {"interval": 1.0, "checkpoint_cost": 0.5, "recovery_cost": 0.25, "downtime": 2.0}


def test_every_phase_lasts_as_long_as_its_slowest_task():
    own = {"mtbf": 3.0, "replications": 2000, "seed": 4}
    one = simulate_phased_makespans(4.0, phases=1, tasks=1, **JOB, **own)
    alone = simulate_makespans(4.0, uptime=Exponential(3.0), **JOB, replications=2000, seed=9)
    assert abs(one.mean() - alone.mean()) < 5.0 * np.hypot(one.std(), alone.std()) / 2000**0.5
    meeting = simulate_phased_makespans(4.0, phases=4, tasks=6, **JOB, **own)
    apart = simulate_phased_makespans(4.0, phases=1, tasks=6, **JOB, **own)
    assert meeting.mean() > apart.mean() > one.mean()
    assert meeting.min() >= 6.0


def test_the_seed_alone_decides():
    job = {"phases": 2, "tasks": 3, "mtbf": 5.0, "replications": 9, **JOB}
    first = simulate_phased_makespans(4.0, **job, seed=2)
    np.testing.assert_array_equal(first, simulate_phased_makespans(4.0, **job, seed=2))
    assert first.tolist() != simulate_phased_makespans(4.0, **job, seed=3).tolist()
