"""Refusals that no transcript can hold; all others stand in `tests/golden/refusals.txt`."""

import pytest

from perfmodel.cli import main
from tests.support.runner import runner


@pytest.mark.parametrize(
    ("command", "content", "line"),
    [
        (
            *("partition latin.csv --work 1h", b"speed,mtbf\n1,\xff\n"),
            "latin.csv must be text in UTF-8, got the byte 0xff",
        ),
        (
            *("plan large.toml", b"#" * 2_000_001),
            "large.toml must have at most 2,000,000 bytes, got 2,000,001",
        ),
        (
            *("plan latin.toml", b"\xff = 1\n"),
            "latin.toml must be UTF-8, got invalid start byte",
        ),
    ],
)
def test_a_file_is_refused_by_its_bytes(command, content, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / command.split()[1]).write_bytes(content)
    done = runner().invoke(main, command.split())
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"Error: {line}\n")


def test_a_study_that_is_refused_leaves_no_ledger(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text("study = 3\nparameters = 3\n")
    calls = ["sweep", "study.toml", "--ledger", "ledger", "--table", "table.csv"]
    assert runner().invoke(main, calls).exit_code == 2
    assert not (tmp_path / "ledger").exists()
