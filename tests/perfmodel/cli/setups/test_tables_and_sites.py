"""Machines of a table, logs of a site, printed numbers, scenarios and priors, at their limits."""

import math
from datetime import timedelta
from pathlib import Path

import click
import numpy as np
import pytest

from asking.reading import LogReading
from asking.refusals import Refused
from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.answers.known import advisor
from perfmodel.answers.logs.machines import read_machines
from perfmodel.answers.logs.printed_numbers import conditions_of
from perfmodel.answers.logs.watched import site_logs
from perfmodel.answers.requests.advise import AdviseRequest
from perfmodel.answers.requests.job import JobRequest
from perfmodel.answers.requests.levels import LocalCopy
from perfmodel.answers.requests.presets import PRESETS
from perfmodel.answers.scenario.files import read_tables
from perfmodel.interval import optimal_interval
from perfmodel.units import seconds
from sim.answers.deadlines import setup as promises
from sim.answers.replays.requests import PromisesRequest
from sim.cluster import CalibratedForecaster, QsimForecaster, StatedForecaster
from tests.support.runner import words_of

HOUR, DAY = 3600.0, 86400.0
FLEET = Path("fleet.csv")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def fleet(text, **options):
    FLEET.write_text(text, "utf-8")
    return read_machines(FLEET, **options)


def refusal(act, kind=(click.UsageError, Refused)):
    with pytest.raises(kind) as refused:
        act()
    return words_of(refused.value)


@pytest.mark.parametrize(
    "heading",
    [
        *("mtbf [min]", "mtbf(min)", "MTBF ( min )", " mtbf_min ", "Mtbf-min", "mtbf min"),
        *("mtbf [ min ]", "mtbf[min]"),
    ],
)
def test_a_heading_may_have_the_unit(heading):
    assert fleet(f"speed,{heading}\n1,90\n2,2h\n").machines.mtbf.tolist() == [5400.0, 7200.0]


def test_every_duration_and_number_of_a_table():
    text = (
        "\ufeffhost, speed ,mtbf_h,mttr [min],mttr_cv,checkpoint cost [s],Interval (min)\n"
        "\n"
        "a, 1e0 ,1E2,30, 0.5 ,60,90\n"
        ",,,,,,\n"
        '"b, c",2.5,50h,0,0,1min,2h\n'
    )
    found = fleet(text)
    assert found.names == ("a", "b, c")
    assert found.notes == ()
    known = found.machines
    assert known.speed.tolist() == [1.0, 2.5]
    assert known.mtbf.tolist() == [100 * HOUR, 50 * HOUR]
    assert known.mttr.tolist() == [1800.0, 0.0]
    assert known.mttr_cv.tolist() == [0.5, 0.0]
    assert known.checkpoint_cost.tolist() == [60.0, 60.0]
    assert known.interval.tolist() == [5400.0, 7200.0]
    same = fleet(text, checkpoint_cost=5.0, interval=7.0).machines  # the columns have it
    assert same.checkpoint_cost.tolist() == [60.0, 60.0]
    assert same.interval.tolist() == [5400.0, 7200.0]


@pytest.mark.parametrize("column", ["name", "machine", "node", "host"])
def test_machines_are_called_what_the_table_calls_them(column):
    assert fleet(f"speed,{column},mtbf\n1, x ,1h\n").names == ("x",)
    assert fleet("speed,mtbf\n1,1h\n2,2h\n").names == ("1", "2")


def test_machines_that_write_no_checkpoints_have_no_interval():
    found = fleet("speed,mtbf,checkpoint_cost\n1,10h,0s\n1,20h,1min\n")
    best = float(optimal_interval(mtbf=20 * HOUR, checkpoint_cost=60.0))
    assert found.machines.interval.tolist() == pytest.approx([0.0, best])
    assert found.notes == ("interval: the optimum for the mean of each machine",)
    none = fleet("speed,mtbf,checkpoint_cost\n1,10h,0s\n")
    assert none.machines.interval.tolist() == [0.0]
    assert none.notes == ("no checkpoints given: a failure costs its downtime and no work",)


