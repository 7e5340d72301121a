import io

import numpy as np
import pytest

from sim.traces import SWF_COLUMNS, read_sacct

HEAD = "JobID|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|NNodes|State|User|Partition\n"
ROW = (
    "12|2024-01-01T00:00:00|2024-01-01T00:05:00|2024-01-01T01:05:00|01:00:00|1-02:00:00"
    "|64|2|COMPLETED|ann|batch\n"
)


def read(text, **options):
    return read_sacct(io.StringIO(text), **options)


def test_a_record_becomes_a_job():
    frame, report = read(HEAD + ROW, strict=True)
    assert list(frame.columns[:18]) == list(SWF_COLUMNS)
    record = frame.iloc[0].to_dict()
    assert record["submit"] == 1_704_067_200.0
    assert (record["wait"], record["runtime"], record["walltime"]) == (300.0, 3600.0, 93_600.0)
    assert (record["processors"], record["nodes"], record["status"]) == (64, 2, 1)
    assert (record["user_name"], record["partition_name"]) == ("ann", "batch")
    assert report.problems == ()


def test_raw_columns_come_first():
    frame, _ = read(
        "JobID|JobIDRaw|Submit|ElapsedRaw|TimelimitRaw|NCPUS|ReqCPUS\n"
        "9_4|77|2024-01-01T00:00:00|90|15|4|8\n"
    )
    record = frame.iloc[0].to_dict()
    assert (record["job"], record["job_id"]) == (77, "9_4")
    assert (record["runtime"], record["walltime"]) == (90.0, 900.0)
    assert (record["processors"], record["requested_processors"]) == (4, 8)
    assert (record["wait"], record["status"]) == (-1.0, -1)


def test_steps_are_skipped_and_counted():
    step = ROW.replace("12|", "12.batch|", 1)
    frame, report = read(HEAD + ROW + step, strict=True)
    assert len(frame) == 1
    assert report.dropped == {"job-step": 1}


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("COMPLETED", 1),
        ("CANCELLED by 1001", 5),
        ("CANCELLED+", 5),
        ("NODE_FAIL", 0),
        ("TIMEOUT", 0),
        ("RUNNING", -1),
    ],
)
def test_states(state, status):
    assert read(HEAD + ROW.replace("COMPLETED", state)).frame["status"].tolist() == [status]


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [("30:00", 1800.0), ("01:00:00", 3600.0), ("2-00:00:01", 172_801.0), ("UNLIMITED", -1.0)],
)
def test_time_limits(limit, seconds):
    text = HEAD + ROW.replace("1-02:00:00", limit)
    assert read(text, strict=True).frame["walltime"].tolist() == [seconds]


@pytest.mark.parametrize(
    ("memory", "kibibytes"),
    [
        ("64Gn", 2 * 64 * 2.0**20 / 64),
        ("4000Mc", 4000 * 1024.0),
        ("64G", 2.0**20),
        ("1.5T", 1.5 * 2.0**30 / 64),
        ("0n", -1.0),
        ("", -1.0),
        ("plenty", -1.0),
    ],
)
def test_requested_memory_is_that_of_a_processor(memory, kibibytes):
    """The job asks for 64 processors on 2 nodes."""
    head, row = HEAD.replace("\n", "|ReqMem\n"), ROW.replace("\n", f"|{memory}\n")
    frame, report = read(head + row)
    assert frame["requested_memory"].tolist() == [kibibytes]
    assert report.counts == ({"bad-memory": 1} if memory == "plenty" else {})


def test_a_job_that_never_started():
    text = HEAD + ROW.replace("2024-01-01T00:05:00", "Unknown").replace("01:00:00|1", "00:00:00|1")
    frame, report = read(text, strict=True)
    assert frame.loc[0, ["wait", "runtime"]].tolist() == [-1.0, 0.0]
    assert report.counts == {"not-started": 1}


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("12|2024", "wrong-columns"),
        (ROW.replace("2024-01-01T00:00:00", "yesterday"), "bad-time"),
        (ROW.replace("2024-01-01T00:00:00", "Unknown"), "bad-time"),
        (ROW.replace("|01:00:00|", "|an hour|"), "bad-time"),
        (ROW.replace("|64|", "|many|"), "not-a-number"),
        (ROW.replace("12|", "x|", 1), "not-a-number"),
    ],
)
def test_malformed_records(row, rule):
    frame, report = read(HEAD + ROW + row)
    assert len(frame) == 1
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 3: "):
        read(HEAD + ROW + row, strict=True)


