"""What commands print of their results, in full: facts, tables and the words below."""

import math
from types import SimpleNamespace as Made

import click
import numpy as np
import pytest

from perfmodel.answers.known.estimates import from_counts
from perfmodel.answers.parts.fitted import QUANTILES
from perfmodel.answers.questions.completion import chance_words
from perfmodel.answers.words import fit as fit_words
from perfmodel.answers.words import standbys as standby_words
from perfmodel.cli.commands import (
    advise,
    interval,
    simulate,
    spares,
)
from perfmodel.lifetimes import Weibull
from tests.support.paper import printed, taken_down
from tests.support.runner import words_of

HOUR, DAY = 3600.0, 86400.0


class Feed:
    """Failures at given times."""

    def __init__(self, *time):
        self.time = np.array(time)

    def __len__(self):
        return self.time.size


HEADINGS = [
    "mean wait\n[h]",
    "response\n[h]",
    "bounded\nslowdown",
    "in use\n[%]",
    "struck\n[%]",
    "lost\n[%]",
]
NUMBERS = ["2.00", "3.00", "4.50", "87.5", "6.25", "3.12"]
STRUCK = "Struck: jobs that a failure ended at least once. Lost: of the time in use."


USE = {"from_s": [0.0], "utilization": [0.5], "waiting_jobs": [3.0]}


BELOW = (
    "Failure slowdown: delay since the first start over the time without failures, averaged over "
    "the jobs that a failure struck and that ended; by option on the right. A dash: none."
)


def test_a_simulation_beside_its_prediction():
    job = Made(facts=lambda: [("MTBF", "8 h (as given)")])
    quantities = {"mean": "agrees", "standard deviation": "too few replications to tell"}
    found = [
        simulate.Comparison(
            name,
            2 * HOUR,
            3 * HOUR,
            HOUR,
            4 * HOUR,
            1.5 if name == "mean" else math.nan,
            0.02,
            what,
        )
        for name, what in quantities.items()
    ]
    numbers = ["2.00", "3.00", "1.00", "4.00"]
    assert printed(simulate._show, job, found, [("played", "10 jobs")]) == [
        ("fact", "MTBF", "8 h (as given)"),
        ("fact", "played", "10 jobs"),
        (
            "table",
            1,
            [
                "makespan\n[h]",
                "predicted",
                "simulated",
                "95 % limits\nfrom",
                "to",
                "z",
                "resolution\n[%]",
            ],
            ["mean", *numbers, "+1.50", "2.00"],
            ["standard deviation", *numbers, "-", "2.00"],
        ),
        ("line", "The mean agrees with the prediction."),
        ("line", "The standard deviation cannot be judged: too few replications."),
    ]


@pytest.mark.parametrize(
    ("z", "enough", "verdict"),
    [
        (0.5, True, "agrees"),
        (-0.5, True, "agrees"),
        (9.0, True, "differs"),
        (-9.0, True, "differs"),
        (0.5, False, "too few replications to tell"),
    ],
)
def test_a_comparison_is_judged_in_standard_errors(z, enough, verdict):
    stderr = 1e-3
    found = simulate._comparison("mean", 100.0, 100.0 + z * stderr, stderr, enough)
    assert found.verdict == verdict
    assert found.z == pytest.approx(z)
    # 95 % of a normal law lie within 1.96 standard errors.
    half = (found.simulated_high_s - found.simulated_low_s) / 2
    assert half == pytest.approx(1.96 * stderr, rel=1e-3)
    assert found.simulated_s == pytest.approx(100.0 + z * stderr)
    assert found.predicted_s == 100.0
    assert (found.simulated_low_s + found.simulated_high_s) / 2 == pytest.approx(found.simulated_s)


def test_a_comparison_without_spread_tells_nothing():
    found = simulate._comparison("mean", 100.0, 100.0, 0.0, True)
    assert found.verdict == "too few replications to tell"
    assert math.isnan(found.z)
    assert found.resolution == math.inf


@pytest.mark.parametrize(
    ("failures", "replications", "fits"),
    [(90.0, simulate.MOST_EVENTS / 100, True), (91.0, simulate.MOST_EVENTS / 100, False)],
)
def test_a_simulation_counts_failures_and_ten_more_of_each_job(failures, replications, fits):
    assert simulate._playable(failures, replications) is fits


