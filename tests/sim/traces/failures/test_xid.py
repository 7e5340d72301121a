import io
from datetime import UTC, datetime

import pytest

from sim.traces import failure_format_of, failure_log, read_xid

XID = "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus."
KERNEL = (
    "2026-03-01T07:00:00+0000 n7 kernel: usb 1-1: new device\n"
    f"2026-03-01T07:00:05+0000 n7 kernel: {XID}\n"
    "2026-03-01T07:00:09+0000 n9 kernel: [  12.345678] NVRM: Xid (0000:af:00): 13, Ch 00000010\n"
    "2026-03-01T08:00:00+0000 n9 kernel: EXT4-fs (sda1): re-mounted\n"
)


def watched(trace):
    return trace.watch.start, trace.watch.end, trace.watch.nodes


def read(*lines, **options):
    return read_xid(io.StringIO("".join(f"{line}\n" for line in lines)), **options)


def unix(*moment):
    return datetime(*moment, tzinfo=UTC).timestamp()


def test_errors_are_rows_and_other_lines_are_not():
    trace = read_xid(io.StringIO(KERNEL), strict=True)
    frame = trace.frame
    assert frame["time"].tolist() == [unix(2026, 3, 1, 7, 0, 5), unix(2026, 3, 1, 7, 0, 9)]
    assert frame["node"].tolist() == ["n7", "n9"]
    assert frame["cause"].tolist() == ["79", "13"]
    assert frame["detail"].tolist() == ["0000:3b:00", "0000:af:00"]
    assert frame["message"].iloc[1] == "Ch 00000010"
    assert frame["repair"].isna().all()
    assert trace.report.counts == {"other-message": 2}
    assert watched(trace) == (unix(2026, 3, 1, 7), unix(2026, 3, 1, 8), 2)


@pytest.mark.parametrize(
    ("head", "time", "host"),
    [
        ("[12345.678901] ", 12_345.678901, ""),
        ("<4>[   12.300000] ", 12.3, ""),
        ("kern  :err   : [   12.300000] ", 12.3, ""),
        ("[Thu Nov 26 18:37:08 2026] ", unix(2026, 11, 26, 18, 37, 8), ""),
        ("[Sun Mar  1 07:00:00 2026] ", unix(2026, 3, 1, 7), ""),
        ("Mar  1 07:00:00 n7 kernel: ", unix(2000, 3, 1, 7), "n7"),
        ("Mar 01 07:00:00 n7.site.org kernel: [ 1.5] ", unix(2000, 3, 1, 7), "n7.site.org"),
        ("2026-03-01T07:00:00+0000 n7 kernel: ", unix(2026, 3, 1, 7), "n7"),
        ("2026-03-01T07:00:00.500000+02:00 n7 kernel: ", unix(2026, 3, 1, 5) + 0.5, "n7"),
        ("2026-03-01T07:00:00,500000+00:00 ", unix(2026, 3, 1, 7) + 0.5, ""),
        ("1767225600.250000 n7 kernel: ", 1_767_225_600.25, "n7"),
    ],
)
def test_every_way_in_which_a_kernel_log_writes_times(head, time, host):
    frame, _ = read(head + XID)
    assert frame["time"].tolist() == [time]
    assert frame["node"].tolist() == [host]
    assert failure_format_of(io.StringIO(f"{head}{XID}\n")) == "xid"


@pytest.mark.parametrize(
    "line",
    [
        "[    0.000000] Linux version 6.8.0",
        "[Thu Nov 26 18:37:08 2026] Linux version 6.8.0",
        "Nov 26 18:37:08 n7 kernel: Linux version 6.8.0",
        "2026-03-01T07:00:00+0000 n7 kernel: Linux version 6.8.0",
    ],
)
def test_a_kernel_log_is_told_before_its_first_error(line):
    log = f"{line}\n" * 3_000 + f"{line}: {XID}\n"
    assert failure_format_of(io.StringIO(log)) == "xid"


def test_a_kernel_log_without_an_error_is_refused_with_what_makes_a_table():
    log = "Nov 26 18:37:08 n7 kernel: Linux version 6.8.0\n" * 3_000
    with pytest.raises(ValueError, match="must have lines with NVRM: Xid, got none: as format xid"):
        failure_format_of(io.StringIO(log))


def months(frame):
    dates = [datetime.fromtimestamp(time, UTC) for time in frame["time"]]
    return [(date.year, date.month) for date in dates]


def lines(*dates, host="n7"):
    return [f"{date} 07:00:00 {host} kernel: {XID}" for date in dates]


