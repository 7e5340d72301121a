"""Cells far too long are shown in part; a strict command refuses the first bad line of any file."""

from pathlib import Path

import pytest

from asking.refusals import Refused
from perfmodel.answers.known.job import job_of
from perfmodel.answers.requests.job import JobRequest
from sim.answers.grids.request import GridRequest
from sim.answers.grids.setup import grid_setup
from sim.answers.replays.requests import ReplayRequest
from sim.answers.replays.setup import setup
from tests.support.runner import words_of

LONG = "z" * 61
SHOWN = repr("z" * 60)
ROW = "{} {} -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 {} -1 -1\n"
JOBS = "; MaxProcs: 64\n" + ROW.format(1, 0, 1) + ROW.format(2, 5, 2)
TWO = (
    '[[cluster]]\nname = "a"\nmachines = 32\nspeed = 1\n'
    '[[cluster]]\nname = "b"\nmachines = 32\nspeed = 2\n'
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(JOBS)
    (tmp_path / "two.toml").write_text(TWO)


def replayed(**options):
    return setup(ReplayRequest(log=Path("jobs.swf"), **options))


def on_a_grid(machines="two.toml", **options):
    return grid_setup(GridRequest(log=Path("jobs.swf"), machines=Path(machines), **options))


def own(text):
    Path("t.csv").write_text(text)
    return lambda: replayed(job_checkpoints=Path("t.csv"))


def mapped(text):
    Path("t.csv").write_text(text)
    return lambda: on_a_grid(scale_runtimes=True, partition_map=Path("t.csv"))


def needing(text):
    Path("t.csv").write_text(text)
    return lambda: on_a_grid(requirements="t.csv")


DURATION = "must be seconds or a duration with a unit, such as 90 or 30min"
CELLS = [
    (
        own,
        f"{LONG}\n",
        "t.csv must begin with a line job,interval,cost and, where known, recovery, got " + SHOWN,
    ),
    (
        own,
        f"job,interval,cost\n{LONG},1,1\n",
        f"t.csv, line 2: job must be one of LOG, got {SHOWN}",
    ),
    *(
        (
            own,
            f"job,interval,cost,recovery\n{row}\n",
            f"t.csv, line 2: {name} {DURATION}, got {SHOWN}",
        )
        for name, row in {
            "interval": f"1,{LONG},1,1",
            "cost": f"1,1,{LONG},1",
            "recovery": f"1,1,1,{LONG}",
        }.items()
    ),
    (
        mapped,
        f"partition,cluster\n{LONG},a\n",
        f"t.csv, line 2: partition must be one of 1, 2, as in LOG, got {SHOWN}",
    ),
    (
        mapped,
        f"partition,cluster\n1,{LONG}\n",
        f"t.csv, line 2: cluster must be one of a, b, got {SHOWN}",
    ),
    (
        needing,
        f"job,clusters\n{LONG},a\n",
        f"t.csv, line 2: job must be a whole number, got {SHOWN}",
    ),
    (
        needing,
        f"job\n{'9' * 16}\n",
        f"t.csv, line 2: job must be a whole number, got {'9' * 16!r}",
    ),
]


@pytest.mark.parametrize(("read", "text", "said"), CELLS)
def test_a_cell_that_is_too_long_is_shown_in_part(read, text, said):
    with pytest.raises(Exception, match="got") as refused:
        read(text)()
    assert words_of(refused.value) == said


def test_a_log_of_other_clusters_shows_five_of_them():
    rows = "".join(f"{n},c{n},1,5\n" for n in range(9, 1, -1))
    Path("f.csv").write_text("time,system,node,repair\n" + rows)
    with pytest.raises(Exception, match="got") as refused:
        on_a_grid(failures=Path("f.csv"))
    said = "f.csv must name clusters of the machines, got c2, c3, c4, c5, c6"
    assert words_of(refused.value) == said


def spoil(name, text, line):
    """Write a file that is right but for one line."""
    Path(name).write_text(text + line + "\n")
    return Path(name)


FAILURES = "time,node,repair\n1,0,5\n4,1,5\n"
OF_GRID = "time,system,node,repair\n1,a,1,5\n4,b,2,5\n"
STRICT = {
    "jobs of a replay": (lambda s: replayed(strict=s), ("jobs.swf", JOBS, "3 soon")),
    "failures of a replay": (
        lambda s: replayed(failures=Path("f.csv"), strict=s),
        ("f.csv", FAILURES, "soon,1,1"),
    ),
    "jobs of a grid": (lambda s: on_a_grid(strict=s), ("jobs.swf", JOBS, "3 soon")),
    "failures of a grid": (
        lambda s: on_a_grid(failures=Path("f.csv"), strict=s),
        ("f.csv", OF_GRID, "soon,a,1,1"),
    ),
    "machines of a grid": (
        lambda s: on_a_grid("m.txt", strict=s),
        ("m.txt", "0\tone\t2\t8\t1.0\t1000\n", "1\ttwo"),
    ),
    "failures of a job": (
        lambda s: job_of(JobRequest(log=Path("f.csv"), checkpoint_cost=1.0, strict=s)),
        ("f.csv", FAILURES, "soon,1,1"),
    ),
}


@pytest.mark.parametrize("what", STRICT)
def test_a_strict_command_refuses_a_bad_line_and_another_counts_it(what):
    read, parts = STRICT[what]
    spoil(*parts)
    found = read(False)
    notes = found.plain()["log"] if hasattr(found, "plain") else found.notes
    assert any("1 dropped" in note or "dropped, 1" in note or "wrong" in note for note in notes), (
        notes
    )
    number = (parts[1] + parts[2]).count("\n") + 1
    with pytest.raises(ValueError, match=rf"line {number}\b"):
        read(True)


WINDOWED = "time,system,repair\n0,x,0\n100,x,0\n150,y,0\n200,x,0\n400,x,0\n900,x,0\n"


@pytest.mark.parametrize(
    ("options", "failures", "observed"),
    [
        ({}, 5, 900.0),
        ({"system": "x"}, 4, 900.0),
        ({"system": "x", "since": 50.0}, 4, 850.0),
        ({"system": "x", "until": 300.0}, 2, 300.0),
        ({"system": "x", "since": 150.0, "until": 1150.0}, 3, 1000.0),
    ],
)
def test_the_mtbf_of_a_job_is_that_of_the_window_of_its_log(options, failures, observed):
    Path("f.csv").write_text(WINDOWED)
    if not options:
        Path("f.csv").write_text(WINDOWED.replace(",y,", ",x,"))
    job = job_of(JobRequest(log=Path("f.csv"), checkpoint_cost=1.0, format="csv", **options))
    assert (job.mtbf.failures, job.mtbf.observed) == (failures, observed)
    assert job.mtbf.value == observed / failures
    assert job.mtbf.log.layout == "csv"


def test_jobs_of_sacct_need_the_number_of_nodes():
    head = "JobID|Submit|Start|End|NNodes|State\n"
    day = "2024-01-0{}T00:00:00"
    rows = "".join(
        f"{n}|{day.format(n)}|{day.format(n)}|{day.format(n + 1)}|8|NODE_FAIL\n" for n in (1, 2)
    )
    Path("s.txt").write_text(head + rows)
    job = job_of(JobRequest(log=Path("s.txt"), checkpoint_cost=1.0, nodes=4))
    # Two failures in 16 days of nodes, of which four are up at once.
    assert (job.mtbf.failures, job.mtbf.observed) == (2, 4 * 86_400.0)
    with pytest.raises(Refused) as refused:
        job_of(JobRequest(log=Path("s.txt"), checkpoint_cost=1.0))
    assert str(refused.value) == "nodes must be given with s.txt, a log of jobs"
