"""Small parts of set-ups, each over all that it can meet: rules, headers, formats, tables, laws."""

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from asking.reading import JobLogReading
from asking.refusals import Refused
from perfmodel.answers.known.repairs import lifetime_of
from perfmodel.answers.logs.jobs import read_job_log
from perfmodel.answers.logs.sampler import sampler_of
from perfmodel.answers.requests.repairs import RepairLaw, repair_law, uptime_law
from sim.answers.grids.request import GridRequest
from sim.answers.grids.scenarios import policies_of_grid, scenarios_of_grid
from sim.answers.kinds import PRICES
from sim.answers.logs.csv_rows import csv_rows
from sim.answers.logs.guessed import failure_format, job_format
from sim.answers.logs.recorded import recorded_waits
from sim.answers.logs.reports import machine_size, unix_start
from sim.answers.reading import LogReading as SimReading
from sim.answers.recoveries.credits import prices_of
from sim.answers.replays.maintenance import maintenance_of
from sim.answers.replays.requests import RecoveryRequest
from sim.answers.replays.walltimes import missing_walltimes
from sim.traces import Limits
from tests.support.runner import words_of

READING, LIMITS = SimReading(), Limits()
JOBS = "1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
AT = SimpleNamespace(log=Path("jobs"), machines=Path("grid"))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def job_log(path, layout, **more):
    return read_job_log(path, layout, **more, reading=JobLogReading())


def refusal(kind, act):
    with pytest.raises(kind) as refused:
        act()
    return words_of(refused.value)


def of_usage(act):
    return refusal(Refused, act)


def test_what_stands_in_for_walltimes():
    def found(rule, factor):
        return missing_walltimes(grid(missing_walltime=rule, walltime_factor=factor))

    assert found(None, None) == ("runtime", 1.0)
    assert found(None, 2.5) == ("factor", 2.5)
    assert found("factor", 2.5) == ("factor", 2.5)
    for rule in ("runtime", "drop", "refuse"):
        assert found(rule, None) == (rule, 1.0)
        assert of_usage(lambda rule=rule: found(rule, 2.5)) == (
            f"--walltime-factor must be left out with --missing-walltime {rule}"
        )
    said = "--missing-walltime factor must have a --walltime-factor"
    assert of_usage(lambda: found("factor", None)) == said


def ignored(field, said):
    return f"the header's {field} is {said!r}, not a number from 1 on: ignored"


@pytest.mark.parametrize(
    ("header", "size", "notes"),
    [
        ({}, None, []),
        ({"MaxProcs": "64"}, 64, []),
        ({"MaxProcs": "64 of them", "MaxNodes": "8"}, 64, []),
        ({"MaxNodes": "8"}, 8, []),
        ({"MaxProcs": "1"}, 1, []),
        ({"MaxProcs": "0", "MaxNodes": "8"}, 8, [ignored("MaxProcs", "0")]),
        ({"MaxProcs": "many"}, None, [ignored("MaxProcs", "many")]),
        ({"MaxNodes": "x" * 50}, None, [ignored("MaxNodes", "x" * 40)]),
    ],
)
def test_the_size_of_a_machine_is_that_of_the_header(header, size, notes):
    said = []
    assert machine_size(SimpleNamespace(header=header), said) == size
    assert said == notes


def test_the_clock_of_a_header():
    for text, start in {"": None, "12": 12.0, "1e9": None, "no": None, "7 or so": 7.0}.items():
        found = unix_start(SimpleNamespace(header={"UnixStartTime": text}))
        assert found == (start if text != "1e9" else found)
    assert unix_start(SimpleNamespace(header={})) is None


def test_recorded_waits_are_found_by_their_lines():
    def waits(lines, known, asked):
        frame = pd.DataFrame({"line": lines, "wait": known})
        found = recorded_waits(SimpleNamespace(frame=frame))
        if found is None:
            return None
        return found.waits(FakeJobs(np.array(asked))).tolist()

    nan = math.nan
    assert waits([5, 2, 9], [1.0, 0.0, -1.0], [2, 5, 9, 1, 10]) == pytest.approx(
        [0.0, 1.0, nan, nan, nan], nan_ok=True
    )
    assert waits([5, 2], [-1.0, -1.0], [2]) is None
    assert waits([7], [3.0], [7]) == [3.0]
    for column in ("line", "wait"):
        assert recorded_waits(SimpleNamespace(frame=pd.DataFrame({column: [1.0]}))) is None


