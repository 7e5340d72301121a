"""Which tests `make check` runs."""

from tests.support.reached import ROOT, reached

TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


def test_a_formula_reaches_its_tests_and_not_those_of_replays():
    found = reached(["perfmodel/interval/optimum.py"], TESTS)
    assert "tests/test_architecture.py" in found
    assert any(name.startswith("tests/perfmodel/interval/") for name in found)
    assert not any(name.startswith("tests/sim/cluster/") for name in found)
    assert len(found) < len(TESTS) / 4


def test_a_module_reaches_what_imports_it():
    found = reached(["asking/refusals.py"], TESTS)
    assert "tests/perfmodel/cli/lists/test_command.py" in found
    assert "tests/golden/test_golden.py" in found


def test_a_test_reaches_itself():
    assert "tests/test_readme.py" in reached(["tests/test_readme.py"], TESTS)


def test_words_reach_no_test_but_that_of_the_architecture():
    assert reached(["docs/words.md"], TESTS) == ["tests/test_architecture.py"]
