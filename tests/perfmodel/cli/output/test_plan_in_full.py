"""The page of a plan in full, and that of several plans side by side."""

import math
from types import SimpleNamespace as Made

import pytest

from perfmodel.answers.words.plan import plan_parts
from perfmodel.answers.words.variants import variant_parts
from tests.support.paper import taken_down

HOUR, DAY = 3600.0, 86400.0


def plan(**changes):
    protocols = (
        Made(
            protocol="synchronous", interval=2 * HOUR, expected_time=30 * DAY, regret=0.0, error=0.0
        ),
        Made(
            protocol="single_segment",
            interval=9 * HOUR,
            expected_time=45 * DAY,
            regret=0.5,
            error=0.0,
        ),
        Made(protocol="predicted", interval=1.0, expected_time=1e9, regret=100.5, error=0.0),
    )
    best = Made(
        protocol="synchronous",
        interval=2 * HOUR,
        steps=None,
        tokens=None,
        durable_every=1.0,
        present_interval=5 * HOUR,
        present_loss=0.125,
        interval_low=HOUR * 2,
        interval_high=HOUR * 3,
        protocols=protocols,
    )
    row = {"unknown": False, "goal": "the goodput is 90 %", "side": "at least"}
    made = {
        "mtbf": Made(value=10 * HOUR, words="as given", low=8 * HOUR, high=20 * HOUR),
        "checkpoint": best,
        "job": Made(work=20 * DAY, ages=True, law="weibull", shape=0.75, cv=None),
        "goodput": Made(
            value=0.75,
            tokens_per_day=1.5e9,
            low=0.5,
            high=0.875,
            losses={"checkpoint_save": 0.125, "wasted_progress": 0.125},
            why_not=None,
        ),
        "completion": Made(
            mean=30 * DAY,
            deadline=40 * DAY,
            on_time=0.9,
            on_time_low=0.5,
            on_time_high=0.99,
            why_not=None,
            predictive=True,
            percentiles=(
                Made(q=0.5, time=25 * DAY, low=20 * DAY, high=None),
                Made(q=0.99, time=50 * DAY, low=40 * DAY, high=100 * DAY),
            ),
        ),
        "spares": Made(
            block_nodes=1,
            needed=3,
            confidence=0.99,
            best=2,
            why_not=None,
            table=tuple(
                Made(standbys=n, goodput=0.5 + n / 100, worth_per_year=1000.0 * n if n else None)
                for n in range(20)
            ),
        ),
        "costs": None,
        "break_evens": (
            Made(key="job.mtbf", value=5400.0, unit="s", **row),
            Made(key="job.loss", value=None, unit="share", **(row | {"unknown": True})),
        ),
        "sensitivities": (
            Made(
                key="checkpoint.cost",
                value=360.0,
                unit="s",
                time_halved=27 * DAY,
                time_doubled=math.inf,
            ),
        ),
        "worth": (
            Made(change="checkpoints in memory", gain=0.0123, per_hour=2.5, per_year=21900.0),
        ),
        "scenario": Made(
            spares=None,
            prices=Made(currency="EUR"),
            questions=Made(confidence=None),
            unknown=("job.recovery", "prices.node"),
        ),
    }
    return Made(**{**made, **changes})


