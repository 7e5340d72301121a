import json

import numpy as np
import pytest

import perfmodel.answers.questions.simulate as command
from perfmodel.cli import main
from tests.support.runner import runner

SIMPLE = ["--mtbf", "10s", "--checkpoint-cost", "0.3s", "--recovery-cost", "0.4s"]
VECTOR = [*SIMPLE, "--downtime", "0.5s", "--work", "100s", "--interval", f"{100 / 30!r}s"]


def run(*arguments, code=0):
    done = runner().invoke(main, ["simulate", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))


def test_the_test_vector_is_predicted_and_simulated():
    # lambda = 0.1, W = 100, K = 30, C = 0.3, D = 0.5, R = 0.4: E = 143.63842, V = 145.92423.
    found = read(*VECTOR, "--replications", "40000", "--seed", "7")
    mean, std = found["comparisons"]
    assert mean["predicted_s"] == pytest.approx(143.63842, abs=1e-5)
    assert std["predicted_s"] == pytest.approx(145.92423**0.5, abs=1e-5)
    for row in (mean, std):
        assert abs(row["z"]) < 4.0
        assert row["simulated_low_s"] < row["simulated_s"] < row["simulated_high_s"]
    assert mean["resolution"] < 0.01
    assert found["verdict"] == "agrees"


@pytest.mark.parametrize("seed", [0, 1])
def test_five_failures_in_all_are_too_few_to_tell(seed):
    rare = ["--mtbf", "364d", "--checkpoint-cost", "1min", "--work", "1d", "--interval", "1d"]
    found = read(*rare, "--replications", "2000", "--seed", str(seed))
    for row in found["comparisons"]:
        assert row["verdict"] == "too few replications to tell"


def test_rounding_is_no_deviation():
    found = read(
        *("--mtbf", "1000y", "--checkpoint-cost", "1us", "--work", "1s", "--replications", "4000")
    )
    assert found["verdict"] == "too few replications to tell"


def test_the_limits_are_those_of_the_sample(monkeypatch):
    def played(*_, replications, **__):
        return np.array([139.0, 145.0, 151.0] * (replications // 3))

    monkeypatch.setattr(command, "simulate_makespans", played)
    done = runner().invoke(main, ["simulate", *VECTOR, "--replications", "3000", "--json"])
    mean, std = json.loads(done.stdout)["comparisons"]
    assert mean["simulated_s"] == 145.0
    assert mean["simulated_high_s"] - 145.0 == pytest.approx(
        1.96 * (24.0 / 3000.0) ** 0.5, rel=1e-3
    )
    assert std["simulated_s"] == pytest.approx(24.0**0.5)
    assert (mean["verdict"], std["verdict"]) == ("differs", "differs")
    assert done.exit_code == 1


def test_equal_seeds_give_equal_bytes_and_other_seeds_others():
    first = run(*VECTOR, "--replications", "300", "--seed", "1", "--json")
    assert run(*VECTOR, "--replications", "300", "--seed", "1", "--json") == first
    assert run(*VECTOR, "--replications", "300", "--seed", "2", "--json") != first


def test_too_few_replications_are_not_called_agreement():
    found = read(*VECTOR, "--replications", "10")
    assert found["verdict"] == "too few replications to tell"
    assert "cannot be judged" in run(*VECTOR, "--replications", "10")
    assert read(*VECTOR, "--replications", "1")["verdict"] == "too few replications to tell"


def test_the_interval_defaults_to_the_recommended_one():
    best = json.loads(
        runner().invoke(main, ["interval", *SIMPLE, "--work", "100s", "--json"]).stdout
    )["recommended_interval_s"]
    assert read(*SIMPLE, "--work", "100s", "--replications", "100")["interval_s"] == best


def test_the_table_fits_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run(*VECTOR, "--replications", "2000")
    assert max(map(len, text.splitlines())) <= 80
    for word in ("predicted", "simulated", "mean", "standard deviation", "resolution"):
        assert word in text


def test_no_progress_bar_where_nobody_looks():
    done = runner().invoke(main, ["simulate", *VECTOR, "--replications", "100"])
    assert done.stderr == ""


def test_a_log_is_also_played_with_its_own_gaps(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time\n" + "\n".join(str(10.0 * k**1.1) for k in range(1, 60)) + "\n")
    arguments = ["--log", str(path), "--format", "csv", "--checkpoint-cost", "1s", "--work", "200s"]
    found = read(*arguments, "--replications", "2000")
    assert found["gaps_of_the_log"]["mean_s"] > 200.0
    assert "gaps of the log" in run(*arguments, "--replications", "2000")


@pytest.mark.slow
def test_gaps_keep_the_order_in_which_they_came(tmp_path):
    # Good days and bad ones: 40 gaps of 1,000 s, then 40 of 12 s, and so on.
    gaps = np.tile(np.repeat([1000.0, 12.0], 40), 3)
    path = tmp_path / "log.csv"
    times = np.concatenate([[0.0], np.cumsum(gaps)])
    path.write_text("time\n" + "\n".join(map(repr, times.tolist())) + "\n")
    arguments = ["--log", str(path), "--format", "csv", "--checkpoint-cost", "1s"]
    job = [*arguments, "--work", "100s", "--interval", "10s"]
    found = read(*job, "--replications", "200")["gaps_of_the_log"]
    # Good days are 98.8 % of the time, and almost always let a job of 110 s through.
    assert found["mean_s"] == pytest.approx(110.0, rel=0.04)
    done = runner().invoke(main, ["completion", *job, "--deadline", "111s", "--json"])
    played = json.loads(done.stdout)["gaps_of_the_log"]
    assert (played["mean_s"], played["std_s"]) == (found["mean_s"], found["std_s"])
    assert played["percentiles_s"]["50"] == 110.0
    assert 0.85 < played["probability_by_deadline"] < 0.99
    text = runner().invoke(main, ["completion", *job, "--deadline", "111s"]).stdout
    assert "recorded gaps" in text
    assert "were done in time" in " ".join(text.split())


def test_a_start_between_two_failures_meets_the_rest_of_the_gap(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time\n" + "\n".join(str(100.0 * k) for k in range(11)) + "\n")
    arguments = ["--log", str(path), "--format", "csv", "--checkpoint-cost", "1s"]
    job = [*arguments, "--work", "50s", "--interval", "50s", "--replications", "10"]
    # Of every 100 s the first 49 let the 51 s through at once; the others lose x < 51 s first.
    lost = np.arange(0.05, 51.0, 0.1)
    mean = (51.0 * 1000 + lost.sum()) / 1000
    assert read(*job)["gaps_of_the_log"]["mean_s"] == pytest.approx(mean, abs=0.1)


def test_a_log_whose_gaps_are_all_too_short_is_not_played_for_ever(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time\n" + "\n".join(str(k * 10.0) for k in range(20)) + "\n")
    arguments = ["--log", str(path), "--format", "csv", "--checkpoint-cost", "1s"]
    longer = ["--interval", "12s", "--work", "60s", "--replications", "100"]
    assert read(*arguments, *longer)["gaps_of_the_log"] is None


def test_the_interval_is_a_whole_number_of_steps():
    words = ["simulate", "--mtbf", "8h", "--checkpoint-cost", "6min", "--step-time", "50min"]
    done = runner().invoke(main, [*words, "--replications", "200", "--json"])
    assert json.loads(done.stdout)["interval_s"] == 6000.0
