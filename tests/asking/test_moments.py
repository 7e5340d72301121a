"""When something begins or ends, in every form that a user may give it."""

from datetime import UTC, datetime, timedelta

import pytest

from asking.moments import AHEAD, BACK, SIGNED, moment_on, shown_moment

DAY = 86_400.0
FORMS = {
    "2004-05-31": datetime(2004, 5, 31),
    "2004-05-31T06:30": datetime(2004, 5, 31, 6, 30),
    "-7.5": -7.5,
    "1700000000": 1.7e9,
    "+30d": timedelta(days=30),
    " -2d12h ": timedelta(days=-2.5),
    "+0s": timedelta(0),
}


@pytest.mark.parametrize("kind", [BACK, SIGNED, AHEAD])
def test_a_moment_is_a_date_seconds_or_a_duration_with_a_sign(kind):
    for text, moment in FORMS.items():
        assert kind.value(text) == moment, text
        assert kind.value(moment) == moment
    for text in ("inf", "nan", "1e12", "1_0", "٣", "May", "", "+", "-x"):
        with pytest.raises(ValueError, match=r"^$"):
            kind.value(text)
    for other in (True, (1.0,), 1e12):
        with pytest.raises(ValueError, match=r"^$"):
            kind.value(other)
    for zoned in ("2004-05-31T00:00+01:00", datetime(2004, 5, 31, tzinfo=UTC)):
        with pytest.raises(ValueError, match=r"^leave out its zone: it is read as the clock of"):
            kind.value(zoned)


def test_a_duration_without_a_sign_counts_as_its_field_says():
    assert BACK.value("30d") == timedelta(days=-30)
    assert AHEAD.value("2h") == timedelta(hours=2)
    with pytest.raises(ValueError, match=r"^write \+7d from the beginning or -7d from the end$"):
        SIGNED.value("7d")


def test_a_moment_stands_on_a_clock():
    ends = (100.0 * DAY, 200.0 * DAY)
    assert moment_on(timedelta(days=1), *ends) == 101.0 * DAY
    assert moment_on(timedelta(0), *ends) == 100.0 * DAY
    assert moment_on(timedelta(days=-1), *ends) == 199.0 * DAY
    assert moment_on(7.0, *ends, origin=5.0) == 7.0
    assert moment_on(datetime(1970, 1, 11), *ends, origin=DAY) == 9.0 * DAY


@pytest.mark.parametrize("text", ["2004-05-31T06:30:00", "-30d", "+12h", "86400", "-0.25"])
def test_a_moment_is_shown_as_it_is_typed(text):
    assert shown_moment(SIGNED.value(text)) == text
