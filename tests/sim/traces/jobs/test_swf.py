import bz2
import gzip
import io
import lzma
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.traces import read_swf, write_swf
from sim.traces.jobs.swf_dialects import DIALECTS, SWF_COLUMNS, WHOLE_COLUMNS
from sim.traces.parsing import Findings
from sim.traces.parsing.table import read_table
from tests.support.examples import examples
from tests.support.logs import require

ROW = "1 0 5 60 4 -1 -1 4 90 -1 1 2 3 -1 1 -1 -1 -1"


def read(text, **options):
    return read_swf(io.BytesIO(text.encode("latin-1")), **options)


def changed(**values):
    words = ROW.split()
    for name, value in values.items():
        words[SWF_COLUMNS.index(name)] = str(value)
    return " ".join(words)


def test_the_columns_of_a_row():
    frame, report = read(ROW + "\n")
    assert list(frame.columns) == [*SWF_COLUMNS, "line"]
    expected = [float(word) for word in ROW.split()]
    assert frame.iloc[0].tolist() == [*expected, 1]
    for name in SWF_COLUMNS:
        assert frame[name].dtype == (np.int64 if name in WHOLE_COLUMNS else np.float64)
    assert report.problems == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "12|2024-01-01T00:00:00|00:10|4|COMPLETED|ann|batch",
            "1 columns instead of 18; separated by '|', like sacct's output (format sacct)",
        ),
        ("time,node,repair,system", "1 columns instead of 18; separated by ',', like CSV"),
        (
            "0\tu\tq\t16\t8\t[p]\t1\t100\t130\t190\t60\t0\t42\t1",
            "14 columns instead of 18; like MetaCentrum's jobs (format mwf)",
        ),
        (
            f"{ROW} -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
            "29 columns instead of 18; like the Grid Workloads Format (format gwf)",
        ),
        (f"{ROW} {{1,1}} q 1:ppn=2", "21 columns instead of 18; like dialect placement"),
        (f"7 {ROW}", "19 columns instead of 18; like dialect row-number"),
        ("1 0 7560 512 1 90", "6 columns instead of 18; like dialect no-walltime"),
        ("1 2 3", "3 columns instead of 18"),
    ],
)
def test_a_foreign_line_is_reported_with_what_it_looks_like(line, words):
    (problem,) = read(line + "\n").report.problems
    assert (problem.rule, problem.reason) == ("wrong-columns", words)
    with pytest.raises(ValueError, match=r"^line 1: [0-9]+ columns instead of 18"):
        read(line + "\n", strict=True)


def test_a_row_without_the_words_of_its_dialect_is_dropped():
    frame, report = read(f"{ROW} {{1}} q 1\n{ROW}\n", dialect="placement")
    assert frame["queue_name"].tolist() == ["q"]
    assert report.dropped == {"wrong-columns": 1}


@pytest.mark.parametrize("count", ["\xb2", "many", "9" * 5_000, "1e5", "-1"])
def test_a_count_of_jobs_that_is_none_is_noted(count):
    problems = read(f"; MaxJobs: {count}\n{ROW}\n").report.problems
    (problem,) = [problem for problem in problems if problem.rule == "job-count"]
    assert (problem.line, problem.effect) == (1, "noted")
    assert problem.reason.endswith("jobs, which is not a number")
    assert len(problem.reason) < 150


def test_header_fields_are_kept():
    header = read(
        "; Version: 2.2\n;Computer: IBM SP2  \n; Note: first\n; Note: second: with colon\n"
        "; see http://example.org/log\n;\n" + ROW + "\n"
    ).header
    assert header == {
        "Version": "2.2",
        "Computer": "IBM SP2",
        "Note": "first\nsecond: with colon",
        "": " see http://example.org/log\n",
    }


@pytest.mark.parametrize(
    ("line", "rule", "reason"),
    [
        ("1 2 3", "wrong-columns", "3 columns instead of 18"),
        (ROW + " 7", "wrong-columns", "19 columns instead of 18"),
        (changed(runtime="long"), "not-a-number", "column 4 is 'long', not a number"),
        (changed(runtime="nan"), "not-a-number", "column 4 is 'nan', not a number"),
        (changed(runtime="1e999"), "not-a-number", "column 4 is '1e999', not a number"),
        (changed(runtime="1_000"), "not-a-number", "column 4 is '1_000', not a number"),
        (changed(runtime="\xe9t\xe9"), "not-a-number", "column 4 is '\xe9t\xe9', not a number"),
        (changed(processors="3.5"), "not-whole", r"processors is 3\.5, not a whole number"),
        (changed(user="1e30"), "not-whole", r"user is 1e\+30, not a whole number"),
    ],
)
def test_what_cannot_be_read_is_dropped_and_reported(line, rule, reason):
    text = f"; Version: 2\n{changed(job=7)}\n{line}\n\n{changed(job=8)}\n"
    frame, report = read(text)
    assert frame["job"].tolist() == [7, 8]
    assert frame["line"].tolist() == [2, 5]
    assert (report.records, report.rows, report.dropped) == (3, 2, {rule: 1})
    with pytest.raises(ValueError, match=f"^line 3: {reason}"):
        read(text, strict=True)


