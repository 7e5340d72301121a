"""``python -m perfmodel`` is the command of that name."""

import sys

import pytest

from perfmodel.__main__ import run


def test_the_module_calls_itself_as_the_command_does(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/some/where/__main__.py", "--help"])
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("Usage: perfmodel [OPTIONS] [COMMAND]")
