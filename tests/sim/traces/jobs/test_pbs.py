import io

import pytest

from sim.traces import read_pbs, uptimes_of_jobs

SIZE = "exec_host=n1/0*64 Resource_List.nodect=1 Resource_List.ncpus=64"
USER = "user=ann group=g queue=q ctime=1777593600 qtime=1777593600 etime=1777593600"
LIMIT = "Resource_List.walltime=24:00:00"


def end(job="100.srv", *, kind="E", code="0", start=1777594200, end=1777680600, more="", size=SIZE):
    status = "" if code is None else f" Exit_status={code}"
    return (
        f"05/02/2026 00:10:00;{kind};{job};{USER} start={start} {size} {LIMIT} end={end}{status} "
        f"resources_used.walltime=24:00:00 {more}\n"
    )


def read(text, **options):
    return read_pbs(io.StringIO(text), **options)


def state(**given):
    return read(end(**given), strict=True).frame["state"].tolist()


def test_an_end_is_a_job():
    frame, report = read(end(), strict=True)
    row = frame.iloc[0].to_dict()
    assert (row["submit"], row["wait"], row["runtime"]) == (1777593600.0, 600.0, 86400.0)
    assert (row["processors"], row["nodes"], row["walltime"]) == (64, 1, 86400.0)
    assert (row["job"], row["job_id"], row["state"], row["status"]) == (
        100,
        "100.srv",
        "COMPLETED",
        1,
    )
    assert (row["user_name"], row["account"], row["partition_name"]) == ("ann", "g", "q")
    assert report.problems == ()


@pytest.mark.parametrize(
    ("code", "more", "said"),
    [
        ("1", "", "FAILED"),
        ("271", "", "TIMEOUT"),  # by a signal at the end of its time
        ("-4", "", "NODE_FAIL"),
        ("-11", "", "TIMEOUT"),  # of Torque
        ("-11", "run_count=2", "REQUEUED"),  # the same number of OpenPBS
        ("-14", "", "REQUEUED"),
        ("-14", "run_count=1", "NODE_FAIL"),
        ("-20", "run_count=1", "NODE_FAIL"),
        ("-27", "run_count=1", "OUT_OF_MEMORY"),
        ("-29", "run_count=1", "TIMEOUT"),
        ("-10", "", "OUT_OF_MEMORY"),
        ("-10", "project=_pbs_project_default", "FAILED"),
        ("-1", "", "FAILED"),
        (None, "", "FAILED"),
    ],
)
def test_the_exit_status_tells_the_state(code, more, said):
    assert state(code=code, more=more) == [said]


def test_a_signal_before_the_walltime_is_the_user_if_he_deleted_the_job():
    assert state(code="271", end=1777594300) == ["CANCELLED"]
    assert state(code="265", end=1777594300) == ["FAILED"]
    deleted = "05/02/2026 00:09:00;D;100.srv;requestor=ann@login\n"
    frame, report = read(deleted + end(code="265", end=1777594300), strict=True)
    assert frame["state"].tolist() == ["CANCELLED"]
    assert report.counts == {"deleted": 1}


def test_an_attempt_that_was_requeued_counts_and_the_next_waits_from_its_end():
    text = end(kind="R", code="-20", more="run_count=1") + end(
        start=1777680660, end=1777680720, more="run_count=2"
    )
    frame, report = read(text, strict=True)
    assert frame["state"].tolist() == ["NODE_FAIL", "COMPLETED"]
    assert frame["submit"].tolist() == [1777593600.0, 1777680600.0]
    assert frame["wait"].tolist() == [600.0, 60.0]
    found = uptimes_of_jobs(frame)
    assert (found.failures, found.observed) == (1, 86400.0 + 60.0)
    assert report.rows == 2
    assert read(end(kind="R", code=None)).frame["state"].tolist() == ["REQUEUED"]


def test_a_requeue_of_torque_that_names_no_end_ended_when_it_was_written():
    """In a zone two hours east of UTC, which the start before it tells."""
    start = (
        f"05/01/2026 02:10:00;S;7.srv;{USER} start=1777594200 exec_host=n1/0-3+n2/0,2 "
        "Resource_List.nodect=2\n"
    )
    again = "05/01/2026 03:10:00;R;7.srv;user=ann queue=q exec_host=n1/0-3+n2/0,2\n"
    frame, report = read(start + again)
    assert frame[["runtime", "processors", "nodes"]].to_numpy().tolist() == [[3600, 6, 2]]
    assert report.counts == {"started": 1}


@pytest.mark.parametrize(
    ("size", "processors", "nodes"),
    [
        ("exec_host=n1/0+n1/1+n2/0+n2/1 Resource_List.ncpus=1", 4, 2),
        ("exec_host=n1/0 Resource_List.ncpus=16", 16, 1),
        ("exec_host=n1/0*8+n1/1*8+n2/0*8 Resource_List.nodect=3 Resource_List.ncpus=24", 24, 2),
        ("Resource_List.nodect=3 Resource_List.ncpus=24", 24, 3),
        ("total_execution_slots=12 unique_node_count=3", 12, 3),
        ("", -1, -1),
    ],
)
def test_the_size_of_a_job(size, processors, nodes):
    frame, report = read(end(size=size), strict=True)
    assert frame[["processors", "nodes"]].to_numpy().tolist() == [[processors, nodes]]
    assert report.counts == ({} if nodes > 0 else {"no-processors": 1})


def test_every_record_is_accounted_for():
    start = f"05/01/2026 00:10:00;S;100.srv;{USER} start=1777594200\n"
    queued = "05/01/2026 00:00:00;Q;100.srv;queue=q\n"
    others = (
        "05/01/2026 00:00:00;L;license;floating license\n"
        "05/01/2026 00:11:00;S;9[].srv;user=ann\n"
        f"05/01/2026 00:12:00;S;101.srv;{USER} start=1777594300\n"
        "05/01/2026 00:13:00;S;102.srv;\n05/01/2026 00:14:00;S;102.srv;\n"
        "99/01/2026 00:13:00;E;102.srv;user=ann\nnoise\n"
        "05/01/2026 00:13:00;E;103.srv;user=ann\n"
    )
    trace = read(queued + start + end() + start + end() + others)
    assert trace.report.counts == {
        "queued": 1,
        "started": 3,
        "repeated": 1,
        "other-record": 1,
        "array": 1,
        "not-finished": 2,
        "bad-time": 1,
        "not-a-record": 1,
        "no-start": 1,
    }
    assert trace.report.records == trace.report.rows + sum(trace.report.counts.values())


def test_times_that_go_backwards_are_unknown():
    frame, report = read(end(start=1777593000, end=1777592000))
    assert frame[["wait", "runtime"]].to_numpy().tolist() == [[-1.0, -1.0]]
    assert report.counts == {"negative-runtime": 1, "negative-wait": 1}


def test_memory_and_names_with_blanks():
    more = 'jobname="my start=5 job" Resource_List.mem=128gb'
    row = read(end(more=more), strict=True).frame.iloc[0]
    assert row["requested_memory"] == 128 * 2.0**20 / 64
    assert row["wait"] == 600.0


def test_an_empty_file():
    assert read("").report.dropped == {"empty": 1}
