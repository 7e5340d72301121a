"""One log, asked through every door: the same MTBF and limits, as often true as they say."""

from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import stats

from perfmodel.answers import (
    AdviseRequest,
    CompletionRequest,
    FitRequest,
    ForecastRequest,
    GoodputRequest,
    IntervalRequest,
    PlanRequest,
    SparesRequest,
    completion,
    fit,
    forecast,
    goodput,
    interval,
    plan,
    render,
    site,
    spares,
)
from perfmodel.estimate import counted
from perfmodel.forecasts import FailureHistory, PlannedJob, outlook_of
from sim.application import simulate_makespans
from sim.samplers import Exponential
from sim.traces import failure_log

DAY, HOUR = 86_400.0, 3_600.0
JOB = {"checkpoint_cost": 300.0, "work": 7.0 * DAY}


def log_of(folder, rows, name="log.csv"):
    path = folder / name
    lines = [f"{node},{time:.0f},{repair:.0f}" for node, time, repair in rows]
    path.write_text("\n".join(["node,time,repair", *lines]) + "\n")
    return path


def told_by(path, folder, **more):
    """Return MTBF, lower and upper limit as each door says them, [s]."""
    scenario = folder / "plan.toml"
    size = "".join(f"log_nodes = {count}\n" for count in [more.get("log_nodes")] if count)
    machine = f"[machine]\nnodes = {more['nodes']}\n" if "nodes" in more else ""
    scenario.write_text(
        f'{machine}[failures]\nlog = "{path.name}"\n{size}'
        '[job]\nwork = "7d"\n[checkpoint]\ncost = "5min"\n'
    )
    found = {
        "fit": fit(FitRequest(log=path)).to_dict(),
        "interval": interval(IntervalRequest(log=path, **JOB, **more)).to_dict(),
        "completion": completion(CompletionRequest(log=path, **JOB, **more)).to_dict(),
        "goodput": goodput(GoodputRequest(log=path, checkpoint_cost=300.0, **more)).to_dict(),
    }
    names = ("mtbf_s", "mtbf_low_s", "mtbf_high_s")
    told = {door: [answer[name] for name in names] for door, answer in found.items()}
    planned = plan(PlanRequest(scenario=scenario)).variants[0].plan.mtbf
    return told | {"plan": [planned.value, *planned.limits]}


def test_doors_agree_on_an_mtbf_and_on_its_limits(tmp_path):
    days = [0.0, 16.6, 30.0, 48.3, 71.03]
    path = log_of(tmp_path, [(f"n{at}", DAY * day, HOUR) for at, day in enumerate(days)])
    told = told_by(path, tmp_path)
    # The law that fits the gaps has the same limits: a gamma law of four of them.
    rows = fit(FitRequest(log=path)).uptimes.fits.rows
    (law,) = (row for row in rows if row.family == "exponential")
    told["law of the gaps"] = [law.mean, *law.mean_interval]
    for door, numbers in told.items():
        assert numbers == pytest.approx([71.03 * DAY / 4, 8.102 * DAY, 65.18 * DAY], rel=1e-3), door


def test_limits_of_gaps_hold_the_mtbf_as_often_as_they_say():
    rng = np.random.default_rng(20261128)
    for gaps in (1, 2, 5, 20):
        seen = rng.gamma(gaps, size=4000)
        ends = [counted(gaps, each, truncation="failure").limits for each in seen]
        held = np.mean([low <= 1.0 <= high for low, high in ends])
        assert abs(held - 0.95) < 4.0 * (0.95 * 0.05 / seen.size) ** 0.5  # once in 16,000
        # Twice the time over the MTBF has the chi-squared law of twice the gaps.
        least, most = stats.chi2.ppf([0.975, 0.025], 2 * gaps)
        known = 2.0 * seen[:, None] / [least, most]
        np.testing.assert_allclose(ends, known, rtol=1e-9)


def drawn_logs(folder, rng, mtbf, *, gaps, logs):
    """Yield logs that end with their last failure, of random nodes of a thousand."""
    for _ in range(logs):
        times = np.cumsum(rng.exponential(mtbf, gaps + 1))
        yield log_of(folder, [(f"n{rng.integers(1000)}", time, 60.0) for time in times])


