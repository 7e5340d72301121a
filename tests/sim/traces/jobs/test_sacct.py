import io

import numpy as np
import pandas as pd
import pytest

from sim.traces import SWF_COLUMNS, job_format_of, read_sacct

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


def test_columns_that_are_unknown_everywhere_are_written_to_one_by_one():
    frame, _ = read(HEAD + ROW + ROW.replace("12|", "13|"))
    unknown = ["executable", "queue", "preceding_job", "memory", "think_time"]
    assert (frame[unknown] == -1).all(axis=None)
    frame.loc[0, "queue"], frame.loc[1, "memory"] = 5, 7.0
    assert frame[unknown].to_numpy().tolist() == [[-1, 5, -1, -1, -1], [-1, -1, -1, 7, -1]]


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
    with pytest.raises(ValueError, match=r"line 1: the header must name AllocCPUS .*: take what "):
        read("JobID|Submit|Elapsed\n")
    with pytest.raises(ValueError, match="line 1: the header must name ElapsedRaw or Elapsed"):
        read("JobID|End|NCPUS\n1|2024-01-01T00:00:00|1\n")


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
    trace = read_sacct(io.StringIO(f"{head}\n{row}\n9|#cut\n1{row}\n"))
    assert trace.frame["job"].tolist() == [7, 17]
    assert trace.report.counts == {"wrong-columns": 1}


DAY = "2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-02T00:00:00"
COLUMNS = "JobIDRaw|Submit|Start|End|NNodes|AllocCPUS|State"
ROWS = f"{COLUMNS}\n1|{DAY}|10|480|NODE_FAIL\n2|{DAY}|10|480|COMPLETED\n"


def as_bytes(text, coding="utf-8"):
    return read_sacct(io.BytesIO(text.encode(coding)))


def same_jobs(trace, text=ROWS):
    wanted = read(text).frame
    return all(
        trace.frame[name].tolist() == wanted[name].tolist()
        for name in ("submit", "wait", "runtime", "processors", "nodes", "state")
    )


def quoted(text, mark=","):
    return "".join(
        mark.join(f'"{field}"' for field in line.split("|")) + "\n" for line in text.splitlines()
    )


def with_index(text):
    """As pandas writes it."""
    head, *rows = text.replace("|", ",").replace("T00", " 00").splitlines()
    return "\n".join([f",{head}", *(f"{place},{row}" for place, row in enumerate(rows))])


@pytest.mark.parametrize(
    "text",
    [
        ROWS.replace("|", ","),
        ROWS.replace("|", ";"),
        ROWS.replace("|", "\t"),
        quoted(ROWS),
        quoted(ROWS, ";"),
        with_index(ROWS),
        "sep=;\n" + ROWS.replace("|", ";"),
        ROWS.replace("\n", "|\n"),  # of --parsable
        "sacct: error: slow database\n\n" + ROWS,
        ROWS + COLUMNS + "\n",  # joined exports
        "\ufeff" + ROWS,
        ROWS.replace("JobIDRaw|Submit|Start", "jobidraw|submit|start"),
    ],
    ids=range(12),
)
@pytest.mark.parametrize("coding", ["utf-8", "utf-16"])
def test_a_detour_changes_nothing(text, coding):
    assert same_jobs(as_bytes(text, coding))
    if "jobidraw" not in text:
        assert job_format_of(io.BytesIO(text.encode(coding))) == "sacct"


def test_lines_of_standard_error_are_dropped_with_a_rule():
    trace = read(ROWS + "sacct: error: lost the database\n" + f"3|{DAY}|10|480|COMPLETED\n")
    assert len(trace.frame) == 3
    assert trace.report.dropped == {"wrong-columns": 1}


def test_times_may_be_unix_seconds_of_any_unit():
    head = "JobIDRaw|Submit|Start|End|NNodes|State\n"
    row = (
        "1|1772323200{0}|1772323260{0}|1772409660{0}|10|NODE_FAIL\n"
        "2|1772323200{0}|Unknown|Unknown|1|PENDING\n"
    )
    frame, report = read(head + row.format(""), strict=True)
    assert frame["submit"].tolist() == [1772323200.0, 1772323200.0]
    assert frame["runtime"].tolist() == [86400.0, -1.0]
    assert report.counts == {"not-started": 1}
    frame, report = read(head + row.format("000"), strict=True)
    assert frame["submit"].tolist() == [1772323200.0, 1772323200.0]
    assert report.counts == {"not-started": 1}
    assert read(head + row.format("").replace("1772323200", "17723")).report.dropped == {
        "bad-time": 2
    }


