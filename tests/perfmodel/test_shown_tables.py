"""Tables of HTML for notebooks."""

from perfmodel._shown import facts_html, rows_html


def test_texts_are_escaped_and_numbers_rounded():
    found = facts_html("a < b", {"x & y": 1.23456789, "n": 3, "none": float("inf")})
    assert found == (
        "<table><caption>a &lt; b</caption><tbody><tr><th>x &amp; y</th><td>1.23457</td></tr>"
        "<tr><th>n</th><td>3</td></tr><tr><th>none</th><td>inf</td></tr></tbody></table>"
    )


def test_the_first_thirty_rows_are_shown():
    thirty = rows_html("t", ["n"], [[n] for n in range(30)])
    assert thirty.count("<tr>") == 31
    assert "more" not in thirty
    found = rows_html("t", ["n", "m"], ([n, n] for n in range(1034)))
    assert "<td>29</td>" in found
    assert "<td>30</td>" not in found
    assert '<tr><td colspan="2">and 1,004 more</td></tr>' in found
