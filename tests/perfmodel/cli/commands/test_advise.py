"""``perfmodel advise``: what a script tells, what it is answered, by exit codes above all."""

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.copies import Copies
from perfmodel.advisor.lock import held
from perfmodel.advisor.memory import Memory
from perfmodel.advisor.tracked import Tracked
from perfmodel.cli import main
from perfmodel.levels import Level
from tests.support.examples import examples
from tests.support.runner import runner

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "advisor.md"
FIRST = ["--cost", "2min", "--mtbf", "1d"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PAGE.parents[2])}
SETTINGS = ("cost", "latency", "recovery_cost", "share", "least", "most", "end", "shape", "age")
FIELDS = {
    "settings": (*SETTINGS, "two_phases", "levels"),
    "prior": ("shape", "observed_time"),
    "memory": Memory._fields,
}
COPIES = [field.name for field in fields(Copies)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments, state="run.json"):
    words = ["advise", "--state", state, *map(str, arguments)]
    return runner(env={"COLUMNS": "80"}).invoke(main, words)


def answer(*arguments, **more):
    done = call(*arguments, "--json", **more)
    assert done.exit_code in (0, 1), done.output
    found = json.loads(done.stdout)
    assert done.exit_code == (1 if found["due"] is False else 0)
    return found


def refusal(*arguments, **more):
    done = call(*arguments, **more)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_it_answers_as_the_advisor_that_is_told_the_same():
    one = CheckpointAdvisor(cost=120.0, prior=Prior.of_history(9, 90 * 86400.0), recovery_cost=30.0)
    known = ["--cost", "2min", "--failures", 9, "--observed", "90d", "--recovery-cost", "30s"]
    one.started(0.0)
    assert answer(*known, "--event", "started", "--now", 0)["due"] is None
    for step in range(1, 60):
        now = 600.0 * step
        due = one.stepped(now, step)
        found = answer("--step", step, "--now", now)
        assert found["due"] == due
        if due:
            one.checkpoint_begun(now)
            assert answer("--event", "begun", "--now", now)["writing"]
            one.checkpoint_done(now + 90.0)
            found = answer("--event", "durable", "--now", now + 90.0)
        wanted = one.recommendation(found["now_s"])
        assert found["interval_s"] == wanted.interval
        assert found["mtbf_s"] == wanted.mtbf
        assert found["cost_s"] == wanted.cost
    assert one.memory.cost.mean < 120.0


def test_telling_alone_is_no_question():
    assert call(*FIRST, "--event", "started", "--now", 0).exit_code == 0
    assert call("--step", 1, "--now", 9).exit_code == 1
    assert call("--event", "begun", "--step", 2, "--now", 10).exit_code == 1


def test_a_question_without_a_step_changes_nothing(folder):
    call(*FIRST, "--now", 0)
    before = (folder / "run.json").read_bytes()
    assert call("--now", 60).exit_code == 1
    assert call("--now", 9e6).exit_code == 0
    assert (folder / "run.json").read_bytes() == before


def test_the_first_call_starts_the_run_and_later_ones_keep_what_is_known():
    assert answer(*FIRST, "--now", 0)["running"]
    found = answer("--cost", "9h", "--failures", 900, "--observed", "1d", "--now", 5)
    assert found["cost_s"] == 120.0
    assert found["mtbf_s"] > 3600.0


@pytest.mark.parametrize(
    ("known", "prior"),
    [
        (["--mtbf", "1d"], Prior(1.0, 86400.0)),
        (["--node-mtbf", "100d", "--nodes", "50"], Prior(1.0, 2 * 86400.0)),
        (["--failures", "0", "--observed", "9d"], Prior(0.5, 9 * 86400.0)),
        ([], Prior.unknown()),
    ],
)
def test_what_is_known_at_first(known, prior):
    call("--cost", "2min", *known)
    assert CheckpointAdvisor.load("run.json").prior == prior


def test_a_step_told_again_is_a_failure_and_a_new_start():
    call(*FIRST, "--now", 0)
    for step in (1, 2, 3):
        call("--step", step, "--now", 10.0 * step)
    assert answer("--step", 3, "--now", 31)["failures"] == 0
    assert answer("--step", 2, "--now", 900)["failures"] == 1
    assert CheckpointAdvisor.load("run.json").memory.watched == pytest.approx(36.0, abs=2.0)
    call("--event", "ended", "--now", 910)
    assert not answer("--now", 920)["running"]
    assert answer("--step", 3, "--now", 990)["running"]


