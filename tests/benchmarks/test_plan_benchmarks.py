"""Processor time of a whole process that plans a documented scenario, or reports on it."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

SCENARIOS = sorted((Path(__file__).parents[2] / "docs" / "scenarios").glob("*.toml"))


def spent():
    """Return the processor time of all children so far, [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
@pytest.mark.benchmark(group="plan", timer=spent)
def test_a_plan_from_its_file_to_its_page(path, benchmark):
    command = [sys.executable, "-m", "perfmodel", "plan", str(path)]

    def planned():
        return subprocess.run(command, check=True, capture_output=True)

    planned()  # modules compiled beforehand
    done = benchmark.pedantic(planned, rounds=3)
    assert b"How sure" in done.stdout
    assert benchmark.stats["median"] <= 2.0


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
@pytest.mark.benchmark(group="report", timer=spent)
def test_a_report_from_its_file_to_its_page(path, benchmark, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
    page = tmp_path / "page.html"
    command = [sys.executable, "-m", "perfmodel", "report", str(path), "--out", str(page)]

    def reported():
        subprocess.run(command, check=True, capture_output=True)

    reported()  # modules compiled beforehand
    benchmark.pedantic(reported, rounds=3)
    assert page.stat().st_size < 2_000_000
    assert benchmark.stats["median"] <= 6.0
