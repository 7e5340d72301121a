"""Drawn examples: the same ones in every run, so that a verdict can be had again.

``--hypothesis-profile=explore`` draws others; ``make validate`` does.
"""

import gc
import os

# Two workers have a processor each: more threads of linear algebra would only wait for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

# No test fails because the machine has other work: neither is timed by the clock on the wall.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeat", derandomize=True, **UNTIMED)
settings.register_profile("explore", print_blob=True, **UNTIMED)
settings.load_profile("repeat")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what was collected out of every later search for garbage: it lives to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
