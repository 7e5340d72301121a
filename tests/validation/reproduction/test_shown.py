"""What the run of a paper prints and writes."""

import pytest
from click.testing import CliRunner

from validation.__main__ import main
from validation.reproduction.figures import save
from validation.reproduction.shown import Shown, progress_lines

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")


def draw(folder):
    from matplotlib.figure import Figure

    for name in ("fig4", "fig11"):
        figure = Figure()
        axes = figure.add_subplot()
        axes.plot([1.0, 2.0], [3.0, 4.0], label="a line")
        axes.legend()
        save(figure, folder, f"qsim-{name}")


def test_figures_are_equal_bytes_and_those_of_the_place(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        Shown(figures=folder).claims("qsim", [], draw, out=None)
    names = sorted(path.name for path in first.iterdir())
    assert names == ["qsim-fig11.svg", "qsim-fig4.svg"]
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()
        assert b"dc:date" not in (first / name).read_bytes()
    Shown(figures=tmp_path / "c", only="fig4").claims("qsim", [], draw, out=None)
    assert [path.name for path in (tmp_path / "c").iterdir()] == ["qsim-fig4.svg"]


def test_a_place_that_the_paper_has_not_is_refused_before_it_is_played():
    done = CliRunner().invoke(main, ["--reproduction", "wsj", "--only", "fig77"])
    assert done.exit_code == 2
    assert "fig77" in done.output
    assert "table1" in done.output


def test_figures_need_a_paper():
    done = CliRunner().invoke(main, ["--figures", "somewhere"])
    assert done.exit_code == 2
    assert "--figures and --text need --reproduction" in done.output
    done = CliRunner().invoke(main, ["--reproduction", "wsj", "--text"])
    assert "--text is for --reproduction qsim and aucore" in done.output


def test_progress_says_how_long_it_takes_yet(monkeypatch, capsys):
    now = iter([0.0, 30.0, 31.0, 90.0, 95.0])  # the first one compiles
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    with progress_lines(5, "cells") as step:
        for _ in range(4):
            step()
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["1 of 5 cells", "3 of 5 cells, 60 s left"]
