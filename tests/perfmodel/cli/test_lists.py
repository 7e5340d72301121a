"""Several values on a command line: each is answered as if it stood alone."""

import itertools
import json

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

JOB = ("--checkpoint-cost", "6min")
MACHINES = "speed,mtbf\n1,500h\n2,300h\n1.5,900h\n"
COMMANDS = {
    "interval": ({"--mtbf": "8h,16h", "--work": "7d,30d"}, JOB),
    "completion": ({"--mtbf": "8h,16h"}, (*JOB, "--deadline", "9d")),
    "goodput": ({"--mtbf": "8h,16h", "--detection": "1min,5min"}, JOB),
    "simulate": ({"--mtbf": "8h,16h"}, (*JOB, "--replications", "200")),
    "spares": ({"--nodes": "1024,2048", "--mttr": "24h,48h"}, ("--node-mtbf", "6666h")),
    "nodes": (
        {"--sequential-share": "0.1%,1%"},
        ("--nodes", "1000", "--node-mtbf", "5y", "--checkpoint-cost", "1min"),
    ),
}


def run(*words):
    done = runner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def words_of(options):
    return [word for pair in options.items() for word in pair]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_combination_is_answered_as_alone(command):
    lists, fixed = COMMANDS[command]
    found = json.loads(run(command, *words_of(lists), *fixed, "--json"))
    choices = list(itertools.product(*(text.split(",") for text in lists.values())))
    assert len(found) == len(choices)
    for answer, values in zip(found, choices, strict=True):
        given = dict(zip(lists, values, strict=True))
        alone = json.loads(run(command, *words_of(given), *fixed, "--json"))
        named = {flag.strip("-").replace("-", "_"): value for flag, value in given.items()}
        assert answer.pop("given") == named
        assert answer == alone


@pytest.mark.parametrize("command", COMMANDS)
def test_one_table_has_a_line_for_each(command):
    lists, fixed = COMMANDS[command]
    text = run(command, *words_of(lists), *fixed)
    for values in itertools.product(*(text.split(",") for text in lists.values())):
        (line,) = [line for line in text.splitlines() if line.split()[: len(values)] == [*values]]
        assert any(character.isdigit() for character in line.split(maxsplit=len(values))[-1])


def test_machines_are_shared_for_each_work(tmp_path):
    fleet = tmp_path / "machines.csv"
    fleet.write_text(MACHINES)
    text = run("partition", str(fleet), "--work", "10h,1000h")
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["10h", "1000h"]


def test_differences_in_time_and_money():
    words = ["--node-mtbf", "5y", "--nodes", "1000", "--checkpoint-size", "12TB", "--price", "2"]
    every = json.loads(run("interval", *words, "--bandwidth", "50GB/s,200GB/s", "--json"))
    times = [each["expected_makespan_s"] for each in every]
    text = run("interval", *words, "--bandwidth", "50GB/s,200GB/s", "--per-year")
    row = text.splitlines()[3].split()
    assert row[:2] == ["200GB/s", f"{every[1]['recommended_interval_s'] / 60:.2f}"]
    assert row[3] == f"{100 * (times[1] / times[0] - 1):+.2f}"
    costs = [2000 * time / 3600 for time in times]
    assert row[5:7] == [f"{costs[1]:,.0f}", f"{costs[1] - costs[0]:+,.0f}"]
    lost = 1 - 7 * 86400 / times[1]
    assert row[7:] == [f"{lost * 365.25:.4g}", "d", f"{lost * 8766 * 2000:,.0f}"]


def test_what_is_lost_in_a_year_of_one_value():
    (found,) = json.loads(run("goodput", "--mtbf", "8h", *JOB, "--per-year", "--json"))
    assert found["lost_per_year_s"] == pytest.approx((1 - found["goodput"]) * 365.25 * 86400)
    assert found["lost_per_year"] is None
    assert "lost in" in run("goodput", "--mtbf", "8h", *JOB, "--per-year")


