import csv
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.traces.parsing import text_kernels
from sim.traces.parsing.delimited import Column, Shape, cut_lines_plainly, read_delimited
from sim.traces.parsing.report import Findings
from sim.traces.parsing.signs import signs_of
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


WIDE = st.text(alphabet='ab1 -"#|', max_size=22)


@given(st.lists(WIDE, min_size=1, max_size=8), st.booleans())
def test_columns_of_fixed_width_are_cut_alike_however_a_line_looks(lines, foreign):
    text = "\n".join(["node   time   reason", "----- ------ --------", *lines])
    table, _ = cut(text + "\né" * foreign)
    rows = [table.lines.tolist().index(place) for place in table.lines.tolist()]
    for row, place, found in zip(rows, table.lines.tolist(), fields(table), strict=True):
        line = text.split("\n")[place - 1] if place <= len(lines) + 2 else "é"
        assert found == [line[:5].strip(), line[6:12].strip(), line[13:].strip()], row
    said = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    assert (
        len(table)
        == sum(re.fullmatch(r"[ |-]*-{2,}[ |-]*", line) is None for line in said) + foreign
    )


def test_binary_data_is_refused():
    with pytest.raises(ValueError, match="must be text, got binary data"):
        cut(b"\x7fELF\0\0\n1,2\n")


LINES = st.lists(st.text(alphabet='ab ,"#\té', max_size=12), min_size=1, max_size=12)


@given(LINES, st.integers(1, 4), st.integers(0, 11), st.booleans())
def test_the_compiled_cut_is_the_plain_one(lines, width, first, ended):
    data = np.frombuffer("\n".join(lines).encode() + b"\n"[:ended], dtype=np.uint8)
    ends = np.append(np.flatnonzero(data == 10), [] if ended else [data.size]).astype(np.int32)
    starts, stops = np.concatenate([[0], ends[:-1] + 1])[first:], ends[first:]
    plain, compiled = (np.empty(stops.size, dtype=np.uint8) for _ in range(2))
    edges, others = (np.zeros((width + 1, stops.size), dtype=np.int32) for _ in range(2))
    cut_lines_plainly(data, (starts, stops), b",", edges, plain)
    begin = int(starts[0]) if starts.size else data.size
    text_kernels.cut_lines(data, begin, 44, False, others, compiled)
    np.testing.assert_array_equal(plain, compiled)
    np.testing.assert_array_equal(edges[:, plain == 1], others[:, plain == 1])


QUOTED = st.one_of(
    st.text(alphabet='ab ,"#\té\x1f', max_size=8),
    st.text(alphabet="ab ,#\té\x1f", max_size=5).map('"{}"'.format),
)


@given(st.lists(st.lists(QUOTED, min_size=2, max_size=4), min_size=1, max_size=8), st.booleans())
def test_quoted_fields_are_cut_as_the_csv_module_does_or_left_to_it(rows, ended):
    lines = [",".join(fields) for fields in rows]
    data = np.frombuffer("\n".join(lines).encode() + b"\n"[:ended], dtype=np.uint8)
    kinds, edges = np.empty(len(lines), dtype=np.uint8), np.zeros((4, len(lines)), dtype=np.int32)
    blank = text_kernels.cut_lines(data, 0, 44, True, edges, kinds)
    starts, stops = edges[:-1].copy(), edges[1:] - 1
    for column_starts, column_stops in zip(starts, stops, strict=True):
        if blank:
            text_kernels.trim(data, column_starts, column_stops, data.size)
    columns = [Column(data, *ends).texts() for ends in zip(starts, stops, strict=True)]
    found = list(zip(*columns, strict=True))
    for line, kind, fields in zip(lines, kinds.tolist(), found, strict=True):
        if '"' in line and kind == 1:
            (right,) = csv.reader([line], skipinitialspace=True)
            assert list(fields) == [field.strip() for field in right]
    usual = [re.fullmatch('(?:"[^"]*",){2}"[^"]*"', line) and line.isascii() for line in lines]
    plain = [bool(usual) and "\x1f" not in line for usual, line in zip(usual, lines, strict=True)]
    assert all(kind == 1 for kind, is_plain in zip(kinds.tolist(), plain, strict=True) if is_plain)


