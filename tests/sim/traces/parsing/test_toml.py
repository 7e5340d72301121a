"""TOML is read in one place, and refused before it takes minutes."""

import ast
import io
from pathlib import Path

import pytest

from sim.traces.parsing import read_toml

ROOT = Path(__file__).parents[4]


def read(text):
    return read_toml(io.BytesIO(text if isinstance(text, bytes) else text.encode()))[1]


def test_tables_are_those_of_the_standard_library():
    assert read(b"\xef\xbb\xbfa = 1\r\n[b.c]\nd = [1.5, 2.5]\n") == {
        "a": 1,
        "b": {"c": {"d": [1.5, 2.5]}},
    }
    assert read("#" * 2_000_000) == {}


DOTS = ".".join("a" * 20)


@pytest.mark.parametrize(
    "text",
    [
        f'a = "{DOTS}"',
        f"a = '{DOTS}'",
        f'a = """\n{DOTS}\\""" {DOTS}"""',
        f"a = '''\n{DOTS}'''",
        f"a = 1 # {DOTS}",
        f'"{DOTS}" = 1',
        f"a = '#' # {DOTS}",
        "a = [" + "1.5, " * 100 + "]",
        ".".join("a" * 16) + " = 1",
    ],
)
def test_dots_that_join_no_long_key_are_read(text):
    assert len(read(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTS} = 1",
        f"[{DOTS}]",
        f"[[{DOTS}]]",
        DOTS.replace(".", " . ") + " = 1",
        DOTS.replace("a", '"a"') + " = 1",
        DOTS.replace("a", "''") + " = 1",
        f"a = {{ {DOTS} = 1 }}",
        f'a = "\\""\n{DOTS} = 1',
        f"a = '\\'\n{DOTS} = 1",
        f'a = """x"""\n{DOTS} = 1',
    ],
)
def test_a_key_of_many_parts_is_refused_before_it_is_parsed(text):
    with pytest.raises(ValueError, match=r"^<file> must have keys of at most 16 parts, got more"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "a." * 50_000 + "a = 1",
        "a" * 500_000,
        "a" + " " * 500_000,
        '"' * 500_000,
        "'" * 500_000,
        '"""\n' + '\\"""\n' * 80_000,
        '"\\' * 250_000,
        "#" * 500_000 + "\n" + "-." * 100_000,
    ],
)
def test_long_nonsense_is_refused_in_one_pass(text):
    """Not timed: what is quadratic takes minutes."""
    with pytest.raises(ValueError, match="<file> must "):
        read(text)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"#" * 2_000_001, "<file> must have at most 2,000,000 bytes, got 2,000,001"),
        (b"a = \xff\n", "<file> must be UTF-8, got invalid start byte"),
        (b"a = " + b"[" * 5_000, "<file> must be TOML, got nested too deep"),
    ],
)
def test_what_cannot_be_read_is_named(data, said):
    with pytest.raises(ValueError, match="^" + said + "$"):
        read(data)


def test_what_toml_forbids_is_said_in_its_words():
    with pytest.raises(
        ValueError, match=r"^<file> must be TOML, got invalid value \(at line 1, co"
    ):
        read("a = \n")


def test_no_other_module_of_the_product_reads_toml():
    reading = [
        path.relative_to(ROOT).as_posix()
        for folder in ("perfmodel", "sim")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import) and "tomllib" in [name.name for name in node.names]
    ]
    assert reading == ["sim/traces/parsing/toml.py"]
