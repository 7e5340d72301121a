"""What no plan can be made of is refused, in full words."""

import re
import tomllib

import pytest

from perfmodel import plan, read_scenario
from perfmodel.planning.scenario import LAWS, PROTOCOLS

# Rule, the values at its limits that are taken, and those beside them that are not.
ABOVE = 1.0 + 1e-15
DURATION = "a duration with a unit, such as 30min, 1.5h or 2d12h"
RULES = [
    ("job.work", DURATION, ["1e-300s"], ["0s", "-1s"]),
    ("job.queue", DURATION, ["0s"], ["-1s", "-1e-300s"]),
    ("checkpoint.size", "a size with a unit, such as 12TB or 1.2TiB", ["1B"],
     ["0B", "-1B", "1s", 1.0]),
    ("machine.bandwidth", "a bandwidth with a unit, such as 400GB/s", ["1B/s"], ["0B/s", "1B"]),
    (
        "failures.failure_rate",
        "failures per node-time, such as 6.5/1000node-days",
        ["1/node-d"],
        ["0/node-d", "1/d", 1.0],
    ),
    ("machine.io_power", "a power with a unit, such as 700W or 1.2kW", ["0W"], ["-1W", "1J", 1]),
    ("machine.nodes", "a whole number >= 1", [1, 1e15 - 1.0], [0, 1e18, 1.5, "1.0", True]),
    ("failures.failures", "a whole number >= 0", [0, 1e15 - 1.0], [-1, 1e18, 0.5, False]),
    ("checkpoint.survived", "a share such as 1% or 0.01", [0, 0.0, 1, "100%"],
     [-1e-9, ABOVE, "101%", "x", True, None]),
    *(
        (key, "a share above 0 and below 1, such as 95%", [1e-9, 0.9, "99.9%"],
         [0, 0.0, 1, ABOVE, "0%", "100%", "x", True, None])
        for key in ("spares.confidence", "deadline.probability", "questions.confidence")
    ),
    ("prices.kwh", "a number >= 0", [0, 1e308], [-1e-300, float("inf"), float("nan"), "x"]),
    ("failures.shape", "a number from 0.2 to 100", [0.2, 100], [0.2 / ABOVE, 100.0 * ABOVE]),
    ("failures.cv", "a number from 0.05 to 10", [0.05, 10], [0.05 / ABOVE, 10.0 * ABOVE]),
    ("failures.burst_size", "a number >= 1", [1, 1e308], [1.0 / ABOVE, float("inf")]),
    (
        "questions.percentiles",
        'probabilities between 0 and 1 with commas, such as "50%,90%"',
        ["1%", "0.5, 99%"],
        ["0%", "100%", "50%,100%", "50%,", 0.5, "unknown"],
    ),
    ("failures.law", f"one of {', '.join(LAWS)}", [*LAWS], ["normal", "", 1, "unknown"]),
    ("checkpoint.protocol", f"one of {', '.join(PROTOCOLS)}", [*PROTOCOLS], ["both", None]),
    ("failures.placement", "one of random, contiguous, strided",
     ["random", "contiguous", "strided"], ["here"]),
    ("prices.currency", "a word", ["unknown", "x"], ["", 5]),
]  # fmt: skip


# Of keys that mean nothing alone, those that they come with.
WITH = {
    "spares.confidence": {"spares": {"mttr": "1d"}},
    "deadline.probability": {"deadline": {"time": "9d"}},
    "prices.kwh": {"machine": {"static_power": "300W"}},
}


@pytest.mark.parametrize(("key", "rule", "good", "bad"), RULES)
def test_every_kind_of_value_is_taken_up_to_its_limits(key, rule, good, bad):
    section, name = key.split(".")
    others = WITH.get(key, {})
    for given in good:
        tables = {**others, section: {**others.get(section, {}), name: given}}
        found = getattr(getattr(read_scenario(tables), section), name)
        assert found is not None
    for given in bad:
        with pytest.raises(ValueError, match=r".") as refused:
            read_scenario({section: {name: given}})
        said = str(refused.value)
        assert said.startswith(f"{key} must be {rule}, got {given!r}")
        assert said == f"{key} must be {rule}, got {given!r}" or said.endswith(")")


def test_numbers_are_kept_as_they_are():
    found = read_scenario(
        {
            "machine": {"nodes": 3.0, "static_power": "1W"},
            "failures": {"shape": 2, "cv": 2, "failures": 7},
            "checkpoint": {"survived": 1, "recall": 0.25, "precision": "25%"},
            "prices": {"kwh": 1},
        }
    )
    assert (found.machine.nodes, found.failures.failures) == (3, 7)
    assert type(found.machine.nodes) is type(found.failures.failures) is int
    floats = (found.failures.shape, found.failures.cv, found.prices.kwh, found.checkpoint.survived)
    assert floats == (2.0, 2.0, 1.0, 1.0)
    assert {type(each) for each in floats} == {float}
    assert found.checkpoint.recall == found.checkpoint.precision == 0.25


def test_tokens_of_a_step_of_unknown_length_are_refused():
    tables = {
        "failures": {"mtbf": "8h"},
        "job": {"work": "3d", "tokens_per_step": 4e6},
        "checkpoint": {"cost": "6min"},
    }
    with pytest.raises(ValueError, match=r"^job.tokens_per_step must come with job.step_time, got"):
        plan(tables, brief=True)
    tables["job"]["step_time"] = "unknown"
    assert plan(tables, brief=True).goodput.tokens_per_day is None


@pytest.mark.parametrize("key", WITH)
def test_a_key_that_means_nothing_alone_is_refused(key):
    section, name = key.split(".")
    ((other, keys),) = WITH[key].items()
    (needed,) = keys
    with pytest.raises(
        ValueError, match=rf"^{key} must come with {other}\.{needed}, got it alone$"
    ):
        read_scenario({section: {name: 0.5}})


def test_the_nearest_key_beside_the_sections_is_named():
    with pytest.raises(
        ValueError, match=r"^section must be a known one \(nearest: title\), got 'titel'$"
    ):
        read_scenario({"titel": "of the machine"})


@pytest.mark.parametrize(
    "written", ["2026-12-24", "2026-12-24T06:00:00", "06:30:00", "2026-12-24T06:00:00+01:00"]
)
def test_a_date_in_place_of_a_duration_is_refused_as_it_was_written(written):
    table = tomllib.loads(f"[deadline]\ntime = {written}")
    with pytest.raises(ValueError, match=re.escape(f"or 2d12h, got {written}") + "$"):
        read_scenario(table)