def test_a_start_before_the_submission_leaves_the_wait_unknown():
    text = HEAD + ROW.replace("|2024-01-01T00:05:00", "|2023-12-31T00:00:00")
    frame, report = read(text)
    assert frame["wait"].tolist() == [-1.0]
    (problem,) = report.problems
    assert (problem.line, problem.rule, problem.effect) == (2, "negative-wait", "repaired")
    assert problem.reason == "12 started 86400 s before it was submitted: wait unknown"


def test_an_end_before_the_start_leaves_the_runtime_unknown():
    text = "JobID|Submit|Start|End|NCPUS\n7|2024-01-02T00:00:00|2024-01-02T00:00:00|{}|4\n"
    frame, report = read(text.format("2024-01-01T00:00:00"))
    assert frame["runtime"].tolist() == [-1.0]
    assert [(p.line, p.rule, p.effect) for p in report.problems] == [
        (2, "negative-runtime", "repaired")
    ]
    assert read(text.format("2024-01-02T00:00:09")).frame["runtime"].tolist() == [9.0]


@pytest.mark.parametrize("counts", ["|", "|Unknown"])
def test_a_job_of_unknown_size_is_reported(counts):
    text = f"JobID|Submit|Elapsed|NCPUS|NNodes\n7|2024-01-02T00:00:00|00:09|{counts}\n"
    frame, report = read(text)
    if counts == "|":
        assert frame["processors"].tolist() == [-1]
        assert report.counts == {"no-processors": 1}
    else:
        assert report.dropped == {"not-a-number": 1}


def test_a_request_of_no_processors_is_reported():
    text = "JobID|Submit|Elapsed|NCPUS|ReqCPUS\n7|2024-01-02T00:00:00|00:09|4|0\n"
    frame, report = read(text)
    assert frame["requested_processors"].tolist() == [-1]
    assert report.counts == {"no-request": 1}


def test_a_submission_before_1970_is_dropped():
    text = HEAD + ROW.replace("2024-01-01T00:00:00", "1969-12-31T23:59:59")
    assert read(text).report.dropped == {"bad-time": 1}


def test_empty_and_foreign_files():
    frame, report = read("")
    assert frame["runtime"].dtype == np.float64
    assert report.dropped == {"empty": 1}
    with pytest.raises(ValueError, match="line 1: the header must name Submit"):
        read("JobID|Elapsed|NCPUS\n")


BROKEN = (
    "JobIDRaw|#Comment|#Submit|#Elapsed|#AllocCPUS|#State\n"
    "7|#a | b|#2024-03-01T08:00:00|#01:00:00|#64|#COMPLETED\n"
    "8|#first\nsecond\n\nfourth|#2024-03-01T08:10:00|#00:30:00|#32|#FAILED\n"
    "9|#cut off\n"
    "10|#|#2024-03-01T08:20:00|#00:10:00|#16|#COMPLETED\n"
)


def test_a_delimiter_of_several_characters_is_taken_from_the_header():
    trace = read_sacct(io.StringIO(BROKEN))
    assert trace.frame["job"].tolist() == [7, 8, 10]
    assert trace.frame["processors"].tolist() == [64, 32, 16]
    assert trace.frame["runtime"].tolist() == [3600.0, 1800.0, 600.0]


def test_lines_of_a_field_with_line_breaks_are_joined_and_said():
    report = read_sacct(io.StringIO(BROKEN)).report
    assert report.records == 4
    assert report.counts == {"line-break": 1, "wrong-columns": 1}
    assert "line-break: 1 noted; first at line 3: a field has a line break: 4 lines" in str(report)
    assert "wrong-columns: 1 dropped; first at line 7" in str(report)


def test_the_end_of_a_cut_line_is_not_taken_for_another_job():
    head, row = BROKEN.splitlines()[0], BROKEN.splitlines()[1]
    trace = read_sacct(io.StringIO(f"{head}\n{row}\n9|#cut\n{row}\n"))
    assert trace.frame["job"].tolist() == [7, 7]
    assert trace.report.counts == {"wrong-columns": 1}
