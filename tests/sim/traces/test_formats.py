"""What all readers have in common: whatever the bytes, a report or one ValueError."""

import gzip
import io
import json
import re
from typing import get_args

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sim.traces import (
    DIALECTS,
    FAILURE_FORMATS,
    JOB_FORMATS,
    SWF_COLUMNS,
    Trace,
    failure_format_of,
    job_format_of,
    log_kind_of,
    read_failures,
    read_fta_table,
    read_jobs,
    read_metacentrum_machines,
)
from sim.traces import SAMPLES as SHOWN
from sim.traces.parsing.report import Effect
from tests.sim.traces.failures.test_fta import HEAD as FTA_HEAD
from tests.sim.traces.failures.test_fta import ROWS as FTA_ROWS
from tests.sim.traces.failures.test_infinitehbd import event
from tests.sim.traces.failures.test_lanl import HEADER as LANL_HEADER
from tests.sim.traces.failures.test_lanl import row as lanl_row
from tests.sim.traces.failures.test_prometheus import ANSWER
from tests.sim.traces.failures.test_ras import BGL, MIRA
from tests.sim.traces.failures.test_sacctmgr import EVENT
from tests.sim.traces.failures.test_sacctmgr import HEAD as EVENTS_HEAD
from tests.sim.traces.failures.test_skypilot import TICKS
from tests.sim.traces.failures.test_xid import KERNEL
from tests.sim.traces.jobs.test_gwf import ROW as GWF_ROW
from tests.sim.traces.jobs.test_sacct import HEAD as SACCT_HEAD
from tests.sim.traces.jobs.test_sacct import ROW as SACCT_ROW
from tests.sim.traces.jobs.test_swf import ROW as SWF_ROW
from tests.support.examples import examples

from .test_metacentrum import FAILURES, JOB, MACHINE

FAILURE_SAMPLES = {
    "lanl": f"{LANL_HEADER}\n{lanl_row()}\n{lanl_row(node='4')}\n",
    "csv": "time,node,repair\n10,1,3\n20,2,4\n",
    "fta": FTA_HEAD + FTA_ROWS,
    "metacentrum": FAILURES,
    "bgl-ras": BGL,
    "mira-ras": MIRA,
    "infinitehbd": json.dumps([event(1.0, "start"), event(2.0, "end")], indent=1),
    "sacctmgr": EVENTS_HEAD + EVENT,
    "prometheus": ANSWER,
    "skypilot": TICKS,
    "xid": KERNEL,
}
JOB_SAMPLES = {
    "swf": f"; MaxProcs: 8\n{SWF_ROW}\n2{SWF_ROW[1:]}\n",
    "gwf": f"# comment\n{GWF_ROW}\n",
    "mwf": JOB,
    "sacct": SACCT_HEAD + SACCT_ROW,
    **{name: SHOWN[name].text for name in ("sacct-json", "pbs", "lsf", "batsim")},
    **{name: SHOWN[name].text for name in ("table", "acme", "helios", "alibaba-gpu", "philly")},
    "placement": f"{SWF_ROW} {{1,1}} q 1:ppn=2\n",
    "row-number": f"7 {SWF_ROW}\n",
    "no-walltime": "Job_name Submit Runtime Nodes Comment Perc\n1 0 7560 512 1 90\n",
    "walltime-in-6": f"{SWF_ROW}\n",
}
TABLES = {"machines": (read_metacentrum_machines, MACHINE), "fta-table": (read_fta_table, FTA_HEAD)}
SAMPLES = {**FAILURE_SAMPLES, **JOB_SAMPLES, **{name: text for name, (_, text) in TABLES.items()}}


def reader(name):
    if name in FAILURE_FORMATS:
        return lambda source, **options: read_failures(source, name, **options)
    if name in TABLES:
        return TABLES[name][0]
    return lambda source, **options: read_jobs(source, name, **options)


def test_every_format_has_a_sample():
    assert set(FAILURE_SAMPLES) == set(FAILURE_FORMATS)
    assert set(JOB_SAMPLES) == {*JOB_FORMATS, *DIALECTS} - {"standard"}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_pass_strict(name):
    trace = reader(name)(io.StringIO(SAMPLES[name]), strict=True)
    assert trace.report.lines("dropped").size == 0
    assert len(trace.frame) == trace.report.rows


