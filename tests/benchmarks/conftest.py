"""Fixtures that judge a ratio, print it as a row of README.md and keep it in history.csv."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from .timing import Paced

ROWS = pytest.StashKey[list[str]]()
MEASURED = pytest.StashKey[dict[str, dict[str, str]]]()
COLUMNS = ("version", "figure", "ratio", "rule", "limit")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--history", type=Path, help="CSV file in which ratios are kept, by version of perfmodel"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROWS] = []
    config.stash[MEASURED] = {}


def pytest_sessionfinish(session: pytest.Session) -> None:
    path, measured = session.config.getoption("history", None), session.config.stash[MEASURED]
    if path is not None and measured:
        keep(path, version("perfmodel"), measured)


def keep(path: Path, of: str, measured: Mapping[str, Mapping[str, str]]) -> None:
    """Write what was measured of a version, in place of what the file had of the same figures."""
    rows = list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
    rows = [row for row in rows if row["version"] != of or row["figure"] not in measured]
    rows += [{"version": of, "figure": name, **row} for name, row in measured.items()]
    rows.sort(key=lambda row: (list(map(int, re.findall(r"\d+", row["version"]))), row["figure"]))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def judge(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return a function that records a ratio and its limit and fails beyond the limit."""

    def judge_ratio(
        figure: str, ratio: float, *, at_least: float | None = None, at_most: float | None = None
    ) -> None:
        benchmark.extra_info.update(ratio=ratio, at_least=at_least, at_most=at_most)
        limit = "none"
        if at_least is not None:
            limit = f"at least {at_least:,g}"
        elif at_most is not None:
            limit = f"at most {at_most:g}"
        given = at_most if at_least is None else at_least
        request.config.stash[MEASURED][figure] = {
            "ratio": f"{ratio:.3g}",
            "rule": limit.rpartition(" ")[0] or limit,
            "limit": "" if given is None else f"{given:g}",
        }
        request.config.stash[ROWS].append(f"| {figure} | {ratio:,.3g} | {limit} |")
        assert at_least is None or ratio >= at_least
        assert at_most is None or ratio <= at_most

    return judge_ratio


@pytest.fixture
def judge_pace(judge: Callable[..., None]) -> Callable[..., None]:
    """Return a function that judges seconds of processor time over those of the calibration loop.

    The loop is timed when the test begins, and again when it has measured its seconds.
    """
    paced = Paced()

    def judge_seconds(figure: str, seconds: float, *, at_most: float) -> None:
        judge(figure, paced.ratio(seconds), at_most=at_most)

    return judge_seconds


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.stash[ROWS]:
        terminalreporter.section("ratios, as in tests/benchmarks/README.md")
        for row in config.stash[ROWS]:
            terminalreporter.line(row)
