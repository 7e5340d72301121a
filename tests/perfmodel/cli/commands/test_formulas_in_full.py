"""What commands about one job print and answer in JSON, against the formulas themselves."""

import json
import math
from types import SimpleNamespace as Made

import numpy as np
import pytest

from perfmodel import efficiency, expected_makespan, optimal_interval
from perfmodel.answers import MachineShare, NodeCount
from perfmodel.answers.parts import training
from perfmodel.answers.questions import nodes, partition
from perfmodel.answers.words import advice as advice_words
from perfmodel.cli import main
from perfmodel.cli.lists.headline import Headline, Number
from perfmodel.cli.lists.protocols import protocol_headline
from perfmodel.cli.lists.table import print_answers, yearly
from perfmodel.interval import best_segments, regret
from perfmodel.scaling import expected_speedup, optimal_nodes
from perfmodel.training import training_shares
from tests.support.paper import printed, taken_down
from tests.support.runner import runner

HOUR, DAY = 3600.0, 86400.0


def answer(*words):
    done = runner().invoke(main, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_rules_side_by_side():
    rule = {"period_s": 2.5 * HOUR, "expected_makespan_s": 12 * DAY, "efficiency": 0.875}
    more = {"regret": 0.0125, "valid": True, "waste_cost": 1234.5}
    rules = [
        Made(rule="best_segments", interval_s=2 * HOUR, **rule, **more),
        Made(rule="daly_first_order", interval_s=3 * HOUR, **rule, **{**more, "valid": False}),
        Made(
            rule="young",
            interval_s=math.nan,
            **dict.fromkeys(rule, math.nan),
            regret=math.nan,
            valid=False,
            waste_cost=None,
        ),
    ]
    advice = Made(rules=rules, job=Made(price=None))
    heads = [
        "rule",
        "interval\n[h]",
        "period\n[h]",
        "makespan\n[d]",
        "efficiency\n[%]",
        "regret\n[%]",
        "in\nrange",
    ]
    numbers = ["2.50", "12.00", "87.50", "1.250"]
    rows = [
        ["best segments", "2.00", *numbers, "yes"],
        ["daly 1st order", "3.00", *numbers, "no"],
        ["young", "-", "-", "-", "-", "-", "no"],
    ]
    assert taken_down(advice_words.rules_table(advice)) == [("table", 1, heads, *rows)]
    advice.job.price = 2.0
    costs = ["1,234", "1,234", "-"]
    priced = [[*row, cost] for row, cost in zip(rows, costs, strict=True)]
    assert taken_down(advice_words.rules_table(advice)) == [
        ("table", 1, [*heads, "cost of\nwaste"], *priced)
    ]


def test_a_wrong_mtbf():
    known = {"best_interval_s": 2 * HOUR, "expected_makespan_s": 12 * DAY, "regret": 0.0125}
    mistakes = [Made(mtbf_factor=f, mtbf_s=f * 8 * HOUR, **known) for f in (0.25, 0.5, 2.0, 4.0)]
    numbers = ["2.00", "12.00", "1.250"]
    assert taken_down(advice_words.mistakes_table(Made(mistakes=mistakes))) == [
        (
            "table",
            1,
            ["true MTBF", "", "best interval\n[h]", "makespan\n[d]", "regret\n[%]"],
            ["x 1/4", "2 h", *numbers],
            ["x 1/2", "4 h", *numbers],
            ["x 2", "16 h", *numbers],
            ["x 4", "32 h", *numbers],
        )
    ]


JOB = {"mtbf": 8 * HOUR, "checkpoint_cost": 360.0}
COSTS = {**JOB, "recovery_cost": 240.0, "downtime": 600.0}
TYPED = ["--mtbf", "8h", "--checkpoint-cost", "6min", "--recovery-cost", "4min"]
TYPED += ["--downtime", "10min", "--work", "10d"]


def test_the_numbers_of_an_interval_are_those_of_the_formulas():
    found = answer("interval", *TYPED, "--price", "3")
    work = 10 * DAY
    best = work / float(best_segments(work, **JOB))
    makespan = float(expected_makespan(work, interval=best, **COSTS))
    assert found["best_segments"] == round(work / best)
    assert found["recommended_interval_s"] == pytest.approx(best)
    assert found["recommended_period_s"] == pytest.approx(best + 360.0)
    assert found["expected_makespan_s"] == pytest.approx(makespan)
    names = ["best_segments", "exact", "daly", "daly_first_order", "young", "wsj"]
    assert [rule["rule"] for rule in found["rules"]] == names
    exact = found["rules"][1]
    every = float(optimal_interval(**JOB))
    assert exact == {
        "rule": "exact",
        "interval_s": pytest.approx(every),
        "period_s": pytest.approx(every + 360.0),
        "expected_makespan_s": pytest.approx(
            float(expected_makespan(work, interval=every, **COSTS))
        ),
        "efficiency": pytest.approx(float(efficiency(work, interval=every, **COSTS))),
        "regret": pytest.approx(float(regret(every, work=work, **JOB)), rel=1e-6),
        "valid": True,
        "waste_cost": pytest.approx(
            3.0 * (float(expected_makespan(work, interval=every, **COSTS)) - work) / HOUR
        ),
    }
    assert found["rules"][4]["interval_s"] == pytest.approx(math.sqrt(2 * 360.0 * 8 * HOUR))
    for mistake, factor in zip(found["mtbf_mistakes"], (0.25, 0.5, 2.0, 4.0), strict=True):
        other = {**JOB, "mtbf": factor * 8 * HOUR}
        assert mistake == {
            "mtbf_factor": factor,
            "mtbf_s": factor * 8 * HOUR,
            "best_interval_s": pytest.approx(work / float(best_segments(work, **other))),
            "expected_makespan_s": pytest.approx(
                float(expected_makespan(work, interval=best, **{**COSTS, **other}))
            ),
            "regret": pytest.approx(float(regret(best, work=work, **other)), rel=1e-6),
        }
    assert (found["mtbf_confidence"], found["recommended_steps"]) == (None, None)


def test_whole_steps_have_the_least_regret():
    found = answer("interval", *TYPED, "--step-time", "25min")
    work = 10 * DAY
    best = work / float(best_segments(work, **JOB))
    below = math.floor(best / 1500.0)
    steps = min(
        (below, below + 1), key=lambda count: float(regret(count * 1500.0, work=work, **JOB))
    )
    assert found["recommended_steps"] == steps
    assert found["recommended_interval_s"] == steps * 1500.0
    assert found["rules"][0]["rule"] == "whole_steps"
    assert found["rules"][0]["valid"] is True
    seen = answer("interval", "--failures", "30", "--observed", "240h", *TYPED[2:])
    assert seen["mtbf_confidence"] == 0.95
    for end in ("low", "high"):
        other = {**JOB, "mtbf": seen[f"mtbf_{end}_s"]}
        assert seen[f"recommended_interval_{end}_s"] == pytest.approx(
            work / float(best_segments(work, **other))
        )


RUN = [*TYPED[:-2], "--detection", "2min", "--queue", "3min", "--warm-up", "1min"]


def test_the_goodput_of_a_run_is_that_of_the_formula():
    found = answer("goodput", *RUN, "--interval", "1h")
    known = training_shares(
        interval=HOUR,
        **JOB,
        latency=0.0,
        restore=240.0,
        warm_up=60.0,
        detection=120.0,
        queue=180.0,
        rescheduling=600.0,
    )
    assert found["goodput"] == pytest.approx(float(known.goodput))
    assert found["losses"] == pytest.approx({k: float(v) for k, v in known.losses().items()})
    assert sum(found["losses"].values()) + found["goodput"] == pytest.approx(1.0)
    assert (found["interval_s"], found["interval_steps"], found["memory"]) == (HOUR, None, None)
    assert (found["tokens_per_day"], found["goodput_low"], found["lost_to"]) == (None, None, {})
    names = ["as it is", "failures noticed at once", "spares that take over at once"]
    assert [each["change"] for each in found["changes"]] == [*names, "half as many failures"]
    assert found["changes"][0]["goodput"] == found["goodput"]
    base = {**JOB, "latency": 0.0, "restore": 240.0, "warm_up": 60.0}
    rest = {"detection": 120.0, "queue": 180.0, "rescheduling": 600.0}
    every = float(optimal_interval(**JOB))
    for place, change in (
        (1, {"detection": 0.0}),
        (2, {"queue": 0.0, "rescheduling": 0.0}),
        (3, {"mtbf": 16 * HOUR}),
    ):
        at = float(optimal_interval(**{**JOB, **change})) if "mtbf" in change else every
        other = training_shares(interval=at, **{**base, **rest, **change})
        assert found["changes"][place]["interval_s"] == pytest.approx(at, rel=1e-6)
        assert found["changes"][place]["goodput"] == pytest.approx(float(other.goodput), rel=1e-9)
    tokens = answer("goodput", *RUN, "--step-time", "10s", "--tokens-per-step", "1000")
    assert tokens["tokens_per_day"] == pytest.approx(tokens["goodput"] * 1000 * 8640)
    assert tokens["interval_s"] == pytest.approx(10.0 * tokens["interval_steps"])
    assert tokens["interval_s"] == pytest.approx(every, abs=10.0)


def test_shares_of_a_run():
    losses = {"checkpoint_save": 0.125, "detection": 0.0, "warm_up": 0.0625}
    assert taken_down(training.shares_table(0.8125, losses)) == [
        (
            "table",
            1,
            ["", "share\n[%]", "of each\nday"],
            ["goodput", "81.25", ""],
            ["checkpoint save", "12.50", "3 h"],
            ["warm-up", "6.25", "90 min"],
        )
    ]


@pytest.mark.parametrize(
    ("every", "words"),
    [
        (math.inf, "none of them need be durable"),
        (1234.0, "one in 1,234 of them durable"),
        (1.0, "all of them durable"),
    ],
)
def test_copies_in_memory(every, words):
    memory = Made(durable_every=every, interval_s=2 * HOUR, steps=None)
    assert training.memory_line(memory) == f"With copies in memory every 2 h of work, {words}:"
    memory.steps = 1200
    assert training.memory_line(memory) == (
        f"With copies in memory every 2 h of work (1,200 steps), {words}:"
    )


def test_remarks_on_a_run():
    found = Made(goodput_low=None, goodput_high=None, tokens_per_day=None, ettr_first_order=0.75)
    last = "To first order (ETTR) it would be 75.00 %."
    assert training.remarks(found) == [last]
    found.goodput_low, found.goodput_high, found.tokens_per_day = 0.5, 0.625, 1.23456e9
    assert training.remarks(found) == [
        "Within the confidence limits of the MTBF: 50.00 to 62.50 % at this interval.",
        "1.235e+09 tokens a day are kept.",
        last,
    ]


SCALED = ["nodes", "--nodes", "5000", "--node-mtbf", "5y", "--sequential-share", "0.1%"]
SCALED += ["--checkpoint-cost", "1min", "--recovery-cost", "2min", "--downtime", "3min"]


@pytest.mark.parametrize("law", ["amdahl", "gustafson"])
def test_how_many_nodes_to_use(law):
    job = {
        "sequential_share": 0.001,
        "node_mtbf": 5 * 365.25 * DAY,
        "checkpoint_cost": 60.0,
        "recovery_cost": 120.0,
        "downtime": 180.0,
        "law": law,
    }
    found = answer(*SCALED, "--law", law)
    best = optimal_nodes(**job, checkpoint_cost_per_node=0.0, most=5000)
    assert found["best_nodes"] == best
    counts = [row["nodes"] for row in found["counts"]]
    assert counts == sorted(set(counts))
    assert {best, 5000} <= set(counts)
    for row in found["counts"]:
        count = row["nodes"]
        assert row["mtbf_s"] == pytest.approx(job["node_mtbf"] / count)
        assert row["interval_s"] == pytest.approx(
            float(optimal_interval(mtbf=job["node_mtbf"] / count, checkpoint_cost=60.0))
        )
        speedup = expected_speedup(count, **job, checkpoint_cost_per_node=0.0)
        assert row["speedup"] == pytest.approx(float(speedup))
        plain = 1.0 / (0.001 + 0.999 / count) if law == "amdahl" else 0.001 + 0.999 * count
        assert row["speedup_without_failures"] == pytest.approx(plain)


def test_advice_on_nodes_in_words():
    hopeless = "Yet even so they fail so often that the job hardly advances."
    assert nodes.advice_lines(1200, 5000, 9.0) == ["Use 1,200 of 5,000 nodes."]
    assert nodes.advice_lines(5000, 5000, 9.0) == ["Use all 5,000 nodes."]
    assert nodes.advice_lines(1, 1, 1e-9) == ["Use the one node.", hopeless]
    row = NodeCount(1200, 2 * HOUR, 3 * HOUR, 1234.567, 12345.67)
    assert nodes.count_row(row, 1200) == ["1,200 *", "2 h", "3 h", "1,234.6", "12,346"]
    assert nodes.count_row(row, 7)[0] == "1,200"


@pytest.mark.parametrize("missed", [True, False])
def test_machines_that_share_work(missed):
    found = Made(
        expected_time=2 * DAY,
        std=HOUR * 2,
        subtask_time=3 * HOUR,
        missed=missed,
        plain_processes=1200,
    )
    row = {"share_s": 7200.0, "share": 0.25, "compute_time_s": 3600.0}
    most = partition.MOST_ROWS
    rows = [MachineShare(machine=f"m{place}", **row) for place in range(most + 1001)]
    plain = (
        "Bisection alone would have stopped at 1,200 machines, which is worse than what the scan "
        "found."
    )
    lines = [
        ("line", "... and 1,001 more machines: as_csv shows all."),
        (
            "line",
            "Done after 2 d on average, standard deviation 2 h; each subtask takes 3 h on average.",
        ),
        *([("line", plain)] if missed else []),
    ]
    heads = ["machine", "share\n[h]", "share\n[%]", "failure-free\ntime [h]"]
    shown = [[f"m{place}", "2.00", "25.00", "1.00"] for place in range(most)]
    assert taken_down(partition.share_parts(found, rows)) == [
        ("table", 1, heads, *shown),
        *lines,
    ]
    few = taken_down(partition.share_parts(found, rows[:most]))
    assert few[1:] == lines[1:]


ANSWERS = [
    Headline(
        {
            "interval": Number("duration", 2 * HOUR),
            "saved": Number("share", 0.125),
            "level 1\n1 in": Number("count", 1234.0),
        },
        time=10 * DAY,
        useful=0.75,
        per_hour=10.0,
    ),
    Headline({"interval": Number("duration", None)}, time=11 * DAY, useful=0.5, per_hour=10.0),
    Headline(),
]
GIVEN = [{"--node-mtbf": "8h", "--nodes": str(place)} for place in range(3)]


def test_answers_side_by_side():
    assert printed(print_answers, GIVEN, ANSWERS, per_year=True) == [
        (
            "table",
            2,
            [
                "node\nmtbf",
                "nodes",
                "interval\n[h]",
                "saved\n[%]",
                "level 1\n1 in",
                "mean time\n[d]",
                "change\n[%]",
                "goodput\n[%]",
                "cost",
                "change",
                "lost in\na year",
                "cost of\nthat",
            ],
            [
                *("8h", "0", "2.00", "12.50", "1,234", "10.00", "+0.00", "75.00", "2,400", "+0"),
                *("91.31 d", "21,915"),
            ],
            [
                *("8h", "1", "-", "-", "-", "11.00", "+10.00", "50.00", "2,640", "+240"),
                *("182.6 d", "43,830"),
            ],
            ["8h", "2", *["-"] * 10],
        ),
        ("line", "Changes are those from the first line."),
    ]
    useful = [Headline({}, useful=share) for share in (0.5, 0.75)]
    assert printed(print_answers, GIVEN[:2], useful, per_year=False) == [
        (
            "table",
            2,
            ["node\nmtbf", "nodes", "goodput\n[%]", "change\n[points]"],
            ["8h", "0", "50.00", "+0.00"],
            ["8h", "1", "75.00", "+25.00"],
        ),
        ("line", "Changes are those from the first line."),
    ]
    assert printed(print_answers, [{}], useful[:1], per_year=True) == [
        ("table", 1, ["", "goodput\n[%]", "lost in\na year"], ["now", "50.00", "182.6 d"])
    ]


def test_what_is_lost_in_a_year():
    year = 365.25 * DAY
    assert yearly(ANSWERS[0]) == {"lost_per_year_s": year / 4, "lost_per_year": 21915.0}
    assert yearly(Headline({}, useful=0.5)) == {"lost_per_year_s": year / 2, "lost_per_year": None}
    assert yearly(Headline()) == {"lost_per_year_s": None, "lost_per_year": None}


PLAIN = {"price_per_hour": 7.0, "work_s": 50.0, "expected_makespan_s": 100.0}
PLAIN |= {"recommended_interval_s": 5.0}
QUICK = {"interval_s": 6.0, "expected_makespan_s": 200.0, "expected_energy_j": 80.0}
FRUGAL = {"interval_s": 9.0, "expected_energy_j": 60.0}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, Headline({"interval": Number("duration", 5.0)}, 100.0, 0.5, 7.0)),
        (
            {"expected_makespan_s": None},
            Headline({"interval": Number("duration", 5.0)}, None, None, 7.0),
        ),
        (
            {"asynchronous": {"interval_s": 3.0, "expected_makespan_s": 80.0}},
            Headline({"interval": Number("duration", 3.0)}, 80.0, 0.625, 7.0),
        ),
        (
            {
                "levels": {
                    "interval_s": 4.0,
                    "efficiency": 0.9,
                    "levels": [{"every": 0}, {"every": 8}],
                }
            },
            Headline(
                {
                    "interval": Number("duration", 4.0),
                    "level 1\n1 in": Number("count", None),
                    "level 2\n1 in": Number("count", 8),
                },
                None,
                0.9,
                7.0,
            ),
        ),
        (
            {"energy": {"least_time": QUICK, "least_energy": FRUGAL}},
            Headline(
                {
                    "least\ntime": Number("duration", 6.0),
                    "least\nenergy": Number("duration", 9.0),
                    "energy\nsaved": Number("share", 0.25),
                },
                200.0,
                0.25,
                7.0,
            ),
        ),
        (
            {
                "ageing": {
                    "interval_s": 4.0,
                    "intervals_useful_share": 0.8,
                    "expected_makespan_s": 90.0,
                    "useful_share": 0.7,
                }
            },
            Headline(
                {"interval": Number("duration", 4.0), "goodput\nby age": Number("share", 0.8)},
                90.0,
                0.7,
                7.0,
            ),
        ),
    ],
)
def test_the_headline_is_of_what_was_asked(more, expected):
    found = protocol_headline({**PLAIN, **more})
    assert list(found.numbers) == list(expected.numbers)
    assert found == expected


def test_energy_that_is_not_spent_is_not_saved():
    found = protocol_headline(
        {
            **PLAIN,
            "energy": {"least_time": QUICK, "least_energy": {**FRUGAL, "expected_energy_j": 0}},
        }
    )
    assert found.numbers["energy\nsaved"] == Number("share", None)
    assert np.isclose(found.useful, 0.25)
