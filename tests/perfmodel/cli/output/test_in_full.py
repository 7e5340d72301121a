"""Answers printed in full: every word, heading and unit, each number as one would round it."""

import math
from types import SimpleNamespace as Made

import pytest

from perfmodel.answers.words import advice
from perfmodel.answers.words.energy import energy_parts
from perfmodel.answers.words.protocols import protocol_parts
from perfmodel.answers.words.watched import watched_parts
from perfmodel.cli.output import clusters, measures, scenarios
from tests.support.paper import printed, taken_down

HOUR, DAY = 3600.0, 86400.0


def test_time_against_energy():
    quick = {"interval_s": HOUR, "expected_makespan_s": 10 * DAY, "expected_energy_j": 7.2e9}
    frugal = {"interval_s": 3 * HOUR, "expected_makespan_s": 11 * DAY, "expected_energy_j": 6e9}
    found = Made(
        overlap=0.0,
        least_time=Made(**quick, steps=None),
        least_energy=Made(**frugal, steps=None),
    )
    title = "Time against energy, the job {} it checkpoints:"
    table = (
        "table",
        1,
        [
            "interval of a long job",
            "interval\n[min]",
            "makespan\n[d]",
            "energy\n[MWh]",
            "more time\n[%]",
            "more energy\n[%]",
        ],
        ["least time", "60.00", "10.00", "2.00", "0.00", "20.00"],
        ["least energy", "180.00", "11.00", "1.67", "10.00", "0.00"],
    )
    still = "Time against energy, the job standing still:"
    assert taken_down(energy_parts(found)) == [("line", still), table]
    found.overlap = 0.5
    going = title.format("going on at 50 % of the speed while")
    assert taken_down(energy_parts(found)) == [("line", going), table]
    found.least_time.steps, found.least_energy.steps = 1, 3
    table[2][0] += ", in whole steps"
    assert taken_down(energy_parts(found)) == [("line", going), table]


@pytest.mark.parametrize(
    ("joules", "unit", "text"),
    [(3.5e6, "J", "3,500,000.00"), (3.6e6, "kWh", "1.00"), (7.2e12, "GWh", "2.00")],
)
def test_the_unit_of_energy_is_the_largest_of_which_there_is_one(joules, unit, text):
    same = Made(interval_s=60.0, steps=None, expected_makespan_s=DAY, expected_energy_j=joules)
    found = Made(overlap=0.0, least_time=same, least_energy=same)
    *_, (_, _, headings, row, _) = taken_down(energy_parts(found))
    assert (headings[3], row[3]) == (f"energy\n[{unit}]", text)


def protocol(name, **changes):
    usual = {"interval": 2 * HOUR, "segments": 12.0, "durable_every": 1.0, "error": 0.0}
    times = {"expected_time": 30 * HOUR, "overhead": 0.25, "regret": 0.1, "crossover": None}
    return Made(protocol=name, **{**usual, **times, **changes})


def test_protocols_and_where_their_order_changes():
    best = protocol("two_levels", regret=0.0, durable_every=4.0, expected_time=28 * HOUR)
    others = [
        protocol("synchronous", regret=0.0),
        protocol("single_segment", segments=1.0, interval=24 * HOUR, crossover=3 * DAY),
        protocol("predicted", error=0.02, crossover=8 * HOUR),
        protocol("asynchronous", error=math.inf),
    ]
    found = Made(protocols=(best, *others), best=best, value=DAY, left_out=[("pairs", "no law")])
    assert taken_down(protocol_parts(found, stepped=False)) == [
        ("line", "Protocols, each with its best number of equal segments:"),
        (
            "table",
            1,
            [
                "protocol",
                "interval\n[h]",
                "segments",
                "durable\n1 in",
                "makespan\n[h]",
                "overhead\n[%]",
                "longer than\nthe best [%]",
            ],
            ["two levels", "2.00", "12", "4", "28.00", "25.00", "0.00"],
            ["synchronous", "2.00", "12", "1", "30.00", "25.00", "0.00"],
            ["one segment", "24.00", "1", "1", "30.00", "25.00", "10.00"],
            ["predicted", "2.00", "12", "1", "30.00", "25.00", "10.00"],
            ["asynchronous", "2.00", "12", "1", "30.00", "25.00", "10.00"],
        ),
        ("line", "Synchronous: as good as two levels at this MTBF."),
        ("line", "One segment: at least as good as two levels at an MTBF of 3 d or more."),
        ("line", "Predicted: at least as good as two levels at an MTBF of 8 h or less."),
        (
            "line",
            "Asynchronous: never as good as two levels within a factor of 1,000 of this MTBF.",
        ),
        ("line", "Predicted: to first order, its makespan is within 2.00 %."),
        ("line", "Asynchronous: beyond the range of its rule, so that its makespan is not known."),
        ("line", "Pairs: left out, as it cannot be computed: no law."),
    ]
    first, *_ = taken_down(protocol_parts(found, stepped=True))
    words = "Protocols, each with its best number of equal segments, not in whole steps:"
    assert first == ("line", words)


