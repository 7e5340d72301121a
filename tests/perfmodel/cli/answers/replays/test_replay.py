"""What a replay is asked for, and the cells that a study of replays has."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Made

import click
import numpy as np
import pytest

import sim.cluster
from perfmodel.cli.answers.replays import replay as replays
from perfmodel.cli.answers.replays.study import Factor, Measure
from perfmodel.cli.requests.replay import ReplayRequest
from perfmodel.cli.requests.study import Seeds, StudyRequest
from perfmodel.cli.setups.replays.replay import Setup

REQUEST = ReplayRequest(log=Path("jobs.swf"))


def parts(**changes):
    names = Setup.__dataclass_fields__
    made = {name: f"the {name}" for name in names}
    known = {"bluegene": False, "policies": {"fcfs": "first", "mine": "own"}}
    return Setup(**{**made, **known, **changes})


@pytest.mark.parametrize("kill", [True, False])
@pytest.mark.parametrize("strikes", ["nodes", "jobs"])
def test_all_that_is_asked_reaches_the_replay(kill, strikes, monkeypatch):
    asked = []
    monkeypatch.setattr(
        sim.cluster, "replay", lambda *what, **how: asked.append((what, how)) or "done"
    )
    request = replace(
        REQUEST,
        event_order="ends-first",
        estimates="runtime",
        no_kill=not kill,
        oversize="skip",
        strikes=strikes,
    )
    assert replays.play(parts(), "mine", request, "a line") == "done"
    assert asked == [
        (
            ("the workload", "the machine"),
            {
                "policy": "own",
                "event_order": "ends-first",
                "estimates": "runtime",
                "kill_at_walltime": kill,
                "oversize": "skip",
                "failures": "the failures",
                "checkpointing": "the checkpointing",
                "recovery": "the recovery",
                "idle_failures": strikes == "nodes",
                "progress": "a line",
            },
        )
    ]


def studied(request, asked, monkeypatch, **changes):
    monkeypatch.setattr(
        replays,
        "variants",
        lambda requests: [
            parts(notes=(str(place),), **changes) for place, _ in enumerate(requests)
        ],
    )
    command = click.Command("replay")
    with click.Context(command):
        return replays.study_of_replays(request, asked)


ALL = (
    Measure("mean_wait_s", "mean wait", "time"),
    Measure("mean_bounded_slowdown", "bounded\nslowdown", "number"),
    Measure("utilization", "in use", "share"),
    Measure("service_unit_loss", "lost", "share"),
)


@pytest.mark.parametrize("bluegene", [True, False])
def test_a_study_of_policies_alone(bluegene, monkeypatch):
    plan, first = studied(REQUEST, StudyRequest(), monkeypatch, bluegene=bluegene)
    kind = "utility" if bluegene else "policy"
    assert plan.cells == {name: {kind: Factor(name, name)} for name in ("fcfs", "mine")}
    assert plan.headings == {kind: kind}
    assert plan.measures == ALL[:-1]
    assert plan.baselines == {"mine": "fcfs"}
    assert first.notes == ("0",)


@pytest.mark.parametrize("failing", [{"mtbf": 60.0}, {"failures": Path("failures.csv")}])
def test_what_is_lost_is_shown_where_there_are_failures(failing, monkeypatch):
    plan, _ = studied(replace(REQUEST, **failing), StudyRequest(), monkeypatch)
    assert plan.measures == ALL


@pytest.mark.parametrize(
    ("field", "values", "shown", "texts"),
    [
        ("mtbf", (7200.0, 86400.0), ("mtbf_s", "MTBF"), ("2h", "24h")),
        ("mtbf", (86400.0, 172800.0), ("mtbf_s", "MTBF"), ("1d", "2d")),
        ("mtbf", (90.0, 3600.0), ("mtbf_s", "MTBF"), ("90s", "3600s")),
        (
            "checkpoint_interval",
            (120.0, 3600.0),
            ("checkpoint_interval_s", "interval"),
            ("2min", "60min"),
        ),
        ("scale_gaps", (0.5, 1.25), ("scale_gaps", "gaps"), ("0.5", "1.25")),
        ("on_failure", ("new", "drop"), ("on_failure", "on failure"), ("new", "drop")),
    ],
)
def test_every_value_is_a_cell_with_every_policy(field, values, shown, texts, monkeypatch):
    name, heading = shown
    request = replace(REQUEST, mtbf=60.0)
    plan, first = studied(request, StudyRequest(varied={field: values}), monkeypatch)
    assert plan.cells == {
        f"{policy} {text}": {"policy": Factor(policy, policy), name: Factor(value, text)}
        for value, text in zip(values, texts, strict=True)
        for policy in ("fcfs", "mine")
    }
    assert plan.headings == {"policy": "policy", name: heading}
    assert plan.baselines == {f"mine {text}": f"fcfs {text}" for text in texts}
    assert first.notes == ("0",)
    of_cell = plan.play.cells[f"mine {texts[1]}"]
    assert of_cell == ("mine", parts(notes=("1",)), replace(request, **{field: values[1]}))


def test_a_cell_is_played_with_the_failures_of_its_seed(monkeypatch):
    plan, _ = studied(replace(REQUEST, mtbf=60.0), StudyRequest(), monkeypatch)
    asked = []

    def of_seed(parts, request):
        asked.append(request.seed)
        return Made(failures_drawn=lambda end: 8 if end == 400.0 else None)

    ends = Made(end=np.array([300.0, 400.0]))
    metrics = {"mean_wait_s": 5.0, "engine_s": 0.5, "by_class": [1], "unknown": None}
    done = Made(attempt_records=ends, metrics=metrics, engine="kernel")
    monkeypatch.setattr(replays, "of_seed", of_seed)
    monkeypatch.setattr(
        replays, "play", lambda parts, name, request: asked.append((name, request.seed)) or done
    )
    row = plan.play("mine", 4)
    assert row == {"failures_drawn": 8, "mean_wait_s": 5.0, "engine": "kernel"}
    assert asked == [4, ("mine", REQUEST.seed)]


SEEDS = Seeds((1, 2), "1:2")


@pytest.mark.parametrize(
    ("asked", "flag"),
    [
        (StudyRequest(seeds=SEEDS), "--seeds"),
        (StudyRequest(until=0.1), "--until"),
        (StudyRequest(seeds=SEEDS, until=0.1), "--until"),
    ],
)
def test_seeds_without_failures_to_draw_are_refused(asked, flag, monkeypatch):
    words = f"{flag} must come with --mtbf, got it alone: nothing else is drawn"
    with pytest.raises(click.UsageError) as refused:
        studied(REQUEST, asked, monkeypatch)
    assert str(refused.value) == words
    studied(replace(REQUEST, mtbf=60.0), asked, monkeypatch)
    studied(REQUEST, StudyRequest(seeds=Seeds((1,), "1")), monkeypatch)
