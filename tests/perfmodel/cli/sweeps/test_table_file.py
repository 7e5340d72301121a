"""The table of a sweep: the same rows as CSV and Parquet, whatever their kinds."""

from pathlib import Path

import pytest

from perfmodel.cli.sweeps.table_file import write_table

ROWS = [
    {"n": 1.5, "who": "a", "sure": True, "mixed": 1.0, "gap": "", "none": "", "text": "x, <y>"},
    {"n": 2.0, "who": "b", "sure": False, "mixed": True, "gap": 7.0, "none": "", "text": ""},
    {"n": 3.0, "who": "", "sure": True, "mixed": 2.0, "gap": "", "none": "", "text": "z"},
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_csv_has_a_heading_and_the_rows():
    write_table(Path("t.csv"), iter(ROWS))
    assert Path("t.csv").read_bytes() == (
        b"n,who,sure,mixed,gap,none,text\n"
        b'1.5,a,True,1.0,,,"x, <y>"\n'
        b"2.0,b,False,True,7.0,,\n"
        b"3.0,,True,2.0,,,z\n"
    )
    write_table(Path("t.csv"), [{"\N{GREEK SMALL LETTER BETA}": 1}])
    assert Path("t.csv").read_text("utf-8") == "\N{GREEK SMALL LETTER BETA}\n1\n"


def test_no_text_in_a_csv_is_a_formula_of_a_spreadsheet():
    write_table(Path("t.csv"), [{"=x": "=cmd|' /C calc'!A0", "y": "-1+1", "z": -1.0, "@": "a=b"}])
    assert Path("t.csv").read_text() == "'=x,y,z,'@\n'=cmd|' /C calc'!A0,'-1+1,-1.0,a=b\n"


def test_parquet_has_a_kind_for_each_column():
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [{name: row[name] for name in ("n", "who", "sure", "none")} for row in ROWS]
    write_table(Path("t.parquet"), iter(rows))
    found = pq.read_table("t.parquet")
    assert found.to_pylist() == [
        {"n": 1.5, "who": "a", "sure": True, "none": None},
        {"n": 2.0, "who": "b", "sure": False, "none": None},
        {"n": 3.0, "who": None, "sure": True, "none": None},
    ]
    assert found.schema.types == [pa.float64(), pa.string(), pa.bool_(), pa.string()]


def test_parquet_is_written_some_rows_at_a_time():
    pq = pytest.importorskip("pyarrow.parquet")
    write_table(Path("t.parquet"), ({"n": number} for number in range(250_000)))
    assert pq.read_table("t.parquet")["n"].to_pylist() == [float(n) for n in range(250_000)]
    assert pq.ParquetFile("t.parquet").num_row_groups == 3


def test_parquet_needs_its_library(monkeypatch):
    import sys

    import click

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(click.UsageError) as refusal:
        write_table(Path("t.parquet"), ROWS)
    assert refusal.value.message == (
        "--table must have pyarrow, which is not installed: pip install 'perfmodel[parquet]'"
    )
    assert not Path("t.parquet").exists()


def test_numbers_beside_gaps_are_numbers():
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    write_table(Path("t.parquet"), [{"gap": row["gap"]} for row in ROWS])
    found = pq.read_table("t.parquet")
    assert found.to_pylist() == [{"gap": None}, {"gap": 7.0}, {"gap": None}]
    assert found.schema.types == [pa.float64()]