def row(scenario, policy, **changes):
    usual = {"mean_slowdown": 1.5, "mean_response_s": 3 * HOUR, "mean_wait_s": HOUR}
    counts = {"kills": 1234, "cancelled": 5, "killed_at_walltime": 67}
    return {"scenario": scenario, "policy": policy, **usual, **counts, **changes}


SPREAD = {"mean_slowdown": 0.5, "mean_response_s": 60.0, "mean_wait_s": 0.001, "kills": 2.25}


def test_scenarios_of_a_grid():
    rows = [
        row("failures", "fcfs", scheduler_s=1.234),
        row("failures", "easy", sd=SPREAD, seeds=9, mean_wait_s=2 * HOUR),
    ]
    recorded = {"mean_slowdown": 2.0, "mean_response_s": 4 * HOUR, "mean_wait_s": 3 * HOUR}
    asked = {"kill": True, "timed": True}
    assert printed(scenarios.show_scenarios, rows, recorded, **asked) == [
        (
            "table",
            2,
            [
                "scenario",
                "policy",
                "slowdown",
                "response\n[h]",
                "wait\n[min]",
                "attempts\nkilled",
                "jobs\ncancelled",
                "killed at\nwalltime",
                "scheduler\n[s]",
            ],
            ["failures", "fcfs", "1.50", "3.00", "60.00", "1,234", "5", "67", "1.23"],
            ["failures", "easy", "1.50", "3.00", "120.00", "1,234", "5", "67", "-"],
            ["", "± sd, 9 seeds", "0.50", "0.02", "<0.01", "2.2", "-", "-", "-"],
            ["recorded", "", "2.00", "4.00", "180.00", "-", "-", "-", "-"],
        )
    ]
    ((_, _, headings, *found),) = printed(
        scenarios.show_scenarios, rows[:1], None, kill=False, timed=False
    )
    assert headings[5:] == ["attempts\nkilled", "jobs\ncancelled"]
    assert found == [["failures", "fcfs", "1.50", "3.00", "60.00", "1,234", "5"]]


def test_milliseconds_do_not_set_the_unit_of_weeks():
    rows = [row("none", "fcfs", mean_wait_s=0.004), row("none", "easy", mean_wait_s=3 * DAY)]
    ((_, _, headings, first, second),) = printed(
        scenarios.show_scenarios, rows, None, kill=False, timed=False
    )
    assert (headings[4], first[4], second[4]) == ("wait\n[d]", "<0.01", "3.00")


def test_jobs_that_never_wait_wait_for_no_time_at_all():
    rows = [row("none", "fcfs", mean_wait_s=0.0), row("none", "easy", mean_wait_s=HOUR)]
    ((_, _, headings, first, second),) = printed(
        scenarios.show_scenarios, rows, None, kill=False, timed=False
    )
    assert (headings[4], first[4], second[4]) == ("wait\n[min]", "0.00", "60.00")


def used(share, failures, down, striking, kills):
    names = ("utilization", "failures", "down", "striking_failures", "kills")
    return dict(zip(names, (share, failures, down, striking, kills), strict=True))


