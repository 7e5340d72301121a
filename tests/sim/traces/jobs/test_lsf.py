import io

import pytest

from sim.traces import read_lsf

TAIL = '"mail" "physics" {code} 4 "" "" {array} 0 0 "" "" "" "" 0 "" {reason} "" -1 "" "" "" ""\n'


def finish(
    *, version="10.1", hosts='2 "n1" "n2"', asked="0", status=64, start=1700000100, end=1700003700,
    submit=1700000000, command="./fit", reason=0, array=0, short=False,
):  # fmt: skip
    usage = " ".join(["1.5", "0.1", "2048", *["-1"] * 16])
    tail = TAIL.format(code=0, array=array, reason=reason)
    tail = '"mail" "physics" 0 4 "" ""\n' if short else tail
    return (
        f'"JOB_FINISH" "{version}" {end} 811 1001 33554434 4 {submit} 0 0 {start} "ann" "normal" '
        f'"" "" "" "login" "/home/ann" "" "" "" "1700000000.811" {asked} {hosts} {status} 60.0 '
        f'"a ""quoted"" name" "{command}" {usage} {tail}'
    )


def read(text, **options):
    return read_lsf(io.StringIO(text), **options)


def test_a_record_is_a_job():
    frame, report = read(finish(), strict=True)
    row = frame.iloc[0].to_dict()
    assert (row["job"], row["submit"], row["wait"], row["runtime"]) == (
        811,
        1700000000.0,
        100.0,
        3600.0,
    )
    assert (row["processors"], row["requested_processors"], row["nodes"]) == (2, 4, 2)
    assert (row["state"], row["status"], row["user_name"]) == ("COMPLETED", 1, "ann")
    assert (row["account"], row["partition_name"]) == ("physics", "normal")
    assert report.problems == ()


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        (0, "FAILED"),
        (1, "PREEMPTED"),
        (5, "TIMEOUT"),
        (10, "REQUEUED"),
        (14, "CANCELLED"),
        (16, "OUT_OF_MEMORY"),
        (19, "NODE_FAIL"),
        (22, "NODE_FAIL"),
        (999, "FAILED"),
    ],
)
def test_the_reason_of_an_exit_tells_the_state(reason, state):
    frame = read(finish(status=32, reason=reason), strict=True).frame
    assert frame["state"].tolist() == [state]


@pytest.mark.parametrize(
    ("hosts", "asked", "slots", "nodes"),
    [
        ('4 "a" "a" "a" "b"', "0", 4, 2),
        ('2 "3*a" "b"', "0", 4, 2),
        ('2 "3*a" "b"', '1 "a"', 4, 2),
        ("", '2 "a" "b"', 2, 2),  # some versions log those that were asked for alone
    ],
)
def test_the_hosts_of_a_job(hosts, asked, slots, nodes):
    frame = read(finish(hosts=hosts, asked=asked), strict=True).frame
    assert frame[["processors", "nodes"]].to_numpy().tolist() == [[slots, nodes]]


def test_older_versions_have_fewer_fields():
    frame, report = read(finish(version="5.1", status=32, short=True), strict=True)
    assert frame["state"].tolist() == ["FAILED"]
    assert report.problems == ()


def test_jobs_of_an_array_and_a_command_of_several_lines():
    frame, report = read(finish(array=7, command="first\nsecond x\n third") + finish())
    assert frame["job_id"].tolist() == ["811[7]", "811"]
    assert report.counts == {"line-break": 1}
    assert report.records == 2


def test_a_job_that_never_started():
    frame, report = read(finish(start=0, hosts="0", status=32, reason=14), strict=True)
    assert frame[["wait", "runtime", "nodes"]].to_numpy().tolist() == [[-1.0, 0.0, 0]]
    assert report.counts == {"not-started": 1}


def test_every_record_is_accounted_for():
    others = '"EVENT_ADRSV_FINISH" "10.1" 1700003700 1\nnoise\n"JOB_FINISH" "10.1" 5\n\n'
    text = finish() + finish() + others + finish(array=2, submit="soon")
    frame, report = read(text)
    assert len(frame) == 1
    assert report.counts == {
        "repeated": 1,
        "other-record": 1,
        "not-a-record": 2,
        "bad-time": 1,
    }
    assert report.records == 6


def test_times_that_go_backwards_are_unknown():
    frame, report = read(finish(submit=1700000200, end=1700000000))
    assert frame[["wait", "runtime"]].to_numpy().tolist() == [[-1.0, -1.0]]
    assert report.counts == {"negative-wait": 1, "negative-runtime": 1}


def test_an_empty_file():
    assert read("").report.dropped == {"empty": 1}