def test_the_spread_of_repairs_is_by_their_mean():
    found = fleet("speed,mtbf,mttr,mttr_std\n1,10h,2h,30min\n1,10h,0s,0s\n")
    assert found.machines.mttr_cv.tolist() == [0.25, 0.0]


DURATION = "a duration with a unit"
CELLS = [
    ("speed,mtbf,mttr\n1,1h,1h\n", "line 2: mttr must be < mtbf, got 60 min and 60 min"),
    ("speed,mtbf\n\n1,1h\n0,1h\n", "line 4: speed must be a number > 0, got '0'"),
    ("speed,mtbf\n1_0,1h\n", "line 2: speed must be a number > 0, got '1_0'"),
    ("speed,mtbf\n٣,1h\n", "line 2: speed must be a number > 0, got '٣'"),
    ("speed,mtbf\ninf,1h\n", "line 2: speed must be a number > 0, got 'inf'"),
    ("speed,mtbf\nnan,1h\n", "line 2: speed must be a number > 0, got 'nan'"),
    (f"speed,mtbf\n{'x' * 61},1h\n", f"line 2: speed must be a number > 0, got {'x' * 60!r}"),
    ("speed,mtbf,mttr_cv\n1,1h,inf\n", "line 2: mttr_cv must be a number >= 0, got 'inf'"),
    ("speed,mtbf\n1,0h\n", f"line 2: mtbf must be {DURATION}, got '0h' (not > 0)"),
    ("speed,mtbf [h]\n1,0\n", f"line 2: mtbf must be {DURATION}, got '0' (not > 0)"),
]


@pytest.mark.parametrize(("text", "said"), CELLS)
def test_a_cell_that_cannot_be_is_refused_by_its_line(text, said):
    assert refusal(lambda: fleet(text)) == f"fleet.csv, {said}"


def test_a_table_that_is_none():
    long = "y" * 61
    said = refusal(lambda: fleet(f"speed,?{long}\n"))
    assert said == f"fleet.csv must have a column mtbf, got speed, ?{long[:59]}"
    assert fleet(f"speed,mtbf,?{long}\n1,1h,\n").notes[0] == f"columns left out: ?{long[:59]}"
    names = ["speed", *(f"c{n}" for n in range(100))]
    said = refusal(lambda: fleet(f"{','.join(names)}\n"))
    assert said == f"fleet.csv must have a column mtbf, got {', '.join(names)[:200]}"
    FLEET.write_bytes(b"speed,mtbf\n1,1h\xff\n")
    said = "fleet.csv must be text in UTF-8, got the byte 0xff"
    assert refusal(lambda: read_machines(FLEET)) == said
    said = refusal(lambda: fleet("speed,mtbf\n1,1h\n1," + "x" * 200_000 + "\n"))
    assert said == "fleet.csv, line 3 must be CSV, got 'field larger than field limit (131072)'"
    for name in ("mtbf", "speed", "interval", "checkpoint_cost", "mttr"):
        said = f"fleet.csv must have one column {name}, got more"
        assert refusal(lambda name=name: fleet(f"speed,mtbf,{name},{name}\n1,1h,1,1\n")) == said


HEAD = "JobID|Submit|Start|End|NNodes|State\n"
START = 1704067200.0  # 2024-01-01 in UTC


def day(number):
    whole, part = divmod(round(number * 24), 24)
    return f"2024-01-{1 + whole:02}T{part:02}:00:00"


def sacct(*rows):
    Path("sacct.txt").write_text(
        HEAD
        + "".join(
            f"{n}|{day(start)}|{day(start)}|{day(end)}|{nodes}|{state}\n"
            for n, (start, end, nodes, state) in enumerate(rows, 1)
        )
    )
    return Path("sacct.txt")


def site(*rows, failures=None, since=2.0, now=None, nodes=99):
    path = sacct(*rows)
    if failures is not None:
        Path("f.csv").write_text("time,node\n" + "".join(f"{day(t)},n{n}\n" for t, n in failures))
        failures = Path("f.csv")
    now = None if now is None else START + now * DAY
    return site_logs(
        path, failures, since=timedelta(days=-since), now=now, nodes=nodes, reading=LogReading()
    )


DONE = "COMPLETED"


