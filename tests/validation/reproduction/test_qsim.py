import json
from zlib import crc32

import numpy as np
import pytest

from validation.reproduction.qsim import main as qsim
from validation.reproduction.qsim.runs import Run, play

SHIFTS = {"fcsj": 0.0, "wfp3": 1.0, "wfp1": 2.0, "unicef": 3.0, "fat": 4.0, "fcfs": 5.0}


def as_printed(run):
    """Return metrics of a machine that behaves as in the paper."""
    rng = np.random.default_rng(crc32(f"{run.seed} {run.utility} {run.mtbf}".encode()))
    better = 0.8 if run.fault_aware else 1.0
    level = 3560.0 + 900.0 * SHIFTS[run.utility] + rng.normal()
    up = [1.0, 2.0, 3.0, 4.0]
    return {
        "wait": level,
        "response": 10.0 * better * level,
        "slowdown": better * level / 800.0,
        "failed": 0.01 * better * (1.0 + 0.01 * rng.random()),
        "lost": 0.15 * better * (1.0 + 0.01 * rng.random()),
        "utilization": 0.5,
        "at_once": 0.5,
        "wait_by_scale": up if run.utility != "fat" else up[::-1],
        "slowdown_by_scale": up,
        "wait_by_length": up,
        "slowdown_by_length": up[::-1],
    }


@pytest.fixture
def played(monkeypatch):
    def sweep(runs, play, *, path, workers):
        del play, path, workers
        return {run: as_printed(run) for run in dict.fromkeys(runs)}

    monkeypatch.setattr(qsim, "sweep", sweep)


@pytest.mark.slow
def test_a_machine_like_the_papers_gets_every_order(played, tmp_path, capsys):
    qsim.main(seeds=4, out=tmp_path)
    text = capsys.readouterr().out
    orders = [line for line in text.splitlines() if "| O |" in line]
    assert orders
    assert [line for line in orders if "holds" not in line] == []
    written = (tmp_path / "qsim.md").read_text()
    assert written.startswith("| row | `january-2009` | `june-2009` | `head` | `separate-drains` |")
    assert "| rows: holds | 13 | 13 | 13 | 13 |" in written  # the others are bands
    for scheduler in ("january-2009", "june-2009", "head", "separate-drains"):
        assert f"Under `{scheduler}`:" in written
    assert "| `june-2009`, threshold 0.75, month | 0.50 |" in written
    assert "| `head`, threshold 0, month | 0.50 |" in written
    records = json.loads((tmp_path / "qsim.json").read_text())
    assert {"utility", "mtbf", "wait"} <= set(records[0])
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == [
        f"qsim-fig{number}.svg" for number in (4, 6, 7, 8, 9)
    ]


def test_a_reversed_order_fails_and_ends_with_1(played, monkeypatch, capsys):
    monkeypatch.setitem(SHIFTS, "fcfs", -2.0)
    assert qsim.main(seeds=4, out=None) == 1
    lines = [li for li in capsys.readouterr().out.splitlines() if "six utilities" in li]
    assert len(lines) == 5  # of all schedulers together, and of each
    assert all("**fails**" in line for line in lines)


def test_what_one_scheduler_fails_stands_beside_the_others(played, monkeypatch, capsys):
    def sweep(runs, play, *, path, workers):
        del play, path, workers
        found = {run: as_printed(run) for run in dict.fromkeys(runs)}
        for run, numbers in found.items():
            if run.scheduler == "head" and run.utility == "fcfs":
                numbers["wait"] = 1.0
        return found

    monkeypatch.setattr(qsim, "sweep", sweep)
    qsim.main(seeds=4, out=None)
    lines = capsys.readouterr().out.splitlines()
    row = next(li for li in lines if li.startswith("| mean wait, no failures"))
    assert row.endswith("| holds | holds | **fails** | holds |")


@pytest.mark.slow
def test_runs_of_one_seed_meet_the_same_failures():
    ordinary, again = (
        play(Run("month", 3, "fcfs", 4.0, gaps=1.0, threshold=t)) for t in (0.0, 0.0)
    )
    assert ordinary == again
