"""Time of a process that plans a documented scenario or reports on it, over the calibration."""

import subprocess
import sys
from pathlib import Path

import pytest

from .timing import processor_time

SCENARIOS = sorted((Path(__file__).parents[2] / "docs" / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
@pytest.mark.benchmark(group="plan", timer=processor_time)
def test_a_plan_from_its_file_to_its_page(path, benchmark, judge_pace):
    command = [sys.executable, "-m", "perfmodel", "plan", str(path)]

    def planned():
        return subprocess.run(command, check=True, capture_output=True)

    planned()  # modules compiled beforehand
    done = benchmark.pedantic(planned, rounds=3)
    assert b"How sure" in done.stdout
    judge_pace(f"`plan`, `{path.name}`", benchmark.stats["median"], at_most=31.0)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
@pytest.mark.benchmark(group="report", timer=processor_time)
def test_a_report_from_its_file_to_its_page(path, benchmark, judge_pace, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
    page = tmp_path / "page.html"
    command = [sys.executable, "-m", "perfmodel", "report", str(path), "--out", str(page)]

    def reported():
        subprocess.run(command, check=True, capture_output=True)

    reported()  # modules compiled beforehand
    benchmark.pedantic(reported, rounds=3)
    assert page.stat().st_size < 2_000_000
    judge_pace(f"`report`, `{path.name}`", benchmark.stats["median"], at_most=94.0)
