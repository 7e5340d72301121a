"""Failures are drawn from the first submission on, whenever that is."""

import re
from pathlib import Path

import numpy as np
import pytest

from sim.answers.deadlines.setup import promises_setup
from sim.answers.replays.requests import PromisesRequest, ReplayRequest
from sim.answers.replays.setup import of_seed, setup

HOUR, DAY = 3600.0, 86400.0
LATE = 4000 * DAY


@pytest.fixture(autouse=True)
def _logs(tmp_path, monkeypatch):
    """Write two logs of a week, one of which begins eleven years later."""
    monkeypatch.chdir(tmp_path)
    for name, first in (("early", 0), ("late", int(LATE))):
        lines = [
            f"{n} {first + at * 86400} -1 3600 4 -1 -1 4 3600 -1 1 1 1 1 1 1 -1 -1"
            for n, at in ((1, 0), (2, 7))
        ]
        Path(f"{name}.swf").write_text("; MaxProcs: 64\n" + "\n".join(lines) + "\n")


def told(notes):
    """Return the notes but for those that name the file."""
    return [note for note in notes if ".swf" not in note]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"new_nodes": True, "weibull_shape": 0.7},
        {"burst_size": 3.0, "burst_span": 600.0},
        {"lemon_share": 0.25, "lemon_factor": 5.0, "new_nodes": True},
    ],
)
def test_a_replay_of_a_later_log_has_the_same_failures_later(more):
    early, late = (
        setup(ReplayRequest(log=Path(f"{name}.swf"), mtbf=10 * HOUR, seed=3, **more))
        for name in ("early", "late")
    )
    assert told(early.notes) == told(late.notes)
    # The span of seven days, as long again, and a quarter of a year.
    assert any(note.startswith("failures drawn until 104 d after the") for note in late.notes)
    np.testing.assert_allclose(
        late.feeds.failures.time - LATE, early.feeds.failures.time, atol=1e-6
    )
    np.testing.assert_array_equal(late.feeds.failures.node, early.feeds.failures.node)
    assert early.feeds.failures.time[-1] > 90 * DAY
    again = of_seed(late, ReplayRequest(log=Path("late.swf"), mtbf=10 * HOUR, seed=3, **more))
    np.testing.assert_array_equal(again.feeds.failures.time, late.feeds.failures.time)


def test_promises_of_a_later_log_have_the_same_failures_later():
    early, late = (
        promises_setup(PromisesRequest(log=Path(f"{name}.swf"), seed=3))
        for name in ("early", "late")
    )
    assert told(early.notes) == told(late.notes)
    # The span of seven days, twice that, and a year.
    assert late.notes[-1] == (
        "failures drawn until 386 d after the first submission: 1021 a year in bursts, seed 3"
    )
    np.testing.assert_allclose(late.failures.time - LATE, early.failures.time, atol=1e-6)
    assert early.failures.time[-1] > 330 * DAY


@pytest.mark.parametrize("bursts", [1.0, 3.0])
@pytest.mark.parametrize("lemons", [0.0, 0.25])
def test_new_nodes_without_memory_fail_as_often_as_old_ones(bursts, lemons):
    """Of exponential uptimes and no time for repairs both are a Poisson process."""
    asked = {"mtbf": HOUR, "new_nodes": True, "mttr": 0.0, "burst_size": bursts}
    notes = setup(ReplayRequest(log=Path("late.swf"), lemon_share=lemons, **asked)).notes
    (note,) = (note for note in notes if note.startswith("all nodes are new"))
    words = (
        "all nodes are new at the first submission: {0} failures are expected, {0} of nodes long "
        "in use"
    )
    found = re.fullmatch(words.format("([0-9,]+)"), note)
    new, old = (int(text.replace(",", "")) for text in found.groups())
    assert old == 104 * 24
    assert new == pytest.approx(old, abs=1.0)
