"""Files that are larger than they look: refused in one line, before they fill the memory."""

import gzip
import lzma

import pytest

from perfmodel.answers.logs.limits import DEFAULTS
from perfmodel.cli import COMMANDS, main
from perfmodel.units import byte_count
from sim.traces import Limits
from tests.support.runner import runner

ROW = "1 5 64 1 1 64 8 6 1 62 1 1 -1 1 1 1"
JOBS = f"; MaxProcs: 64\n1 0 {ROW}\n2 9 {ROW}\n"
FAILURES = "time,node,repair\n1,0,1\n5,1,1\n9,1,2\n"
GRID = "[[cluster]]\nname = 'a'\nmachines = 64\n"
MACHINES = "speed,mtbf\n1,500h\n2,600h\n5,200h\n"
PLAN = """
[failures]
log = "failures.csv"
format = "csv"
[job]
work = "9s"
[checkpoint]
cost = "1s"
"""
READERS = {
    "replay": ["replay", "jobs.swf"],
    "replay --failures": ["replay", "jobs.swf", "--failures", "failures.csv"],
    "recovery": ["recovery", "jobs.swf", "--case", "ff"],
    "qos": ["qos", "jobs.swf", "--accuracy", "0.5", "--confidence", "0.5"],
    "quote": ["quote", "jobs.swf", "--nodes", "1", "--runtime", "1h"],
    "grid": ["grid", "jobs.swf", "--machines", "grid.toml", "--policies", "fcfs"],
    "fit": ["fit", "failures.csv", "--format", "csv"],
    "interval": ["interval", "--log", "failures.csv", "--format", "csv", "--checkpoint-cost", "1s"],
    "goodput": ["goodput", "--log", "failures.csv", "--format", "csv", "--checkpoint-cost", "1s"],
    "simulate": ["simulate", "--log", "failures.csv", "--format", "csv", "--checkpoint-cost", "1s"],
    "plan": ["plan", "plan.toml"],
    "sweep": ["sweep", "study.toml", "--ledger", "ledger.db", "--table", "table.csv"],
    "report": ["report", "failures.csv", "--kind", "failures"],
    "forecast": [
        *("forecast", "failures.csv", "--format", "csv", "--work", "1h", "--checkpoint-cost", "1s"),
        *("--futures", "9"),
    ],
    "completion": [
        *("completion", "--log", "failures.csv", "--format", "csv", "--checkpoint-cost", "1s"),
        *("--rate", "constant"),
    ],
}
BOMBS = {"gz": gzip.compress(b"\n" * 6_000_000), "xz": lzma.compress(b"\n" * 6_000_000)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    files = {
        "jobs.swf": JOBS,
        "failures.csv": FAILURES,
        "grid.toml": GRID,
        "machines.csv": MACHINES,
        "plan.toml": PLAN,
        "study.toml": '[study]\nreplay = "jobs.swf"\n[parameters]\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*arguments):
    done = runner().invoke(main, list(arguments))
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_the_options_have_the_limits_of_the_readers():
    for name, text in DEFAULTS.items():
        read = byte_count if text.endswith("B") else int
        assert read(text) == getattr(Limits(), name), name


@pytest.mark.parametrize("command", sorted({words[0] for words in READERS.values()}))
def test_the_help_states_the_limits(command):
    text = " ".join(runner().invoke(main, [command, "--help"]).output.split())
    assert "Refuse a larger file (decompressed). [default: 500MB]" in text
    assert "Refuse a file of more lines. [default: 5000000]" in text
    machines = "Refuse a file of more machines. [default: 1000000]"
    assert (machines in text) is (
        command in ("replay", "recovery", "qos", "quote", "grid", "report")
    )


def test_every_command_that_reads_a_log_has_limits():
    reading = {words[0] for words in READERS.values()}
    others = {"advise", "demo", "extra", "nodes", "partition", "schema", "spares", "traces"}
    assert set(COMMANDS) - reading == others


@pytest.mark.few(8)
@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
@pytest.mark.parametrize("option", ["--max-lines", "--max-bytes"])
def test_a_file_beyond_the_limit_is_refused_and_one_within_is_read(folder, words, option):
    low, what = ("1", "1 lines") if option == "--max-lines" else ("20B", "20 bytes")
    refusal = refused(*words, option, low)
    assert f"must hold at most {what}, got more; raise " in refusal
    assert f"raise {option} if" in refusal
    high = "4" if option == "--max-lines" else "1kB"
    done = runner().invoke(main, [*words, option, high])
    assert "must hold at most" not in done.stderr


@pytest.mark.parametrize("pack", BOMBS)
def test_a_bomb_is_one_line(folder, pack):
    (folder / "bomb").write_bytes(BOMBS[pack])
    assert "bomb must hold at most 5,000,000 lines, got more" in refused("replay", "bomb")
    assert "bomb must hold at most 5,000,000 lines" in refused(
        "replay", "jobs.swf", "--failures", "bomb"
    )
    assert "bomb must hold at most 1,000,000 bytes" in refused(
        "fit", "bomb", "--format", "csv", "--max-bytes", "1MB"
    )
    assert "bomb must hold jobs" in refused("replay", "bomb", "--max-lines", "6000000")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("many.toml", GRID.replace("64", "1000000000")),
        ("many.machines", "0\tz\t2000000000\t80\t1\t1\n"),
    ],
)
def test_a_billion_machines_are_one_line(folder, name, text):
    (folder / name).write_text(text)
    refusal = refused("grid", "jobs.swf", "--machines", name)
    assert f"{name} must hold at most 1,000,000 machines, got more" in refusal


def test_machines_are_counted_where_they_are_numbered(folder):
    few = refused("grid", "jobs.swf", "--machines", "grid.toml", "--max-machines", "63")
    assert "at most 63 machines" in few
    few = refused("partition", "machines.csv", "--work", "1h", "--max-machines", "2")
    assert "machines.csv must hold at most 2 machines, got more; raise --max-machines" in few
    done = runner().invoke(
        main, ["partition", "machines.csv", "--work", "1h", "--max-machines", "3"]
    )
    assert done.exit_code == 0, done.output
    failing = ["replay", "jobs.swf", "--failures", "failures.csv", "--machine", "flat:1000000000"]
    assert "--failures must strike a machine of at most 1,000,000 nodes" in refused(*failing)


@pytest.mark.parametrize(
    ("option", "value"),
    [("--max-bytes", "5"), ("--max-bytes", "0B"), ("--max-lines", "0"), ("--max-lines", "x")],
)
def test_a_limit_is_an_amount(folder, option, value):
    assert f"{option} must be a" in refused("replay", "jobs.swf", option, value)
