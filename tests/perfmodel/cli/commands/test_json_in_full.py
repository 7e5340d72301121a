"""The JSON of commands, every key and number of it, by formulas that the commands do not use."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2, lognorm, norm, poisson, t

from perfmodel import exact_makespan, expected_makespan, makespan_variance
from perfmodel.cli import main
from tests.support.runner import runner

HOUR, DAY, YEAR = 3600.0, 86400.0, 365.25 * 86400.0
REPAIRS = [100.0, 200.0, 300.0, 50.0, 70.0, 900.0]
TIMES = [3600, 9000, 36000, 40000, 86400, 100000]
ASKED = {"version", "options", "inputs", "notes"}
OF_A_JOB = {
    *("mtbf_s", "mtbf_low_s", "mtbf_high_s", "mtbf_basis", "failures", "checkpoint_cost_s"),
    *("recovery_cost_s", "downtime_s", "work_s", "step_time_s", "nodes", "price_per_node_hour"),
    *("price_per_hour", "log"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = zip(TIMES, "abacba", REPAIRS, strict=True)
    text = "".join(f"{time},{node},{repair:g}\n" for time, node, repair in rows)
    (tmp_path / "failures.csv").write_text("time,node,repair\n" + text)
    (tmp_path / "machines.csv").write_text(
        "name,speed,mtbf,mttr,checkpoint_cost\na,1,500h,2h,1min\nb,2,300h,1h,1min\n"
    )
    return tmp_path


def read(words, code=0):
    done = runner().invoke(main, [*words.split(), "--json"])
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def suffice(down, chance):
    """Return how many spares there must be for so many nodes down on average."""
    return int(poisson(down).ppf(chance))


def test_spares_of_a_machine():
    assert read("spares --nodes 100 --node-mtbf 1000h --mttr 15h --confidence 0.9,0.999") == {
        "nodes": 100,
        "node_mtbf_s": 1000 * HOUR,
        "mttr_s": 15 * HOUR,
        "mean_nodes_down": 1.5,
        "spares": {"0.9": suffice(1.5, 0.9), "0.999": suffice(1.5, 0.999)},
    }


def limits(failures, observed):
    """Return the limits of an MTBF of which so many failures were seen."""
    low = 2 * observed / chi2(2 * failures + 1).ppf(0.975)
    return low, 2 * observed / chi2(2 * failures + 1).ppf(0.025)


@pytest.mark.parametrize("failures", [20, 1])
def test_spares_by_failures_that_were_seen(failures):
    asked = f"spares --nodes 100 --failures {failures} --observed 200h --mttr 15h --confidence 0.9"
    found = read(asked)
    observed = 200 * HOUR
    low, high = (100 * limit for limit in limits(failures, observed))
    assert found.pop("node_mtbf_low_s") == pytest.approx(low)
    assert found.pop("node_mtbf_high_s") == pytest.approx(high)
    mtbf = 100 * observed / failures
    down = 100 * 15 * HOUR
    assert found == {
        "nodes": 100,
        "node_mtbf_s": mtbf,
        "mttr_s": 15 * HOUR,
        "mean_nodes_down": pytest.approx(down / mtbf),
        "spares": {"0.9": suffice(down / mtbf, 0.9)},
        "mtbf_basis": f"{failures} failure{'s' * (failures > 1)} in 200 h",
        "mtbf_confidence": 0.95,
        "spares_low": {"0.9": suffice(down / high, 0.9)},
        "spares_high": {"0.9": suffice(down / low, 0.9)},
    }


def test_spares_where_no_failure_was_seen():
    found = read("spares --nodes 100 --failures 0 --observed 9000h --mttr 15h --confidence 0.9")
    low = 100 * 9000 * HOUR / math.log(20.0)  # none in so long with a chance of 5 %
    assert found["node_mtbf_s"] == found["node_mtbf_low_s"] == pytest.approx(low)
    assert found["node_mtbf_high_s"] is None
    assert found["spares_low"] == {"0.9": 0}
    assert found["spares_high"] == found["spares"] == {"0.9": suffice(1500 * HOUR / low, 0.9)}


@pytest.mark.parametrize(("law", "beside"), [("amdahl", (100, 250, 500)), ("gustafson", None)])
def test_nodes_of_a_job(law, beside):
    found = read(
        "nodes --nodes 1000 --node-mtbf 5y --checkpoint-cost 1min --recovery-cost 30s "
        f"--sequential-share 1% --law {law}"
    )
    assert found.keys() == {"best_nodes", "counts"}
    counts = [row["nodes"] for row in found["counts"]]
    assert found["best_nodes"] in counts
    if beside is not None:
        assert counts == [*beside, 1000]
    for row in found["counts"]:
        n = row["nodes"]
        assert row.keys() == {
            "nodes",
            "mtbf_s",
            "interval_s",
            "speedup",
            "speedup_without_failures",
        }
        assert row["mtbf_s"] == pytest.approx(5 * YEAR / n)
        ideal = 1.0 / (0.01 + 0.99 / n) if law == "amdahl" else 0.01 + 0.99 * n
        assert row["speedup_without_failures"] == pytest.approx(ideal)
        # The interval is the best one: no other has a larger share of useful time.
        job = {"mtbf": row["mtbf_s"], "checkpoint_cost": 60.0, "recovery_cost": 30.0}
        work = 1e4 * row["interval_s"]
        shares = [
            work / float(expected_makespan(work, interval=row["interval_s"] * factor, **job))
            for factor in (0.9, 1.0, 1.1)
        ]
        assert shares[1] == max(shares)
        assert row["speedup"] == pytest.approx(ideal * shares[1], rel=1e-3)
    best = max(found["counts"], key=lambda row: row["speedup"])
    assert best["nodes"] == found["best_nodes"]


def test_machines_that_share_a_job():
    found = read("partition machines.csv --work 1000h --algorithm exhaustive")
    shares = [row["share_s"] for row in found["machines"]]
    assert sum(shares) == pytest.approx(1000 * HOUR)
    speeds = {"a": 1.0, "b": 2.0}
    assert sorted(row["machine"] for row in found["machines"]) == ["a", "b"]
    for row in found.pop("machines"):
        assert row == {
            "machine": row["machine"],
            "share_s": row["share_s"],
            "share": pytest.approx(row["share_s"] / (1000 * HOUR)),
            "compute_time_s": pytest.approx(row["share_s"] / speeds[row["machine"]]),
        }
    mean, std = found.pop("expected_time_s"), found.pop("std_s")
    assert found.pop("objective_s") == pytest.approx(mean + std)
    assert 1000 * HOUR / 3 < found.pop("subtask_time_s") < mean
    assert found == {
        "work_s": 1000 * HOUR,
        "algorithm": "exhaustive",
        "machines_available": 2,
        "processes": 2,
        "sets_evaluated": 3,
        "plain_bisection_processes": None,
        "plain_bisection_missed": None,
        "notes": ["interval: the optimum for the mean of each machine"],
    }
    assert read("partition machines.csv --work 1000h")["plain_bisection_missed"] is False


JOB = "--mtbf 8h --checkpoint-cost 6min --work 1d --recovery-cost 5min --downtime 2min"
COSTS = {"mtbf": 8 * HOUR, "checkpoint_cost": 360.0, "recovery_cost": 300.0, "downtime": 120.0}


def test_a_simulation_and_its_prediction():
    found = read(f"simulate {JOB} --interval 80min --replications 2500 --seed 3")
    assert found.keys() == OF_A_JOB | ASKED | {
        *("interval_s", "period_s", "replications", "seed", "comparisons", "verdict"),
        "gaps_of_the_log",
    }
    assert (found["interval_s"], found["period_s"]) == (4800.0, 5160.0)
    assert (found["replications"], found["seed"], found["gaps_of_the_log"]) == (2500, 3, None)
    assert found["options"]["interval_s"] == 4800.0
    mean, spread = found["comparisons"]
    assert (mean["quantity"], spread["quantity"]) == ("mean", "standard deviation")
    assert mean["predicted_s"] == float(expected_makespan(DAY, interval=4800.0, **COSTS))
    variance = float(makespan_variance(DAY, interval=4800.0, **COSTS))
    assert spread["predicted_s"] == pytest.approx(math.sqrt(variance))
    assert mean["simulated_high_s"] - mean["simulated_low_s"] == pytest.approx(
        2 * norm.ppf(0.975) * spread["simulated_s"] / math.sqrt(2500)
    )
    for each in (mean, spread):
        low, high = each["simulated_low_s"], each["simulated_high_s"]
        assert (low + high) / 2 == pytest.approx(each["simulated_s"])
        error = (high - low) / 2 / norm.ppf(0.975)
        assert each["z"] == pytest.approx((each["simulated_s"] - each["predicted_s"]) / error)
        assert each["resolution"] / (error / each["predicted_s"]) == pytest.approx(
            mean["resolution"]
            / ((mean["simulated_high_s"] - mean["simulated_s"]) / norm.ppf(0.975))
            * mean["predicted_s"]
        )
        # A seed in 15,000 is farther off by chance.
        assert abs(each["z"]) < 4.0
    other = read(f"simulate {JOB} --interval 80min --replications 2500 --seed 4")
    assert other["comparisons"] != found["comparisons"]


@pytest.mark.parametrize("tasks", [1, 3])
def test_a_law_of_completion(tasks):
    more = "" if tasks == 1 else f" --tasks {tasks}"
    found = read(f"completion {JOB} --interval 80min --deadline 30h --percentiles 50,99.9{more}")
    law = exact_makespan(DAY, interval=4800.0, **COSTS)
    whole = DAY + 18 * 360.0

    def share(times):
        return np.asarray(law.cdf(times)) ** tasks

    assert found.pop("atom") == pytest.approx([whole, math.exp(-whole / (8 * HOUR)) ** tasks])
    for name, chance in (("50", 0.5), ("99.9", 0.999)):
        assert share(found["percentiles_s"].pop(name)) == pytest.approx(chance, rel=1e-6)
    assert found.pop("percentiles_s") == {}
    assert found.pop("probability_by_deadline") == pytest.approx(share(30 * HOUR))
    mean, std = found.pop("mean_s"), found.pop("std_s")
    if tasks == 1:
        assert mean == pytest.approx(float(expected_makespan(DAY, interval=4800.0, **COSTS)))
        variance = float(makespan_variance(DAY, interval=4800.0, **COSTS))
        assert std == pytest.approx(math.sqrt(variance))
    else:  # the area above the cdf of the slowest
        times = np.linspace(whole, 3 * whole, 1001)
        above = 1.0 - share(times)
        assert mean == pytest.approx(whole + np.trapezoid(above, times), rel=1e-3)
        second = 2 * np.trapezoid((times - whole) * above, times)
        assert std == pytest.approx(math.sqrt(second - (mean - whole) ** 2), rel=1e-2)
    assert found.keys() == OF_A_JOB | ASKED | {
        *("deadline_s", "gaps_of_the_log", "mtbf_uncertain", "tasks", "downtime_law"),
        *("downtime_std_s", "interval_s", "period_s", "seed"),
    }
    assert (found["deadline_s"], found["tasks"], found["seed"]) == (30 * HOUR, tasks, None)
    assert (found["interval_s"], found["period_s"]) == (4800.0, 5160.0)
    for name in ("gaps_of_the_log", "mtbf_uncertain", "downtime_law"):
        assert found[name] is None
    assert found["downtime_std_s"] == 0.0


def test_downtimes_of_a_law_and_an_uncertain_mtbf():
    words = "completion --failures 9 --observed 99h --checkpoint-cost 6min --work 1d "
    found = read(f"{words} --downtime-law gamma:mean=1h,cv=2 --deadline 40h --percentiles 90")
    assert found["downtime_law"] == "gamma:mean=1h,cv=2"
    assert found["downtime_s"] == HOUR
    assert found["downtime_std_s"] == pytest.approx(2 * HOUR)
    assert found["options"]["downtime_law"] == "gamma:mean=1h,cv=2"
    unsure = found["mtbf_uncertain"]
    assert unsure.keys() == {"mean_s", "std_s", "percentiles_s", "probability_by_deadline"}
    assert unsure["std_s"] > found["std_s"]
    assert unsure["percentiles_s"].keys() == {"90"}
    assert unsure["percentiles_s"]["90"] > found["percentiles_s"]["90"]
    assert 0.0 < unsure["probability_by_deadline"] < 1.0
    none = read(f"{words} --percentiles 90")["mtbf_uncertain"]
    assert none["probability_by_deadline"] is None


OF_FITS = ("family", "fitting", "quantiles_s", "recorded_mean_s", "fits")


# None of a log with few gaps.
OF_MANY = ("gap_scv", "effective_mtbf_s", "failure_pattern", "interval_mtbf_s", "bursts", "drift")


def test_a_failure_log_and_its_laws():
    found = read("fit failures.csv")
    assert found.keys() == {
        *("by", "mtbf_s", "mtbf_low_s", "mtbf_high_s", "confidence", "failures", "nodes"),
        *("nodes_named", "observed_s", "mttr_s", "mttr_low_s", "mttr_high_s", "count"),
        *(f"{what}_{name}" for what in ("uptime", "repair") for name in OF_FITS),
        *("gap_rank_correlation", "gap_rank_correlation_limit", "clustered", "bad_nodes"),
        *("gap_scv", "gap_scv_limit", "gaps_overdispersed", "effective_mtbf_s", "log"),
        *("failure_pattern", "interval_mtbf_s", "bursts", "drift", "causes", "understood"),
        *("rows", "node_hours_by_state", "problems"),
    }
    observed = TIMES[-1] - TIMES[0]
    low, high = limits(5, observed)
    assert (found["by"], found["failures"], found["observed_s"]) == ("system", 5, observed)
    assert found["mtbf_s"] == observed / 5
    assert (found["mtbf_low_s"], found["mtbf_high_s"]) == pytest.approx((low, high))
    spread = np.std(REPAIRS, ddof=1) / math.sqrt(6) / 270.0
    factor = math.exp(t.ppf(0.975, 5) * spread)
    ends = [270.0, 270.0 / factor, 270.0 * factor]
    assert [found[name] for name in ("mttr_s", "mttr_low_s", "mttr_high_s")] == pytest.approx(ends)
    assert (found["count"], found["confidence"], found["problems"]) == (6, 0.95, [])
    gaps = np.diff(TIMES)
    for what, values in (("uptime", gaps), ("repair", np.array(REPAIRS))):
        assert found[f"{what}_recorded_mean_s"] == pytest.approx(values.mean())
        inverse = np.sort(values)
        for name, value in found[f"{what}_quantiles_s"].items():
            assert value == inverse[math.ceil(len(values) * int(name) / 100) - 1]
        assert [*found[f"{what}_quantiles_s"]] == ["5", "25", "50", "75", "95"]
        fits = {row["family"]: row for row in found[f"{what}_fits"]}
        assert fits.keys() == {"exponential", "weibull", "gamma", "lognormal"}
        assert found[f"{what}_fitting"] == [name for name, row in fits.items() if row["fits"]]
        best = min(fits.values(), key=lambda row: row["aicc"])
        assert found[f"{what}_family"] == best["family"]
        for row in fits.values():
            assert row.keys() == {
                *("family", "parameters", "intervals", "mean_s", "mean_low_s", "mean_high_s"),
                *("log_likelihood", "aic", "aicc", "ks_distance", "distance", "distance_limit"),
                "fits",
            }
            count, size = len(row["parameters"]), len(values)
            aic = 2 * count - 2 * row["log_likelihood"]
            assert row["aic"] == pytest.approx(aic)
            assert row["aicc"] == pytest.approx(aic + 2 * count * (count + 1) / (size - count - 1))
            assert row["intervals"].keys() == row["parameters"].keys()
            assert row["mean_low_s"] < row["mean_s"] < row["mean_high_s"]
            assert row["fits"] is (row["distance"] <= row["distance_limit"])
        assert fits["exponential"]["parameters"] == {"mean_s": pytest.approx(values.mean())}
        assert fits["weibull"]["parameters"].keys() == {"shape", "scale_s"}
        logs = np.log(values)
        known = fits["lognormal"]["parameters"]
        assert known == pytest.approx({"mu": logs.mean(), "sigma": logs.std()}, rel=1e-5)
        law = lognorm(known["sigma"], scale=math.exp(known["mu"]))
        likelihood = law.logpdf(values).sum()
        assert fits["lognormal"]["log_likelihood"] == pytest.approx(likelihood)
    assert found["log"][-1] == "read as csv, by its first lines: --format names another format"
    for name in ("nodes", "nodes_named", "bad_nodes", *OF_MANY):
        assert found[name] is None
    by_node = read("fit failures.csv --by node --nodes 5")
    assert (by_node["by"], by_node["nodes"], by_node["nodes_named"]) == ("node", 5, 3)
    assert by_node["bad_nodes"] == []
    assert by_node["uptime_recorded_mean_s"] is None
    Path("failures.csv").write_text("time\n" + "".join(f"{time}\n" for time in TIMES))
    silent = read("fit failures.csv")
    assert silent.keys() == found.keys()
    assert silent["count"] == 0
    for name in ("mttr_s", "mttr_low_s", "mttr_high_s"):
        assert silent[name] is None
    assert [silent[f"repair_{name}"] for name in OF_FITS] == [None] * 4 + [[]]
