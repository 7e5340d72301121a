import json

import pytest
from click.testing import CliRunner

from perfmodel import goodput, training_shares_memory
from perfmodel.answers.requests.presets import PRESETS
from perfmodel.cli import main

LLAMA = ["--preset", "llama-3-405b"]
RUN = ["--mtbf", "3h", "--checkpoint-cost", "60s"]


def run(*arguments):
    done = CliRunner().invoke(main, ["goodput", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def found(*arguments):
    return json.loads(run(*arguments, "--json"))


@pytest.mark.parametrize("preset", PRESETS)
def test_shares_of_every_preset_add_up(preset):
    answer = found("--preset", preset)
    assert answer["goodput"] + sum(answer["losses"].values()) == pytest.approx(1.0, rel=1e-14)
    assert 0.5 < answer["goodput"] < 1.0
    assert answer["changes"][0]["goodput"] == answer["goodput"]
    assert all(change["goodput"] > answer["goodput"] for change in answer["changes"][1:])


def test_losses_of_llama_by_cause_and_limits_of_its_count():
    answer = found(*LLAMA)
    losses = answer["losses"]
    assert answer["failures"] == 419
    assert answer["goodput_low"] < answer["goodput"] < answer["goodput_high"]
    failures = sum(share for name, share in losses.items() if name != "checkpoint_save")
    assert sum(answer["lost_to"].values()) == pytest.approx(failures, rel=1e-14)
    assert answer["lost_to"]["faulty GPU"] == pytest.approx(failures * 148 / 419)
    # 18.08 min between checkpoints of 1 min; a failure in 2.926 h costs half of them and 10 min.
    by_hand = (1.0 - (10.0 + 18.08 / 2.0) / (60.0 * 2.926)) / (1.0 + 1.0 / 18.08)
    assert answer["ettr_first_order"] == pytest.approx(by_hand, abs=5e-4)


def test_a_preset_says_what_is_assumed():
    said = " ".join(run(*LLAMA).split())
    assert "assumed are 60 s to write a checkpoint and 10 min to restart, which are not up" in said
    assert "checkpoint 60 s (of the preset)" in said
    assert "10 s (as given)" in run(*LLAMA, "--checkpoint-cost", "10s")


def test_it_is_the_goodput_of_the_library():
    answer = found(
        *RUN,
        *("--interval", "20min", "--latency", "5min", "--recovery-cost", "2min"),
        *("--warm-up", "3min", "--detection", "4min", "--queue", "6min", "--downtime", "7min"),
    )
    assert answer["goodput"] == pytest.approx(
        float(
            goodput(
                interval=20.0,
                mtbf=180.0,
                checkpoint_cost=1.0,
                latency=5.0,
                restore=2.0,
                warm_up=3.0,
                detection=4.0,
                queue=6.0,
                rescheduling=7.0,
            )
        ),
        rel=1e-13,
    )
    assert [change["change"] for change in answer["changes"]] == [
        "as it is",
        "failures noticed at once",
        "spares that take over at once",
        "half as many failures",
    ]


def test_steps_and_tokens():
    answer = found(*RUN, "--step-time", "7s", "--tokens-per-step", "1e6")
    assert answer["interval_s"] == 7.0 * answer["interval_steps"]
    assert answer["tokens_per_day"] == pytest.approx(answer["goodput"] * 86400 / 7 * 1e6)
    assert "tokens a day" in run(*RUN, "--step-time", "7s", "--tokens-per-step", "1e6")


def test_every_variant_of_a_run_keeps_to_whole_steps():
    given = ("--snapshot-cost", "2s", "--memory-cost", "2s", "--survived", "90%")
    answer = found(*LLAMA, *given, "--step-time", "7min")
    memory = answer["memory"]
    assert memory["interval_s"] == memory["steps"] * 420.0
    assert memory["goodput"] == pytest.approx(1.0 - sum(memory["losses"].values()))
    assert len(answer["changes"]) == 5
    for change in answer["changes"]:
        assert change["interval_s"] >= 420.0
        assert change["interval_s"] % 420.0 == 0.0
    assert f"of work ({memory['steps']} step" in run(*LLAMA, *given, "--step-time", "7min")


def test_drains_fit_between_whole_steps():
    answer = found(*RUN, "--step-time", "7min", "--latency", "30min")
    assert answer["interval_s"] + 60.0 >= 1800.0


def test_asynchronous_writes_and_copies_in_memory_stand_side_by_side():
    answer = found(*LLAMA, "--snapshot-cost", "2s", "--memory-cost", "2s", "--survived", "90%")
    changes = {change["change"]: change["goodput"] for change in answer["changes"]}
    assert changes["as it is"] < changes["copies in memory as well"] < 0.93
    assert changes["as it is"] < changes["asynchronous writes"] < 0.93


def test_the_text_shows_classes_that_take_time():
    text = run(*LLAMA)
    assert "wasted progress" in text
    assert "re-scheduling" in text
    assert "warm-up" not in text
    assert "NCCL watchdog timeout" in text


def test_copies_in_memory_have_losses_of_their_own():
    asked = [*RUN, "--memory-cost", "2s", "--memory-recovery", "20s", "--survived", "90%"]
    memory = found(*asked)["memory"]
    assert memory["goodput"] + sum(memory["losses"].values()) == pytest.approx(1.0, rel=1e-14)
    known = training_shares_memory(
        interval=memory["interval_s"],
        durable_every=memory["durable_every"],
        mtbf=3 * 3600.0,
        survived=0.9,
        memory_cost=2.0,
        checkpoint_cost=60.0,
        memory_restore=20.0,
    )
    assert memory["goodput"] == pytest.approx(float(known.goodput))
    assert memory["losses"]["memory_restore"] == pytest.approx(float(known.memory_restore))
    text = run(*asked)
    for words in ("With copies in memory every", "copy in memory", "restore from memory"):
        assert words in text
    assert found(*RUN)["memory"] is None


def test_one_step_is_one_step():
    assert "(1 step)" in run(*RUN, "--step-time", "1h")


def test_copies_in_memory_that_survive_all_need_no_durable_one():
    words = [*RUN, "--memory-cost", "1s", "--survived", "100%"]
    assert found(*words)["memory"]["durable_every"] is None
    assert "none of them need be durable:" in " ".join(run(*words).split())


def test_a_job_log_sets_what_was_measured_beside_it(tmp_path):
    log = tmp_path / "jobs.txt"
    head = "JobIDRaw|Submit|Start|End|ElapsedRaw|NNodes|State|User"
    day = "2026-03-0{}T08:00:00"
    rows = ((1, 4, 8, "COMPLETED"), (1, 2, 4, "NODE_FAIL"), (4, 5, 12, "NODE_FAIL"))
    lines = [
        f"{n}|{day.format(a)}|{day.format(a)}|{day.format(b)}|{86400 * (b - a)}|{nodes}|{state}|u"
        for n, (a, b, nodes, state) in enumerate(rows)
    ]
    log.write_text("\n".join([head, *lines, ""]))
    job = ("--log", str(log), "--nodes", "8", "--checkpoint-cost", "5min")
    text = " ".join(run(*job).split())
    # 24 node-days completed, 4 and 12 were struck.
    assert "2 jobs ended as NODE_FAIL, with 40.00 % of the node hours" in text
    assert "Of them none started again" in text
    hours = {row["state"]: row["node_hours"] for row in found(*job)["node_hours_by_state"]}
    assert hours == {"COMPLETED": 576.0, "NODE_FAIL": 384.0}


def test_a_job_log_tells_what_failures_wasted_and_how_long_jobs_waited(tmp_path):
    log = tmp_path / "jobs.txt"
    rows = (
        "1|2026-03-01T00:00:00|2026-03-01T05:00:00|18000|4|NODE_FAIL",
        "1|2026-03-01T05:30:00|2026-03-01T15:30:00|36000|4|COMPLETED",
        "2|2026-03-01T00:00:00|2026-03-01T20:00:00|72000|2|COMPLETED",
    )
    log.write_text("\n".join(["JobIDRaw|Start|End|ElapsedRaw|NNodes|State", *rows, ""]))
    job = ("--log", str(log), "--nodes", "4", "--checkpoint-cost", "6min", "--interval", "2h")
    # Of 100 node hours 20 were struck, 48 min of four nodes after two intervals and checkpoints.
    right = {"struck": 0.2, "wasted_progress": 4 * 0.8 / 100, "waiting": 4 * 0.5 / 100}
    measured = found(*job)["measured"]
    assert measured == pytest.approx(right | {"jobs": 1, "restarted": 1})
    text = " ".join(run(*job).split())
    assert "waiting to start again 0.00 2.00" in text
    assert "Of them 1 started again" in text
    assert found(*RUN)["measured"] is None


def test_a_price_stands_with_the_answer_and_says_what_a_year_loses():
    lost = (1.0 - found(*RUN)["goodput"]) * 8766 * 20
    words = " ".join(run(*RUN, "--price", "20").split())
    assert "price 20 per hour of the job" in words
    assert " work 7 d" not in words
    assert f"A year of the nodes costs 175,320, of which {lost:,.0f} are lost." in words
