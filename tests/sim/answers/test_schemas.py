"""JSON Schema of replays and of their requests, held against what is printed and answered."""

import json
import shlex
from pathlib import Path

import jsonschema
import pytest

from sim import answers
from tests.golden import TRANSCRIPTS, blocks

INPUTS = TRANSCRIPTS[0].parent / "inputs"
JOBS = {"log": INPUTS / "jobs.swf", "processors": 64}
COMMANDS = {"qos": "promises"}
STUDY = answers.StudyRequest(seeds=(1, 2))
FAILING = {"mtbf": "6h", "mttr": "30min"}
BY_CLASS = {"by_class": True, "use_over_time": "1d"}
GRID = {"log": INPUTS / "jobs.swf", "machines": INPUTS / "clusters.toml"}
SHORT = {"accuracy": (0.3,), "confidence": (0.5,)}
ASKED = [
    ("replay", "ReplayRequest", {**JOBS, **FAILING, **BY_CLASS}),
    (
        *("replay", "ReplayRequest"),
        {
            **{**JOBS, "checkpoint_interval": "1h", "checkpoint_cost": "5min"},
            **{"checkpoints_in_walltime": True, "compare": ("fcfs", "easy")},
        },
    ),
    (
        *("replay", "ReplayRequest"),
        {**JOBS, **FAILING, "study": answers.StudyRequest(varied={"scale_gaps": (0.5, 1.0)})},
    ),
    ("recovery", "RecoveryRequest", {**JOBS, "cases": ("mr",), "credits": "A=0,B=1,C=2,D=3,E=4"}),
    ("recovery", "RecoveryRequest", {**JOBS, "cases": ("ff", "mr"), "study": STUDY}),
    ("promises", "PromisesRequest", {**JOBS, "forecaster": "rate", "confidence": (0.5,)}),
    ("promises", "PromisesRequest", {**JOBS, **SHORT, "study": STUDY}),
    ("quote", "QuoteRequest", {**JOBS, "nodes": 16, "runtime": "6h"}),
    ("grid", "GridRequest", {**GRID, **FAILING, **BY_CLASS, "policies": ("fcfs-lb",), "runs": 2}),
    ("grid", "GridRequest", {**GRID, **FAILING, "policies": ("fcfs", "easy"), "study": STUDY}),
]


def of_schema(kind):
    """Return what holds JSON against its schema."""
    return jsonschema.Draft202012Validator(answers.schema(kind))


def printed():
    """Yield every answer about replays in JSON that the transcripts have."""
    for path in TRANSCRIPTS:
        kind = COMMANDS.get(path.stem, path.stem)
        if kind not in answers.KINDS:
            continue
        for block in blocks(path.read_text()):
            text = "\n".join(line for line in block.answer if not line.startswith(("! ", "= ")))
            if "--json" in shlex.split(block.command) and text.startswith("{"):
                yield pytest.param(kind, json.loads(text), id=block.command)


def errors_of(kind, answer):
    return [
        f"{each.json_path}: {each.message[:300]}" for each in of_schema(kind).iter_errors(answer)
    ]


@pytest.mark.parametrize("kind", answers.KINDS)
def test_a_schema_is_one_and_closed(kind):
    found = answers.schema(kind)
    jsonschema.Draft202012Validator.check_schema(found)
    parts = [json.loads(json.dumps(found))]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            assert "properties" not in part or part["additionalProperties"] is False
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)
    assert not of_schema(kind).is_valid({"no such key": 1})
    assert not of_schema(kind).is_valid([])


@pytest.mark.parametrize(("kind", "answer"), list(printed()))
def test_what_is_printed_has_its_shape_and_no_other(kind, answer):
    assert errors_of(kind, answer) == []

    check = of_schema(kind)
    assert not check.is_valid({**answer, "another": 1})
    for name in answer.keys() - {"options"}:
        assert not check.is_valid({**answer, name: {"no": {"such": "thing"}}}), name
    shapes = check.schema.get("oneOf", [check.schema])
    for name in set.intersection(*(set(shape["required"]) for shape in shapes)):
        assert not check.is_valid({key: answer[key] for key in answer if key != name}), name
    for row in answer.get("results", ()):
        assert not check.is_valid({**answer, "results": [{**row, "another": 1}]})


@pytest.mark.parametrize(("question", "request_", "given"), ASKED)
def test_what_is_answered_and_asked_has_its_shape(question, request_, given):
    found = getattr(answers, question)(getattr(answers, request_)(**given)).to_dict()

    assert errors_of(question, json.loads(json.dumps(found))) == []
    said = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in given.items()
        if name != "study"
    }
    check = of_schema(f"{question}-request")
    check.validate(json.loads(json.dumps(said)))
    assert not check.is_valid({**said, "another": 1})
    assert not check.is_valid({**said, "seed": -1})


def test_a_request_has_its_study_inside():
    check = of_schema("replay-request")
    check.validate({"log": "a.swf", "study": {"seeds": [1, 2], "until": 0.02}})

    assert not check.is_valid({"log": "a.swf", "study": {"seed": 1}})
    assert not check.is_valid({"log": "a.swf", "study": {"until": 2.0}})


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match=r"kind must be one of replay, .*, got 'qos'"):
        answers.schema("qos")