def test_nodes_in_use_at_once_are_handed_on_at_an_instant():
    assert site((0, 1, 4, DONE), (1, 2, 4, DONE), nodes=None).machine == 4
    assert site((0, 1, 4, DONE), (0.5, 2, 4, DONE), (1, 2, 3, DONE), nodes=None).machine == 8
    note = "at most 8 nodes ran jobs at once: nodes says how many there are"
    assert note in site((0, 1, 4, DONE), (0.5, 2, 4, DONE), nodes=None).notes
    assert site((0, 1, 4, DONE), nodes=4).machine == 4
    said = "--nodes must be >= the 4 nodes of the largest job, got 3"
    assert refusal(lambda: site((0, 1, 4, DONE), nodes=3)) == said


def test_the_present_ends_with_the_last_record_or_at_the_instant_asked_for():
    rows = [(0, 1, 4, DONE), (2, 3, 4, "NODE_FAIL"), (3, 5, 4, DONE)]
    assert site(*rows).now == START + 5 * DAY
    assert site(*rows, failures=[(1, 1), (6, 2)]).now == START + 6 * DAY
    assert site(*rows, failures=[(1, 1), (4, 2)]).now == START + 5 * DAY
    found = site(*rows, now=3, failures=[(1, 1), (3, 2), (3.5, 2)])
    assert found.start.tolist() == [START, START + 2 * DAY]  # the third starts at that instant
    assert found.struck.tolist() == [False, True]
    assert found.failed_at.tolist() == [START + DAY, START + 3 * DAY]
    assert found.failed_node == ("n1", "n2")
    assert "1 job that started after now left out" in found.notes
    assert (found.since, found.now) == (2 * DAY, START + 3 * DAY)
    said = "--now must be later than the first job of sacct.txt"
    assert refusal(lambda: site(*rows, now=0)) == said
    said = "--now must be later than the first failure, got "
    late = refusal(lambda: site(*rows, now=1, failures=[(2, 1)]))
    assert late == f"{said}{START + DAY:.0f}"


def test_a_window_reaches_no_farther_than_the_logs():
    rows = [(1, 2, 4, DONE), (3, 4, 4, "NODE_FAIL"), (4, 6, 4, DONE)]
    assert site(*rows, since=4.0).since == 4 * DAY
    assert site(*rows, since=900.0).since == 5 * DAY
    assert site(*rows, since=900.0, failures=[(0, 1), (4, 2)]).since == 6 * DAY
    assert site(*rows, since=900.0, failures=[(2, 1), (4, 2)]).since == 5 * DAY


def test_a_log_that_begins_in_the_window_before_may_cover_it():
    # Twice two days before the end of the fourth day: the window before begins with the log.
    rows = [(0, 4, 1, DONE), *((0.5 + n / 4, 4, 1, DONE) for n in range(14))]
    assert site(*rows).covered
    late = "sacct.txt begins too late to cover the window before: no change is named"
    # One of k records in a window would begin at 1/4 of it or later with chance (3/4)^k.
    for count, covered in ((16, True), (17, False)):
        assert (0.75**count >= 0.01) is covered
        some = [(0.5 + n / 24, 4, 1, DONE) for n in range(count)]
        found = site(*some)
        assert found.covered is covered
        assert (late in found.notes) is not covered
    assert not site((3, 4, 1, DONE)).covered  # none in the window before
    found = site(*rows, failures=[(3, 1), (3.5, 2)])
    assert not found.covered
    assert "f.csv begins too late to cover the window before: no change is named" in found.notes


def test_jobs_without_nodes_or_start_are_left_out():
    path = sacct((0, 1, 4, DONE), (1, 2, 0, DONE))
    path.write_text(path.read_text() + f"9|{day(0)}|Unknown|Unknown|8|PENDING\n")
    found = site_logs(path, None, since=timedelta(days=-1), now=None, nodes=9, reading=LogReading())
    assert found.nodes.tolist() == [4]
    assert any(
        note.endswith("jobs left out: nodes, start or length unknown") for note in found.notes
    )