def test_a_snapshot_on_its_way():
    call(*FIRST, "--latency", "1h", "--event", "started", "--now", 0)
    call("--event", "begun", "--now", 4000)
    call("--event", "done", "--now", 4100)
    late = call("--step", 9, "--now", 90_000)
    assert (late.exit_code, late.stdout) == (1, "Checkpoint: once the last one is durable.\n")
    assert answer("--event", "durable", "--step", 10, "--now", 90_060)["due"]
    memory = CheckpointAdvisor.load("run.json").memory
    assert memory.latency.mean > 3600.0
    assert memory.cost.mean == pytest.approx(Tracked.stated(120.0).seen(100.0).mean)


def test_the_end_is_of_one_allocation():
    found = answer(*FIRST, "--event", "started", "--end", 3600, "--now", 0)
    # Room for two minutes, of which each of three deviations is 30 %.
    assert found["next_checkpoint_s"] == pytest.approx(3600.0 - 1.9 * 120.0)
    assert found["bound"] == "end"
    assert answer("--event", "ended", "--event", "started", "--now", 3700)["bound"] == ""


def test_an_end_that_is_past_is_not_that_of_a_new_start():
    call(*FIRST, "--end", 3600, "--now", 0)
    call("--step", 5, "--now", 60)
    assert answer("--step", 6, "--now", 3700)["bound"] == "end"
    assert answer("--step", 2, "--now", 9000)["bound"] == ""


def test_an_end_in_the_past_is_said_and_what_is_told_is_kept():
    call(*FIRST, "--event", "started", "--end", 3600, "--now", 0)
    done = call("--step", 5, "--end", 3600, "--now", 7200)
    remedy = "say a later one if the job has another allocation"
    assert done.stderr == f"--end is 60 min before --now: {remedy}\n"
    assert not call("--step", 6, "--end", 9000, "--now", 7260).stderr
    done = call("--event", "ended", "--end", 9000, "--now", 9001)
    assert "before --now" in done.stderr
    assert not answer()["running"]


def test_an_mtbf_below_its_limits_says_why():
    call("--cost", "2min", "--mtbf", "10d", "--event", "started", "--now", 0)
    found = answer("--now", 60)
    assert found["mtbf_s"] < found["mtbf_lower_s"]
    assert "rate, to which rare high rates add" in " ".join(call("--now", 60).stdout.split())
    found = answer("--now", 86_400)
    assert found["mtbf_s"] > found["mtbf_lower_s"]
    assert "rare" not in call("--now", 86_400).stdout


def test_a_signal_asks_for_a_checkpoint_after_the_next_step():
    call(*FIRST, "--now", 0)
    call("--step", 1, "--now", 10)
    call("--event", "signal", "--now", 15)
    assert answer("--step", 2, "--now", 20)["due"]


def test_without_now_it_is_the_clock():
    first = answer(*FIRST)["now_s"]
    assert answer()["now_s"] >= first > 1.7e9
    far = ["--now", first + 30.0]
    call("--event", "begun", *far)  # by the clock of another node
    assert answer()["now_s"] == first + 30.0
    call("--event", "durable", "--now", first + 900.0)
    assert answer()["now_s"] < first + 60.0  # the clock was wrong


LEVELS = ["--level", "cost=10s,recovery=5s,survives=60%", "--cost", "5min", "--mtbf", "1d"]


def test_it_says_on_which_level_and_learns_which_survive():
    local = Level(10.0, 5.0, 0.6)
    one = CheckpointAdvisor(cost=300.0, prior=Prior(1.0, 86400.0), levels=[local])
    one.started(0.0)
    now, found = 0.0, answer(*LEVELS, "--event", "started", "--now", 0)
    levels = []
    for count in range(12):
        assert found["level"] == one.next_level()
        levels.append(found["level"])
        now = one.next_checkpoint()
        one.checkpoint_begun(now)
        call("--event", "begun", "--now", repr(now))
        one.checkpoint_done(now + 20.0)
        found = answer("--event", "durable", "--now", repr(now + 20.0))
        if count in (3, 7):
            one.failed(now + 30.0)
            one.started(now + 30.0)
            one.restored(now + 30.0, 1 + (count == 7))
            told = ["--event", "failed", "--event", "started", "--event", "restored"]
            level = ["--on-level", 1 + (count == 7)]
            found = answer(*told, *level, "--now", repr(now + 30.0))
        known = one.recommendation(found["now_s"])
        assert found["periods_s"] == list(known.periods)
        assert found["survives"] == list(known.survives)
    assert set(levels) == {1, 2}
    assert CheckpointAdvisor.load("run.json").memory.copies == one.memory.copies


