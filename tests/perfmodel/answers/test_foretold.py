"""Answers of a log by its forecast, beside those of a constant rate, and where there is none."""

from pathlib import Path

import numpy as np
import pytest

from asking.refusals import Refused
from asking.units import human_duration
from perfmodel.answers import (
    CompletionRequest,
    EnergyRequest,
    ForecastRequest,
    GoodputRequest,
    IntervalRequest,
    PlanRequest,
    SimulateRequest,
    SparesRequest,
    completion,
    energy,
    forecast,
    goodput,
    interval,
    plan,
    render,
    simulate,
    spares,
)
from perfmodel.forecasts import FailureHistory
from perfmodel.planning import plan as plan_of
from perfmodel.planning.offers import ranked, turns

DAY, HOUR = 86_400.0, 3_600.0
INPUTS = Path(__file__).parents[2] / "golden" / "inputs"
JOB = {"checkpoint_cost": 300.0, "work": 5.0 * DAY}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Return a log whose rate has risen fivefold in the last 60 of its 360 days."""
    rng = np.random.default_rng(11)
    gaps = np.concatenate([rng.exponential(60.0 * HOUR, 120), rng.exponential(12.0 * HOUR, 120)])
    times = np.cumsum(gaps)
    path = tmp_path_factory.mktemp("logs") / "risen.csv"
    rows = [f"n{at % 9},{time:.0f},1800" for at, time in enumerate(times)]
    path.write_text("\n".join(["node,time,repair", *rows]) + "\n")
    return path


def test_a_job_takes_longer_where_failures_have_become_more_frequent(log):
    found = completion(CompletionRequest(log=log, deadline=5.6 * DAY, **JOB)).to_dict()
    steady = completion(CompletionRequest(log=log, rate="constant", deadline=5.6 * DAY, **JOB))
    assert found["law"] == "forecast"
    assert found["percentiles_s"]["90"] > found["constant_rate"]["percentiles_s"]["90"]
    assert found["probability_by_deadline"] < found["constant_rate"]["probability_by_deadline"]
    past = found["past"]
    assert past["kept"] >= past["kept_constant"]
    assert "law" not in steady.to_dict()
    assert steady.foretold is None
    assert steady.uncertain is not None


def test_a_deadline_below_the_work_cannot_be_kept_and_one_far_beyond_is_not_certain(log):
    for ask, request in ((completion, CompletionRequest), (forecast, ForecastRequest)):
        for days, said in ((4, "It cannot end within 4 d, even without a failure."), (90, ">99.9")):
            words = render(ask(request(log=log, deadline=days * DAY, **JOB)), "text")
            assert said in " ".join(words.split())


def test_an_interval_follows_the_rate_to_come(log):
    found = interval(IntervalRequest(log=log, **JOB))
    told = found.to_dict()
    assert told["recommended_interval_s"] < told["constant_rate"]["recommended_interval_s"]
    assert told["useful_share"] > told["constant_rate"]["useful_share"]
    for law in (told, told["constant_rate"]):
        low, high = law["recommended_interval_low_s"], law["recommended_interval_high_s"]
        assert low < law["recommended_interval_s"] < high
    default = completion(CompletionRequest(log=log, **JOB))
    assert default.interval == pytest.approx(told["recommended_interval_s"], rel=1e-12)
    # Time, limits and segments are of the law that the interval is of, not of the one beside it.
    assert told["expected_makespan_s"] == default.to_dict()["mean_s"]
    assert told["best_segments"] * told["recommended_interval_s"] == pytest.approx(JOB["work"])
    for law in (told, told["constant_rate"]):
        low, high = (law[f"recommended_interval_{end}_s"] for end in ("low", "high"))
        assert low < law["recommended_interval_s"] < high
    steady = interval(IntervalRequest(log=log, rate="constant", **JOB)).to_dict()
    assert told["constant_rate"].items() - {("useful_share", found.foreseen.useful_constant)} <= (
        steady.items()
    )
    # Most regret is where failures are four times as frequent as those to come, not as so far.
    assert told["mtbf_mistakes"][0]["mtbf_s"] == pytest.approx(found.foreseen.mtbf.value / 4.0)
    drawn = found.plot().get_lines()[0].get_label()
    assert drawn == f"MTBF {human_duration(found.foreseen.mtbf.value)}"
    steps = interval(IntervalRequest(log=log, step_time=700.0, **JOB)).to_dict()
    assert steps["recommended_interval_s"] == steps["recommended_steps"] * 700.0


def test_a_goodput_is_a_mean_over_rates_and_its_losses_add_up(log):
    found = goodput(GoodputRequest(log=log, detection=300.0, warm_up=120.0, **JOB))
    assert found.goodput + sum(found.losses.values()) == pytest.approx(1.0, rel=1e-9)
    assert found.goodput < found.constant.goodput
    assert found.goodput_low < found.goodput < found.goodput_high
    assert found.changes[0].goodput == found.goodput
    # No interval nearby gets more done.
    for factor in (0.8, 1.25):
        other = goodput(
            GoodputRequest(
                log=log, detection=300.0, warm_up=120.0, interval=factor * found.interval_s, **JOB
            )
        )
        assert other.goodput < found.goodput


def test_the_best_interval_is_that_of_calm_times_where_checkpoints_outlast_uptimes(tmp_path):
    rng = np.random.default_rng(3)
    turns = [(450.0, 600), (9000.0, 80)] * 3
    gaps = np.concatenate([rng.exponential(mean, count) for mean, count in turns])
    log = tmp_path / "turns.csv"
    log.write_text("\n".join(["time", *(f"{time:.0f}" for time in np.cumsum(gaps))]) + "\n")
    dear = {"log": log, "checkpoint_cost": 8.0 * HOUR, "recovery_cost": HOUR}
    found = goodput(GoodputRequest(**dear))
    for factor in (0.3, 3.0):
        other = goodput(GoodputRequest(interval=factor * found.interval_s, **dear))
        assert other.goodput < found.goodput


def test_more_spares_are_needed_where_failures_have_become_more_frequent(log):
    asked = {"nodes": 9, "log": log, "mttr": 2.0 * DAY}
    found = spares(SparesRequest(**asked))
    told = found.to_dict()
    assert told["spares"]["0.99"] > told["constant_rate"]["0.99"]
    assert told["past"]["months"] > 6
    assert told["past"]["sufficed"] >= told["past"]["sufficed_constant"]
    steady = spares(SparesRequest(**asked, rate="constant")).to_dict()
    assert steady["spares"] == told["constant_rate"]
    assert "law" not in steady


def test_spares_say_that_the_log_is_of_more_nodes_than_must_be_up(tmp_path):
    path = tmp_path / "failures.csv"
    rows = [f"n{day % 3},2026-01-{day:02},{day % 5 + 1}" for day in range(1, 20)]
    path.write_text("\n".join(["node,date,repair_h", *rows]) + "\n")
    said = "the log names 3: all of its failures count as theirs, log_nodes 3 takes their part"
    for nodes in (2, 3):
        text = " ".join(render(spares(SparesRequest(nodes=nodes, log=path)), "text").split())
        assert (said in text) == (nodes == 2)
    whole, part = (
        spares(SparesRequest(nodes=2, log=path, log_nodes=given)).node_mtbf for given in (None, 3)
    )
    assert part == pytest.approx(1.5 * whole)


@pytest.mark.parametrize(
    ("name", "more", "law", "said"),
    [
        ("two-systems.csv", {"system": "a"}, "posterior", "a past of 30 d"),
        ("states.csv", {}, "posterior", "needs 6 failures"),
        ("counts.csv", {}, "constant", "does not tell when"),
        ("sacct.txt", {"nodes": 16}, "constant", "does not tell when"),
    ],
)
def test_where_there_is_no_forecast_the_answer_says_why(name, more, law, said):
    for ask, of in ((completion, CompletionRequest), (interval, IntervalRequest)):
        found = ask(of(log=INPUTS / name, checkpoint_cost=360.0, **more)).to_dict()
        assert found["law"] == law
        assert said in found["no_forecast"]
    several = completion(
        CompletionRequest(log=INPUTS / "failures.csv", checkpoint_cost=360.0, tasks=3)
    )
    assert several.to_dict()["no_forecast"] == "it is of one task"


def test_a_rate_is_of_a_log():
    with pytest.raises(Refused, match="rate must come with log, got it alone"):
        completion(CompletionRequest(mtbf=28_800.0, checkpoint_cost=360.0, rate="constant"))
    with pytest.raises(Refused, match="rate must be one of forecast, constant, got 'mean'"):
        CompletionRequest(mtbf=28_800.0, checkpoint_cost=360.0, rate="mean")
    with pytest.raises(Refused, match="rate must be left out with blocks"):
        spares(SparesRequest(blocks=4, log=INPUTS / "failures.csv", rate="constant"))


def test_a_plan_promises_by_the_forecast(log, tmp_path):
    def planned(rate="", protocol="synchronous", more=""):
        scenario = tmp_path / "scenario.toml"
        scenario.write_text(
            f'[failures]\nlog = "{log}"\n{rate}\n[job]\nwork = "5d"\n'
            f'[checkpoint]\ncost = "5min"\nprotocol = "{protocol}"\n{more}\n'
            '[deadline]\ntime = "5.6d"\n'
        )
        return plan(PlanRequest(scenario=scenario))

    answer, constant = planned(), planned('rate = "constant"')
    found, steady = answer.to_dict(), constant.to_dict()
    told = found["completion"]["foretold"]
    beside = found["completion"]["constant_rate"]
    assert told["law"] == "forecast"
    assert found["completion"]["on_time"] < beside["on_time"]
    assert [each["time_s"] for each in found["completion"]["percentiles"]] > [
        each["time_s"] for each in beside["percentiles"]
    ]
    assert told["past"]["jobs"] > 10
    assert not {"foretold", "constant_rate"} & set(steady["completion"])
    # What the headlines are by a constant rate stands beside them.
    assert beside["mean_s"] == steady["completion"]["mean_s"] < found["completion"]["mean_s"]
    assert beside["goodput"] == steady["goodput"]["value"] > found["goodput"]["value"]
    assert beside["interval_s"] == steady["checkpoint"]["interval_s"]
    assert found["goodput"]["value"] + sum(found["goodput"]["losses"].values()) == pytest.approx(
        1.0, rel=1e-9
    )
    alone = interval(IntervalRequest(log=log, **JOB)).to_dict()
    assert found["checkpoint"]["interval_s"] == alone["recommended_interval_s"]
    limits = [found["checkpoint"][f"interval_{end}_s"] for end in ("low", "high")]
    assert limits[0] < found["checkpoint"]["interval_s"] < limits[1]
    assert limits == [alone[f"recommended_interval_{end}_s"] for end in ("low", "high")]
    assert found["mtbf"] == steady["mtbf"]
    for name in ("worth", "sensitivities", "break_evens"):
        assert found[name] == steady[name]
    (variant,) = answer.variants
    assert float(variant.plan.law_to_come().cdf(5.6 * DAY)) == found["completion"]["on_time"]
    assert constant.variants[0].plan.law_to_come() is None
    copies = 'local_cost = "10s"\nsurvived = "80%"'
    other = planned(protocol="two_levels", more=copies).to_dict()["completion"]["foretold"]
    assert other["law"] == "constant"
    assert other["no_forecast"].startswith("none is made for")


def test_offers_with_a_log_are_compared_by_their_forecasts():
    gaps = np.random.default_rng(5).exponential(20.0 * HOUR, 300)
    gaps[200:] /= 4.0
    times = np.cumsum(gaps)
    failures = {"failures": 300, "observed": f"{times[-1]}s"}
    history = FailureHistory.of(times, times[-1])

    def planned(cost):
        return plan_of(
            {
                "failures": {**failures, "history": history},
                "job": {"work": "10d"},
                "checkpoint": {"cost": cost, "protocol": "synchronous"},
            },
            brief=True,
        )

    pair = [planned("6min"), planned("5min")]
    assert [each.completion.foretold.law for each in pair] == ["forecast"] * 2
    assert ranked(pair) == ("time", [1, 0])
    (row,) = [each for each in turns(pair) if each.key == "checkpoint.cost" and each.of == 1]
    # Both are as good where they are the same, nearly: what a forecast loses more is held.
    assert row.value == pytest.approx(360.0, rel=0.05)


@pytest.mark.parametrize(
    ("ask", "request_of", "more"),
    [
        (energy, EnergyRequest, {"power": "static=8MW,compute=10MW", **JOB}),
        (simulate, SimulateRequest, {"replications": 100, **JOB}),
        (spares, SparesRequest, {"blocks": 9, "checkpoint_cost": 300.0, "mttr": 1800.0}),
    ],
)
def test_what_is_of_a_constant_rate_says_so_and_why(log, ask, request_of, more):
    told = ask(request_of(log=log, **more)).to_dict()
    assert told["law"] == "constant"
    assert told["no_forecast"]
    without = {"block_mtbf": 90.0 * HOUR} if "blocks" in more else {"mtbf": 10.0 * HOUR}
    assert "law" not in ask(request_of(**without, **more)).to_dict()


def test_energy_of_a_plan_is_said_to_be_of_a_constant_rate(log, tmp_path):
    scenario = tmp_path / "powered.toml"
    scenario.write_text(
        '[machine]\nnodes = 9\nstatic_power = "100W"\ncompute_power = "200W"\n'
        f'[failures]\nlog = "{log}"\n[job]\nwork = "5d"\n'
        '[checkpoint]\ncost = "5min"\n[prices]\nnode_hour = 2\nkwh = 0.3\n'
    )
    found = plan(PlanRequest(scenario=scenario))
    scenario.write_text(scenario.read_text().replace("[job]", 'rate = "constant"\n[job]'))
    steady = plan(PlanRequest(scenario=scenario))
    assert found.to_dict()["costs"]["energy_law"] == "constant"
    assert steady.to_dict()["costs"]["energy_law"] is None
    said = str(list(found.parts()))
    assert "kWh at a constant rate" in said
    assert "energy at a constant rate" in said
