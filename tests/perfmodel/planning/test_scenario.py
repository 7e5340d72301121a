import dataclasses

import pytest

from asking.kinds import Kind
from perfmodel import read_scenario
from perfmodel.planning.scenario import SECTIONS


def test_quantities_are_in_plain_units():
    found = read_scenario(
        {
            "machine": {"nodes": 4, "bandwidth": "2GB/s", "static_power": "1.5kW"},
            "failures": {"failure_rate": "1/2node-d"},
            "checkpoint": {"size": "3TB", "survived": "85%"},
            "questions": {"percentiles": "50%, 0.9"},
        }
    )
    assert found.machine.bandwidth == 2e9
    assert found.machine.static_power == 1500.0
    assert found.failures.failure_rate == pytest.approx(1.0 / 172_800.0)
    assert (found.checkpoint.size, found.checkpoint.survived) == (3e12, 0.85)
    assert found.questions.percentiles == (0.5, 0.9)
    assert found.spares is None


def test_what_is_unknown_is_missing_and_named():
    found = read_scenario({"job": {"downtime": "unknown", "work": "1d"}})
    assert found.job.downtime is None
    assert found.unknown == ("job.downtime",)


@pytest.mark.parametrize("section", SECTIONS.values())
def test_every_key_has_a_quantity_and_every_section_is_frozen(section):
    fields = dataclasses.fields(section)
    assert all(isinstance(field.metadata["key"].kind, Kind) for field in fields)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(section(), fields[0].name, 1)
