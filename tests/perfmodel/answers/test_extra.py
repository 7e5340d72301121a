"""One more node: numbers of the answer against the formulas that it calls."""

import pytest

from asking.refusals import Refused
from perfmodel import compare_extra_node, optimal_interval_wsj, slowest_of, wsj_compound
from perfmodel.answers import ExtraRequest, extra, render
from perfmodel.lifetimes import LogNormal

JOB = {"nodes": 100, "work": 6400.0, "node_mtbf": 512.0, "checkpoint_cost": 0.2}


def test_each_use_has_the_law_of_the_formulas():
    found = extra(ExtraRequest(**JOB, downtime=4.0))
    best = float(optimal_interval_wsj(mtbf=512.0, checkpoint_cost=0.2))
    task = {"mtbf": 512.0, "downtime": 4.0, "interval": best, "checkpoint_cost": 0.2}
    uses = compare_extra_node(100, work=6400.0, **task)
    laws = [slowest_of(wsj_compound(64.0, **task), 100), uses.worker, uses.replica, uses.spare]
    assert [use.expected_time_s for use in found.uses] == [law.mean for law in laws]
    assert [use.time_99_s for use in found.uses] == pytest.approx([law.ppf(0.99) for law in laws])
    assert (found.best, found.interval) == ("spare", best)
    text = render(found, "text")
    assert "Keep it as a spare" in text
    assert "saves 4.38 %" in text


def test_a_saving_of_next_to_nothing_has_no_digits():
    job = {"nodes": 1_000_000, "work": 6.4e6, "node_mtbf": 43_830.0, "checkpoint_cost": 0.2}
    text = render(extra(ExtraRequest(**job, downtime=4.0)), "text")
    assert "That saves <0.001 % of the mean without it." in " ".join(text.split())


def test_repairs_may_have_a_law_and_what_is_near_the_best_is_named():
    law = extra(ExtraRequest(**JOB, downtime_law="lognormal:mean=4s,cv=2"))
    task = {"interval": law.interval, "mtbf": 512.0, "checkpoint_cost": 0.2}
    repair = LogNormal.from_mean(4.0, cv=2.0)
    uses = compare_extra_node(100, work=6400.0, downtime=repair, **task)
    assert {use.use: use.expected_time_s for use in law.uses[1:]} == uses.means
    # Of nodes that hardly fail, a replica and a spare change nothing.
    still = extra(ExtraRequest(**{**JOB, "node_mtbf": 1e9, "nodes": 1}, downtime=4.0))
    assert still.best == "worker"
    assert "As good" not in render(still, "text")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"work": None}, "work must be given, got none"),
        ({}, "downtime must be given, got none"),
        ({"downtime": 600.0}, "downtime must be less than node_mtbf, got 10 min"),
        (
            {"downtime": 4.0, "downtime_law": "exponential:mean=2h"},
            "downtime must come without downtime_law, got both",
        ),
        (
            {"downtime": 4.0, "checkpoint_cost": 0.0},
            "interval must be given where checkpoint_cost is 0, got none",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused(changes, message):
    with pytest.raises(Refused, match=message):
        extra(ExtraRequest(**{**JOB, **changes}))
