"""Failure logs seen in a window, by system and by node; and what files of rarer kinds say."""

import csv
import math
from datetime import datetime, timedelta
from pathlib import Path

import click
import pytest

from asking.reading import LogReading
from asking.refusals import Refused
from perfmodel.answers.known.job import job_of
from perfmodel.answers.known.repairs import lifetime_of, repairs_of
from perfmodel.answers.logs import read_log
from perfmodel.answers.logs.watched import site_logs
from perfmodel.answers.requests.job import JobRequest
from perfmodel.answers.requests.reading import FailureLogReading
from perfmodel.answers.requests.repairs import repair_law
from perfmodel.answers.sweeps.slurm import slurm_settings
from perfmodel.cli import main
from perfmodel.units import Typed, byte_count, bytes_per_second
from sim.answers.grids.request import GridRequest
from sim.answers.grids.setup import grid_setup
from tests.support.runner import runner, words_of

START = datetime(2024, 1, 1)
LOG = Path("log.csv")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refusal(act, kind=(click.UsageError, Refused)):
    with pytest.raises(kind) as refused:
        act()
    return words_of(refused.value)


def read(text, **options):
    LOG.write_text(text)
    by = {name: options.pop(name) for name in ("by", "nodes") if name in options}
    layout = options.pop("layout", "csv")
    return read_log(FailureLogReading(log=LOG, format=layout, **options), **by)


# Node a is down from 100 to 110 and at 500, node b from 300 to 320.
NODES = "time,node,repair\n100,a,10\n300,b,20\n500,a,0\n"


@pytest.mark.parametrize(
    ("since", "until", "failures", "up"),
    [
        (0.0, 1000.0, 3, (1000 - 10) + (1000 - 20)),
        (0.0, 310.0, 2, (310 - 10) + 300),
        (200.0, 1000.0, 2, 800 + (800 - 20)),
        # Else from the first failure to the last: the one that begins the window ends no uptime.
        (None, 1000.0, 2, (900 - 10) + (900 - 20)),
        (0.0, None, 3, (500 - 10) + (500 - 20)),
        (None, None, 2, (400 - 10) + (400 - 20)),
    ],
)
def test_nodes_are_observed_in_the_window(since, until, failures, up):
    found = read(NODES, by="node", since=since, until=until)
    assert (found.uptimes.failures, found.uptimes.observed, found.named) == (failures, up, 2)
    more = read(NODES, by="node", since=since, until=until, nodes=5)
    length = (500.0 if until is None else until) - (100.0 if since is None else since)
    assert more.uptimes.observed == up + 3 * length  # those that never failed are up throughout


def test_a_window_bounds_the_system_too():
    whole = read(NODES, since=0.0, until=1000.0)
    late = read(NODES, since=200.0, until=1000.0)
    early = read(NODES, since=0.0, until=310.0)
    assert (whole.uptimes.failures, late.uptimes.failures, early.uptimes.failures) == (3, 2, 2)
    assert (whole.named, whole.nodes, whole.systems, whole.layout) == (None, None, 1, "csv")
    dated = "time,node,repair\n2024-01-01 00:10,a,1\n2024-01-01 01:00,b,1\n2024-01-02 00:00,a,1\n"
    since, until = START, START.replace(hour=12)
    for by in ("system", "node"):
        assert read(dated, by=by, since=since, until=until).uptimes.failures == 2
    said = refusal(lambda: read(dated, since=until, until=since))
    assert said == f"--until must be after --since, got {since.isoformat()} and {until.isoformat()}"
    same = refusal(lambda: read(dated, since=since, until=since))
    assert same == f"--until must be after --since, got {since.isoformat()} and {since.isoformat()}"


def test_a_duration_goes_no_farther_than_the_log():
    whole = read(NODES).uptimes
    for by in ("system", "node"):
        all_of_it = read(NODES, by=by).uptimes
        for window in (
            {"since": timedelta(seconds=-5000)},
            {"until": timedelta(seconds=5000)},
            {"since": timedelta(seconds=-400), "until": timedelta(seconds=5000)},
        ):
            found = read(NODES, by=by, **window).uptimes
            assert (found.failures, found.observed) == (all_of_it.failures, all_of_it.observed)
    assert whole.observed == 400.0
    # Who names an instant says that the log was kept from then on.
    assert read(NODES, since=-4500.0).uptimes.observed == 5000.0