HEADLESS = (
    "5000+0|5000|2026-03-01T08:00:00|2026-03-01T08:10:00|2026-03-01T10:10:00|02:00:00|04:00:00"
    "|64|2|4G|COMPLETED|u1\n"
    "5000+0.batch|5000.batch|2026-03-01T08:10:00|2026-03-01T08:10:00|2026-03-01T10:10:00|02:00:00"
    "||32|1||COMPLETED|\n"
    "6000_[1-1000%50]|6000|2026-03-01T09:00:00|Unknown|Unknown|00:00:00|05:00:00|0|1|3G|PENDING"
    "|u2\n"
    "6000_7|6003|2026-03-01T09:00:00|2026-03-01T09:30:00|2026-03-02T09:30:00|1-00:00:00|2-00:00:00"
    "|4|1|3G|NODE_FAIL|u2\n"
)
NAMES = "JobID,JobIDRaw%20,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,NNodes,ReqMem,State,User"


def test_columns_without_names_are_told_by_their_values_or_named():
    guessed, named = read(HEADLESS, strict=True), read(HEADLESS, strict=True, fields=NAMES)
    for trace in (guessed, named):
        assert trace.frame["job"].tolist() == [5000, 6000, 6003]
        assert trace.frame["processors"].tolist() == [64, 0, 4]
        assert trace.frame["nodes"].tolist() == [2, 1, 1]
        assert trace.frame["walltime"].tolist() == [14400.0, 18000.0, 172800.0]
        assert trace.frame["wait"].tolist() == [600.0, -1.0, 1800.0]
    assert named.frame["user_name"].tolist() == ["u1", "u2", "u2"]
    assert "no-header" in guessed.report.counts
    assert "no-header" not in named.report.counts
    assert job_format_of(io.StringIO(HEADLESS)) == "sacct"
    assert job_format_of(io.StringIO(HEADLESS.replace("|", ","))) == "sacct"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        # Nodes or processors?
        ("1|2026-03-01T08:00:00|2026-03-01T09:00:00|01:00:00|4|FAILED\n", "NNodes or AllocCPUS"),
        ("x|y|z\n", "JobIDRaw or JobID"),
        ("1|2026-03-01T08:00:00|4|FAILED\n", "which of its 1 columns of dates"),
    ],
)
def test_columns_that_can_be_read_in_two_ways_are_refused_with_the_option(rows, words):
    with pytest.raises(ValueError, match=rf"line 1: the header must name {words}.*fields"):
        read(rows)


def test_output_for_people_has_columns_of_fixed_width():
    text = (
        "JobID                     State              Submit               Start                 "
        "End   NNodes  AllocCPUS \n"
        "-------------------- ---------- ------------------- ------------------- "
        "------------------- -------- ---------- \n"
        "            11303562 OUT_OF_ME+ 2026-08-12T20:55:26 2026-08-12T21:54:54 "
        "2026-08-14T08:07:16        4        192 \n"
        "      11303562.batch  COMPLETED 2026-08-12T21:54:54 2026-08-12T21:54:54 "
        "2026-08-14T08:07:16        1         48 \n"
        "            11303563 NODE_FAIL+ 2026-08-12T22:55:26 2026-08-12T23:54:54 "
        "2026-08-13T08:07:16        8        384 \n"
    )
    frame, report = read(text, strict=True)
    assert frame["state"].tolist() == ["OUT_OF_MEMORY", "NODE_FAIL"]
    assert frame["nodes"].tolist() == [4, 8]
    assert report.dropped == {"job-step": 1}


def test_without_submit_the_start_stands_in_and_it_is_said():
    text = ROWS.replace("Submit|", "").replace("2026-03-01T00:00:00|2026", "2026", 1)
    text = text.replace("2|2026-03-01T00:00:00|2026", "2|2026")
    frame, report = read(text, strict=True)
    assert frame["wait"].tolist() == [0.0, 0.0]
    assert report.counts == {"submit-is-start": 2}
    frame, _ = read("JobID|Elapsed|NNodes|State\n1|01:00:00|4|NODE_FAIL\n", strict=True)
    assert frame[["submit", "runtime", "nodes"]].to_numpy().tolist() == [[-1, 3600, 4]]


