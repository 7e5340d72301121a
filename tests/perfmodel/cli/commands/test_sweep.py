"""`perfmodel sweep`: study files, tables, and what is refused."""

import csv
import re
import sqlite3
import sys
from contextlib import closing
from html import escape
from pathlib import Path

import pytest

from perfmodel import expected_makespan
from perfmodel.answers.sweeps.study_file import read_study
from perfmodel.cli import main
from perfmodel.cli.sweeps import EXAMPLE
from tests.support.runner import runner

JOBS = "; MaxProcs: 8\n" + "".join(
    f"{n} {300 * n} 0 3600 {1 + n % 8} -1 -1 {1 + n % 8} 5400 -1 1 1 1 -1 1 -1 -1 -1\n"
    for n in range(1, 30)
)
FORMULA = """\
[study]
formula = "expected_makespan"
samples = 3
seed = 5
[parameters]
work = "2d"
mtbf = ["4h", "8h"]
interval = { from = "30min", to = "2h", points = 3 }
checkpoint_cost = { draw = "log-uniform", low = "1min", high = "10min" }
"""
GRID = """\
[study]
formula = "expected_makespan"
[parameters]
work = "2d"
mtbf = ["4h", "8h"]
interval = { from = "30min", to = "2h", points = 3 }
checkpoint_cost = "5min"
"""
DRAWN = FORMULA.replace(
    'from = "30min", to = "2h", points = 3', 'draw = "uniform", low = "30min", high = "2h"'
)
LINE = GRID.replace('["4h", "8h"]', '"8h"')
REPLAY = """\
[study]
replay = "jobs.swf"
paired = ["policy"]
[parameters]
policy = ["fcfs", "easy"]
mtbf = ["4h", "40h"]
[replications]
number = 3
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(JOBS)
    return tmp_path


def run(text, *more, code=0, name="study.toml", table="table.csv"):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    done = runner().invoke(
        main, ["sweep", name, "--ledger", "ledger.db", "--table", table, *map(str, more)]
    )
    assert done.exit_code == code, done.output
    if code == 2:
        assert done.stderr.count("\n") == 1
        return done.stderr.removeprefix("Error: ").strip()
    return done.stdout


def rows(name="table.csv"):
    with open(name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_formulas_are_those_of_the_catalogue():
    assert run(FORMULA) == "table.csv: 18 cells\n"
    found = rows()
    assert [float(row["mtbf"]) for row in found] == [14400.0] * 9 + [28800.0] * 9
    assert [float(row["interval"]) for row in found[:9:3]] == [1800.0, 4500.0, 7200.0]
    for row in found:
        job = {name: float(row[name]) for name in ("mtbf", "interval", "checkpoint_cost")}
        assert float(row["expected_makespan"]) == float(expected_makespan(172800.0, **job))
        assert row["remark"] == ""
    costs = [float(row["checkpoint_cost"]) for row in found]
    assert costs == costs[:3] * 6
    assert len(set(costs)) == 3
    assert all(60.0 <= cost <= 600.0 for cost in costs)


def test_more_samples_append_and_known_cells_are_not_played_again():
    run(FORMULA)
    first = rows()
    run(FORMULA.replace("samples = 3", "samples = 4"))
    more = rows()
    assert [row for place, row in enumerate(more) if place % 4 < 3] == first
    with closing(sqlite3.connect("ledger.db")) as base:
        assert base.execute("SELECT count(*) FROM played").fetchone() == (24,)


def test_the_example_runs_and_is_known_as_tightly_as_it_asks():
    run(EXAMPLE, "--workers", 2)
    found = rows()
    assert len(found) == 15
    for row in found:
        half, mean = float(row["makespan_s_half_width"]), float(row["makespan_s"])
        assert half <= 0.01 * mean or row["replications"] == "2000"
        job = {name: float(row[name]) for name in ("interval", "mtbf", "checkpoint_cost")}
        costs = {name: float(row[name]) for name in ("recovery_cost", "downtime")}
        assert abs(mean - expected_makespan(172800.0, **job, **costs)) < 3.0 * half


def test_replays_are_those_of_the_command_and_paired_cells_meet_the_same_failures():
    run(REPLAY)
    found = {(row["policy"], float(row["mtbf"])): row for row in rows()}
    assert len(found) == 4
    for mtbf in (14400.0, 144000.0):
        assert found["fcfs", mtbf]["replications"] == "3"
        assert float(found["fcfs", mtbf]["mean_wait_s"]) >= 0.0
    with closing(sqlite3.connect("ledger.db")) as base:
        seeds = base.execute("SELECT seed, count(*) FROM played GROUP BY seed").fetchall()
    assert [count for _, count in seeds] == [2] * 6


def test_tables_are_equal_whatever_the_workers_and_the_interruptions():
    run(REPLAY)
    once = Path("table.csv").read_bytes()
    with closing(sqlite3.connect("ledger.db")) as base:
        base.execute("DELETE FROM played WHERE replication = 1")
        base.commit()
    run(REPLAY, "--workers", 2)
    assert Path("table.csv").read_bytes() == once


def test_jobs_of_submitit_write_the_same_bytes():
    pytest.importorskip("submitit")
    run(REPLAY)
    once = Path("table.csv").read_bytes()
    Path("ledger.db").unlink()
    run(REPLAY, "--slurm", "cluster=local", "--slurm", "tasks=6", "--slurm", "time=5min")
    assert Path("table.csv").read_bytes() == once
    assert not Path("table.jobs").exists()


@pytest.mark.parametrize(
    ("library", "options", "extra"),
    [
        ("submitit", ("--slurm", "partition=batch"), "cluster-slurm"),
        ("distributed", ("--cluster", "tcp://127.0.0.1:9"), "cluster-dask"),
    ],
)
def test_an_extra_that_is_missing_is_named(monkeypatch, library, options, extra):
    monkeypatch.setitem(sys.modules, library, None)
    said = run(FORMULA, *options, code=2)
    assert said.endswith(f"needs {library}: pip install 'perfmodel[{extra}]'")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("partitoin=x", "a pair such as partition=batch or time=2h, got 'partitoin=x' (keys are"),
        ("partition", "a pair such as partition=batch or time=2h, got 'partition'"),
        ("partition=", "got 'partition='"),
        ("setup=a\nb", "a pair such as"),
        ("time=2", "got 'time=2'"),
        ("time=30s", "got 'time=30s' (not >= 1min)"),
        ("tasks=0", "got 'tasks=0' (not a whole number >= 1)"),
        ("cluster=pbs", "got 'cluster=pbs' (not slurm or local)"),
        ("mem=1G --slurm mem=2G", "--slurm must have mem once, got it again with 2G"),
        ("mem=1G --workers 2", "--workers must be left out with --slurm"),
        ("mem=1G --cluster x", "--slurm must be left out with --cluster, got both"),
    ],
)
def test_what_slurm_is_asked_for_is_checked(options, words):
    assert words in run(FORMULA, "--slurm", *options.split(" "), code=2)
    assert not Path("ledger.db").exists()


def test_certificates_come_with_an_address_that_takes_them(folder):
    pytest.importorskip("distributed")
    for name in ("ca.pem", "cert.pem", "key.pem"):
        (folder / name).write_text("none")
    files = ("--cluster-tls", "ca=ca.pem,cert=cert.pem,key=key.pem")
    rule = "tls must come with an address tls://..., and that with it, got"
    assert rule in run(FORMULA, "--cluster", "tcp://127.0.0.1:9", *files, code=2)
    assert rule in run(FORMULA, "--cluster", "tls://127.0.0.1:9", code=2)
    assert "--cluster-tls must come with --cluster" in run(FORMULA, *files, code=2)
    words = "--cluster-tls must be files such as ca=ca.pem,cert=cert.pem,key=key.pem, got"
    for wrong in ("ca=ca.pem", "ca=ca.pem,cert=cert.pem,key=none.pem", "x"):
        assert words in run(FORMULA, "--cluster-tls", wrong, code=2)


def test_parquet_has_the_same_numbers():
    pq = pytest.importorskip("pyarrow.parquet")
    run(FORMULA)
    run(FORMULA, table="table.parquet")
    run(FORMULA, table="again.parquet")
    assert Path("table.parquet").read_bytes() == Path("again.parquet").read_bytes()
    found = pq.read_table("table.parquet").to_pylist()
    wanted = [float(row["expected_makespan"]) for row in rows()]
    assert [row["expected_makespan"] for row in found] == wanted


def test_a_page_has_means_figures_what_failed_and_equal_bytes():
    refused = GRID.replace('mtbf = ["4h"', 'mtbf = ["0s", "4h"')  # remarks with signs
    run(refused, table="table.html", code=1)
    first = Path("table.html").read_bytes()
    run(refused, "--workers", 2, code=1)
    run(refused, table="table.html", code=1)
    assert Path("table.html").read_bytes() == first
    page = first.decode()
    tables = [
        [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in body.split("</tr>")[:-1]]
        for body in re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    ]
    means, failed = tables
    number = float(rows()[-1]["expected_makespan"]) / 86400.0
    assert means[-1] == ["8h", "2h", f"{number:.2f}"]
    assert means[0] == ["0s", "30min", "-"]
    assert failed[0] == ["0s", "30min", escape(rows()[0]["remark"])]
    assert "Expected makespan, by MTBF and interval." in page
    assert "<dt>checkpoint cost</dt><dd>5min</dd>" in page
    assert "<dt>study</dt>" in page.split("What this rests on</h2>")[1]


def test_tables_to_read_have_three_digits():
    run(GRID, table="table.md")
    head, _, first, *_ = Path("table.md").read_text("utf-8").splitlines()
    assert head == r"| MTBF | interval | expected makespan<br>\[d\] |"
    assert re.fullmatch(r"\| 4h \| 30min \| [0-9]\.[0-9]{2} \|", first)
    run(GRID, table="table.tex")
    assert Path("table.tex").read_text("utf-8").startswith(r"\begin{tabular}{llr}")


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("GRID", {"MTBF", "interval", "expected makespan [d]"}),
        ("LINE", {"interval [min]", "expected makespan [d]"}),
        ("FORMULA", {"interval", "checkpoint cost", "expected makespan [d], MTBF 8h"}),
        ("DRAWN", {"interval [min]", "MTBF [h]", "checkpoint cost [min]"}),
        ("REPLAY", {"MTBF [h]", "fcfs", "easy", "bounded slowdown", "in use [%]"}),
    ],
)
def test_a_figure_shows_the_means_over_what_was_varied(text, drawn):
    pytest.importorskip("matplotlib")
    run(globals()[text], "--plot", "figure.svg")
    words = set(re.findall(r"<text[^>]*>([^<]*)</text>", Path("figure.svg").read_text("utf-8")))
    comments = set(re.findall(r"<!-- (.*?) -->", Path("figure.svg").read_text("utf-8")))
    assert drawn <= words | comments


def test_a_page_holds_no_more_cells_than_a_browser_shows():
    many = FORMULA.replace("samples = 3", "samples = 2000")
    words = run(many, table="table.html", code=2)
    assert words == "--table must be .csv or .parquet for more than 10,000 cells, got 12,000"


def test_a_cell_without_an_answer_says_why_and_the_others_are_computed():
    text = FORMULA.replace('work = "2d"', 'work = ["2d", "0s"]')
    run(text, code=1)
    remarks = [row["remark"] for row in rows()]
    assert remarks.count("") == 18
    assert remarks.count("ValueError: work must be finite and > 0, got 0.0") == 18


def test_a_ledger_of_another_study_is_refused_with_the_difference(folder):
    run(REPLAY)
    (folder / "jobs.swf").write_text(JOBS.replace("5400", "5401"))
    assert "sha256 of jobs.swf" in run(REPLAY, code=2)
    assert "seed 5 there" not in run(FORMULA, code=2)
    assert "study replay jobs.swf there, formula expected_makespan here" in run(FORMULA, code=2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[study]", "[studi]", "keys among study, parameters, replications (nearest: study), got"),
        ("mtbf =", "mtfb =", "parameters must have keys among"),
        ("mtbf =", "mtfb =", "(nearest: mtbf), got 'mtfb'"),
        ('work = "2d"', "", "parameters.work must be given, got none"),
        (
            '"2d"',
            "2",
            "parameters.work must be a duration with a unit, such as 30min, 1.5h or 2d12h",
        ),
        ('"4h", ', '"4", ', "parameters.mtbf must be a duration with a unit"),
        ('["4h", "8h"]', "[]", "parameters.mtbf must have one value at least, got []"),
        ("points = 3", "points = 1", "parameters.interval.points must be a whole number from 2"),
        ("points", "poins", "(nearest: points), got 'poins'"),
        ('"log-uniform"', '"normal"', "draw must be one of uniform, log-uniform, got 'normal'"),
        ('low = "1min"', 'low = "20min"', "checkpoint_cost.high must be > low = 1200, got 600"),
        ("expected_makespan", "expected_makespam", "(nearest: expected_makespan), got"),
        ("samples = 3", "", "study.samples must come with a parameter that has"),
        ("seed = 5", "seed = -5", "study.seed must be a whole number >= 0, got -5"),
        ("seed = 5", 'replay = "x"', "study must have one of formula, simulate, replay, got"),
        ("seed = 5", 'paired = ["x"]', "study.paired must be a list of work, mtbf, interval"),
        ("[parameters]", "[replications]\nnumber = 2\n[parameters]", "left out with a formula"),
    ],
)
def test_a_study_that_is_not_understood_is_refused_in_one_line(old, new, words):
    assert words in run(FORMULA.replace(old, new, 1), code=2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("number = 3", "until = 0", 'replications.until must be a share such as "1%", got 0'),
        ("number = 3", 'until = "1%"\nnumber = 3', "number must be left out with until"),
        ("number = 3", 'metric = "x"', "replications.metric must come with until"),
        ("number = 3", 'until = "1%"\nmetric = "x"', "metric must be one of failures_drawn,"),
        ("jobs.swf", "none.swf", "study.replay must be a readable file, got 'none.swf'"),
        ("policy = [", "polcy = [", "(nearest: policy)"),
        ('"fcfs"', '"fcfz"', "'fcfz'"),
        ('"4h"', '"four"', "parameters.mtbf must be a duration with a unit"),
    ],
)
def test_a_replay_that_is_not_understood_is_refused_in_one_line(old, new, words):
    assert words in run(REPLAY.replace(old, new, 1), code=2)


def test_a_ledger_with_another_seed_is_refused():
    same = FORMULA.replace("{ draw", '"1min" # { draw').replace("samples = 3", "")
    run(same)
    with closing(sqlite3.connect("ledger.db")) as base:
        base.execute("UPDATE about SET value='6' WHERE name='seed'")
        base.commit()
    said = run(same.replace("seed = 5", "seed = 6"), code=2)
    assert "ledger must hold what this study draws, got ledger.db with seed" in said


OWN = """\
from pathlib import Path
Path("ran").write_text("code of a file")
def go():
    Path("ran").write_text("called")
