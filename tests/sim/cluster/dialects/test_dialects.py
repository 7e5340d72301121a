"""The rules of other simulators: cases by hand, and the schedules that they published."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Workload, flat, replay
from sim.cluster.dialects import DIALECTS, ConservativeByRuntime, UnenforcedEasy
from tests.support.examples import examples
from tests.support.public_logs import trace

CQSIM = "reference-results/cqsim/SDSC-SP2-1998-4.rst.xz"
CQSIM_PLUS = "reference-results/cqsimplus/theta_1000.rst.xz"


def starts(jobs, policy, *, processors=4, **more):
    """Return the starts of (submit, runtime, walltime, processors), in order of submission."""
    submit, runtime, walltime, size = zip(*jobs, strict=True)
    workload = Workload(submit, runtime, walltime, size)
    return replay(workload, flat(processors), policy=policy, **more).jobs["start"].tolist()


# One job runs until 10, planned until 20; the next needs the whole machine.
HELD = [(0, 10, 20, 2), (1, 30, 40, 4)]


def test_cqsim_plans_waiting_jobs_by_their_running_times():
    # At 2 the third would really end by 20, though its wall time says 32.
    jobs = [*HELD, (2, 18, 30, 2)]
    assert starts(jobs, ConservativeByRuntime()) == [0, 20, 2]
    assert starts(jobs, "conservative") == [0, 10, 40]


def test_cqsim_plans_running_jobs_by_their_wall_times():
    # The whole machine is expected at 20: the third, of 18 s, does not delay it in the plan.
    assert starts([*HELD, (2, 19, 19, 2)], ConservativeByRuntime()) == [0, 10, 40]
    assert starts([*HELD, (2, 18, 18, 2)], ConservativeByRuntime()) == [0, 20, 2]


def test_cqsim_reserves_for_every_job():
    # The third job, of 3 processors, would be delayed by the fourth though the second is not.
    jobs = [(0, 10, 10, 2), (1, 5, 5, 4), (2, 5, 5, 3), (3, 5, 5, 2), (3, 12, 12, 1)]
    found = starts(jobs, ConservativeByRuntime(), event_order="ends-first")
    assert found == [0, 10, 15, 3, 15]


def test_cqsim_counts_jobs_from_the_head_of_a_pass_by_their_walltime():
    # At 5 job 1 starts from the head. By its 4 s job 2 would be planned at 9, and job 3 hold
    # it off; by its 20 s job 2 is planned at 25, so that job 3 starts at once.
    jobs = Workload([0, 1, 2, 3], [5, 4, 3, 12], [5, 20, 3, 12], [4, 3, 4, 1])
    found = replay(jobs, flat(4), **DIALECTS["cqsim"].options())
    assert found.job_records.start.tolist() == [0.0, 5.0, 17.0, 5.0]


def test_cqsim_takes_each_end_alone():
    # Two ends at 10. After the first, 2 of 4 are free until 12, as planned, and job 3 starts
    # before the second would have let job 2 start.
    jobs = Workload([0, 0, 1, 2], [10, 10, 5, 2], [10, 12, 5, 2], [2, 2, 4, 2])
    options = DIALECTS["cqsim"].options()
    found = replay(jobs, flat(4), **options)
    assert found.job_records.start.tolist() == [0.0, 0.0, 12.0, 10.0]
    found = replay(jobs, flat(4), **options | {"event_order": "batch"})
    assert found.job_records.start.tolist() == [0.0, 0.0, 10.0, 15.0]


def test_pyss_takes_submissions_before_ends_that_come_early():
    # Job 0 ends at 4, earlier than planned; job 2 is submitted at 4 and is seen before that.
    jobs = Workload([0, 1, 4], [4, 5, 5], [10, 5, 5], [3, 4, 1])
    found = replay(jobs, flat(4), **DIALECTS["pyss"].options())
    assert found.job_records.start.tolist() == [0.0, 9.0, 4.0]
    assert replay(jobs, flat(4)).job_records.start.tolist() == [0.0, 4.0, 9.0]


def test_accasim_lets_all_that_fit_pass():
    # EASY protects the second job; AccaSim does not.
    jobs = [(0, 10, 10, 2), (1, 5, 5, 4), (2, 30, 30, 2)]
    assert starts(jobs, "easy") == [0, 10, 15]
    assert starts(jobs, UnenforcedEasy()) == [0, 32, 2]


def test_accasim_does_not_try_the_blocked_job_before_its_time():
    # The first ends at 5, planned at 20; the second, due at 20, is not tried at 6.
    jobs = [(0, 5, 20, 4), (1, 5, 5, 4), (6, 1, 1, 1), (25, 1, 1, 1)]
    assert starts(jobs, UnenforcedEasy()) == [0, 25, 6, 30]
    assert starts(jobs, "easy") == [0, 5, 10, 25]


def test_accasim_counts_on_when_nothing_is_left_to_happen():
    assert starts([(0, 5, 20, 4), (1, 5, 5, 4)], UnenforcedEasy()) == [0, 20]


def test_accasim_does_not_end_jobs_at_their_walltime():
    jobs = Workload([0, 1], [10, 5], [4, 5], [4, 4])
    found = replay(jobs, flat(4), **DIALECTS["accasim"].options("fcfs"))
    assert found.jobs["end"].tolist() == [10, 15]


def test_a_dialect_gives_the_arguments_of_a_replay():
    found = DIALECTS["pyss"].options("conservative")
    assert found["policy"].compress
    assert found["event_order"] == "submissions-first"
    with pytest.raises(ValueError, match="policy must be one of conservative, fcfs, got 'easy'"):
        DIALECTS["cqsim"].options("easy")


@st.composite
def workloads(draw):
    count = draw(st.integers(1, 30))
    gaps = draw(st.lists(st.integers(0, 20), min_size=count, max_size=count))
    runtime = draw(st.lists(st.integers(1, 60), min_size=count, max_size=count))
    slack = draw(st.lists(st.integers(0, 60), min_size=count, max_size=count))
    size = draw(st.lists(st.integers(1, 8), min_size=count, max_size=count))
    return Workload(np.cumsum(gaps), runtime, np.add(runtime, slack), size)


@settings(deadline=None, max_examples=examples(240))
@given(workloads(), st.sampled_from(sorted(DIALECTS)))
def test_every_job_runs_and_the_machine_is_never_too_full(workload, name):
    for policy in DIALECTS[name].policies:
        found = replay(workload, flat(8), **DIALECTS[name].options(policy)).job_records
        assert not np.isnan(found.start).any()
        assert (found.start >= found.submit).all()
        for time in found.start:
            running = (found.start <= time) & (found.end > time)
            assert workload.processors[running].sum() <= 8


def published(path):
    """Return job, processors, requested time, runtime, submission and start of CQSim's result."""
    rows = np.loadtxt(trace(path), delimiter=";", usecols=(0, 1, 3, 4, 6, 7))
    return rows[np.lexsort((rows[:, 0], rows[:, 4]))].T


@pytest.mark.parametrize(
    ("path", "processors", "jobs"),
    [
        (CQSIM_PLUS, 4360, 1_000),
        pytest.param(CQSIM, 128, 67_620, marks=pytest.mark.slow),
    ],
)
def test_published_starts_of_cqsim_are_reached_job_by_job(path, processors, jobs):
    job, size, walltime, runtime, submit, start = published(path)
    workload = Workload(submit, runtime, walltime, size, job=job)
    found = replay(workload, flat(processors), **DIALECTS["cqsim"].options())
    assert len(workload) == jobs
    assert np.flatnonzero(found.job_records.start != start).size == 0
    usual = replay(workload, flat(processors), policy="easy", event_order="ends-first")
    assert np.flatnonzero(usual.job_records.start != start).size > jobs // 2
