import math
import re
from datetime import timedelta

import numpy as np
import pandas as pd
import pint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import units
from perfmodel.units import DURATIONS, human_duration, natural_unit, shown_duration
from tests.support.examples import examples

HOUR, DAY, YEAR = 3600.0, 86400.0, 365.25 * 86400.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30min", 1800.0),
        ("1.5h", 5400.0),
        ("2d12h", 216000.0),
        ("2d 12h", 216000.0),
        (" 2 d 12 h ", 216000.0),
        ("5y", 5.0 * YEAR),
        ("90s", 90.0),
        ("0s", 0.0),
        ("1w", 7.0 * DAY),
        ("250ms", 0.25),
        ("3us", 3e-6),
        ("7ns", 7e-9),
        ("1h30min15s", 5415.0),
        ("1s2ms", 1.002),
        (".5h", 1800.0),
        ("5.h", 5.0 * HOUR),
        ("1e3s", 1000.0),
        ("1E-3s", 1e-3),
        ("1e+2min", 6000.0),
        ("1hour", HOUR),
        ("2 hours", 2.0 * HOUR),
        ("3hrs", 3.0 * HOUR),
        ("1hr", HOUR),
        ("4days", 4.0 * DAY),
        ("1 week", 7.0 * DAY),
        ("2years", 2.0 * YEAR),
        ("1yr", YEAR),
        ("2mins", 120.0),
        ("2minutes", 120.0),
        ("45 seconds", 45.0),
        ("45secs", 45.0),
    ],
)
def test_durations_are_read(text, seconds):
    assert units.seconds(text) == pytest.approx(seconds, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8", "no unit"),
        ("0", "no unit"),
        ("1h30", "no unit"),
        ("1,5h", "no unit"),
        ("", "nothing"),
        ("   ", "nothing"),
        ("h", "cannot read 'h'"),
        ("-5min", "negative"),
        ("+5min", "cannot read"),
        ("nan", "cannot read"),
        ("infh", "cannot read"),
        ("1_000s", "no unit"),
        ("٣h", "cannot read"),
        ("5m", "ambiguous"),
        ("5M", "ambiguous"),
        ("8H", "unknown unit 'H': write h"),
        ("8MIN", "write min"),
        ("1MS", "write ms"),
        ("3mo", "unknown unit"),
        ("3months", "unknown unit"),
        ("5parsecs", "unknown unit 'parsecs': write ns, us, ms, s, min, h, d, w, y"),
        ("12h2d", "large to small"),
        ("1h1h", "large to small"),
        ("1e400s", "too large"),
        ("1e308y", "too large"),
        ("5min!", "cannot read '!'"),
        ("5min-3s", "cannot read '-3s'"),
        ("12GB", "unknown unit"),
    ],
)
def test_what_is_no_duration_is_refused_with_a_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        units.seconds(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("12TB", 12e12),
        ("1.2TiB", 1.2 * 2**40),
        ("1B", 1.0),
        ("5kB", 5e3),
        ("5KB", 5e3),
        ("5KiB", 5120.0),
        ("0.5 PiB", 0.5 * 2**50),
        ("3EB", 3e18),
        ("2MB", 2e6),
        ("2 GiB", 2.0**31),
    ],
)
def test_sizes_are_read(text, size):
    assert units.byte_count(text) == pytest.approx(size, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12", "no unit"),
        ("12T", "unknown unit 'T'"),
        ("12Tb", "b is a bit"),
        ("12tb", "b is a bit"),
        ("12mB", "unknown unit"),
        ("12TB5GB", "cannot read '5GB'"),
        ("-1TB", "negative"),
        ("", "nothing"),
        ("1e400B", "too large"),
        ("12TB/s", "cannot read '/s'"),
    ],
)
def test_what_is_no_size_is_refused_with_a_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        units.byte_count(text)