@pytest.mark.parametrize("name", FAILURE_SAMPLES)
def test_failure_frames_have_the_common_columns(name):
    frame = read_failures(io.StringIO(FAILURE_SAMPLES[name]), name).frame
    assert list(frame.columns[:6]) == ["time", "node", "repair", "system", "cause", "line"]
    assert frame["time"].dtype == frame["repair"].dtype == np.float64


@pytest.mark.parametrize("name", JOB_SAMPLES)
def test_job_frames_have_the_columns_of_swf(name):
    frame = read_jobs(io.StringIO(JOB_SAMPLES[name]), name).frame
    assert list(frame.columns[:18]) == list(SWF_COLUMNS)
    assert "line" in frame.columns


@pytest.mark.parametrize("name", SAMPLES)
def test_line_ends_of_another_system_make_no_difference(name):
    read = reader(name)
    ours = read(io.StringIO(SAMPLES[name]))
    theirs = read(io.BytesIO(SAMPLES[name].replace("\n", "\r\n").encode()), strict=True)
    assert ours.frame.equals(theirs.frame)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("cut", [0, 1, 20])
def test_a_cut_archive_is_reported(name, cut):
    packed = gzip.compress(SAMPLES[name].encode())
    check(name, packed[: len(packed) - 9 - cut], "truncated-archive")


@pytest.mark.parametrize("name", FAILURE_SAMPLES)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_failure_formats_are_told_by_the_first_lines(name, pack):
    assert failure_format_of(io.BytesIO(pack(FAILURE_SAMPLES[name].encode()))) == name


@pytest.mark.parametrize("name", JOB_SAMPLES)
def test_job_formats_are_told_by_the_first_lines(name):
    """But for a dialect that looks like the standard."""
    wanted = "swf" if name == "walltime-in-6" else name
    assert job_format_of(io.StringIO(JOB_SAMPLES[name])) == wanted


@pytest.mark.parametrize("text", ["", "\n", "\0\1", "\ufeff; MaxProcs: 7\n", "a|b\n"])
def test_what_has_no_mark_is_taken_as_usual(text):
    assert job_format_of(io.BytesIO(text.encode())) == "swf"
    assert failure_format_of(io.BytesIO(text.encode())) == "csv"
    assert failure_format_of(io.StringIO(SACCT_HEAD)) == "sacct"


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ('{"tasks": [{"task": 1}]}', "tasks, task"),
        ("[]", "none"),
        ('{"items": [{"kind": "Node"}]}', "items, kind"),
    ],
)
@pytest.mark.parametrize("tell", [failure_format_of, log_kind_of])
def test_json_of_another_kind_is_refused_with_its_keys(text, got, tell):
    known = "infinitehbd .*prometheus .*skypilot .*"
    words = rf"^line 1: JSON must have the keys of {known}, got keys {got}: jq -r"
    with pytest.raises(ValueError, match=words):
        tell(io.StringIO(text))


@pytest.mark.parametrize("name", ["prometheus", "skypilot", "xid"])
def test_every_record_is_a_row_or_accounted_for(name):
    frame, report = read_failures(io.StringIO(FAILURE_SAMPLES[name]), name)
    away = [problem.line for problem in report.problems if problem.effect == "dropped"]
    away += [line for one in report.several for line in one.lines.tolist()]
    assert len(frame) + len(away) == report.records


def test_every_format_is_shown():
    """But for dialects of swf, which a table describes."""
    for kind, formats in (("jobs", JOB_FORMATS), ("failures", FAILURE_FORMATS)):
        assert {name for name, one in SHOWN.items() if one.kind == kind} == set(formats)


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown_of_a_format_can_be_read_and_is_told(name):
    text = SHOWN[name].text
    trace = reader(name)(io.StringIO(text), strict=True)
    assert trace.report.lines("dropped").size == 0
    assert len(trace.frame) >= 1
    tell = job_format_of if SHOWN[name].kind == "jobs" else failure_format_of
    assert tell(io.StringIO(text)) == name


