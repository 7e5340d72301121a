"""Whole answers for a job on blocks, key by key, against the formulas called directly."""

import json

import pytest

from perfmodel.answers.parts.standbys import Needed, StandbyAnswer
from perfmodel.cli import main
from perfmodel.fitting import mtbf_posterior
from perfmodel.interval import optimal_interval
from perfmodel.standbys import (
    degraded_goodput,
    expected_makespan_standbys,
    mean_stop,
    spares_for,
    spares_goodput,
    two_stage_goodput,
)
from tests.support.runner import runner

HOUR, DAY = 3600.0, 86400.0


def test_every_number_of_an_answer_has_its_name():
    bare = StandbyAnswer(16, 100.0, 2.5, 30.0, 0.9)
    first = {"blocks": 16, "job_mtbf_s": 100.0, "mean_blocks_down": 2.5, "interval_s": 30.0}
    assert bare.plain() == {**first, "most_goodput": 0.9}
    job = {"standbys": 3, "mean_stop_s": 5.0, "goodput": 0.8}
    waiting = StandbyAnswer(16, 100.0, 2.5, 30.0, None, **job)
    assert waiting.plain() == {**first, "most_goodput": None, **job}
    staged = StandbyAnswer(16, 100.0, 2.5, 30.0, None, standbys=3, goodput=0.8, staged=True)
    assert staged.plain() == {**first, "standbys": 3, "goodput": 0.8}
    fewer = {"may_miss": 2, "waiting_goodput": 0.7}
    going_on = StandbyAnswer(16, 100.0, 2.5, 30.0, 0.9, standbys=3, goodput=0.8, **fewer)
    assert going_on.plain() == {
        **first,
        "most_goodput": 0.9,
        "standbys": 3,
        "goodput": 0.8,
        **fewer,
    }
    needed = (Needed("90%", 4, 0.91), Needed("0.99", None, None, more_than=500))
    timed = StandbyAnswer(
        16, 100.0, 2.5, 30.0, 0.9, **job, needed=needed, work_s=1000.0, makespan_s=1200.0
    )
    assert timed.plain() == {
        **first,
        "most_goodput": 0.9,
        **job,
        "work_s": 1000.0,
        "mean_makespan_s": 1200.0,
        "needed": {
            "90%": {"standbys": 4, "goodput": 0.91},
            "0.99": {"standbys": None, "goodput": None, "more_than": 500},
        },
    }


BLOCKS = 16
FAILING = ["--block-mtbf", "200h"]
COSTS = ["--checkpoint-cost", "6min", "--recovery-cost", "4min", "--switch-time", "3min"]
POOL = ["--crews", "2", "--standby-hazard", "0.5", "--stopped-hazard", "0.25"]
OF_POOL = {
    "blocks": BLOCKS,
    "block_mtbf": 200 * HOUR,
    "mttr": 10 * HOUR,
    "switch_time": 180.0,
    "crews": 2,
    "standby_hazard": 0.5,
    "stopped_hazard": 0.25,
}
MTBF = 200 * HOUR / BLOCKS


def costs(mtbf=MTBF):
    best = float(optimal_interval(mtbf=mtbf, checkpoint_cost=360.0))
    return {"checkpoint_cost": 360.0, "recovery_cost": 240.0, "interval": best}


