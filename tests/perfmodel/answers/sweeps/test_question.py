"""A sweep asked from Python: the numbers of the command, in every form."""

import csv
from contextlib import nullcontext
from pathlib import Path

import pytest

from perfmodel.answers import Refused, SweepRequest, render, sweep
from perfmodel.cli import main
from tests.support.runner import runner

STUDY = """
[study]
formula = "expected_makespan"
[parameters]
work = "2d"
mtbf = ["4h", "8h"]
interval = ["1h", "0s"]
checkpoint_cost = "5min"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(STUDY)


def test_a_sweep_has_the_rows_of_the_command():
    done = []
    request = SweepRequest(study="study.toml", ledger="one.db")
    found = sweep(request, progress=lambda cells: nullcontext(done.append))
    words = ["sweep", "study.toml", "--ledger", "two.db", "--table", "table.csv"]
    assert runner().invoke(main, words).exit_code == 1
    with open("table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{name: str(value) for name, value in row.items()} for row in found.rows()] == rows
    assert [found.failed(row) for row in found.rows()] == [False, True, False, True]
    assert list(found.to_frame()["mtbf"]) == [14_400.0, 14_400.0, 28_800.0, 28_800.0]
    assert found.to_dict()["about"]["study"] == "formula expected_makespan"
    assert render(found, "text").splitlines()[:2] == ["cells   4", "failed  2"]
    assert done[-1] == 4


def test_what_a_sweep_cannot_do_is_refused_by_the_names_of_fields():
    with pytest.raises(Refused, match=r"^ledger must be given, got none$"):
        sweep(SweepRequest(study="study.toml"))
    tls = {name: Path("study.toml") for name in ("ca", "cert", "key")}
    with pytest.raises(Refused, match=r"^cluster_tls must come with cluster, got it alone$"):
        sweep(SweepRequest(study="study.toml", ledger="one.db", cluster_tls=tls))
    with pytest.raises(Refused, match=r"^study must be a readable file, got 'none.toml'"):
        SweepRequest(study="none.toml")