@pytest.mark.parametrize("tell", [failure_format_of, job_format_of, log_kind_of])
@pytest.mark.parametrize(
    "text", ["  JOBID PARTITION  NAME USER ST\n 1 p a ann R\n", "JobId=1 JobName=a\n   UserId=b\n"]
)
def test_jobs_that_may_not_have_ended_are_refused_with_the_command(tell, text):
    with pytest.raises(ValueError, match=r"^line 1: a log must hold .* sacct --allusers --dup"):
        tell(io.StringIO(text))


def test_unknown_formats_are_refused():
    with pytest.raises(ValueError, match=r"format must be one of lanl, .* got 'xls'"):
        read_failures(io.StringIO(""), "xls")
    with pytest.raises(ValueError, match=r"format must be one of swf, .* got 'xls'"):
        read_jobs(io.StringIO(""), "xls")


def attempt(read, data):
    try:
        return read(io.BytesIO(data)), None
    except ValueError as error:
        return None, str(error)


def check(name, data, rule=None):
    """Read whatever `data` is: rows and dropped records add up, or one line-numbered refusal."""
    read = reader(name)
    trace, refusal = attempt(read, data)
    if refusal is not None:
        assert re.match(r"line \d+: .* must |(?:<|the )file>? must be text, got", refusal)
        return
    assert isinstance(trace, Trace)
    report = trace.report
    assert report.rows == len(trace.frame)
    met = (*report.problems, *report.several)
    assert str(report).count("\n") == len({(one.rule, one.effect) for one in met})
    assert report.lines(*get_args(Effect)).min(initial=1) >= 1
    if rule is not None:
        assert rule in report.counts
    malformed = [p for p in report.problems if p.effect not in ("noted", "skipped", "merged")]
    if malformed:
        reason = f"line {malformed[0].line}: {malformed[0].reason}"
        with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
            read(io.BytesIO(data), strict=True)
    else:
        read(io.BytesIO(data), strict=True)


spoilers = st.sampled_from(
    [
        "",
        "x",
        "-",
        "-1",
        "-7",
        "1e999",
        "nan",
        "1e30",
        "99999999999999999999",
        "\x00",
        '"',
        "é",
        "٣",
        ",",
        "\t",
        "\n",
        "1_0",
        "{",
        "[",
        "]",
        "0",
        "\r",
        ";",
        "#",
        "2005-13-45",
        "9007199254740993",
        "0.5",
        "../..",
    ]
)


@settings(deadline=None, max_examples=examples(150))
@given(name=st.sampled_from(sorted(SAMPLES)), data=st.data())
def test_no_bytes_make_a_reader_stumble(name, data):
    text = SAMPLES[name]
    for _ in range(data.draw(st.integers(1, 4))):
        words = list(re.finditer(r"[^\s|,]+|[\s|,]", text))
        if not words:
            break
        word = words[data.draw(st.integers(0, len(words) - 1))]
        text = text[: word.start()] + data.draw(spoilers) + text[word.end() :]
    check(name, text.encode(data.draw(st.sampled_from(["utf-8", "latin-1"])), "replace"))


@settings(deadline=None, max_examples=examples(150))
@given(name=st.sampled_from(sorted(SAMPLES)), data=st.binary(max_size=60))
@example(name="swf", data=b"PK\x03\x04")
@example(name="swf", data=b"\x1f\x8b")
@example(name="csv", data=b"\x00" * 257 + b"ustar" + b"\x00" * 300)
@example(name="csv", data=b"time\x00,repair\n1,2\n")
def test_noise_is_not_a_log(name, data):
    check(name, data)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("job_id,user,submit_time,start_time,end_time\n1,a,5,6,7\n", "jobs"),
        ("JobID|State|Start|End\n", "jobs"),
        ("; MaxProcs: 4\n", "jobs"),
        ("node,down,up\n1,2,3\n", "failures"),
        ("time,node,job\n", "failures"),
        ("", "failures"),
    ],
)
def test_a_log_of_jobs_is_told_from_one_of_failures(text, kind):
    assert log_kind_of(io.StringIO(text)) == kind
