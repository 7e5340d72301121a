"""The examples of docs/extending.md, run as they stand, section by section."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
KINDS = (
    *("A formula", "A law", "A reader", "A policy", "A machine"),
    *("A protocol", "A question", "An option", "A case", "A package"),
)


def code_of(section):
    return re.findall(r"```python\n(.*?)```", SECTIONS[section], re.DOTALL)


def test_every_kind_has_its_files_and_an_example():
    assert tuple(SECTIONS) == KINDS
    for kind in KINDS:
        assert SECTIONS[kind].index("\n1. ") < SECTIONS[kind].index("```python")


@pytest.mark.parametrize("section", KINDS)
def test_the_example_runs(section):
    (code,) = code_of(section)
    assert "assert" in code
    exec(compile(code, f"docs/extending.md, {section}", "exec"), {"__name__": section})


def test_a_policy_takes_twenty_lines():
    (code,) = code_of("A policy")
    policy = re.search(r"^@dataclass.*?(?=\n\n\n)", code, re.MULTILINE | re.DOTALL)[0]
    assert policy.count("\n") < 20


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:\w+/)+[\w.]+)`", PAGE))))
def test_the_files_named_are_there(path):
    assert (ROOT / path).exists()
