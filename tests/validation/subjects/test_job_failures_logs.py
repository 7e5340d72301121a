import numpy as np
import pytest

from perfmodel.site import failure_probability
from validation.judge.trial import Budget
from validation.subjects.job_failures import cases as replay_cases
from validation.subjects.job_failures import logs as replay_logs
from validation.subjects.job_failures.logs import SOURCES, at_hand, play

SMALL = {"jobs": "month", "count": 15, "mtbf": 0.1, "seeds": 4}


def test_what_was_played_adds_up():
    for how in ("once", "again", "checkpoints"):
        played = play(1, how=how, failures="exponential", **SMALL)
        assert played.failures.shape == played.held.shape == played.lost.shape
        assert (played.lost <= played.held).all()
        if how == "once":
            assert (played.held <= played.work * (1 + 1e-9)).all()
            np.testing.assert_array_equal(played.failures > 0, played.lost > 0)
        elif how == "again":
            np.testing.assert_allclose(played.held - played.lost, [played.work] * 4, rtol=1e-9)
            assert (played.work <= played.mtbf).all()
        else:
            assert (played.held >= played.work * (1 - 1e-9)).all()


def test_a_job_has_the_mtbf_of_its_midplanes():
    played = play(1, how="once", failures="exponential", **SMALL)
    for nodes, mtbf in zip(played.nodes, played.mtbf, strict=True):
        midplanes = max(1, int(nodes) // 512)
        assert mtbf == pytest.approx(360.0 * 80 / midplanes)


def test_a_class_without_jobs_is_said_to_be_empty():
    budget = Budget(seed=1, replications=0, alpha=1e-4)
    point = {**SMALL, "failures": "exponential", "count": 3}
    verdict = replay_cases.probability_of_being_hit(
        failure_probability, budget, part="> 4 h", **point
    )
    assert verdict.kind == "distance"
    assert verdict.note == "no such jobs hit"


def test_other_laws_are_measured_and_cannot_fail():
    budget = Budget(seed=1, replications=0, alpha=1e-4)
    verdict = replay_cases.probability_of_being_hit(
        lambda duration, *, mtbf: 1e-6 + 0.0 * duration, budget, failures="weibull 0.5", **SMALL
    )
    assert verdict.passed
    assert verdict.kind == "distance"


@pytest.mark.few(2)
@pytest.mark.parametrize("jobs", SOURCES)
def test_logged_failures_strike_real_midplanes(jobs):
    if not at_hand(jobs, "logged"):
        pytest.skip(f"a log for {jobs} with logged failures is not at hand")
    played = play(1, how="once", jobs=jobs, count=20, mtbf=1.0, failures="logged", seeds=2)
    assert (played.mtbf > 0.0).all()
    machine = replay_logs._machine(SOURCES[jobs][3])
    feed = replay_logs._logged(SOURCES[jobs][4], machine)
    assert len(feed) > 300
    assert feed.node.max() < machine.nodes
