import io

import numpy as np
import pandas as pd
import pytest

from sim.traces import read_job_table, read_jobs, uptimes_of_jobs

HEAD = "job_id,submit_time,start_time,end_time,nodes,state\n"
ROWS = (
    "1,2026-03-01 00:00:00,2026-03-01 00:10:00,2026-03-01 01:10:00,4,COMPLETED\n"
    "2,2026-03-01 00:05:00,2026-03-01 01:10:00,2026-03-01 03:10:00,2,NODE_FAIL\n"
)


def read(text, **options):
    return read_job_table(io.StringIO(text), **options)


def columns(frame, *names):
    return [frame[name].tolist() for name in names]


def test_columns_are_found_by_their_names():
    frame, report = read(HEAD + ROWS, strict=True)
    assert columns(frame, "wait", "runtime", "nodes", "processors", "status") == [
        [600.0, 3900.0],
        [3600.0, 7200.0],
        [4, 2],
        [4, 2],
        [1, 0],
    ]
    assert report.counts == {"columns": 1}
    assert "submit 'submit_time'" in str(report)
    found = uptimes_of_jobs(frame)
    assert (found.failures, found.observed) == (1, 4 * 3600.0 + 2 * 7200.0)


def test_jobs_in_german():
    text = "Auftrag;Knoten;Beginn;Laufzeit (h);Zustand\n1;4;05.01.2026 08:00;24,5;abgeschlossen\n"
    trace = read(text + "2;2;05.01.2026 09:00;12,5;Knotenausfall\n")
    assert columns(trace.frame, "nodes", "runtime") == [[4, 2], [24.5 * 3600.0, 12.5 * 3600.0]]
    found = uptimes_of_jobs(trace.frame)
    assert (found.failures, found.observed) == (1, (4 * 24.5 + 2 * 12.5) * 3600.0)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("Job ID;Submitted At;Started;Finished;Num Nodes;Final State", {}),
        ("id;created_at;begin;finish;node_count;status", {}),
        ("a;b;c;d;e;f", dict(zip(["a", "b", "c", "d", "e", "f"], range(6), strict=True))),
    ],
)
def test_other_names_are_known_or_named(names, told):
    roles = ("job", "submit", "start", "end", "nodes", "state")
    given = {roles[place]: name for name, place in told.items()}
    frame = read(f"{names}\n{ROWS.replace(',', ';')}", columns=given, strict=True).frame
    assert columns(frame, "wait", "runtime", "nodes", "state") == [
        [600.0, 3900.0],
        [3600.0, 7200.0],
        [4, 2],
        ["COMPLETED", "NODE_FAIL"],
    ]


@pytest.mark.parametrize(
    ("name", "value", "seconds"),
    [
        ("duration_h", "2", 7200.0),
        ("duration (min)", "120", 7200.0),
        ("runtime_seconds", "7200.0", 7200.0),
        ("runtimeMs", "7200000", 7200.0),
        ("elapsed", "02:00:00", 7200.0),
        ("elapsed", "1-02:00:00", 93_600.0),
        ("elapsed", "2h", 7200.0),
        ("duration", "7200", 7200.0),
    ],
)
def test_a_length_of_time_has_the_unit_of_its_name_or_its_own(name, value, seconds):
    frame = read(f"job,submit,{name},cpus\n1,5,{value},4\n", strict=True).frame
    assert frame["runtime"].tolist() == [seconds]


def test_a_length_without_a_unit_is_taken_in_the_one_that_the_times_tell():
    head = HEAD.replace("state", "duration")
    frame, report = read(head + ROWS.replace("COMPLETED", "60").replace("NODE_FAIL", "120"))
    assert frame["runtime"].tolist() == [3600.0, 7200.0]
    assert report.counts["unit"] == 1
    text = "job,submit,duration,nodes,time_limit\n1,0,3600,1,120\n2,0,7200,1,240\n"
    assert read(text).frame["walltime"].tolist() == [7200.0, 14_400.0]


@pytest.mark.parametrize("scale", [1, 1_000, 1_000_000, 1_000_000_000])
def test_numbers_since_1970_may_be_of_any_unit(scale):
    text = f"id,submit,start,end,nodes\n1,{1772323200 * scale},{1772323260 * scale},"
    frame = read(f"{text}{1772409660 * scale},4\n", strict=True).frame
    assert columns(frame, "submit", "wait", "runtime") == [[1772323200.0], [60.0], [86400.0]]


@pytest.mark.parametrize(
    "header", [HEAD, HEAD.replace("nodes", "NNodes").replace("job_id", "JobID")]
)
def test_one_column_shows_for_all_whether_days_come_first(header):
    if "NNodes" in header:
        header = header.replace("submit_time,start_time,end_time,", "Submit,Start,End,")
        header = header.replace("state", "State")
    rows = "1,1/3/2026 0:00,1/3/2026 0:00,2/3/2026 0:00,1,COMPLETED\n"
    late = 300 * rows + "2,12/3/2026 0:00,12/3/2026 0:00,13/3/2026 0:00,1,COMPLETED\n"
    source = io.StringIO(header + late)
    frame, report = read_jobs(source, "sacct" if "NNodes" in header else "table")
    assert set(frame["runtime"]) == {86_400.0}
    assert report.counts["date-order"] == 1
    with pytest.raises(ValueError, match="may be 2026-01-03 or 2026-03-01: date_order "):
        read_jobs(io.StringIO(header + rows), "sacct" if "NNodes" in header else "table")


