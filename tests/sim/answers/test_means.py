from math import isnan, nan

import pytest

from sim.answers.grids.means import means_of


def test_numbers_are_averaged_wherever_they_stand():
    first = {"wait": 1.0, "by": {"a": [{"size": "1", "jobs": 2}]}, "unknown": nan, "half": nan}
    second = {"wait": 4.0, "by": {"a": [{"size": "1", "jobs": 3}]}, "unknown": nan, "half": 7.0}
    found = means_of([first, second])
    assert isnan(found.pop("unknown"))
    assert found == {"wait": 2.5, "by": {"a": [{"size": "1", "jobs": 2.5}]}, "half": 7.0}
    assert means_of([second])["by"] == second["by"]


def test_answers_of_two_shapes_are_not_averaged():
    with pytest.raises(ValueError, match="zip"):
        means_of([[1.0, 2.0], [1.0]])
