import io

import numpy as np
import pytest

from sim.traces import failure_format_of, midplane_of, read_bgl_ras, read_mira_ras, uptimes
from tests.support.logs import require

BGL = (
    "2005-06-05-01.55.06.697467 R11-M0-NB-C:J07-U11 RAS KERNEL FATAL rts panic! - stopping\n"
    "2005-06-21-21.52.10.214285 RAS KERNEL FATAL Kill job 20251 timed out. Block freed.\n"
    "2005-07-29-08.01.12.850473 R06-M1-NF NULL MONITOR FAILURE monitor caught it\n"
)
MIRA = (
    "#count=2\n"
    "event 7 00062001 70 FATAL Block MMCS 1970-01-02;00:00:00.5 1970-01-02;00:00:09 4 RMNJ"
    " R1F-M1-N04-J17 512\n"
    "\t0.25 8 000A000F 71 FATAL Card MC 1970-01-02;00:01:00 1970-01-02;00:01:00 1 NULL  0\n"
    "event 9 00062001 72 FATAL Block MMCS 1970-01-03;00:00:00 1970-01-03;00:00:00 1 QI Q0G-I4 0\n"
)


def watched(trace):
    return trace.watch.start, trace.watch.end, trace.watch.nodes


def test_blue_gene_l_messages():
    frame, report = read_bgl_ras(io.StringIO(BGL), strict=True)
    assert frame["time"].iloc[0] == 1_117_936_506.697467  # date -u -d '2005-06-05 01:55:06' +%s
    assert frame["node"].tolist() == ["R11-M0-NB-C:J07-U11", "", "R06-M1-NF"]
    assert frame["midplane"].tolist() == ["R11-M0", "", "R06-M1"]
    assert frame["cause"].tolist() == ["KERNEL", "KERNEL", "MONITOR"]
    assert frame["severity"].tolist() == ["FATAL", "FATAL", "FAILURE"]
    assert frame["message"].iloc[1] == "Kill job 20251 timed out. Block freed."
    assert frame["repair"].isna().all()
    assert report.counts == {"no-location": 1}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("yesterday R06-M1-NF RAS KERNEL FATAL x", "bad-time"),
        ("2005-13-21-21.52.10.214285 R06-M1-NF RAS KERNEL FATAL x", "bad-time"),
        ("2005-06-21-21.52.10.214285 R06-M1-NF RAS", "bad-line"),
        ("2005-06-21-21.52.10.214285 R06-M1-NF RAS KERNEL LOUD x", "bad-line"),
    ],
)
def test_malformed_messages(line, rule):
    frame, report = read_bgl_ras(io.StringIO(BGL + line + "\n"))
    assert len(frame) == 3
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 4: "):
        read_bgl_ras(io.StringIO(BGL + line + "\n"), strict=True)


LABELLED = (
    "- 1117838570 2005.06.03 R02-M1-N0-C:J12-U11 2005-06-03-15.42.50.675872 R02-M1-N0-C:J12-U11 "
    "RAS KERNEL INFO instruction cache parity error corrected\n"
    "APPREAD 1117869872 2005.06.04 R04-M1-N4-I:J18-U11 2005-06-04-00.24.32.432192 "
    "R04-M1-N4-I:J18-U11 RAS APP FATAL ciod: failed to read message prefix\n"
    "- 1117869999 2005.06.04 NULL 2005-06-04-00.26.39.000000 NULL RAS MONITOR FAILURE no alert\n"
)


def test_alerts_of_labelled_messages_are_failures():
    trace = read_bgl_ras(io.StringIO(LABELLED), strict=True)
    frame = trace.frame
    assert frame["time"].tolist() == [1_117_869_872.432192]
    assert frame["cause"].tolist() == ["APPREAD"]
    assert frame["node"].tolist() == ["R04-M1-N4-I:J18-U11"]
    assert frame["midplane"].tolist() == ["R04-M1"]
    assert frame["message"].tolist() == ["ciod: failed to read message prefix"]
    assert trace.report.dropped == {"no-alert": 2}
    assert trace.report.lines("skipped").tolist() == [1, 3]
    assert watched(trace) == (1_117_838_570.0, 1_117_869_999.0, None)
    assert failure_format_of(io.StringIO(LABELLED)) == "bgl-ras"


def test_a_labelled_message_is_checked_as_any():
    spoiled = LABELLED.replace("2005-06-04-00.24", "2005-06-04-70.24")
    assert read_bgl_ras(io.StringIO(spoiled)).report.dropped == {"bad-time": 1, "no-alert": 2}