@pytest.mark.parametrize(
    ("column", "value", "nodes"),
    [
        ("AllocNodes", "10", 10),
        ("NNodes", "10.0", 10),
        ("NodeList", "n[1-3,7]", 4),
        ("NodeList", "rack[1-2]n[01-16],login", 33),
        ("NodeList", "None assigned", -1),
        ("AllocTRES", "billing=96,cpu=96,mem=100G,node=2", 2),
        ("AllocTRES", "", -1),
    ],
)
def test_nodes_may_be_told_in_several_ways(column, value, nodes):
    text = f"JobID|Submit|Elapsed|{column}\n1|2026-03-01T00:00:00|01:00:00|{value}\n"
    assert read(text, strict=True).frame["nodes"].tolist() == [nodes]


def test_rounded_counts_are_said_unless_another_column_is_exact():
    head = "JobID|Submit|Elapsed|NNodes|AllocCPUS{}\n"
    row = "1|2026-03-01T00:00:00|01:00:00|9.41K|602112{}\n"
    frame, report = read(head.format("") + row.format(""), strict=True)
    assert frame["nodes"].tolist() == [9410]
    assert report.counts == {"approximate": 1}
    more = "|cpu=602112,node=9408"
    frame, report = read(head.format("|AllocTRES") + row.format(more), strict=True)
    assert frame["nodes"].tolist() == [9408]
    assert report.counts == {}


def test_bars_in_free_text_are_told_by_the_number_of_columns():
    head = "JobIDRaw|JobName|Submit|Start|End|NNodes|State|Comment\n"
    rows = f"1|crazy|name|{DAY}|10|NODE_FAIL|\n2|a|b|c|{DAY}|10|COMPLETED|x|y\n"
    frame, report = read(head + rows, strict=True)
    assert frame["state"].tolist() == ["NODE_FAIL", "COMPLETED"]
    assert frame["nodes"].tolist() == [10, 10]
    assert report.counts == {"free-text": 2}


@pytest.mark.parametrize(
    ("limit", "seconds"), [("2-12", 216_000.0), ("90", 5_400.0), ("2-12:30", 217_800.0)]
)
def test_time_limits_of_other_forms(limit, seconds):
    text = HEAD + ROW.replace("1-02:00:00", limit)
    assert read(text, strict=True).frame["walltime"].tolist() == [seconds]


def test_a_row_that_comes_twice_counts_once():
    trace = read(ROWS + ROWS.partition("\n")[2])
    assert same_jobs(trace)
    assert trace.report.counts == {"repeated": 2}
    assert trace.report.records == 4
    attempts = ROWS + f"1|{DAY}|10|480|COMPLETED\n1|{DAY.replace('03-02', '03-03')}|1|1|NODE_FAIL\n"
    assert len(read(attempts).frame) == 4


def test_an_attempt_that_was_still_running_counts_by_its_end():
    runs = f"1|{DAY[:39]}|Unknown|10|480|RUNNING\n3|{DAY[:19]}|Unknown|Unknown|10|480|PENDING\n"
    rest = f"3|{DAY}|10|480|COMPLETED\n4|{DAY[:39]}|Unknown|10|480|RUNNING\n"
    trace = read(f"{COLUMNS}\n{runs}" + ROWS.partition("\n")[2] + rest)
    assert trace.frame["job"].tolist() == [1, 2, 3, 4]
    assert trace.frame["state"].tolist() == ["NODE_FAIL", "COMPLETED", "COMPLETED", "RUNNING"]
    assert trace.report.counts == {"seen-running": 2}


def test_a_log_of_failures_alone_is_warned_of():
    text = f"{COLUMNS}\n1|{DAY}|10|480|NODE_FAIL\n2|{DAY}|10|480|NODE_FAIL\n"
    said = str(read(text, strict=True).report)
    assert "only-failures: 1 noted" in said
    assert "sacct --allusers --duplicates" in said
    assert "only-failures" not in read(ROWS).report.counts


def test_requeued_jobs_without_their_attempts_are_warned_of():
    head, rows = ROWS.split("\n", 1)
    first, second = rows.splitlines()
    text = f"{head}|Restarts\n{first}|2\n{second}|0\n"
    assert read(text, strict=True).report.counts == {"no-attempts": 1}
    again = first.replace("2026-03-01", "2026-04-01").replace("2026-03-02", "2026-04-02")
    assert read(f"{text}{again}|2\n", strict=True).report.counts == {}
    assert read(ROWS.replace("NODE_FAIL", "REQUEUED")).report.counts == {"no-attempts": 1}


