"""``perfmodel advise --sacct``: what a site should do now, on logs of which the truth is known."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from perfmodel import efficiency, exact_makespan, optimal_interval, rate_change
from perfmodel.answers.logs.watched import SiteLogs
from perfmodel.answers.parts.watched import LEVEL, watched
from perfmodel.cli import main

DAY = 86400.0
START = 1_770_000_000.0
NODES = 128


def drawn(rng, *, factor=1.0, lemon=1.0, jobs=600, mtbf=400.0 * DAY):
    """Return logs of two windows of 30 days; `factor` is that of the second one's failure rate."""
    start = np.sort(rng.uniform(0.0, 60.0 * DAY, jobs))
    nodes = 2 ** rng.integers(0, 7, jobs)
    rate = np.where(start > 30.0 * DAY, factor, 1.0) * nodes / mtbf
    length, life = rng.lognormal(10.0, 1.0, jobs), rng.exponential(1.0 / rate)
    at, names = [], []
    for node in range(NODES):
        bad = lemon if node == 5 else 1.0
        for begin, how in ((0.0, 1.0), (30.0 * DAY, factor)):
            count = rng.poisson(30.0 * DAY * bad * how / mtbf)
            at.extend(begin + rng.uniform(0.0, 30.0 * DAY, count))
            names.extend([f"n{node}"] * count)
    return SiteLogs(
        start=START + start,
        end=START + start + np.minimum(length, life),
        nodes=nodes,
        struck=life < length,
        now=START + 60.0 * DAY,
        since=30.0 * DAY,
        failed_at=START + np.array(at),
        failed_node=tuple(names),
        machine=NODES,
        covered=True,
        notes=(),
    )


