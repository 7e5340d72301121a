import json
import math

import pytest
from click.testing import CliRunner

from perfmodel import best_segments, exact_makespan, predictive_makespan, slowest_of
from perfmodel.cli import main
from perfmodel.lifetimes import Empirical, Exponential, LogNormal

HOUR, DAY = 3600.0, 86400.0
SIMPLE = ["--mtbf", "8h", "--checkpoint-cost", "6min", "--downtime", "10min"]
BARE = SIMPLE[:4]
COSTS = {"mtbf": 8 * HOUR, "checkpoint_cost": 360.0, "downtime": 600.0}


def run(*arguments):
    done = CliRunner().invoke(main, ["completion", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def read(*arguments):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(run(*arguments, "--json"), parse_constant=refuse)


def test_the_keys_promised_to_scripts_hold_the_numbers_of_the_library():
    found = read(*SIMPLE, "--deadline", "9d", "--percentiles", "50,90,99", "--interval", "1h")
    law = exact_makespan(7 * DAY, interval=HOUR, **COSTS)
    assert found["mean_s"] == law.mean
    assert found["std_s"] == law.std
    assert list(found["percentiles_s"]) == ["50", "90", "99"]
    assert list(found["percentiles_s"].values()) == law.ppf([0.5, 0.9, 0.99]).tolist()
    assert found["probability_by_deadline"] == float(law.cdf(9 * DAY))
    assert found["atom"] == list(law.atom)
    assert found["interval_s"] == HOUR


def test_the_interval_is_the_recommended_one_if_none_is_given():
    done = CliRunner().invoke(main, ["interval", *SIMPLE, "--json"])
    recommended = json.loads(done.stdout)["recommended_interval_s"]
    assert read(*SIMPLE)["interval_s"] == recommended
    segments = float(best_segments(7 * DAY, mtbf=8 * HOUR, checkpoint_cost=360.0))
    assert recommended == 7 * DAY / segments


def test_tasks_ask_for_the_slowest():
    found = read(*SIMPLE, "--tasks", "128", "--deadline", "9d", "--interval", "1h")
    law = slowest_of(exact_makespan(7 * DAY, interval=HOUR, **COSTS), 128)
    assert found["mean_s"] == law.mean
    assert found["probability_by_deadline"] == float(law.cdf(9 * DAY))
    assert found["mean_s"] > read(*SIMPLE, "--interval", "1h")["mean_s"]


def test_a_deadline_at_a_percentile_is_met_with_that_probability():
    percentile = read(*SIMPLE, "--percentiles", "75")["percentiles_s"]["75"]
    found = read(*SIMPLE, "--deadline", f"{percentile!r}s")
    assert found["probability_by_deadline"] == pytest.approx(0.75, abs=1e-8)
    assert read(*SIMPLE)["probability_by_deadline"] is None


def test_a_short_job_is_done_without_any_failure_with_the_probability_of_none():
    found = read("--mtbf", "8h", "--checkpoint-cost", "6min", "--work", "1h", "--interval", "1h")
    start, probability = found["atom"]
    assert start == HOUR + 360.0
    assert probability == pytest.approx(math.exp(-1.1 / 8.0), rel=1e-12)
    assert found["percentiles_s"]["50"] == start


def test_certainty_is_not_claimed_where_there_is_none():
    text = run(*SIMPLE, "--deadline", "10d")
    assert "probability >99.99 %" in text
    assert "100.00 %" not in text


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ("lognormal:mean=2h,cv=4", LogNormal.from_mean(2 * HOUR, cv=4.0)),
        ("exponential:mean=30min", Exponential(0.5 * HOUR)),
    ],
)
def test_downtimes_may_have_a_law(text, repairs):
    found = read(*BARE, "--interval", "1h", "--deadline", "9d", "--downtime-law", text)
    law = exact_makespan(7 * DAY, interval=HOUR, **{**COSTS, "downtime": repairs})
    assert found["mean_s"] == law.mean
    assert found["std_s"] == law.std
    assert list(found["percentiles_s"].values()) == law.ppf([0.5, 0.9, 0.99]).tolist()
    assert found["probability_by_deadline"] == float(law.cdf(9 * DAY))
    assert found["downtime_s"] == repairs.mean
    assert found["downtime_std_s"] == repairs.std
    assert found["downtime_law"] == found["options"]["downtime_law"] == text
    assert f"{text}, cv" in run(*BARE, "--downtime-law", text)


