"""JSON Schema of answers, requests and scenarios, held against every one that there is."""

import copy
import json
import shlex
import tomllib
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest

from perfmodel import answers
from perfmodel.answers.requests.presets import PRESETS
from perfmodel.answers.scenario import EXAMPLE
from perfmodel.answers.schemas import KINDS, schema
from tests.golden import TRANSCRIPTS, blocks

from .test_questions import ASKED, INPUTS, of_schema

QUESTIONS = (
    "interval",
    "completion",
    "goodput",
    "spares",
    "nodes",
    "extra",
    "partition",
    "fit",
    "plan",
    "forecast",
    "simulate",
)
DOCS = Path(__file__).parents[3] / "docs"
SCENARIOS = [*(DOCS / "scenarios").glob("*.toml"), *TRANSCRIPTS[0].parent.glob("inputs/*.toml")]


def printed(question):
    """Return every answer in JSON to one question that the transcripts have, lists apart."""
    command = "advise" if question == "site" else question
    paths = [each for each in TRANSCRIPTS if each.stem in {command, f"{command}-long"}]
    found = []
    for block in (block for path in paths for block in blocks(path.read_text())):
        words = shlex.split(block.command)
        if words[:2] != ["perfmodel", command] or "--json" not in words:
            continue
        if question == "site" and "--sacct" not in words:
            continue
        text = "\n".join(line for line in block.answer if not line.startswith(("! ", "= ")))
        if text.startswith("{"):
            found.append((block.command, json.loads(text)))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one_and_closed(kind):
    found = schema(kind)
    jsonschema.Draft202012Validator.check_schema(found)
    json.dumps(found)

    def walk(part):
        if isinstance(part, dict):
            if "properties" in part:
                assert part["additionalProperties"] is False
            for each in part.values():
                walk(each)
        elif isinstance(part, list):
            for each in part:
                walk(each)

    walk(found)
    assert not of_schema(kind).is_valid({"no such key": 1})
    assert not of_schema(kind).is_valid([])


@pytest.mark.parametrize("question", [*QUESTIONS, "site"])
def test_every_answer_of_the_transcripts_has_its_shape(question):
    known, check = printed(question), of_schema(question)
    assert known
    for command, answer in known:
        errors = [
            f"{error.json_path}: {error.message[:200]}" for error in check.iter_errors(answer)
        ]
        assert not errors, command


@pytest.mark.parametrize("question", [*QUESTIONS, "site"])
def test_another_key_and_another_type_are_no_answer(question):
    check = of_schema(question)
    for _, answer in printed(question)[:2]:
        assert not check.is_valid({**answer, "another": 1})
        for name in answer.keys() - {"options"}:
            for wrong in (object, {"no": {"such": "thing"}}, [{"no": 1}]):
                assert not check.is_valid({**answer, name: wrong}), name
            if isinstance(answer[name], int | float):
                assert not check.is_valid({**answer, name: "text"}), name
            less = copy.copy(answer)
            del less[name]
            required = schema(question).get("required", ())
            assert name not in required or not check.is_valid(less)


@pytest.mark.parametrize("study", ["study", "formula", "replay"])
def test_the_cells_of_a_study_have_their_shape(study, tmp_path, monkeypatch):
    monkeypatch.chdir(INPUTS)
    asked = {"study": f"{study}.toml", "ledger": str(tmp_path / "ledger"), "allow_code": True}
    of_schema("sweep-request").validate(asked)
    found = answers.sweep(answers.SweepRequest(**asked)).to_dict()
    check = of_schema("sweep")
    check.validate(json.loads(json.dumps(found, allow_nan=False)))
    assert not check.is_valid({**found, "another": 1})
    assert not check.is_valid({**found, "cells": [{"mtbf": 1.0}]})


def test_within_an_answer_keys_and_types_are_checked_too():
    (_, answer), *_ = printed("interval")
    check = of_schema("interval")
    for wrong in ({"regret": "small"}, {"another": 1}):
        changed = copy.deepcopy(answer)
        changed["rules"][0] |= wrong
        assert not check.is_valid(changed)
    changed = copy.deepcopy(answer)
    del changed["rules"][0]["valid"]
    assert not check.is_valid(changed)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_every_scenario_has_its_shape(path):
    tables = tomllib.loads(path.read_text())
    if "job" in tables:  # other inputs are replays, clusters and studies
        of_schema("scenario").validate(tables)


def test_scenarios_of_the_example_and_of_no_sense():
    check, known = of_schema("scenario"), tomllib.loads(EXAMPLE)
    check.validate(known)
    check.validate({"failures": {"log": "a.csv", "cause": ["disk"], "bursts": "merge"}})
    for wrong in (
        {"jobs": {}},
        {"job": {"works": "1d"}},
        {"job": {"work": 5}},
        {"machine": {"nodes": 0}},
        {"machine": {"nodes": 1.5}},
        {"checkpoint": {"protocol": "none"}},
        {"failures": {"bursts": "once"}},
        {"spares": {"confidence": 1.5}},
        {"machine": {"nodes": []}},
    ):
        assert not check.is_valid(wrong), wrong
    check.validate({"machine": {"nodes": [1, 2]}, "failures": {"mtbf": "unknown"}})


@pytest.mark.parametrize(("question", "kind", "given", "words"), ASKED)
def test_every_request_has_its_shape(question, kind, given, words):
    check = of_schema(f"{question}-request")
    plain = {
        name: str(value)
        if isinstance(value, Path)
        else list(value)
        if isinstance(value, tuple)
        else value
        for name, value in given.items()
    }
    check.validate(plain)
    assert not check.is_valid({**plain, "another": 1})
    for name in plain:
        assert not check.is_valid({**plain, name: {}}), name


def test_a_request_takes_text_and_numbers_in_their_range():
    check = of_schema("interval-request")
    check.validate({"mtbf": "8h", "checkpoint_cost": 360, "compare": True, "nodes": 4})
    for wrong in (
        {"mtbf": 0},
        {"nodes": 0},
        {"nodes": 1.5},
        {"compare": "yes"},
        {"in_flight": "never"},
        {"overlap": 1.5},
        {"recovery_cost": -1},
    ):
        assert not check.is_valid(wrong), wrong
    names = {each.name for each in fields(answers.IntervalRequest)} - {"said"}
    assert schema("interval-request")["properties"].keys() == names
    assert "28,800" not in str(schema("interval-request"))
    assert all(each["description"] for each in schema("interval-request")["properties"].values())


def test_presets_are_known_to_the_schema():
    request = schema("interval-request")["properties"]["preset"]
    assert request.get("enum", list(PRESETS)) == list(PRESETS)


def test_units_are_said():
    rule = schema("interval")["properties"]["rules"]["items"]["properties"]
    assert rule["interval_s"]["description"] == "[s]"
    assert schema("plan")["oneOf"][0]["properties"]["costs"]["properties"]["energy_j"] == {
        "description": "[J]",
        "type": ["number", "null"],
    }


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match=r"kind must be one of interval, .*, got 'demo'"):
        schema("demo")
