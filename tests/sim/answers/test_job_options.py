"""The case own: a recovery option for each job, from a file."""

import pytest

from asking.refusals import Refused
from sim.answers import RecoveryRequest, recovery

# Three jobs on two nodes; node 0 fails at 5 s under job 1.
LOG = """; MaxProcs: 2
1 0 -1 20 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1
2 0 -1 30 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1
3 1 -1 10 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def ask(tmp_path):
    (tmp_path / "jobs.swf").write_text(LOG)
    (tmp_path / "failures.csv").write_text("time,node,repair\n5,0,1000\n")

    def run(options, **more):
        (tmp_path / "options.csv").write_text(options)
        return recovery(
            RecoveryRequest(
                log=tmp_path / "jobs.swf",
                failures=tmp_path / "failures.csv",
                job_options=tmp_path / "options.csv",
                checkpoint_interval=None,
                checkpoint_cost=None,
                policy="fcfs",
                **more,
            )
        )

    return run


def ends(found, case="own"):
    jobs = found.cases[case].result.jobs
    return dict(zip(jobs["job"], jobs["end"], strict=True))


def test_each_job_comes_back_by_its_own_option(ask):
    # B waits behind job 3, D and E go before it, F stops job 2, A comes back at 60.
    assert ends(ask("job,option\n1,B\n")) == {1: 60.0, 2: 30.0, 3: 40.0}
    assert ends(ask("job,option\n1,e\n2,B\n")) == {1: 50.0, 2: 30.0, 3: 60.0}
    assert ends(ask("job,option\n1,F\n")) == {1: 25.0, 2: 55.0, 3: 65.0}
    found = ask("job,option\n3,F\n")
    assert ends(found)[1] == 80.0
    assert [*found.cases] == ["ff", "mr", "own"]
    assert found.notes[-1] == "options.csv: options of 1 of 3 jobs; the others have A"
    assert [option.name for option in found.cases["own"].options] == ["A", "A", "F"]


@pytest.mark.parametrize(
    ("options", "more", "message"),
    [
        ("job,option\n1,G\n", {}, "line 2: option must be one of A, B, C, D, E, F, got 'G'"),
        ("job,option\n7,B\n", {}, "line 2: job must be one of LOG, got '7'"),
        ("job,option\n1,B\n1,C\n", {}, "line 3: job must be one of its own, got '1' as in line 2"),
        ("job\n1\n", {}, "must begin with a line job,option, got 'job'"),
        ("job,option\n1,B\n", {"cases": ("mr",)}, "job_options must come with cases own"),
        (
            "job,option\n1,F\n",
            {"cases": ("own",), "credits": "A=0,B=1"},
            "credits must have a price for each option of the cases, got none for F",
        ),
    ],
)
def test_what_is_no_option_is_refused(ask, options, more, message):
    with pytest.raises((Refused, ValueError), match=message):
        ask(options, **more)