def test_clusters_that_failed_and_those_that_did_not():
    rows = [
        {
            "scenario": "failures",
            "policy": policy,
            "by_cluster": {
                "a": used(0.5, 1200, 0.01, 300 + more, 1500 + more),
                "b": used(0.25, 0, 0.0, 0, 0),
                "c": used(0.125, 2, 0.0, 1, 0),
            },
            "killed_share": {"a": 1.0, "b": 0.0, "c": 0.0},
        }
        for policy, more in (("fcfs", 0), ("easy", 7))
    ]
    title = "failures, failures of machines, and those that ended an attempt:"
    assert printed(clusters.show_clusters, rows) == [
        ("line", "Time in use by cluster in failures [%]:"),
        (
            "table",
            1,
            ["cluster", "fcfs", "easy"],
            ["a", "50.0", "50.0"],
            ["b", "25.0", "25.0"],
            ["c", "12.5", "12.5"],
        ),
        ("line", title),
        (
            "table",
            1,
            ["cluster", "down\n[%]", "failures", "struck\nfcfs", "struck\neasy"],
            ["a", "1.00", "1,200", "300", "307"],
            ["c", "0.00", "2", "1", "1"],
        ),
        ("close", "The other 1 had none."),
        (
            "close",
            "Down and failures: from the first submission until the last attempt ended, a mean "
            "over the policies.",
        ),
        (
            "line",
            "failures, killed attempts, and share of the killed attempts [%]:",
        ),
        (
            "table",
            1,
            ["cluster", "fcfs", "[%]", "easy", "[%]"],
            ["a", "1,500", "100.0", "1,507", "100.0"],
        ),
        ("close", "The other 2 had none."),
    ]


def test_clusters_of_which_none_failed():
    calm = {"a": used(0.5, 0, 0.0, 0, 0)}
    one = {"scenario": "s", "policy": "p", "by_cluster": calm, "killed_share": {"a": 0.0}}
    assert printed(clusters.show_clusters, [one])[2:] == [
        ("line", "s: no failure before the last attempt ended."),
    ]
    one["by_cluster"] = {"a": used(0.5, 3, 0.0, 0, 0)}
    assert printed(clusters.show_clusters, [one])[4:] == [
        ("close", "Down and failures: from the first submission until the last attempt ended."),
        ("line", "s: no attempt killed."),
    ]
    del one["killed_share"]
    assert len(printed(clusters.show_clusters, [one])) == 2


def test_percentiles_of_waits():
    rows = {
        name: {
            "wait_percentiles_s": {"50": HOUR * times, "95": 4 * HOUR * times},
            "bounded_slowdown_percentiles": {"50": 1.0, "95": 1234.5},
        }
        for name, times in (("fcfs", 1.0), ("easy", 2.0))
    }
    assert printed(measures.show_percentiles, "policy", rows) == [
        ("line", "Percentiles of wait and of bounded slowdown:"),
        (
            "table",
            1,
            ["policy", "wait [h]\n50 %", "wait [h]\n95 %", "slowdown\n50 %", "slowdown\n95 %"],
            ["fcfs", "1.00", "4.00", "1.00", "1,234.50"],
            ["easy", "2.00", "8.00", "1.00", "1,234.50"],
        ),
    ]


def test_classes_of_jobs():
    def of(size, length, jobs, wait, slowdown):
        named = {"size": size, "length": length, "jobs": jobs, "mean_wait_s": wait}
        return {**named, "mean_bounded_slowdown": slowdown}

    found = {
        "fcfs": [
            of("1-8", "<1 h", 2000, 2 * HOUR, 3.0),
            of("1-8", "all", 2001, 3 * HOUR, 4.0),
            of("all", "<1 h", 2000, 4 * HOUR, 5.0),
            of("all", "all", 2001, 5 * HOUR, 6.0),
        ]
    }
    across = ["nodes", "<1 h", "all"]
    assert printed(measures.show_classes, found, unit="nodes") == [
        ("heading", "By size and running time"),
        ("line", "Jobs by nodes and running time:"),
        ("table", 1, across, ["1-8", "2,000", "2,001"], ["all", "2,000", "2,001"]),
        ("line", "fcfs: mean wait [h]:"),
        ("table", 1, across, ["1-8", "2.00", "3.00"], ["all", "4.00", "5.00"]),
        ("line", "fcfs: mean bounded slowdown:"),
        ("table", 1, across, ["1-8", "3.00", "4.00"], ["all", "5.00", "6.00"]),
    ]
    found["fcfs"] = found["fcfs"][1:]
    assert printed(measures.show_classes, found)[2][3:] == (
        ["1-8", "", "2,001"],
        ["all", "2,000", "2,001"],
    )


