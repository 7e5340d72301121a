import numpy as np
import pytest

from sim.cluster import Failures, Maintenance, flat, replay
from sim.traces import Window
from tests.support.engines import both, same
from tests.support.workloads import ORDERS, POLICIES, random_failures, random_workload


def test_each_node_of_a_window_is_out_from_its_start_to_its_end():
    windows = (
        Window(50.0, 70.0, "outage", ((2, 3), (0, 0))),
        Window(10.0, 40.0, "planned"),
    )
    feed = Maintenance(windows, 4).failures()
    assert feed.time.tolist() == [10.0] * 4 + [50.0] * 3
    assert feed.node.tolist() == [0, 1, 2, 3, 0, 2, 3]
    assert feed.repair.tolist() == [30.0] * 4 + [20.0] * 3
    assert len(Maintenance((), 4).failures()) == 0


def test_ranges_that_share_nodes_name_them_once():
    window = Window(0.0, 1.0, "outage", ((1, 3), (2, 5)))
    assert Maintenance((window,), 9).members(window).tolist() == [1, 2, 3, 4, 5]


def test_windows_that_touch_do_not_overlap():
    windows = (
        Window(5.0, 9.0, "planned"),
        Window(0.0, 5.0),
        Window(9.0, 10.0, "outage", ((1, 1),)),
    )
    known = Maintenance(windows, 2)
    assert known.planned() == windows[:1]
    assert known.after(5.0).windows == (windows[0], windows[2])


@pytest.mark.parametrize(
    ("windows", "message"),
    [
        ((Window(2.0, 1.0),), r"end must be after start, got 1\.0"),
        ((Window(0.0, 1.0, "outage", ((0, 4),), 7),), "line 7: nodes must be below the 4 of the"),
        ((Window(0.0, 1.0, "outage", ((3, 2),)),), "nodes must be ranges from 0 up, got 3-2"),
        ((Window(0.0, 1.0, "soon"),), "kind must be one of planned, outage, got 'soon'"),
        ((Window(0.0, float("nan")),), "end must be finite, got nan"),
        (
            (Window(0.0, 9.0, "planned", (), 2), Window(8.0, 12.0, "outage", ((1, 2),), 3)),
            "line 3: windows of one node must not overlap, got node 1 at 8 as in line 2",
        ),
        (
            (Window(0.0, 9.0, "outage", ((1, 2),), 5), Window(0.0, 1.0, "outage", ((2, 2),), 3)),
            "line 3: windows of one node must not overlap, got node 2 at 0 as in line 5",
        ),
    ],
)
def test_impossible_windows_are_refused(windows, message):
    with pytest.raises(ValueError, match=message):
        Maintenance(windows, 4)


def test_feeds_together_keep_their_order_at_one_instant():
    feed = Failures.together(Failures([5.0], 1, 2.0), Failures([5.0, 1.0], 3, 4.0))
    assert feed.time.tolist() == [1.0, 5.0, 5.0]
    assert feed.node.tolist() == [3, 1, 3]


def random_windows(rng, nodes, *, kinds=("outage",), horizon=60):
    """Return windows of which those of one node do not overlap."""
    windows, now = [], int(rng.integers(-5, 15))
    while now < horizon:
        end = now + int(rng.integers(1, 12))
        first = int(rng.integers(0, nodes))
        part = ((first, int(rng.integers(first, nodes))),) if rng.random() < 0.6 else ()
        windows.append(Window(float(now), float(end), str(rng.choice(kinds)), part))
        now = end + int(rng.integers(0, 15))
    return Maintenance(tuple(windows), nodes)


@pytest.mark.few(3)
@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_core_and_the_readable_loop_play_outages_alike(policy, event_order):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        jobs = random_workload(rng, processors=6)
        machine = flat(6, processors_per_node=2)
        outages = random_windows(rng, 3).failures()
        drawn = random_failures(rng, nodes=3)
        feed = Failures.together(outages, drawn)
        same(*both(jobs, machine, policy=policy, event_order=event_order, failures=feed))


@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_an_outage_strikes_what_runs_there_and_lasts_to_its_end(engine):
    from sim.cluster import Workload

    jobs = Workload([0.0, 0.0], [9.0, 9.0], [9.0, 9.0], [2, 2])
    known = Maintenance((Window(4.0, 20.0, "outage", ((0, 1),)),), 4)
    played = replay(jobs, flat(4), failures=known.failures(), engine=engine)
    assert played.jobs["start"].tolist() == [9.0, 0.0]  # on the two nodes that stayed
    assert played.jobs["failures"].tolist() == [1, 0]
    assert [(o.node, o.start, o.end) for o in played.outages] == [(0, 4.0, 20.0), (1, 4.0, 20.0)]
