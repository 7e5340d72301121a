"""Each question asked from Python: what its command prints as JSON, without a command line."""

import json
import os
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from asking.plain import strict
from perfmodel import answers
from perfmodel.answers import Refused
from perfmodel.cli import main
from perfmodel.units import DURATIONS, TypedDuration
from tests.golden import INPUTS
from tests.support.runner import option_named, runner

MIN, H, D, Y = (DURATIONS[unit] for unit in ("min", "h", "d", "y"))
ONE = {"mtbf": 8 * H, "checkpoint_cost": 6 * MIN}
COUNTED = {"failures": 10, "observed": 10 * D, "checkpoint_cost": 6 * MIN}
# Function, request, the same on a command line.
ASKED = [
    ("interval", "IntervalRequest", ONE, "interval --mtbf 8h --checkpoint-cost 6min"),
    (
        *("interval", "IntervalRequest", COUNTED),
        "interval --failures 10 --observed 10d --checkpoint-cost 6min",
    ),
    (
        *("interval", "IntervalRequest"),
        {"preset": "rsc-1", "compare": True, "async_latency": 9 * MIN, "snapshot_cost": 20.0},
        "interval --preset rsc-1 --compare --async-latency 9min --snapshot-cost 20s",
    ),
    (
        *("interval", "IntervalRequest"),
        {"log": Path("failures.csv"), "cause": ("disk",), "checkpoint_cost": 6 * MIN},
        "interval --log failures.csv --cause disk --checkpoint-cost 6min",
    ),
    (
        *("forecast", "ForecastRequest"),
        {"log": Path("failures.csv"), "work": 2 * D, "checkpoint_cost": 5 * MIN},
        "forecast failures.csv --work 2d --checkpoint-cost 5min",
    ),
    (
        *("completion", "CompletionRequest", {**ONE, "deadline": 9 * D}),
        "completion --mtbf 8h --checkpoint-cost 6min --deadline 9d",
    ),
    ("goodput", "GoodputRequest", {"preset": "llama-3-405b"}, "goodput --preset llama-3-405b"),
    (
        *(
            "spares",
            "SparesRequest",
            {
                "nodes": 2048,
                "node_mtbf": TypedDuration(6666 * H, "6666h"),
                "mttr": TypedDuration(48 * H, "48h"),
            },
        ),
        "spares --nodes 2048 --node-mtbf 6666h --mttr 48h",
    ),
    (
        *("spares", "SparesRequest"),
        {
            **{"blocks": 64, "block_mtbf": 17000 * H, "mttr": 24 * H, "checkpoint_cost": 60.0},
            "standbys": 3,
        },
        "spares --blocks 64 --block-mtbf 17000h --mttr 24h --checkpoint-cost 60s --standbys 3",
    ),
    (
        *("nodes", "NodesRequest"),
        {
            **{"nodes": 100_000, "node_mtbf": 10 * Y, "sequential_share": 0.001},
            "checkpoint_cost": MIN,
        },
        "nodes --nodes 100000 --node-mtbf 10y --sequential-share 0.1% --checkpoint-cost 1min",
    ),
    (
        *(
            "partition",
            "PartitionRequest",
            {"machines": Path("machines.csv"), "work": TypedDuration(100 * H, "100h")},
        ),
        "partition machines.csv --work 100h",
    ),
    ("fit", "FitRequest", {"log": Path("failures.csv")}, "fit failures.csv"),
    ("plan", "PlanRequest", {"scenario": Path("spares.toml")}, "plan spares.toml"),
    (
        *("site", "AdviseRequest"),
        {
            **{"sacct": Path("sacct.txt"), "failures": Path("failures.csv"), "cost": 300.0},
            "nodes": 32,
        },
        "advise --sacct sacct.txt --failures failures.csv --cost 5min --nodes 32",
    ),
    ("fit", "FitRequest", {"log": Path("bursts.csv"), "by": "node"}, "fit bursts.csv --by node"),
]
# Of these keys the command alone says how it was asked.
PROVENANCE = {"version", "seed", "options", "inputs", "notes"}


def of_schema(kind):
    """Return what holds JSON against its schema."""
    return jsonschema.Draft202012Validator(answers.schema(kind))


@pytest.mark.parametrize(("question", "kind", "fields", "words"), ASKED)
def test_python_is_answered_what_the_command_line_prints(
    question, kind, fields, words, monkeypatch
):
    monkeypatch.chdir(INPUTS)
    request = getattr(answers, kind)(**fields)
    found = getattr(answers, question)(request)
    printed = runner().invoke(main, [*words.split(), "--json"])
    assert printed.exit_code == 0, printed.output
    wanted = json.loads(printed.stdout)
    if question == "completion":
        wanted = {name: value for name, value in wanted.items() if name not in PROVENANCE}
    assert strict(found.to_dict(), option_named) == wanted