WHAT = [
    ("heading", "What to do"),
    ("line", "Write synchronous checkpoints after every 2 h of work."),
    (
        "line",
        "The job takes 30 d on average for 20 d of work; 75.00 % of the time advance it.",
    ),
    ("line", "1.5e+09 tokens a day are kept."),
    ("line", "It ends within 40 d with a probability of 90.0 %."),
    ("line", "Keep 3 spare nodes: enough in 99 % of the time; 2 pay for themselves."),
    ("line", "With synchronous checkpoints every 5 h as now it takes 12.50 % longer."),
]
SURE = [
    ("heading", "How sure"),
    ("line", "MTBF 10 h (as given); 8 h to 20 h at 95%. Then:"),
    ("fact", "interval", "2 h to 3 h"),
    ("fact", "goodput", "50.00 % to 87.50 %"),
    ("fact", "on time", "50.0 % to 99.0 %"),
    ("close", "job.recovery is unknown, and taken as 0."),
    (
        "table",
        1,
        ["of all such jobs", "end within\n[d]", "at the high\nMTBF", "at the low\nMTBF"],
        ["50 %", "25.00", "20.00", "-"],
        ["99 %", "50.00", "40.00", "100.00"],
    ),
    ("line", "Over all MTBFs that the failures seen leave open, by their probability."),
    ("line", "Unknown, and what it must be:"),
    (
        "table",
        3,
        ["", "must be", "so that"],
        ["job.loss", "never enough", "the goodput is 90 %"],
    ),
    ("line", "Break-even, one input changed:"),
    (
        "table",
        3,
        ["", "must be", "so that"],
        ["job.mtbf", "at least 90 min", "the goodput is 90 %"],
    ),
]
WHY = [
    ("heading", "Why"),
    ("line", "Uptimes are weibull (shape 0.75), and each failure renews the machine."),
    ("line", "Protocols, each at its best for this job:"),
    (
        "table",
        1,
        ["", "interval\n[h]", "time\n[d]", "longer than\nthe best [%]"],
        ["synchronous", "2.00", "30.00", "0.00"],
        ["one segment", "9.00", "45.00", "50.00"],
    ),
    ("line", "Where the time of a long run goes:"),
    (
        "table",
        1,
        ["", "share\n[%]", "of each\nday"],
        ["goodput", "75.00", ""],
        ["checkpoint save", "12.50", "3 h"],
        ["wasted progress", "12.50", "3 h"],
    ),
    ("line", "What matters: change of the time with one input, the largest first:"),
    (
        "table",
        2,
        ["", "now", "with half\nof it [%]", "with twice\nof it [%]"],
        ["checkpoint.cost", "6 min", "-10.00", "endless"],
    ),
    ("line", "What changes are worth, in points of the time that advances the job:"),
    (
        "table",
        1,
        ["", "gain\n[points]", "EUR\nan hour", "EUR\na year"],
        ["checkpoints in memory", "+1.23", "2.5", "21,900"],
    ),
    ("line", "Goodput by the spares, with checkpoints as planned:"),
    (
        "table",
        1,
        ["spares", "goodput\n[%]", "the last one is worth\nEUR a year"],
        *[[str(n), f"{50 + n}.00", f"{1000 * n:,}" if n else "-"] for n in range(7)],
    ),
]


def test_a_plan_of_all_there_is():
    assert taken_down(plan_parts(plan())) == [*WHAT, *SURE, *WHY]


def test_a_plan_without_an_answer():
    row = {"unit": "share", "goal": "it pays", "side": "at most", "unknown": True}
    blank = plan(
        checkpoint=None,
        job=None,
        goodput=None,
        completion=None,
        mtbf=None,
        break_evens=(Made(key="job.work", value=0.25, **row),),
    )
    assert taken_down(plan_parts(blank)) == [
        ("heading", "What to do"),
        ("line", "Find out job.work, which the scenario does not say. What it must be:"),
        ("heading", "How sure"),
        ("line", "MTBF: unknown."),
        ("line", "Unknown, and what it must be:"),
        ("table", 3, ["", "must be", "so that"], ["job.work", "at most 25 %", "it pays"]),
    ]
    blank.break_evens = ()
    found = taken_down(plan_parts(blank))
    first = "Find out what is missing, which the scenario does not say. What it must be:"
    assert found[1] == ("line", first)
    assert len(found) == 4


def lines(made):
    return [part[1] for part in taken_down(plan_parts(made)) if part[0] in {"line", "close"}]


def test_a_plan_of_a_machine_that_hardly_works():
    when = plan().completion
    when.on_time, when.percentiles, when.why_not = None, (), "the law has no such answer"
    poor = plan(completion=when, mtbf=Made(value=HOUR * 3, words="a guess", low=None, high=None))
    poor.goodput.value, poor.goodput.tokens_per_day = 0.0099, None
    poor.spares, poor.scenario.spares = None, Made()
    poor.checkpoint.present_loss = 4e-5
    poor.break_evens = poor.sensitivities = poor.worth = ()
    poor.goodput.losses = {}
    poor.job.ages = False
    assert lines(poor) == [
        WHAT[1][1],
        "The job takes 30 d on average for 20 d of work; 0.99 % of the time advance it.",
        "The machine fails so often that the job hardly advances.",
        "To end within 40 d: unknown, the law has no such answer.",
        "How many spares: unknown without spares.mttr, the time of a repair.",
        "With synchronous checkpoints every 5 h as now it takes as long.",
        "MTBF 3 h (a guess), without limits. The tables below say what half and twice of it would "
        "do.",
        "job.recovery is unknown, and taken as 0.",
        "Percentiles of the time: unknown, the law has no such answer.",
        "Protocols, each at its best for this job:",
    ]
    poor.goodput.value = 0.01
    assert "The machine fails so often that the job hardly advances." not in lines(poor)


