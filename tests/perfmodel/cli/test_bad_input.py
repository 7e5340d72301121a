import os
import subprocess
import sys

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

INTERVAL = ["interval", "--checkpoint-cost", "6min"]
SIMPLE = ["interval", "--mtbf", "8h", "--checkpoint-cost", "6min"]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Files that are no failure logs, each in its own way."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "empty").write_bytes(b"")
    (folder / "binary").write_bytes(bytes(range(256)) * 40)
    (folder / "damaged.xz").write_bytes(b"\xfd7zXZ\x00" + b"\x00" * 40)
    (folder / "header").write_text("time,repair\n")
    (folder / "one").write_text("time,repair\n5,1\n")
    (folder / "malformed").write_text("time,repair\n1,1\n2,2\nthree,3\n4,4\n")
    (folder / "words").write_text("the machine failed\nagain and again\n")
    (folder / "folder").mkdir()
    return folder


CASES = [
    (["interval"], ["exactly one form", "--node-mtbf with --nodes", "got none"]),
    (INTERVAL, ["MTBF must come in exactly one form", "got none"]),
    (["interval", "--mtbf", "8h"], ["checkpoint must come in exactly one form", "got none"]),
    ([*INTERVAL, "--mtbf", "8"], ["--mtbf must be a duration", "'8'", "no unit"]),
    ([*INTERVAL, "--mtbf", "0"], ["--mtbf must be a duration", "'0'", "no unit"]),
    ([*INTERVAL, "--mtbf", "0h"], ["--mtbf must be", "'0h'", "not > 0"]),
    ([*INTERVAL, "--mtbf", "-8h"], ["--mtbf must be", "'-8h'", "negative"]),
    ([*INTERVAL, "--mtbf", "8H"], ["--mtbf must be", "'8H'", "write h"]),
    ([*INTERVAL, "--mtbf", "8m"], ["--mtbf must be", "'8m'", "ambiguous"]),
    ([*INTERVAL, "--mtbf", "nan"], ["--mtbf must be", "'nan'"]),
    ([*INTERVAL, "--mtbf", "inf"], ["--mtbf must be", "'inf'"]),
    ([*INTERVAL, "--mtbf", "1e999h"], ["--mtbf must be", "too large"]),
    ([*INTERVAL, "--mtbf", ""], ["--mtbf must be", "''"]),
    ([*INTERVAL, "--mtbf", "8h\nor so"], ["--mtbf must be"]),
    ([*INTERVAL, "--mtbf"], ["--mtbf"]),
    ([*SIMPLE, "--mtfb", "3h"], ["--mtfb"]),
    ([*SIMPLE, "surplus"], ["surplus"]),
    ([*SIMPLE, "--node-mtbf", "5y", "--nodes", "3"], ["exactly one", "--mtbf and --node-mtbf"]),
    ([*INTERVAL, "--node-mtbf", "5y"], ["--node-mtbf must come with --nodes", "alone"]),
    ([*INTERVAL, "--nodes", "4096"], ["exactly one form", "got none"]),
    ([*SIMPLE, "--nodes", "4096"], ["--nodes must come with --node-mtbf", "got --mtbf"]),
    ([*INTERVAL, "--node-mtbf", "5y", "--nodes", "0"], ["--nodes must be", ">= 1", "'0'"]),
    ([*INTERVAL, "--node-mtbf", "5y", "--nodes", "2.5"], ["--nodes must be", "'2.5'"]),
    ([*INTERVAL, "--node-mtbf", "5y", "--nodes", "-3"], ["--nodes must be", "'-3'"]),
    ([*INTERVAL, "--node-mtbf", "5y", "--nodes", "9" * 400], ["--nodes must be"]),
    ([*INTERVAL, "--failures", "10"], ["--failures must come with --observed", "alone"]),
    ([*INTERVAL, "--observed", "1000h"], ["exactly one form", "got --observed"]),
    ([*INTERVAL, "--failures", "-1", "--observed", "1h"], ["--failures must be", "'-1'"]),
    ([*INTERVAL, "--failures", "1.5", "--observed", "1h"], ["--failures must be", "'1.5'"]),
    ([*INTERVAL, "--failures", "1", "--observed", "1000"], ["--observed must be", "no unit"]),
    ([*INTERVAL, "--failure-rate", "6.5/1000node-days"], ["must come with --nodes"]),
    ([*INTERVAL, "--failure-rate", "6.5", "--nodes", "2"], ["--failure-rate must be", "'6.5'"]),
    ([*INTERVAL, "--failure-rate", "0/node-day", "--nodes", "2"], ["not > 0"]),
    ([*INTERVAL, "--log", "LOGS/none", "--format", "csv"], ["--log must be", "no such file"]),
    ([*INTERVAL, "--log", "LOGS/folder", "--format", "csv"], ["--log must be", "a directory"]),
    ([*INTERVAL, "--log", "LOGS/one"], ["different times"]),
    ([*INTERVAL, "--log", "LOGS/one", "--format", "swf"], ["csv, lanl, sacctmgr", "'swf'"]),
    ([*INTERVAL, "--log", "LOGS/one", "--format", "csv"], ["different times"]),
    ([*INTERVAL, "--log", "LOGS/header", "--format", "csv"], ["failures", "none"]),
    ([*INTERVAL, "--log", "LOGS/empty", "--format", "csv"], ["none"]),
    ([*INTERVAL, "--log", "LOGS/empty", "--format", "lanl"], ["none"]),
    ([*INTERVAL, "--log", "LOGS/binary", "--format", "csv"], []),
    ([*INTERVAL, "--log", "LOGS/binary", "--format", "lanl"], []),
    ([*INTERVAL, "--log", "LOGS/damaged.xz", "--format", "lanl"], []),
    ([*INTERVAL, "--log", "LOGS/words", "--format", "csv"], []),
    ([*INTERVAL, "--log", "LOGS/words", "--format", "lanl"], ["LANL columns"]),
    (
        [*INTERVAL, "--log", "LOGS/malformed", "--format", "csv", "--system", "20"],
        ["system must be", "20"],
    ),
    (
        [*INTERVAL, "--log", "LOGS/malformed", "--format", "lanl", "--system", "x"],
        ["--system must be a number", "'x'"],
    ),
    (
        [*INTERVAL, "--log", "LOGS/malformed", "--format", "csv", "--since", "x"],
        ["--since must be", "'x'"],
    ),
    ([*SIMPLE, "--system", "20"], ["--system must come with --log", "got --mtbf"]),
    ([*SIMPLE, "--strict"], ["--strict must come with --log", "got --mtbf"]),
    ([*SIMPLE, "--since", "2004-01-01"], ["--since must come with --log"]),
    (
        ["interval", "--mtbf", "8h", "--checkpoint-cost", "360"],
        ["--checkpoint-cost must be", "'360'", "no unit"],
    ),
    (["interval", "--mtbf", "8h", "--checkpoint-cost", "0s"], ["--checkpoint-cost", "not > 0"]),
    (["interval", "--mtbf", "8h", "--checkpoint-size", "12TB"], ["must come with --bandwidth"]),
    (["interval", "--mtbf", "8h", "--bandwidth", "4GB/s"], ["got --bandwidth"]),
    ([*SIMPLE, "--bandwidth", "4GB/s"], ["--bandwidth must come with --checkpoint-size"]),
    (
        [*SIMPLE, "--checkpoint-size", "12TB", "--bandwidth", "4GB/s"],
        ["--checkpoint-cost and --checkpoint-size"],
    ),
    (
        ["interval", "--mtbf", "8h", "--checkpoint-size", "12", "--bandwidth", "4GB/s"],
        ["--checkpoint-size must be a size", "'12'", "no unit"],
    ),
    (
        ["interval", "--mtbf", "8h", "--checkpoint-size", "12Tb", "--bandwidth", "4GB/s"],
        ["b is a bit"],
    ),
    (
        ["interval", "--mtbf", "8h", "--checkpoint-size", "12TB", "--bandwidth", "0B/s"],
        ["--bandwidth", "not > 0"],
    ),
    ([*SIMPLE, "--recovery-cost", "-1s"], ["--recovery-cost must be", "negative"]),
    ([*SIMPLE, "--downtime", "2"], ["--downtime must be", "no unit"]),
    ([*SIMPLE, "--work", "0d"], ["--work must be", "not > 0"]),
    ([*SIMPLE, "--step-time", "0s"], ["--step-time must be", "not > 0"]),
    ([*SIMPLE, "--price", "cheap"], ["--price must be a number >= 0", "'cheap'"]),
    ([*SIMPLE, "--price", "nan"], ["--price must be a number >= 0", "'nan'"]),
    ([*SIMPLE, "--price", "-1"], ["--price must be a number >= 0", "'-1'"]),
    (["interval", "--preset", "roadrunner"], ["--preset must be one of", "'roadrunner'"]),
    (["intervall"], ["intervall"]),
    (["--hlep"], ["--hlep"]),
]


@pytest.mark.parametrize(("arguments", "words"), CASES)
def test_bad_input_is_one_line_that_says_what_was_wanted_and_what_came(arguments, words, logs):
    arguments = [argument.replace("LOGS", str(logs)) for argument in arguments]
    for more in ([], ["--json"]) if len(arguments) > 1 and arguments[-1][:2] != "--" else ([],):
        done = runner().invoke(main, [*arguments, *more])
        assert done.exit_code == 2, done.output
        assert done.stdout == ""
        assert done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1
        assert done.stderr.endswith("\n")
        for word in words:
            assert word in done.stderr


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