@pytest.mark.parametrize(
    ("text", "rate"),
    [("400GB/s", 400e9), ("1.2 TiB / min", 1.2 * 2**40 / 60.0), ("36TB/h", 1e10)],
)
def test_bandwidths_are_read(text, rate):
    assert units.bytes_per_second(text) == pytest.approx(rate, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("400", "no unit"),
        ("400GB", "no time unit: write /s"),
        ("400GB/", "no unit"),
        ("400/s", "no unit"),
        ("400Gb/s", "b is a bit"),
        ("400GBps", "unknown unit"),
        ("400GB/m", "ambiguous"),
        ("/s", "nothing"),
        ("400GB/s/s", "unknown unit"),
    ],
)
def test_what_is_no_bandwidth_is_refused_with_a_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        units.bytes_per_second(text)


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("6.5/1000node-days", 6.5 / 1000.0 / DAY),
        ("6.5 / 1000 node-days", 6.5 / 1000.0 / DAY),
        ("0.0065/node-day", 6.5 / 1000.0 / DAY),
        ("2/node-year", 2.0 / YEAR),
        ("1/5node-years", 0.2 / YEAR),
        ("3/1e6node-hours", 3e-6 / HOUR),
        ("1/512node-h", 1.0 / 512.0 / HOUR),
    ],
)
def test_failure_rates_are_read(text, rate):
    assert units.failures_per_node_second(text) == pytest.approx(rate, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("6.5", "not failures per node-time"),
        ("6.5/1000days", "not failures per node-time"),
        ("6.5/1000", "not failures per node-time"),
        ("6.5/1000node-", "not failures per node-time"),
        ("6.5/1000node-m", "ambiguous"),
        ("6.5/1000node-moons", "unknown unit"),
        ("6.5/0node-days", "no exposure"),
        ("-6.5/1000node-days", "not failures per node-time"),
        ("1e300/1e-300node-days", "too large"),
        ("", "nothing"),
    ],
)
def test_what_is_no_failure_rate_is_refused_with_a_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        units.failures_per_node_second(text)


@settings(deadline=None, max_examples=examples(100))
@given(text=st.text(max_size=12))
def test_any_text_is_read_or_refused_with_a_reason(text):
    reasons = []
    for parse in (
        units.seconds,
        units.byte_count,
        units.bytes_per_second,
        units.failures_per_node_second,
    ):
        try:
            value = parse(text)
        except ValueError as error:
            reasons.append(str(error))
        else:
            assert 0.0 <= value < math.inf
    assert all(reasons)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (90.0, "90 s"),
        (3498.6, "58.31 min"),
        (28800.0, "8 h"),
        (86400.0, "24 h"),
        (7.0 * DAY, "7 d"),
        (5.0 * YEAR, "5 y"),
        (0.0, "0 s"),
        (0.25, "250 ms"),
        (3e-6, "3 us"),
        (7e-9, "7 ns"),
        (math.inf, "unbounded"),
        (12345.0 * YEAR, "12345 y"),
        (1e300 * YEAR, "1e+300 y"),
        (1.23456e-306, "1.235e-297 ns"),
    ],
)
def test_durations_are_shown_in_a_unit_a_reader_would_use(seconds, text):
    assert human_duration(seconds) == text


@settings(deadline=None, max_examples=examples(100))
@given(seconds=st.floats(1e-8, 1e12))
def test_what_is_shown_is_within_rounding_of_what_is_meant(seconds):
    assert units.seconds(human_duration(seconds)) == pytest.approx(seconds, rel=5.1e-4)
    unit, factor = natural_unit(seconds)
    assert DURATIONS[unit] == factor


