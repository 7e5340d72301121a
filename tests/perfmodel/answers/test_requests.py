"""What the fields of a request take, from Python as from a command line, and how they are shown."""

import math
from dataclasses import fields, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from asking.requests import options_for
from perfmodel.answers import (
    CompletionRequest,
    ExtraRequest,
    FitRequest,
    GoodputRequest,
    IntervalRequest,
    NodesRequest,
    PartitionRequest,
    PlanRequest,
    SparesRequest,
    interval,
)
from perfmodel.cli import main

REQUESTS = [
    *(CompletionRequest, ExtraRequest, FitRequest, GoodputRequest, IntervalRequest, NodesRequest),
    *(PartitionRequest, PlanRequest, SparesRequest),
]
JOB = {"mtbf": 28_800.0, "checkpoint_cost": 360.0}


def test_text_says_what_a_command_line_says():
    said = IntervalRequest(
        mtbf="8h", checkpoint_cost="6min", levels="cost=10s,recovery=5s,survives=85%"
    )
    assert (said.mtbf, said.checkpoint_cost) == (28_800.0, 360.0)
    assert said.levels[0].cost == 10.0
    assert replace(said, work="30d").work == 30 * 86_400.0
    assert interval(IntervalRequest(mtbf="8h", checkpoint_cost="6min")) == interval(
        IntervalRequest(**JOB)
    )
    shares = SparesRequest(confidence="0.95, 99%")
    assert shares.confidence.values == (0.95, 0.99)
    assert IntervalRequest(cause="disk, fan", columns="submit=A,nodes=N").cause == ("disk", "fan")
    assert PlanRequest(scenario=__file__).scenario == Path(__file__)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        (
            "mtbf",
            -1.0,
            "mtbf must be a duration with a unit, such as 30min, 1.5h or 2d12h, got -1.0",
        ),
        ("mtbf", math.nan, "mtbf must be a duration"),
        ("mtbf", "8", "mtbf must be a duration with a unit"),
        ("mtbf", True, "mtbf must be a duration"),
        ("recovery_cost", -0.5, "recovery_cost must be a duration"),
        ("nodes", 2.5, "nodes must be a whole number >= 1, got 2.5"),
        ("nodes", 0, "nodes must be a whole number >= 1, got 0"),
        ("overlap", 1.5, "overlap must be a share such as 1% or 0.01, got 1.5"),
        ("compare", "yes", "compare must be true or false, got 'yes'"),
        ("in_flight", "wait", "in_flight must be one of overlap, single_buffer, skip, got 'wait'"),
        ("levels", (0.5,), "levels must be a level such as"),
        ("preset", "none", "preset must be one of llama-3-405b, rsc-1"),
        ("log", "no-such-file", "log must be a readable file, got 'no-such-file' (no such file)"),
    ],
)
def test_a_value_that_is_none_of_its_kind_is_refused_by_its_field(field, value, said):
    with pytest.raises(ValueError, match="must be") as refusal:
        IntervalRequest(**{**JOB, field: value})
    assert str(refusal.value).startswith(said)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.__name__)
def test_every_field_says_what_it_is_and_a_command_has_an_option_for_it(request_):
    command = request_.__name__.removesuffix("Request").lower()
    page = CliRunner().invoke(main, [command, "--help"], terminal_width=10_000).output
    said = dict((field.name, option) for field, option in options_for(request_))
    assert said.keys() == {field.name for field in fields(request_)} - {"said"}
    for name_of_field, option in said.items():
        words = option.help(lambda name: name)
        assert "--" not in words.replace("sacct --format", ""), words
        assert "{" not in words
        if option.words:
            name = option.called or f"--{name_of_field.replace('_', '-')}"
            assert f"  {name} " in page, name


def test_help_lists_options_in_groups_and_output_last():
    page = CliRunner().invoke(main, ["interval", "--help"]).output
    heads = [line for line in page.splitlines() if line.endswith(":") and line[:1].isupper()]
    assert heads[0] == "Failures, in one form:"
    assert heads[-2:] == ["Limits of files:", "Output:"]
    assert len(heads) == len(set(heads))
