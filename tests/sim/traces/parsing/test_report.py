import bz2
import gzip
import io
import lzma
import os
import tarfile
import threading
import tracemalloc
import zipfile

import pytest

from sim.traces import read_failures, read_jobs
from sim.traces.machines.cobalt_xml import read_cobalt_xml
from sim.traces.parsing import Findings, Trace
from sim.traces.parsing.limits import Limits
from sim.traces.parsing.sources import Limited, content_pieces, open_source, text_lines

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


def test_members_of_a_tar_have_long_names_and_folders():
    long = "folder/" + "x" * 150 + "/log"
    for layout in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT):
        target = io.BytesIO()
        with tarfile.open(fileobj=target, mode="w", format=layout) as archive:
            folder = tarfile.TarInfo("folder")
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
            entry = tarfile.TarInfo(long if layout == tarfile.GNU_FORMAT else "folder/log")
            entry.size = len(TEXT)
            archive.addfile(entry, io.BytesIO(TEXT))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
        assert opened(target.getvalue())[0] == TEXT
        assert opened(target.getvalue(), member=entry.name)[0] == TEXT


def test_the_headers_of_a_tar_are_read_in_one_pass():
    """Not timed: the standard library took half an hour for a megabyte of digits."""
    body = b"9" * 1_000_000 + b"\n"
    pax = tarfile.TarInfo("pax")
    pax.type, pax.size = tarfile.XHDTYPE, len(body)
    head = pax.tobuf(tarfile.USTAR_FORMAT) + body + b"\0" * (-len(body) % 512)
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        entry = tarfile.TarInfo("a")
        entry.size = 2
        archive.addfile(entry, io.BytesIO(b"a\n"))
    assert opened(head + plain.getvalue())[0] == b"a\n"


@pytest.mark.parametrize("cut", [100, 600, 5_000, 60_000])
def test_a_cut_tar_yields_what_came_before_and_says_so(cut):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name in ("a", "b"):
            entry = tarfile.TarInfo(name)
            entry.size = len(TEXT)
            archive.addfile(entry, io.BytesIO(TEXT))
    second = 512 + len(TEXT) + -len(TEXT) % 512
    data, report = opened(target.getvalue()[: second + cut], member="b" if cut > 512 else "a")
    assert data == (TEXT[: cut - 512] if cut > 512 else TEXT)
    assert report.counts == {"truncated-archive": 1}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_member_of_an_archive_is_named(pack):
    packed = pack(a=b"one\n", b=b"two\n")
    assert opened(packed, member="b")[0] == b"two\n"
    with pytest.raises(ValueError, match=r"member must be one of a, b in <file>, got None"):
        opened(packed)
    with pytest.raises(ValueError, match="member must be None"):
        opened(b"plain", member="b")
    with pytest.raises(ValueError, match="<file> must hold a file, got an empty archive"):
        opened(pack(**{"folder/": b""}))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("place", range(1, 20, 3))