def condition(text):
    Path("like.csv").write_text(text)
    (found,) = conditions_of(Path("like.csv"), [])
    return found


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("runtime,,,74.3min", (74.3 * 60, 3.0, None, None)),
        ("walltime,,,2 h", (2 * HOUR, HOUR / 2, None, None)),
        ("processors,,,128.", (128.0, 0.5, None, None)),
        ("processors,64,512,14.3%", (0.143, 0.0005, 64.0, 512.0)),
        ("runtime,1h,,5%", (0.05, 0.005, HOUR, None)),
        ("runtime,,90min,0.25", (0.25, 0.005, None, 5400.0)),
    ],
)
def test_a_printed_number_is_met_to_half_of_its_last_digit(row, expected):
    found = condition(f"measure,from,below,value\n{row}\n")
    assert found.measure == row.partition(",")[0]
    got = (found.value, found.within, found.at_least, found.below)
    assert got == pytest.approx(expected)


@pytest.mark.parametrize(
    ("row", "what", "text"),
    [
        ("runtime,,,5", "a time such as 74.3min", "5"),
        ("runtime,,,5%", "a time such as 74.3min", "5%"),
        ("runtime,,,5parsec", "a time such as 74.3min", "5parsec"),
        ("runtime,5,,5%", "a time such as 74.3min", "5"),
        ("runtime,1h,,5h", "a share such as 14.3%", "5h"),
        ("processors,,,5%", "a count", "5%"),
        ("processors,,,-5", "a count", "-5"),
        ("processors,5%,,5%", "a count", "5%"),
        (f"processors,,,{'9' * 70}x", "a count", "9" * 60),
    ],
)
def test_a_printed_number_that_is_none(row, what, text):
    said = refusal(lambda: condition(f"measure,from,below,value\n{row}\n"), ValueError)
    assert said == f"like.csv, line 2: numbers must be {what}, got {text!r}"


def tables(text):
    Path("a.toml").write_text(text)
    return read_tables(Path("a.toml"))


def test_a_preset_fills_in_what_the_file_does_not_say():
    request = JobRequest(**PRESETS["llama-3-405b"].given)
    found = tables('preset = "llama-3-405b"\n')
    assert found["machine"] == {"nodes": request.nodes}
    assert found["failures"]["failures"] == request.failures
    assert seconds(found["failures"]["observed"]) == request.observed
    assert found["failures"]["observed_nodes"] == request.nodes
    assert seconds(found["checkpoint"]["cost"]) == request.checkpoint_cost
    assert seconds(found["job"]["work"]) == request.work
    sized = tables('preset = "llama-3-405b"\n[checkpoint]\nsize = "1TB"\n')
    assert sized["checkpoint"] == {"size": "1TB"}
    other = tables('preset = "llama-3-405b"\n[job]\nnode_work = "1y"\n')
    assert "work" not in other["job"]
    for form in ("mtbf", "node_mtbf", "failure_rate", "failures", "burst_mtbf"):
        own = tables(f'preset = "llama-3-405b"\n[failures]\n{form} = "x"\n')
        assert own["failures"] == {form: "x"}
        assert own["checkpoint"] == found["checkpoint"]
    kept = tables('preset = "llama-3-405b"\nfailures = 3\n[job]\nwork = "5d"\n')
    assert (kept["failures"], kept["job"]["work"]) == (3, "5d")


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_says_what_its_request_says(name):
    request, found = JobRequest(**PRESETS[name].given), tables(f'preset = "{name}"\n')
    said = {
        ("failures", "mtbf"): request.mtbf,
        ("failures", "node_mtbf"): request.node_mtbf,
        ("failures", "observed"): request.observed,
        ("checkpoint", "cost"): request.checkpoint_cost,
        ("job", "recovery"): request.recovery_cost or None,
        ("job", "downtime"): request.downtime or None,
        ("job", "work"): request.work,
        ("job", "step_time"): request.step_time,
    }
    for (section, key), value in said.items():
        text = found[section].get(key)
        assert (text if text is None else seconds(text)) == value, key
    rate = request.failure_rate
    assert found["failures"].get("failure_rate") == (None if rate is None else rate.text)
    assert found["machine"].get("nodes") == request.nodes