def answer(*words):
    done = runner().invoke(main, ["spares", "--blocks", str(BLOCKS), *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def near(value):
    return pytest.approx(float(value), rel=1e-12)


def needed(pool, spent, *wanted):
    found = {}
    for name, share in wanted:
        count = float(spares_for(share, **pool, **spent))
        kept = spares_goodput(standbys=count, **pool, **spent)
        found[name] = {"standbys": int(count), "goodput": near(kept)}
    return found


WANTED = (("0.5", 0.5), ("60%", 0.6))
LISTED = ["--goodput", "0.5,60%"]


def expected(pool, spent, **changes):
    mtbf = pool["block_mtbf"] / BLOCKS
    most = None  # standbys without end that may fail keep few crews busy for ever
    if pool["crews"] == float("inf"):
        most = near(spares_goodput(standbys=float("inf"), **pool, **spent))
    return {
        "blocks": BLOCKS,
        "job_mtbf_s": near(mtbf),
        "mean_blocks_down": near(pool["mttr"] / mtbf),
        "interval_s": near(spent["interval"]),
        "most_goodput": most,
        **changes,
    }


def test_a_job_that_waits_for_standbys():
    words = [*FAILING, "--mttr", "10h", *COSTS, *POOL, *LISTED]
    wanted = {"needed": needed(OF_POOL, costs(), *WANTED)}
    assert answer(*words) == expected(OF_POOL, costs(), **wanted)
    job = {
        "standbys": 3,
        "mean_stop_s": near(mean_stop(standbys=3, **OF_POOL)),
        "goodput": near(spares_goodput(standbys=3, **OF_POOL, **costs())),
    }
    whole = expected(OF_POOL, costs(), **job, **wanted)
    assert answer(*words, "--standbys", "3") == whole
    timed = {"standbys": 3, "under_repair": 2, **OF_POOL, **costs()}
    makespan = near(expected_makespan_standbys(5 * DAY, **timed))
    work = ["--work", "5d", "--under-repair", "2"]
    assert answer(*words, "--standbys", "3", *work) == {
        **whole,
        "work_s": 5 * DAY,
        "mean_makespan_s": makespan,
    }
    plain = {**OF_POOL, "crews": float("inf"), "standby_hazard": 0.0, "stopped_hazard": 0.0}
    spent = {**costs(), "interval": HOUR}
    simple = [*FAILING, "--mttr", "10h", *COSTS, "--interval", "1h", *LISTED]
    assert answer(*simple) == expected(plain, spent, needed=needed(plain, spent, *WANTED))


def test_a_job_that_goes_on_with_fewer_blocks():
    words = [*FAILING, "--mttr", "10h", *COSTS, *POOL, "--standbys", "3"]
    fewer = {"may_miss": 2, "resize_time": 600.0, "standbys": 3}
    assert answer(*words, "--may-miss", "2", "--resize-time", "10min") == expected(
        OF_POOL,
        costs(),
        standbys=3,
        goodput=near(degraded_goodput(**fewer, **OF_POOL, **costs())),
        may_miss=2,
        waiting_goodput=near(spares_goodput(standbys=3, **OF_POOL, **costs())),
    )


def test_a_job_whose_blocks_are_repaired_in_two_stages():
    stages = ["--automatic-time", "2h", "--manual-time", "24h", "--escalated", "0.25"]
    false = ["--automatic-false", "0.125", "--manual-false", "0.0625"]
    crews = ["--crews", "2", "--standby-hazard", "0.5", "--standbys", "3"]
    pool = {
        name: value for name, value in OF_POOL.items() if name not in {"mttr", "stopped_hazard"}
    }
    how = {"automatic_time": 2 * HOUR, "manual_time": 24 * HOUR, "escalated": 0.25}
    how |= {"automatic_false": 0.125, "manual_false": 0.0625}
    known = two_stage_goodput(standbys=3, **pool, **how, **costs())
    whole = {
        "blocks": BLOCKS,
        "job_mtbf_s": near(MTBF),
        "mean_blocks_down": near((2 + 0.25 * 24) * HOUR / MTBF),
        "interval_s": near(costs()["interval"]),
        "standbys": 3,
        "goodput": near(known),
    }
    assert answer(*FAILING, *COSTS, *crews, *stages, *false) == whole
    # Failures that were seen bring limits; a repair of two stages is still typed.
    seen = ["--failures", "12", "--observed", "150h"]
    found = answer(*seen, *COSTS, *crews, *stages, *false)
    low, high = mtbf_posterior(12, 12 * MTBF).ppf([0.025, 0.975])
    for name, mtbf in (("at_mtbf_low", low), ("at_mtbf_high", high)):
        other = {**pool, "block_mtbf": float(mtbf) * BLOCKS}
        assert found.pop(name) == {
            **whole,
            "job_mtbf_s": near(mtbf),
            "mean_blocks_down": near((2 + 0.25 * 24) * HOUR / float(mtbf)),
            "goodput": near(two_stage_goodput(standbys=3, **other, **how, **costs())),
        }
    assert found == {
        **whole,
        "mtbf_basis": "12 failures in 150 h",
        "mtbf_confidence": 0.95,
    }


LOG = """time,node,repair
2020-01-01,1,7200
2020-01-03,2,14400
2020-01-06,1,21600
2020-01-07,3,28800
2020-01-11,1,7200
"""


def test_failures_that_were_seen_bring_limits(tmp_path):
    path = tmp_path / "failures.csv"
    path.write_text(LOG)
    words = [*COSTS, *POOL, *LISTED, "--standbys", "3"]
    typed = answer("--failures", "12", "--observed", "150h", "--mttr", "10h", *words)
    low, high = mtbf_posterior(12, 12 * MTBF).ppf([0.025, 0.975])

    def at(mtbf, mttr, spent):
        pool = {**OF_POOL, "block_mtbf": BLOCKS * float(mtbf), "mttr": mttr}
        return expected(
            pool,
            spent,
            standbys=3,
            mean_stop_s=near(mean_stop(standbys=3, **pool)),
            goodput=near(spares_goodput(standbys=3, **pool, **spent)),
            needed=needed(pool, spent, *WANTED),
        )

    assert typed == {
        **at(MTBF, 10 * HOUR, costs()),
        "mtbf_basis": "12 failures in 150 h",
        "mtbf_confidence": 0.95,
        "at_mtbf_low": at(low, 10 * HOUR, costs()),
        "at_mtbf_high": at(high, 10 * HOUR, costs()),
    }
    # A log also has the repairs: 2, 4, 6, 8 and 2 hours.
    logged = answer("--log", str(path), *words)
    mtbf, low, high = (
        each["job_mtbf_s"] for each in (logged, logged["at_mtbf_low"], logged["at_mtbf_high"])
    )
    spent = costs(mtbf)
    known = at(mtbf, 4.4 * HOUR, spent)
    assert {name: logged[name] for name in known} == known
    assert logged["at_mtbf_low"] == at(low, 4.4 * HOUR, spent)
    assert logged["at_mtbf_high"] == at(high, 4.4 * HOUR, spent)
    other = answer("--log", str(path), "--mttr", "10h", *words)
    assert other["mean_blocks_down"] == near(10 * HOUR / mtbf)