LAW = ["--uptime-law", "weibull:mean=2d,shape=0.7"]
MACHINE = ["--mtbf", "8h"]
POWER = ["--power", "static=8MW,compute=10MW,io=1MW"]
LEVEL = ["--level", "cost=1min,recovery=1min,survives=50%"]
# A protocol, the list to compare, and what the JSON of each answer must agree with.
PROTOCOLS = {
    "latency": ([*MACHINE, *JOB], {"--async-latency": "0s,1h,2h"}, "asynchronous"),
    "copy": (
        [*MACHINE, *JOB, "--async-latency", "1h"],
        {"--snapshot-cost": "1s,10s"},
        "asynchronous",
    ),
    "overlap": ([*MACHINE, *JOB, *POWER], {"--overlap": "0,0.5"}, "energy"),
    "level": ([*JOB, *LEVEL], {"--mtbf": "8h,16h"}, "levels"),
    "law": (LAW, {"--checkpoint-cost": "6min,1min"}, "ageing"),
}


def shown_of(answer, key):
    found = answer[key]
    if key == "energy":
        least = found["least_time"]
        return least["interval_s"], found["least_energy"]["interval_s"]
    time = found.get("expected_makespan_s")
    share = found.get("efficiency", found.get("useful_share"))
    return found["interval_s"], *([] if time is None else [time * 60 / 86400]), share * 6000


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_table_is_of_the_protocol_that_is_asked_about(protocol):
    fixed, lists, key = PROTOCOLS[protocol]
    answers = json.loads(run("interval", *fixed, *words_of(lists), "--json"))
    lines = run("interval", *fixed, *words_of(lists)).splitlines()
    rows = [line for line in lines if line.split()[:1] in [[a] for a in lists_of(lists)]]
    assert len(rows) == len(answers)
    assert len({row.split(maxsplit=1)[1] for row in rows}) == len(rows)
    for row, answer in zip(rows, answers, strict=True):
        for number in shown_of(answer, key):
            assert f" {number / 60:.2f}" in row


def lists_of(lists):
    return next(iter(lists.values())).split(",")


def test_one_value_shows_the_loss_of_its_own_protocol():
    words = [*MACHINE, *JOB, "--async-latency", "1h", "--per-year", "--json"]
    (found,) = json.loads(run("interval", *words))
    lost = 1 - found["asynchronous"]["efficiency"]
    assert found["lost_per_year_s"] == pytest.approx(lost * 365.25 * 86400)


@pytest.mark.parametrize(
    ("fixed", "flag", "values"),
    [
        ([], "--snapshot-cost", "1s,10s"),
        ([], "--memory-cost", "1s,10s"),
        (["--memory-cost", "10s"], "--memory-recovery", "1s,10min"),
        (["--memory-cost", "10s"], "--survived", "0.1,0.9"),
    ],
)
def test_a_run_with_one_thing_changed_is_in_the_table(fixed, flag, values):
    words = ["goodput", *MACHINE, *JOB, *fixed, flag, values]
    found = json.loads(run(*words, "--json"))
    rows = run(*words).splitlines()[3:5]
    for row, answer in zip(rows, found, strict=True):
        changed = answer["changes"][1]
        assert f" {changed['interval_s'] / 60:.2f} " in row
        assert f" {100 * changed['goodput']:.2f} " in row
    assert rows[0].split()[1:] != rows[1].split()[1:]


def test_protocols_can_be_compared_for_several_values_as_json():
    words = ["interval", "--mtbf", "8h,16h", *JOB, "--compare", "--json"]
    assert all("protocols" in answer for answer in json.loads(run(*words)))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--mtbf", "8h,12"), "--mtbf must be a duration with a unit, such as 30min, 1.5h"),
        (("--mtbf", "8h,"), "--mtbf must be a duration with a unit"),
        (("--mtbf", ",".join(["8h"] * 1001)), "at most 1,000 combinations, got 1,001"),
        (("--mtbf", "8h,9h", "--nodes", "4"), "--nodes must come with --node-mtbf"),
        (("--mtbf", "8h,9h", "--compare"), "--compare must come with one value of each option"),
        (
            ("--mtbf", "8h,9h", *LEVEL, "--async-latency", "1h"),
            "--async-latency and --level must not come together with several values",
        ),
    ],
)
def test_refuses_in_one_line(words, message):
    done = runner().invoke(main, ["interval", *words, *JOB])
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_difference_from_the_simulation_is_told_by_the_exit_code(monkeypatch):
    from perfmodel.answers.questions import simulate

    monkeypatch.setattr(simulate, "expected_makespan", lambda *_, **__: 1e9)
    words = ["simulate", "--mtbf", "8h,16h", *JOB, "--replications", "200"]
    assert runner().invoke(main, words).exit_code == 1
