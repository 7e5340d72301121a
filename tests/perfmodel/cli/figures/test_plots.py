"""``--plot`` of every command: a file of the kind that its name says, and the answer as without."""

import re

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")

JOB = ("--mtbf", "8h", "--checkpoint-cost", "6min")
FAILURES = "node,down,up\n" + "\n".join(
    f"{n % 3},{n * n * 977},{n * n * 977 + 600 * n}" for n in range(1, 40)
)
COMMANDS = {
    "interval": ("--failures", "40", "--observed", "320h", "--checkpoint-cost", "6min"),
    "completion": (*JOB, "--deadline", "9d"),
    "goodput": ("--preset", "llama-3-405b", "--memory-cost", "1s"),
    "simulate": (*JOB, "--replications", "300"),
    "spares": ("--nodes", "2048", "--node-mtbf", "6666h", "--mttr", "48h"),
    "partition": ("machines.csv", "--work", "1000h"),
    "fit": ("failures.csv",),
    "replay": ("jobs.swf", "--processors", "64"),
    "recovery": ("jobs.swf", "--processors", "64", "--mtbf", "2h", "--case", "ff,mr,all-b"),
    "qos": ("jobs.swf", "--processors", "64", "--accuracy", "0,0.5", "--confidence", "0.5,0.9"),
    "grid": ("jobs.swf", "--machines", "grid.toml", "--policies", "easy"),
}
JOBS = "; UnixStartTime: 1000000000\n" + "\n".join(
    f"{n} {40 * n} -1 {3000 + 97 * n % 7000} {1 + n * n % 40} -1 -1 {1 + n * n % 40} 20000 -1 1 1 "
    "1 1 1 -1 -1 -1"
    for n in range(1, 200)
)
GRID = """[[cluster]]
name = "a"
machines = 40
[[cluster]]
name = "b"
machines = 24
"""
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "machines.csv").write_text("speed,mtbf,name\n1,500h,a\n2,300h,b\n")
    (tmp_path / "failures.csv").write_text(FAILURES)
    (tmp_path / "jobs.swf").write_text(JOBS + "\n")
    (tmp_path / "grid.toml").write_text(GRID)
    return tmp_path


def run(*words):
    done = runner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.few(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_is_as_without_it(command, files):
    words = (command, *COMMANDS[command])
    assert run(*words, "--plot", "figure.png") == run(*words)
    assert (files / "figure.png").read_bytes().startswith(STARTS["png"])


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", STARTS)
def test_the_name_says_the_kind_and_equal_runs_are_equal_bytes(kind, files):
    found = set()
    for _ in range(2):
        run("completion", *COMMANDS["completion"], "--plot", f"figure.{kind}")
        found.add((files / f"figure.{kind}").read_bytes())
    assert len(found) == 1
    assert found.pop().startswith(STARTS[kind])


@pytest.mark.parametrize("command", COMMANDS)
def test_another_kind_is_refused_before_anything_is_played(command, files):
    done = runner().invoke(main, [command, *COMMANDS[command], "--plot", "figure.txt"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--plot must end in .png, .pdf or .svg, got 'figure.txt'" in done.stderr
    assert not (files / "figure.txt").exists()


def test_several_values_have_no_figure(files):
    words = ["interval", "--mtbf", "8h,9h", "--checkpoint-cost", "6min", "--plot", "figure.svg"]
    done = runner().invoke(main, words)
    assert done.exit_code == 2
    assert "--plot must be left out with several values" in done.stderr


def test_axes_have_units(files):
    run("interval", *COMMANDS["interval"], "--plot", "figure.svg")
    words = set(re.findall(r"<!-- ([^<>]+) -->", (files / "figure.svg").read_text()))
    assert {"work between checkpoints [min]", "time beyond the work [%]", "best: 72 min"} <= words
