"""A replay by the compiled core beside that of the readable loop, and what both are asked."""

from dataclasses import fields

import numpy as np

from sim.cluster import Failures, Workload, replay


def both(workload, machine, **settings):
    """Return the replay of the core and that of the readable loop."""
    core, loop = (
        replay(workload, machine, engine=engine, **settings) for engine in ("kernel", "general")
    )
    assert (core.engine, loop.engine) == ("kernel", "general")
    return core, loop


def same(core, loop):
    """Assert that two replays have the same records."""
    for name in ("job_records", "attempt_records"):
        ours, theirs = getattr(core, name), getattr(loop, name)
        for field in fields(ours):
            one, two = getattr(ours, field.name), getattr(theirs, field.name)
            if field.name == "placement":
                assert (one is None) == (two is None)
                one, two = (as_lists(each) for each in (one, two))
                assert one == two, field.name
            else:
                np.testing.assert_array_equal(one, two, err_msg=field.name)
    assert (core.idle, core.down) == (loop.idle, loop.down)
    assert len(core.outages) == len(loop.outages)
    for one, two in zip(core.outages, loop.outages, strict=True):
        assert (one.node, one.start, one.end) == (two.node, two.start, two.end)
        assert as_lists(one.struck) == as_lists(two.struck)


def as_lists(places):
    """Return where attempts ran: what each held, as numbers in a list."""
    return [np.ravel(place).tolist() for place in (() if places is None else places)]


def strikes(rng, nodes, submit, *, whole):
    """Return failures, many of them at instants of submissions or of each other."""
    count = int(rng.integers(0, 14))
    time = rng.choice(submit, count) + rng.integers(-3, 30, count)
    repairs, shares = [0.0, 1.0, 2.0, 7.0, 20.0, np.inf], [0.1, 0.2, 0.3, 0.2, 0.17, 0.03]
    repair = rng.choice(repairs, count, p=shares)
    if not whole:
        time, repair = time + rng.random(count), repair * rng.random()
    return Failures(time, rng.integers(0, nodes, count), repair)


def fractional(rng, workload):
    """Return the workload with times that are not whole, some of them on a late clock."""
    count, late = len(workload), float(rng.choice([0.0, 1e9]))
    return Workload(
        submit=np.sort(workload.submit + rng.random(count)) + late,
        runtime=workload.runtime * rng.uniform(0.3, 2.0, count),
        walltime=workload.walltime * rng.uniform(0.3, 2.0, count),
        processors=workload.processors,
    )
