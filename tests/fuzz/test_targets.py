"""Every target stands a few changes of what it usually reads; `make fuzz` draws millions."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sim.traces.test_mutated_files import mutated
from tests.support.examples import examples

from .targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_it_reads_its_own_seeds(name):
    for seed in TARGETS[name].seeds:
        TARGETS[name].run(seed)


@pytest.mark.parametrize("name", [name for name in TARGETS if not name.startswith("log-")])
def test_a_few_changes_raise_nothing_that_is_not_documented(name):
    rng = random.Random(f"fuzz {name}")
    target = TARGETS[name]
    for _ in range(200):
        target.run(mutated(rng.choice(target.seeds).decode("latin-1"), rng))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=examples(15), deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_raise_nothing_that_is_not_documented(name, data):
    TARGETS[name].run(data)
