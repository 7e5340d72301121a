"""What is planted is what the changed file says, and the lines that lead there are its own."""

import pytest

from .mutants import ROOT, Mutant, all_mutants, changed_lines, mutated_source, statements
from .runner import change

SOURCE = """
LIMIT = 5

def scaled(value, by=2, *, least=LIMIT):
    if (value > 10
            or value < 0):
        return value
    return max(
        value * by,
        least,
    )

class Box:
    @staticmethod
    def twice(value, by=2):
        return [by * one for one in value]
"""


def test_lines_are_those_of_a_statement_or_of_its_head():
    spans = statements(SOURCE)
    assert spans[5] == spans[6] == (5, 6)
    assert spans[7] == (7, 7)
    assert spans[9] == (8, 11)
    assert spans[4] == (4, 11)  # defaults are used by the whole function


def test_a_function_is_changed_wherever_it_is_known():
    names = {}
    exec(compile(SOURCE, "source.py", "exec"), names)
    known, twice = names["scaled"], names["Box"].twice
    changed = SOURCE.replace("value * by", "value / by").replace(
        "by=2, *, least=LIMIT", "by=4, *, least=1"
    )
    change(known, changed, "scaled")
    assert (known(8), known(8, 2), names["scaled"](8)) == (2, 4, 2)
    change(twice, SOURCE.replace("[by * one", "[by + one"), "Box.twice")
    assert names["Box"].twice([1, 5]) == [3, 7]


@pytest.mark.slow
def test_every_mutant_changes_its_own_lines():
    pytest.importorskip("mutmut")
    path = "perfmodel/bursts/strikes.py"
    lines = ROOT.joinpath(path).read_text().splitlines()
    mutants = all_mutants(path)
    assert len({mutant.name for mutant in mutants}) == len(mutants) > 100
    for mutant in mutants[::10]:
        assert isinstance(mutant, Mutant)
        assert mutated_source(mutant).splitlines() != lines
        gone = {line[1:] for line in changed_lines(mutant) if line.startswith("-")}
        assert gone <= set(lines[mutant.first - 1 : mutant.last])


def test_what_is_the_same_program_is_marked():
    pytest.importorskip("mutmut")
    marked = [mutant for mutant in all_mutants("perfmodel/levels/pattern.py") if mutant.same]
    assert {mutant.same for mutant in marked} == {"strict"}
    for mutant in marked:
        before = [line for line in changed_lines(mutant) if line.startswith("-")]
        assert len(before) == 1
        assert "strict=True" in before[0]
    unmarked = [m for m in all_mutants("perfmodel/levels/pattern.py") if not m.same]
    assert len(unmarked) > 10 * len(marked)