@pytest.mark.slow
def test_the_law_of_downtimes_may_be_that_of_the_log(tmp_path):
    path = tmp_path / "failures.csv"
    repairs = [60.0, 600.0, 7200.0, 90.0, 300.0]
    rows = [f"{9 * HOUR * at},n,{repairs[at % 5]}" for at in range(200)]
    path.write_text("time,node,repair\n" + "\n".join(rows) + "\n")
    log = ["--log", str(path), "--format", "csv", "--checkpoint-cost", "6min", "--interval", "1h"]
    log += ["--rate", "constant"]
    found = read(*log, "--downtime-law", "log")
    kept = Empirical(repairs * 40)
    costs = {**COSTS, "mtbf": found["mtbf_s"], "downtime": kept}
    law = exact_makespan(7 * DAY, interval=HOUR, **costs)
    assert found["mean_s"] == pytest.approx(law.mean, rel=1e-9)
    assert found["std_s"] == pytest.approx(law.std, rel=1e-9)
    played = found["gaps_of_the_log"]
    fixed = read(*log, "--downtime", f"{kept.mean!r}s")["gaps_of_the_log"]
    assert played["mean_s"] == pytest.approx(fixed["mean_s"], rel=0.01)
    assert played["std_s"] > fixed["std_s"]


@pytest.mark.parametrize("width", [60, 80])
def test_the_table_names_every_percentile(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    text = run(*SIMPLE, "--percentiles", "5, 99.9", "--tasks", "3")
    assert "5 % of runs end within" in text
    assert "99.9 % of runs end within" in text
    assert "slowest task" in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("mtbf", ["1s", "1e300s"])
@pytest.mark.parametrize("cost", ["1ns", "1s"])
def test_extreme_inputs_give_strict_json(mtbf, cost):
    work = "1h" if mtbf == "1s" else "7d"
    found = read("--mtbf", mtbf, "--checkpoint-cost", cost, "--work", work, "--deadline", "1y")
    assert found["mean_s"] >= found["atom"][0] * (1.0 - 1e-12)


@pytest.mark.slow
def test_a_counted_mtbf_is_uncertain():
    job = ("--checkpoint-cost", "1min", "--work", "10h", "--deadline", "12h")
    counted = read("--failures", "4", "--observed", "40h", *job)
    law = predictive_makespan(
        36_000.0,
        failures=4,
        observed_time=144_000.0,
        interval=counted["interval_s"],
        checkpoint_cost=60.0,
    )
    found = counted["mtbf_uncertain"]
    assert found["mean_s"] == pytest.approx(law.mean, rel=1e-9)
    assert found["percentiles_s"]["90"] == pytest.approx(float(law.ppf(0.9)), rel=1e-6)
    assert found["probability_by_deadline"] == pytest.approx(float(law.cdf(43_200.0)), rel=1e-6)
    assert found["percentiles_s"]["99"] > counted["percentiles_s"]["99"]
    text = run("--failures", "4", "--observed", "40h", *job)
    assert "MTBF uncertain" in text
    stated = read("--mtbf", "10h", *job)
    assert stated["mtbf_uncertain"] is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("--tasks", "1000000"),
            "1,000,000 tasks without any failure: 26 h, with probability <0.01 %.",
        ),
        (("--deadline", "1000d"), "Done within 1000 d: with probability >99.99 %."),
        (("--deadline", "26h"), "Done within 26 h: with probability 3.88 %."),
        (("--deadline", "25h"), "It cannot end within 25 h, even without a failure."),
    ],
)
def test_what_can_happen_is_never_said_to_be_impossible_or_certain(given, said):
    assert said in " ".join(run(*BARE, "--work", "1d", *given).split())


def test_a_price_tells_what_the_job_costs_and_what_of_it_is_lost():
    mean = exact_makespan(7 * DAY, interval=HOUR, **COSTS).mean / HOUR
    words = " ".join(run(*SIMPLE, "--interval", "1h", "--price", "3").split())
    cost, lost = f"{3 * mean:,.0f}", f"{3 * (mean - 168):,.0f}"
    assert f"The job costs {cost} on average, {lost} of it for checkpoints and failures." in words


def test_a_job_that_never_ends_is_refused_in_words():
    asked = ["completion", "--mtbf", "1ns", "--checkpoint-cost", "6min"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 2
    assert "must end within 1e+09 failures, got endlessly many on average" in done.output


def test_a_table_of_deadlines_has_no_false_certainty():
    rows = run(*BARE, "--work", "1d", "--deadline", "12h,1000d").splitlines()
    assert [row.split()[4] for row in rows[2:4]] == ["0.00", ">99.99"]