def test_more_than_a_megabyte_is_read_alike():
    """By the compiled twins: the same rows, many times with other numbers."""
    few = "".join(
        f"{row}|{DAY}|{row % 7}|{48 * row}|{'NODE_FAIL' if row % 3 else 'CANCELLED by 7'}\n"
        for row in range(1, 40)
    )
    many = "".join(
        f"{row}|{DAY}|{row % 7}|{48 * row}|{'NODE_FAIL' if row % 3 else 'CANCELLED by 7'}\n"
        for row in range(1, 14_000)
    )
    small, large = read(f"{COLUMNS}\n{few}"), read(f"{COLUMNS}\n{many}9x|{DAY}|K|3|FAILED\n")
    assert small.frame.equals(large.frame.iloc[: len(small.frame)])
    assert large.report.dropped == {"not-a-number": 1}
    assert large.frame["job_id"].iloc[-1] == "13999"


def written(rows, *, delimiter="|", epoch=False):
    """Return a log with steps, tasks of arrays, a few sizes that are rounded, and quotes in CSV."""
    names = "JobID,JobIDRaw,JobName,Submit,Start,End,Elapsed,NNodes,NCPUS,NodeList,State,Restarts"
    lines = [names.replace(",", delimiter)]
    for row in range(rows):
        own = f"{row // 4}_{row % 4}" if row % 3 else f"{row}"
        raw = "" if row % 11 == 1 else f"{rows + row}"
        times = [str(1_700_000_000 + 50 * row + more) for more in (0, 60, 60 + row % 900)]
        if not epoch:
            times = [str(np.datetime64(int(time), "s")) for time in times]
        times[2] = "Unknown" if row % 50 == 7 else times[2]
        length = f"00:{row % 900 // 60:02}:{row % 60:02}"
        fields = [own, raw, "a, b", *times, length, "1.50K" if row % 40 == 3 else "2", f"{row % 8}"]
        fields += ["n[1-2]", "FAILED" if row % 9 else "CANCELLED by 7", "0"]
        for name in (own, own + ".batch") if row % 2 else (own,):
            step = raw + name.removeprefix(own)
            said = [name, step, *fields[2:]]
            quoted = [f'"{field}"' if "," in field or row % 3 else field for field in said]
            lines.append(delimiter.join(quoted if delimiter == "," else said))
    return "\n".join(lines)


@pytest.mark.parametrize("delimiter", ["|", ","])
@pytest.mark.parametrize("epoch", [False, True])
def test_a_large_log_of_any_kind_is_read_as_its_beginning_alone(delimiter, epoch):
    large = read(text := written(9_000, delimiter=delimiter, epoch=epoch))
    small = read("\n".join(text.split("\n")[:901]))
    assert len(text) > 1 << 20
    assert small.report.counts["job-step"] == 300
    head = large.frame.iloc[: len(small.frame)]
    pd.testing.assert_frame_equal(small.frame, head)
    assert set(large.frame["nodes"]) == {2}
    assert large.report.records == len(text.split("\n")) - 1
    assert set(large.report.counts) == set(small.report.counts)


AMERICAN = (
    "JobID|Submit|Start|End|NNodes|State\n"
    "1|11/02/2026 04:48:00|11/02/2026 05:00:00|11/03/2026 05:00:00|2|COMPLETED\n"
    "2|11/05/2026 04:48:00|11/05/2026 05:00:00|11/09/2026 05:00:00|2|NODE_FAIL\n"
)


def test_dates_of_two_readings_need_their_order():
    with pytest.raises(ValueError, match=r"line 2: .*11/02/2026.*: date_order month-first or"):
        read(AMERICAN)
    days = {
        order: read(AMERICAN, date_order=order).frame["runtime"].div(86_400.0).tolist()
        for order in ("month-first", "day-first")
    }
    assert days == {"month-first": [1.0, 4.0], "day-first": [28.0, 123.0]}
    with pytest.raises(ValueError, match="date_order must be one of month-first, day-first, got"):
        read(AMERICAN, date_order="year-first")


def test_a_day_above_twelve_shows_the_order_and_it_is_said():
    table = read(AMERICAN.replace("11/09/2026", "11/19/2026"))
    assert table.frame["runtime"].tolist() == [86_400.0, 14 * 86_400.0]
    assert table.report.counts == {"date-order": 1}


def test_days_that_come_first_tell_the_columns_without_a_header_too():
    rows = "".join(
        f"{job}|{day:02}/11/2026 04:48:00|{day:02}/11/2026 05:00:00|{day + 1:02}/11/2026 05:00:00"
        f"|1-00:00:00|4|32|COMPLETED\n"
        for job, day in ((1, 21), (2, 22), (3, 24), (4, 28))
    )
    table = read(rows)
    assert set(table.frame["runtime"]) == {86_400.0}
    assert set(table.frame["wait"]) == {720.0}
    assert {"date-order", "no-header"} <= set(table.report.counts)