def test_the_year_goes_on_where_the_month_falls_back():
    frame, report = read(*lines("Nov 30", "Dec 31", "Jan  1", "Jan  2", "Dec  1", "Jan  1"))
    assert months(frame) == [
        *((2000, 11), (2000, 12), (2001, 1), (2001, 1), (2001, 12), (2002, 1)),
    ]
    assert report.counts == {"no-year": 1}
    frame, report = read(*lines("Dec 31", "Jan  1"), year=2024)
    assert months(frame) == [(2024, 12), (2025, 1)]
    assert report.counts == {}


def test_a_line_out_of_order_begins_no_year():
    frame, _ = read(*lines("Feb  1", "Jan 31", "Feb  1", "Mar  1"))
    assert months(frame) == [(2000, 2), (2000, 1), (2000, 2), (2000, 3)]


def test_a_leap_day_decides_the_year():
    frame, report = read(*lines("Dec  1", "Feb 29"))
    assert months(frame) == [(2003, 12), (2004, 2)]
    assert report.problems[0].reason.endswith("of 2003")


def test_hosts_whose_lines_stand_together_begin_in_the_same_year():
    blocks = [*lines("Mar  1", "Sep  1"), *lines("Jan  1", "Aug  1", host="n8")]
    assert months(read(*blocks).frame) == [(2000, 3), (2000, 9), (2000, 1), (2000, 8)]
    mixed = [*lines("Sep  1"), *lines("Jan  1", host="n8"), *lines("Jan  2")]
    assert months(read(*mixed).frame) == [(2000, 9), (2001, 1), (2001, 1)]


def test_seconds_since_the_boot_go_on_over_boots():
    frame, report = read(f"[ 100.000000] {XID}", f"[  10.000000] {XID}", f"[  20.000000] {XID}")
    assert frame["time"].tolist() == [100.0, 110.0, 120.0]
    assert report.counts == {"clock-restarts": 1}


def test_a_storm_is_noted_and_keeps_its_rows():
    storm = [f"2026-03-01T07:00:{second:02}+0000 n7 kernel: {XID}" for second in range(6)]
    later = f"2026-03-01T09:00:00+0000 n7 kernel: {XID}"
    frame, report = read(*storm, later)
    assert len(frame) == 7
    (problem,) = report.problems
    assert (problem.rule, problem.effect, problem.line) == ("storm", "noted", 1)
    assert problem.reason == "Xid 79 of 0000:3b:00 of n7 6 times within 5 s"
    assert read(*storm[:4], later).report.problems == ()


def test_a_log_of_errors_alone_does_not_tell_which_hosts_there_are():
    assert read(f"2026-03-01T07:00:05+0000 n7 kernel: {XID}").watch is None


def test_errors_that_come_together_are_one_failure():
    lines = [f"2026-03-01T07:00:{second}+0000 n7 kernel: {XID}" for second in ("05", "06.5", "09")]
    text = "\n".join([*lines, f"2026-03-01T07:00:05+0000 n8 kernel: {XID}"])
    log = failure_log(io.StringIO(text), "xid")
    assert (len(log.failures), log.rows["merged"]) == (3, 1)
    assert len(failure_log(io.StringIO(text), "xid", merge_within=0.0).failures) == 4


def test_hosts_that_write_at_one_instant_are_all_counted():
    same = "2026-03-01T07:00:05+0000"
    assert watched(read(f"{same} n7 kernel: {XID}", f"{same} n8 kernel: usb"))[2] == 2


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (f"yesterday n7 kernel: {XID}", "bad-time"),
        (f"Feb 30 07:00:00 n7 kernel: {XID}", "bad-time"),
        (f"2026-13-01T07:00:00+0000 n7 kernel: {XID}", "bad-time"),
        (f"2026-03-01T07:00:61+0000 n7 kernel: {XID}", "bad-time"),
        ("2026-03-01T07:00:05+0000 n7 kernel: NVRM: Xid (PCI:0000:3b:00): ", "bad-xid"),
    ],
)
def test_malformed_lines(line, rule):
    frame, report = read(KERNEL.splitlines()[1], line)
    assert len(frame) == 1
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 2: "):
        read(KERNEL.splitlines()[1], line, strict=True)


def test_an_empty_log():
    assert read().report.dropped == {"empty": 1}


@pytest.mark.parametrize("year", [1_969, 9_999])
def test_the_year_must_be_one_of_a_log(year):
    with pytest.raises(ValueError, match=r"year must be in \[1970, 9998\], got"):
        read(KERNEL, year=year)