def test_levels_are_shown():
    assert re.fullmatch(
        r"Checkpoint: in [\d.]+ min, on level 1 of 2\.\n",
        call(*LEVELS, "--event", "started", "--now", 0).stdout,
    )
    shown = call("--now", 0).stdout
    assert re.search(r"level 1 +every [\d.]+ min of work; survives 62.0 % of the failures\n", shown)
    assert re.search(r"level 2 +every [\d.]+ h of work; survives 100.0 % of the failures\n", shown)
    assert call("--event", "signal", "--now", 1).stdout == "Checkpoint: now, on level 2 of 2.\n"


def test_clocks_of_nodes_may_differ():
    call(*FIRST, "--now", 1_700_000_000.5)
    assert answer("--step", 1, "--now", 1_700_000_000)["now_s"] == 1_700_000_000.5


def test_one_time_in_the_future_is_forgotten():
    now = 1_700_000_000.0
    due = answer(*FIRST, "--event", "started", "--now", now)["wait_s"]
    assert call("--event", "signal", "--now", now + 1e9).exit_code == 0
    for step in range(1, 40):
        now += 600.0
        found = answer("--step", step, "--now", now)
        assert found["now_s"] == now
        if found["due"]:
            call("--event", "begun", "--event", "durable", "--now", now)
    assert 0.0 <= found["wait_s"] < 1e7
    assert due < 1e5


def forged(folder, place, name, value):
    """Change what the file says, and the checksum with it."""
    path = folder / "run.json"
    body = json.loads(path.read_text())
    inner = body
    for part in place:
        inner = inner[part]
    inner[name] = value
    kept = {part: body[part] for part in ("settings", "prior", "memory")}
    digest = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps({**body, "sha256": digest}))


WRONG = [None, "x", [1.0], -1.0, 10**400, float("nan")]
PLACES = [
    *(((part,), name) for part in ("settings", "prior", "memory") for name in FIELDS[part]),
    *((("memory", part), name) for part in ("cost", "latency") for name in ("mean", "variance")),
    *((("memory", "pace"), name) for name in ("step", "ended", "stride", "time")),
    *((("memory", "copies"), name) for name in COPIES),
]


@pytest.mark.parametrize(("place", "name"), PLACES, ids=str)
def test_no_field_that_is_wrong_is_answered_by_not_due(folder, place, name):
    call(*LEVELS, "--event", "started", "--now", 0)
    call("--step", 1, "--now", 9)
    whole = (folder / "run.json").read_text()
    assert whole.index(f'"{name}"') > 0
    for value in WRONG:
        (folder / "run.json").write_text(whole)
        forged(folder, place, name, value)
        done = call("--step", 2, "--now", 20)
        assert isinstance(done.exception, SystemExit | None), value
        if done.exit_code == 2:
            assert (done.stdout, done.stderr.count("\n")) == ("", 1)
        else:
            assert done.stdout.startswith("Checkpoint: ")
            assert done.stderr == ""


def test_a_full_pipe_is_not_answered_by_not_due():
    call(*FIRST, "--event", "started", "--now", 0)
    words = [sys.executable, "-m", "perfmodel", "advise", "--state", "run.json", "--now", "5"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        words, stdout=write, stderr=subprocess.PIPE, text=True, check=False, env=ENVIRONMENT
    )
    os.close(write)
    assert done.returncode == 2
    assert done.stderr == "Error: standard output must be open, got it closed\n"


def test_two_writers_lose_nothing(folder):
    call(*FIRST, "--event", "started", "--now", 0)
    words = [sys.executable, "-m", "perfmodel", "advise", "--state", "run.json", "--now", "5"]
    words += ["--event", "failed", "--event", "started"]
    running = [
        subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.DEVNULL) for _ in range(3)
    ]
    assert [each.wait() for each in running] == [0] * 3
    assert CheckpointAdvisor.load("run.json").memory.failures == 3
    assert [path.name for path in folder.iterdir()] == ["run.json"]


