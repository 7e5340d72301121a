"""The file of an advisor: all that is in it, and every word of each refusal."""

import hashlib
import json
import math
import os

import pytest

from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.belief import Belief
from perfmodel.levels import Level

NAME = "a.json"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def advisor(**changes):
    settings = {
        "cost": 120.0,
        "latency": 30.0,
        "recovery_cost": 60.0,
        "least": 50.0,
        "most": 9000.0,
        "end": 1e6,
        "shape": 0.5,
        "age": 7.0,
        "two_phases": True,
        "prior": Prior(2.0, 1e5),
    }
    return CheckpointAdvisor(**{**settings, **changes})


def content():
    with open(NAME, encoding="ascii") as file:
        return json.load(file)


def test_all_that_a_new_advisor_writes_down(here):
    advisor().save(NAME)
    weights = Belief.of(Prior(2.0, 1e5), 0.5).weights.tolist()
    body = {
        "settings": {
            "cost": 120.0,
            "latency": 30.0,
            "recovery_cost": 60.0,
            "share": 1.0,
            "least": 50.0,
            "most": 9000.0,
            "end": 1e6,
            "shape": 0.5,
            "age": 7.0,
            "two_phases": True,
        },
        "prior": {"shape": 2.0, "observed_time": 1e5},
        "memory": {
            "belief": weights,
            "cost": {"mean": 120.0, "variance": 1296.0, "weight": 1.0},
            "latency": {"mean": 30.0, "variance": 81.0, "weight": 1.0},
            "running": False,
            "last": -math.inf,
            "segment": math.nan,
            "interval": math.nan,
            "next_checkpoint": math.inf,
            "bound": "",
            "begun": math.nan,
            "draining": math.nan,
            "failures": 0,
            "watched": 0.0,
            "pace": {"step": math.nan, "ended": math.nan, "stride": 1.0, "time": None},
            "early": weights,
            "age": 7.0,
            "struck": False,
        },
    }
    found = content()
    written = {name: found[name] for name in body}
    digest = hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()
    assert (found["format"], found["sha256"]) == ("perfmodel advisor 1", digest)
    assert list(found) == ["format", "sha256", *body]
    assert repr(written) == repr(body)  # so that nan is nan
    assert (here / NAME).read_text().endswith("}\n")


def test_levels_are_written_down_with_all_that_is_remembered_of_them():
    one = advisor(levels=[Level(10.0, 5.0, 0.5), Level(20.0, 8.0, 0.9)], shape=1.0)
    one.save(NAME)
    found = content()
    assert found["settings"]["levels"] == [
        {"cost": 10.0, "recovery": 5.0, "survives": 0.5},
        {"cost": 20.0, "recovery": 8.0, "survives": 0.9},
    ]
    assert found["memory"]["copies"] == {
        "costs": [
            {"mean": 10.0, "variance": 9.0, "weight": 1.0},
            {"mean": 20.0, "variance": 36.0, "weight": 1.0},
        ],
        "read": [0.0, 0.0, 0.0],
        "work": [0.0, 0.0],
        "level": 1,
        "writing": 1,
        "fallen": False,
        "periods": [],
        "known": [],
    }
    again = CheckpointAdvisor.load(NAME)
    assert (again.levels, again.memory.copies) == (one.levels, one.memory.copies)
    for each in (one, again):
        each.started(0.0)
        each.stepped(100.0)
        each.stepped(200.0)
    again.save(NAME)
    again = CheckpointAdvisor.load(NAME)
    assert repr(again.memory) == repr(one.memory)
    assert again.prior == one.prior
    settings = ("cost", "latency", "recovery_cost", "share", "least", "most", "end", "shape", "age")
    for name in (*settings, "two_phases"):
        assert getattr(again, name) == getattr(one, name), name


def sealed(body):
    """Return a whole file of a changed body, with the checksum that it needs."""
    kept = {name: body[name] for name in ("settings", "prior", "memory") if name in body}
    digest = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
    return json.dumps({**body, "sha256": digest})


