"""Fixtures that judge a ratio and print it as a row of README.md beside this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .timing import Paced

ROWS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROWS] = []


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
