import gzip
import json

import pytest
from click.testing import CliRunner

from perfmodel.cli import main
from sim.traces import CATALOGUE, describe_jobs, read_lanl, read_swf, write_swf
from tests.support.session_logs import DAY, session_log


def run(*arguments):
    return CliRunner().invoke(main, ["traces", *map(str, arguments)])


def test_the_list_says_what_is_at_hand(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFMODEL_TRACES", str(tmp_path))
    (tmp_path / "jobs" / "pwa").mkdir(parents=True)
    log = tmp_path / "jobs" / "pwa" / "KTH-SP2-1996-2.1-cln.swf.gz"
    log.write_bytes(b"")
    rows = {row["name"]: row for row in json.loads(run("list", "--json").output)}
    assert list(rows) == [entry.name for entry in CATALOGUE]
    assert rows["KTH-SP2-1996-2.1-cln"]["local"] == str(log)
    assert rows["KTH-SP2-1996-2.1-cln"]["sha256"] is None
    table = run("list")
    assert table.exit_code == 0
    for entry in CATALOGUE:
        assert entry.name in table.output


@pytest.mark.parametrize("suffix", [".swf", ".swf.gz"])
def test_an_intrepid_like_log_is_written(tmp_path, suffix):
    out = tmp_path / f"jobs{suffix}"
    done = run("generate", "intrepid-like", "--seed", 3, "--out", out)
    assert (done.exit_code, done.output) == (0, f"{out}: 7,630 jobs\n")
    trace = read_swf(out, strict=True)
    assert len(trace.frame) == 7_630
    assert trace.header["MaxProcs"] == "163840"
    assert trace.header["Note"] == "perfmodel traces generate intrepid-like --seed 3"
    first = out.read_bytes()
    run("generate", "intrepid-like", "--seed", 3, "--out", out)
    assert out.read_bytes() == first
    run("generate", "intrepid-like", "--seed", 4, "--out", out)
    assert out.read_bytes() != first


def test_a_lanl_like_log_is_written(tmp_path):
    out = tmp_path / "failures.csv"
    assert run("generate", "lanl-like", "--out", out).exit_code == 0
    assert len(read_lanl(out, system=20, strict=True).frame) > 100


def test_what_is_there_is_checked_not_fetched_again(tmp_path):
    log = tmp_path / "jobs" / "pwa" / "KTH-SP2-1996-2.1-cln.swf.gz"
    log.parent.mkdir(parents=True)
    log.write_bytes(gzip.compress(b"1 2 3\n"))
    done = run("fetch", "KTH-SP2-1996-2.1-cln", "--to", tmp_path, "--insecure-no-checksum")
    assert done.exit_code == 0
    assert done.output.startswith(f"{log}: taken as it is, no checksum is known\nTerms: ")


def test_a_log_without_a_known_checksum_is_not_taken_unasked(tmp_path):
    done = run("fetch", "ANL-Intrepid-2009-1", "--to", tmp_path)
    assert done.exit_code == 2
    assert done.stderr == (
        "Error: ANL-Intrepid-2009-1 must have a known checksum, got none; "
        "--insecure-no-checksum takes it as it is\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fetch", "nothing"), "name must be one of"),
        (("fetch",), "Missing argument"),
        (("generate", "intrepid-like"), "Missing option '--out'"),
        (("generate", "mira-like", "--out", "x"), "KIND must be one of"),
        (("fetch", "nothing", "--to", __file__), "--to must be a folder"),
        (("generate", "lanl-like", "--out", "x", "--seed", "-1"), "--seed must be"),
        (("generate", "lanl-like", "--out", "/no/such/folder/x.csv"), "no such folder"),
        (("describe", "/no/such/file"), "LOG must be a readable file"),
        (("resample", __file__), "Missing option '--out'"),
        (("resample", __file__, "--out", "x", "--by", "hour"), "--by must be one of user, day"),
        (("resample", __file__, "--out", "x", "--load", "0"), "--load must be a number > 0"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, words):
    done = run(*arguments)
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert words in done.output


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Return a log of eight weeks that began on Monday, 5 January 2026, 09:00 in Berlin."""
    path = tmp_path_factory.mktemp("logs") / "jobs.swf"
    header = {"MaxProcs": "64", "UnixStartTime": "1767600000", "TimeZoneString": "Europe/Berlin"}
    write_swf(session_log(days=56), path, header=header)
    return path


def test_a_log_is_described_as_a_table_and_as_json(log):
    done = run("describe", log)
    assert done.exit_code == 0, done.output
    for words in ("gaps: correlation with the next", "Jobs a day by hour", "64 processors", "Mon"):
        assert words in done.output
    assert "those of Europe/Berlin" in " ".join(done.output.split())
    plain = json.loads(run("describe", log, "--json").output)
    found = describe_jobs(read_swf(log).frame, processors=64, clock=1_767_600_000 + 3600.0)
    assert plain["measures"] == pytest.approx(dict(found.measures))
    assert plain["jobs_by_hour"] == pytest.approx(found.by_hour.tolist())
    assert plain["days"]["load"] == pytest.approx(found.days["load"].tolist())
    assert len(plain["weeks"]) == 7


def test_one_day_and_one_size_are_told_in_the_singular(tmp_path):
    path = tmp_path / "jobs.swf"
    row = "{n} {n} 0 60 4 -1 -1 4 90 -1 1 2 3 -1 1 -1 -1 -1\n"
    header = "; UnixStartTime: 1767225600\n; MaxProcs: 8\n"
    path.write_text(header + "".join(row.format(n=n) for n in range(1, 9)))
    shown = run("describe", path).output
    assert "Of 1 day:" in shown
    assert "Sizes: 1:" in shown


def test_hours_are_not_shown_where_the_log_does_not_say_when_it_began(tmp_path):
    write_swf(session_log(days=15), tmp_path / "jobs.swf")
    done = run("describe", tmp_path / "jobs.swf")
    assert "hours and weekdays are not known" in " ".join(done.output.split())
    assert "by hour" not in done.output
    assert "machine  not known" in done.output
    named = run("describe", tmp_path / "jobs.swf", "--processors", 64).output
    assert "machine  64 processors" in named


@pytest.mark.parametrize("options", [(), ("--processors", 64)])
def test_a_description_can_be_drawn(tmp_path, options):
    pytest.importorskip("matplotlib")
    write_swf(session_log(days=9).assign(walltime=-1.0), tmp_path / "jobs.swf")
    picture = tmp_path / "jobs.svg"
    done = run("describe", tmp_path / "jobs.swf", "--plot", picture, *options)
    assert done.exit_code == 0, done.output
    drawn = picture.read_text()
    assert "requested time" not in drawn
    assert ("offered load" in drawn) == bool(options)


def test_a_resampled_log_has_the_load_and_length_asked_for(log, tmp_path):
    out = tmp_path / "drawn.swf.gz"
    common = ("resample", log, "--load", 0.5, "--days", 30, "--by", "day", "--out", out)
    done = run(*common, "--seed", 3)
    assert done.exit_code == 0, done.output
    trace = read_swf(out, strict=True)
    jobs = trace.frame
    assert f"{out}:{len(jobs):,}jobs" in "".join(done.output.split())  # wrapped anywhere
    assert "The median week of the drawn log" in done.output
    area = float((jobs["runtime"] * jobs["processors"]).sum())
    assert area / (64 * 30 * DAY) == pytest.approx(0.5, rel=0.0101)
    assert trace.header["MaxProcs"] == "64"
    assert trace.header["TimeZoneString"] == "Europe/Berlin"
    assert trace.header["Note"].endswith("--by day --days 30 --seed 3: jobs.swf")
    first = out.read_bytes()
    run(*common, "--seed", 3)
    assert out.read_bytes() == first
    run(*common, "--seed", 4)
    assert out.read_bytes() != first


def test_a_resampled_log_has_printed_numbers(log, tmp_path):
    like = tmp_path / "like.csv"
    like.write_text(
        "measure,from,below,value\n"
        "jobs,,,1500\n"
        "processors,,9,45.0%\n"
        "runtime,10min,20min,0.25\n"
        "runtime,,,32.0min\n"
    )
    out = tmp_path / "drawn.swf"
    done = run("resample", log, "--days", 35, "--by", "week", "--like", like, "--out", out)
    assert done.exit_code == 0, done.output
    jobs = read_swf(out).frame
    assert len(jobs) == 1500
    assert (jobs["processors"] < 9).mean() == pytest.approx(0.45, abs=0.00051)
    share = ((jobs["runtime"] >= 600) & (jobs["runtime"] < 1200)).mean()
    assert share == pytest.approx(0.25, abs=0.0051)
    assert jobs["runtime"].mean() == pytest.approx(32.0 * 60, abs=0.05 * 60 + 0.01)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("measure,from\njobs,1\n", "like.csv must have a column 'value'"),
        ("measure,value\nsize,5\n", "like.csv, line 2: measure must be one of jobs,"),
        ("measure,value\nruntime,5\n", "line 2: numbers must be a time such as 74.3min, got '5'"),
        ("measure,value\njobs,5min\n", "line 2: numbers must be a count, got '5min'"),
        ("measure,from,value\nruntime,1h,x\n", "line 2: numbers must be a share such as 14.3%"),
        ("measure,from,value\nruntime,1h,150%\n", "line 2: value must be in [0, 1], got 1.5"),
        pytest.param(
            *("measure,value\nruntime,900h\n", "--load and --like must be within reach"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_bad_table_is_one_line(log, tmp_path, table, words):
    like = tmp_path / "like.csv"
    like.write_text(table)
    done = run("resample", log, "--like", like, "--out", tmp_path / "x.swf", "--by", "week")
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert words in done.output
    assert not (tmp_path / "x.swf").exists()


def test_a_load_needs_a_machine(tmp_path):
    write_swf(session_log(days=15), tmp_path / "jobs.swf")
    done = run("resample", tmp_path / "jobs.swf", "--load", 0.5, "--out", tmp_path / "x.swf")
    assert done.exit_code == 2
    assert "--processors must be given with --load" in done.output
