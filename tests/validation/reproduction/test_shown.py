"""What the run of a paper prints and writes."""

import json

import pytest
from click.testing import CliRunner

from validation.__main__ import main
from validation.reproduction.figures import save
from validation.reproduction.rows import Row
from validation.reproduction.shown import Shown, place_of, progress_lines

FOUND = {
    "as printed": [
        Row("Fig. 4: wait [s]", "1", "2 ± 1", "", "O", "holds"),
        Row("Table 1, random", "5", "6", "", "O", "holds", "first"),
    ],
    "as released": [Row("gain [%]", "7", "-8", "", "O", "fails", "negative", "Fig. 4")],
}
pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")


def draw(folder):
    from matplotlib.figure import Figure

    for name in ("fig4", "fig11"):
        figure = Figure()
        axes = figure.add_subplot()
        axes.plot([1.0, 2.0], [3.0, 4.0], label="a line")
        axes.legend()
        save(figure, folder, f"qsim-{name}")


def end(capsys, **more):
    code = Shown(**more).end("qsim", FOUND, "all tables", draw, out=None)
    return code, capsys.readouterr().out


def test_json_has_every_row_with_its_place_and_its_set_up(capsys):
    code, text = end(capsys, as_data=True)
    records = json.loads(text)
    assert code == 1
    assert [record["figure"] for record in records] == ["Fig. 4", "Table 1", "Fig. 4"]
    assert records[2] == {
        "paper": "qsim",
        "figure": "Fig. 4",
        "what": "gain [%]",
        "printed": "7",
        "ours": "-8",
        "kind": "O",
        "setup": "as released",
        "verdict": "fails",
        "reason": "negative",
    }


@pytest.mark.parametrize(("only", "rows", "code"), [("fig4", 2, 1), ("table1", 1, 0)])
def test_one_place_alone_decides_the_exit_code(only, rows, code, capsys):
    found, text = end(capsys, as_data=True, only=only)
    assert (found, len(json.loads(text))) == (code, rows)
    found, text = end(capsys, only=only)
    assert text.count("\n") == rows + 2
    assert "all tables" not in text


def test_tables_are_printed_whole_without_a_place(capsys):
    assert end(capsys) == (1, "all tables\n")


def test_figures_are_equal_bytes_and_those_of_the_place(tmp_path, capsys):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        end(capsys, figures=folder)
    names = sorted(path.name for path in first.iterdir())
    assert names == ["qsim-fig11.svg", "qsim-fig4.svg"]
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()
        assert b"dc:date" not in (first / name).read_bytes()
    end(capsys, figures=tmp_path / "c", only="fig4")
    assert [path.name for path in (tmp_path / "c").iterdir()] == ["qsim-fig4.svg"]


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (Row("section 3, N = 10: worker", "", "", "", "O", "holds"), "section3"),
        (Row("Fig. 10, 128 h", "", "", "", "O", "holds"), "fig10"),
        (Row("MetaCentrum: close", "so in Fig. 2", "", "", "O", "holds"), "fig2"),
        (Row("QoS, all cells", "0.9 .. 1", "", "", "R", "reported"), ""),
    ],
)
def test_a_row_says_where_in_the_paper_it_is_from(row, place):
    assert place_of(row) == place


def test_a_place_that_the_paper_has_not_is_refused_before_it_is_played():
    done = CliRunner().invoke(main, ["--reproduction", "wsj", "--only", "fig77"])
    assert done.exit_code == 2
    assert "fig77" in done.output
    assert "table1" in done.output


def test_figures_need_a_paper():
    done = CliRunner().invoke(main, ["--figures", "somewhere"])
    assert done.exit_code == 2
    assert "--figures need --reproduction" in done.output


def test_progress_says_how_long_it_takes_yet(monkeypatch, capsys):
    now = iter([0.0, 30.0, 31.0, 90.0])
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    with progress_lines(3, "cells") as step:
        for _ in range(3):
            step()
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["1 of 3 cells, 60 s left", "3 of 3 cells, 0 s left"]