def test_a_damaged_member_is_a_problem_not_a_traceback(method, place):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("a", TEXT)
    packed = bytearray(target.getvalue())
    for at in range(len(packed) * place // 20, len(packed) * place // 20 + 8):
        packed[at] ^= 0xA5
    data, report = opened(bytes(packed))
    assert len(data) <= len(TEXT)
    assert report.counts in ({"truncated-archive": 1}, {})
    assert report.counts or data == TEXT


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


@pytest.mark.parametrize("method", METHODS)
def test_members_are_read_by_every_usual_method(method):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("a", TEXT)
        archive.writestr("b", b"")
    assert opened(target.getvalue(), member="a")[0] == TEXT
    assert opened(target.getvalue(), member="b")[0] == b""
    assert opened(target.getvalue(), member="b")[1].problems == ()


@pytest.mark.parametrize("method", METHODS)
def test_a_member_that_expands_is_refused_before_it_fills_the_memory(method):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("a", ZEROS)
    limits = Limits(max_bytes=30_000_000 if method == zipfile.ZIP_STORED else 100_000)
    low = Limited(io.BytesIO(target.getvalue()), limits)
    tracemalloc.start()
    try:
        if method == zipfile.ZIP_STORED:
            assert sum(map(len, content_pieces(low, Findings()))) == len(ZEROS)
        else:
            with pytest.raises(ValueError, match="<file> must hold at most 100,000 bytes"):
                list(content_pieces(low, Findings()))
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert held < (60_000_000 if method == zipfile.ZIP_STORED else 25_000_000)


def test_a_member_that_cannot_be_unpacked_is_a_problem():
    whole = zipped(a=TEXT)
    at = whole.index(b"PK\x01\x02")
    encrypted, unknown, elsewhere = bytearray(whole), bytearray(whole), bytearray(whole)
    encrypted[at + 8] |= 1
    unknown[at + 10] = 97
    elsewhere[at + 42] = 1
    for packed, words in (
        (encrypted, "'a' is encrypted"),
        (unknown, "'a' is packed by method 97"),
        (elsewhere, "'a' does not begin where it should"),
    ):
        data, report = opened(bytes(packed))
        assert data == b""
        assert words in report.problems[0].reason


def test_an_archive_of_countless_files_is_refused():
    with pytest.raises(ValueError, match=r"^<file> must hold at most 100,000 files, got more$"):
        opened(b"PK\x03\x04" + b"PK\x01\x02" * 100_001)


@pytest.mark.parametrize(
    ("limits", "data", "words"),
    [
        ({"max_line": 8}, b"a\n" + b"x" * 9, "8 bytes in a line"),
        ({"max_columns": 3}, b"a,b\n1,2,3,4\n", "3 columns in a line"),
        ({"max_columns": 3}, b"1|2|3|4", "3 columns in a line"),
        ({"max_memory": 5_000}, b"a\n" * 9, "5,000 bytes in memory"),
        ({"max_memory": 5_000}, b"," * 90, "5,000 bytes in memory"),
        ({"max_memory": 5_000}, "\N{SNOWMAN}".encode() * 300, "5,000 bytes in memory"),
    ],
)
def test_what_lines_and_fields_take_is_limited(limits, data, words):
    (name,) = limits
    source = Limited(io.BytesIO(data), Limits(**limits))
    said = rf"^<file> must hold at most {words}, got more; raise {name} if it is"
    findings = Findings()
    content = open_source(source, findings)
    with pytest.raises(ValueError, match=said):
        text_lines(content, findings)
    more = Limits(**{name: 10 * limits[name]})
    findings = Findings()
    content = open_source(Limited(io.BytesIO(data), more), findings)
    assert "\n".join(text_lines(content, findings)) == data.decode().removesuffix("\n")


@pytest.mark.parametrize("layout", ["swf", "gwf", "mwf", "sacct"])
@pytest.mark.parametrize("line", ["x y\n", "1 2 0 3 4 -1 -1 4 5 -1 1 1 1 -1 1 -1 -1 -1\n"])
def test_lines_and_problems_of_jobs_are_limited(layout, line):
    source = Limited(io.StringIO(line * 200), Limits(max_memory=20_000))
    with pytest.raises(ValueError, match="must hold at most 20,000 bytes in memory, got more"):
        read_jobs(source, layout)


@pytest.mark.parametrize("text", ["[" + "{}," * 200, "[" * 500])
def test_what_json_takes_is_limited(text):
    source = Limited(io.StringIO(text), Limits(max_memory=20_000))
    with pytest.raises(ValueError, match="must hold at most 20,000 bytes in memory, got more"):
        read_failures(source, "infinitehbd")


def test_what_xml_takes_is_limited():
    source = Limited(io.StringIO("<a>" * 100), Limits(max_memory=20_000))
    with pytest.raises(ValueError, match="must hold at most 20,000 bytes in memory, got more"):
        read_cobalt_xml(source)


def test_a_pipe_to_which_nobody_writes_is_refused_and_another_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match=r"^pipe must be a file, or a pipe that something is wr"):
        open_source(Limited(pipe, Limits(max_wait=0.05)), Findings())
    writer = threading.Thread(target=lambda: pipe.write_bytes(TEXT), daemon=True)
    writer.start()
    assert open_source(pipe, Findings()).data == TEXT
    writer.join()


