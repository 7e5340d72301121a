import io

import numpy as np
import pytest

from sim.traces import GWF_COLUMNS, SWF_COLUMNS, read_gwf

NUMBERS = "7\t100\t5\t60\t4\t-1\t2048\t4\t3600\t-1\t1"
TEXT = "\t".join(
    ["user 3", "g1", "app", "q", "-1", "G1/site1", "G1/site2", "UNITARY", *["-1"] * 10]
)
ROW = f"{NUMBERS}\t{TEXT}"


def read(text, **options):
    return read_gwf(io.StringIO(text), **options)


def test_the_29_columns():
    assert len(GWF_COLUMNS) == 29
    frame, report = read(f"# JobID SubmitTime ...\n{ROW}\n", strict=True)
    assert list(frame.columns[:18]) == list(SWF_COLUMNS)
    assert set(frame.columns) == {*SWF_COLUMNS, *GWF_COLUMNS, "line"}
    record = frame.iloc[0].to_dict()
    assert (record["job"], record["submit"], record["walltime"]) == (7, 100.0, 3600.0)
    assert (record["user"], record["user_name"]) == (1, "user 3")
    assert (record["partition"], record["execution_site"]) == (-1, "G1/site2")
    assert (record["job_structure"], record["project"], record["line"]) == ("UNITARY", "-1", 2)
    assert frame["processors"].dtype == np.int64
    assert frame["runtime"].dtype == np.float64
    assert report.problems == ()


def test_blanks_separate_where_there_are_no_tabs():
    assert len(read(ROW.replace("user 3", "u3").replace("\t", "  ") + "\n").frame) == 1


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (ROW + "\t1", "wrong-columns"),
        ("1 2 3", "wrong-columns"),
        (ROW.replace("100", "noon", 1), "not-a-number"),
        (ROW.replace("100", "nan", 1), "not-a-number"),
        (ROW.replace("\t4\t", "\t4.5\t", 1), "not-whole"),
    ],
)
def test_what_cannot_be_read_is_dropped(row, rule):
    frame, report = read(f"{ROW}\n{row}\n")
    assert len(frame) == 1
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 2: "):
        read(f"{ROW}\n{row}\n", strict=True)


def test_what_breaks_a_rule_is_kept():
    frame, report = read(f"{ROW}\n{ROW.replace('100', '-2', 1)}\n")
    assert len(frame) == 2
    assert report.counts == {"negative": 1, "duplicate-job": 1, "unsorted": 1}
    assert {p.rule: p.effect for p in report.problems} == {
        "negative": "repaired",
        "duplicate-job": "kept",
        "unsorted": "kept",
    }
    assert frame["submit"].tolist()[1] == -1.0


def test_an_empty_log():
    frame, report = read("# nothing\n")
    assert frame["job"].dtype == np.int64
    assert report.dropped == {"empty": 1}