def written(logs, folder):
    def date(seconds):
        return datetime.fromtimestamp(round(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%S")

    lines = ["JobIDRaw|Submit|Start|ElapsedRaw|AllocCPUS|NNodes|State|User"]
    for job, (start, end, nodes, struck) in enumerate(
        zip(logs.start, logs.end, logs.nodes, logs.struck, strict=True)
    ):
        state = "NODE_FAIL" if struck else "COMPLETED"
        length = round(end) - round(start)
        lines.append(f"{job}|{date(start)}|{date(start)}|{length}|{4 * nodes}|{nodes}|{state}|ann")
    jobs, failures = folder / "jobs.txt", folder / "failures.csv"
    jobs.write_text("\n".join(lines) + "\n")
    rows = sorted(zip(logs.failed_at, logs.failed_node, strict=True))
    failures.write_text("down,node\n" + "".join(f"{date(at)},{node}\n" for at, node in rows))
    return str(jobs), str(failures)


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["advise", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def test_each_class_has_the_exact_rule_at_the_rate_of_the_log():
    logs = drawn(np.random.default_rng(1))
    found = watched(logs, cost=120.0, recovery_cost=60.0)
    inside = logs.failed_at > logs.now - logs.since
    rate = (inside.sum() + 0.5) / (30.0 * DAY * NODES)
    assert found.node_mtbf_s == pytest.approx(1.0 / rate)
    assert [one.least for one in found.classes] == [1, 2, 4, 8, 16, 32, 64]
    for one in found.classes:
        mtbf = 1.0 / (rate * one.least)
        assert one.interval_s == pytest.approx(
            float(optimal_interval(mtbf=mtbf, checkpoint_cost=120.0))
        )
        costs = {
            "interval": min(one.interval_s, one.length_s),
            "mtbf": mtbf,
            "checkpoint_cost": 120.0,
            "recovery_cost": 60.0,
            "final_checkpoint": False,
        }
        assert one.goodput == pytest.approx(float(efficiency(one.length_s, **costs)))
        law = exact_makespan(one.length_s, **costs)
        assert one.promise_constant_s == pytest.approx(law.ppf(0.9))
    assert sum(one.share for one in found.classes) == pytest.approx(1.0)


def test_promises_are_by_the_failures_to_come_where_a_log_tells_them():
    logs = drawn(np.random.default_rng(4), mtbf=40.0 * DAY)
    found = watched(logs, cost=120.0, recovery_cost=60.0)
    for one in found.classes:
        assert (one.law, one.no_forecast) == ("forecast", None)
        # The rate is constant, and 190 failures tell it: both laws are nearly the same.
        assert one.promise_s == pytest.approx(one.promise_constant_s, rel=0.03)
    # It has also learnt that in the last window failures became twenty times as frequent.
    risen = watched(
        drawn(np.random.default_rng(4), factor=20.0), cost=120.0, recovery_cost=60.0
    ).classes[-1]
    assert risen.promise_s == pytest.approx(risen.promise_constant_s, rel=0.03)
    alone = watched(replace(logs, failed_at=None), cost=120.0, recovery_cost=60.0)
    for one in alone.classes:
        assert one.promise_s == one.promise_constant_s
        assert (one.law, one.no_forecast) == ("constant", "it needs a log of failures")


def test_the_change_is_that_of_the_counts_of_both_windows():
    logs = drawn(np.random.default_rng(2), factor=3.0, mtbf=100.0 * DAY)
    found = watched(logs, cost=120.0, recovery_cost=0.0)
    now = int((logs.failed_at > logs.now - logs.since).sum())
    before = logs.failed_at.size - now
    time = 30.0 * DAY * NODES
    assert found.change == rate_change(before, time, now, time)
    assert found.changed
    assert (found.failures, found.failures_before) == (now, before)


def test_without_a_log_of_failures_the_jobs_that_nodes_ended_count():
    rng = np.random.default_rng(3)
    logs = drawn(rng, mtbf=30.0 * DAY)
    alone = SiteLogs(
        **{name: getattr(logs, name) for name in logs.__slots__}
        | {"failed_at": None, "failed_node": ()}
    )
    found = watched(alone, cost=120.0, recovery_cost=0.0)
    assert found.suspects is None
    window = (alone.end > alone.now - alone.since) & (alone.end <= alone.now)
    assert found.failures == int((alone.struck & window).sum())
    assert found.failures == sum(one.failures for one in found.classes)
    assert found.node_mtbf_low_s < 30.0 * DAY < found.node_mtbf_high_s


@pytest.mark.slow
def test_without_a_change_an_answer_is_wrong_as_often_as_it_says():
    # Of 300 answers at most 5 % name a change; chance names so many more once in 10,000 tests.
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(300):
        found = watched(drawn(rng, mtbf=60.0 * DAY, jobs=150), cost=120.0, recovery_cost=0.0)
        wrong += found.changed or any(one.changed for one in found.classes)
    assert wrong <= stats.binom.isf(1e-4, 300, LEVEL)


@pytest.mark.slow
def test_a_threefold_rate_is_found_in_most_logs():
    rng = np.random.default_rng(5)
    seen = sum(
        watched(drawn(rng, factor=3.0, mtbf=100.0 * DAY), cost=120.0, recovery_cost=0.0).changed
        for _ in range(40)
    )
    assert seen >= 36  # 38 failures, then 115


def test_a_lemon_is_named_with_its_evidence():
    found = watched(drawn(np.random.default_rng(6), lemon=60.0), cost=120.0, recovery_cost=0.0)
    assert [one.node for one in found.suspects] == ["n5"]
    assert found.suspects[0].failures > 10.0 * found.suspects[0].expected
    assert found.suspects[0].probability < 0.05


def test_the_command_reads_both_logs(tmp_path):
    logs = drawn(np.random.default_rng(7), lemon=60.0)
    jobs, failures = written(logs, tmp_path)
    fixed = ("--sacct", jobs, "--failures", failures, "--cost", "2min", "--nodes", str(NODES))
    now = ("--now", str(logs.now), "--since", "30d")
    found = json.loads(run(*fixed, *now, "--json"))
    known = watched(logs, cost=120.0, recovery_cost=0.0)
    assert found["failures"] == known.failures
    assert found["suspects"][0]["node"] == "n5"
    ours = {one["least"]: one["interval_s"] for one in found["classes"]}
    assert ours == pytest.approx({one.least: one.interval_s for one in known.classes}, rel=1e-6)
    text = run(*fixed, *now)
    assert "n5" in text
    assert "promise" in text


def test_it_says_what_the_window_lacks(tmp_path):
    jobs, failures = written(drawn(np.random.default_rng(8)), tmp_path)
    text = run("--sacct", jobs, "--failures", failures, "--cost", "2min", "--since", "40d")
    words = " ".join(text.split())
    assert "jobs.txt begins too late to cover the window before" in words
    assert "change not known: the logs do not cover" in words
    assert "No line is called changed" in words
    assert "nodes ran jobs at once: --nodes says how many there are" in words
    assert "the window ends with the last record" in words


def test_after_no_failure_the_mtbf_has_a_lower_limit_alone(tmp_path):
    jobs, _ = written(drawn(np.random.default_rng(5), mtbf=1e9 * DAY), tmp_path)
    words = run("--sacct", jobs, "--cost", "2min", "--nodes", str(NODES))
    mtbf = next(line for line in words.splitlines() if line.startswith("MTBF"))
    assert mtbf.endswith(" or more)")
    assert "inf" not in mtbf


def test_what_comes_after_now_is_not_known(tmp_path):
    logs = drawn(np.random.default_rng(10), factor=20.0, mtbf=60.0 * DAY)
    jobs, failures = written(logs, tmp_path)
    now = round(START + 30.0 * DAY)
    asked = ("--cost", "2min", "--now", str(now), "--since", "15d", "--json")
    found = json.loads(run("--sacct", jobs, "--failures", failures, *asked))
    early = tmp_path / "early"
    early.mkdir()
    kept, seen = logs.start < now - 0.5, logs.failed_at < now + 0.5
    ends = np.where(logs.end < now + 0.5, logs.end, now + 5.0 * DAY)  # one that runs may end late
    cut = replace(
        logs,
        start=logs.start[kept],
        end=ends[kept],
        nodes=logs.nodes[kept],
        struck=(logs.struck & (logs.end < now + 0.5))[kept],
        failed_at=logs.failed_at[seen],
        failed_node=tuple(np.array(logs.failed_node)[seen]),
    )
    jobs, failures = written(cut, early)
    then = json.loads(run("--sacct", jobs, "--failures", failures, *asked))
    assert [note for note in found["notes"] if "started after --now left out" in note]
    for answer in (found, then):
        del answer["notes"]
    assert found == then


def test_a_log_that_begins_late_makes_no_change(tmp_path):
    logs = drawn(np.random.default_rng(11), mtbf=20.0 * DAY)
    begin = START + 27.0 * DAY
    kept = logs.failed_at > begin
    late = replace(
        logs,
        failed_at=logs.failed_at[kept],
        failed_node=tuple(np.array(logs.failed_node)[kept]),
    )
    jobs, failures = written(late, tmp_path)
    asked = ("--cost", "2min", "--now", str(logs.now), "--since", "30d", "--json")
    found = json.loads(run("--sacct", jobs, "--failures", failures, *asked))
    assert not found["covered"]
    assert found["change"]["p_value"] < 1e-6
    assert not found["changed"]
    assert not any(one["changed"] for one in found["classes"])
    assert {one["interval_before_s"] for one in found["classes"]} == {None}
    assert min(one["interval_s"] for one in found["classes"]) > 0.0


def test_a_log_of_failures_that_ends_before_the_window_is_doubted(tmp_path):
    logs = drawn(np.random.default_rng(12), mtbf=20.0 * DAY)
    kept = logs.failed_at < logs.now - 32.0 * DAY
    early = replace(
        logs,
        failed_at=logs.failed_at[kept],
        failed_node=tuple(np.array(logs.failed_node)[kept]),
    )
    jobs, failures = written(early, tmp_path)
    asked = ("--sacct", jobs, "--failures", failures, "--cost", "2min", "--now", str(logs.now))
    doubt = "failures.csv ends 2."
    assert doubt in " ".join(run(*asked, "--since", "30d").split())
    assert doubt not in " ".join(run(*asked, "--since", "50d").split())


def test_few_records_that_begin_late_by_chance_are_a_log(tmp_path):
    logs = drawn(np.random.default_rng(12), mtbf=2000.0 * DAY)
    jobs, failures = written(logs, tmp_path)
    asked = ("--cost", "2min", "--now", str(logs.now), "--since", "30d", "--json")
    assert json.loads(run("--sacct", jobs, "--failures", failures, *asked))["covered"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sacct", "JOBS"], "--cost must be given, got none"),
        (["--sacct", "JOBS", "--cost", "1min", "--mtbf", "3d"], "--mtbf must be left out with"),
        (["--sacct", "JOBS", "--cost", "1min", "--failures", "3"], "--failures must be a log with"),
        (["--sacct", "LOG", "--cost", "1min"], "failures.csv, line 1: the header must name"),
        (
            ["--sacct", "JOBS", "--cost", "1min", "--failures", "JOBS"],
            "jobs.txt must be a failure log, got jobs of sacct",
        ),
        (["--sacct", "JOBS", "--cost", "1min", "--nodes", "3"], "--nodes must be >= the 64 nodes"),
        (["--sacct", "JOBS", "--cost", "1min", "--now", "9"], "--now must be later than the first"),
        (
            ["--sacct", "JOBS", "--cost", "1min", "--failures", "LOG", "--now", f"{START:.0f}"],
            "--now must be later than the first job of jobs.txt",
        ),
        (["--since", "3d"], "--since must come with --sacct, got it alone"),
        (
            ["--state", "STATE", "--cost", "1min", "--failures", "LOG", "--observed", "3d"],
            "--failures must be a number without --sacct, got failures.csv",
        ),
    ],
)
def test_bad_input_is_one_line(tmp_path, arguments, message):
    jobs, failures = written(drawn(np.random.default_rng(9)), tmp_path)
    places = {"JOBS": jobs, "LOG": failures, "STATE": str(tmp_path / "state.json")}
    error = run(*(places.get(word, word) for word in arguments), code=2)
    assert message in error
    assert error.count("\n") == 1


def test_times_without_dates_do_not_go_with_dates(tmp_path):
    jobs, failures = written(drawn(np.random.default_rng(9)), tmp_path)
    (tmp_path / "failures.csv").write_text("down,node\n100,n1\n900,n2\n")
    error = run("--sacct", jobs, "--failures", failures, "--cost", "1min", code=2)
    assert "failures.csv must have its times on the clock of jobs.txt" in error