@pytest.mark.parametrize(
    ("question", "request_", "said"),
    [
        (
            *("interval", answers.IntervalRequest(mtbf=1.0)),
            "the checkpoint must come in exactly one form: checkpoint_cost, or checkpoint_size "
            "with bandwidth; got none",
        ),
        (
            *("interval", answers.IntervalRequest(**ONE, overlap=0.5)),
            "overlap must come with power, got it alone",
        ),
        (
            *("interval", answers.IntervalRequest(**ONE, overlap=0.0, said=frozenset({"overlap"}))),
            "overlap must come with power, got it alone",
        ),
        (
            *("interval", answers.IntervalRequest(**ONE, node_mtbf=5.0)),
            "the MTBF must come in exactly one form: mtbf, node_mtbf with nodes, failures with "
            "observed, failure_rate with nodes, log, or preset; got mtbf and node_mtbf",
        ),
        ("nodes", answers.NodesRequest(), "nodes must be given, got none"),
        (
            *("spares", answers.SparesRequest(nodes=4, node_mtbf=1.0, log=Path("x.csv"))),
            "node_mtbf must be left out with log",
        ),
    ],
)
def test_a_refusal_names_fields(question, request_, said):
    with pytest.raises(Refused) as refused:
        getattr(answers, question)(request_)
    assert str(refused.value) == said


def test_a_preset_fills_what_is_not_said():
    known = answers.IntervalRequest(preset="daly-2006")
    assert answers.interval(known).advice.job.preset
    other = replace(known, recovery_cost=77.0)
    assert answers.interval(other).advice.job.recovery_cost == 77.0
    stated = replace(known, mtbf=9 * H)
    assert answers.interval(stated).advice.job.mtbf.value == 9 * H


def test_requests_and_answers_do_not_change():
    request = answers.IntervalRequest(**ONE)
    for thing in (request, answers.interval(request)):
        with pytest.raises(FrozenInstanceError):
            thing.levels = ()


def test_an_answer_needs_no_command_line():
    code = (
        "import sys; from perfmodel.answers import IntervalRequest, interval; "
        "interval(IntervalRequest(mtbf=28800.0, checkpoint_cost=360.0)).to_dict(); "
        "heavy = {'click', 'rich', 'pandas', 'numba', 'sim'}; print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n", os.fspath(done.stderr)


def test_energy_alone_is_that_of_an_interval():
    asked = {**ONE, "power": "static=8MW,compute=10MW,io=1MW", "overlap": 0.5, "work": "10d"}
    found = answers.energy(answers.EnergyRequest(**asked))
    beside = answers.interval(answers.IntervalRequest(**asked))
    plain = found.to_dict()
    assert {name: plain[name] for name in beside.to_dict()["energy"]} == beside.to_dict()["energy"]
    assert plain["work_s"] == 10 * D
    of_schema("energy").validate(json.loads(json.dumps(plain)))
    of_schema("energy-request").validate(asked)
    assert not of_schema("energy").is_valid({**plain, "overlap": 2})
    assert found.to_frame()["choice"].tolist() == ["least time", "least energy"]
    words = answers.render(found, "text", width=80)
    table = words[words.index("Time against energy") :].strip()
    assert table in answers.render(beside, "text", width=80)
    with pytest.raises(Refused, match="power must be given, got none"):
        answers.energy(answers.EnergyRequest(**ONE))


FIGURES = ("interval", "completion", "forecast", "goodput", "spares", "partition", "fit")


@pytest.mark.parametrize(("question", "kind", "fields", "words"), ASKED)
def test_every_answer_is_shown_as_its_command_prints_it(question, kind, fields, words, monkeypatch):
    monkeypatch.chdir(INPUTS)
    found = getattr(answers, question)(getattr(answers, kind)(**fields))
    printed = runner(env={"COLUMNS": "80"}).invoke(main, words.split()).stdout

    def said(text):  # a command names options, a notebook fields and methods
        text = text.replace("--json", "to_dict()")
        return re.sub(r"--(downtime|failures|format|nodes|now)\b", r"\1", text)

    assert answers.render(found, "text", width=80).split() == said(printed).split()
    assert found._repr_html_() == answers.render(found, "html")
    frame = found.to_frame()
    assert len(frame) > 0 or question == "spares"
    assert all(isinstance(name, str) for name in frame.columns)


@pytest.mark.parametrize(("question", "kind", "fields", "words"), ASKED)
def test_an_answer_is_drawn_where_its_command_draws_it(question, kind, fields, words, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(INPUTS)
    found = getattr(answers, question)(getattr(answers, kind)(**fields))
    if question not in FIGURES:
        with pytest.raises(NotImplementedError, match="got no figure"):
            found.plot()
        return
    axes = found.plot()
    try:
        assert all(hasattr(each, "plot") for each in np.ravel(axes))
    finally:
        pyplot.close("all")
