import io

import numpy as np
import pytest

from sim.traces import read_lanl
from tests.support.logs import require

LOG = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv.xz"
HEADER = (
    "System,machine type,nodes,procstot,procsinnode,nodenum,nodenumz,node install,node prod,"
    "node decom,fru type,mem,cputype,memtype,num intercon,purpose,Prob Started,Prob Fixed,"
    "Down Time,Facilities,Hardware,Human Error,Network,Undetermined,Software,Same Event"
)


def row(system="20", node="3", start="6/21/2005 10:54", fixed="6/21/2005 11:00", down="6"):
    fields = [system, "cluster", "512", "2048", "4", node, node, *["x"] * 9, start, fixed, down]
    return ",".join([*fields, "", "CPU", "", "", "", "", "No"])


def read(*rows, **options):
    return read_lanl(io.StringIO("\n".join([HEADER, *rows, ""])), **options)


def test_a_row_becomes_seconds():
    frame, report = read(row())
    assert report.problems == ()
    (record,) = frame.to_dict("records")
    assert record == {
        "time": 1_119_351_240.0,  # date -u -d '2005-06-21 10:54' +%s
        "node": 3,
        "repair": 360.0,
        "system": 20,
        "cause": "hardware",
        "line": 2,
        "detail": "CPU",
        "nodes": 512,
    }


@pytest.mark.parametrize(
    ("bad", "rule", "reason"),
    [
        (row() + ",extra", "wrong-columns", "line 3: 27 columns instead of 26"),
        ("20", "wrong-columns", "line 3: 1 columns instead of 26"),
        (row(system="two"), "bad-system", "line 3: system 'two' is not a number"),
        (row(system="-2"), "bad-system", "line 3: system '-2' is not a number"),
        (row(start="2005-06-21"), "bad-start", "line 3: start '2005-06-21' is not m/d/yyyy h:mm"),
        (row(start="1/1/1200 9:00"), "bad-start", "line 3: start '1/1/1200 9:00' is not m/d/yyyy"),
        (row(start="1/1/2500 9:00"), "bad-start", "line 3: start '1/1/2500 9:00' is not m/d/yyyy"),
        (row(start="21/6/2005 9:00"), "bad-start", "line 3: start '21/6/2005 9:00' is not m/d"),
        (row(start="6/21/05 9:00"), "bad-start", "line 3: start '6/21/05 9:00' is not m/d"),
    ],
)
def test_a_malformed_row_is_dropped_and_reported(bad, rule, reason):
    frame, report = read(row(), bad, row())
    assert frame["line"].tolist() == [2, 4]
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=f"^{reason}"):
        read(row(), bad, row(), strict=True)


def test_a_bad_down_time_falls_back_to_the_clock_and_then_to_unknown():
    frame, report = read(row(down="-5"), row(down="?", fixed="?"))
    np.testing.assert_array_equal(frame["repair"], [360.0, np.nan])
    assert report.counts == {"bad-repair": 2}
    assert {problem.effect for problem in report.problems} == {"repaired"}


def test_a_repair_that_ends_in_another_age_is_unknown():
    frame, report = read(row(down="?", fixed="6/21/9999 11:00"))
    assert np.isnan(frame["repair"][0])
    assert report.counts == {"bad-repair": 1}


def test_nodes_below_zero_and_beyond_their_system_are_reported():
    frame, report = read(row(node="-3"), row(node="511"), row(node="512"))
    assert frame["node"].tolist() == [-1, 511, 512]
    assert [(p.line, p.rule, p.effect) for p in report.problems] == [
        (2, "no-node", "noted"),
        (4, "beyond-system", "noted"),
    ]


def test_a_down_time_that_differs_is_noted_beyond_rounding():
    frame, report = read(row(down="7"), row(down="66"))
    assert frame["repair"].tolist() == [420.0, 3960.0]
    assert [(p.line, p.rule, p.effect) for p in report.problems] == [
        (3, "down-time-differs", "noted")
    ]


def test_selection_by_system_node_and_time():
    rows = (row(), row(node="4"), row(system="18"), row(start="6/21/2005 9:00"))
    assert read(*rows, system=20, node=[3, 4]).frame["line"].tolist() == [2, 3, 5]
    assert read(*rows, since="2005-06-21T10:00").frame["line"].tolist() == [2, 3, 4]
    assert read(*rows, until="2005-06-21T10:00").frame["line"].tolist() == [5]
    with pytest.raises(ValueError, match=r"system must be one of 18, 20, got 2$"):
        read(*rows, system=2)
    with pytest.raises(ValueError, match=r"until must be > since, got 1\.0 for since=2\.0"):
        read(*rows, since=2, until=1)
    with pytest.raises(ValueError, match="since must be seconds or an ISO date, got 'June'"):
        read(*rows, since="June")


def test_an_empty_file_and_a_foreign_header():
    frame, report = read_lanl(io.StringIO(""))
    assert len(frame) == 0
    assert frame["repair"].dtype == np.float64
    assert report.counts == {"empty": 1}
    with pytest.raises(ValueError, match="line 1: the file is empty"):
        read_lanl(io.StringIO(""), strict=True)
    with pytest.raises(ValueError, match="line 1: the header must name the LANL columns"):
        read_lanl(io.StringIO("a,b\n1,2\n"))


def test_the_published_log():
    """Counts measured apart with awk; mean and deviation as the Failure Trace Archive has them."""
    frame, report = read_lanl(require(LOG), strict=True)
    assert report.records == report.rows == len(frame) == 23_739
    assert report.counts == {"down-time-differs": 24, "no-node": 126, "beyond-system": 126}
    sizes = frame["system"].value_counts()
    assert [sizes[system] for system in (2, 16, 18, 19, 20)] == [7104, 2680, 3997, 3284, 2478]
    causes = frame["cause"].value_counts().to_dict()
    assert causes == {
        "hardware": 14_341,
        "software": 5_361,
        "undetermined": 2_652,
        "": 453,
        "network": 421,
        "facilities": 362,
        "human error": 149,
    }
    hours = frame.loc[frame["repair"] > 0.0, "repair"] / 3600.0
    assert hours.mean() == pytest.approx(5.9197, abs=5e-5)
    assert np.log(hours).std() == pytest.approx(1.402, abs=5e-4)