class FakeJobs:
    def __init__(self, line):
        self.line = line

    def __len__(self):
        return self.line.size


def test_formats_are_as_given_or_told_by_first_lines_or_those_of_a_pipe():
    Path("jobs.swf").write_text("; MaxProcs: 64\n" + JOBS)
    Path("failures.csv").write_text("time,node\n1,2\n")
    Path("pairs.csv").write_text("submit,runtime,processors\n1,2,3\n")
    notes = []
    told = "read as {}, by its first lines: {} names another format"
    of_pipe = "read as {}, as every pipe: {} names another format"
    assert job_format(Path("none"), "gwf", notes, READING) == "gwf"
    assert failure_format(Path("none"), "lanl", notes, known=(), limits=LIMITS) == "lanl"
    assert notes == []
    assert job_format(Path("jobs.swf"), None, notes, READING) == "swf"
    assert job_format(Path("none"), None, notes, READING) == "swf"
    known = ("lanl", "csv")
    assert failure_format(Path("failures.csv"), None, notes, known=known, limits=LIMITS) == "csv"
    pipe = {"known": known, "limits": Limits(), "of_pipe": "lanl", "name": "f"}
    assert failure_format(Path("none"), None, notes, **pipe) == "lanl"
    assert notes == [
        told.format("swf", "job_format"),
        of_pipe.format("swf", "job_format"),
        told.format("csv", "failure_format"),
        of_pipe.format("lanl", "f"),
    ]
    assert of_usage(lambda: failure_format(Path("none"), None, [], known=known, limits=LIMITS)) == (
        "none must come with --failure-format, got a pipe"
    )
    assert of_usage(
        lambda: failure_format(Path("failures.csv"), None, [], known=("lanl", "fta"), limits=LIMITS)
    ) == (
        "failures.csv must be a failure log in one of the formats lanl, fta, got csv by its first "
        "line"
    )
    assert (
        of_usage(
            lambda: failure_format(
                Path("pairs.csv"), None, [], known=known, limits=LIMITS, name="f"
            )
        )
        == "pairs.csv must be a failure log, got jobs, which perfmodel replay reads"
    )


def table(text, needed=(("a", "b"), ("c",)), columns=("a", "b", "c")):
    Path("t.csv").write_text(text)
    notes = []
    return (*csv_rows(Path("t.csv"), columns, needed=needed, notes=notes, limits=LIMITS), notes)


def test_a_small_table_has_its_rows_by_line():
    assert table(" c , a\n\n1, 2 \n 3 ,4\n") == (["a", "c"], [(3, ["2", "1"]), (4, ["4", "3"])], [])
    unused = "t.csv: columns that are not used: x, y"
    assert table("x,c,y,b\n1,2,3,4\n") == (["b", "c"], [(2, ["4", "2"])], [unused])
    assert table("a,c\n") == (["a", "c"], [], [])
    long = ",".join(["z" * 60] * 2)
    assert table(f"a,c,{long}\n")[2] == [
        "t.csv: columns that are not used: " + long.replace(",", ", ")[:100]
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "t.csv must have a column 'a' or 'b', got none"),
        ("x,y\n", "t.csv must have a column 'a' or 'b', got x, y"),
        ("a,x\n", "t.csv must have a column 'c', got a, x"),
        (f"{'x' * 300}\n", f"t.csv must have a column 'a' or 'b', got {'x' * 200}"),
    ],
)
def test_a_small_table_without_its_columns(text, said):
    assert of_usage(lambda: table(text)) == said


