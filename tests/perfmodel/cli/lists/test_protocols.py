"""What a table shows of an interval where something is not known, and what no line can hold."""

import click
import pytest

from perfmodel.cli.lists.headline import Headline, Number
from perfmodel.cli.lists.protocols import protocol_headline

PLAIN = {
    "work_s": 90.0,
    "recommended_interval_s": 7.0,
    "expected_makespan_s": 100.0,
    "price_per_hour": 3.0,
}


def interval(value):
    return Number("duration", value)


@pytest.mark.parametrize(("joules", "saved"), [(75.0, 0.25), (None, None), (0.0, None)])
def test_energy_has_both_intervals_and_what_is_saved(joules, saved):
    quick = {"interval_s": 5.0, "expected_makespan_s": 120.0, "expected_energy_j": 100.0}
    least = {"interval_s": 9.0, "expected_energy_j": joules}
    answer = PLAIN | {"energy": {"least_time": quick, "least_energy": least}}
    found = protocol_headline(answer)
    assert found == Headline(
        {
            "least\ntime": interval(5.0),
            "least\nenergy": interval(9.0),
            "energy\nsaved": Number("share", saved),
        },
        120.0,
        0.75,
        3.0,
    )
    assert [*found.numbers] == ["least\ntime", "least\nenergy", "energy\nsaved"]


@pytest.mark.parametrize("share", [None, 0.0, 0.85])
def test_a_law_of_uptimes_may_have_intervals_by_age(share):
    aged = {
        "interval_s": 5.0,
        "expected_makespan_s": 120.0,
        "useful_share": 0.8,
        "intervals_useful_share": share,
    }
    numbers = {"interval": interval(5.0)}
    numbers |= {} if share is None else {"goodput\nby age": Number("share", share)}
    assert protocol_headline(PLAIN | {"ageing": aged}) == Headline(numbers, 120.0, 0.8, 3.0)


def test_what_no_line_can_hold_is_refused():
    with pytest.raises(click.UsageError) as refusal:
        protocol_headline(PLAIN | {"protocols": []})
    assert refusal.value.message == (
        "--compare must come with one value of each option and without --per-year: several values "
        "take --json alone"
    )
    for keys, flags in {
        ("asynchronous", "levels"): "--async-latency and --level",
        ("levels", "energy"): "--level and --power",
        ("asynchronous", "energy"): "--async-latency and --power",
    }.items():
        with pytest.raises(click.UsageError) as refusal:
            protocol_headline(PLAIN | dict.fromkeys(keys))
        assert refusal.value.message == (
            f"{flags} must not come together with several values or --per-year, got both: leave "
            "one out, or take --json alone"
        )
