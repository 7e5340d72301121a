"""Tables of Parquet are read as the text that they would be."""

import datetime
import io
import tracemalloc

import pandas as pd
import pytest

from perfmodel.cli import main
from sim.traces import (
    SAMPLES,
    Limited,
    Limits,
    failure_format_of,
    job_format_of,
    read_failures,
    read_jobs,
)
from tests.support.runner import runner

pytest.importorskip("pyarrow", reason="pyarrow comes with the extra parquet")


def table_of(text, separator):
    return pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False)


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file)
    file.seek(0)
    return file


@pytest.mark.parametrize(
    ("name", "separator", "format_of", "read"),
    [
        ("sacct", "|", job_format_of, read_jobs),
        ("sacctmgr", "|", failure_format_of, read_failures),
        ("csv", ",", failure_format_of, read_failures),
    ],
)
def test_a_table_is_read_as_its_text(name, separator, format_of, read):
    text = SAMPLES[name].text
    frame = table_of(text, separator)
    assert format_of(parquet(frame)) == name
    mine, theirs = read(parquet(frame), name), read(io.StringIO(text), name)
    pd.testing.assert_frame_equal(mine.frame, theirs.frame)
    assert mine.report.words == theirs.report.words


def test_dates_numbers_and_gaps():
    frame = pd.DataFrame(
        {
            "node": pd.array([3, None], dtype="Int64"),
            "down": pd.to_datetime(["2026-03-01 10:00:00.0", "2026-03-02 10:00:01.5"]),
            "up": [datetime.datetime(2026, 3, 1, 11), None],
        }
    )
    text = "node,down,up\n3,2026-03-01T10:00:00,2026-03-01T11:00:00\n,2026-03-02T10:00:01.500000,\n"
    mine = read_failures(parquet(frame), "csv")
    pd.testing.assert_frame_equal(mine.frame, read_failures(io.StringIO(text), "csv").frame)


def test_bars_and_line_ends_in_a_field_stay_in_it():
    frame = table_of(SAMPLES["sacct"].text, "|").assign(JobName="a|b\nc")
    assert len(read_jobs(parquet(frame), "sacct").frame) == len(frame)


@pytest.mark.parametrize(("limit", "value"), [("max_lines", 3), ("max_bytes", 40)])
def test_limits_hold_before_anything_is_read(limit, value):
    frame = pd.DataFrame({"node": range(10_000), "down": 1.0, "up": 2.0})
    with pytest.raises(ValueError, match=f"raise {limit}"):
        read_failures(Limited(parquet(frame), Limits(**{limit: value})), "csv")


def test_a_value_of_many_rows_is_held_once():
    text = "x" * 60_000
    frame = pd.DataFrame({"node": [text] * 2_000, "down": 1.0, "up": 2.0})
    packed = parquet(frame)
    assert len(packed.getvalue()) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="<file> must hold at most 1,000,000 bytes"):
            read_failures(Limited(packed, Limits(max_bytes=1_000_000)), "csv")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_row_groups_with_texts_of_their_own_are_read_in_order():
    frame = pd.DataFrame({"node": [f"n{n % 7}" for n in range(90)], "down": range(90)})
    frame["up"] = frame["down"] + 0.5
    frame.loc[3, "node"] = None
    file = io.BytesIO()
    frame.to_parquet(file, row_group_size=20)
    file.seek(0)
    text = frame.to_csv(index=False).replace("None", "")
    mine, theirs = (read_failures(each, "csv") for each in (file, io.StringIO(text)))
    pd.testing.assert_frame_equal(mine.frame, theirs.frame)


def test_columns_of_columns_are_left_out_and_too_many_refused():
    frame = pd.DataFrame({"node": ["a"], "tags": [["x", "y"]], "down": [10.0], "up": [20.0]})
    assert read_failures(parquet(frame), "csv").frame["node"].tolist() == ["a"]
    few = Limited(parquet(frame), Limits(max_columns=3))
    with pytest.raises(ValueError, match="<file> must hold at most 3 columns in a line"):
        read_failures(few, "csv")


@pytest.mark.parametrize("end", [5, 100, -9])
def test_damage_is_refused_in_words(end):
    data = parquet(pd.DataFrame({"node": [1], "down": [10.0], "up": [20.0]})).getvalue()[:end]
    with pytest.raises(ValueError, match="<file> must be a whole Parquet file, got one where"):
        read_failures(io.BytesIO(data), "csv")


def test_the_command_line_takes_it(tmp_path):
    path = tmp_path / "failures.parquet"
    times = [1e5 * n * n for n in range(1, 30)]
    pd.DataFrame({"node": 1, "down": times, "up": [t + 60 for t in times]}).to_parquet(path)
    done = runner().invoke(main, ["fit", str(path)])
    assert done.exit_code == 0, done.output
    assert "csv" in done.stdout
    path.write_bytes(b"PAR1" + b"x" * 400)
    done = runner().invoke(main, ["fit", str(path)])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "must be a whole Parquet file" in done.stderr


def test_without_pyarrow_the_remedy_is_named(monkeypatch):
    file = parquet(pd.DataFrame({"node": [1], "down": [10.0], "up": [20.0]}))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"pip install 'perfmodel\[parquet\]'"):
        read_failures(file, "csv")
