"""What is no input at all; other refusals stand in `tests/golden/refusals.txt`."""

import os
import subprocess
import sys

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

INTERVAL = ["interval", "--checkpoint-cost", "6min"]
SIMPLE = ["interval", "--mtbf", "8h", "--checkpoint-cost", "6min"]


@pytest.fixture
def logs(tmp_path):
    """Files that are no failure logs, each in its own way."""
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "damaged.xz").write_bytes(b"\xfd7zXZ\x00" + b"\x00" * 40)
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--mtbf", "8h\nor so"], "--mtbf must be"),
        (["--log", "folder", "--format", "csv"], "a directory"),
        (["--log", "binary", "--format", "csv"], ""),
        (["--log", "binary", "--format", "lanl"], ""),
        (["--log", "damaged.xz", "--format", "lanl"], ""),
    ],
)
def test_bad_input_is_one_line(options, words, more, logs, monkeypatch):
    monkeypatch.chdir(logs)
    done = runner().invoke(main, [*INTERVAL, *options, *more])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.index("\n") == len(done.stderr) - 1
    assert words in done.stderr


@pytest.mark.parametrize("arguments", [["interval"], [*INTERVAL, "--mtbf", "8"]])
def test_a_real_process_refuses_in_one_line_too(arguments):
    done = subprocess.run(
        [sys.executable, "-m", "perfmodel", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


def test_a_real_process_whose_reader_has_gone_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "perfmodel", *SIMPLE],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert done.stderr == b""
