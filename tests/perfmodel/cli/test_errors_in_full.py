"""What becomes of each error on its way out: one line in full, and an exit code."""

import csv
import errno
import lzma
import re
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import click
import pandas.errors
import pytest

from perfmodel.cli.errors import OneLineGroup, needing
from sim.answers.logs.words import of_file, of_records, why_empty
from sim.traces.parsing import Findings
from tests.support.runner import runner


def group_of(act):
    @click.group(cls=OneLineGroup)
    def group():
        pass

    @group.command()
    @click.argument("words", nargs=-1)
    def do(words):
        act()

    return group


def told(act, *words):
    done = runner().invoke(group_of(act), ["do", *words])
    assert done.stdout == ""
    return done.exit_code, done.stderr


def raising(error):
    def act():
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("a must be\n  b"), "a must be b"),
        (ValueError(), "ValueError"),
        (OverflowError("too large"), "too large"),
        (EOFError(), "EOFError"),
        (OSError("as it is"), "as it is"),
        (OSError(), "OSError"),
        (
            OSError(errno.ENOSPC, "No Space Left"),
            "output must be writable, got 'no space left'",
        ),
        (
            OSError(errno.EACCES, "Permission Denied", "a.csv"),
            "a.csv must be readable, got 'permission denied'",
        ),
        (MemoryError(), "what is asked for must fit into memory, got more"),
        (MemoryError("9 TB"), "what is asked for must fit into memory, got 9 TB"),
        (
            RecursionError("depth"),
            "what is read must not be nested so deeply, got more levels than can be followed",
        ),
        (csv.Error("a line"), "a line"),
        (lzma.LZMAError("corrupt"), "corrupt"),
        (zlib.error("corrupt"), "corrupt"),
        (zipfile.BadZipFile("not a zip"), "not a zip"),
        (tarfile.ReadError("not a tar"), "not a tar"),
        (pandas.errors.ParserError("row"), "row"),
        (click.UsageError("--a must be b"), "--a must be b"),
        (click.ClickException("c"), "c"),
    ],
)
def test_what_comes_from_outside_is_one_line(error, line):
    assert told(raising(error)) == (2, f"Error: {line}\n")


def test_other_endings_have_codes_of_their_own():
    anew = "Interrupted: the same command begins anew.\n"
    assert told(raising(KeyboardInterrupt())) == (130, f"\n{anew}")
    assert told(raising(click.Abort())) == (130, anew)
    assert told(raising(click.exceptions.Exit(3))) == (3, "")
    assert told(lambda: None) == (0, "")
    assert told(lambda: "text") == (0, "")
    for error in (TypeError("ours"), KeyError("ours"), AssertionError("ours")):
        done = runner().invoke(group_of(raising(error)), ["do"])
        assert done.exception is error


def test_a_caller_that_asks_for_exceptions_gets_them():
    with pytest.raises(click.ClickException) as refusal:
        group_of(raising(ValueError("a"))).main(["do"], standalone_mode=False)
    assert refusal.value.message == "a"
    assert isinstance(refusal.value.__cause__, ValueError)
    assert group_of(lambda: None).main(["do"], standalone_mode=False) is None


def test_what_nobody_reads_any_more_ends_quietly(monkeypatch, tmp_path):
    moved = []
    monkeypatch.setattr("perfmodel.cli.errors.os.dup2", lambda *given: moved.append(given))
    with (tmp_path / "out").open("w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with pytest.raises(SystemExit) as stopped:
            group_of(raising(BrokenPipeError())).main(["do"])
        assert stopped.value.code == 1
        assert [given[1] for given in moved] == [file.fileno()]

        def full():
            raise OSError(errno.ENOSPC, "No space left on device")

        class Full:
            fileno = staticmethod(file.fileno)
            write = staticmethod(file.write)
            flush = staticmethod(full)

        monkeypatch.setattr(sys, "stdout", Full())
        with pytest.raises(SystemExit) as stopped:
            group_of(lambda: None).main(["do"])
        assert stopped.value.code == 2
        assert len(moved) == 2


LONG = "x" * 41 + "y" * 160
SHOWN = "x" * 40 + "..." + "y" * 17


@pytest.mark.parametrize(
    ("word", "message", "said"),
    [
        (LONG[1:], f"got {LONG[1:]}", f"got {LONG[1:]}"),  # 200 characters
        (LONG, f"got {LONG!r} and {LONG}", f"got {SHOWN!r} and {SHOWN}"),
        (f" {LONG} ", f"got {LONG}", f"got {SHOWN}"),
        *((f"a{mark}{LONG}", f"got {LONG}", f"got {SHOWN}") for mark in ",:=/"),
        (f"a;{LONG}", f"got {LONG}", f"got {LONG}"),
        (f"a,{LONG}", f"got a,{LONG}", f"got a,{LONG[:38]}...{LONG[-17:]}"),
        ("x" * 39 + "\t" + LONG, "got {!r}".format("x" * 39 + "\t" + LONG), None),
    ],
)
def test_a_word_that_is_too_long_is_shown_by_its_ends(word, message, said, monkeypatch):
    line = f"Error: {said}\n"
    if said is None:  # the two ends of what is echoed, in which a tab is two characters
        line = "Error: got '" + "x" * 39 + "\\..." + "y" * 17 + "'\n"
    assert told(raising(ValueError(message)), word) == (2, line)
    monkeypatch.setattr(sys, "argv", ["perfmodel", "do", word])
    seen = []
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(click, "echo", lambda text, err: seen.append((text, err)))
    with pytest.raises(SystemExit):
        group_of(raising(ValueError(message))).main()
    assert seen == [(line.strip(), True)]


def test_an_error_of_a_line_names_the_file():
    for text, said in {
        "line 3: a": "b.csv, line 3: a",
        "cluster[1].name": "b.csv, cluster[1].name",
        "other": "other",
        "the line 3": "the line 3",
    }.items():
        with (
            pytest.raises(ValueError, match=f"^{re.escape(said)}$"),
            of_file(Path("folder/b.csv")),
        ):
            raise ValueError(text)


def test_a_library_that_is_lacking_is_named():
    with pytest.raises(click.UsageError) as refusal, needing("--plot"):
        raise ModuleNotFoundError("none", name="some.part")
    assert refusal.value.message == (
        "--plot must have some, which is not installed: pip install some"
    )


def test_why_a_log_is_empty():
    report = Findings().report("log", records=0, rows=0, strict=False)
    assert (why_empty(report), of_records(report)) == ("none of 0", "of 0")
    findings = Findings()
    findings.add("dropped", 3, "bad-time", "no number")
    findings.add("dropped", 4, "too-late", "no time")
    report = findings.report("log", records=1200, rows=1198, strict=False)
    assert of_records(report).startswith("of 1,200 (bad-time: 1 dropped; first at line 3: no num")
    assert of_records(report).endswith("; too-late: 1 dropped; first at line 4: no time)")
