"""Ctrl-C ends a command with exit code 130 and a line that says how to go on."""

import sys

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

# Of a user, who presses Ctrl-C when the policy begins for the n-th time.
STOPPING = """
from dataclasses import dataclass

BEGUN = []


@dataclass(frozen=True)
class Stopping:
    name: str = "stopping"
    runs_on: tuple = ()

    def begin(self, cluster):
        BEGUN.append(cluster)
        if len(BEGUN) == {count}:
            raise KeyboardInterrupt

        def schedule(news):
            for job in cluster.queue:
                placement = cluster.machine.place(job)
                if placement is not None:
                    cluster.start(job, placement)

        return schedule
"""
LOG = "1 0 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n2 1 0 30 4 -1 -1 4 30 -1 1 1 1 1 1 -1 -1 -1\n"
STUDY = """[study]
replay = "jobs.swf"
seed = 1

[parameters]
processors = 4
mtbf = ["1h", "2h"]
policy = "stopping_policy:Stopping"

[replications]
number = 2
"""


@pytest.fixture
def stops(tmp_path, monkeypatch):
    """Return a function that says when Ctrl-C is pressed, and runs a command."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(LOG)

    def run(count, *words):
        (tmp_path / "stopping_policy.py").write_text(STOPPING.format(count=count))
        done = runner().invoke(main, [*words])
        assert done.exit_code == 130, done.output
        return done.stderr.strip().splitlines()

    yield run
    sys.modules.pop("stopping_policy", None)


REPLAY = ("replay", "jobs.swf", "--processors", "4", "--policy", "stopping_policy:Stopping")


def test_what_keeps_nothing_begins_anew(stops):
    assert stops(1, *REPLAY) == ["Interrupted: the same command begins anew."]


def test_a_study_names_the_seeds_that_are_left(stops):
    lines = stops(3, *REPLAY, "--mtbf", "1h", "--seeds", "4:7", "--workers", "1")
    assert lines == ["Interrupted: --seeds 6:7 plays the rest."]


def test_a_sweep_names_its_ledger(stops, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    words = ("study.toml", "--ledger", "cells.ledger", "--table", "cells.csv", "--allow-code")
    assert stops(3, "sweep", *words)[-1] == (
        "Interrupted: what was computed is kept in cells.ledger, from which the same command goes "
        "on."
    )
