import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from validation.reproduction.sweep import sweep


@dataclass(frozen=True)
class Cell:
    number: int
    what: str = "square"


def square(cell):
    return {"value": cell.number**2}


def refuse(cell):
    raise RuntimeError(f"played {cell.number} again")


def interrupted_at_three(cell):
    if cell.number == 3:
        raise KeyboardInterrupt
    return square(cell)


def test_every_cell_is_played_and_equal_ones_once(tmp_path):
    path = tmp_path / "new" / "cells.jsonl"
    found = sweep([Cell(2), Cell(3), Cell(2)], square, path=path, workers=1)
    assert found == {Cell(2): {"value": 4}, Cell(3): {"value": 9}}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["cell"] for line in lines] == [
        {"number": 2, "what": "square"},
        {"number": 3, "what": "square"},
    ]


def test_finished_cells_are_not_played_again(tmp_path):
    path = tmp_path / "cells.jsonl"
    sweep([Cell(2), Cell(3)], square, path=path, workers=1)
    assert sweep([Cell(3), Cell(2)], refuse, path=path, workers=1)[Cell(3)] == {"value": 9}
    with pytest.raises(RuntimeError, match="played 2 again"):
        sweep([Cell(2, "cube")], refuse, path=path, workers=1)


def test_an_interrupt_keeps_what_was_finished(tmp_path):
    path = tmp_path / "cells.jsonl"
    cells = [Cell(number) for number in range(6)]
    with pytest.raises(KeyboardInterrupt):
        sweep(cells, interrupted_at_three, path=path, workers=1)
    assert len(path.read_text().splitlines()) == 3
    assert len(sweep(cells, square, path=path, workers=1)) == 6
    assert len(path.read_text().splitlines()) == 6


def test_a_line_cut_short_is_played_again(tmp_path):
    path = tmp_path / "cells.jsonl"
    sweep([Cell(2), Cell(3)], square, path=path, workers=1)
    path.write_bytes(path.read_bytes()[:-7])
    assert sweep([Cell(2), Cell(3)], square, path=path, workers=1)[Cell(3)] == {"value": 9}
    assert [json.loads(line)["cell"]["number"] for line in path.read_text().splitlines()] == [2, 3]


@pytest.mark.slow
def test_two_processes_find_the_same(tmp_path):
    cells = [Cell(number) for number in range(40)]
    assert sweep(cells, square, workers=2) == sweep(cells, square, workers=1)


LONG = 300.0  # s, in which whatever is awaited comes on any machine

# A suite in the background of a shell ignores interrupts, and so do its children.
SLOW = """
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from validation.reproduction.sweep import sweep

@dataclass(frozen=True)
class Cell:
    number: int

def play(cell):
    while cell.number >= 4 and not Path("go").exists():
        time.sleep(0.02)
    return {"value": cell.number}

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(len(sweep(map(Cell, range(8)), play, path=Path("cells.jsonl"), workers=2)))
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_run_leaves_no_process_behind_and_a_second_one_goes_on(tmp_path, how):
    script, path = tmp_path / "slow.py", tmp_path / "cells.jsonl"
    script.write_text(SLOW)
    settings = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": os.getcwd()}}
    run = subprocess.Popen(
        [sys.executable, script], stderr=subprocess.PIPE, start_new_session=True, **settings
    )
    deadline = time.monotonic() + LONG
    while not path.exists() or len(path.read_text().splitlines()) < 2:
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.02)
    if how == signal.SIGINT:
        os.killpg(run.pid, how)
        (tmp_path / "go").touch()  # what is being played ends first
        said = run.communicate(timeout=LONG)[1]
        assert said.count(b"Traceback") == 1
        assert b"KeyboardInterrupt" in said
    else:
        run.kill()  # no signal reaches the workers; they hold stderr until they end
        run.communicate(timeout=LONG)
        (tmp_path / "go").touch()
    kept = path.read_text().splitlines()
    assert 2 <= len(kept) < 8
    again = subprocess.run(
        [sys.executable, script], capture_output=True, check=True, timeout=LONG, **settings
    )
    assert again.stdout.strip() == b"8"
    assert path.read_text().splitlines()[: len(kept)] == kept
