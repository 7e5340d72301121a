import io

import pytest

from sim.traces import Limited, Limits, Window, read_maintenance

DAY = 86_400.0


def read(text):
    return read_maintenance(io.StringIO(text))


def test_windows_are_of_all_nodes_or_of_ranges():
    found = read(
        "start,end,nodes,kind\n"
        "# the second Tuesday\n"
        "100,200,,planned\n"
        '300,400.5,"0-15,32",outage\n'
        "500,600,7 3-4;9,Outage\n"
    )
    assert found == (
        Window(100.0, 200.0, "planned", (), 3),
        Window(300.0, 400.5, "outage", ((0, 15), (32, 32)), 4),
        Window(500.0, 600.0, "outage", ((7, 7), (3, 4), (9, 9)), 5),
    )


def test_columns_stand_in_any_order_and_dates_are_unix_seconds():
    found = read("kind,end,start\noutage,1970-01-03T12:00,1970-01-02\n")
    assert found == (Window(DAY, 2.5 * DAY, "outage", (), 2),)
    assert found[0].shifted(-DAY) == Window(0.0, 1.5 * DAY, "outage", (), 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold windows, got none"),
        ("start,end,kind\n", "must hold windows, got none"),
        ("start,end\n1,2\n", r"line 1: the header must name the columns start, end, kind and .*"),
        ("start,end,kind,why\n", r"line 1: the header must name .*got 'start, end, kind, why'"),
        ("start,start,end,kind\n", "line 1: the header must name the columns .* each once"),
        ("start,end,kind\n1,2\n", r"line 2: must have 3 columns, got 2"),
        (
            "start,end,nodes,kind\n1,2,0-15,32,outage\n",
            r'line 2: must have 4 columns, got 5; write ranges .* in quotes: "0-15,32"',
        ),
        ("start,end,kind\nsoon,2,outage\n", "line 2: start must be seconds or an ISO date, got"),
        ("start,end,kind\n1,nan,outage\n", "line 2: end must be seconds or an ISO date, got 'nan'"),
        ("start,end,kind\n1,1e999,outage\n", "line 2: end must be seconds or an ISO date"),
        ("start,end,kind\n3,2,outage\n", "line 2: end must be after start, got '2'"),
        ("start,end,kind\n2,2,outage\n", "line 2: end must be after start, got '2'"),
        ("start,end,kind\n1,2,broken\n", "line 2: kind must be planned or outage, got 'broken'"),
        ("start,end,nodes,kind\n1,2,5-3,outage\n", "line 2: nodes must be ranges of numbers"),
        ("start,end,nodes,kind\n1,2,a1,outage\n", "line 2: nodes must be ranges of numbers"),
        ("start,end,nodes,kind\n1,2,-1,outage\n", "line 2: nodes must be ranges of numbers"),
        (
            "start,end,kind\n1,2,outage\n2003-01-01,2003-01-02,outage\n",
            "line 3: start must be in seconds, as all times of the file, got '2003-01-01'",
        ),
        (
            "start,end,kind\n2003-01-01,9e9,outage\n",
            "line 2: end must be in dates, as all times of the file, got '9e9'",
        ),
    ],
)
def test_a_bad_line_is_refused_by_its_number(text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_a_file_of_too_many_lines_is_refused(tmp_path):
    path = tmp_path / "windows.csv"
    path.write_text("start,end,kind\n" + "1,2,outage\n" * 9)
    with pytest.raises(ValueError, match="must hold at most 5 lines"):
        read_maintenance(Limited(path, Limits(max_lines=5)))