@pytest.mark.parametrize("periods", [60, 61])
def test_use_over_time(periods):
    columns = {
        "from_s": [2 * HOUR * place for place in range(periods)],
        "utilization": [0.5] * periods,
        "waiting_jobs": [1234.56] * periods,
    }
    title, (_, words, headings, *rows), *more = printed(
        measures.show_use, "policy", {"easy": columns}, 2 * HOUR
    )
    assert title == ("line", "Means over periods of 2 h, since the first submission:")
    assert (words, headings) == (1, ["policy", "from\n[h]", "in use\n[%]", "jobs\nwaiting"])
    assert rows[:60] == [["easy", str(2 * place), "50.0", "1,234.6"] for place in range(60)]
    if periods == 60:
        assert (rows[60:], more) == ([], [])
    else:
        assert rows[60:] == [["easy", "1 more", "", ""]]
        assert more == [("line", "--json and --use-out have every period.")]


def told(**changes):
    best = Made(interval_s=HOUR * 2, period_s=HOUR * 3, efficiency=0.9, expected_makespan_s=DAY * 3)
    rules = [
        Made(rule="best_segments", interval_s=HOUR * 4),
        Made(rule="exact", interval_s=HOUR * 5),
    ]
    usual = {"segments": 84, "steps": None, "low": None, "high": None, "long_efficiency": 0.9}
    job = Made(checkpoint_cost=60.0)
    return Made(**{"best": best, "rules": rules, "job": job, **usual, **changes})


def test_how_often_to_checkpoint():
    assert advice.recommendation_lines(told()) == [
        "Checkpoint after every 2 h of work, in 84 equal segments: one every 3 h while nothing "
        "fails.",
        "A job of no known length: every 5 h.",
    ]
    assert advice.recommendation_lines(told(segments=None, low=HOUR, high=math.inf))[::2] == [
        "Checkpoint after every 2 h of work: one every 3 h while nothing fails.",
        "Within the confidence limits of the MTBF: 60 min or more.",
    ]
    assert advice.recommendation_lines(told(steps=1, low=4 * HOUR, high=8 * HOUR)) == [
        "Checkpoint after every 2 h of work (1 step): one every 3 h while nothing fails.",
        "Were it not for whole steps: every 4 h.",
        "Within the confidence limits of the MTBF: 4 h to 8 h.",
    ]
    assert "(1,200 steps)" in advice.recommendation_lines(told(steps=1200))[0]
    assert advice.recommendation_lines(told(segments=1, long_efficiency=0.0099)) == [
        "This job is so short that a checkpoint before its end does not pay.",
        "A job of no known length: every 5 h.",
        "Yet the machine fails so often that the job hardly advances.",
    ]
    slow = told(steps=3)
    slow.best.efficiency = 0.0099
    assert advice.recommendation_lines(slow)[-1] == (
        "Yet a step takes so long beside the MTBF that the job hardly advances."
    )
    slow.best.efficiency = slow.long_efficiency = 0.01
    assert len(advice.recommendation_lines(slow)) == 2


def test_an_interval_that_reads_the_same_is_not_told_twice():
    same = told(segments=1)
    same.rules[1].interval_s = same.best.interval_s * (1 + 1e-9)
    assert len(advice.recommendation_lines(same)) == 1


def test_checkpoints_that_become_durable_later():
    later = Made(
        snapshot_cost_s=60.0,
        latency_s=HOUR * 2,
        in_flight="skip",
        interval_s=HOUR * 3,
        steps=None,
        segments=1234,
        expected_makespan_s=DAY * 2,
        efficiency=0.875,
    )
    words = (
        "Durable 2 h after each copy (skip): checkpoint after every 3 h of work, in 1,234 equal "
        "segments. Makespan 2 d, efficiency 87.50 %; 3 d if"
    )
    assert advice.asynchronous_lines(told(), later) == [f"{words} durable with the copy."]
    later.snapshot_cost_s = 5.0
    still = f"{words} it stands still for 60 s instead."
    assert advice.asynchronous_lines(told(), later) == [still]
    later.steps = 1500
    stepped = still.replace("3 h of work", "3 h of work (1,500 steps)").replace("equal ", "")
    assert advice.asynchronous_lines(told(), later) == [stepped]


