"""Notebooks hold no output, and each cell runs."""

import json
import linecache
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_some():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_holds_no_output(path):
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {}
    cells = json.loads(path.read_text("utf-8"))["cells"]
    for place, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            text, name = "".join(cell["source"]), f"<{path.stem}, cell {place}>"
            linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
            exec(compile(text, name, "exec"), names)
    matplotlib.pyplot.close("all")