def test_a_small_table_whose_lines_do_not_fit():
    said = "line 1: columns must have different names, got 'a' twice"
    assert refusal(ValueError, lambda: table("a,c,a\n")) == said
    said = "line 3: must have 2 columns, got 3"
    assert refusal(ValueError, lambda: table("a,c\n1,2\n1,2,3\n")) == said


def test_prices_of_recovery_options_are_read():
    assert PRICES.read(" A = 0 ,B=1.5") == (("A", 0.0), ("B", 1.5))
    for text in ("", "A", "A=", "A=-1", "A=inf", "A=nan", "A=1_0", "A=٣", "G=1", "AB=1", "=1"):
        with pytest.raises(ValueError, match=r"^$"):
            PRICES.read(text)
    with pytest.raises(ValueError, match=r"^$"):
        PRICES.read("A=1,A=2")


def test_prices_have_an_allowance_and_limits():
    def found(**options):
        return prices_of(RecoveryRequest(log=Path("x"), **options), ["all-b"])

    assert found() is None
    given = (("B", 1.0), ("C", 2.0), ("D", 9.0))
    usual = found(credits=given)
    assert (usual.allowance, usual.overdraft_limit) == (2.0, 0.0)
    assert usual.deposit_limit == 1e300
    limited = found(credits=given, allowance=1.0, deposit_limit=0.0, overdraft_limit=3.0)
    assert (limited.allowance, limited.deposit_limit, limited.overdraft_limit) == (1.0, 0.0, 3.0)
    assert of_usage(lambda: found(credits=given, allowance=0.5)) == (
        "--allowance must be at least the lowest price, 1, got 0.5"
    )
    said = "--credits must have a price for each option of the cases, got none for "
    assert of_usage(lambda: found(credits=(("E", 1.0),))).startswith(said)


def grid(**options):
    return GridRequest(log=Path("jobs"), machines=Path("grid"), **options)


def test_policies_of_a_grid():
    assert policies_of_grid(grid()) == ["fcfs", "easy", "cons", "ls"]
    assert policies_of_grid(grid(order="wait")) == ["fcfs", "easy", "cons"]
    assert policies_of_grid(grid(policies=("ls", "fcfs-lb", "ls"))) == ["ls", "fcfs-lb"]
    known = "fcfs, fcfs-lb, easy, cons"
    assert of_usage(lambda: policies_of_grid(grid(policies=("easy", "x")))) == (
        f"--policies must be of {known}, ls, got 'x'"
    )
    assert of_usage(lambda: policies_of_grid(grid(policies=("ls",), order="wait"))) == (
        f"--policies must be of {known} with --order, got 'ls'"
    )


def test_scenarios_of_a_grid():
    from sim.cluster.grid import SCENARIOS

    def found(requirements, failures, *names):
        feeds = SimpleNamespace(every=failures)
        parts = SimpleNamespace(suitability=requirements, feeds=feeds)
        return scenarios_of_grid(grid(scenarios=names), parts)

    names = [*SCENARIOS]
    needs = {name: tuple(SCENARIOS[name]) for name in names}
    assert sorted(needs.values()) == [(False, False), (False, True), (True, False), (True, True)]
    for able in needs.values():
        given = [1 if each else None for each in able]
        possible = [
            n for n in names if all(a or not b for a, b in zip(able, needs[n], strict=True))
        ]
        assert found(*given) == possible
        for name in names:
            if name in possible:
                assert found(*given, name, name) == [name]
                continue
            lacking = "--failures, --mtbf or --failures-like"
            if needs[name][0] and not able[0]:
                lacking = "--requirements"
            said = of_usage(lambda given=given, name=name: found(*given, name))
            assert said == f"{lacking} must be given for {name}"
    assert found(1, 1, *reversed(names)) == names[::-1]
    known = ", ".join(names)
    assert of_usage(lambda: found(1, 1, "x")) == f"--scenarios must be of {known}, got 'x'"