@given(st.text(alphabet="a,;|\t\n\r\0\x8aé", max_size=60), st.integers(1, 99))
def test_compiled_counts_are_the_plain_ones(text, times):
    data = np.frombuffer(text.encode() * times, dtype=np.uint8)
    plain, compiled = (signs_of(data, compiled=how) for how in (False, True))
    lengths = map(len, data.tobytes().split(b"\n"))
    assert compiled.longest is None or max(lengths) < compiled.longest
    assert plain == replace(compiled, longest=None)


def column(texts):
    pieces = [text.encode() for text in texts]
    stops = np.cumsum([len(piece) for piece in pieces], dtype=np.int32)
    starts = np.concatenate([np.zeros(1, dtype=np.int32), stops[:-1]])
    return Column(np.frombuffer(b"".join(pieces) or b" ", dtype=np.uint8), starts, stops)


DATES = st.one_of(
    st.datetimes().map(lambda moment: moment.replace(microsecond=0).isoformat()),
    st.dates().map(str),
    st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?", fullmatch=True),
    st.text(alphabet="0123456789-:T ", max_size=20),
    st.builds(
        "{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}".format,
        *(st.sampled_from([0, 1, 1900, 2000, 2023, 2024, 9999]), st.integers(0, 13)),
        *(st.integers(0, 32), st.sampled_from("T x"), *map(st.integers, (0,) * 3, (24, 60, 60))),
    ),
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
        elif len(text) in (10, 19) and text[4:8:3] == "--" and known is not None:
            assert text[10:11] not in " T"


@given(st.lists(st.from_regex(r"[0-9]{0,17}|[0-9]{1,7}[/:a ]", fullmatch=True), min_size=1))
def test_compiled_wholes_are_those_of_up_to_fifteen_digits(texts):
    found = column(texts)
    numbers = np.empty(len(texts))
    text_kernels.plain_wholes(found.data, found.starts, found.stops, numbers)
    plain = [0 < len(text) <= 15 and text.isdigit() for text in texts]
    right = [
        float(text) if is_plain else np.nan for text, is_plain in zip(texts, plain, strict=True)
    ]
    np.testing.assert_array_equal(numbers, right)


@given(st.lists(st.text(alphabet="abé", max_size=11), min_size=1, max_size=12))
def test_compiled_numbers_of_texts_tell_them_apart(texts):
    found = column(texts)
    codes, first = (np.empty(len(texts), dtype=np.int64) for _ in range(2))
    count = text_kernels.number_texts(found.data, found.starts, found.stops, codes, first)
    plain, different = found.coded()
    assert codes.tolist() == plain.tolist()
    assert first[:count].tolist() == [texts.index(text) for text in different]


def test_many_different_texts_are_numbered_as_they_come():
    texts = [str(number % 30_000) for number in range(40_000)]
    found = column(texts)
    codes, first = (np.empty(len(texts), dtype=np.int64) for _ in range(2))
    assert text_kernels.number_texts(found.data, found.starts, found.stops, codes, first) == 30_000
    assert codes.tolist() == [int(text) for text in texts]


def test_texts_made_to_fall_together_are_left_to_the_plain_way():
    turned = np.arange(100_000, dtype=np.uint64) * np.uint64(pow(0x9E3779B97F4A7C15, -1, 2**64))
    texts = [number.to_bytes(8, "little") for number in turned.tolist() if number >> 56 == 7]
    data = np.frombuffer(b"".join(texts), dtype=np.uint8)
    starts = np.arange(0, data.size, 8, dtype=np.int32)
    codes, first = (np.empty(starts.size, dtype=np.int64) for _ in range(2))
    assert starts.size > 200
    assert text_kernels.number_texts(data, starts, starts + 7, codes, first) == -1


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