def answer(**changes):
    made = {"seen": None, "blocks": 2048, "job_mtbf_s": 8 * HOUR, "blocks_down": 1.23456}
    more = {"interval_s": 3 * HOUR, "staged": False, "most": 0.9, "standbys": None, "goodput": None}
    rest = {"waiting_goodput": None, "work_s": None, "makespan_s": None, "needed": ()}
    return Made(**{**made, **more, **rest, "mean_stop_s": 300.0, "may_miss": 0, **changes})


def test_the_mtbf_of_a_node_where_that_of_the_machine_was_given():
    words = (
        "--mtbf must be left out: in every other command it is of the whole machine, and spares "
        "need that of one node, here "
    )
    assert words_of(spares._whole_machine(2 * HOUR, 1000)) == f"{words}--node-mtbf 2000h"
    assert words_of(spares._whole_machine(2 * HOUR, None)) == f"{words}2 h times the nodes"


def test_from_which_failures_an_mtbf_is_known():
    assert standby_words.basis_words(None, 4) == ""
    seen = from_counts(3, 3 * 10 * DAY)
    low, high = seen.low / DAY, seen.high / DAY
    assert standby_words.basis_words(seen, 2) == (
        f" (3 failures in 30 d); 95% confidence: {2 * low:.4g} d to {2 * high:.4g} d"
    )
    none = from_counts(0, 30 * DAY)
    assert standby_words.basis_words(none, 2) == " (no failure in 30 d: the lower limit at 95%)"


class Fits(tuple):
    """Laws that were fitted, the first of which is the best."""

    best = property(lambda self: self[0])
    rows = property(tuple)


def law(family, **changes):
    made = {"mean": 3 * DAY, "mean_interval": (2 * DAY, 4 * DAY), "log_likelihood": -1234.5}
    more = {"aicc": 100.0, "ks_distance": 0.0625, "parameters": {"mean": 3 * DAY, "shape": 0.5}}
    return Made(family=family, lifetime=Weibull(1.0, 3 * DAY), **{**made, **more, **changes})


def fitted(*families, best="weibull", mean=3 * DAY):
    laws = Fits([law(best), law("gamma", aicc=1334.56), law("lognormal", aicc=math.inf)])
    return Made(
        fits=laws,
        families=families,
        distances=(0.125, 0.5, 0.5),
        limits=(0.0625, 0.5, 0.5),
        recorded=(math.nan, *[2 * DAY] * (len(QUANTILES) - 1)),
        mean_s=mean,
    )


@pytest.mark.parametrize("count", [0, 1, 20, 1021])
@pytest.mark.parametrize("systems", [1, 2])
def test_nodes_that_fail_too_often(count, systems):
    named = [
        Made(system="s", node=f"n{place}", failures=1500, expected=2.345678)
        for place in range(count)
    ]
    found = taken_down(fit_words.suspect_parts(named, several=systems > 1))
    sure = "nodes that are alike raise such an alarm in at most 5% of all logs"
    if not count:
        none = f"No node fails more often than chance explains; {sure}."
        assert found == [("line", none)]
        return
    some = "1 node fails" if count == 1 else f"{count:,} nodes fail"
    of_system = ["system"] if systems > 1 else []
    lead = ["s"] if systems > 1 else []
    assert found[:2] == [
        ("line", f"{some} more often than chance explains; {sure}:"),
        (
            "table",
            1,
            [*of_system, "node", "failures", "expected"],
            *([*lead, f"n{place}", "1,500", "2.35"] for place in range(min(count, 20))),
        ),
    ]
    more = [("line", "In the answer of as_json, not here: 1,001 more.")]
    assert found[2:] == (more if count > 20 else [])


def advised(**changes):
    known = {"interval": 2 * HOUR, "bound": "", "mtbf": 10 * HOUR, "mtbf_lower": 5 * HOUR}
    more = {"mtbf_upper": 20 * HOUR, "failures": 1, "watched": 3 * DAY, "cost": 60.0}
    rest = {"periods": (2 * HOUR,), "survives": (1.0,), "expected_loss": 0.0625, "level": 1}
    rest |= {"contradiction": 0.0}
    of_known = {key: value for key, value in changes.items() if key in {*known, *more, *rest}}
    found = {"running": True, "writing": False, "draining": False, "due": False, "wait_s": 7200.0}
    found |= {key: value for key, value in changes.items() if key not in of_known}
    return Made(**{"next_step": None, **found}, known=Made(**{**known, **more, **rest, **of_known}))


