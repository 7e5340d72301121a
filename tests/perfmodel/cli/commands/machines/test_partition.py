import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from perfmodel.cli import main
from perfmodel.interval import optimal_interval
from perfmodel.partition import Machines, schedule_bisection, schedule_exhaustive, schedule_local

HOUR = 3600.0
PLAIN = "name,speed,mtbf,mttr\na,1,500h,2h\nb,2,600h,3h\nc,5,200h,30min\n"
LIBRARY = Machines(
    [1.0, 2.0, 5.0],
    np.array([500.0, 600.0, 200.0]) * HOUR,
    np.array([2.0, 3.0, 0.5]) * HOUR,
)


@pytest.fixture
def run(tmp_path):
    def call(text, *arguments):
        path = tmp_path / "machines.csv"
        path.write_text(text)
        return CliRunner().invoke(main, ["partition", str(path), *arguments])

    return call


@pytest.fixture
def read(run):
    def call(text, *arguments):
        done = run(text, *arguments, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return call


def test_shares_are_those_of_the_library(read):
    found = read(PLAIN, "--work", "1e5h")
    ours = schedule_bisection(1e5 * HOUR, LIBRARY)
    assert found["work_s"] == 3.6e8
    assert [row["machine"] for row in found["machines"]] == ["c", "b", "a"]
    assert [row["share_s"] for row in found["machines"]] == ours.shares.tolist()
    assert sum(row["share"] for row in found["machines"]) == pytest.approx(1.0, rel=1e-12)
    assert found["expected_time_s"] == ours.expected_time
    assert found["objective_s"] == ours.objective
    assert found["processes"] == 3


def test_processes_and_algorithm_are_passed_on(read):
    found = read(PLAIN, "--work", "1e5h", "--processes", "2", "--algorithm", "exhaustive")
    ours = schedule_exhaustive(1e5 * HOUR, LIBRARY, processes=2)
    assert found["objective_s"] == ours.objective
    assert found["sets_evaluated"] == ours.sets_evaluated
    near = read(PLAIN, "--work", "1e5h", "--algorithm", "local")
    assert near["objective_s"] == schedule_local(1e5 * HOUR, LIBRARY).objective
    assert near["plain_bisection_missed"] is None
    slow = read(PLAIN, "--work", "1e5h", "--processes", "1", "--algorithm", "reliability")
    assert [row["machine"] for row in slow["machines"]] == ["b"]


@pytest.mark.parametrize(
    "text",
    [
        "name,speed,mtbf [h],mttr (min)\na,1,500,120\nb,2,600,180\nc,5,200,30\n",
        "Name,Speed,MTBF_h,mttr_min\na,1,500,120\nb,2,600,180\nc,5,200,30\n",
        "\ufeffname , speed,mtbf_d,mttr\na,1,500h,2 h\n\nb,2,25,3h\nc,5,200h,30min\n",
        'mttr,name,mtbf,speed\n2h,a,"500h",1\n3h,b,600h,2\n1800s,c,200h,5\n',
    ],
)
def test_units_stand_in_cells_or_in_the_header(read, text):
    assert read(text, "--work", "1e5h") == read(PLAIN, "--work", "1e5h")


def test_checkpoints_come_from_columns_or_options_or_are_the_best_for_each_machine(read):
    by_option = read(PLAIN, "--work", "1e5h", "--checkpoint-cost", "6min", "--interval", "2h")
    columns = PLAIN.replace("mttr\n", "mttr,interval,checkpoint cost\n").replace(
        "h\n", "h,2h,6min\n"
    )
    columns = columns.replace("30min\n", "30min,2h,6min\n")
    assert read(columns, "--work", "1e5h")["objective_s"] == by_option["objective_s"]
    best = Machines(
        *LIBRARY.columns[:4],
        optimal_interval(mtbf=LIBRARY.columns[1], checkpoint_cost=360.0),
        360.0,
    )
    found = read(PLAIN, "--work", "1e5h", "--checkpoint-cost", "6min")
    assert found["objective_s"] == schedule_bisection(3.6e8, best).objective
    assert any("optimum" in note for note in found["notes"])
    assert any("no checkpoints" in note for note in read(PLAIN, "--work", "1e5h")["notes"])


def test_the_deviation_of_repairs_comes_as_such_or_as_its_ratio_to_the_mean(read):
    cv = (
        PLAIN.replace("mttr\n", "mttr,mttr_cv\n")
        .replace("h\n", "h,4\n")
        .replace("min\n", "min,4\n")
    )
    std = PLAIN.replace("mttr\n", "mttr,mttr_std\n").replace("2h\n", "2h,8h\n")
    std = std.replace("3h\n", "3h,12h\n").replace("30min\n", "30min,2h\n")
    assert read(cv, "--work", "1e5h") == read(std, "--work", "1e5h")
    assert read(cv, "--work", "1e5h")["std_s"] > read(PLAIN, "--work", "1e5h")["std_s"]


def test_csv_comes_back_with_one_row_per_machine(run):
    done = run(PLAIN, "--work", "1e5h", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["machine"] for row in rows] == ["c", "b", "a"]
    assert sum(float(row["share_s"]) for row in rows) == pytest.approx(3.6e8, rel=1e-12)


def test_the_table_says_what_was_left_out_and_how_long_it_takes(run):
    text = run(PLAIN.replace("name", "rack"), "--work", "1e5h").stdout
    assert "columns left out: rack" in text
    assert "Done after" in text
    many = "speed,mtbf\n" + "1,500h\n" * 120
    text = run(many, "--work", "1e5h", "--processes", "120").stdout
    assert "70 more machines: --csv shows all" in text


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "machines.csv"
    path.write_bytes(b"speed,mtbf\n1,\xff\n")
    done = CliRunner().invoke(main, ["partition", str(path), "--work", "1h"])
    assert done.exit_code == 2
    assert done.stderr == "Error: machines.csv must be text in UTF-8, got the byte 0xff\n"


LONG = 120_000  # what the csv module takes in one cell


@pytest.mark.parametrize(
    ("heading", "cell", "words"),
    [
        ("mtbf" + " " * LONG + "!", "9h", "must have a column mtbf"),
        ("mtbf [" + " " * LONG + "!", "9h", "must have a column mtbf"),
        ("mtbf", "9" * LONG + "x", "line 2: mtbf must be a duration"),
        ("mtbf", "1" + " " * LONG + "x", "line 2: mtbf must be a duration"),
        ("mtbf [h]", "9" * LONG, "line 2: mtbf must be a duration"),
        ("mtbf", "9" * 1_000_000, "line 2 must be CSV, got 'field larger than field limit"),
        ("9" * 1_000_000, "9h", "line 1 must be CSV"),
    ],
)
def test_long_cells_are_refused_in_one_pass_and_in_few_words(run, heading, cell, words):
    done = run(f"speed,{heading}\n1,{cell}\n", "--work", "1h")
    assert done.exit_code == 2
    assert words in done.stderr
    assert len(done.stderr) < 300
    assert done.stderr.count("\n") == 1


def test_blanks_around_headings_and_units_do_not_matter(read):
    text = " speed\t, mtbf  [ h ] ,mttr( min)\n1,500,120\n2,600,180\n"
    assert read(text, "--work", "1e5h") == read(
        "speed,mtbf,mttr\n1,500h,2h\n2,600h,3h\n", "--work", "1e5h"
    )