@pytest.mark.parametrize(
    ("window", "said"),
    [
        ({"since": 600.0}, "--since must be before the last failure in log.csv, got 600"),
        (
            {"since": timedelta(seconds=500)},
            "--since must be before the last failure in log.csv, got +500s",
        ),
        ({"until": 50.0}, "--until must be after the first failure in log.csv, got 50"),
        (
            {"until": timedelta(seconds=-400)},
            "--until must be after the first failure in log.csv, got -400s",
        ),
    ],
)
def test_a_window_beside_the_log_is_refused_by_its_end(window, said):
    for by in ("system", "node"):
        assert refusal(lambda by=by: read(NODES, by=by, **window)) == said


def test_systems_that_are_pooled_are_those_of_the_log():
    text = "time,system,node\n0,x,1\n10,y,1\n50,x,2\n70,y,1\n90,x,1\n"
    pooled, alone = read(text, by="node"), read(text, by="node", system="x")
    assert (pooled.title, pooled.systems, pooled.named, pooled.nodes) == (
        "2 systems, pooled",
        2,
        3,
        None,
    )
    other = read(text, by="node", system="y")
    assert pooled.uptimes.failures == alone.uptimes.failures + other.uptimes.failures
    assert pooled.uptimes.observed == alone.uptimes.observed + other.uptimes.observed
    both = [*alone.uptimes.durations, *other.uptimes.durations]
    assert pooled.uptimes.durations.tolist() == both
    assert pooled.uptimes.censored.tolist() == [
        *alone.uptimes.censored.tolist(),
        *other.uptimes.censored.tolist(),
    ]
    assert pooled.uptimes.units == (*alone.uptimes.units, *other.uptimes.units)
    assert (alone.title, alone.systems, alone.named) == ("system x", 1, 2)
    of_three = read(text, by="node", system="x", nodes=3)
    assert (of_three.nodes, of_three.named) == (3, 2)
    assert read(text, by="node", system="x", nodes=2).nodes == 2
    said = "--nodes must be >= the 2 nodes named in LOG, got 1"
    assert refusal(lambda: read(text, by="node", system="x", nodes=1)) == said


def test_a_strict_reader_refuses_a_bad_line():
    text = "time,node\n1,a\nsoon,b\n9,a\n"
    assert read(text).uptimes.failures == 1
    assert "line 3" in refusal(lambda: read(text, strict=True), ValueError)


SACCT = "JobID|Submit|Start|End|NNodes|State\n"


def test_jobs_of_sacct_that_are_none():
    said = "log.csv must hold jobs, got none of "
    assert refusal(lambda: read(SACCT, layout="sacct")).startswith(said)
    row = "1|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-03T00:00:00|4|NODE_FAIL\n"
    assert read(SACCT + row, layout="sacct", nodes=9).nodes == 9
    bad = SACCT + row + "2|soon|2024-01-01T00:00:00|2024-01-03T00:00:00|4|COMPLETED\n"
    assert read(bad, layout="sacct").uptimes.failures == 1
    assert refusal(lambda: read(bad, layout="sacct", strict=True), ValueError)
    Path("f.csv").write_text("time,node\n")
    LOG.write_text(SACCT + row)
    found = refusal(
        lambda: site_logs(
            LOG,
            Path("f.csv"),
            since=timedelta(seconds=-1),
            now=None,
            nodes=None,
            reading=LogReading(),
        )
    )
    assert found.startswith("f.csv must hold failures, got none of 0")


def test_of_a_site_whose_jobs_are_all_known_none_is_said_to_be_left_out():
    row = "1|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-03T00:00:00|4|COMPLETED\n"
    LOG.write_text(SACCT + row)
    found = site_logs(LOG, None, since=timedelta(days=-1), now=None, nodes=9, reading=LogReading())
    assert [note for note in found.notes if "left out" in note] == []