@pytest.mark.parametrize(
    ("error", "words"),
    [(0.025, "2.5 %"), (math.inf, "an amount that is not known here")],
)
def test_a_plan_by_a_rule_states_its_error(error, words):
    made = plan()
    made.checkpoint.protocol = "predicted"
    made.checkpoint.protocols[2].error = error
    assert f"Times are those of a rule, wrong by up to {words}." in lines(made)
    assert not [line for line in lines(plan()) if line.startswith("Times are")]


def test_a_plan_of_which_the_limits_are_open():
    made = plan(mtbf=Made(value=10 * HOUR, words="seen", low=8 * HOUR, high=math.inf))
    made.scenario.questions.confidence = 0.5
    assert "MTBF 10 h (seen); 8 h or more at 50%. Then:" in lines(made)
    for each in made.completion.percentiles:
        each.high = None
    made.completion.predictive = False
    table = taken_down(plan_parts(made))[13]
    assert table == (
        "table",
        1,
        ["of all such jobs", "end within\n[d]"],
        ["50 %", "25.00"],
        ["99 %", "50.00"],
    )
    made.job.shape, made.job.cv = None, 1.5
    assert "Uptimes are weibull (cv 1.5), and each failure renews the machine." in lines(made)
    made.job.ages = False
    assert not [line for line in lines(made) if line.startswith("Uptimes")]


def test_what_changes_are_worth_without_prices():
    made = plan()
    made.worth[0].per_hour = made.worth[0].per_year = None
    for spare in made.spares.table:
        spare.worth_per_year = None
    made.spares.needed, made.spares.best = 15, None
    *_, worth, _, spares = taken_down(plan_parts(made))
    assert worth[2:] == (["", "gain\n[points]"], ["checkpoints in memory", "+1.23"])
    assert spares[2] == ["spares", "goodput\n[%]"]
    assert spares[3:] == tuple([str(n), f"{50 + n}.00"] for n in range(7, 19))


def variant(nodes, *, mean=30 * DAY, cost=2000.0, on_time=None, **changes):
    made = plan(**changes)
    if made.completion is not None:
        made.completion.mean, made.completion.on_time = mean, on_time
    made.costs = None if cost is None else Made(job=cost, lost_per_year=500.0, per_year=3000.0)
    return Made(plan=made, values={"machine.node_count": nodes, "job.size": "12TB"})


COLUMNS = [
    "node\ncount",
    "size",
    "protocol",
    "interval",
    "time\n[d]",
    "change\n[%]",
    "goodput\n[%]",
]


def test_plans_side_by_side():
    nothing = {"checkpoint": None, "goodput": None, "completion": None}
    variants = (
        variant(4),
        variant(8, mean=27 * DAY, cost=2500.0, on_time=0.9),
        variant(16, mean=33 * DAY, cost=1500.0),
        variant(32, cost=None, **nothing),
    )
    assert taken_down(variant_parts(variants)) == [
        ("line", "Fastest: machine.node_count 8, job.size 12TB, 27 d on average."),
        ("line", "Cheapest: machine.node_count 16, job.size 12TB, 1,500 EUR for the job."),
        (
            "table",
            3,
            [*COLUMNS, "on time\n[%]"],
            ["4", "12TB", "synchronous", "2 h", "30.00", "+0.00", "75.00", "-"],
            ["8", "12TB", "synchronous", "2 h", "27.00", "-10.00", "75.00", "90.0"],
            ["16", "12TB", "synchronous", "2 h", "33.00", "+10.00", "75.00", "-"],
            ["32", "12TB", "unknown", "-", "-", "-", "-", "-"],
        ),
        ("line", "Costs in EUR:"),
        (
            "table",
            2,
            ["node\ncount", "size", "the job", "change", "a year of\nthe nodes", "lost in\na year"],
            ["4", "12TB", "2,000", "+0", "3,000", "500"],
            ["8", "12TB", "2,500", "+500", "3,000", "500"],
            ["16", "12TB", "1,500", "-500", "3,000", "500"],
            ["32", "12TB", "-", "-", "-", "-"],
        ),
        ("line", "Changes are those from the first line."),
    ]
    free = taken_down(variant_parts((variant(4, cost=None), variant(8, **nothing))))
    assert free == [
        ("line", "Fastest: machine.node_count 4, job.size 12TB, 30 d on average."),
        (
            "table",
            3,
            COLUMNS,
            ["4", "12TB", "synchronous", "2 h", "30.00", "+0.00", "75.00"],
            ["8", "12TB", "unknown", "-", "-", "-", "-"],
        ),
        ("line", "Changes are those from the first line."),
    ]
    assert taken_down(variant_parts((variant(4, **nothing),))) == [
        (
            "line",
            "Nothing can be compared: all of these need what the scenario does not say.",
        )
    ]
