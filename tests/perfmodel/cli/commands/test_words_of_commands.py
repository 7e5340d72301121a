"""Short answers of commands in full: help of job logs, headers that are written, what to try."""

import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from perfmodel.cli import main
from tests.support.runner import runner

advise = import_module("perfmodel.cli.commands.advise")
demo = import_module("perfmodel.cli.commands.demo")
traces = import_module("perfmodel.cli.commands.traces")

JOBS = (
    "; MaxProcs: 8\n; UnixStartTime: 1000000000\n; TimeZoneString: UTC\n; Queue: all\n"
    + "".join(
        f"{i} {7000 * i} -1 {i * 37 % 900} {1 + i % 8} -1 -1 -1 999 -1 1 {i % 5} 1 -1 1 -1 -1 -1\n"
        for i in range(1, 200)
    )
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(JOBS)
    return tmp_path


def run(*words, code=0):
    done = runner().invoke(main, [*words])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


OF_A_JOB_LOG = """
--format NAME Format of LOG. [default: by its first lines] perfmodel traces formats shows a sample
  of each.
--columns WHAT=NAME,... Of a table of jobs: which column holds what, as submit=ASKED,nodes=N.
--fields NAMES Of sacct's output without its header: its columns, as given to sacct --format.
--processors N Of the machine, in the unit of LOG. [default: the log's header]
--strict Refuse a log with malformed lines.
--max-bytes SIZE Refuse a larger file (decompressed). [default: 500MB]
--max-lines N Refuse a file of more lines. [default: 5000000]
--max-memory SIZE Refuse a file that takes more memory (estimated). [default: 2GB]
--max-line SIZE Refuse a file with a longer line. [default: 10MB]
--max-columns N Refuse a file with more columns in a line. [default: 1000]
"""


def test_the_help_of_what_reads_a_job_log():
    @click.command()
    @traces._of_job_log
    def command(log, layout, processors, strict, **reading):
        assert reading.items() >= {"columns": (), "fields": None}.items()
        assert (log, layout, processors, strict) == (Path("jobs.swf"), "gwf", 7, True)

    done = runner().invoke(command, ["--help"], terminal_width=10_000)
    usage, _, options = done.output.partition("Options:")
    assert "[OPTIONS] LOG" in usage
    assert options.partition("--help")[0].split() == OF_A_JOB_LOG.split()
    words = ["jobs.swf", "--format", "gwf", "--processors", "7", "--strict"]
    assert runner().invoke(command, words, standalone_mode=False).exception is None
    done = runner().invoke(command, ["--format", "x", "jobs.swf"])
    assert "--format must be one of swf, gwf, mwf, sacct, sacct-json, pbs" in done.stderr


def headers(path):
    lines = [line[2:].strip() for line in Path(path).read_text().splitlines() if line[:1] == ";"]
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--by user --seed 1"),
        (["--by", "day", "--days", "1.5", "--seed", "7"], "--by day --days 1.5 --seed 7"),
        (["--by", "week", "--days", "14"], "--by week --days 14 --seed 1"),
    ],
)
def test_a_drawn_log_says_how_it_was_drawn(options, said):
    text = run("traces", "resample", "jobs.swf", *options, "--out", "r.swf")
    found = headers("r.swf")
    jobs = [line for line in Path("r.swf").read_text().splitlines() if line[:1] != ";"]
    assert text.splitlines()[0] == f"r.swf: {len(jobs):,} jobs"
    assert found.pop("Note") == f"perfmodel traces resample {said}: jobs.swf"
    assert found.pop("MaxJobs") == str(len(jobs))
    assert found["MaxProcs"] == "8"
    assert "Queue" not in found


def test_a_log_that_is_made_up_says_so():
    assert run("traces", "generate", "lanl-like", "--seed", "5", "--out", "f.csv").startswith(
        "f.csv: "
    )
    text = run("traces", "generate", "intrepid-like", "--seed", "5", "--out", "j.swf")
    found = headers("j.swf")
    assert text == f"j.swf: {int(found['MaxJobs']):,} jobs\n"
    assert found["Note"] == "perfmodel traces generate intrepid-like --seed 5"