LONG = 1_000_000
TOKENS = [
    "9" * LONG + "x",
    "1." + "9" * LONG,
    "1e" + "9" * LONG + "x",
    "1" + " " * LONG + "!",
    " " * LONG + "x",
    "a" * LONG,
    "1/" + " " * LONG + "x",
    "1/" + "9" * LONG + "x",
    "1/1" + " " * LONG + "x",
    "1/1node-" + "a" * LONG + "!",
    "1B/" + " " * LONG + "!",
    "1h" * (LONG // 2),
    "." * LONG,
]


@pytest.mark.parametrize("place", range(len(TOKENS)))
@pytest.mark.parametrize(
    "parse",
    [units.seconds, units.byte_count, units.bytes_per_second, units.failures_per_node_second],
)
def test_a_long_text_is_refused_in_one_pass_and_in_few_words(parse, place):
    """Not timed: trying every way to split a million digits would take hours."""
    with pytest.raises(ValueError, match=r"^.{1,150}$"):
        parse(TOKENS[place])


@pytest.mark.parametrize("blank", ["\u2028", "\xa0", "\u3000", "\x1c", "\x85", "\n", "\v"])
@pytest.mark.parametrize("text", ["_90s", "90_s", "90s_", "1h_5min"])
def test_only_blanks_and_tabs_are_blank(text, blank):
    assert units.seconds(text.replace("_", " ")) == units.seconds(text.replace("_", "\t"))
    with pytest.raises(ValueError, match=r"^(cannot read|no unit|unknown unit)"):
        units.seconds(text.replace("_", blank))


@pytest.mark.parametrize("blank", ["\u2028", "\xa0", "\n"])
def test_rates_and_sizes_know_no_other_blanks_either(blank):
    for parse, text in (
        (units.byte_count, "3kB_"),
        (units.bytes_per_second, "3kB/h_"),
        (units.bytes_per_second, "3kB/_h"),
        (units.bytes_per_second, "3kB_/h"),
        (units.failures_per_node_second, "1/_2node-h"),
        (units.failures_per_node_second, "1/2node-h_"),
    ):
        assert parse(text.replace("_", " ")) > 0.0
        with pytest.raises(ValueError, match=r"^(cannot read|no unit|unknown unit|not fail)"):
            parse(text.replace("_", blank))


@pytest.mark.parametrize("text", ["0s", "1s", "90s", "50min", "1h", "25h", "7d", "0.25s", "400d"])
def test_a_default_is_shown_as_one_would_type_it(text):
    assert shown_duration(units.seconds(text)) == text


@pytest.mark.parametrize(
    ("text", "power"), [("700W", 700.0), (" 1.2 kW ", 1200.0), ("0W", 0.0), ("3MW", 3e6)]
)
def test_powers(text, power):
    assert units.watts(text) == pytest.approx(power, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("700", "no unit"),
        ("7kw", "unknown unit 'kw': write W, kW, MW, GW"),
        ("", "nothing"),
        ("-1W", "negative"),
        ("1W2", "cannot read '2'"),
        ("1W X2X", "cannot read 'X2X'"),
        ("1e999W", "too large"),
    ],
)
def test_powers_that_cannot_be_read(text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        units.watts(text)


UNIT = pint.get_application_registry()


class Astronomical:
    """As a quantity of astropy or unyt: one value, without a magnitude."""

    def __init__(self, value):
        self.value = value

    def to(self, unit):
        assert unit == "second"
        return self


@pytest.mark.parametrize(
    ("quantity", "known"),
    [
        (8.0 * UNIT.hour, 28800.0),
        (np.float64(3.0) * UNIT.minute, 180.0),
        (np.array(2.0) * UNIT.day, 172800.0),
        (Astronomical(5.0), 5.0),
        (timedelta(days=2, hours=12), 216000.0),
        (pd.Timedelta(8, "h"), 28800.0),
        (np.timedelta64(5, "m"), 300.0),
    ],
)
def test_quantities_and_spans_of_time_are_durations(quantity, known):
    found = units.seconds(quantity)
    assert type(found) is float
    assert found == known


def test_quantities_are_sizes_rates_and_powers():
    assert units.byte_count(12.0 * UNIT.terabyte) == 12e12
    assert units.bytes_per_second(2.0 * UNIT.gibibyte / UNIT.minute) == pytest.approx(2**31 / 60)
    assert units.watts(1.2 * UNIT.kilowatt) == pytest.approx(1200.0)


@pytest.mark.parametrize(
    ("quantity", "error", "reason"),
    [
        (5.0, ValueError, "no unit"),
        (3.0 * UNIT.meter, ValueError, "cannot turn '3.0 meter' into second"),
        (-1.0 * UNIT.hour, ValueError, "negative"),
        (float("nan") * UNIT.hour, ValueError, "not a number"),
        (float("inf") * UNIT.hour, ValueError, "too large"),
        (np.array([1.0, 2.0]) * UNIT.hour, ValueError, "more than one value"),
        (timedelta(seconds=-1), ValueError, "negative"),
        (np.timedelta64("NaT"), ValueError, "not a number"),
        (None, TypeError, "a quantity must be text with a unit or have units, got None"),
        ([1.0], TypeError, "a quantity must be text with a unit or have units"),
    ],
)
def test_what_is_not_one_duration_is_refused(quantity, error, reason):
    with pytest.raises(error, match=reason):
        units.seconds(quantity)


@pytest.mark.parametrize(
    ("text", "known"), [("1%", 0.01), ("0.01", 0.01), ("0", 0.0), ("100%", 1.0), ("1", 1.0)]
)
def test_a_share_is_a_number_or_in_per_cent(text, known):
    assert units.share(text) == pytest.approx(known, rel=1e-15)


@pytest.mark.parametrize("text", ["101%", "1.01", "-0.1", "nan", "inf", "1_0%", "\u0661%"])
def test_a_share_is_refused_beyond_0_and_1(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the option that reads it says what is wrong
        units.share(text)


@pytest.mark.parametrize("text", ["a few", "", "%", "1%%"])
def test_a_share_is_a_number(text):
    with pytest.raises(ValueError, match=r"^not a number$"):
        units.share(text)
