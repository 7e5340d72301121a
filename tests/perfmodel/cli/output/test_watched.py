"""What is said of nodes that fail often: unknown, none, or some."""

from types import SimpleNamespace

import pytest

from perfmodel.answers.shown import text_of
from perfmodel.answers.words.watched import SUSPECTS, bad_node_parts


def said(suspects):
    parts = bad_node_parts(SimpleNamespace(suspects=suspects))
    return " ".join(" ".join(text_of(parts, width=80)).split())


@pytest.mark.parametrize(
    ("suspects", "expected"),
    [
        (None, "Bad nodes: unknown without failures, a log that names nodes."),
        ((), "No node fails more often than chance explains; nodes that are alike raise"),
    ],
)
def test_without_a_suspect(suspects, expected):
    assert said(suspects).startswith(expected)


@pytest.mark.parametrize("more", [0, 1234])
def test_the_first_suspects_are_shown_and_the_rest_counted(more):
    count = SUSPECTS + more
    suspects = [
        SimpleNamespace(node=f"n{place}", failures=1500, expected=2.345678, probability=1e-7)
        for place in range(count)
    ]
    found = said(suspects)
    assert f"n{SUSPECTS - 1} 1,500 2.35 1e-07" in found
    assert f"n{SUSPECTS} " not in found
    assert ("not here: 1,234 more." in found) is (more > 0)
