"""Which files take the place of others when they are whole, and which are written directly."""

import os
import threading

import click
import pytest

from perfmodel.cli.output.whole_file import whole_file


def test_a_pipe_is_written_directly_and_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    with whole_file(pipe) as part:
        assert part == pipe
        part.write_text("rows")
    reader.join(timeout=300.0)
    assert read == ["rows"]
    assert pipe.is_fifo()


def test_a_file_in_a_folder_that_cannot_be_written_is_written_directly(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda folder, mode: (folder, mode) != (tmp_path, os.W_OK))
    with whole_file(path) as part:
        assert part == path


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nowhere/rows.csv", "no such file or directory"), (".", "is a directory")],
)
def test_what_cannot_be_written_is_refused_in_one_line(name, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda folder, mode: True)
    path = tmp_path / name

    def write():
        with whole_file(path) as part:
            part.write_text("rows")

    with pytest.raises(click.ClickException) as refused:
        write()
    assert refused.value.message == f"{path} must be writable, got {reason!r}"


def test_a_reader_that_goes_away_is_not_a_file_that_cannot_be_written(tmp_path):
    def write():
        with whole_file(tmp_path / "rows.csv"):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        write()
    assert list(tmp_path.iterdir()) == []
