import json

import pytest
from click.testing import CliRunner

from perfmodel import (
    degraded_goodput,
    expected_makespan_standbys,
    mean_stop,
    mtbf_posterior,
    spares_goodput,
    two_stage_goodput,
)
from perfmodel.cli import main

JOB = [
    *("--blocks", "2048", "--block-mtbf", "17000h", "--mttr", "24h", "--checkpoint-cost", "60s"),
    *("--recovery-cost", "5min", "--switch-time", "5min", "--standby-hazard", "1"),
]
POOL = {"block_mtbf": 17000.0, "mttr": 24.0, "switch_time": 1 / 12, "standby_hazard": 1.0}


def run(*arguments):
    done = CliRunner().invoke(main, ["spares", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_goodput_is_that_of_the_formula():
    found = json.loads(run(*JOB, "--standbys", "5", "--json"))
    costs = {"checkpoint_cost": 1 / 60, "recovery_cost": 1 / 12}
    assert found["goodput"] == pytest.approx(spares_goodput(2048, 5, **POOL, **costs))
    assert found["mean_stop_s"] == pytest.approx(3600.0 * mean_stop(2048, 5, **POOL))
    assert found["job_mtbf_s"] == pytest.approx(17000 * 3600.0 / 2048)
    assert found["interval_s"] / 60.0 == pytest.approx(30.90, abs=0.005)
    assert found["most_goodput"] == pytest.approx(0.9194, abs=5e-5)


def test_how_many_it_takes():
    found = json.loads(run(*JOB, "--goodput", "0.6,70%,0.95", "--json"))
    assert {name: each["standbys"] for name, each in found["needed"].items()} == {
        "0.6": 2,
        "70%": 3,
        "0.95": None,
    }
    assert found["needed"]["0.6"]["goodput"] >= 0.6
    assert "standbys" not in found


def test_the_text_says_the_same():
    text = run(*JOB, "--standbys", "5", "--goodput", "0.6,0.95")
    for words in ("8.301 h", "2.891 blocks", "30.9 min", "91.94 %", "87.87 %", "none suffice"):
        assert words in text


def test_few_crews_have_no_most():
    found = json.loads(run(*JOB, "--crews", "2", "--goodput", "0.5", "--json"))
    assert found["most_goodput"] is None
    assert found["needed"]["0.5"]["standbys"] == 2
    assert "crews do not keep up" in run(*JOB, "--crews", "2", "--goodput", "0.5")


def test_the_interval_can_be_ones_own():
    best = json.loads(run(*JOB, "--standbys", "5", "--json"))
    other = json.loads(run(*JOB, "--standbys", "5", "--interval", "2h", "--json"))
    assert other["interval_s"] == 7200.0
    assert other["goodput"] < best["goodput"]
    assert other["mean_stop_s"] == best["mean_stop_s"]


def test_going_on_with_fewer_blocks():
    found = json.loads(
        run(*JOB, "--standbys", "2", "--may-miss", "2", "--resize-time", "10min", "--json")
    )
    costs = {"checkpoint_cost": 1 / 60, "recovery_cost": 1 / 12}
    known = degraded_goodput(2048, 2, may_miss=2, resize_time=1 / 6, **POOL, **costs)
    assert found["goodput"] == pytest.approx(float(known))
    assert found["waiting_goodput"] == pytest.approx(
        float(spares_goodput(2048, 2, **POOL, **costs))
    )
    assert found["may_miss"] == 2
    assert not {"mean_stop_s", "needed"} & found.keys()
    text = run(*JOB, "--standbys", "2", "--may-miss", "2")
    assert "if it waits" in text
    assert "goodput wanted" not in text


def test_repairs_of_two_stages():
    stages = ["--automatic-time", "2h", "--manual-time", "48h", "--escalated", "0.32"]
    one = JOB[: JOB.index("--mttr")] + JOB[JOB.index("--mttr") + 2 :]
    found = json.loads(run(*one, "--standbys", "4", *stages, "--automatic-false", "0.1", "--json"))
    known = two_stage_goodput(
        2048,
        4,
        block_mtbf=17000.0,
        automatic_time=2.0,
        manual_time=48.0,
        escalated=0.32,
        automatic_false=0.1,
        switch_time=1 / 12,
        standby_hazard=1.0,
        checkpoint_cost=1 / 60,
        recovery_cost=1 / 12,
    )
    assert found["goodput"] == pytest.approx(float(known))
    assert not {"mean_stop_s", "needed", "most_goodput"} & found.keys()
    assert found["mean_blocks_down"] == pytest.approx(2048 * (2 + 0.32 * 48) / 17000)
    assert "goodput" in run(*one, "--standbys", "4", *stages)


def test_the_mean_time_of_one_job():
    asked = ["--standbys", "5", "--work", "30d", "--under-repair", "2"]
    found = json.loads(run(*JOB, *asked, "--json"))
    known = expected_makespan_standbys(
        720.0,
        blocks=2048,
        standbys=5,
        under_repair=2,
        interval=found["interval_s"] / 3600.0,
        checkpoint_cost=1 / 60,
        recovery_cost=1 / 12,
        **POOL,
    )
    assert found["mean_makespan_s"] == pytest.approx(3600.0 * float(known))
    assert "30 d of work" in run(*JOB, *asked)
    weak = ["--standbys", "0", "--stopped-hazard", "1", "--work", "30d"]
    long = [*JOB, "--mttr", "1000y", *weak]
    assert json.loads(run(*long, "--json"))["mean_makespan_s"] is None
    assert "longer than can be computed" in run(*long)


def test_the_limits_of_the_mtbf_are_carried_to_the_goodput():
    one = [*JOB[:2], *JOB[4:]]
    seen = [*one, "--failures", "12", "--observed", "4d", "--standbys", "5", "--goodput", "0.7"]
    found = json.loads(run(*seen, "--json"))
    low, high = found["at_mtbf_low"], found["at_mtbf_high"]
    limits = mtbf_posterior(12, 96.0).ppf([0.025, 0.975])
    for each, limit in zip((low, high), limits, strict=True):
        assert each["job_mtbf_s"] == pytest.approx(3600.0 * float(limit))
        assert each["interval_s"] == found["interval_s"]
        known = json.loads(
            run(
                *(*one, "--block-mtbf", f"{2048 * float(limit):.12g}h", "--standbys", "5"),
                *("--interval", f"{found['interval_s']:.12g}s", "--goodput", "0.7", "--json"),
            )
        )
        assert each["goodput"] == pytest.approx(known["goodput"], rel=1e-9)
        assert each["needed"]["0.7"]["standbys"] == known["needed"]["0.7"]["standbys"]
    assert low["goodput"] < found["goodput"] < high["goodput"]
    text = run(*seen)
    assert "within the limits of the MTBF" in text
    assert "12 failures in 4 d); 95% confidence" in text


FEW = ["--blocks", "16", "--block-mtbf", "200h", "--checkpoint-cost", "6min"]
TWO_STAGES = ["--automatic-time", "2h,4h", "--manual-time", "48h", "--escalated", "0.3"]


@pytest.mark.parametrize(
    "asked",
    [
        ["--mttr", "20h,40h"],
        ["--mttr", "20h", "--standbys", "2", "--may-miss", "1,2"],
        ["--mttr", "20h", "--standbys", "2", "--work", "1d,100d"],
        ["--standbys", "2", *TWO_STAGES],
    ],
)
def test_every_answer_fits_into_a_table(asked):
    many = json.loads(run(*FEW, *asked, "--json"))
    assert len(many) == 2
    for answer in many:
        given = answer.pop("given")
        chosen = [word for name, value in given.items() for word in (f"--{name}", value)]
        chosen = [word.replace("_", "-") if word[0] == "-" else word for word in chosen]
        assert answer == json.loads(run(*FEW, *asked, *chosen, "--json"))
    first, second = (line.split()[1:] for line in run(*FEW, *asked).splitlines()[-4:-2])
    assert first != second
    single = [word.partition(",")[0] for word in asked]
    lost = json.loads(run(*FEW, *single, "--per-year", "--json"))[0]["lost_per_year_s"]
    assert (lost is None) == ("--standbys" not in asked)
    assert "now" in run(*FEW, *single, "--per-year")


def test_the_table_has_the_time_of_each_job():
    asked = [*FEW, "--mttr", "20h", "--standbys", "2", "--under-repair", "0,2", "--work", "1d"]
    found = json.loads(run(*asked, "--json"))
    text = run(*asked)
    for answer in found:
        assert f"{answer['mean_makespan_s'] / 3600:.2f}" in text
    assert "mean time" in text


def test_a_goodput_that_no_standbys_reach_is_said_so():
    machine = ["--blocks", "5000", "--block-mtbf", "200h", "--mttr", "20h"]
    text = run(*machine, "--checkpoint-cost", "6min")
    assert "3.12 % of the time, with a standby for every failure" in text
    assert text.count("none suffice") == 3


def test_more_standbys_than_can_be_computed():
    machine = ["--blocks", "100000", "--block-mtbf", "100000h", "--mttr", "1000h"]
    asked = [*machine, "--checkpoint-cost", "1s", "--goodput", "0.9,0.99"]
    found = json.loads(run(*asked, "--json"))["needed"]
    assert found["0.9"] == {"standbys": None, "goodput": None, "more_than": 500}
    assert found["0.99"] == {"standbys": None, "goodput": None}
    assert "more than 500" in run(*asked)


STAGES = ["--automatic-time", "2h", "--manual-time", "48h", "--escalated", "0.32"]


@pytest.mark.slow
def test_a_figure_ends_with_the_most_standbys_that_can_be_computed(tmp_path):
    figure = tmp_path / "goodput.svg"
    few = ["--blocks", "2", *FEW[2:], "--standbys", "12", *STAGES, "--plot", str(figure)]
    run(*few)
    assert figure.exists()
