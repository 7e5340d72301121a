"""The numbers that notes rest on; tests/golden/notes.txt has their words."""

import math
import re
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from asking.reading import LogReading
from asking.refusals import Field
from perfmodel import estimate
from perfmodel.answers.known.job import job_of
from perfmodel.answers.logs import machines
from perfmodel.answers.logs.failures import read_log
from perfmodel.answers.logs.watched import site_logs
from perfmodel.answers.requests.job import JobRequest
from perfmodel.answers.requests.reading import FailureLogReading
from perfmodel.fitting import mtbf_confidence, mtbf_posterior
from perfmodel.interval import optimal_interval
from sim.answers.deadlines.setup import cells_of, heeded, promises_setup
from sim.answers.kinds import PRICES
from sim.answers.recoveries.credits import prices_of
from sim.answers.replays import policies
from sim.answers.replays.job_checkpoints import own_checkpoints
from sim.answers.replays.requests import PromisesRequest, RecoveryRequest, ReplayRequest
from sim.answers.replays.setup import setup
from sim.traces import read_jobs

HOUR, DAY = 3600.0, 86400.0
SWF = """; MaxProcs: 64
1 1000 5 90 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1
2 1010 -1 50 4 -1 -1 4 60 -1 1 1 1 1 2 2 -1 -1
3 1100 7 50 4 -1 -1 4 -1 -1 1 1 1 1 2 2 -1 -1
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(SWF)
    (tmp_path / "failures.csv").write_text("time,node,repair\n1010,1,5\n1020,2,\n")
    (tmp_path / "windows.csv").write_text(
        "start,end,kind,nodes\n1050,1090,planned,0-1\n1005,1009,outage,\n"
    )
    return tmp_path


def log_of(path, layout, *, system=None, **more):
    return read_log(FailureLogReading(log=path, format=layout, system=system), **more)


def logs_of(*paths, **more):
    return site_logs(*paths, **more, reading=LogReading())


def notes_of(**options):
    return list(setup(ReplayRequest(log=Path("jobs.swf"), **options)).notes)


def test_checkpoints_of_single_jobs():
    path = Path("own.csv")
    path.write_text("job,interval,cost,recovery\n1,60,2,3\n# a note\n2,none,9,9\n3,30min,1s,\n")
    found = own_checkpoints(
        ReplayRequest(log=Path("jobs.swf"), recovery_cost=7.0),
        path,
        read_jobs(Path("jobs.swf"), "swf"),
    )
    rows = [tuple(found.by_line[line]) for line in sorted(found.by_line)]
    assert rows == [(60.0, 2.0, 3.0), (math.inf, 0.0, 0.0), (1800.0, 1.0, 7.0)]


def test_an_mtbf_in_words():
    assert estimate.stated(5.0) == estimate.Estimate(5.0, "as given")
    of_nodes = estimate.of_nodes(2000 * HOUR, 1000)
    assert (of_nodes.value, of_nodes.words) == (2 * HOUR, "83.33 d per node / 1,000 nodes")
    rated = estimate.of_rate(1e-6, 1000, words="6.5/1000node-days x 1,000 nodes")
    assert (rated.value, rated.words) == (1000.0, "6.5/1000node-days x 1,000 nodes")
    one = estimate.counted(1, DAY * 3)
    limits = mtbf_posterior(1, DAY * 3).ppf([0.025, 0.975])
    assert (one.value, one.words) == (3 * DAY, "1 failure in 3 d")
    assert one.limits == (one.low, one.high) == pytest.approx(limits)
    assert (one.failures, one.observed) == (1, 3 * DAY)
    assert estimate.counted(1200, DAY * 3).words == "1,200 failures in 3 d"
    none = estimate.counted(0, DAY * 3)
    assert none.words == "no failure in 3 d: the lower limit at 95%"
    assert none.value == none.low == mtbf_confidence(0, DAY * 3, confidence=0.95).lower
    assert (none.high, none.failures, none.observed) == (math.inf, 0, 3 * DAY)


JOB = {"checkpoint_cost": 360.0, "work": 10 * DAY, "recovery_cost": 60.0, "downtime": 30.0}


def in_words(job):
    return [(name, str(words)) for name, words in job.facts()]


def test_the_facts_of_a_job():
    known = [
        ("checkpoint", "6 min (as given)"),
        ("recovery", "60 s"),
        ("downtime", "30 s"),
        ("work", "10 d"),
    ]
    plain = job_of(JobRequest(mtbf=8 * HOUR, **JOB))
    assert in_words(plain) == [("MTBF", "8 h (as given)"), *known]
    priced = job_of(JobRequest(mtbf=8 * HOUR, price=2.5, **JOB))
    assert in_words(priced)[-1] == ("price", "2.5 per hour of the job")
    assert priced.hourly_price == 2.5
    nodes = job_of(JobRequest(node_mtbf=8000 * HOUR, nodes=2000, price=2.5, **JOB))
    assert in_words(nodes)[-1] == ("price", "2.5 per node-hour x 2,000 nodes")
    assert nodes.hourly_price == 5000.0
    counted = job_of(JobRequest(failures=10, observed=80 * HOUR, **JOB))
    low, high = mtbf_posterior(10, 80 * HOUR).ppf([0.025, 0.975]) / HOUR
    assert in_words(counted)[0] == (
        "MTBF",
        f"8 h (10 failures in 3.333 d); 95% confidence: {low:.4g} h to {high:.4g} h",
    )
    numbers = nodes.plain()
    assert numbers == {
        "mtbf_s": 4 * HOUR,
        "mtbf_low_s": None,
        "mtbf_high_s": None,
        "mtbf_basis": nodes.mtbf.words,
        "failures": None,
        "checkpoint_cost_s": 360.0,
        "recovery_cost_s": 60.0,
        "downtime_s": 30.0,
        "work_s": 10 * DAY,
        "step_time_s": None,
        "nodes": 2000,
        "price_per_node_hour": 2.5,
        "price_per_hour": 5000.0,
        "log": None,
    }
    assert priced.plain()["price_per_node_hour"] is None
    assert priced.plain()["price_per_hour"] == 2.5
    costs = {"checkpoint_cost": 360.0, "recovery_cost": 60.0, "downtime": 30.0}
    assert plain.costs == {"mtbf": 8 * HOUR, **costs}
    assert plain.costs_at(5.0) == {"mtbf": 5.0, **costs}


def test_the_facts_of_a_job_with_a_log():
    path = Path("log.csv")
    gaps = np.cumsum(np.tile([3600.0, 60.0, 60.0, 60.0, 90_000.0], 40))
    path.write_text("time,repair\n" + "".join(f"{t:.0f},30\n" for t in gaps))
    found = job_of(JobRequest(log=path, **(JOB | {"downtime": 0.0})))
    facts = dict(in_words(found))
    assert facts["log"].splitlines()[0] == found.mtbf.log.notes[0]
    assert facts["downtime"] == "0 s (repairs of the log, 30 s on average, are left out: downtime)"
    # Five failures an hour after 25 h and less, the first burst of four; by chance 4 % of those
    # that begin a burst would come within an hour.
    assert facts["bursts"] == (
        "4.77 failures each, at most 60 min apart, over 61.5 min; each counts once, as it strikes "
        "a job once: bursts count counts all (MTBF of failures 5.231 h)"
    )
    assert "bursts" not in dict(job_of(JobRequest(mtbf=HOUR, **JOB)).facts())
    stated = job_of(JobRequest(log=path, **JOB))
    assert dict(in_words(stated))["downtime"] == "30 s"


SACCT = """JobID|Submit|Start|End|NNodes|State
1|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-03T00:00:00|4|COMPLETED
2|2024-01-01T00:00:00|2024-01-02T00:00:00|2024-01-02T12:00:00|8|NODE_FAIL
3|2024-01-01T00:00:00|2024-01-02T12:00:00|2024-01-03T12:00:00|8|COMPLETED
4|2024-01-01T00:00:00|Unknown|Unknown|8|PENDING
"""


def test_jobs_of_sacct_tell_the_time_of_nodes():
    path = Path("sacct.txt")
    path.write_text(SACCT)
    log = log_of(path, "sacct")
    assert log.layout == "sacct"
    assert log.uptimes.failures == 1
    # 4 nodes for 2 d, 8 for half a day and 8 for one.
    assert log.uptimes.observed == (8 + 4 + 8) * DAY


def test_the_logs_of_a_site():
    path = Path("sacct.txt")
    path.write_text(SACCT)
    start = 1704067200.0  # 2024-01-01 in UTC
    found = logs_of(path, None, since=timedelta(days=-1), now=None, nodes=None)
    assert found.now == start + 2.5 * DAY
    np.testing.assert_allclose(found.start - start, [0.0, DAY, 1.5 * DAY])
    np.testing.assert_allclose(found.end - start, [2 * DAY, 1.5 * DAY, 2.5 * DAY])
    assert (found.nodes.tolist(), found.struck.tolist()) == ([4, 8, 8], [False, True, False])
    assert (found.machine, found.failed_at, found.failed_node) == (12, None, ())
    assert "the window ends with the last record: now ends it at another time" in found.notes
    assert "at most 12 nodes ran jobs at once: nodes says how many there are" in found.notes
    assert found.covered
    early = logs_of(path, None, since=timedelta(days=-30), now=start + 1.25 * DAY, nodes=20)
    assert early.machine == 20
    assert "1 job that started after now left out" in early.notes
    late = "sacct.txt begins too late to cover the window before: no change is named"
    assert late in early.notes
    assert not early.covered
    failures = Path("down.csv")
    failures.write_text(
        "time,node\n2024-01-01 06:00,n1\n2024-01-02 06:00,n2\n2024-01-04 06:00,n1\n"
    )
    both = logs_of(path, failures, since=timedelta(days=-1), now=start + 2 * DAY, nodes=20)
    np.testing.assert_allclose(both.failed_at - start, [0.25 * DAY, 1.25 * DAY])
    assert both.failed_node == ("n1", "n2")
    assert (
        logs_of(path, failures, since=timedelta(days=-1), now=None, nodes=20).now
        == start + 3.25 * DAY
    )


def test_machines_of_a_table():
    path = Path("fleet.csv")
    path.write_text(
        "name,speed,mtbf [h],colour,mttr_h,mttr_std\na,1,100,red,2,30min\nb,2,50,blue,0,0h\n"
    )
    found = machines.read_machines(path)
    assert found.names == ("a", "b")
    assert found.notes == (
        "columns left out: colour",
        "no checkpoints given: a failure costs its downtime and no work",
    )
    known = found.machines
    assert known.speed.tolist() == [1.0, 2.0]
    assert known.mtbf.tolist() == [100 * HOUR, 50 * HOUR]
    assert known.mttr.tolist() == [2 * HOUR, 0.0]
    assert known.mttr_cv.tolist() == [0.25, 0.0]
    costly = machines.read_machines(path, checkpoint_cost=60.0)
    assert costly.notes[1] == "interval: the optimum for the mean of each machine"
    best = optimal_interval(mtbf=known.mtbf, checkpoint_cost=60.0)
    np.testing.assert_allclose(costly.machines.interval, best)
    np.testing.assert_allclose(costly.machines.checkpoint_cost, 60.0)
    fixed = machines.read_machines(path, checkpoint_cost=60.0, interval=HOUR)
    assert (fixed.machines.interval.tolist(), fixed.notes[1:]) == ([HOUR, HOUR], ())
    path.write_text("speed,mtbf\n1,1h\n")
    assert machines.read_machines(path).names == ("1",)
    assert machines.read_machines(path).machines.mttr_cv.tolist() == [1.0]


def test_prices_of_recovery_options():
    request = RecoveryRequest(log=Path("jobs.swf"), credits=PRICES.read("A=0,B=1,C=2,D=4,E=9"))
    found = prices_of(request, ["even"])
    assert found.per_node_hour == {"A": 0.0, "B": 1.0, "C": 2.0, "D": 4.0, "E": 9.0}
    assert found.allowance == 2.0
    assert prices_of(RecoveryRequest(log=Path("jobs.swf")), ["even"]) is None


def test_cells_of_promises():
    def cells(**options):
        return cells_of(PromisesRequest(log=Path("jobs.swf"), **options))

    confidence = PromisesRequest(log=Path("jobs.swf")).confidence
    tenths = [round(0.1 * place, 10) for place in range(11)]
    assert cells() == [(a, c) for a in tenths for c in confidence]
    assert cells(accuracy=(0.5,), confidence=(0.25, 0.75)) == [(0.5, 0.25), (0.5, 0.75)]
    assert cells(forecaster="rate", confidence=(0.25,)) == [(None, 0.25)]


@pytest.mark.parametrize(
    ("accuracy", "confidence", "within", "expected"),
    [
        (None, 0.9, False, 0.9),
        (0.25, 0.75, False, 0.0),  # a first promise is of 0.75 at least
        (0.25, 0.8, False, 0.8),
        (0.25, 0.8, True, 0.0),
        (0.8, 0.8, True, 0.8),
    ],
)
def test_what_users_ask_for(accuracy, confidence, within, expected):
    request = PromisesRequest(log=Path("jobs.swf"), within_accuracy=within)
    assert heeded(request, accuracy, confidence) == expected


def test_users_policies_name_their_line(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "class Wrong:\n    name = 'wrong'\n    runs_on = object\n\n"
        "    def begin(self, cluster):\n        raise KeyError('lost')\n"
    )
    monkeypatch.chdir(tmp_path)
    found = policies.own_policy("mine:Wrong", Field("policy"))
    assert (found.name, found.runs_on) == ("wrong", object)
    named = policies._named_in_errors(found, "mine:Wrong")
    assert (named.name, named.runs_on) == ("wrong", object)
    words = r"^policy mine:Wrong must not raise, got KeyError \('lost'\) at line 6 of .*mine\.py$"
    with pytest.raises(ValueError, match=words):
        named.begin(None)
    assert policies._named_in_errors("easy", "easy") == "easy"


def test_windows_of_a_machine_that_also_fails():
    """Windows are among the failures; those that are planned are kept for replays without."""
    path = Path("windows.csv")
    asked = {"maintenance": path, "failures": Path("failures.csv")}
    both = setup(ReplayRequest(log=Path("jobs.swf"), **asked))
    assert len(both.feeds.failures) == 2
    assert len(both.feeds.every) == len(both.feeds.failures) + len(both.feeds.windows)
    assert 0 < len(both.feeds.planned) < len(both.feeds.windows)
    path.write_text("start,end,kind,nodes\n1005,1009,outage,0\n")
    outage = setup(ReplayRequest(log=Path("jobs.swf"), maintenance=path))
    assert (len(outage.feeds.windows), outage.feeds.planned, outage.feeds.failures) == (
        1,
        None,
        None,
    )
    assert outage.feeds.every is outage.feeds.windows
    plain = setup(ReplayRequest(log=Path("jobs.swf")))
    assert (plain.feeds.every, plain.feeds.windows, plain.feeds.planned) == (None, None, None)


def test_failures_drawn_by_the_end_of_a_replay():
    parts = setup(ReplayRequest(log=Path("jobs.swf"), mtbf=60.0, seed=3))
    times = parts.feeds.failures.time
    for end in (1000.0, 1500.0, 5000.0):
        inside = np.count_nonzero((times >= 1000.0) & (times <= end))
        assert parts.failures_drawn(end) == inside
    assert parts.failures_drawn(0.0) == 0
    read = setup(ReplayRequest(log=Path("jobs.swf"), failures=Path("failures.csv")))
    assert read.failures_drawn(5000.0) is None
    assert setup(ReplayRequest(log=Path("jobs.swf"))).failures_drawn(5000.0) is None


def test_the_clock_of_a_log():
    def start(**options):
        return setup(ReplayRequest(log=Path("jobs.swf"), **options)).unix_start

    assert start() is None
    assert start(log_start=1e9) == 1e9
    assert start(log_start=1e9, scale_gaps=2.0) is None
    Path("jobs.swf").write_text("; UnixStartTime: 1000000000\n" + SWF)
    assert start() == 1e9
    Path("jobs.swf").write_text("; UnixStartTime: 12\n" + SWF)
    assert start() is None
    Path("jobs.swf").write_text(re.sub(r"(?m)^(\d) ", r"\1 123456", SWF))
    assert start() == 0.0


def test_jobs_larger_than_a_blue_gene_may_be_left_out():
    Path("jobs.swf").write_text(SWF + "4 1200 -1 50 9000 -1 -1 9000 60 -1 1 1 1 1 1 1 -1 -1\n")
    asked = {"log": Path("jobs.swf"), "machine": "bluegene:1x1"}
    skipped = setup(ReplayRequest(**asked, oversize="skip")).workload
    assert skipped.job.tolist() == [1, 2, 3]
    assert skipped.dropped["larger_than_machine"] == 1
    own = Path("own.csv")
    own.write_text("job,interval,cost\n4,60,2\n")
    flat = {"log": Path("jobs.swf"), "oversize": "skip", "job_checkpoints": own}
    assert setup(ReplayRequest(**flat)).workload.job.tolist() == [1, 2, 3]


def test_recorded_waits_are_those_of_the_lines():
    parts = setup(ReplayRequest(log=Path("jobs.swf")))
    waits = parts.recorded.waits(parts.workload)
    np.testing.assert_array_equal(waits, [5.0, np.nan, 7.0])
    assert setup(ReplayRequest(log=Path("jobs.swf"), scale_gaps=2.0)).recorded is None


def test_promises_under_failures_that_are_read_have_the_downtime_asked_for():
    asked = {"log": Path("jobs.swf"), "failures": Path("failures.csv")}
    found = promises_setup(PromisesRequest(**asked, downtime=77.0))
    assert found.failures.time.tolist() == [1010.0, 1020.0]
    assert found.failures.repair.tolist() == [77.0, 77.0]
    assert promises_setup(PromisesRequest(**asked)).failures.repair[0] == 5.0
    one = promises_setup(PromisesRequest(**asked, jobs=1))
    assert one.workload.job.tolist() == [1]


def test_failures_of_promises_are_drawn_for_three_spans_and_a_year():
    found = promises_setup(PromisesRequest(log=Path("jobs.swf"), seed=5))
    times = found.failures.time
    assert times.min() >= 1000.0
    assert times.max() <= 1100.0 + 2 * 100.0 + 365 * DAY
    # 1,021 a year in the mean; bursts of some spread it: 10 standard errors of single ones.
    assert abs(times.size - 1021) < 10 * math.sqrt(1021) * 3


@pytest.mark.parametrize("shape", [0.7, 1.0])
def test_failures_expected_of_new_nodes(shape):
    asked = {"mtbf": 10 * HOUR, "new_nodes": True, "weibull_shape": shape, "mttr": 0.5 * HOUR}
    note = notes_of(**asked)[4]
    found = re.fullmatch(
        r"all nodes are new at the first submission: ([0-9,]+) failures are expected, ([0-9,]+) of "
        "nodes long in use",
        note,
    )
    new, old = (int(text.replace(",", "")) for text in found.groups())
    assert old == round((90 * DAY + 200.0) / (10 * HOUR))
    if shape == 1.0:  # without memory a new node is like an old one, but that all are up at first
        assert new == pytest.approx(old, rel=0.01)
    else:  # infant mortality
        assert new > 1.05 * old
