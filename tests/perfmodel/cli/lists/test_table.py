"""Tables of several answers in full: their columns, units, changes, costs and what is unknown."""

import pytest

from perfmodel.cli.lists.headline import Headline, Number
from perfmodel.cli.lists.table import print_answers, yearly

HOUR = 3600.0
DEAR = Headline(
    {
        "interval": Number("duration", 5400.0),
        "share": Number("share", 0.256),
        "n": Number("count", 1_234_567.0),
    },
    time=200 * HOUR,
    useful=0.9,
    per_hour=1000.0,
)
QUICK = Headline(
    {
        "interval": Number("duration", 1800.0),
        "n": Number("count", None),
        "more": Number("share", 1.0),
    },
    time=150 * HOUR,
    useful=0.95,
    per_hour=1000.0,
)
UNKNOWN = Headline({"interval": Number("duration", None)})
CHANGES = "\nChanges are those from the first line.\n"


def printed(capsys, given, answers, *, per_year):
    print_answers(given, answers, per_year=per_year)
    return "\n" + capsys.readouterr().out


def test_every_column_and_what_is_unknown(capsys):
    # Lost in a year: 10 % of 365.25 days, at 1000 an hour; 150 h are a quarter less than 200 h.
    given = [{"mtbf": "8h"}, {"mtbf": "16h"}, {"mtbf": "1d"}]
    assert printed(capsys, given, [DEAR, QUICK, UNKNOWN], per_year=True) == (
        """
      interval  share                 more  mean time  change  goodput                    lost in  cost of
mtbf     [min]    [%]            n     [%]        [d]     [%]      [%]     cost   change   a year     that
8h       90.00  25.60  1.23457e+06       -       8.33   +0.00    90.00  200,000       +0  36.52 d  876,600
16h      30.00      -            -  100.00       6.25  -25.00    95.00  150,000  -50,000  18.26 d  438,300
1d           -      -            -       -          -       -        -        -        -        -        -
"""  # noqa: E501
        + CHANGES
    )


def test_one_answer_has_no_changes(capsys):
    assert printed(capsys, [{}], [DEAR], per_year=True) == (
        """
     interval  share               mean time  goodput           lost in  cost of
        [min]    [%]            n        [d]      [%]     cost   a year     that
now     90.00  25.60  1.23457e+06       8.33    90.00  200,000  36.52 d  876,600
"""
    )


def test_shares_alone_change_by_points(capsys):
    given = [{"node_mtbf": "8h", "x": "1"}, {"node_mtbf": "16h", "x": "1"}]
    answers = [Headline(useful=0.5), Headline(useful=0.75)]
    assert printed(capsys, given, answers, per_year=False) == (
        """
node     goodput    change
mtbf  x      [%]  [points]
8h    1    50.00     +0.00
16h   1    75.00    +25.00
"""
        + CHANGES
    )
    answers = [Headline(), Headline(useful=0.75)]
    assert printed(capsys, given, answers, per_year=False) == (
        """
node     goodput    change
mtbf  x      [%]  [points]
8h    1        -         -
16h   1    75.00         -
"""
        + CHANGES
    )


def test_what_no_answer_knows_has_no_column(capsys):
    given = [{"node_mtbf": "8h"}, {"node_mtbf": "16h"}]
    assert printed(capsys, given, [UNKNOWN, UNKNOWN], per_year=True) == (
        """
node  interval  lost in
mtbf       [s]   a year
8h           -        -
16h          -        -
"""
    )


def test_there_is_no_change_from_nothing(capsys):
    given = [{"mtbf": text} for text in ("8h", "16h", "17h")]
    answers = [
        Headline(),
        Headline(time=0.0, useful=0.1, per_hour=3.0),
        Headline(time=10 * HOUR, useful=0.75, per_hour=0.0),
    ]
    assert printed(capsys, given, answers, per_year=True) == (
        """
      mean time  change  goodput                lost in  cost of
mtbf        [h]     [%]      [%]  cost  change   a year     that
8h            -       -        -     -       -        -        -
16h        0.00       -    10.00     0       -  328.7 d   23,668
17h       10.00       -    75.00     0       -  91.31 d        0
"""
        + CHANGES
    )
    answers = [Headline(time=0.0, useful=0.5), Headline(time=3 * HOUR, useful=0.1)]
    assert printed(capsys, given[:2], answers, per_year=True) == (
        """
      mean time  change  goodput  lost in
mtbf        [h]     [%]      [%]   a year
8h         0.00       -    50.00  182.6 d
16h        3.00       -    10.00  328.7 d
"""
        + CHANGES
    )


def test_what_is_lost_in_a_year_and_what_it_costs():
    assert yearly(DEAR) == pytest.approx({"lost_per_year_s": 3_155_760.0, "lost_per_year": 876_600})
    assert yearly(Headline(useful=0.5)) == {"lost_per_year_s": 15_778_800.0, "lost_per_year": None}
    assert yearly(Headline(per_hour=3.0)) == {"lost_per_year_s": None, "lost_per_year": None}