def test_what_to_write_on_which_level():
    layers = [Made(cost_s=10.0 * n, survives=0.25 * n, every=n - 1) for n in (1, 2, 3)]
    layers.append(Made(cost_s=600.0, survives=1.0, every=8))
    pattern = Made(
        levels=layers,
        interval_s=HOUR * 2,
        steps=None,
        overhead=0.125,
        single_overhead=0.25,
        single_interval_s=HOUR * 3,
    )
    last = "Mean overhead 12.50 % of the work; 25.00 % with the last level alone, every 3 h."
    assert advice.level_lines(pattern) == [
        "On 4 levels, in a long job: checkpoint after every 2 h of work.",
        "Level 1 (cost 10 s, survives 25 %) does not pay: leave it out.",
        "Level 2 (cost 20 s, survives 50 %): every checkpoint that is not on a higher one.",
        "Level 3 (cost 30 s, survives 75 %): one checkpoint in 2.",
        "The last level (cost 10 min, survives 100 %): one checkpoint in 8.",
        last,
    ]
    for layer in layers[2:]:
        layer.every = 0
    layers[3].every = 1
    layers[1].every = 0
    assert advice.level_lines(pattern)[2:] == [
        "Level 2 (cost 20 s, survives 50 %) does not pay: leave it out.",
        "Level 3 (cost 30 s, survives 75 %) does not pay: leave it out.",
        "The last level (cost 10 min, survives 100 %): every checkpoint.",
        last,
    ]
    pattern.steps = 1
    first = "On 4 levels, in a long job: checkpoint after every 2 h of work (1 step)."
    assert advice.level_lines(pattern)[0] == first


def test_what_a_law_of_uptimes_says():
    older = Made(
        law="weibull",
        cv=1.23456,
        interval_s=HOUR * 2,
        steps=None,
        useful_share=0.75,
        exponential_interval_s=HOUR * 3,
        exponential_useful_share=0.5,
        expected_makespan_s=None,
        intervals_s=None,
        intervals_useful_share=None,
    )
    words = (
        "Uptimes weibull (cv 1.23), a failure renews the machine: checkpoint after every 2 h of "
        "work in a long job, useful 75.00 % of the time. Exponential uptimes of this mean would "
        "say 3 h: 50.00 %."
    )
    assert advice.ageing_lines(older) == [words]
    older.expected_makespan_s = DAY * 2
    older.intervals_s = [HOUR * n for n in (2, 3, 4, 5, 6, 7)]
    older.intervals_useful_share = 0.875
    ages = "By age, from each start of the machine on: 2 h, 3 h, 4 h, 5 h, 6 h, 7 h"
    more = "; useful 87.50 % of the time, 12.50 points more than any constant interval."
    makespan = "Makespan of this job: 2 d."
    assert advice.ageing_lines(older) == [words, makespan, f"{ages}{more}"]
    older.intervals_s = [*older.intervals_s, HOUR]
    assert advice.ageing_lines(older) == [words, makespan, f"{ages}, ...{more}"]
    older.steps = 4
    stepped = words.replace("2 h of work", "2 h of work (4 steps)")
    assert advice.ageing_lines(older)[0] == stepped


def rate_change(ratio=2.0, upper=4.0, p=0.001):
    return Made(ratio=ratio, lower=1.25, upper=upper, p_value=p, confidence=0.95)


def job_class(**changes):
    usual = {"least": 4, "most": 7, "jobs": 1234, "share": 0.5, "mtbf_s": 30 * DAY}
    times = {"interval_s": 2 * HOUR, "interval_before_s": 3 * HOUR, "goodput": 0.9375}
    more = {"length_s": 5 * HOUR, "promise_s": 6 * HOUR, "failures": 1500, "failures_before": 10}
    change = {"change": rate_change(), "changed": True}
    return Made(**{**usual, **times, **more, **change, **changes})


def site(**changes):
    usual = {"since_s": 30 * DAY, "by_log": True, "notes": ("read", "left out"), "nodes": 2048}
    counts = {"failures": 1200, "failures_before": 1100, "covered": True, "changed": False}
    mtbf = {"node_mtbf_s": 40 * DAY, "node_mtbf_low_s": 30 * DAY, "node_mtbf_high_s": 50 * DAY}
    more = {"change": rate_change(p=0.5), "level": 0.0125, "suspects": None}
    classes = (job_class(), job_class(least=1, most=1, changed=False))
    return Made(**{**usual, **counts, **mtbf, **more, "classes": classes, **changes})