def test_a_state_that_another_process_holds_is_refused(folder):
    path = folder / "run.json"
    free = pytest.raises(ValueError, match="state must be free to be written")
    with held(path), free, held(path, patience=0.0):
        pass
    with held(path):
        pass
    assert list(folder.iterdir()) == []


def test_the_shortest_interval_can_be_given():
    quick = ["--cost", "0.1s", "--mtbf", "5min"]
    found = answer(*quick, "--least", "10s", "--now", 0)
    assert 10.0 <= found["interval_s"] < 60.0
    assert answer(*quick, "--now", 0, state="other.json")["bound"] == "least"


def test_what_is_left_of_a_state_is_put_aside_and_no_other_file(folder):
    (folder / "run.json").write_text("a log")
    assert "state must be a file that an advisor saved" in refusal(*FIRST)
    assert (folder / "run.json").read_text() == "a log"
    (folder / "run.json").write_text("")
    assert "kept beside it as 'run.json.refused'" in refusal(*FIRST)
    assert (folder / "run.json.refused").read_text() == ""
    assert "(no such folder)" in refusal(state="nowhere/run.json")
    done = runner().invoke(main, ["advise", *FIRST])
    assert (done.exit_code, done.stderr) == (2, "Error: --state must be given, got none\n")


@settings(deadline=None, max_examples=examples(100))
@given(
    calls=st.lists(
        st.tuples(
            st.lists(st.sampled_from(["started", "begun", "done", "durable", "failed", "ended"])),
            st.none() | st.integers(0, 5),
            st.floats(0.0, 1e5),
            st.none() | st.floats(-1e5, 1e7),
        ),
        max_size=6,
    )
)
def test_any_order_of_events_is_answered_or_refused_in_one_line(calls, tmp_path_factory):
    state = str(tmp_path_factory.mktemp("any") / "run.json")
    now = 0.0
    for events, step, passed, end in calls:
        now += passed
        words = [word for event in events for word in ("--event", event)]
        words += [] if step is None else ["--step", step]
        words += [] if end is None else ["--end", end]
        done = call(*FIRST, *words, "--now", now, state=state)
        assert done.exit_code in (0, 1, 2), done.exception
        assert done.exception is None or isinstance(done.exception, SystemExit)
        late = end is not None and end < now
        assert done.stderr.count("\n") == (late or done.exit_code == 2)


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def scripts():
    return re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)


def played(folder, script):
    """Run a script of the page where an hour passes with each step, and a minute with the rest."""
    tools = folder / "tools"
    if not tools.exists():
        tools.mkdir()
        (folder / "clock").write_text("1000000")
        program(tools / "perfmodel", f'{sys.executable} -m perfmodel "$@" --now "$(cat clock)"')
        program(
            tools / "srun",
            'case $1 in ./model) more=3600; [ "$3" != "$FAILS" ] || exit 1;; *) more=60;; esac\n'
            'echo "$*" >> ran\necho $(($(cat clock) + more)) > clock',
        )
    root = str(PAGE.parents[2])
    environment = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": root,
        "SLURM_JOB_END_TIME": "1086400",
    }
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**environment, "FAILS": "3" if not (folder / "ran").exists() else ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_batch_script_of_the_page(folder):
    job, scr, *_ = scripts()
    job = job.replace("-lt 10 ]", "-lt 6 ]")
    assert played(folder, job).returncode == 1  # the fourth step fails
    saved = int((folder / "saved").read_text())
    assert 0 < saved <= 3
    again = played(folder, job)
    assert (again.returncode, again.stderr) == (0, "")
    ran = (folder / "ran").read_text().splitlines()
    steps = [int(line.split()[2]) for line in ran if line.startswith("./model")]
    assert steps == [*range(3), *range(saved, 6)]
    assert ran.count("./restore") == 1
    memory = CheckpointAdvisor.load("advisor.json").memory
    assert (memory.failures, memory.running) == (1, False)
    assert memory.cost.mean < 120.0
    shown = played(folder, f'{scr}\necho "$SCR_CHECKPOINT_SECONDS"').stdout
    assert 60 <= int(shown) <= 86400


def test_a_state_of_another_kind_is_not_waited_for(folder):
    os.mkfifo(folder / "run.json")
    for words in ([*FIRST, "--event", "started"], [], ["--step", 1]):
        assert "a pipe, a device or a folder" in refusal(*words)
    assert [path.name for path in folder.iterdir()] == ["run.json"]