def test_the_facts_of_an_advisor():
    assert advise._facts(advised()) == [
        ("checkpoint", "in 2 h"),
        ("interval", "2 h of work"),
        ("MTBF", "10 h by the mean failure rate; 90 %: 5 h to 20 h"),
        ("seen", "1 failure in 3 d"),
        ("cost", "60 s for a checkpoint"),
        ("expected loss", "6.25 % of the time"),
    ]
    none = dict(advise._facts(advised(interval=math.inf, failures=1200, periods=(1, 2))))
    assert none["interval"] == "none pays any more"
    assert none["seen"] == "1,200 failures in 3 d"
    assert "level 1" not in none
    periods, survives = (2 * HOUR, 2 * HOUR, 8 * HOUR), (0.5, 0.875, 1.0)
    levels = advise._facts(advised(periods=periods, survives=survives))[5:-1]
    assert levels == [
        ("level 1", "not used; survives 50.0 % of the failures"),
        ("level 2", "every 2 h of work; survives 87.5 % of the failures"),
        ("level 3", "every 8 h of work; survives 100.0 % of the failures"),
    ]
    doubted = advised(periods=periods, survives=survives, contradiction=advise._CONTRADICTED)
    assert advise._facts(doubted)[8] == (
        "levels",
        "the failures contradict what --level states of them",
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"running": False}, "none: the job does not run"),
        ({"writing": True}, "being written"),
        ({"writing": True, "due": True, "wait_s": 0.0}, "now"),
        ({"wait_s": math.inf}, "none before the end"),
        ({"wait_s": 0.0}, "now"),
        ({"wait_s": 0.0, "draining": True}, "once the last one is durable"),
        ({"wait_s": 0.0, "draining": True, "due": True}, "now"),
        ({"next_step": 1200}, "in 2 h, about after step 1,200"),
        ({"periods": (1, 2, 3), "level": 2}, "in 2 h, on level 2 of 3"),
        ({"periods": (1, 2), "wait_s": 0.0}, "now, on level 1 of 2"),
    ],
)
def test_when_a_checkpoint_is_due(changes, words):
    assert advise._when(advised(**changes)) == words


def test_notes_of_a_log_are_one_fact():
    seen = Made(log=Made(notes=("read", "left out")))
    assert standby_words.log_facts(seen) == [("log", "read\nleft out")]
    assert standby_words.log_facts(Made(log=None)) == standby_words.log_facts(None) == []


class Law(Made):
    """A law of completion of which all is known."""

    def ppf(self, shares):
        return [self.mean * (1.0 + share) for share in shares]

    def cdf(self, time):
        return self.chance


def below():
    """Return how a command is run that prints on the sheet at hand."""
    return {"standalone_mode": False, "parent": click.get_current_context()}


def test_a_probability_is_rounded_to_100_only_where_it_is_one():
    chances = [chance_words(p) for p in (0.0, 0.5, 0.99995, 0.99996, 1.0)]
    assert chances == ["0.00 %", "50.00 %", "over 99.99 %", "over 99.99 %", "100.00 %"]


def test_what_stands_about_the_tables_of_an_interval():
    words = ["--mtbf", "8h", "--checkpoint-cost", "6min", "--work", "10d"]
    found = printed(lambda: interval.interval.main(words, **below()))
    assert [part[0] for part in found[:6]] == ["fact"] * 5 + ["table"]
    assert found[6] == (
        "line",
        "All for 10 d of work. Best segments are equal ones; exact is the best interval of a much "
        "longer job, which need not divide this one.",
    )
    assert found[-2] == ("line", "What this interval costs if the true MTBF is another:")
    more = [*words, "--compare", "--power", "static=8MW,compute=10MW"]
    found = printed(lambda: interval.interval.main(more, **below()))
    titles = [part[1] for part in found if part[0] == "line"]
    compared = titles.index("Protocols, each with its best number of equal segments:")
    powered = titles.index("Time against energy, the job standing still:")
    assert (
        compared < powered < titles.index("What this interval costs if the true MTBF is another:")
    )
