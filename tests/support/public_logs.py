"""Where the public logs are, or a skip that says which one is missing."""

from pathlib import Path

import pytest

from sim.traces import locate


def trace(relative: str) -> Path:
    found = locate(relative)
    if found is None:
        pytest.skip(
            f"{relative} not found under $PERFMODEL_TRACES or ../shared/traces; "
            "the Parallel Workloads Archive publishes the logs, the simulators' "
            "repositories the reference results"
        )
    return found