@pytest.mark.parametrize(
    ("line", "rule", "reason"),
    [
        (changed(job=1), "duplicate-job", "job 1 came before"),
        (changed(job=2, submit=-0.5), "unsorted", None),
    ],
)
def test_what_can_be_read_but_is_wrong_is_kept_and_reported(line, rule, reason):
    text = f"{ROW}\n{line}\n"
    frame, report = read(text)
    assert len(frame) == 2
    assert rule in report.counts
    assert report.dropped == {}
    if reason is not None:
        assert report.counts == {rule: 1}
        with pytest.raises(ValueError, match=f"^line 2: {reason}$"):
            read(text, strict=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("processors", "-4"),
        ("runtime", "-2.5"),
        ("walltime", "-0.5"),
        ("user", "-7"),
        ("job", "-3"),
    ],
)
def test_what_is_below_0_becomes_unknown_and_is_reported(name, value):
    text = f"{ROW}\n{changed(**{'job': 2, name: value})}\n"
    frame, report = read(text)
    assert frame[name].iat[1] == -1
    assert frame[name].iat[0] != -1 or name not in ("job", "runtime")
    (problem,) = report.problems
    assert (problem.line, problem.rule, problem.effect) == (2, "negative", "repaired")
    with pytest.raises(ValueError, match=rf"^line 2: {name} is {value}: unknown$"):
        read(text, strict=True)


def test_disorder_keeps_the_order_of_the_log():
    frame, report = read("\n".join(changed(job=j, submit=s) for j, s in [(1, 9), (2, 3), (3, 5)]))
    assert frame["submit"].tolist() == [9.0, 3.0, 5.0]
    assert [(p.line, p.reason) for p in report.problems if p.rule == "unsorted"] == [
        (2, "submit 3 comes after 9")
    ]


def test_harmless_oddities_are_noted_and_pass_strict():
    text = "; MaxJobs: 5\n; Site: Mal\xe1\r\n" + changed(submit=-1) + "\r\n" + changed(job=2)
    frame, report = read(text, strict=True)
    assert frame["job"].tolist() == [1, 2]
    assert report.counts == {
        "job-count": 1,
        "crlf": 1,
        "latin-1": 1,
        "no-submit": 1,
        "no-final-newline": 1,
    }
    assert {problem.effect for problem in report.problems} == {"noted"}


def test_a_file_cut_inside_a_line_says_so():
    _, report = read(f"{ROW}\n2 10 5")
    assert [p.reason for p in report.problems if p.rule == "wrong-columns"] == [
        "3 columns instead of 18; the file ends inside this line"
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "; MaxProcs: 7\n"])
def test_an_empty_log_is_a_frame_without_rows(text):
    frame, report = read(text)
    assert len(frame) == 0
    assert frame["runtime"].dtype == np.float64
    assert report.dropped == {"empty": 1}
    with pytest.raises(ValueError, match="line 1: the file holds no job"):
        read(text, strict=True)


