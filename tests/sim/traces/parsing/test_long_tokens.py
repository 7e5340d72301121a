"""A token of a million characters takes no longer than a million tokens of one.

Nothing here is timed: a reader that tries every way to split such a token would not come back
within a day.
"""

import io
import re

import pytest

from sim.traces import read_swf
from sim.traces.parsing.numbers import finite, whole
from tests.sim.traces.test_formats import SAMPLES, reader
from tests.support.examples import some

LONG = 1_000_000
TOKENS = {
    "digits": "9" * LONG + "x",
    "fraction": "1." + "9" * LONG + "x",
    "decimals": "." + "9" * LONG + "x",
    "exponent": "9" * LONG + "e" + "9" * LONG + "x",
    "number": "9" * LONG,
    "small": "0." + "0" * LONG + "1",
    "blanks": "1" + " " * LONG + "x",
    "indented": " " * LONG + "x",
    "letters": "a" * LONG,
    "word": "a" * LONG + "!",
    "signs": "-" * LONG,
    "dots": "." * LONG,
    "dashes": "1-" * (LONG // 2),
    "colons": "1:" * (LONG // 2),
    "brackets": "[" * LONG,
    "quotes": '"' * LONG,
    "key": "; a" + " " * LONG + "x",
    "value": "; a: b" + " " * LONG + "x",
}


@pytest.mark.parametrize(("number", "name"), [*enumerate(SAMPLES)])
def test_a_line_of_one_long_token(number, name):
    for token, text in some([*TOKENS.items()], number):
        read = reader(name)(io.StringIO(f"{SAMPLES[name]}{text}\n"))
        assert read.report.records >= 1, token


def places(text):
    """Return where the words below the header begin and end; none where it stands alone."""
    first = 0 if text.startswith("[") else text.index("\n") + 1
    return [word.span() for word in re.compile(r"[^\s|,\"]+").finditer(text, first)]


@pytest.mark.parametrize(
    ("number", "name"),
    [(number, name) for number, name in enumerate(SAMPLES) if places(SAMPLES[name])],
)
def test_a_long_token_in_every_place(number, name):
    text = SAMPLES[name]
    for start, end in some(places(text), number):
        spoiled = text[:start] + TOKENS["digits"] + text[end:]
        report = reader(name)(io.StringIO(spoiled)).report
        assert report.records >= 1
        assert max((len(problem.reason) for problem in report.problems), default=0) < 250


@pytest.mark.parametrize("token", TOKENS)
def test_numbers(token):
    plain = token in ("number", "small")
    assert (finite(TOKENS[token]) is None) is (not plain or token == "number")
    assert whole(TOKENS[token]) in (None, 0)


def test_a_header_field_may_be_long():
    trace = read_swf(io.StringIO(f"; Note: {'a ' * LONG}\n{SAMPLES['swf']}"))
    assert len(trace.header["Note"]) == 2 * LONG - 1
