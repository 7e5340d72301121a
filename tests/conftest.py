"""Drawn examples: the same ones in every run, so that a verdict can be had again.

``--hypothesis-profile=explore`` draws others, and more; ``make validate`` does.
"""

import gc
import os
from collections import defaultdict

# Two workers have a processor each: more threads of linear algebra would only wait for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

# No test fails because the machine has other work: neither is timed by the clock on the wall.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeat", derandomize=True, max_examples=30, **UNTIMED)
settings.register_profile("explore", print_blob=True, max_examples=200, **UNTIMED)
settings.load_profile("repeat")

# Begun first, so that no worker is left with one of them when the other has ended.
LONGEST = ("tests/validation/test_quick.py", "tests/golden/")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what was collected out of every later search for garbage: it lives to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave all but a few parameters to `make validate` where a test is marked so."""
    marked = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("few"):
            marked[item.path, item.originalname, *mark.args].append(item)
    for (*_, count), same in marked.items():
        kept = {round(place * (len(same) - 1) / max(count - 1, 1)) for place in range(count)}
        for place, item in enumerate(same):
            if place not in kept:
                item.add_marker("slow")
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