def test_a_preset_that_is_none():
    known = ", ".join(PRESETS)
    for text, hint in {'"daly-206"': " (nearest: daly-2006)", '"zzz"': "", "3": ""}.items():
        said = f"preset must be one of {known}{hint}, got {text.replace(chr(34), chr(39))}"
        assert refusal(lambda text=text: tables(f"preset = {text}\n"), ValueError) == said


def test_a_failure_log_stands_for_its_failures_and_the_time_observed():
    Path("f.csv").write_text("time,system,node\n100,x,1\n300,y,1\n500,x,1\n900,y,2\n")
    text = '[failures]\nlog = "f.csv"\nformat = "csv"\nsystem = "x"\nshape = 0.5\n'
    found = tables(text)["failures"]
    assert found.keys() == {"shape", "failures", "observed", "truncation", "history"}
    assert found["history"].failures.tolist() == [400.0]
    assert (found["shape"], found["failures"]) == (0.5, 1)
    assert seconds(found["observed"]) == 400.0
    assert "history" not in tables(text + 'rate = "constant"\n')["failures"]
    for key in ("log", "format", "system"):
        said = f"failures.{key} must be a text, got 5"
        wrong = f"[failures]\n{key} = 5\n" + ('log = "f.csv"\n' if key != "log" else "")
        assert refusal(lambda wrong=wrong: tables(wrong), ValueError) == said
    for key in ("format", "system"):
        said = f"failures.{key} must come with failures.log, got it alone"
        assert refusal(lambda key=key: tables(f'[failures]\n{key} = "x"\n'), ValueError) == said


def asked(**options):
    return AdviseRequest(state=Path("state.json"), **options)


def test_an_advisor_is_new_or_that_of_its_file():
    copies = (LocalCopy(5.0, 2.0, 0.8), LocalCopy(1.0, 1.0, 0.5), LocalCopy(0.5, 3.0, 0.8))
    request = asked(cost=60.0, latency=7.0, recovery_cost=9.0, levels=copies, mtbf=HOUR)
    found, new = advisor.advisor_of(request)
    assert new
    levels = found.levels
    assert [(each.cost, each.recovery, each.survives) for each in levels][:3] == [
        (1.0, 1.0, 0.5),
        (0.5, 3.0, 0.8),
        (5.0, 2.0, 0.8),
    ]
    found.save(Path("state.json"))
    again, new = advisor.advisor_of(asked())
    assert not new
    assert again.levels == levels
    Path("state.json").unlink()
    assert refusal(lambda: advisor.advisor_of(asked())) == (
        "--cost must be given where state.json is not there yet, got none: the time for which a "
        "checkpoint stops the job"
    )


@pytest.mark.parametrize(
    ("options", "prior"),
    [
        ({}, Prior.unknown()),
        ({"mtbf": 5.0}, Prior.of_nodes(1, 5.0)),
        ({"node_mtbf": 50.0, "nodes": 7}, Prior.of_nodes(7, 50.0)),
        ({"failures": 3, "observed": 9.0}, Prior.of_history(3, 9.0)),
        ({"failures": 0, "observed": 9.0}, Prior.of_history(0, 9.0)),
    ],
)
def test_what_is_known_of_failures_before_the_first_event(options, prior):
    assert advisor._prior_of(asked(**options)) == prior


def test_what_is_known_of_failures_comes_in_one_form():
    for alone, other in {
        "node_mtbf": "--nodes",
        "nodes": "--node-mtbf",
        "failures": "--observed",
        "observed": "--failures",
    }.items():
        flag = f"--{alone.replace('_', '-')}"
        said = refusal(lambda alone=alone: advisor.advisor_of(asked(cost=1.0, **{alone: 3})))
        assert said == f"{flag} must come with {other}, got it alone"
    both = {"mtbf": 1.0, "failures": 3, "observed": 9.0}
    assert refusal(lambda: advisor.advisor_of(asked(cost=1.0, **both))) == (
        "the MTBF must come in at most one form (--mtbf, --node-mtbf with --nodes, --failures with "
        "--observed), got --mtbf and --failures"
    )
    said = "--failures must be a number without --sacct, got f.csv"
    path = Path("folder/f.csv")
    assert refusal(lambda: advisor.advisor_of(asked(cost=1.0, failures=path))) == said