@pytest.mark.slow
@pytest.mark.parametrize(("gaps", "logs"), [(2, 1000), (12, 200), (60, 200)])
def test_limits_of_drawn_logs_hold_as_often_as_they_say(tmp_path, gaps, logs):
    rng, mtbf, held = np.random.default_rng(gaps), 3.0 * DAY, 0
    for path in drawn_logs(tmp_path, rng, mtbf, gaps=gaps, logs=logs):
        told = interval(IntervalRequest(log=path, checkpoint_cost=300.0)).to_dict()
        held += told["mtbf_low_s"] <= mtbf <= told["mtbf_high_s"]
    assert abs(held - 0.95 * logs) < 4.0 * (0.95 * 0.05 * logs) ** 0.5  # once in 16,000


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [12, 60])
def test_times_of_drawn_logs_are_kept_as_often_as_they_say(tmp_path, gaps):
    # Of fewer gaps only the time of the next failure is exact at each rate.
    rng, mtbf, logs = np.random.default_rng(gaps), 3.0 * DAY, 200
    costs = {"checkpoint_cost": 300.0, "recovery_cost": 600.0, "downtime": 1800.0}
    job, kept = {"work": 7.0 * DAY, **costs}, dict.fromkeys((0.25, 0.5, 0.75, 0.9, 0.99), 0)
    for seed, path in enumerate(drawn_logs(tmp_path, rng, mtbf, gaps=gaps, logs=logs)):
        known = forecast(ForecastRequest(log=path, **job)).to_dict()
        (played,) = simulate_makespans(
            **job,
            interval=known["interval_s"],
            uptime=Exponential(mtbf),
            replications=1,
            seed=seed,
        )
        times = {row["probability"]: row["forecast_s"] for row in known["percentiles"]}
        kept = {share: count + (played <= times[share]) for share, count in kept.items()}
    for share, count in kept.items():  # once in 16,000 each
        assert abs(count - share * logs) < 4.0 * (share * (1.0 - share) * logs) ** 0.5


def test_few_failures_leave_a_rate_as_uncertain_as_their_count(tmp_path):
    seen = FailureHistory.of([4.0 * DAY, 9.0 * DAY], 9.0 * DAY)
    watched = FailureHistory.of([4.0 * DAY, 9.0 * DAY], 12.0 * DAY)
    job = PlannedJob(work=DAY, interval=DAY, checkpoint_cost=0.0)
    for history, shape in ((seen, 2.0), (watched, 2.5)):
        rates = outlook_of(history, job).rates
        assert (rates.shapes.tolist(), rates.means.tolist()) == (
            [shape],
            [shape / history.observed],
        )


def test_nodes_that_fail_together_each_need_a_spare(tmp_path):
    rng = np.random.default_rng(3)
    events = np.cumsum(rng.exponential(10.0 * DAY, 12))
    racks = rng.integers(8, size=12)

    def found(apart, name):
        rows = [
            (f"n{8 * rack + at}", time + apart * at, DAY)
            for time, rack in zip(events, racks, strict=True)
            for at in range(8)
        ]
        return spares(SparesRequest(log=log_of(tmp_path, rows, name), nodes=64))

    together, apart = found(0.0, "together.csv"), found(60.0, "apart.csv")
    observed = events[-1] - events[0]
    assert together.nodes_down == pytest.approx(88.0 * DAY / observed, rel=1e-6)
    assert together.nodes_down == pytest.approx(apart.nodes_down, rel=0.1)
    # Three racks are too few for a forecast: those of one are down at the same time all the same.
    few = events[:4]
    rows = [(f"n{at}", time, DAY) for time in few for at in range(8)]
    answer = spares(SparesRequest(log=log_of(tmp_path, rows), nodes=64))
    assert answer.foreseen.outlook.name == "posterior"
    assert answer.spares["0.99"] % 8 == 0
    assert answer.spares["0.99"] >= 8


@pytest.mark.parametrize("apart", [0.0, 60.0])
def test_a_burst_strikes_some_of_the_nodes_as_often_as_random_ones_are_hit(tmp_path, apart):
    rng = np.random.default_rng(3)
    events = np.cumsum(DAY + rng.exponential(9.0 * DAY, 12))
    racks = rng.integers(8, size=12)
    rows = [
        (f"n{8 * rack + at}", time + apart * at, 60.0)
        for time, rack in zip(events, racks, strict=True)
        for at in range(8)
    ]
    path = log_of(tmp_path, rows)

    def known(**more):
        return interval(IntervalRequest(log=path, bursts="merge", **JOB, **more)).to_dict()[
            "mtbf_s"
        ]

    whole = known()
    assert known(nodes=64, log_nodes=64) == pytest.approx(whole, rel=1e-4)
    chosen = rng.permuted(np.tile(np.arange(64), (20_000, 1)), axis=1)[:, :5] // 8
    hit = np.mean([(chosen == rack).any(axis=1).mean() for rack in racks[1:]])
    assert known(nodes=5, log_nodes=64) == pytest.approx(whole / hit, rel=0.02)
    # Of a machine four times as large there are four such parts.
    assert known(nodes=256, log_nodes=64) == pytest.approx(whole / 4.0, rel=1e-4)


@pytest.mark.parametrize("rate", [{}, {"rate": "constant"}])
@pytest.mark.parametrize("more", [{}, {"log_nodes": 64}])
@pytest.mark.parametrize("racks", [False, True])
def test_doors_agree_on_a_job_of_some_nodes(tmp_path, racks, more, rate):
    rng = np.random.default_rng(7)
    times = np.cumsum(rng.exponential(2.0 * DAY, 40)).round()
    rows = [(f"n{at % 32}", time, HOUR) for at, time in enumerate(times)]
    if racks:
        rows = [
            (f"n{(4 * at + k) % 32}", time, HOUR) for at, time in enumerate(times) for k in (0, 1)
        ]
    path = log_of(tmp_path, rows)
    sizes = (8, 64, 256) if more else (5, 12)
    for nodes in sizes:
        told = told_by(path, tmp_path, nodes=nodes, **more, **rate)
        for door in ("completion", "goodput", "plan"):
            assert told[door] == pytest.approx(told["interval"]), (door, nodes)


