"""What surrounds a command: closed streams, full disks, interrupts before it has begun."""

import itertools
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from perfmodel.cli import COMMANDS, main
from perfmodel.cli.output.progress import job_progress
from perfmodel.cli.output.whole_file import whole_file
from tests.support.runner import runner

replay = import_module("perfmodel.cli.commands.replay")

SHORT = ["interval", "--mtbf", "8h", "--checkpoint-cost", "6min"]


def shell(line, **options):
    script = f'set -- "{sys.executable}" -m perfmodel; {line}'
    return subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("command", [[], ["--version"], *([name] for name in COMMANDS)])
def test_a_closed_standard_output_is_refused_in_one_line(command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--help"], prog_name="perfmodel")
    told = capsys.readouterr().err
    assert stopped.value.code == 2
    assert told == "Error: standard output must be open, got it closed\n"


def test_the_shell_may_close_any_stream():
    done = shell(f'"$@" {" ".join(SHORT)} >&-')
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    done = shell(f'"$@" {" ".join(SHORT)} 2>&- <&-')
    assert (done.returncode, "Checkpoint after" in done.stdout) == (0, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("line", ["--help", " ".join(SHORT)])
def test_a_full_disk_behind_standard_output_is_one_line(line):
    done = shell(f'"$@" {line} >/dev/full')
    assert done.returncode == 2
    assert done.stderr == "Error: output must be writable, got 'no space left on device'\n"


def test_progress_is_shown_to_nobody_where_standard_error_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with job_progress(3, "easy") as report:
        assert report is None


def test_an_interrupt_while_modules_load_is_one_line(tmp_path):
    for module in ("click", "numpy"):
        (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt\n")
        done = subprocess.run(
            [sys.executable, "-m", "perfmodel", *SHORT],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 128 + signal.SIGINT
        assert done.stderr.strip() == "Interrupted: the same command begins anew."
        (tmp_path / f"{module}.py").unlink()


@pytest.mark.parametrize(
    ("module", "options", "extra"),
    [
        ("matplotlib", ["--plot", "PLOT"], "plot"),
        ("defusedxml", ["--machine", "intrepid:XML"], "cluster"),
    ],
)
def test_a_library_that_is_not_installed_is_named_before_anything_is_played(
    module, options, extra, tmp_path, monkeypatch
):
    for name in list(sys.modules):
        if name.partition(".")[0] == module:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("sim.answers.replays.question.play", None)
    log, xml = tmp_path / "jobs.swf", tmp_path / "machine.xml"
    log.write_text("; MaxProcs: 4\n1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")
    xml.write_text("<BG/>")
    words = {"PLOT": str(tmp_path / "plot.png"), "intrepid:XML": f"intrepid:{xml}"}
    command = ["replay", str(log), *(words.get(option, option) for option in options)]
    done = runner().invoke(main, command)
    assert done.exit_code == 2
    assert done.stderr == (
        f"Error: {options[0]} must have {module}, which is not installed: "
        f"pip install 'perfmodel[{extra}]'\n"
    )


def cut_off(path):
    with whole_file(path) as part:
        part.write_text("cut")
        raise RuntimeError


def test_a_file_appears_only_when_it_is_whole(tmp_path):
    path = tmp_path / "rows.csv"
    with pytest.raises(RuntimeError):
        cut_off(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    path.chmod(0o640)
    with whole_file(path) as part:
        assert (part.name, path.read_text()) == ("rows.csv", "old")
        part.write_text("new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_to_what_was_written(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with whole_file(tmp_path / "link") as part:
        part.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_a_device_is_written_as_it_is():
    with whole_file(Path("/dev/null")) as part:
        part.write_text("nothing")
    assert not Path("/dev/null").is_file()


def test_a_disk_that_fills_up_leaves_no_cut_file(tmp_path):
    out = tmp_path / "log.csv"
    # Python before 3.13 keeps the bytecode of a module cut where the limit is.
    limited = 'export PYTHONDONTWRITEBYTECODE=1; ulimit -f 8; "$@"'
    done = shell(f'{limited} traces generate lanl-like --out "{out}"')
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{out} must be writable, got 'file too large'" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["report", "partition"])
def test_a_pipe_to_which_nobody_writes_stops_no_command(command, tmp_path, monkeypatch):
    monkeypatch.setattr("time.monotonic", itertools.count(step=20.0).__next__)  # time flies
    os.mkfifo(tmp_path / "pipe")
    words = ["--work", "1h"] if command == "partition" else []
    done = runner().invoke(main, [command, str(tmp_path / "pipe"), *words])
    assert done.exit_code == 2
    assert re.search(r"must be a (plain )?file", done.stderr)