def test_a_job_that_cannot_be():
    def said(**options):
        return refusal(lambda: job_of(JobRequest(**options)))

    small = {"checkpoint_size": Typed(byte_count("0B"), "0B")}
    rate = {"bandwidth": Typed(bytes_per_second("1B/s"), "1B/s")}
    assert said(mtbf=9.0, **small, **rate) == "the checkpoint must take some time, got 0 s"
    assert said(node_mtbf=5e-324, nodes=10, checkpoint_cost=1.0).startswith(
        "the MTBF must be finite and > 0, got 0"
    )
    LOG.write_text("time\n1\n5\n9\n")
    job = job_of(JobRequest(log=LOG, checkpoint_cost=1.0))
    law = repair_law("log")
    repairless = "--downtime-law log must have repairs in the --log, got none"
    assert refusal(lambda: repairs_of(law, job)) == repairless
    alone = job_of(JobRequest(mtbf=9.0, checkpoint_cost=1.0))
    said = "--downtime-law log must come with --log, got it alone"
    assert refusal(lambda: repairs_of(law, alone)) == said
    LOG.write_text("time,repair\n1,1\n5,2\n9,6\n")
    known = job_of(JobRequest(log=LOG, checkpoint_cost=1.0))
    assert repairs_of(law, known).mean == 3.0
    own = repairs_of(repair_law("gamma:mean=1h,cv=2"), alone)
    assert (own.mean, math.sqrt(own.variance)) == pytest.approx((3600.0, 7200.0))
    wide = repair_law("weibull:mean=1h,shape=0.001")
    assert refusal(lambda: lifetime_of(wide, "flag")).startswith("--flag must ")


def test_jobs_of_slurm_are_set_up_line_by_line():
    folder = Path("there")
    assert slurm_settings([], folder) == {"folder": folder, "setup": [], "options": {}}
    given = [("setup", "a"), ("mem", "1G"), ("tasks", 3), ("setup", "b"), ("folder", Path("own"))]
    assert slurm_settings(given, folder) == {
        "folder": Path("own"),
        "setup": ["a", "b"],
        "options": {"mem": "1G"},
        "tasks": 3,
    }
    said = "--slurm must have tasks once, got it again with 4"
    twice = [("tasks", 3), ("tasks", 4)]
    assert refusal(lambda: slurm_settings(twice, folder), ValueError) == said


def mwf(job, submit, properties, queue="q"):
    row = [
        job,
        "u",
        queue,
        0,
        1,
        f"[{properties}]",
        5,
        submit,
        submit,
        submit + 10,
        10,
        0,
        "x",
        "y",
    ]
    return "\t".join(map(str, row)) + "\n"


def test_jobs_of_metacentrum_name_what_they_need():
    Path("jobs.mwf").write_text(mwf(1, 10, "fast") + mwf(2, 20, "") + mwf(3, 30, "slow"))
    Path("grid.toml").write_text(
        '[[cluster]]\nname = "a"\nmachines = 2\n'
        '[[cluster]]\nname = "b"\nmachines = 2\nproperties = ["fast"]\n'
    )
    request = GridRequest(log=Path("jobs.mwf"), machines=Path("grid.toml"), requirements="log")
    found = grid_setup(request)
    assert found.requirements == "as named in the job log"
    assert found.files == ()
    suits = [[bool(each) for each in row] for row in found.suitability]
    assert suits == [[False, True], [True, True], [False, False]]


JOBS = "; MaxProcs: 64\n1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"


def test_attempts_without_failures_have_places_too():
    Path("jobs.swf").write_text(JOBS)
    words = ["recovery", "jobs.swf", "--case", "ff,all-b", "--out", "out.csv"]
    assert runner().invoke(main, words).exit_code == 0
    with Path("out.csv").open(newline="") as file:
        ff, other = csv.DictReader(file)
    assert (ff["place"], ff["processors"], ff["outcome"]) == ("0-2", "3", "completed")
    assert (ff.pop("case"), other.pop("case")) == ("ff", "all-b")
    assert (ff.pop("option"), other.pop("option")) == ("A", "B")
    assert ff == other
