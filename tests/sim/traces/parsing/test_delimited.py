import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.traces.parsing import text_kernels
from sim.traces.parsing.delimited import Column, Shape, cut_lines_plainly, read_delimited
from sim.traces.parsing.report import Findings
from sim.traces.parsing.values import clock_of

NAMED = Shape(is_header=lambda names: "node" in names, free=("reason",))


def cut(data, shape=NAMED):
    findings = Findings()
    text = data if isinstance(data, bytes) else data.encode()
    table = read_delimited(text, findings, shape)
    return table, findings.report("<file>", records=table.records, rows=len(table), strict=False)


def fields(table):
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|", "|#"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_one_table_in_any_dress(mark, ends, coding):
    lines = ["node,time,reason", "n1,5, a b ", "", "# said", "n2,,Ärger"]
    data = ends.join(lines).replace(",", mark).encode(coding)
    table, _ = cut(data)
    assert table.header == ("node", "time", "reason")
    assert table.delimiter == mark
    assert fields(table) == [["n1", "5", "a b"], ["n2", "", "Ärger"]]
    assert table.lines.tolist() == [2, 5]
    assert table.records == 2


def test_quotes_hold_delimiters_and_line_breaks():
    table, report = cut('node,reason,time\n"n 1","power, twice",3\nn2,"two\nlines",4\nn3,"odd,5\n')
    assert fields(table) == [["n 1", "power, twice", "3"], ["n2", "two\nlines", "4"]]
    assert report.counts == {"line-break": 1, "wrong-columns": 1}
    assert table.lines.tolist() == [2, 3]


def test_bars_in_free_text_are_told_by_the_number_of_columns():
    shape = Shape(
        is_header=lambda names: "node" in names,
        free=("reason",),
        fits=lambda row: row["time"].isdigit(),
    )
    table, report = cut("node|reason|time\nn1|a|b|c|7\nn2|d|8\nn3|x|y\n", shape)
    assert fields(table) == [["n1", "a|b|c", "7"], ["n2", "d", "8"], ["n3", "x", "y"]]
    assert report.counts == {"free-text": 1}


def test_lines_before_the_header_and_headers_again_are_no_rows():
    table, report = cut("slurm: warning\nnode,time\nn1,1\nnode,time\nn2,2\n")
    assert fields(table) == [["n1", "1"], ["n2", "2"]]
    assert report.counts == {"before-header": 1, "repeated-header": 1}
    assert table.records == 3


def test_sep_in_the_first_line_says_the_delimiter():
    assert fields(cut("sep=;\nnode;time\n1,5;2\n")[0]) == [["1,5", "2"]]


def test_columns_of_fixed_width_are_cut_at_the_dashes():
    table, _ = cut("  node       time reason\n------ ---------- ------\n    n1  1 2 3 4 5 all of\n")
    assert fields(table) == [["n1", "1 2 3 4 5", "all of"]]


def test_binary_data_is_refused():
    with pytest.raises(ValueError, match="must be text, got binary data"):
        cut(b"\x7fELF\0\0\n1,2\n")


LINES = st.lists(st.text(alphabet='ab ,"#\té', max_size=12), min_size=1, max_size=12)


@given(LINES, st.integers(1, 4))
def test_the_compiled_cut_is_the_plain_one(lines, width):
    data = np.frombuffer("\n".join(lines).encode() + b"\n", dtype=np.uint8)
    stops = np.flatnonzero(data == 10)
    starts = np.concatenate([[0], stops[:-1] + 1])
    plain, compiled = (np.empty(stops.size, dtype=np.uint8) for _ in range(2))
    cells, others = (np.zeros((stops.size, width, 2), dtype=np.int64) for _ in range(2))
    cut_lines_plainly(data, (starts, stops), b",", cells, plain)
    text_kernels.cut_lines(data, 44, False, others, compiled)
    np.testing.assert_array_equal(plain, compiled)
    for row in np.flatnonzero(plain == 1):
        texts, same = (
            [data[start:stop].tobytes() for start, stop in found[row]] for found in (cells, others)
        )
        assert texts == same


def column(texts):
    pieces = [text.encode() for text in texts]
    stops = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    starts = np.concatenate([np.zeros(1, dtype=np.int64), stops[:-1]])
    return Column(np.frombuffer(b"".join(pieces) or b" ", dtype=np.uint8), starts, stops)


DATES = st.one_of(
    st.datetimes().map(lambda moment: moment.replace(microsecond=0).isoformat()),
    st.dates().map(str),
    st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?", fullmatch=True),
    st.text(alphabet="0123456789-:T ", max_size=20),
)


@given(st.lists(DATES, min_size=1, max_size=8))
def test_compiled_clocks_are_those_of_the_calendar_or_left_to_it(texts):
    found = column(texts)
    seconds = np.empty(len(texts))
    text_kernels.clock_seconds(found.data, found.starts, found.stops, seconds)
    for text, time in zip(texts, seconds, strict=True):
        known = clock_of(text)
        if not np.isnan(time):
            assert known == (time, False)
        elif len(text) == 19 and known is not None:
            assert text[10] not in "T "


@given(st.lists(st.text(alphabet="abé", max_size=3), min_size=1, max_size=12))
def test_compiled_prints_tell_texts_apart(texts):
    found = column(texts)
    prints = np.empty(len(texts), dtype=np.uint64)
    text_kernels.fingerprints(found.data, found.starts, found.stops, prints)
    assert len(set(prints.tolist())) == len(set(texts))
    first = np.array([texts.index(text) for text in texts])
    assert text_kernels.same_texts(found.data, found.starts, found.stops, first)
    codes, different = found.coded()
    assert [different[code] for code in codes] == texts


def test_a_table_that_is_worth_compiling_is_read_alike():
    rows = [f"n{n % 7},2026-01-{n % 28 + 1:02d}T00:00:{n % 60:02d},x" for n in range(40_000)]
    rows[5_000] = 'n1,"2026-01-01, quoted",x'
    rows[6_000] = "short"
    text = "\n".join(["node,time,reason", *rows])
    table, report = cut(text)
    assert report.counts == {"wrong-columns": 1}
    assert len(table) == len(rows) - 1
    nodes, times, _ = table.columns
    codes, names = nodes.coded()
    assert [names[code] for code in codes[:9]] == [row[:2] for row in rows[:9]]
    assert times.texts()[5_000] == "2026-01-01, quoted"
    assert table.lines[6_000] == 6_003
