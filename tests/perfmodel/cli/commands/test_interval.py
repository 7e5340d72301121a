import json
import math

import pytest

from perfmodel import (
    Level,
    expected_energy,
    expected_makespan,
    expected_makespan_ageing,
    expected_makespan_async,
    expected_pattern_time,
    optimal_interval,
    optimal_interval_energy,
    optimal_pattern_levels,
    recommend,
    useful_share_ageing,
)
from perfmodel.answers.requests.presets import PRESETS
from perfmodel.cli import main
from perfmodel.lifetimes import Weibull
from tests.support.runner import runner

HOUR, MINUTE, DAY, YEAR = 3600.0, 60.0, 86400.0, 365.25 * 86400.0
SIMPLE = ["--mtbf", "8h", "--checkpoint-cost", "6min"]


def run(*arguments):
    done = runner().invoke(main, ["interval", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def read(*arguments):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(run(*arguments, "--json"), parse_constant=refuse)


def residual(interval, mtbf, cost):
    """The condition of the optimum: (1 - w/M) exp((w + C)/M) = 1."""
    return (1.0 - interval / mtbf) * math.exp((interval + cost) / mtbf) - 1.0


def test_the_keys_promised_to_scripts_are_there():
    found = read(*SIMPLE)
    assert {"recommended_interval_s", "recommended_period_s", "mtbf_s", "rules"} <= found.keys()
    for rule in found["rules"]:
        assert rule.keys() >= {
            "rule",
            "interval_s",
            "expected_makespan_s",
            "efficiency",
            "regret",
            "valid",
        }


def test_the_recommendation_is_the_cheapest_row_for_the_job_asked_about():
    for work in ("1h", "2h", "5h", "7d", "54d", "30y"):
        for job in (SIMPLE, ["--preset", "llama-3-405b", "--price", "2.5"]):
            found = read(*job, "--work", work)
            rules = {rule["rule"]: rule for rule in found["rules"]}
            cheapest = min(rule["expected_makespan_s"] for rule in rules.values())
            assert found["expected_makespan_s"] <= cheapest * (1 + 1e-12)
            assert found["recommended_interval_s"] == rules["best_segments"]["interval_s"]
            assert rules["best_segments"]["regret"] == 0.0
            assert found["recommended_period_s"] - found["recommended_interval_s"] == pytest.approx(
                found["checkpoint_cost_s"]
            )


def test_the_exact_rule_satisfies_the_condition_of_the_optimum_of_a_long_job():
    rules = {rule["rule"]: rule for rule in read(*SIMPLE)["rules"]}
    exact = rules["exact"]["interval_s"]
    assert residual(exact, 8 * HOUR, 6 * MINUTE) == pytest.approx(0.0, abs=1e-12)
    text = " ".join(run(*SIMPLE).split())
    assert f"{rules['best_segments']['interval_s'] / 60:,.4g} min of work, in 140 equal" in text
    assert f"A job of no known length: every {exact / 60:,.4g} min" in text


def test_young_is_the_root_of_two_cost_mtbf():
    young = next(rule for rule in read(*SIMPLE)["rules"] if rule["rule"] == "young")
    assert young["interval_s"] == pytest.approx(math.sqrt(2 * 6 * MINUTE * 8 * HOUR))
    assert young["regret"] > 0.0


def test_the_best_rule_has_no_regret_and_efficiency_is_work_by_makespan():
    rules = {rule["rule"]: rule for rule in read(*SIMPLE, "--work", "3d")["rules"]}
    least = rules["best_segments"]["expected_makespan_s"]
    for rule in rules.values():
        assert rule["regret"] == pytest.approx(rule["expected_makespan_s"] / least - 1.0, abs=1e-12)
        assert rule["efficiency"] == pytest.approx(3 * DAY / rule["expected_makespan_s"])


def test_no_rule_beats_the_best_segments_on_the_work_at_hand():
    rules = {rule["rule"]: rule for rule in read(*SIMPLE)["rules"]}
    best = rules["best_segments"]["expected_makespan_s"]
    assert all(rule["expected_makespan_s"] >= best * (1 - 1e-12) for rule in rules.values())


@pytest.mark.parametrize(
    ("form", "mtbf"),
    [
        (["--mtbf", "8h"], 8 * HOUR),
        (["--node-mtbf", "5y", "--nodes", "4096"], 5 * YEAR / 4096),
        (["--failures", "10", "--observed", "1000h"], 100 * HOUR),
        (["--failure-rate", "6.5/1000node-days", "--nodes", "2048"], 1000 * DAY / 6.5 / 2048),
    ],
)
def test_every_form_of_the_mtbf_is_understood(form, mtbf):
    assert read(*form, "--checkpoint-cost", "6min")["mtbf_s"] == pytest.approx(mtbf, rel=1e-12)


def test_counts_come_with_the_chi_square_limits():
    # 10 failures in 1000 h: 56.37 h to 194.50 h at 95 %, 2T/chi2 with 21 degrees.
    found = read("--failures", "10", "--observed", "1000h", "--checkpoint-cost", "6min")
    assert found["mtbf_low_s"] / HOUR == pytest.approx(56.37, abs=0.005)
    assert found["mtbf_high_s"] / HOUR == pytest.approx(194.50, abs=0.005)
    low, high = found["recommended_interval_low_s"], found["recommended_interval_high_s"]
    assert low < found["recommended_interval_s"] < high
    segments = 7 * DAY / low
    assert segments == pytest.approx(round(segments), rel=1e-12)
    exact = float(optimal_interval(mtbf=found["mtbf_low_s"], checkpoint_cost=360.0))
    assert low == pytest.approx(exact, rel=0.01)


def test_no_failure_at_all_gives_a_lower_bound():
    # -T / log(0.05) = 333.8 h
    found = read("--failures", "0", "--observed", "1000h", "--checkpoint-cost", "6min")
    assert found["mtbf_s"] == pytest.approx(-1000 * HOUR / math.log(0.05))
    assert found["mtbf_high_s"] is None
    assert found["recommended_interval_high_s"] is None
    assert "or more" in run("--failures", "0", "--observed", "1000h", "--checkpoint-cost", "6min")


def test_a_checkpoint_of_a_size_takes_size_by_bandwidth():
    found = read("--mtbf", "8h", "--checkpoint-size", "12TB", "--bandwidth", "400GB/s")
    assert found["checkpoint_cost_s"] == pytest.approx(30.0)


def flat(text):
    return " ".join(text.split())


@pytest.mark.parametrize(("step", "steps"), [("15s", 288), ("50min", 2), ("1h", 1), ("1d", 1)])
def test_a_whole_number_of_steps_is_recommended_and_priced(step, steps):
    found = read(*SIMPLE, "--step-time", step)
    assert found["recommended_steps"] == steps
    assert found["recommended_interval_s"] == pytest.approx(steps * found["step_time_s"])
    assert found["recommended_period_s"] == pytest.approx(steps * found["step_time_s"] + 360.0)
    known = expected_makespan(
        7 * DAY, interval=steps * found["step_time_s"], mtbf=8 * HOUR, checkpoint_cost=6 * MINUTE
    )
    assert found["expected_makespan_s"] == pytest.approx(float(known))
    rules = {rule["rule"]: rule for rule in found["rules"]}
    assert rules["whole_steps"]["interval_s"] == found["recommended_interval_s"]
    assert rules["best_segments"]["interval_s"] == read(*SIMPLE)["recommended_interval_s"]
    assert rules["whole_steps"]["regret"] >= 0.0


def test_steps_are_told_with_the_interval_that_they_make():
    assert "after every 72 min of work (288 steps):" in flat(run(*SIMPLE, "--step-time", "15s"))
    text = flat(run(*SIMPLE, "--step-time", "50min"))
    assert "after every 100 min of work (2 steps): one every 106 min while" in text
    assert "Were it not for whole steps: every 72 min." in text
    assert "after every 60 min of work (1 step):" in flat(run(*SIMPLE, "--step-time", "1h"))
    assert "e+303 steps):" in flat(run(*SIMPLE, "--step-time", "1e-300s"))
    hopeless = flat(run("--mtbf", "1s", "--checkpoint-cost", "1ms", "--step-time", "1d"))
    assert "a step takes so long beside the MTBF that the job hardly advances" in hopeless


def test_sentences_have_the_unit_that_fits():
    text = flat(run("--mtbf", "1s", "--checkpoint-cost", "1ms"))
    assert "after every 44.06 ms of work" in text
    text = flat(run("--mtbf", "1s", "--checkpoint-cost", "1ms", "--work", "1e100y"))
    assert "in 7.163e+108 equal segments" in text


def test_a_short_job_is_not_blamed_on_the_machine():
    text = run(*SIMPLE, "--work", "1ns")
    assert "a checkpoint before its end does not pay" in flat(text)
    assert "hardly advances" not in text


def test_one_failure_is_one_failure():
    text = run("--failures", "1", "--observed", "1000h", "--checkpoint-cost", "6min")
    assert "1 failure in 1000 h" in text


def test_a_wrong_mtbf_costs_more_the_more_it_is_wrong():
    mistakes = {m["mtbf_factor"]: m for m in read(*SIMPLE)["mtbf_mistakes"]}
    assert set(mistakes) == {0.25, 0.5, 2.0, 4.0}
    assert mistakes[0.25]["regret"] > mistakes[0.5]["regret"] > 0.0
    assert mistakes[4.0]["regret"] > mistakes[2.0]["regret"] > 0.0
    for factor, mistake in mistakes.items():
        assert mistake["mtbf_s"] == factor * 8 * HOUR
        other = read("--mtbf", f"{8 * factor}h", "--checkpoint-cost", "6min")
        assert mistake["best_interval_s"] == other["recommended_interval_s"]


def test_waste_is_paid_for_by_the_node():
    found = read("--node-mtbf", "5y", "--nodes", "100", "--checkpoint-cost", "6min", "--price", "2")
    rule = found["rules"][0]
    waste = (rule["expected_makespan_s"] - found["work_s"]) / HOUR
    assert rule["waste_cost"] == pytest.approx(2.0 * 100 * waste)
    assert read(*SIMPLE)["rules"][0]["waste_cost"] is None
    assert found["price_per_hour"] == 200.0
    whole = read("--mtbf", "438.3h", "--checkpoint-cost", "6min", "--price", "200")
    assert whole["rules"][0]["waste_cost"] == pytest.approx(rule["waste_cost"])
    assert whole["price_per_node_hour"] is None


def test_the_exact_optimum_does_not_depend_on_recovery_nor_downtime():
    slow = read(*SIMPLE, "--recovery-cost", "1h", "--downtime", "2h")
    assert slow["recommended_interval_s"] == read(*SIMPLE)["recommended_interval_s"]
    assert slow["expected_makespan_s"] > read(*SIMPLE)["expected_makespan_s"]


def test_a_rule_without_an_answer_is_null_and_a_dash():
    # Daly's first order interval is negative here, and the wsj model has no interior minimum.
    hopeless = ["--mtbf", "1min", "--checkpoint-cost", "1h"]
    rules = {rule["rule"]: rule for rule in read(*hopeless)["rules"]}
    for name in ("wsj", "daly_first_order"):
        assert rules[name]["interval_s"] is None
        assert rules[name]["valid"] is False
    assert rules["exact"]["valid"] is True
    assert "hardly advances" in run(*hopeless)


@pytest.mark.parametrize("mtbf", ["1ns", "1e-290s", "1e300s"])
@pytest.mark.parametrize("cost", ["1ns", "1e-290s", "1e300s"])
def test_extreme_inputs_still_give_strict_json_and_a_table(mtbf, cost):
    arguments = ["--mtbf", mtbf, "--checkpoint-cost", cost]
    assert read(*arguments)["recommended_interval_s"] >= 0.0
    assert "exact" in run(*arguments)


def test_more_segments_and_steps_than_can_be_counted_are_null():
    found = read("--mtbf", "1e-200s", "--checkpoint-cost", "1e-200s", "--work", "1e200s")
    assert found["best_segments"] is None
    found = read("--mtbf", "1e200s", "--checkpoint-cost", "1s", "--step-time", "1e-310s")
    assert found["recommended_steps"] is None


TYPED = {
    "llama-3-405b": "--failures 419 --observed 51d2h10min --checkpoint-cost 60s "
    "--downtime 10min --work 54d",
    "rsc-1": "--failure-rate 6.5/1000node-days --nodes 2048 --checkpoint-cost 5min "
    "--downtime 10min --work 30d",
    "rsc-2": "--failure-rate 2.34/1000node-days --nodes 1024 --checkpoint-cost 5min "
    "--downtime 10min --work 30d",
    "opt-175b": "--mtbf 7.5h --checkpoint-cost 5min --downtime 10min --work 60d",
    "bloom-176b": "--mtbf 7d --checkpoint-cost 40s --recovery-cost 40s --work 115d "
    "--step-time 105s",
    "daly-2006": "--mtbf 24h --checkpoint-cost 5min --recovery-cost 10min --work 500h",
    "wsj-default": "--mtbf 512h --checkpoint-cost 0.2h --downtime 2h --work 128h",
}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_stand_for_their_options_and_yield_to_what_is_typed(preset):
    # These may not be typed beside counted failures.
    nodes = {"nodes": PRESETS[preset].given.get("nodes")}
    found, typed = read("--preset", preset), read(*TYPED[preset].split())
    if preset == "llama-3-405b":  # 54 days less 419 restarts: what is typed is shown as typed
        assert found.pop("mtbf_basis") == "419 failures in 51.09 d"
        assert typed.pop("mtbf_basis") == "419 failures in 51d2h10min"
    assert found == {**typed, **nodes}
    assert read("--preset", preset, "--mtbf", "3h")["mtbf_s"] == 3 * HOUR
    assert read("--preset", preset, "--work", "2d")["work_s"] == 2 * DAY


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_cut_off_or_wider_than_the_terminal(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    text = run("--preset", "llama-3-405b", "--step-time", "15s", "--price", "2.5")
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    for word in ("exact", "young", "wsj", "cost of", "best interval", "steps"):
        assert word in text


def test_a_narrow_terminal_leaves_numbers_whole(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run(*SIMPLE)
    monkeypatch.setenv("COLUMNS", "80")
    wide = run(*SIMPLE)
    rows = [line for line in wide.splitlines() if line.startswith(("exact", "young", "wsj", "x "))]
    assert len(rows) == 7
    assert set(rows) <= set(narrow.splitlines())


def test_plain_text_stays_ascii_for_any_terminal():
    assert run(*SIMPLE, "--price", "2.5").isascii()


@pytest.mark.parametrize("rule", ["overlap", "single_buffer", "skip"])
@pytest.mark.parametrize("latency", ["6min", "45min", "30h"])
def test_checkpoints_that_are_durable_later(rule, latency):
    seconds = {"6min": 360.0, "45min": 2700.0, "30h": 30 * HOUR}[latency]
    job = ["--mtbf", "8h", "--checkpoint-cost", "10s", "--downtime", "1min", "--work", "7d"]
    found = read(*job, "--async-latency", latency, "--in-flight", rule)["asynchronous"]
    costs = {"mtbf": 8 * HOUR, "checkpoint_cost": 10.0, "downtime": MINUTE, "latency": seconds}
    mean = expected_makespan_async(
        7 * DAY, interval=7 * DAY / found["segments"], in_flight=rule, **costs
    )
    assert found["expected_makespan_s"] == pytest.approx(float(mean), rel=1e-12)
    assert found["interval_s"] == pytest.approx(7 * DAY / found["segments"])
    words = " ".join(run(*job, "--async-latency", latency, "--in-flight", rule).split())
    assert f"after each copy ({rule})" in words


def test_without_a_latency_nothing_is_said_of_one():
    assert "asynchronous" not in read(*SIMPLE)


def test_a_copy_that_is_durable_at_once_is_a_checkpoint():
    found = read(*SIMPLE, "--async-latency", "0s")
    assert found["asynchronous"]["segments"] == found["best_segments"]
    mean = found["asynchronous"]["expected_makespan_s"]
    assert mean == pytest.approx(found["expected_makespan_s"], rel=1e-12)


LEVEL = "cost=9s,recovery=9s,survives=93.75%"


def test_checkpoints_on_two_levels():
    job = ["--mtbf", "120500s", "--checkpoint-cost", "438s", "--recovery-cost", "438s"]
    found = read(*job, "--level", LEVEL)["levels"]
    levels = [Level(9.0, 9.0, 0.9375), Level(438.0, 438.0, 1.0)]
    best = optimal_pattern_levels(levels, mtbf=120500.0)
    alone = float(optimal_interval(mtbf=120500.0, checkpoint_cost=438.0))
    assert found["interval_s"] == pytest.approx(best.interval, rel=1e-12)
    assert [level["every"] for level in found["levels"]] == [1, best.counts[0] + 1]
    assert found["efficiency"] == pytest.approx(best.efficiency, rel=1e-12)
    assert found["overhead"] == pytest.approx(1.0 / best.efficiency - 1.0, rel=1e-12)
    assert found["single_interval_s"] == pytest.approx(alone, rel=1e-6)
    words = " ".join(run(*job, "--level", LEVEL).split())
    assert f"one checkpoint in {best.counts[0] + 1}." in words
    assert f"Mean overhead {100 * found['overhead']:.2f} % of the work" in words


def test_a_level_that_does_not_pay_is_left_out_and_levels_come_in_any_order():
    dear = "cost=5min,recovery=1s,survives=1%"
    found = [
        read(*SIMPLE, *arguments)["levels"]
        for arguments in (
            ("--level", LEVEL, "--level", dear),
            ("--level", dear, "--level", "survives=0.9375, cost=9s, recovery=9s"),
        )
    ]
    assert found[0] == found[1]
    assert [level["survives"] for level in found[0]["levels"]] == [0.01, 0.9375, 1.0]
    assert found[0]["levels"][0]["every"] == 0
    words = " ".join(run(*SIMPLE, "--level", LEVEL, "--level", dear).split())
    assert "Level 1 (cost 5 min, survives 1 %) does not pay: leave it out." in words


def test_without_a_level_nothing_is_said_of_one():
    assert "levels" not in read(*SIMPLE)


PROTOCOLS = ["--snapshot-cost", "20s", "--async-latency", "9min", "--level", LEVEL, "--compare"]


def test_protocols_are_compared_as_in_python():
    found = read(*SIMPLE, *PROTOCOLS)["protocols"]
    job = {"mtbf": 8 * HOUR, "checkpoint_cost": 6 * MINUTE}
    local = {"local_cost": 9.0, "local_recovery": 9.0, "survived": 0.9375}
    known = recommend(7 * DAY, **job, snapshot_cost=20.0, latency=9 * MINUTE, **local).protocols
    assert [plan["protocol"] for plan in found] == [plan.protocol for plan in known]
    for plan, right in zip(found, known, strict=True):
        assert plan["expected_makespan_s"] == pytest.approx(right.expected_time, rel=1e-12)
        assert plan["regret"] == pytest.approx(right.regret, rel=1e-9, abs=1e-12)
        assert plan["crossover_mtbf_s"] == right.crossover
        assert plan["interval_s"] * plan["segments"] == pytest.approx(7 * DAY)


def test_pairs_are_compared_where_nodes_are_known():
    machine = ["--node-mtbf", "100h", "--nodes", "100", "--checkpoint-cost", "30min"]
    found = read(*machine, "--compare", "--work", "10h")["protocols"]
    assert [plan["protocol"] for plan in found] == ["pairs", "synchronous", "single_segment"]


def test_the_table_of_protocols_names_the_best_first_and_says_where_others_are_as_good():
    lines = run(*SIMPLE, *PROTOCOLS).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("Protocols, each"))
    words = " ".join(" ".join(lines[start:]).split())
    assert lines[start + 4].startswith("asynchronous ")
    assert "Synchronous: at least as good as asynchronous at an MTBF of " in words
    assert "One segment: never as good as asynchronous within a factor of 1,000" in words


def test_the_copy_may_take_less_than_the_checkpoint():
    one = read(*SIMPLE, "--async-latency", "9min")["asynchronous"]
    other = read(*SIMPLE, "--async-latency", "9min", "--snapshot-cost", "20s")["asynchronous"]
    assert (one["snapshot_cost_s"], other["snapshot_cost_s"]) == (6 * MINUTE, 20.0)
    assert other["expected_makespan_s"] < one["expected_makespan_s"]
    words = " ".join(run(*SIMPLE, "--async-latency", "9min", "--snapshot-cost", "20s").split())
    assert "if it stands still for 6 min instead" in words


def test_protocols_that_are_one_plan_are_as_good_as_each_other():
    rare = ["--mtbf", "6y", "--checkpoint-cost", "10min", "--compare"]
    words = " ".join(run(*rare).split())
    assert "Synchronous: as good as one segment at this MTBF." in words
    assert "never as good" not in words


@pytest.mark.slow
def test_a_predictor_is_compared_as_in_python_and_its_error_is_said():
    given = "recall=70%,precision=90%,cost=1min,window=10min"
    found = read(*SIMPLE, "--compare", "--predictor", given)["protocols"]
    predictor = {"recall": 0.7, "precision": 0.9, "proactive_cost": MINUTE, "window": 10 * MINUTE}
    job = {"mtbf": 8 * HOUR, "checkpoint_cost": 6 * MINUTE}
    known = recommend(7 * DAY, **job, **predictor).best
    assert (known.protocol, found[0]["protocol"]) == ("predicted", "predicted")
    assert found[0]["expected_makespan_s"] == pytest.approx(known.expected_time, rel=1e-12)
    assert found[0]["error"] == known.error > 0.0
    words = " ".join(run(*SIMPLE, "--compare", "--predictor", given).split())
    assert "Predicted: to first order, its makespan is within " in words
    far = ["--mtbf", "1h", "--checkpoint-cost", "30min", "--compare", "--predictor", given]
    assert "Predicted: beyond the range of its rule" in " ".join(run(*far).split())


def test_without_compare_there_are_no_protocols():
    assert "protocols" not in read(*SIMPLE)


WEIBULL = ["--uptime-law", "weibull:mean=24h,shape=0.5", "--checkpoint-cost", "10min"]


def test_a_law_of_uptimes_gives_the_interval_of_another_program():
    found = read(*WEIBULL, "--sequence")
    aged = found["ageing"]
    assert found["mtbf_s"] == pytest.approx(24 * HOUR)
    assert aged["interval_s"] == pytest.approx(3.169404 * HOUR, rel=1e-5)
    assert aged["useful_share"] == pytest.approx(0.8970390, abs=1e-7)
    assert aged["cv"] == pytest.approx(math.sqrt(5.0))
    # What is recommended is under the law; what exponential uptimes would say stands beside it.
    assert found["recommended_interval_s"] == aged["interval_s"]
    assert found["expected_makespan_s"] == aged["expected_makespan_s"]
    plain = read("--mtbf", "24h", "--checkpoint-cost", "10min")
    assert found["exponential"] == {name: plain[name] for name in found["exponential"]}
    assert found["best_segments"] == 53 != plain["best_segments"]
    first = [hours * HOUR for hours in (1.56412, 1.97463, 2.26026)]
    assert aged["intervals_s"][:3] == pytest.approx(first, rel=1e-5)
    assert aged["intervals_useful_share"] == pytest.approx(0.9026029, abs=1e-7)
    text = " ".join(run(*WEIBULL, "--sequence").split())
    assert "checkpoint after every 3.169 h of work in a long job" in text
    assert "By age, from each start of the machine on: 93.85 min, 118.5 min," in text
    assert "0.56 points more than any constant interval" in text


def test_without_sequence_there_are_no_intervals_by_age():
    aged = read(*WEIBULL)["ageing"]
    assert aged["intervals_s"] is None
    assert aged["intervals_useful_share"] is None
    assert "By age" not in run(*WEIBULL)
    assert "ageing" not in read(*SIMPLE)


def test_shape_and_cv_tell_the_same_law():
    cv = math.sqrt(math.gamma(1 + 2 / 0.7) / math.gamma(1 + 1 / 0.7) ** 2 - 1)
    for one, other in (
        ("weibull:mean=2d,shape=0.7", f"weibull:mean=2d,cv={cv!r}"),
        ("gamma:mean=2d,shape=4", "gamma:mean=2d,cv=0.5"),
        ("exponential:mean=2d", "weibull:mean=2d,shape=1"),
    ):
        rest = ["--checkpoint-cost", "10min", "--recovery-cost", "5min"]
        first, second = (read("--uptime-law", law, *rest)["ageing"] for law in (one, other))
        assert first["interval_s"] == pytest.approx(second["interval_s"], rel=1e-6)
        assert first["expected_makespan_s"] == pytest.approx(
            second["expected_makespan_s"], rel=1e-9
        )


def test_exponential_uptimes_are_those_of_the_other_rules():
    found = read("--uptime-law", "exponential:mean=8h", "--checkpoint-cost", "6min")
    rules = {rule["rule"]: rule for rule in found["rules"]}
    assert found["ageing"]["interval_s"] == pytest.approx(rules["exact"]["interval_s"], rel=1e-6)
    assert found["ageing"]["expected_makespan_s"] == pytest.approx(
        found["expected_makespan_s"], rel=1e-3
    )


def test_a_law_of_uptimes_replaces_the_mtbf_of_a_preset():
    law = ["--uptime-law", "weibull:mean=2d,shape=0.7"]
    assert read("--preset", "llama-3-405b", *law)["mtbf_s"] == pytest.approx(2 * DAY)


def test_a_job_of_very_many_segments_has_no_makespan_here():
    law = ["--uptime-law", "weibull:mean=1min,shape=0.7", "--checkpoint-cost", "1s"]
    assert read(*law)["ageing"]["expected_makespan_s"] is None


POWER = ["--power", "static=10MW,compute=10MW,io=100MW", "--overlap", "50%"]
PRINTED = ["--mtbf", "300min", "--checkpoint-cost", "10min", "--recovery-cost", "10min"]
PRINTED += ["--downtime", "1min"]


def test_the_interval_of_least_energy_beside_that_of_least_time():
    found = read(*PRINTED, *POWER)["energy"]
    machine = {"mtbf": 18000.0, "checkpoint_cost": 600.0, "recovery_cost": 600.0}
    machine |= {"downtime": 60.0, "overlap": 0.5}
    drawn = {"static_power": 1e7, "compute_power": 1e7, "io_power": 1e8}
    quick, frugal = found["least_time"], found["least_energy"]
    best = float(optimal_interval_energy(**machine, **drawn))
    assert frugal["interval_s"] == pytest.approx(best, rel=1e-12)
    energy = float(expected_energy(7 * DAY, interval=best, **machine, **drawn))
    assert frugal["expected_energy_j"] == pytest.approx(energy, rel=1e-12)
    assert quick["expected_energy_j"] > energy
    assert quick["expected_makespan_s"] < frugal["expected_makespan_s"]
    # Long jobs of another program: 1.225 times the energy, 1.103 times the time, to first order.
    curve = found["curve"]
    assert (curve[0]["time"], curve[-1]["energy"]) == (1.0, 1.0)
    assert curve[0]["energy"] == pytest.approx(1.225, abs=0.005)
    assert curve[-1]["time"] == pytest.approx(1.103, abs=0.005)
    assert [point["interval_s"] for point in curve] == sorted(p["interval_s"] for p in curve)


def test_with_static_power_alone_energy_is_time():
    found = read(*SIMPLE, "--power", "static=1kW,compute=0W")["energy"]
    assert found["least_time"] == found["least_energy"]
    choice = found["least_time"]
    known = expected_makespan(
        7 * DAY, interval=choice["interval_s"], mtbf=8 * HOUR, checkpoint_cost=360.0
    )
    assert choice["expected_makespan_s"] == pytest.approx(float(known), rel=1e-12)
    assert choice["expected_energy_j"] == pytest.approx(1e3 * float(known), rel=1e-12)


def test_time_against_energy_in_words():
    words = " ".join(run(*PRINTED, *POWER).split())
    assert "going on at 50 % of the speed while it checkpoints" in words
    assert "least time" in words
    assert "least energy" in words
    assert "[GWh]" in words
    alone = " ".join(run(*SIMPLE, "--power", "static=100W,compute=200W").split())
    assert "standing still" in alone
    assert "[kWh]" in alone


def test_every_checkpoint_is_on_the_only_level_that_pays():
    level = ["--level", "cost=1h,recovery=1min,survives=50%"]
    text = flat(run(*SIMPLE, *level))
    assert "Level 1 (cost 60 min, survives 50 %) does not pay: leave it out." in text
    assert "The last level (cost 6 min, survives 100 %): every checkpoint. Mean" in text


def test_a_protocol_that_cannot_be_computed_is_left_out_with_its_reason():
    words = [*SIMPLE, "--compare", "--async-latency", "1h", "--work", "1e3y"]
    words += ["--in-flight", "skip", "--snapshot-cost", "1s"]
    found = read(*words, "--work", "1e6y")
    assert {each["protocol"] for each in found["protocols"]} == {"synchronous", "single_segment"}
    assert found["protocols_left_out"].keys() == {"asynchronous"}
    text = flat(run(*words, "--work", "1e6y"))
    assert "Asynchronous: left out, as it cannot be computed: work must be at most" in text


def test_work_of_more_segments_than_an_integer_counts():
    found = read(*SIMPLE, "--async-latency", "1h", "--work", "1e100y")["asynchronous"]
    assert found["segments"] > 10**100
    assert found["interval_s"] == pytest.approx(4317.0, rel=1e-3)


STEP = 7 * MINUTE
STEPPED = (
    *("--mtbf", "6h", "--checkpoint-cost", "2min", "--recovery-cost", "3min"),
    *("--work", "3d", "--step-time", "7min"),
)


def in_steps(found):
    """Return an interval's number of steps, which it must be."""
    assert found["interval_s"] == found["steps"] * STEP
    return found["steps"]


@pytest.mark.parametrize("rule", ["overlap", "single_buffer", "skip"])
def test_asynchronous_checkpoints_follow_whole_steps(rule):
    drain = ("--async-latency", "10min", "--snapshot-cost", "20s", "--in-flight", rule)
    found = read(*STEPPED, *drain)["asynchronous"]
    costs = {"mtbf": 6 * HOUR, "checkpoint_cost": 20.0, "recovery_cost": 180.0, "latency": 600.0}
    steps = in_steps(found)

    def mean(count):
        return expected_makespan_async(3 * DAY, interval=count * STEP, in_flight=rule, **costs)

    assert found["expected_makespan_s"] == pytest.approx(float(mean(steps)))
    assert found["expected_makespan_s"] <= min(mean(steps + 1), mean(max(steps - 1, 1)))
    assert found["segments"] == math.ceil(3 * DAY / found["interval_s"])
    text = flat(run(*STEPPED, *drain))
    assert f"of work ({steps} step{'' if steps == 1 else 's'}), in {found['segments']} " in text


def test_patterns_of_levels_have_whole_steps():
    found = read(*STEPPED, "--level", "cost=10s,recovery=5s,survives=80%")["levels"]
    levels = [Level(10.0, 5.0, 0.8), Level(120.0, 180.0, 1.0)]
    steps, every = in_steps(found), found["levels"][-1]["every"]

    def useful(count):
        pattern = {"interval": count * STEP, "counts": (every - 1,), "mtbf": 6 * HOUR}
        return every * count * STEP / expected_pattern_time(levels, **pattern)

    assert found["efficiency"] == pytest.approx(useful(steps), rel=1e-12)
    assert found["efficiency"] >= max(useful(steps + 1), useful(max(steps - 1, 1)))
    assert found["overhead"] == pytest.approx(1.0 / found["efficiency"] - 1.0)
    assert found["single_interval_s"] == 5 * STEP
    text = flat(run(*STEPPED, "--level", "cost=10s,recovery=5s,survives=80%"))
    assert f"of work ({steps} step{'' if steps == 1 else 's'})." in text


def test_intervals_of_least_time_and_energy_are_whole_steps():
    found = read(*STEPPED, "--power", "static=8MW,compute=10MW,io=1MW")["energy"]
    quick, frugal = found["least_time"], found["least_energy"]
    assert (in_steps(quick), in_steps(frugal)) == (5, 4)
    machine = {"mtbf": 6 * HOUR, "checkpoint_cost": 120.0, "recovery_cost": 180.0, "overlap": 0.0}
    powers = {"static_power": 8e6, "compute_power": 1e7, "io_power": 1e6, "down_power": 0.0}
    for choice in (quick, frugal):
        w = choice["interval_s"]
        spent = float(expected_energy(3 * DAY, interval=w, **machine, **powers))
        assert choice["expected_energy_j"] == pytest.approx(spent, rel=1e-12)
        time = float(
            expected_makespan(
                3 * DAY, interval=w, mtbf=6 * HOUR, checkpoint_cost=120.0, recovery_cost=180.0
            )
        )
        assert choice["expected_makespan_s"] == pytest.approx(time, rel=1e-12)
    assert "in whole steps" in flat(run(*STEPPED, "--power", "static=8MW,compute=10MW,io=1MW"))


def test_intervals_under_a_law_of_uptimes_are_whole_steps():
    law = ("--uptime-law", "weibull:mean=6h,shape=0.7")
    found = read(*law, *STEPPED[2:], "--sequence")["ageing"]
    steps = in_steps(found)
    uptime = Weibull(0.7, 6 * HOUR / math.gamma(1.0 + 1.0 / 0.7))
    costs = {"checkpoint_cost": 120.0, "recovery_cost": 180.0}

    def useful(count):
        return useful_share_ageing(count * STEP, uptime=uptime, **costs)

    assert found["useful_share"] == pytest.approx(useful(steps), rel=1e-12)
    assert found["useful_share"] >= max(useful(steps - 1), useful(steps + 1))
    assert found["exponential_interval_s"] == 5 * STEP
    assert all(each > 0.0 and each % STEP == 0.0 for each in found["intervals_s"])
    by_age = useful_share_ageing(found["intervals_s"], uptime=uptime, **costs)
    assert found["intervals_useful_share"] == pytest.approx(float(by_age), rel=1e-12)
    mean = expected_makespan_ageing(3 * DAY, interval=steps * STEP, uptime=uptime, **costs)
    assert found["expected_makespan_s"] == pytest.approx(float(mean), rel=1e-12)
    assert f"({steps} steps)" in flat(run(*law, *STEPPED[2:]))


def test_a_comparison_of_protocols_says_that_it_does_not_keep_to_steps():
    assert "not in whole steps" in flat(run(*STEPPED, "--compare"))
    assert "not in whole steps" not in flat(run(*STEPPED[:-2], "--compare"))