def test_the_published_sample_of_labelled_messages():
    frame, report = read_bgl_ras(require("failures/loghub/BGL_2k.log.xz"), strict=True)
    assert (report.records, len(frame), report.dropped["no-alert"]) == (2_000, 143, 1_857)
    assert frame["cause"].value_counts()["KERNDTLB"] == 60


def test_mira_events_and_their_groups():
    frame, report = read_mira_ras(io.StringIO(MIRA), strict=True)
    assert frame["time"].tolist() == [86_400.5, 86_460.0, 172_800.0]
    assert frame["group"].tolist() == [1, 1, 2]
    assert frame["head"].tolist() == [True, False, True]
    assert frame["similarity"].tolist() == [1.0, 0.25, 1.0]
    assert frame["node"].tolist() == ["R1F-M1-N04-J17", "", "Q0G-I4"]
    assert frame["midplane"].tolist() == ["R1F-M1", "", ""]
    assert frame["last_field"].tolist() == [512, 0, 0]
    assert report.counts == {"no-location": 1}
    heads = read_mira_ras(io.StringIO(MIRA), heads=True)
    assert heads.frame["group"].tolist() == [1, 2]
    assert read_mira_ras(io.StringIO(MIRA), since="1970-01-03").frame["group"].tolist() == [2]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("event 7 8", "wrong-columns"),
        (MIRA.splitlines()[1].replace("event 7", "event x"), "not-a-number"),
        (MIRA.splitlines()[1].replace("01-02;", "01-41;"), "bad-time"),
    ],
)
def test_malformed_events(line, rule):
    assert read_mira_ras(io.StringIO(MIRA + line + "\n")).report.dropped == {rule: 1}


@pytest.mark.parametrize(
    ("column", "value", "name", "found"),
    [
        (0, "1.5", "similarity", np.nan),
        (0, "-0.5", "similarity", np.nan),
        (9, "-4", "messages", -1),
        (9, "0", "messages", -1),
        (1, "-8", "event_id", -1),
        (3, "-71", "record_id", -1),
        (8, "1970-01-01;00:00:00", "last_time", 86_460.0),
    ],
)
def test_values_outside_their_domain_become_unknown_and_the_event_stays(column, value, name, found):
    words = MIRA.splitlines()[2].split()
    words[column] = value
    frame, report = read_mira_ras(io.StringIO(MIRA + "\t" + " ".join(words) + "\n"))
    np.testing.assert_array_equal(frame[name].iloc[-1], found)
    assert len(frame) == 4
    assert [(p.line, p.effect) for p in report.problems if p.rule == "out-of-range"] == [
        (5, "repaired")
    ]


def test_a_log_without_heads_has_none():
    text = "\n".join(line for line in MIRA.splitlines() if not line.startswith("event"))
    frame, report = read_mira_ras(io.StringIO(text), heads=True)
    assert (len(frame), report.records) == (0, 1)


def test_an_empty_ras_log():
    assert read_bgl_ras(io.StringIO("")).report.dropped == {"empty": 1}
    assert len(read_mira_ras(io.StringIO("#count=0\n"), heads=True).frame) == 0


@pytest.mark.parametrize(
    ("location", "midplane"),
    [("R00-M0", "R00-M0"), ("R2F-M1-S", "R2F-M1"), ("R03-L", ""), ("", ""), ("R03-M0X", "")],
)
def test_midplanes(location, midplane):
    assert midplane_of(location) == midplane


@pytest.mark.parametrize(("kind", "count"), [("any-loc", 1_435), ("1st-loc", 27_370)])
def test_the_published_blue_gene_l_logs(kind, count):
    frame, report = read_bgl_ras(require(f"failures/bluegene-l/Best.{kind}.xz"), strict=True)
    assert len(frame) == count
    assert report.counts == {"no-location": 46}
    assert frame["time"].is_monotonic_increasing


@pytest.mark.parametrize(("threshold", "groups"), [("0.0", 1_176), ("0.9", 2_903)])
def test_the_published_mira_events(threshold, groups):
    """Counts and gaps found in the published file by other means."""
    path = require(f"failures/mira/fatal-events-2013-2018.cor{threshold}.xz")
    frame, report = read_mira_ras(path, strict=True)
    assert len(frame) == 28_568
    assert frame["head"].sum() == frame["group"].max() == groups
    assert report.counts == {"no-location": 30}
    if threshold == "0.0":
        gaps = uptimes(frame[frame["head"]]).durations / 3600.0
        assert gaps.mean() == pytest.approx(40.9, abs=0.05)
        assert np.median(gaps) == pytest.approx(24.2, abs=0.05)
        assert gaps.std() / gaps.mean() == pytest.approx(1.52, abs=0.005)