def test_a_path_is_written_as_short_as_it_can_be(folder, monkeypatch):
    inner = folder / "inner" / "most"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert demo._short(inner / "a" / "b") == "a/b"
    assert demo._short(Path("a/b")) == "a/b"
    assert demo._short(inner.parent / "c") == "../c"
    assert demo._short(folder / "c") == str(folder / "c")
    monkeypatch.setattr(demo.shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", [str(inner / "run.py")])
    assert demo._program() == "run.py"
    monkeypatch.setattr(demo.shutil, "which", lambda name: f"/bin/{name}")
    assert demo._program() == "perfmodel"


def test_seconds_of_an_advisor_and_counts_or_logs():
    def refusal(kind, text):
        with pytest.raises(click.UsageError) as refused:
            kind.convert(text, None, None)
        return refused.value.message

    rule = "argument must be seconds on one clock, such as 1700000000, got "
    for text, value in {"-5": -5.0, "1.5e9": 1.5e9, "999999999999": 999_999_999_999.0}.items():
        assert advise.SECONDS.convert(text, None, None) == value
    for text in ("1e12", "-1e12", "nan", "1_0", "٣", "x"):
        assert refusal(advise.SECONDS, text).startswith(f"{rule}{text!r}")
    kind = advise.COUNT_OR_LOG
    assert kind.convert("9" * 9, None, None) == 999_999_999
    assert kind.convert("0", None, None) == 0
    Path("7" * 10).touch()
    assert kind.convert("7" * 10, None, None) == Path("7" * 10)
    assert kind.convert("jobs.swf", None, None) == Path("jobs.swf")


@pytest.mark.parametrize("text", ["none.csv", "-1", "٣", "."])
def test_failures_that_are_neither_a_number_nor_a_log_are_refused_by_their_option(text):
    reason = "a directory" if text == "." else "no such file"
    rule = "--failures must be a whole number or a log"
    said = run("advise", f"--failures={text}", code=2)
    assert said == f"Error: {rule}, got {text!r} ({reason})\n"


def test_what_an_advisor_is_told_at_first_is_kept():
    words = ["advise", "--state", "s.json", "--cost", "60s", "--mtbf", "9h", "--now", "100"]
    assert run(*words, "--event", "started").startswith("Checkpoint: in ")
    assert "interval" in run("advise", "--state", "s.json", "--now", "160", code=1)
    assert run("advise", "--state", "s.json", "--now", "160", "--step", "3", code=1)


def test_batches_that_are_played_on_a_terminal_are_the_same(monkeypatch, capsys):
    simulate = import_module("perfmodel.cli.commands.simulate")
    batches = [(4, 1), (3, 2)]
    for terminal in (False, True):
        monkeypatch.setattr(simulate, "watched", lambda terminal=terminal: terminal)
        assert [*simulate._with_progress(batches)] == batches
        shown = capsys.readouterr()
        assert shown.out == ""
        assert (shown.err != "") is terminal


def test_a_figure_is_asked_for_by_the_name_of_its_file(folder):
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
    from perfmodel.cli.figures.file import axes_in, plot_option

    seen = []

    @click.command()
    @plot_option
    def command(plot):
        seen.append(plot)

    text = " ".join(runner().invoke(command, ["--help"], terminal_width=200).output.split())
    assert "--plot FILE Draw the answer: PNG, SVG or PDF, by the name of the file. --help" in text
    assert runner().invoke(command, []).exit_code == 0
    for name in ("a.png", "a.SVG", "a.pdf"):
        assert runner().invoke(command, ["--plot", name]).exit_code == 0
    assert seen == [None, Path("a.png"), Path("a.SVG"), Path("a.pdf")]
    for name in ("a.txt", "png", "a"):
        done = runner().invoke(command, ["--plot", name])
        assert (done.exit_code, done.stderr.splitlines()[-1]) == (
            2,
            f"Error: --plot must end in .png, .pdf or .svg, got {name!r}",
        )
    done = runner().invoke(command, ["--plot", str(folder)])
    assert "--plot must be a writable file" in done.stderr
    for panels, height in ((1, 4.5), (3, 2.0)):
        with axes_in(folder / "b.png", panels, height=height) as axes:
            first = axes if panels == 1 else axes[0]
            figure = first.figure
            assert (panels == 1) or len(axes) == panels
        assert figure.get_size_inches().tolist() == [8.0, height * panels]
        head = (folder / "b.png").read_bytes()[16:24]
        size = int.from_bytes(head[:4]), int.from_bytes(head[4:])
        assert size == (8 * 150, round(height * panels * 150))
    written = []
    for name in ("c.svg", "d.svg", "e.pdf", "f.pdf"):
        with axes_in(folder / name) as axes:
            axes.plot([1, 2])
        written.append((folder / name).read_bytes())
    assert written[0] == written[1]
    assert written[2] == written[3]
    assert b"dc:date" not in written[0]
    assert b"CreationDate" not in written[2]
    with axes_in(folder / "g.png") as axes:
        pass
    from matplotlib import pyplot

    assert axes.figure.number not in pyplot.get_fignums()