def test_a_cut_archive_yields_its_beginning():
    text = "".join(changed(job=j, submit=7 * j) + "\n" for j in range(3000)).encode()
    packed = gzip.compress(text)
    frame, report = read_swf(io.BytesIO(packed[: len(packed) // 2]))
    assert 0 < len(frame) < 3000
    assert frame["job"].tolist() == list(range(len(frame)))
    assert report.counts["truncated-archive"] == 1


def test_dialects_put_columns_where_they_belong():
    mira, _ = read(
        "1 10 5 60 512 3600 -1 -1 -1 -1 -1 77 -1 -1 -1 -1 -1 -1\n", dialect="walltime-in-6"
    )
    record = mira.iloc[0]
    assert (record["walltime"], record["average_cpu"], record["user"]) == (3600.0, -1.0, 77)
    wagap, report = read(ROW + " {12,12} q_2w 1:ppn=2\n", dialect="placement")
    assert report.problems == ()
    assert wagap.loc[0, ["placement", "queue_name", "request"]].tolist() == [
        "{12,12}",
        "q_2w",
        "1:ppn=2",
    ]
    trinity, _ = read("40 " + ROW + "\n", dialect="row-number")
    assert (trinity.loc[0, "original_row"], trinity.loc[0, "job"]) == (40, 1)


def test_the_dialect_without_walltimes():
    text = "Job_name Submit Runtime Nodes Comment Perc\n1 0 7560 512 1 90\n2 7 x 512 1 90\n"
    frame, report = read(text, dialect="no-walltime")
    record = frame.iloc[0]
    assert (record["runtime"], record["processors"], record["walltime"]) == (7560.0, 512, -1.0)
    assert (record["comment"], record["percentage"], record["line"]) == (1, 90, 2)
    assert [(p.line, p.rule) for p in report.problems] == [(3, "not-a-number")]


def test_a_wrong_dialect_is_recognised_by_the_columns():
    assert read(ROW + " {12} q 1:ppn=2\n").report.counts == {"wrong-columns": 1}
    with pytest.raises(ValueError, match=r"dialect must be one of standard, .*got 'cobol'"):
        read(ROW, dialect="cobol")


numbers = st.one_of(
    st.integers(-1, 10**6).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(rb"[+-]?[0-9]{0,20}\.?[0-9]{0,3}", fullmatch=True).map(bytes.decode),
    st.sampled_from(["-", "+", ".", "1.2.3", "x", "1e3", "inf", "\x00", "9007199254740993"]),
)
lines = st.one_of(
    st.lists(st.integers(-1, 99).map(str), min_size=3, max_size=3).map(" ".join),
    st.tuples(st.lists(numbers, max_size=5), st.sampled_from([" ", "\t", "  ", " \r", "\x0b"])).map(
        lambda pair: pair[1].join(pair[0])
    ),
    st.sampled_from(["", ";", "; Note: a", " ; b", "1;", "1 2 3 ; c", "\r"]),
)


@settings(deadline=None, max_examples=examples(320))
@given(text=st.lists(lines, max_size=8), end=st.sampled_from(["\n", ""]))
def test_the_compiled_scanner_equals_the_plain_one(text, end):
    data = ("\n".join(text) + end).encode("latin-1")
    plain, compiled = Findings(), Findings()
    a = read_table(data, 3, plain, compiled=False)
    b = read_table(data, 3, compiled, compiled=True)
    np.testing.assert_array_equal(a.values, b.values)
    np.testing.assert_array_equal(np.signbit(a.values), np.signbit(b.values))
    np.testing.assert_array_equal(a.lines, b.lines)
    assert (a.comments, a.records) == (b.comments, b.records)
    options = {"records": 0, "rows": 0, "strict": False}
    assert plain.report("", **options) == compiled.report("", **options)


whole = st.integers(-(2**53), 2**53)
real = st.floats(allow_nan=False, allow_infinity=False, width=64)
frames = st.lists(
    st.tuples(*(whole if name in WHOLE_COLUMNS else real for name in SWF_COLUMNS)), max_size=5
).map(
    lambda rows: pd.DataFrame(rows, columns=list(SWF_COLUMNS)).astype(
        {name: np.int64 if name in WHOLE_COLUMNS else np.float64 for name in SWF_COLUMNS}
    )
)
fields = st.dictionaries(
    st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True),
    st.lists(st.from_regex(r"([a-z0-9:;,.]{1,9} ?){0,3}[a-z0-9]", fullmatch=True), min_size=1).map(
        "\n".join
    ),
    max_size=3,
)


@settings(deadline=None, max_examples=examples(160))
@given(frame=frames, header=fields)
def test_what_is_written_is_read_back(frame, header):
    target = io.BytesIO()
    write_swf(frame, target, header=header)
    back = read_swf(io.BytesIO(target.getvalue()))
    known = frame.where(frame >= 0, -1)
    pd.testing.assert_frame_equal(back.frame[list(SWF_COLUMNS)], known, check_exact=True)
    assert back.header == header


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [
        (".swf", bytes),
        (".swf.gz", gzip.decompress),
        (".swf.xz", lzma.decompress),
        (".swf.bz2", bz2.decompress),
        (".swf.zip", None),
    ],
)
def test_the_suffix_compresses_and_the_bytes_are_the_same_every_time(tmp_path, suffix, unpack):
    frame = read(ROW + "\n").frame
    first, second = tmp_path / f"a{suffix}", tmp_path / "b" / f"a{suffix}"
    second.parent.mkdir()
    write_swf(frame, first)
    write_swf(frame, str(second))
    assert first.read_bytes() == second.read_bytes()
    if unpack is not None:
        assert unpack(first.read_bytes()).decode() == ROW + "\n"
    pd.testing.assert_frame_equal(read_swf(first).frame, frame)


def test_a_text_object_receives_text():
    target = io.StringIO()
    write_swf(read(ROW + "\n").frame, target, header={"MaxProcs": "64", "": " a remark\n"})
    assert target.getvalue() == f"; MaxProcs: 64\n; a remark\n;\n{ROW}\n"


def test_what_the_format_cannot_hold_is_refused():
    frame = read(ROW + "\n").frame
    with pytest.raises(ValueError, match=r"frame must have the 18 columns .* lacks \['wait'\]"):
        write_swf(frame.drop(columns="wait"), io.StringIO())
    with pytest.raises(ValueError, match="frame must be finite, got nan or infinity in wait"):
        write_swf(frame.assign(wait=np.nan), io.StringIO())


@pytest.mark.parametrize(
    ("place", "jobs", "counts"),
    [
        ("NASA-iPSC-1993-3.1-cln.swf.gz", 18_239, {"job-count": 1}),
        ("SDSC-SP2-1998-4.2-cln.swf.gz", 59_715, {"job-count": 1}),
        ("LLNL-Thunder-2007-1.1-cln.swf.gz", 121_039, {"unsorted": 808}),
        ("Sandia-Ross-2001-1.1-cln.swf.gz", 57_882, {"negative": 3}),
        ("UniLu-Gaia-2014-1.swf.xz", 51_987, {}),
    ],
)
def test_archive_logs(place, jobs, counts):
    frame, report = read_swf(require(f"jobs/pwa/{place}"))
    assert len(frame) == jobs
    assert report.dropped == {}
    assert counts.items() <= report.counts.items()


def test_the_header_of_intrepid():
    trace = read_swf(require("jobs/intrepid/ANL-Intrepid-2009-first1200.swf.xz"))
    assert len(trace.frame) == 1_200
    assert trace.header["MaxProcs"] == "163840"
    assert trace.header["UnixStartTime"] == "1231135224"
    assert trace.header["StartTime"] == "Mon Jan  5 00:00:24 GMT-6 2009"
    late = trace.frame["runtime"] > trace.frame["walltime"]
    assert late.sum() == 119


@pytest.mark.parametrize(
    ("place", "dialect", "jobs", "counts"),
    [
        ("jobs/mira/mira-2018-aug-dec.swf.xz", "walltime-in-6", 22_508, {}),
        ("jobs/theta/theta-2022dec-2023jul.swf.xz", "walltime-in-6", 23_387, {"unsorted": 8_056}),
        ("jobs/metacentrum-2013/wagap-2013.swf.xz", "placement", 17_900, {"negative": 2}),
        ("jobs/intrepid/intrepid-first3000-nowalltime.txt.xz", "no-walltime", 3_000, {}),
    ],
)
def test_logs_in_other_dialects(place, dialect, jobs, counts):
    assert dialect in DIALECTS
    frame, report = read_swf(require(place), dialect=dialect)
    assert len(frame) == jobs
    assert report.counts == counts


def test_the_six_files_of_trinity():
    path = require("jobs/lanl-trinity/trinity_formatted_release_v0.1.0.tar.xz")
    jobs = 0
    for part in range(6):
        member = f"trinity_formatted_release_v0.1.0_{part}.swf"
        frame, report = read_swf(path, dialect="row-number", member=member)
        assert report.problems == ()
        assert frame["submit"].iloc[0] == 0.0
        jobs += len(frame)
    assert jobs == 21_247


def test_memory_is_proportional_to_the_log():
    """Ten times the lines, ten times the memory; and a bounded multiple of the text itself."""
    rows = [changed(job=j, submit=7 * j, runtime=j % 900, user=j % 40) for j in range(30_000)]
    peaks = []
    for count in (3_000, 30_000):
        data = ("\n".join(rows[:count]) + "\n").encode()
        read_swf(io.BytesIO(data))  # compiles and imports what is needed
        tracemalloc.start()
        read_swf(io.BytesIO(data))
        peaks.append(tracemalloc.get_traced_memory()[1] / len(data))
        tracemalloc.stop()
    assert max(peaks) < 8.0


def test_every_row_bad_is_reported_line_by_line():
    count = 20_000
    frame, report = read("spoiled line\n" * count)
    assert len(frame) == 0
    assert report.dropped == {"wrong-columns": count}
    assert [problem.line for problem in report.problems] == list(range(1, count + 1))
