import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from sim.traces.report import Findings, Trace
from sim.traces.sources import open_source, text_lines

TEXT = b"".join(b"line %d of a log\n" % i for i in range(5_000))


def opened(data, **options):
    findings = Findings()
    content = open_source(io.BytesIO(data), findings, **options)
    return content.data, findings.report("log", records=0, rows=0, strict=False)


def zipped(**files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def tarred(**files):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:xz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return target.getvalue()


@pytest.mark.parametrize(
    "packed",
    [TEXT, gzip.compress(TEXT), lzma.compress(TEXT), bz2.compress(TEXT), zipped(a=TEXT)],
    ids=["plain", "gz", "xz", "bz2", "zip"],
)
def test_content_is_recognised_by_itself(packed, tmp_path):
    assert opened(packed)[0] == TEXT
    path = tmp_path / "misnamed.txt"
    path.write_bytes(packed)
    assert open_source(path, Findings()).data == TEXT
    assert open_source(str(path), Findings()).name == "misnamed.txt"


def test_two_streams_in_one_file_are_read_through():
    assert opened(gzip.compress(b"a\n") + gzip.compress(b"b\n"))[0] == b"a\nb\n"


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_cut_archive_yields_what_came_before_and_says_so(compress):
    packed = compress(TEXT)
    data, report = opened(packed[: -len(packed) // 10])
    assert TEXT.startswith(data)
    assert len(data) > len(TEXT) // 4
    (problem,) = report.problems
    assert problem.rule == "truncated-archive"
    assert problem.line == data.count(b"\n") + 1


@pytest.mark.parametrize(
    "packed",
    [zipped(a=TEXT)[:200], bz2.compress(TEXT)[:100], b"\x1f\x8b\x08 nonsense", b"BZh9nonsense"],
)
def test_a_ruined_archive_is_a_problem_not_a_traceback(packed):
    data, report = opened(packed)
    assert data == b""
    assert report.counts == {"truncated-archive": 1}
    with pytest.raises(ValueError, match=r"line 1: the .* data"):
        report.refuse()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_member_of_an_archive_is_named(pack):
    packed = pack(a=b"one\n", b=b"two\n")
    assert opened(packed, member="b")[0] == b"two\n"
    with pytest.raises(ValueError, match=r"member must be one of a, b in <file>, got None"):
        opened(packed)
    with pytest.raises(ValueError, match="member must be None"):
        opened(b"plain", member="b")


def test_a_text_object_is_taken_as_it_is():
    assert open_source(io.StringIO("1 2\n"), Findings()).data == b"1 2\n"


def test_a_number_is_not_a_source():
    with pytest.raises(TypeError, match="source must be a path or a file object, got 7"):
        open_source(7, Findings())


def test_line_ends_and_encodings_are_noted_not_refused():
    findings = Findings()
    content = open_source(io.BytesIO(b"\xef\xbb\xbfa\r\n; caf\xc3\xa9\r\n"), findings)
    assert text_lines(content, findings) == ["a", "; café"]
    report = findings.report("log", records=2, rows=2, strict=True)
    assert report.counts == {"byte-order-mark": 1, "crlf": 1}


def test_latin_1_is_read_and_its_line_told():
    findings = Findings()
    content = open_source(io.BytesIO(b"a\nMal\xe1\n"), findings)
    assert text_lines(content, findings) == ["a", "Malá"]
    (problem,) = findings.report("log", records=2, rows=2, strict=True).problems
    assert (problem.line, problem.rule) == (2, "latin-1")


def test_a_trace_is_a_pair_with_a_header():
    trace = Trace("frame", "report", {"MaxProcs": "7"})
    frame, report = trace
    assert (frame, report) == (trace.frame, trace.report) == (trace[0], trace[1])
    assert len(trace) == 2
    assert trace.header["MaxProcs"] == "7"


def test_a_report_counts_and_prints_every_rule():
    findings = Findings()
    findings.add("kept", 9, "odd", "nine is odd")
    findings.add("dropped", 4, "bad", "four is bad")
    findings.add("dropped", 6, "bad", "six is bad")
    findings.add("noted", 1, "remark", "a remark")
    report = findings.report("x.log", records=1_200, rows=1_198, strict=False)
    assert report.counts == {"remark": 1, "bad": 2, "odd": 1}
    assert report.dropped == {"bad": 2}
    assert str(report).splitlines() == [
        "x.log: 1,200 records, 1,198 in the frame",
        "  remark: 1 noted; first at line 1: a remark",
        "  bad: 2 dropped; first at line 4: four is bad",
        "  odd: 1 kept; first at line 9: nine is odd",
    ]
    with pytest.raises(ValueError, match=r"^line 4: four is bad$"):
        report.refuse()