def test_the_time_of_a_call_is_not_before_the_last_event(monkeypatch):
    def now(given, clock):
        one = CheckpointAdvisor(cost=60.0)
        one.started(900.0)
        one.stepped(1000.0)
        monkeypatch.setattr(advisor.time, "time", lambda: clock)
        found = advisor.now_of(asked(now=given), one)
        one.stepped(found)  # it goes on from there
        return found

    assert now(1000.0, 0.0) == 1000.0
    assert now(2000.0, 0.0) == 2000.0
    assert now(999.5, 2000.0) == 1000.0
    assert now(None, 2000.0) == 2000.0
    assert now(None, 940.0) == 1000.0  # clocks of nodes may differ by a minute
    assert now(None, 939.5) == 939.5  # one that shows less was set back


SWF = "; MaxProcs: 8\n" + "".join(
    f"{n} {100 * n} -1 50 {n} -1 -1 {n} 60 -1 1 1 1 1 1 1 -1 -1\n" for n in range(1, 10)
)


def test_promises_have_failures_read_or_drawn_by_seed():
    Path("jobs.swf").write_text(SWF)
    common = {"log": Path("jobs.swf"), "oversize": "skip", "failures_per_year": 9000.0}
    request = PromisesRequest(**common, seed=3, downtime=7.0)
    parts = promises.promises_setup(request)
    assert parts.workload.job.tolist() == [*range(1, 9)]
    assert (parts.processors, parts.job_ids) == (8, {})
    assert set(parts.failures.repair.tolist()) == {7.0}
    other, drawn = promises.with_seed(request, parts, 4)
    assert other.seed == 4
    again = promises.promises_setup(PromisesRequest(**common, seed=4, downtime=7.0))
    np.testing.assert_array_equal(drawn.failures.time, again.failures.time)
    assert drawn.failures.time.tolist() != parts.failures.time.tolist()
    Path("f.csv").write_text("time,node,repair\n200,0,5\n400,1,5\n800,1,5\n")
    read = PromisesRequest(log=Path("jobs.swf"), oversize="skip", failures=Path("f.csv"))
    known = promises.promises_setup(read)
    assert promises.with_seed(read, known, 9)[1] is known
    # Two gaps in 600 s on eight nodes; a rate that is given counts in its place.
    rate = promises.PromisesRequest(**(common | {"forecaster": "rate"}))
    assert promises.forecaster_of(rate, known, None).failure_rate == pytest.approx(2 / (600 * 8))
    given = PromisesRequest(**common, forecaster="rate", node_mtbf=50.0)
    assert promises.forecaster_of(given, known, None).failure_rate == pytest.approx(1 / 50)
    Path("f.csv").write_text("time,node,repair\n200,0,5\n")
    one = promises.promises_setup(read)
    assert promises.forecaster_of(rate, one, None).failure_rate == 0.0
    detecting = promises.forecaster_of(request, known, 0.25)
    assert (detecting.accuracy, detecting.seed) == (0.25, 3)
    stated = {"forecaster": "stated", "sensitivity": 0.3, "specificity": 0.4}
    told = promises.forecaster_of(PromisesRequest(**common, **stated), known, None)
    assert told == StatedForecaster(QsimForecaster(0.3, 0.4))
    alarms = {"forecaster": "calibrated", "recall": 0.3, "precision": 0.4, "node_mtbf": 50.0}
    alarmed = promises.forecaster_of(PromisesRequest(**common, **alarms, seed=7), known, None)
    assert alarmed == CalibratedForecaster(0.3, 0.4, 1 / 50, 7)


def test_too_many_failures_of_promises_are_refused():
    Path("jobs.swf").write_text(SWF)
    span = 365.0 + 3 * 800.0 / DAY  # three times from the first submission to the last, and a year

    def drawn(rate):
        request = PromisesRequest(log=Path("jobs.swf"), oversize="skip", failures_per_year=rate)
        with pytest.raises(ValueError, match="must let") as refused:
            promises.promises_setup(request)
        return words_of(refused.value)

    said = "--failures-per-year must let at most 10,000,000 failures and nodes be drawn, got about "
    assert drawn(2e7) == f"{said}{2e7 * span / 365.0:.3g}"
    assert math.isfinite(span)
