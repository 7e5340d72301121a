import json
import shlex

import pytest

import sim.traces
from perfmodel.cli import COMMANDS, main
from perfmodel.cli.commands.demo import LANL
from tests.support.runner import runner


def commands(text):
    """The commands that the demo proposes."""
    return [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("  ")]


def run(*arguments):
    done = runner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_without_a_log_a_preset_is_shown_and_every_proposal_runs(monkeypatch):
    monkeypatch.setattr(sim.traces, "locate", lambda path: None)
    text = run("demo")
    assert "No failure log was found" in text
    assert "min of work" in " ".join(text.split())
    assert len(commands(text)) >= 4
    for words in commands(text):
        if words[0] == "simulate":
            words += ["--replications", "200"]
        run(*words)


@pytest.mark.slow
def test_with_the_log_at_hand_it_is_used_and_every_proposal_runs():
    if sim.traces.locate(LANL) is None:
        pytest.skip(f"{LANL} is not at hand")
    text = run("demo")
    assert "Los Alamos" in text
    (asked,) = [words for words in commands(text) if words[-1] == "--json"]
    found = json.loads(run(*asked))["recommended_interval_s"] / 60.0
    assert f"should write one after every {found:.3g} min of work" in " ".join(text.split())
    for words in commands(text):
        if words[0] == "simulate":
            words += ["--replications", "200"]
        run(*words)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    text = run(command, "--help")
    assert f"Usage: main {command}" in text
    assert command in run("--help")
