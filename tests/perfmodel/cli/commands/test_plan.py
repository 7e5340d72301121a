import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from perfmodel import plan
from perfmodel.answers.known.estimates import from_log
from perfmodel.answers.requests.job import JobRequest
from perfmodel.answers.requests.presets import PRESETS
from perfmodel.answers.scenario.example import EXAMPLE
from perfmodel.answers.scenario.files import read_tables
from perfmodel.cli import main
from tests.support.runner import runner

SCENARIOS = sorted((Path(__file__).parents[4] / "docs" / "scenarios").glob("*.toml"))
SMALL = """\
[failures]
mtbf = "5d"
[job]
work = "10d"
[checkpoint]
cost = "4min"
"""


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "scenario.toml"
        path.write_text(text)
        return str(path)

    return write


def run(*arguments, code=0):
    done = runner().invoke(main, ["plan", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def flat(text):
    return " ".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_scenario_of_the_documentation_has_a_page(path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run(str(path))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)
    places = [lines.index(title) for title in ("What to do", "How sure")]
    assert places == sorted(places)
    assert places[0] == 0
    assert ("Why" in lines) == (path.stem != "sparse")
    assert not {"nan", "inf", "None"} & set(flat(text).split())


def test_there_are_five_scenarios():
    assert len(SCENARIOS) == 5


def test_the_example_is_a_scenario_and_all_that_it_mentions_are_keys(write):
    assert run("--example") == EXAMPLE
    path = write(EXAMPLE)
    found = plan(read_tables(Path(path)), brief=True)
    assert found.checkpoint.protocol == "asynchronous"
    lines = [line.removeprefix("# ") for line in EXAMPLE.splitlines()]
    for key in (line.partition(" = ")[0] for line in lines if " = " in line):
        assert key.isidentifier() or "nodes" in key, key


def test_json_is_the_plan_of_the_library_in_named_units(write):
    path = write(SMALL)
    found, expected = json.loads(run(path, "--json")), plan(tomllib.loads(Path(path).read_text()))
    assert found["checkpoint"]["interval_s"] == expected.checkpoint.interval
    assert found["completion"]["mean_s"] == expected.completion.mean
    assert found["goodput"]["value"] == expected.goodput.value
    assert [each["time_s"] for each in found["completion"]["percentiles"]] == [
        each.time for each in expected.completion.percentiles
    ]
    assert found["mtbf"] | {"value_s": 432_000.0} == found["mtbf"]
    assert found["sensitivities"][0]["time_doubled_s"] == expected.sensitivities[0].time_doubled


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_fills_in_what_the_file_does_not_say(name, write):
    found = plan(read_tables(Path(write(f'preset = "{name}"\n'))), brief=True)
    known = JobRequest(**PRESETS[name].given)
    assert found.job.work == pytest.approx(known.work)
    assert found.job.checkpoint_cost == known.checkpoint_cost
    own = f'preset = "{name}"\n[failures]\nmtbf = "1h"\n[job]\nwork = "1d"\n'
    found = plan(read_tables(Path(write(own))), brief=True)
    assert (found.job.work, found.mtbf.value) == (86400.0, 3600.0)


def test_a_failure_log_is_counted(tmp_path, write):
    log = tmp_path / "log.csv"
    log.write_text("time,repair\n0,1\n3600,1\n10800,1\n")
    text = '[failures]\nlog = "log.csv"\nformat = "csv"\n[job]\nwork = "1d"\n'
    found = plan(read_tables(Path(write(text + '[checkpoint]\ncost = "1min"\n'))), brief=True)
    known = from_log(JobRequest(log=log, format="csv"))
    assert (found.mtbf.failures, found.mtbf.observed) == (known.failures, known.observed)
    assert found.mtbf.value == known.value
    assert found.mtbf.low < found.mtbf.value < found.mtbf.high


def test_a_log_of_one_failure_is_refused_with_keys_that_a_scenario_has(tmp_path, write):
    (tmp_path / "log.csv").write_text("time,repair\n5,1\n")
    text = '[failures]\nlog = "log.csv"\n[job]\nwork = "1d"\n[checkpoint]\ncost = "1min"\n'
    said = run(write(text), code=2)
    assert "or failures.failures and failures.observed stand in its place, got 1 at one" in said
    assert "--until" not in said


@pytest.mark.parametrize(
    "rows",
    [
        "week,failures\n2026-01-05,3\n2026-01-12,0\n2026-01-19,5\n2026-01-26,2\n",
        "system,node,time,end\na,1,0,1\nb,1,9,10\na,2,86400,86401\nb,1,90000,90001\n",
    ],
)
def test_a_log_that_tells_no_forecast_is_planned_at_its_rate(tmp_path, write, rows):
    log = tmp_path / "log.csv"
    log.write_text(rows)
    text = '[failures]\nlog = "log.csv"\n[job]\nwork = "1d"\n[checkpoint]\ncost = "1min"\n'
    found = plan(read_tables(Path(write(text))), brief=True)
    known = from_log(JobRequest(log=log))
    assert (found.mtbf.failures, found.mtbf.value) == (known.failures, known.value)


def test_lists_make_a_table_with_differences_in_time_and_money(write, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run(
        write(
            '[machine]\nnodes = [512, 1024]\nbandwidth = ["100GB/s", "200GB/s"]\n'
            '[failures]\nnode_mtbf = "3y"\n[job]\nnode_work = "50y"\n'
            '[checkpoint]\nsize = "20TB"\nsnapshot_cost = "20s"\n'
            '[prices]\nnode_hour = 3\n[deadline]\ntime = "38d"\n'
        )
    )
    assert "Fastest: machine.nodes 1024, machine.bandwidth 200GB/s" in flat(text)
    assert "Cheapest: machine.nodes 512, machine.bandwidth 200GB/s" in flat(text)
    assert len([line for line in text.splitlines() if line.startswith(("512", "1024"))]) == 8
    assert max(map(len, text.splitlines())) <= 80
    unknown = run(write(SMALL.replace('"4min"', '["unknown", "4min"]')))
    assert "unknown" in unknown
    assert "synchronous" in unknown


def test_files_that_are_no_text_or_too_large_are_refused(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "scenario.toml must be UTF-8, got " in run(str(path), code=2)
    path.write_bytes(b"#" * 2_000_001)
    assert "scenario.toml must have at most 2,000,000 bytes, got 2,000,001" in run(
        str(path), code=2
    )


def test_a_law_is_told_with_what_it_assumes(write):
    text = flat(run(write(SMALL.replace("[job]", 'law = "lognormal"\ncv = 2\n[job]'))))
    assert "Uptimes are lognormal (cv 2), and each failure renews the machine." in text


def test_a_rule_is_told_with_its_error(write):
    known = 'recall = 0.9\nprecision = 0.9\nproactive_cost = "1s"\n'
    text = flat(run(write(SMALL + known)))
    assert "one before each predicted failure" in text
    assert "Times are those of a rule, wrong by up to " in text


def test_unknown_inputs_are_told_with_what_they_must_be(write):
    text = flat(run(write(SMALL.replace('"5d"', '"unknown"'))))
    assert "Find out failures.mtbf" in text
    assert "failures.mtbf at least" in text
    text = flat(run(write(f'{SMALL}[machine]\nnodes = 9\n[spares]\nmttr = "unknown"\n')))
    assert "How many spares: unknown without spares.mttr" in text


@pytest.mark.slow
def test_bursts_of_a_log_count_once_unless_asked(write, tmp_path):
    rng = np.random.default_rng(7)
    gaps = np.column_stack(
        [rng.exponential(40 * 3600.0, 60), rng.uniform(2.0, 60.0, (60, 3))]
    ).ravel()
    rows = "".join(f"{time:.0f},n1\n" for time in np.cumsum(gaps))
    (tmp_path / "log.csv").write_text("time,node\n" + rows)
    text = '[failures]\nlog = "log.csv"\n{}[job]\nwork = "9d"\n[checkpoint]\ncost = "4min"\n'
    once = json.loads(run(write(text.format("")), "--json"))
    every = json.loads(run(write(text.format('bursts = "count"\n')), "--json"))
    assert once["mtbf"]["value_s"] > 30 * 3600.0
    assert once["mtbf"]["value_s"] == pytest.approx(4.0 * every["mtbf"]["value_s"], rel=0.15)
    assert "gaps between bursts of 4" in flat(run(write(text.format(""))))
    assert once["mtbf"]["failures_per_burst"] == pytest.approx(4.0, rel=0.1)
    assert every["mtbf"]["failures_per_burst"] is None
    said = run(write(text.format('bursts = "x"\n')), code=2)
    assert "failures.bursts must be merge or count, got 'x'" in said


def test_a_deadline_before_the_end_of_the_work_cannot_be_kept(write):
    machine = '[machine]\nnodes = 1\n[failures]\nnode_mtbf = "10y"\n'
    job = '[job]\nwork = "1h"\n[checkpoint]\ncost = "5min"\n[deadline]\ntime = "{}"\n'
    told = flat(run(write(machine + job.format("1h"))))
    assert "It cannot end within 60 min, even without a failure." in told
    assert "(10 y per node / 1 node)" in told
    told = flat(run(write(machine + job.format("66min"))))
    assert "It ends within 66 min with a probability of >99.95 %" in told


def test_amounts_that_nobody_reads_to_the_last_digit_are_not_written_out(write):
    priced = '[machine]\nnodes = 100\n[prices]\ncurrency = "EUR"\nnode_hour = 2\n'
    hopeless = SMALL.replace("5d", "5s").replace(
        "[checkpoint]", '[checkpoint]\nprotocol = "synchronous"'
    )
    text = flat(run(write(priced + hopeless)))
    assert "e+" in text.partition("The job costs ")[2].partition(" EUR")[0]
    assert "000,000,000,000,000" not in text
    one = "[machine]\nnodes = 1\n[prices]\nnode_hour = 0.001\n"
    worth = run(write(one + SMALL.replace("4min", "1s"))).partition("What changes are worth")[2]
    assert "<0.0001" in worth
    assert "e-0" not in worth


def test_spares_that_cost_more_than_they_save_do_not_pay(write):
    dear = '[machine]\nnodes = 100\n[prices]\nnode_hour = 2\n[spares]\nmttr = "5y"\n'
    text = flat(run(write(dear + SMALL.replace('mtbf = "5d"', 'node_mtbf = "2y"'))))
    assert "enough in 99 % of the time; none pays for itself." in text
