"""--table FILE: what is printed, in the form that the file's ending names."""

from pathlib import Path

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

COMPARED = ["interval", "--mtbf", "8h", "--checkpoint-cost", "5min,10min"]


def run(*words, code=0):
    done = runner(env={"COLUMNS": "80"}).invoke(main, list(words))
    assert done.exit_code == code, done.output
    return done.output


def kept(tmp_path, end, *words, code=0):
    path = tmp_path / f"kept{end}"
    run(*words, "--table", str(path), code=code)
    return path.read_text("utf-8")


def test_each_form_has_the_numbers_that_are_printed(tmp_path):
    printed = run(*COMPARED).split()
    for end in (".tex", ".md", ".csv", ".html"):
        text = kept(tmp_path, end, *COMPARED)
        for number in ("65.88", "91.64", "+6.55"):
            assert number in printed
            assert number in text, end
    assert kept(tmp_path, ".tex", *COMPARED).startswith(r"\begin{tabular}{lrrrr}")
    assert kept(tmp_path, ".md", *COMPARED).startswith("| checkpoint<br>cost |")
    assert kept(tmp_path, ".csv", *COMPARED).splitlines()[2] == "10min,91.64,8.65,+6.55,80.95"
    assert kept(tmp_path, ".html", *COMPARED).startswith("<!doctype html>")


def test_csv_has_no_sentences_and_the_others_no_facts(tmp_path):
    job = ["interval", "--mtbf", "8h", "--checkpoint-cost", "5min"]
    assert "8 h (as given)" in run(*job)
    assert "Checkpoint after every" not in kept(tmp_path, ".csv", *job)
    words = kept(tmp_path, ".md", *job)
    assert "Checkpoint after every" in words
    assert "as given" not in words


def test_an_answer_without_a_table_gives_its_facts(tmp_path):
    told = ["advise", "--state", str(tmp_path / "run.json"), "--event", "started", "--cost", "2min"]
    run(*told, "--mtbf", "1d", "--now", "0")
    asked = ["advise", "--state", str(tmp_path / "run.json"), "--now", "60"]
    text = kept(tmp_path, ".csv", *asked, code=1)
    assert text.splitlines()[0].startswith("checkpoint,")


@pytest.mark.parametrize("place", ["before", "after"])
def test_json_has_no_table(tmp_path, place):
    path = tmp_path / "kept.csv"
    words = ["--table", str(path), "--json"]
    printed = run(*COMPARED, *(words if place == "before" else [words[2], *words[:2]]), code=2)
    assert "--table must be left out with --json" in printed
    assert not path.exists()


def test_another_ending_is_refused_before_anything_is_computed(tmp_path):
    printed = run(*COMPARED, "--table", str(tmp_path / "kept.docx"), code=2)
    assert "--table must end with .tex, .md, .csv or .html, got 'kept.docx'" in printed


def test_a_refusal_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "kept.csv"
    path.write_text("mine")
    run("interval", "--checkpoint-cost", "5min", "--table", str(path), code=2)
    assert path.read_text() == "mine"
    run(*COMPARED, "--table", str(Path("no-such-folder") / "kept.csv"), code=2)
