"""A file that is planted is what Python imports; all others are as they are."""

import importlib
from importlib.machinery import SourceFileLoader

from .planted import plant


def test_an_import_runs_the_planted_code(tmp_path, monkeypatch):
    for name in ("planted_here", "left_alone"):
        (tmp_path / f"{name}.py").write_text("def made():\n    return 1\n\n\nVALUE = made()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)  # put back later
    plant(str(tmp_path / "planted_here.py"), "def made():\n    return 2\n\n\nVALUE = made()\n")
    assert importlib.import_module("planted_here").VALUE == 2
    assert importlib.import_module("left_alone").VALUE == 1
