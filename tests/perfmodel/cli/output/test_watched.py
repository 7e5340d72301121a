"""What is said of nodes that fail often: unknown, none, or some."""

from types import SimpleNamespace

import pytest

from perfmodel.cli.output.watched import _SUSPECTS, _print_suspects


def said(suspects, capsys):
    _print_suspects(SimpleNamespace(suspects=suspects))
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("suspects", "expected"),
    [
        (None, "Bad nodes: unknown without --failures, a log that names nodes."),
        ((), "No node fails more often than chance explains; nodes that are alike raise"),
    ],
)
def test_without_a_suspect(suspects, expected, capsys):
    assert said(suspects, capsys).startswith(expected)


@pytest.mark.parametrize("more", [0, 1234])
def test_the_first_suspects_are_shown_and_the_rest_counted(more, capsys):
    count = _SUSPECTS + more
    suspects = [
        SimpleNamespace(node=f"n{place}", failures=1500, expected=2.345678, probability=1e-7)
        for place in range(count)
    ]
    found = said(suspects, capsys)
    assert f"n{_SUSPECTS - 1} 1,500 2.35 1e-07" in found
    assert f"n{_SUSPECTS} " not in found
    assert ("not here: 1,234 more." in found) is (more > 0)
