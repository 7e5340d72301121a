"""``perfmodel fit`` on a terminal: how far it is, and the same answer as without one."""

import itertools

import numpy as np
import pytest

from perfmodel.answers.parts.fitted import FITTED, Fitted
from perfmodel.cli import main
from perfmodel.cli.output import progress
from perfmodel.fitting import fit_lifetime
from tests.perfmodel.cli.figures.test_plots import FAILURES
from tests.support.runner import runner


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "failures.csv"
    path.write_text(FAILURES)
    return path


def test_a_terminal_shows_how_many_laws_are_fitted(log, monkeypatch):
    monkeypatch.setattr(progress, "watched", lambda: True)
    monkeypatch.setattr("time.monotonic", itertools.count(step=0.25).__next__)
    done = runner().invoke(main, ["fit", str(log)])
    lines = done.stderr.replace("\x1b[K", "").split("\r")
    assert lines[1] == "reading failures.csv"
    assert [line.partition(", ")[0] for line in lines if " laws, " in line] == [
        f"{done} of 8 laws" for done in range(1, 9)
    ]
    assert lines[-1] == ""  # cleared
    monkeypatch.undo()
    plain = runner().invoke(main, ["fit", str(log)])
    assert (plain.stderr, plain.stdout) == ("", done.stdout)


@pytest.mark.parametrize("grid", [None, 60.0])
def test_families_fitted_one_by_one_are_those_fitted_together(grid):
    durations = np.round(np.random.default_rng(1).weibull(0.7, 80) * 1e4 / 60.0 + 1.0) * 60.0
    censored = np.arange(80) % 9 == 0
    steps = []
    found = Fitted.of(durations, censored, grid, lambda: steps.append(1))
    together = fit_lifetime(durations, censored=censored, resolution=grid, families=FITTED)
    assert found.fits == together
    assert len(steps) == len(FITTED)


@pytest.mark.slow
def test_a_family_without_a_maximum_is_named_as_when_all_are_fitted_together():
    durations = np.array([60.0, 60.0, 60.0, 60.0, 120.0, 120.0, 120.0, 120.0])
    cut = np.zeros(8, dtype=bool)
    found = Fitted.of(durations, cut, 60.0)
    together = fit_lifetime(durations, resolution=60.0, families=FITTED)
    assert together.without_maximum
    assert found.fits == together
