"""Pages of studies, sweeps and the JSON of other commands: what they print, with units."""

import json
import re
from pathlib import Path

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

JOBS = "; MaxProcs: 8\n; UnixStartTime: 0\n" + "".join(
    f"{n} {300 * n} 0 3600 {1 + n % 8} -1 -1 {1 + n % 8} 5400 -1 1 1 1 -1 1 -1 -1 -1\n"
    for n in range(1, 30)
)
STUDY = """\
[study]
formula = "expected_makespan"
[parameters]
work = "2d"
mtbf = ["4h", "8h"]
interval = { from = "30min", to = "2h", points = 3 }
checkpoint_cost = "5min"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    Path("jobs.swf").write_text(JOBS)
    Path("study.toml").write_text(STUDY)


def run(*words, code=0):
    done = runner(env={"COLUMNS": "80"}).invoke(main, list(words))
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def page_of(*words):
    run("report", *words, "--out", "page.html")
    return Path("page.html").read_text("utf-8")


def cells(page):
    return re.findall(r"<td[^>]*>(.*?)</td>", page)


def facts(page):
    names = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page, re.DOTALL)
    return dict(names)


REPLAY = ["replay", "jobs.swf", "--mtbf", "20h,40h", "--compare", "fcfs,easy", "--seeds", "1:3"]


def test_the_page_of_a_study_has_its_table_differences_figures_and_options():
    printed = run(*REPLAY)
    Path("study.json").write_text(run(*REPLAY, "--json"))
    page = page_of("study.json")
    table = printed.partition("policy  MTBF")[2].partition("Means over")[0]
    numbers = re.findall(r"[0-9.]+ ± [0-9.]+", " ".join(table.split()))
    assert len(numbers) == 16
    assert set(numbers) <= set(cells(page))
    assert "Difference to fcfs, seed by seed:" in page
    assert "Mean wait, by MTBF, with 95 % intervals." in page
    assert "Mean wait, difference to fcfs, by MTBF, with 95 % intervals." in page
    assert facts(page)["MTBF"] == "20h, 40h"
    assert facts(page)["seeds"] == "1:3"


def test_a_log_with_seeds_gives_the_page_of_the_study():
    page = page_of("jobs.swf", *REPLAY[2:])
    Path("study.json").write_text(run(*REPLAY, "--json"))
    assert cells(page) == cells(page_of("study.json"))


def test_a_study_is_drawn(tmp_path):
    run(*REPLAY, "--plot", "study.svg")
    words = set(re.findall(r"<!-- (.*?) -->", Path("study.svg").read_text("utf-8")))
    assert {"mean wait [h]", "mean wait [min]"} & words
    assert {"MTBF [h]", "fcfs", "easy"} <= words
    assert any(each.startswith("mean wait, difference to fcfs") for each in words)


def test_a_ledger_gives_the_page_of_its_sweep():
    run("sweep", "study.toml", "--ledger", "study.db", "--table", "table.html")
    page, table = page_of("study.db"), Path("table.html").read_text("utf-8")
    assert cells(page) == cells(table)
    assert "Expected makespan, by interval and MTBF." in page
    Path("study.toml").rename("other.toml")
    assert cells(page_of("study.db", "other.toml")) == cells(table)
    refused = run("report", "study.db", code=2)
    assert refused.startswith("Error: SOURCE must come with the study of the ledger: perfmodel")


def test_a_ledger_that_is_not_done_says_how_to_go_on():
    run("sweep", "study.toml", "--ledger", "study.db", "--table", "table.html")
    Path("study.toml").write_text(STUDY.replace('"8h"', '"8h", "9h"'))
    refused = run("report", "study.db", code=2)
    assert "perfmodel sweep goes on with it" in refused


def test_durations_have_units_and_dates_are_dates():
    answer = {"now_s": 1.7906e9, "wait_s": 2700.0, "mtbf_s": 75_515.0, "failures": 1234}
    Path("advice.json").write_text(json.dumps(answer))
    found = facts(page_of("advice.json"))
    assert found["now"] == "2026-09-28 12:53:20 UTC"
    assert found["wait"] == "45 min"
    assert found["MTBF"] == "20.98 h"
    assert found["failures"] == "1,234"


def test_answers_for_several_values_are_one_table():
    words = ["interval", "--mtbf", "8h,12h", "--checkpoint-cost", "6min", "--json"]
    Path("several.json").write_text(run(*words))
    page = page_of("several.json")
    assert {"8h", "12h"} <= set(cells(page))
    assert "recommended interval<br>[min]" in page


def test_the_page_of_a_replay_has_the_table_of_its_command():
    words = ["replay", "jobs.swf", "--compare", "fcfs,easy"]
    printed = run(*words)
    Path("replay.json").write_text(run(*words, "--json"))
    page = page_of("replay.json")
    percentiles = printed.partition("Percentiles of wait")[2]
    numbers = set(re.findall(r"[0-9]+\.[0-9]{2}", percentiles))
    assert numbers <= set(cells(page))
    assert "Mean wait." in page


def test_a_failure_log_shows_weeks_causes_nodes_and_those_that_fail_too_often():
    rows = [f"n{i % 7},2026-01-{1 + i % 28:02} {i * i % 24}:00,disk" for i in range(60)]
    rows += [f"bad,2026-01-{1 + i:02} 12:30,network" for i in range(25)]
    Path("failures.csv").write_text(
        "node,down,cause\n" + "\n".join(sorted(rows, key=lambda r: r.split(",")[1])) + "\n"
    )
    page = page_of("failures.csv")
    for words in ("Failures by week.", "Failures by cause.", "The nodes with the most failures"):
        assert words in page
    assert "1 node fails more often than chance explains" in page
    assert "bad" in cells(page)


def test_the_page_of_advice_says_what_the_command_says():
    asked = ("advise", "--state", "run.json", "--now", "100000")
    run(*asked[:3], "--event", "started", "--cost", "2min", "--mtbf", "1d", "--now", "0")
    Path("advice.json").write_text(run(*asked, "--json"))
    page = page_of("advice.json")
    for line in run(*asked).splitlines():
        name, words = line.split("  ", 1)
        assert words.strip() in page, name
    assert re.search(r"MTBF upper</dt><dd>[0-9.]+ d<", page)


def test_rows_within_a_part_are_a_table_and_what_is_not_known_has_no_line():
    answer = {
        "interval_s": 3600.0,
        "deadline_s": None,
        "past": {
            "jobs": 40,
            "share": None,
            "shown": [1, 2],
            "most": {"kept": 37},
            "levels": [{"probability": 0.5, "kept": 9}, {"probability": 0.9, "kept": 31}],
        },
    }
    Path("answer.json").write_text(json.dumps(answer))
    page = page_of("answer.json")
    assert (
        facts(page).items()
        >= {
            "interval": "60 min",
            "jobs": "40",
            "shown": "1, 2",
            "most kept": "37",
        }.items()
    )
    assert not {"deadline", "share"} & facts(page).keys()
    assert cells(page) == ["50.00", "9", "90.00", "31"]
    assert ">Past</h2>" in page


def test_shares_are_in_percent_and_inputs_that_change_have_their_units():
    answer = {
        "goodput": {"value": 0.81714, "low": 0.5, "losses": {"detection": 1e-6}, "mean_s": 1.0},
        "protocols": [{"protocol": "pairs", "overhead": 1.001}, {"protocol": "x", "overhead": 0.5}],
        "break_evens": [
            {"key": "failures.mtbf", "value": 7200.0, "unit": "s"},
            {"key": "machine.bandwidth", "value": 1.5e9, "unit": "bytes/s"},
        ],
    }
    Path("answer.json").write_text(json.dumps(answer))
    page = page_of("answer.json")
    known = {"value": "81.71 %", "low": "50.00 %", "losses detection": "&lt;0.01 %", "mean": "1 s"}
    assert facts(page).items() >= known.items()
    rows = ["pairs", "100.10", "x", "50.00"]  # also beyond a whole, as their command prints it
    assert cells(page) == [*rows, "failures.mtbf", "2 h", "machine.bandwidth", "1.5 GB/s"]


def answered(*words):
    Path("answer.json").write_text(run(*words, "--json"))
    return page_of("answer.json")


FAILURES = "down,up\n" + "".join(
    f"2026-01-{day:02}T0{day % 7}:00:00,2026-01-{day:02}T08:{day}:00\n" for day in range(10, 30)
)
JOB = ("--mtbf", "8h", "--checkpoint-cost", "6min")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("interval", *JOB), "A checkpoint after every 72 min of work"),
        (("goodput", *JOB), "A goodput of 85.01 %"),
        (("completion", *JOB), "7 d of work, done in 8.234 d on average"),
        (("completion", "--mtbf", "8h,9h", *JOB[2:]), "Completion times, by MTBF"),
        (
            ("spares", "--nodes", "2048", "--node-mtbf", "6666h", "--mttr", "48h"),
            "21 spare nodes suffice for 2,048 nodes with a probability of 0.95",
        ),
        (("replay", "jobs.swf"), "The jobs of jobs.swf replayed under easy"),
        (REPLAY, "The jobs of jobs.swf replayed under fcfs and easy, 3 seeds"),
        (("fit", "failures.csv"), "19 failures: an MTBF of 23.89 h"),
    ],
)
def test_the_title_of_an_answer_is_a_sentence(words, title):
    Path("failures.csv").write_text(FAILURES)
    page = answered(*words)
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page


@pytest.mark.parametrize("spares", ["{}", '{"0.9": "few"}', "[]", "7"])
def test_answers_of_no_command_keep_the_name_of_their_file(spares):
    Path("answer.json").write_text(f'{{"spares": {spares}, "mean_nodes_down": "two"}}')
    assert "<title>Answers: answer.json</title>" in page_of("answer.json")


def test_one_replay_has_percentiles_in_a_unit_and_no_lonely_points():
    page = answered("replay", "jobs.swf", "--mtbf", "30min", "--mttr", "1h")
    assert "wait [" in page
    assert cells(page)[0] == "easy"
    assert page.count("<figure") == 1
    assert "What became of the node time." in page


def test_spares_are_said_to_suffice_and_drawn():
    page = answered(
        "spares", "--nodes", "512", "--failures", "30", "--observed", "60d", "--mttr", "2d"
    )
    assert cells(page) == ["0.95", "3", "2", "4", "0.99", "4", "3", "5", "0.999", "5", "4", "6"]
    assert "they suffice with probability" in page
    assert "3 for 0.95" in page


def test_fitted_laws_are_drawn_over_percentiles_with_a_unit():
    Path("failures.csv").write_text(FAILURES)
    page = answered("fit", "failures.csv")
    assert "Laws of the uptimes, the best solid, over recorded percentiles." in page
    assert re.fullmatch(r"[0-9.]+ h", facts(page)["50 %"])


def test_the_scenarios_of_a_page_are_no_options():
    texts = ("mtbf = '4h'", "mtbf = '8h'")
    for name, text in zip("ab", texts, strict=True):
        scenario = f"[failures]\n{text}\n[job]\nwork = '2d'\n[checkpoint]\ncost = '5min'\n"
        Path(f"{name}.toml").write_text(scenario)
    page = page_of("a.toml", "b.toml")
    assert "a.toml" in facts(page)["input"]
    assert "options" not in facts(page)


def test_many_rows_are_folded():
    odd = FAILURES + "".join(f"2026-01-{day}T09:00:00,when\n" for day in range(1, 30))
    Path("failures.csv").write_text(odd)
    assert re.search(r"<summary>\d+ of them</summary>", answered("fit", "failures.csv"))


def test_few_narrow_tables_stand_beside_each_other():
    shares, wide = {"goodput": [{"x": 1, "y": 2}]}, {"rows": [dict.fromkeys("abcdef", 1)]}
    for parts, beside in ((shares | {"more": [{"x": 3}]}, 2), (shares, 0), (shares | wide, 0)):
        Path("answer.json").write_text(json.dumps({"part": {"kind": "a", **parts}}))
        page = page_of("answer.json")
        assert page.count('<div class="each">') == beside
        assert page.count("<table>") == len(parts)