def test_the_answer_for_a_site():
    assert taken_down(watched_parts(site(), cost=300.0)) == [
        ("fact", "logs", "read\nleft out"),
        ("fact", "window", "the last 30 d, beside the 30 d before"),
        ("fact", "machine", "2,048 nodes"),
        ("fact", "failures", "1,200 failures in the log, 1,100 before"),
        ("fact", "MTBF", "40 d of a node (95% confidence: 30 d to 50 d)"),
        (
            "fact",
            "change",
            "rate of failures 2 times that before (95% confidence: 1.25 to 4), p 0.5: no change "
            "is seen",
        ),
        ("fact", "checkpoint", "5 min to write"),
        (
            "table",
            1,
            [
                "nodes",
                "jobs",
                "share\n[%]",
                "MTBF\n[d]",
                "interval\n[h]",
                "before\n[h]",
                "goodput\n[%]",
                "median\n[h]",
                "promise\n[h]",
            ],
            ["4 - 7", "1,234", "50.0", "30.00", "2.00", "3.00", "93.75", "5.00", "6.00"],
            ["1", "1,234", "50.0", "30.00", "2.00", "3.00", "93.75", "5.00", "6.00"],
        ),
        (
            "line",
            "Share: of the node time. Promise: 90% of the jobs of median length end in this time, "
            "waits in the queue left out. No checkpoint is written at the end of a job, and none "
            "at all where the interval is longer than the job.",
        ),
        ("line", "Jobs that a node's failure ended, and their rate per node time:"),
        (
            "table",
            1,
            ["nodes", "now", "before", "rate now\nover before", "p", ""],
            ["4 - 7", "1,500", "10", "2", "0.001", "changed"],
            ["1", "1,500", "10", "2", "0.001", ""],
        ),
        (
            "line",
            "Changed: p is at most 0.013, so that with no change anywhere a line is wrong in at "
            "most 4% of all answers.",
        ),
        ("line", "Bad nodes: unknown without failures, a log that names nodes."),
    ]


def test_the_answer_for_a_site_of_which_less_is_known():
    unknown = rate_change(ratio=math.nan, p=1.0)
    quiet = site(
        by_log=False,
        covered=False,
        classes=(job_class(change=unknown, changed=False),),
        suspects=(),
    )
    found = taken_down(watched_parts(quiet, cost=300.0))
    assert ("fact", "failures", "1,200 jobs ended by a node, 1,100 before") in found
    assert ("fact", "change", "not known: the logs do not cover the window before") in found
    assert found[-3:] == [
        (
            "table",
            1,
            ["nodes", "now", "before", "rate now\nover before", "p", ""],
            ["4 - 7", "1,500", "10", "-", "1", ""],
        ),
        ("line", "No line is called changed: the logs do not cover the window before."),
        (
            "line",
            "No node fails more often than chance explains; nodes that are alike raise such an "
            "alarm in at most 5% of all windows.",
        ),
    ]
    suspects = [Made(node="n7", failures=1500, expected=2.345678, probability=1e-7)]
    empty = site(classes=(), change=rate_change(upper=math.inf), changed=True, suspects=suspects)
    assert taken_down(watched_parts(empty, cost=300.0))[5:] == [
        (
            "fact",
            "change",
            "rate of failures 2 times that before (95% confidence: 1.25 to more), p 0.001: changed",
        ),
        ("fact", "checkpoint", "5 min to write"),
        ("line", "No job ran in the last 30 d."),
        (
            "line",
            "Nodes that fail more often than chance explains; nodes that are alike raise such an "
            "alarm in at most 5% of all windows:",
        ),
        (
            "table",
            1,
            ["node", "failures", "expected", "probability"],
            ["n7", "1,500", "2.35", "1e-07"],
        ),
    ]
    no_ratio = taken_down(watched_parts(site(change=unknown), cost=300.0))[5]
    assert no_ratio == ("fact", "change", "rate of failures: no ratio, p 1")
