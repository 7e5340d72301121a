"""The file of a sweep: only ever appended to if this command began it."""

import gzip
import json
import os

import click
import pytest

from perfmodel.cli.output.finished import Finished

SETTINGS = {"version": "1.0", "options": {"seed": 1, "jobs": 9}, "inputs": ["log"]}
RESULT = {"qos": 0.5, "rows": [None, 1]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cells.jsonl"


def opened(path, **changes):
    return Finished(path, SETTINGS | changes)


def test_cells_are_kept_and_found_again(path):
    opened(path).add([0.1, None], RESULT)
    opened(path).add([0.2, 0.5], RESULT)
    again = opened(path)
    assert again.get([0.1, None]) == again.get([0.2, 0.5]) == RESULT
    assert again.get([0.3, 0.5]) is None
    assert len(path.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "content",
    [
        b"precious notes without newline",
        b"precious notes\n",
        b'{"precious": "json"}',
        b'{"precious": "json"}\n',
        b"[1, 2]\n{}\n",
        b"5",
        b"\n",
        b"\n\n\n",
        gzip.compress(b"precious", mtime=0),
        b"\xff\xfe\x00\n",
        b"{" * 100_000 + b"\n",
        b"x" * 3_000_000,
        json.dumps(SETTINGS).encode() + b"\n",
    ],
    ids=lambda content: repr(content[:16]),
)
def test_a_foreign_file_is_refused_and_stays_as_it_is(path, content):
    path.write_bytes(content)
    with pytest.raises(click.UsageError, match="--resume must be a file that this command began"):
        opened(path)
    assert path.read_bytes() == content


def test_a_link_to_a_foreign_file_is_refused(path, tmp_path):
    (tmp_path / "notes").write_text("precious")
    path.symlink_to(tmp_path / "notes")
    with pytest.raises(click.UsageError, match="began"):
        opened(path)
    assert (tmp_path / "notes").read_text() == "precious"


def test_what_is_no_plain_file_is_refused(path):
    os.mkfifo(path)
    with pytest.raises(click.UsageError, match="began"):
        opened(path)


def test_an_empty_file_holds_nothing_to_lose(path):
    path.touch()
    opened(path).add([1], RESULT)
    assert opened(path).get([1]) == RESULT


def test_a_first_line_cut_off_is_not_ours_to_overwrite(path):
    opened(path)
    cut = path.read_bytes()[:-1]
    path.write_bytes(cut)
    with pytest.raises(click.UsageError, match="began"):
        opened(path)
    assert path.read_bytes() == cut


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"version": "1.1"}, "other version"),
        ({"options": {"seed": 2, "jobs": 9}}, "other seed"),
        ({"options": {"seed": 2, "jobs": 9, "new": 1}}, "other new, seed"),
        ({"inputs": []}, "other inputs"),
    ],
)
def test_other_settings_are_named(path, changes, named):
    opened(path).add([1], RESULT)
    before = path.read_bytes()
    with pytest.raises(click.UsageError, match=f"of the same settings, got .* of {named}"):
        opened(path, **changes)
    assert path.read_bytes() == before


def test_a_last_line_cut_off_is_played_again(path):
    for key in (1, 2):
        opened(path).add([key], RESULT)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    again = opened(path)
    assert (again.get([1]), again.get([2])) == (RESULT, None)
    again.add([2], RESULT)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "line",
    ['{"foo": 1}', "[]", "5", "{}", '{"key": [1], "result": {}}', "", "x" * 99, "[" * 99_999, "é"],
    ids=lambda line: repr(line[:20]),
)
def test_a_line_that_is_not_ours_is_named(path, line):
    opened(path).add([1], RESULT)
    with path.open("ab") as file:
        file.write(line.encode("latin-1") + b"\n")
    before = path.read_bytes()
    with pytest.raises(click.UsageError, match=r"got .*, line 3$"):
        opened(path)
    assert path.read_bytes() == before


def test_a_changed_result_is_not_ours(path):
    opened(path).add([1], RESULT)
    path.write_text(path.read_text().replace("0.5", "0.6"))
    with pytest.raises(click.UsageError, match="line 2"):
        opened(path)