def test_dates_with_a_zone_are_unix_times():
    text = "id,submit,start,duration,nodes\n1,2026-03-01T08:00:00+08:00,2026-03-01T00:10:00Z,60,1\n"
    frame = read(text, strict=True).frame
    assert columns(frame, "submit", "wait") == [[1772323200.0], [600.0]]


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("Succeeded", "COMPLETED"),
        ("Pass", "COMPLETED"),
        ("killed", "CANCELLED"),
        ("CANCELLED by 1000", "CANCELLED"),
        ("node fail", "NODE_FAIL"),
        ("NodeFail", "NODE_FAIL"),
        ("OOM", "OUT_OF_MEMORY"),
        ("odd", "ODD"),
    ],
)
def test_states_are_told_in_the_words_of_slurm(said, state):
    text = f"id,start,end,nodes,status\n1,0,60,1,{said}\n"
    assert read(text).frame["state"].tolist() == [state]


def test_what_can_be_read_in_two_ways_is_refused_with_both_and_the_option():
    text = "job_id,start,end,gpu_num,num_gpus\n1,0,60,1,2\n"
    with pytest.raises(ValueError, match=r"'gpu_num' and 'num_gpus': columns gpus=NAME"):
        read(text)
    assert read(text, columns={"gpus": "num_gpus"}).frame["gpus"].tolist() == [2]
    assert read(text.replace("1,2", "2,2")).frame["gpus"].tolist() == [2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("job_id,submit,start,nodes\n1,0,0,4\n", "line 1: the header must name"),
        ("job_id,start,end,user\n1,0,0,u\n", "line 1: the header must name"),
    ],
)
def test_a_table_without_length_or_size_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        read(text)
    with pytest.raises(ValueError, match="columns must be of job, submit, start"):
        read(text, columns={"begin": "start"})
    known = {"job": "job_id", "start": "start"}
    with pytest.raises(ValueError, match=r": columns (duration|nodes)=NAME"):
        read(text, columns=known)


@pytest.mark.parametrize(
    ("first", "second", "mark"), [('"1,000"', '"2,500"', ","), ("1.000,0", "2.500,0", ";")]
)
def test_numbers_of_nodes_with_marks_of_thousands(first, second, mark):
    text = (HEAD + ROWS).replace(",", mark)
    text = text.replace(f"{mark}4{mark}", f"{mark}{first}{mark}")
    frame = read(text.replace(f"{mark}2{mark}NODE", f"{mark}{second}{mark}NODE")).frame
    assert frame["nodes"].tolist() == [1000, 2500]


def test_thousands_that_may_be_decimals_are_refused():
    text = (HEAD + ROWS).replace(",", ";").replace(";4;", ";1.000;")
    with pytest.raises(ValueError, match=r"^line 2: .* got 1.000, which may be 1000 or 1.000: wri"):
        read(text)


def test_columns_that_are_named_but_missing_are_refused():
    with pytest.raises(ValueError, match="line 1: the header must name begin, got 'job_id,"):
        read(HEAD + ROWS, columns={"start": "begin"})


def test_every_row_is_accounted_for():
    bad = "3,soon,2026-03-01,2026-03-02,1,FAILED\n4,2026-03-01,,,many,FAILED\n5,1\n"
    odd = (
        "6,2026-03-02 00:00:00,2026-03-01 00:00:00,2026-02-01 00:00:00,1,FAILED\n"
        "7,2026-03-02 00:00:00,Unknown,,,PENDING\n"
    )
    again = ROWS.splitlines()[0] + "\n"
    frame, report = read(HEAD + ROWS + bad + odd + again)
    assert len(frame) == 4
    assert report.dropped == {"bad-time": 1, "not-a-number": 1, "wrong-columns": 1}
    assert report.counts["repeated"] == 1
    assert report.counts["negative-wait"] == report.counts["negative-runtime"] == 1
    assert report.counts["not-started"] == report.counts["no-processors"] == 1
    assert report.records == 8


def test_jobs_of_an_array_that_share_an_id_are_all_kept():
    row = "9,2026-03-01 00:00:00,2026-03-01 00:1{}:00,2026-03-01 02:00:00,1,COMPLETED\n"
    text = HEAD + row.format(0) + row.format(0) + row.format(5)
    assert len(read(text).frame) == 3


def test_without_submit_the_start_stands_in():
    frame, report = read("id,start,end,cpus\n1,0,60,4\n")
    assert columns(frame, "submit", "wait") == [[0.0], [0.0]]
    assert report.counts["submit-is-start"] == 1


def test_parquet_is_a_table_too(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.read_csv(io.StringIO(HEAD + ROWS), parse_dates=["submit_time", "start_time"])
    frame["end_time"] = pd.to_datetime(frame["end_time"])
    frame.to_parquet(tmp_path / "jobs.parquet")
    read_back = read_jobs(tmp_path / "jobs.parquet", "table").frame
    assert read_back["runtime"].tolist() == [3600.0, 7200.0]


def test_the_unit_of_a_queue_is_not_taken_for_its_name():
    text = "job_id,start,end,gpus,queue\n1,0,60,1,84\n"
    assert read(text).frame["partition_name"].tolist() == [""]
    assert read(text.replace("84", "fat")).frame["partition_name"].tolist() == ["fat"]


def test_public_logs_have_their_own_units():
    text = (
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time\npod-7,12000,16384,2,1000,,LS,Failed,100,700,160\n"
    )
    frame = read_jobs(io.StringIO(text), "alibaba-gpu").frame
    assert columns(frame, "wait", "runtime", "processors", "state") == [
        [60.0],
        [540.0],
        [2],
        ["FAILED"],
    ]


def test_an_empty_file():
    frame, report = read("")
    assert frame["runtime"].dtype == np.float64
    assert report.dropped == {"empty": 1}
