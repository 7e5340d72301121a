"""What the options of a command fill: one frozen request, which alone has the defaults."""

import ast
from dataclasses import FrozenInstanceError, fields, replace
from inspect import signature
from pathlib import Path
from typing import get_type_hints

import pytest

import perfmodel.cli
from perfmodel.answers.known.job import job_of
from perfmodel.answers.requests.job import JobRequest
from perfmodel.answers.requests.presets import PRESETS
from perfmodel.cli import COMMANDS, main
from sim.answers.replays.requests import PromisesRequest, RecoveryRequest, SiteRequest
from sim.answers.studies.request import StudyRequest

CLI = Path(perfmodel.cli.__file__).parent
ASKED = sorted(set(COMMANDS) - {"demo", "schema", "traces"})


def least(name, tmp_path):
    """Return the arguments that a command cannot do without."""
    path = tmp_path / "file"
    path.touch()
    alone = {
        "advise",
        "extra",
        "interval",
        "completion",
        "goodput",
        "nodes",
        "plan",
        "simulate",
        "spares",
    }
    if name in alone:
        return []
    return [str(path), "--machines", str(path)] if name == "grid" else [str(path)]


@pytest.mark.parametrize("name", ASKED)
def test_what_is_not_typed_has_the_default_of_the_request(name, tmp_path):
    command = main.get_command(None, name)
    request = get_type_hints(command.callback.__wrapped__)["request"]
    filled = command.make_context(name, least(name, tmp_path)).params
    defaults = {field.name: field.default for field in fields(request)}
    untyped = filled.keys() & defaults.keys() - {"log", "machines", "source", "study"}
    assert {key: filled[key] for key in untyped} == {key: defaults[key] for key in untyped}
    others = signature(command.callback.__wrapped__).parameters.keys() - {"request"}
    if "study" in defaults and name not in {"quote", "sweep"}:
        of_study = {field.name: field.default for field in fields(StudyRequest)}
        del of_study["varied"]  # made of options that the request has too
        del of_study["said"]
        assert {key: filled[key] for key in of_study} == of_study
        others = others | of_study.keys()
    assert filled.keys() - defaults.keys() == others


@pytest.mark.parametrize("name", ASKED)
def test_an_option_fills_every_field_but_those_that_another_command_asks_for(name, tmp_path):
    command = main.get_command(None, name)
    request = get_type_hints(command.callback.__wrapped__)["request"]
    filled = command.make_context(name, least(name, tmp_path)).params
    missing = (
        {field.name for field in fields(request)} - filled.keys() - {"said", "limits", "study"}
    )
    of_replay_only = {
        *("strict", "missing_walltime", "ties", "since", "before", "log_start"),
        *("on_failure", "utility_expr", "utility_at", "compare"),
        *("job_checkpoints", "checkpoints_in_walltime", "order", "dialect"),
    }
    of_sweeps = {"strict", "within_accuracy"}
    known = {"recovery": of_replay_only, "qos": {"strict"}, "quote": of_sweeps}
    assert missing == known.get(name, set())


def test_a_request_stays_as_it_was_filled():
    with pytest.raises(FrozenInstanceError):
        JobRequest().work = 1.0


def test_no_command_reads_the_options_of_another():
    for path in (CLI / "commands").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.level != 1, f"{path.name} imports the command {node.module}"
    for path in CLI.rglob("*.py"):
        assert "make_context" not in path.read_text(), path.name


def test_no_function_takes_options_by_string():
    for path in CLI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                names = {argument.arg for argument in every if argument}
                names.add(node.args.kwarg.arg if node.args.kwarg else "")
                assert "options" not in names, f"{path.name}: {node.name}"


def test_a_request_needs_no_command_line():
    job = job_of(JobRequest(node_mtbf=1e6, nodes=10, checkpoint_cost=60.0))
    assert (job.mtbf.value, job.checkpoint_cost, job.recovery_cost) == (1e5, 60.0, 0.0)
    assert job_of(JobRequest(**PRESETS["daly-2006"].given)).mtbf.value == 86_400.0


def test_recovery_draws_failures_only_where_none_are_named():
    request = RecoveryRequest(log=Path("jobs"))
    assert request.with_failures() == replace(request, mtbf=36_000.0)
    named = replace(request, failures=Path("failures"))
    assert named.with_failures() is named
    drawn = replace(request, mtbf=1.0)
    assert drawn.with_failures() is drawn


def test_promises_are_made_on_a_plain_machine_with_the_repairs_asked_for():
    request = PromisesRequest(log=Path("jobs"), downtime=7.0, checkpoint_cost=3.0, seed=5)
    site = request.site()
    assert isinstance(site, SiteRequest)
    assert (site.mttr, site.checkpoint_cost, site.seed) == (7.0, 3.0, 5)
    assert (site.machine, site.processors_per_node) == (None, 1)
    assert replace(request, downtime=None).site().mttr == 120.0