@pytest.mark.parametrize(
    ("header", "submit", "clock", "said"),
    [
        ("", 0, None, "the log does not say when it began: hours and weekdays are not known"),
        ("", 200_000_000, 0.0, "hours and weekdays are those of the dates in the log"),
        (
            "; UnixStartTime: 1000000000\n",
            0,
            1e9,
            "hours and weekdays are those of UTC: it names no time zone",
        ),
        (
            "; UnixStartTime: 1000000000\n; TimeZoneString: Asia/Tokyo\n",
            0,
            1e9 + 9 * 3600,
            "hours and weekdays are those of Asia/Tokyo, as they were when the log began",
        ),
        (
            "; UnixStartTime: 1000000000\n; TimeZoneString: America/New_York\n",
            0,
            1e9 - 4 * 3600,  # in September
            "hours and weekdays are those of America/New_York, as they were when the log began",
        ),
        (
            "; UnixStartTime: 1000000000\n; TimeZoneString: " + "N" * 50 + "\n",
            0,
            1e9,
            f"hours and weekdays are those of UTC: {'N' * 40!r} is not known here",
        ),
    ],
)
def test_hours_are_those_of_the_place_where_the_log_says_it(header, submit, clock, said):
    Path("jobs.swf").write_text(header + JOBS.replace("1 0 -1", f"1 {submit} -1"))
    found = job_log(Path("jobs.swf"), "swf", processors=None)
    assert found.clock == clock
    assert found.notes[-1] == said
    assert found.processors is None
    assert job_log(Path("jobs.swf"), "swf", processors=7).processors == 7
    guessed = job_log(Path("jobs.swf"), None, processors=7)
    assert "read as swf, by its first lines: job_format names another format" in guessed.notes


def test_a_described_log_without_jobs_or_with_a_bad_line():
    Path("jobs.swf").write_text("; MaxProcs: 64\n")
    assert of_usage(lambda: job_log(Path("jobs.swf"), "swf", processors=None)) == (
        "jobs.swf must hold jobs, got none of 0 (empty: 1 dropped; first at line 1: the file holds "
        "no job)"
    )
    Path("jobs.swf").write_text(f"; MaxProcs: 64\n{JOBS}bad\n")
    found = job_log(Path("jobs.swf"), "swf", processors=None)
    assert (len(found.trace.frame), found.processors) == (1, 64)
    with pytest.raises(ValueError, match="line 3"):
        job_log(Path("jobs.swf"), "swf", processors=None, strict=True)


def windows(text, *, submit=(1000.0, 2000.0), origin=0.0, known_to=None):
    Path("w.csv").write_text("start,end,kind,nodes\n" + text)
    notes = []
    jobs = SimpleNamespace(submit=np.array(submit))
    found = maintenance_of(
        Path("w.csv"), jobs, notes, nodes=8, origin=origin, known_to=known_to, limits=LIMITS
    )
    return [(window.start, window.end) for window in found.windows], notes


def test_windows_of_maintenance_count_from_the_clock_of_the_log():
    planned = "no job is started that would reach into a planned window by its request"
    told = "{} of 2 windows of maintenance end after the first submission: {} planned, {} outages"
    assert windows("1,5,planned,\n1500,1600,outage,0-3\n") == (
        [(1500.0, 1600.0)],
        [told.format(1, 0, 1)],
    )
    dated = "1000001500,1000001600,planned,\n1000001700,1000001800,outage,\n"
    found, notes = windows(dated, origin=1e9)
    assert found == [(1500.0, 1600.0), (1700.0, 1800.0)]
    assert notes == [told.format(2, 1, 1), planned]
    clock = "windows with dates count from the UnixStartTime of the log's header"
    found, notes = windows(dated, origin=1e9, submit=(0.0, 1499.0))
    assert notes == [told.format(2, 1, 1), clock, planned]
    assert clock not in windows(dated, origin=1e9, submit=(0.0, 1500.0))[1]
    late = "3000,3100,outage,\n3200,3300,outage,\n"
    assert windows(late)[1] == [told.format(2, 0, 2)]
    said = "w.csv, line 3: kind must be outage on a grid, whose scheduler knows of no planned "
    text = "1500,1600,outage,\n1700,1800,planned,\n"
    refused = of_usage(lambda: windows(text, known_to="a grid"))
    assert refused == said + "windows, got planned"
    assert windows("1500,1600,outage,\n1700,1800,outage,\n", known_to="a grid")[0] == [
        (1500.0, 1600.0),
        (1700.0, 1800.0),
    ]


