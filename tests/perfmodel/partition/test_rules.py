"""The simple rules: what their docstrings share, and machines that they leave alone."""

import inspect
import re

import numpy as np
import pytest

from perfmodel import Machines, schedule_random, schedule_speed
from perfmodel.partition import schedule_reliability, schedule_speed_reliability


def sections(rule):
    """Return the text of each section of a docstring by its name, in their order."""
    parts = re.split(r"^(.+)\n-+\n", inspect.getdoc(rule), flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], parts[::2], strict=True))


@pytest.mark.parametrize("rule", [schedule_speed, schedule_reliability, schedule_speed_reliability])
def test_rules_are_documented_as_the_one_that_has_it_all_written_out(rule):
    """Most of a docstring is put in by a decorator; that of `schedule_random` is plain text."""
    own, whole = sections(rule), sections(schedule_random)
    assert list(own) == list(whole)
    for name in ("Returns", "References"):
        assert own[name] == whole[name]
    assert own["Parameters"].startswith(whole["Parameters"].partition("order :")[0])
    assert own["Notes"].endswith("\n\n" + whole["Notes"].partition("\n\n")[2])
    assert own[""].startswith("Take ")
    assert own["Examples"].startswith(">>> ")
    machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 400.0, 5.0], mttr=2.0)
    assert rule(100.0, machines, processes=2).chosen.size == 2


def test_no_column_of_machines_can_be_written_and_none_is_that_of_the_caller():
    given = {name: np.array([2.0, 3.0]) for name in ("speed", "mttr", "mttr_cv")}
    given |= {name: np.array([50.0, 70.0]) for name in ("mtbf", "interval", "checkpoint_cost")}
    machines = Machines(**given)
    for name, array in given.items():
        own = getattr(machines, name)
        assert not own.flags.writeable
        assert not np.shares_memory(own, array)
        assert array.flags.writeable
        assert own.tolist() == array.tolist()