def test_a_pipe_may_keep_silent_for_a_while(tmp_path):
    read, write = os.pipe()
    later = threading.Timer(0.1, lambda: (os.write(write, b"late\n"), os.close(write)))
    later.start()
    limits = Limits(max_wait=0.01)
    assert open_source(Limited(f"/dev/fd/{read}", limits), Findings()).data == b"late\n"
    later.join()
    os.close(read)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_zeros_may_follow_an_archive_and_anything_else_is_reported(compress):
    packed = compress(b"a\n")
    for filling in (b"", b"\0" * 4, b"\0" * 100_000):
        assert opened(packed + filling)[1].problems == ()
        assert opened(packed + filling + packed)[0] == b"a\na\n"
        data, report = opened(packed + filling + b"more")
        assert data == b"a\n"
        assert report.counts == {"truncated-archive": 1}
        assert "left out" in report.problems[0].reason


def test_thousands_of_streams_in_a_row_are_read_in_one_pass():
    """Not timed: copying the rest for each of them took minutes."""
    assert opened(gzip.compress(b"a\n") * 100_000)[0] == b"a\n" * 100_000


BOMB = b"\n" * 6_000_000
ZEROS = bytes(25_000_000)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "pack",
    [
        lzma.compress,
        gzip.compress,
        bz2.compress,
        lambda data: zipped(a=data),
        lambda data: tarred(a=data),
        lambda data: gzip.compress(zipped(a=data)),
    ],
    ids=["xz", "gz", "bz2", "zip", "tar", "gz-zip"],
)
def test_content_beyond_the_limit_is_refused_before_it_fills_the_memory(pack):
    packed = pack(ZEROS)
    limits = Limits(max_bytes=1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"<file> must hold at most 1,000,000 bytes, got more"):
            open_source(Limited(io.BytesIO(packed), limits), Findings())
        assert tracemalloc.get_traced_memory()[1] < 20_000_000  # of which 8 MB the dictionary of xz
    finally:
        tracemalloc.stop()


def test_too_many_lines_are_refused_before_they_fill_the_memory(tmp_path):
    path = tmp_path / "log.xz"
    path.write_bytes(lzma.compress(BOMB))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"^log.xz must hold at most 5,000,000 lines"):
            open_source(path, Findings())
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    more = Limited(path, Limits(max_lines=len(BOMB)))
    assert sum(map(len, content_pieces(more, Findings()))) == len(BOMB)


def test_a_file_of_just_the_limit_is_read():
    for data in (TEXT, gzip.compress(TEXT), zipped(a=TEXT), tarred(a=TEXT)):
        limits = Limits(max_bytes=len(TEXT), max_lines=TEXT.count(b"\n"))
        if data[:2] not in (b"PK", b"\xfd7"):  # of which the archive is counted too
            assert open_source(Limited(io.BytesIO(data), limits), Findings()).data == TEXT
    plain = io.StringIO("a\nb\n")
    with pytest.raises(ValueError, match=r"raise max_lines if it is what"):
        open_source(Limited(plain, Limits(max_lines=1)), Findings())


def test_what_never_ends_is_refused():
    with pytest.raises(ValueError, match="zero must hold at most 1,000,000 bytes"):
        open_source(Limited("/dev/zero", Limits(max_bytes=1_000_000)), Findings())


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


def test_latin_1_is_read_and_its_line_reported():
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