LAWS = {
    "exponential:mean=2h": RepairLaw("exponential:mean=2h", "exponential", 7200.0, 1.0),
    " gamma:mean=2h,cv=0.5 ": RepairLaw("gamma:mean=2h,cv=0.5", "gamma", 7200.0, 0.5),
    "gamma:shape=4,mean=2h": RepairLaw("gamma:shape=4,mean=2h", "gamma", 7200.0, shape=4.0),
    "weibull:mean=2h,shape=0.5": RepairLaw(
        "weibull:mean=2h,shape=0.5", "weibull", 7200.0, shape=0.5
    ),
    "weibull:cv=2,mean=2h": RepairLaw("weibull:cv=2,mean=2h", "weibull", 7200.0, 2.0),
    "lognormal:mean=2h,cv=4": RepairLaw("lognormal:mean=2h,cv=4", "lognormal", 7200.0, 4.0),
    "hyperexponential:mean=2h,cv=1": RepairLaw(
        "hyperexponential:mean=2h,cv=1", "hyperexponential", 7200.0, 1.0
    ),
}


@pytest.mark.parametrize("text", LAWS)
def test_a_law_has_the_mean_and_spread_that_are_asked_for(text):
    wanted = repair_law(text)
    assert wanted == uptime_law(text) == LAWS[text]
    assert str(wanted) == text.strip()
    law = lifetime_of(wanted, "--downtime-law")
    assert law.mean == pytest.approx(7200.0, rel=1e-12)
    cv = wanted.cv
    if wanted.shape is not None:
        # sqrt of 1/k for a gamma law; of the mean square 24 over the square of the mean 2, less 1
        cv = 0.5 if wanted.family == "gamma" else math.sqrt(24 / 4 - 1)
    assert math.sqrt(law.variance) / law.mean == pytest.approx(cv, rel=1e-9)
    sampler = sampler_of(law)
    assert type(sampler).__module__.startswith("sim.")
    assert type(sampler).__name__ == type(law).__name__


NO_CV = "takes mean and cv"
WRONG = {
    "": "no law ''",
    "normal:mean=1h": "no law 'normal'",
    "log:mean=1h": "no law 'log'",
    "exponential": "exponential takes mean",
    "exponential:mean=1h,cv=1": "exponential takes mean",
    "gamma:mean=1h": f"gamma {NO_CV} or shape",
    "weibull:shape=1": f"weibull {NO_CV} or shape",
    "lognormal:mean=1h": f"lognormal {NO_CV}",
    "lognormal:mean=1h,shape=1": f"lognormal {NO_CV}",
    "hyperexponential:mean=1h": f"hyperexponential {NO_CV}",
    "gamma:mean=0h,cv=1": "mean not > 0",
    "gamma:mean=1h,cv=0": "cv of gamma not > 0",
    "gamma:mean=1h,cv=inf": "cv of gamma not > 0",
    "gamma:mean=1h,cv=1_0": "cv of gamma not > 0",
    "gamma:mean=1h,cv=٣": "cv of gamma not > 0",
    "weibull:mean=1h,shape=0": "shape of weibull not > 0",
    "weibull:mean=1h,shape=inf": "shape of weibull not > 0",
    "weibull:mean=1h,shape=1_0": "shape of weibull not > 0",
    "weibull:mean=1h,shape=٣": "shape of weibull not > 0",
    "hyperexponential:mean=1h,cv=0.999": "cv of hyperexponential not >= 1",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_law_that_is_none(text):
    assert refusal(ValueError, lambda: repair_law(text)) == WRONG[text]


def test_a_law_of_the_log_is_one_of_repairs_only():
    assert repair_law(" log ") == RepairLaw("log", "log")
    said = "perfmodel fit finds a law for the uptimes of a log"
    assert refusal(ValueError, lambda: uptime_law("log")) == said