def test_a_job_on_other_nodes_than_all_of_the_log_has_not_its_gaps(tmp_path):
    rng = np.random.default_rng(5)
    times = np.cumsum(rng.exponential(DAY, 60))
    path = log_of(tmp_path, [(f"n{at % 32}", time, 0.0) for at, time in enumerate(times)])
    job = {"log": path, **JOB, "work": 10.0 * DAY}

    def known(**more):
        return completion(CompletionRequest(**job, **more))

    whole = known(nodes=32, log_nodes=32)
    assert whole.recorded.mean == pytest.approx(known().recorded.mean)
    for count in (8, 128):
        found = known(nodes=count, log_nodes=32)
        assert found.recorded is None
        assert found.job.mtbf.value == pytest.approx(whole.job.mtbf.value * 32 / count)
        assert "those of all 32 nodes of the log" in " ".join(render(found, "text").split())


def test_a_job_is_struck_once_by_what_fails_at_one_instant(tmp_path):
    days = [0.1, 12.2, 12.2, 55.3, 60.1]
    path = log_of(tmp_path, [(f"n{at}", DAY * day, HOUR) for at, day in enumerate(days)])
    found = interval(IntervalRequest(log=path, **JOB)).to_dict()
    assert found["mtbf_s"] == pytest.approx(20.0 * DAY, rel=1e-9)
    assert found["mtbf_to_come_s"] == pytest.approx(20.0 * DAY, rel=1e-9)
    assert "after the log begins, and has 3" in found["no_forecast"]


def test_a_single_node_is_not_up_while_it_is_repaired(tmp_path):
    rows = [("n1", 10.0 * DAY * at, 9.0 * DAY) for at in range(8)]
    path = log_of(tmp_path, rows)
    for door, numbers in told_by(path, tmp_path).items():
        assert numbers[0] == pytest.approx(DAY, rel=1e-9), door
    for nodes in ({}, {"nodes": 1}):
        coming = interval(IntervalRequest(log=path, **JOB, **nodes)).to_dict()["mtbf_to_come_s"]
        assert coming == pytest.approx(DAY, rel=1e-9)
    told = forecast(ForecastRequest(log=path, futures=200, **JOB, nodes=1)).to_dict()
    assert told["mtbf_to_come_s"] == pytest.approx(DAY, rel=1e-9)
    # One node of several that fails again and again: the others go on.
    assert spares(SparesRequest(log=path, nodes=64)).nodes_down == pytest.approx(0.9, rel=1e-9)


def test_a_site_says_why_its_mtbf_is_another_than_that_of_a_fit(tmp_path):
    path = tmp_path / "sacct.txt"
    rows = [
        "1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-02T00:00:00|10",
        "2|NODE_FAIL|2026-01-01T01:00:00|2026-01-01T01:00:00|2026-01-03T01:00:00|20",
        "3|NODE_FAIL|2026-01-04T00:00:00|2026-01-04T00:00:00|2026-01-05T00:00:00|32",
    ]
    path.write_text("\n".join(["JobID|State|Submit|Start|End|AllocNodes", *rows]) + "\n")
    now = datetime(2026, 1, 8, tzinfo=UTC).timestamp()
    answer = site(AdviseRequest(sacct=path, nodes=100, cost=300.0, now=now))
    watched, known = answer.found, fit(FitRequest(log=path)).to_dict()
    assert watched.node_mtbf_s == pytest.approx(known["mtbf_s"] * 2.0 / 2.5, rel=1e-9)
    assert watched.node_mtbf_low_s == pytest.approx(known["mtbf_low_s"], rel=1e-9)
    assert "half a failure more than was seen" in " ".join(render(answer, "text").split())


def test_rates_by_cause_add_up_to_that_of_all_failures(tmp_path):
    path = tmp_path / "causes.csv"
    rows = ["n1,1000,60,disk", "n2,600000,60,memory", "n3,600000,60,disk", "n4,900000,60,fan"]
    path.write_text("\n".join(["node,time,repair,cause", *rows]) + "\n")
    found = fit(FitRequest(log=path)).to_dict()
    rates = [1.0 / cause["mtbf_s"] for cause in found["causes"]]
    assert sum(rates) == pytest.approx(1.0 / found["mtbf_s"], rel=1e-12)


def test_a_log_says_what_ended_its_observation(tmp_path):
    path = log_of(tmp_path, [("n1", 0.0, 60.0), ("n2", 5.0 * DAY, 60.0)])
    log = failure_log(path)
    assert log.uptimes().truncation == "failure"
    assert log.uptimes(until=9.0 * DAY).truncation == "time"
    assert log.uptimes(by="node").truncation == "failure"
