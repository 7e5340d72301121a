"""Progress is for eyes: on a terminal, on standard error, and gone at the end."""

import io
import logging
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from perfmodel.cli import main
from perfmodel.cli.output import progress
from perfmodel.cli.output.watching import SHOWN

CLEAR = "\r\x1b[K"
SWF = "; MaxProcs: 4\n" + "".join(
    f"{at} {20_000 * at} 0 90 2 -1 -1 2 120 -1 1 {at % 2} -1 -1 -1 -1 -1 -1\n" for at in range(1, 9)
)
RESAMPLED = ["reading log.swf", "", "drawing from log.swf", "", "writing new.swf", ""]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on(monkeypatch, screen):
    """Make this the standard error; a fixture would do so before pytest puts its own there."""
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose last number is the time."""
    times = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: times[-1])
    return times


def lines(screen):
    return screen.getvalue().split(CLEAR)[1:]


def test_nothing_is_shown_off_a_terminal(monkeypatch):
    screen = on(monkeypatch, io.StringIO())
    with progress.study_progress() as study, progress.sweep_progress(3) as sweep:
        assert study is None
        assert sweep is None
    with progress.job_progress(3, "easy") as jobs:
        assert jobs is None
    with progress.doing("reading"):
        pass
    assert screen.getvalue() == ""


def test_standard_error_may_be_closed(monkeypatch):
    on(monkeypatch, None)
    assert not progress.watched()
    with progress.doing("reading"), progress.study_progress() as report:
        assert report is None


def test_quiet_hides_it_for_the_whole_run(monkeypatch):
    on(monkeypatch, Terminal())
    seen = []
    command = click.Command("c", callback=lambda: seen.append(progress.watched()))
    command.params.append(progress.quiet_option())
    for arguments in ([], ["--quiet"]):
        with command.make_context("c", arguments) as context:
            command.invoke(context)
    assert seen == [True, False]


def test_the_option_is_described():
    command = click.Command("c", params=[progress.quiet_option()])
    assert (
        "Show no progress, only the answer and errors."
        in CliRunner().invoke(command, ["--help"]).output
    )


def test_a_study_says_what_is_left(monkeypatch, clock):
    terminal = on(monkeypatch, Terminal())
    with progress.study_progress() as report:
        clock.append(110.0)
        report(1_000, 4_000)  # 10 s for a quarter
        clock.append(130.0)
        report(2_000, 50_000)  # 30 s for a twenty-fifth, 20 of them for the later half
    assert lines(terminal) == [
        "the first of the replays",
        "1,000 of 4,000 replays, 30 s left",
        "2,000 of 50,000 replays, 12 to 16 min left",
        "",
    ]


def test_a_study_writes_five_lines_a_second_at_most_but_always_the_last(monkeypatch, clock):
    terminal = on(monkeypatch, Terminal())
    with progress.study_progress("laws") as report:
        for done in range(1, 11):
            clock.append(clock[-1] + 0.0625)
            report(done, 10)
    # At 0.25 s and 0.5 s, then the end.
    assert lines(terminal) == [
        "the first of the laws",
        "4 of 10 laws, 1 s left",
        "8 of 10 laws, 1 s left",
        "10 of 10 laws, 1 s left",
        "",
    ]


def test_a_sweep_knows_its_cells(monkeypatch, clock):
    terminal = on(monkeypatch, Terminal())
    with progress.sweep_progress(8) as report:
        clock.append(120.0)
        report(2)
    assert lines(terminal) == ["the first of the cells", "2 of 8 cells, 60 s left", ""]


def test_first_cells_that_are_short_are_not_the_mean(monkeypatch, clock):
    terminal = on(monkeypatch, Terminal())
    with progress.sweep_progress(20) as report:
        for done in range(1, 11):
            clock.append(clock[-1] + (1.0 if done <= 5 else 11.0))
            report(done)
    # 60 s for half of them, but 55 for the later five.
    assert lines(terminal)[-2] == "10 of 20 cells, 60 to 110 s left"


def test_the_line_is_cleared_after_an_error(monkeypatch, clock):
    terminal = on(monkeypatch, Terminal())

    def fail():
        with progress.study_progress(), progress.doing("reading"):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert lines(terminal) == ["the first of the replays", "reading", "", ""]


def test_what_is_done_is_cut_to_one_line(monkeypatch):
    terminal = on(monkeypatch, Terminal())
    with progress.doing("x" * 100):
        assert lines(terminal) == ["x" * 79]
    assert lines(terminal) == ["x" * 79, ""]


def test_a_replay_has_a_bar(monkeypatch):
    terminal = on(monkeypatch, Terminal())
    from rich.progress import Progress

    told = []
    monkeypatch.setattr(Progress, "update", lambda bar, task, completed: told.append(completed))
    with progress.job_progress(1030, "easy") as report:
        for done in range(1, 1031):
            report(done)
    assert told == [512, 1024, 1030]
    assert "easy" in terminal.getvalue()


def test_what_stays_takes_the_place_of_what_was_being_read(monkeypatch):
    terminal = on(monkeypatch, Terminal())
    with progress.doing("reading"):
        SHOWN.begin("easy")
        with progress.job_progress(3, "fcfs"):
            pass
    read, begun, bar, *_ = lines(terminal)
    assert (read, begun) == ("reading", "easy ...\n")
    assert "fcfs" in bar


@pytest.fixture
def log():
    """Return the log of compilations, and put it back as it was."""
    logger = logging.getLogger("sim._compiled")
    level, handlers = logger.level, list(logger.handlers)
    yield logger
    logger.setLevel(level)
    logger.handlers[:] = handlers


def test_compilation_is_announced_on_a_terminal(monkeypatch, log):
    terminal = on(monkeypatch, Terminal())
    progress.announce_compilation()
    log.info("compiling %s", "easy")
    assert terminal.getvalue() == f"{CLEAR}compiling easy\n"


def test_quiet_may_be_read_after_compilation_is_announced(monkeypatch, log):
    terminal = on(monkeypatch, Terminal())
    progress.announce_compilation()
    command = click.Command("c", callback=lambda: log.info("compiling"))
    command.params.append(progress.quiet_option())
    with command.make_context("c", ["--quiet"]) as context:
        command.invoke(context)
    assert terminal.getvalue() == ""


def test_compilation_is_not_announced_off_a_terminal(monkeypatch, log):
    on(monkeypatch, io.StringIO())
    before = list(log.handlers)
    progress.announce_compilation()
    assert log.handlers == before


@pytest.fixture
def job_log(tmp_path, monkeypatch):
    """Make a folder the present one, with a log of eight jobs."""
    monkeypatch.chdir(tmp_path)
    Path("log.swf").write_text(SWF)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("interval --mtbf 8h --checkpoint-cost 6min", ["looking for the best interval", ""]),
        (
            "completion --work 1d,2d --mtbf 8h --checkpoint-cost 6min",
            ["the first of the answers", "2 of 2 answers, 1 s left", ""],
        ),
        ("traces describe log.swf", ["describing log.swf", ""]),
        ("traces resample log.swf --out new.swf", RESAMPLED),
        (
            "spares --nodes 100 --node-mtbf 6y --mttr 3d",
            ["computing how many spares suffice", ""],
        ),
    ],
)
@pytest.mark.usefixtures("clock", "job_log")
def test_a_command_says_what_it_does_before_it_answers(monkeypatch, capsys, asked, told):
    terminal = on(monkeypatch, Terminal())
    main(asked.split(), standalone_mode=False)
    assert lines(terminal) == told
    assert CLEAR not in capsys.readouterr().out


@pytest.mark.usefixtures("clock", "job_log")
@pytest.mark.parametrize("more", [[], ["--seeds", "1,2"]])
def test_a_replay_says_first_that_it_reads_the_log(monkeypatch, more):
    terminal = on(monkeypatch, Terminal())
    main(["replay", "log.swf", "--mtbf", "9d", *more], standalone_mode=False)
    # What follows may say that something is compiled.
    assert lines(terminal)[0] == "reading log.swf"
    assert lines(terminal)[-1] == ""