def forgetting(place, name):
    def change(text):
        body = json.loads(text)
        del body[place][name]
        return sealed(body)

    return change


def having(place, name, value):
    def change(text):
        body = json.loads(text)
        (body[place] if place else body)[name] = value
        return sealed(body) if place else json.dumps(body)

    return change


REFUSED = [
    (lambda _: "", "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
    (lambda text: text + " " * 1_000_000, "ValueError: more than 1000000 bytes"),
    (
        having("", "format", "perfmodel advisor 2"),
        "ValueError: format is 'perfmodel advisor 2', not 'perfmodel advisor 1'",
    ),
    (having("", "prior", 1), "ValueError: the checksum is not that of the content"),
    (having("", "sha256", "0"), "ValueError: the checksum is not that of the content"),
    (lambda text: json.dumps({"format": "perfmodel advisor 1"}), "KeyError: 'settings'"),
    (forgetting("memory", "pace"), "KeyError: 'pace'"),
    (forgetting("memory", "early"), "KeyError: 'early'"),
    (forgetting("settings", "shape"), "KeyError: 'shape'"),
    (
        having("settings", "levels", [{"cost": 1.0, "recovery": 1.0, "survives": 0.5}]),
        "ValueError: 1 levels, of which another number is remembered",
    ),
    (
        having("memory", "belief", [1.0]),
        "ValueError: weights must be 56 probabilities that sum to 1, got [1.0]",
    ),
    (
        having("memory", "early", [1.0]),
        "ValueError: weights must be 56 probabilities that sum to 1, got [1.0]",
    ),
    (having("settings", "cost", -1.0), "ValueError: cost must be finite and > 0, got -1.0"),
    (having("prior", "shape", 0.0), "ValueError: shape must be finite and > 0, got 0.0"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_each_refusal_says_why_and_where_the_file_is_kept(here, change, reason):
    advisor().save(NAME)
    text = change((here / NAME).read_text())
    for number in ("", "1", "2"):
        (here / NAME).write_text(text)
        with pytest.raises(ValueError, match="state must be") as error:
            CheckpointAdvisor.load(NAME)
        assert str(error.value) == (
            f"state must be a file that an advisor saved, got 'a.json' ({reason}); "
            f"it is kept beside it as 'a.json.refused{number}'"
        )
        assert (here / f"a.json.refused{number}").read_text() == text
        assert not (here / NAME).exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "KeyError: 'format'"),
        ('{"format": "other"}', "ValueError: format is 'other', not 'perfmodel advisor 1'"),
        ("node,time\n", "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_a_file_of_somebody_else_is_left_as_it_is(here, text, reason):
    (here / NAME).write_text(text)
    with pytest.raises(ValueError, match="state must be") as error:
        CheckpointAdvisor.load(NAME)
    assert str(error.value) == (
        f"state must be a file that an advisor saved, got 'a.json' ({reason}); "
        "it is left as it is: name another file"
    )
    assert {each.name: each.read_text() for each in here.iterdir()} == {NAME: text}


def test_a_file_of_just_a_million_bytes_is_read(here):
    advisor().save(NAME)
    text = (here / NAME).read_text()
    (here / NAME).write_text(text + " " * (1_000_000 - len(text)))
    assert CheckpointAdvisor.load(NAME).cost == 120.0


def test_what_cannot_be_written_leaves_what_was_there(here, monkeypatch):
    advisor().save(NAME)
    before, seen = (here / NAME).read_text(), []

    def refuse(origin, target):
        seen.append((origin, target, os.listdir(here)))
        raise OSError("full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="full"):
        advisor(cost=5.0).save(NAME)
    (origin, target, then), *_ = seen
    # Beside the file, so that replacing it is one step of the file system, and hidden.
    assert os.path.basename(origin).startswith(".a.json.")
    assert sorted(then) == sorted([os.path.basename(origin), NAME])
    assert (os.fspath(target), (here / NAME).read_text()) == (NAME, before)
    assert os.listdir(here) == [NAME]