class First:
    name, runs_on = "first", ()
    def begin(self, cluster):
        def schedule(news):
            for job in cluster.queue:
                placement = cluster.machine.place(job)
                if placement is None:
                    return
                cluster.start(job, placement)
        return schedule
"""


@pytest.mark.parametrize("value", ['"evil:go"', '["fcfs", "evil:go"]', '"os:abort"', '":"'])
def test_a_study_runs_no_code_that_it_names(folder, value):
    (folder / "evil.py").write_text(OWN)
    study = REPLAY.replace('["fcfs", "easy"]', value)
    said = run(study, code=2)
    assert said.startswith("parameters.policy must be the name of a policy of ours")
    assert "--allow-code" in said
    assert not (folder / "ran").exists()
    assert not (folder / "ledger.db").exists()


def test_a_user_may_let_a_study_name_code(folder, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    (folder / "allowed_here.py").write_text(OWN)
    study = REPLAY.replace('["fcfs", "easy"]', '["fcfs", "allowed_here:First"]')
    run(study, "--allow-code")
    first, own = rows()[0], rows()[2]
    assert own["policy"] == "allowed_here:First"
    assert own["mean_wait_s"] == first["mean_wait_s"]


def test_options_that_miss_are_named():
    def refusal(*arguments):
        done = runner().invoke(main, ["sweep", *arguments])
        assert done.exit_code == 2
        return done.stderr

    assert "STUDY must be given" in refusal()
    assert "--ledger must be given" in refusal("jobs.swf")
    assert "--table must be given" in refusal("jobs.swf", "--ledger", "x.db")
    assert "--table must end with .csv, .parquet, .tex, .md or .html, got 'x.txt'" in refusal(
        "jobs.swf", "--ledger", "x.db", "--table", "x.txt"
    )
    assert "--example must come alone" in refusal("jobs.swf", "--example")


def test_a_clock_that_was_set_back_is_told_and_changes_nothing(monkeypatch):
    run(FORMULA)
    table = Path("table.csv").read_bytes()
    monkeypatch.setattr("time.time", lambda: 1e9)
    done = runner().invoke(
        main, ["sweep", "study.toml", "--ledger", "ledger.db", "--table", "table.csv"]
    )
    assert done.exit_code == 0
    assert done.stderr.startswith("the clock must have been set back")
    assert Path("table.csv").read_bytes() == table


def test_a_study_of_ten_million_cells_is_not_held_in_memory(folder):
    text = FORMULA.replace("samples = 3", "samples = 5000000")
    (folder / "large.toml").write_text(text)
    study = read_study(folder / "large.toml")
    assert study.size == 30_000_000
    assert next(study.cells()).parameters["work"] == 172800.0
