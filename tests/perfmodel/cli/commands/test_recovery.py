import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner

from perfmodel.cli import main
from sim.traces import INTREPID_HEADER, intrepid_like, write_swf

KEYS = {"case", "failure_slowdown", "mean_response_s", "failure_slowdown_by_option"}
ALL = "ff,mr,even,normal,all-b,all-c,all-d,all-e"
CREDITS = ("--credits", "A=0,B=1,C=2,D=3,E=4")
# One job of 100 s on all four processors, then one of 50 s.
JOBS = """; MaxProcs: 4
1 0 -1 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1
2 1 -1 50 4 -1 -1 4 50 -1 1 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


@pytest.fixture
def strike(tmp_path):
    """Processor 0 fails at 40 and is out for 10 s."""
    path = tmp_path / "failures.csv"
    path.write_text("time,node,repair\n40,0,10\n")
    return str(path)


@pytest.fixture(scope="module")
def intrepid(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "intrepid-like.swf"
    frame = intrepid_like(np.random.default_rng(3)).iloc[:250]
    write_swf(frame, path, header=INTREPID_HEADER)
    return str(path)


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["recovery", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))["results"]


def test_each_case_worked_by_hand(log, strike):
    options = (log, "--failures", strike, "--policy", "fcfs")
    found = {
        row["case"]: row
        for row in read(
            *options, "--checkpoint-interval", "30s", "--checkpoint-cost", "0s", "--case", ALL
        )
    }
    assert list(found) == ALL.split(",")
    assert all(row.keys() >= KEYS for row in found.values())
    # Saved are 30 s, so 70 s are left; free at 50. By hand: again at 200.
    slowdown = {
        "ff": None,  # nobody failed: of nothing there is no mean
        "mr": (200 + 70 - 100) / 100,
        "all-b": (50 + 50 + 70 - 100) / 100,
        "all-c": (50 + 70 - 100) / 100,
        "all-d": (50 + 70 - 100) / 100,
        "all-e": (50 + 70 - 100) / 100,
    }
    assert {name: found[name]["failure_slowdown"] for name in slowdown} == pytest.approx(slowdown)
    assert found["ff"]["mean_response_s"] == pytest.approx((100 + 149) / 2)
    assert found["mr"]["mean_response_s"] == pytest.approx((270 + 99) / 2)
    assert found["all-b"]["failure_slowdown_by_option"] == pytest.approx({"B": 0.7})


def test_checkpoints_are_no_delay(log):
    options = ("--mtbf", "1000y", "--checkpoint-interval", "30s", "--checkpoint-cost", "5s")
    for row in read(log, *options):
        assert row["failure_slowdown"] is None
        assert set(row["failure_slowdown_by_option"].values()) == {None}
        assert row["mean_response_s"] == pytest.approx((115 + 114 + 55) / 2)


@pytest.mark.slow
def test_cases_meet_the_same_failures_whoever_is_compared(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8", "--mtbf", "1h", "--seed", "5")
    together = read(*options, "--case", "mr,even,all-e")
    alone = read(*options, "--case", "even")
    assert together[1]["failed_jobs"] > 0
    assert together[1] == alone[0]
    assert sorted(together[1]["failure_slowdown_by_option"]) == list("ABCDE")


def test_lower_bands_may_backfill(tmp_path):
    # Job 1 fails at 40 on a node that stays out until 140; job 2 would fit beside it.
    log, failures = tmp_path / "jobs.swf", tmp_path / "failures.csv"
    log.write_text(JOBS.replace("2 1 -1 50 4 -1 -1 4", "2 41 -1 50 2 -1 -1 2"))
    failures.write_text("time,node,repair\n40,3,100\n")
    options = (str(log), "--failures", str(failures), "--case", "all-e")
    waiting, backfilled = read(*options)[0], read(*options, "--lower-bands", "backfill")[0]
    assert waiting["mean_response_s"] == pytest.approx((240 + 249) / 2)
    assert backfilled["mean_response_s"] == pytest.approx((240 + 50) / 2)


def test_the_table_has_a_row_per_case(intrepid):
    text = run(intrepid, "--machine", "bluegene:5x8", "--case", "ff,even")
    assert "failures drawn until" in text
    rows = [line.split()[0] for line in text.splitlines() if line.startswith(("ff ", "even "))]
    assert rows == ["ff", "even"]


def test_where_nobody_failed_the_table_has_dashes(log):
    text = run(log, "--mtbf", "1000y", "--case", "ff,even")
    (even,) = [line.split() for line in text.splitlines() if line.startswith("even")]
    assert even[1] == "-"
    assert "0.00" not in even[5:]
    assert even[-1] == "-"


def test_recovery_may_be_fault_aware(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8", "--mtbf", "1h", "--seed", "5")
    ordinary, aware, released = (
        {**read(*options, "--case", "mr", *more)[0], "engine_s": 0}
        for more in ((), ("--fault-aware",), ("--allocation", "released"))
    )
    assert ordinary != aware == released


def test_the_attempts_of_every_case_are_written(log, strike, tmp_path):
    path = tmp_path / "attempts.csv"
    read(log, "--failures", strike, "--case", "ff,all-b", "--out", str(path))
    with path.open() as stream:
        rows = [*csv.DictReader(stream)]
    shown = [(row["case"], row["job"], row["attempt"], row["place"]) for row in rows]
    assert shown == [
        ("ff", "1", "1", "0-3"),
        ("ff", "2", "1", "0-3"),
        ("all-b", "1", "1", "0-3"),
        ("all-b", "1", "2", "0-3"),
        ("all-b", "2", "1", "0-3"),
    ]
    assert [row["option"] for row in rows[2:]] == ["B", "B", "B"]


def test_who_cannot_afford_an_option_gets_a_cheaper_one(log, strike, tmp_path):
    # An E costs 2 above the allowance, the median: of 200 s on 4 nodes 0.44 credits are held back.
    path = tmp_path / "accounts.csv"
    options = (log, "--failures", strike, "--case", "ff,all-e", *CREDITS, "--accounts", str(path))
    poor, rich = (read(*options, *more)[1] for more in ((), ("--overdraft-limit", "1")))
    assert list(poor["failure_slowdown_by_option"]) == ["C"]
    assert list(rich["failure_slowdown_by_option"]) == ["E"]
    assert (poor["users"], poor["downgraded_jobs"], poor["credits_charged"]) == (1, 2, 0.0)
    # Charged are 2 credits for each node hour of 100 s and 50 s on four nodes.
    assert (rich["downgraded_jobs"], rich["credits_charged"]) == (0, pytest.approx(1 / 3))
    with path.open() as stream:
        free, paid = csv.DictReader(stream)
    assert (free["case"], free["user"], paid["case"]) == ("ff", "1", "all-e")
    assert float(paid["balance"]) == pytest.approx(-1 / 3)


def test_what_users_save_has_a_limit(log, strike):
    options = (log, "--failures", strike, "--case", "mr", *CREDITS)
    free, limited = (read(*options, *more)[0] for more in ((), ("--deposit-limit", "0.1")))
    assert (free["credits_charged"], free["credits_forfeited"]) == (pytest.approx(-1 / 3), 0.0)
    assert limited["credits_forfeited"] == pytest.approx(1 / 3 - 0.1)


def test_without_credits_nobody_has_an_account(log, strike):
    options = (log, "--failures", strike, "--case", "all-e")
    assert "users" not in read(*options)[0]
    assert "accounts" not in run(*options)
    text = run(*options, *CREDITS)
    assert "accounts  1" in text
    assert text.splitlines()[-1].startswith("Lower option: jobs that ended")


def test_credits_may_be_studied_over_seeds(intrepid):
    options = ("--machine", "bluegene:5x8", "--mtbf", "1h", "--case", "even", *CREDITS)
    text = run(intrepid, *options, "--seeds", "1:2", "--metric", "downgraded_jobs", "--until", "9%")
    assert "even" in text
    every = json.loads(run(intrepid, *options, "--seeds", "1:2", "--json"))
    assert every["options"]["credits"][4] == ["E", 4.0]
