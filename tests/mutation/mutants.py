"""The mutants of a source file, as mutmut makes them, each as the code of the changed file."""

from __future__ import annotations

import ast
import difflib
import hashlib
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .same import CALLS, rule_for

__all__ = ["ROOT", "Mutant", "all_mutants", "changed_lines", "mutated_source", "statements"]

ROOT = Path(__file__).parents[2]

_MAKERS = ("mutants.py", "same.py")


@dataclass(frozen=True)
class Mutant:
    """One change of one function.

    Attributes
    ----------
    path : str
        The file, relative to the root of the project.
    function : str
        Qualified name of the top-level function or method that is changed.
    number : int
        Counts the mutants of that function from 1.
    first, last : int
        Lines of the statement that is changed, or of the header of a compound statement. Lines
        of the whole function where its defaults are.
    same : str
        Rule of `same.py` by which the mutant is the same program; empty for all others.
    """

    path: str
    function: str
    number: int
    first: int
    last: int
    same: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """What to ask for to have this mutant again."""
        return f"{self.path}::{self.function}::{self.number}"


def all_mutants(under: str = "perfmodel", cache: Path | None = None) -> list[Mutant]:
    """Return the mutants of all files below a folder, in the order of paths and lines."""
    known = pickle.loads(cache.read_bytes()) if cache and cache.exists() else {}
    makers = b"".join(Path(__file__).with_name(name).read_bytes() for name in _MAKERS)
    found, kept = [], {}
    for file in sorted(
        ROOT.joinpath(under).rglob("*.py") if under[-3:] != ".py" else [ROOT / under]
    ):
        path = str(file.relative_to(ROOT))
        stamp = hashlib.sha256(makers + file.read_bytes()).hexdigest()
        kept[path] = known.get(path, ("", []))
        if kept[path][0] != stamp:
            kept[path] = stamp, [*_parsed(path)[1]]
        found += kept[path][1]
    if cache:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(pickle.dumps(known | kept))
    return found


def mutated_source(mutant: Mutant) -> str:
    """Return the code of the whole file with the change."""
    from mutmut.mutation.file_mutation import deep_replace

    module, changes = _parsed(mutant.path)
    change = changes[mutant]
    return deep_replace(module, change.original_node, change.mutated_node).code


def changed_lines(mutant: Mutant) -> list[str]:
    """Return the lines that are removed and added, marked `-` and `+`."""
    before = ROOT.joinpath(mutant.path).read_text().splitlines()
    after = mutated_source(mutant).splitlines()
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return [line for line in lines if line[:1] in "-+" and line[:3] not in {"---", "+++"}]


@lru_cache(maxsize=4)
def _parsed(path):
    """Return the file as a tree, and what mutmut changes in it for each mutant."""
    import libcst as cst
    from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
    from mutmut.mutation.file_mutation import MutationVisitor, group_by_top_level_node
    from mutmut.mutation.mutators import mutation_operators
    from mutmut.mutation.pragma_handling import IgnoredCode

    code = ROOT.joinpath(path).read_text()
    wrapper = MetadataWrapper(cst.parse_module(code))
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    places = wrapper.resolve(PositionProvider)
    parents = wrapper.resolve(ParentNodeProvider)
    spans = statements(code)
    classes = {
        inner: f"{node.name.value}."
        for node in wrapper.module.body
        if isinstance(node, cst.ClassDef) and isinstance(node.body, cst.IndentedBlock)
        for inner in node.body.body
    }
    found = {}
    for function, changes in group_by_top_level_node(visitor.mutations).items():
        if isinstance(function, cst.FunctionDef):
            name = classes.get(function, "") + function.name.value
            whole = places[function].start.line, places[function].end.line
            for number, change in enumerate(changes, 1):
                if _is_the_same(change.original_node, change.mutated_node):
                    continue
                span = spans.get(places[change.original_node].start.line, whole)
                same = rule_for(*_calls(change, parents))
                found[Mutant(path, name, number, *span, same)] = change
    return module, found


def _calls(change, parents):
    """Return the innermost call around a change, without and with it, or two empty texts."""
    import libcst as cst

    call = change.original_node
    while not isinstance(call, cst.Call):
        if isinstance(call, cst.BaseStatement | cst.BaseSmallStatement | cst.Lambda):
            return "", ""
        call = parents[call]
    if _name(call.func) not in CALLS:
        return "", ""
    if call is change.original_node:
        changed = change.mutated_node
    else:
        from mutmut.mutation.file_mutation import deep_replace

        changed = deep_replace(call, change.original_node, change.mutated_node)
    write = cst.Module([]).code_for_node
    return ast.unparse(ast.parse(write(call))), ast.unparse(ast.parse(write(changed)))


def _name(function):
    """Return the last name of what is called: `open` of `path.open`; `[]` may be called too."""
    return getattr(getattr(function, "attr", function), "value", None)


def _is_the_same(before, after):
    """Whether a number is as before: 1e100 + 1 is 1e100."""
    value = getattr(before, "evaluated_value", None)
    return isinstance(value, float) and value == getattr(after, "evaluated_value", None)


def statements(code: str) -> dict[int, tuple[int, int]]:
    """Map each line to the lines of the innermost statement, or of its header."""
    spans = {}
    for node in _outermost_first(ast.parse(code)):
        if not isinstance(node, ast.stmt):
            continue
        last = node.end_lineno
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            spans |= dict.fromkeys(range(node.lineno, body[0].lineno), (node.lineno, last))
            continue
        if body and not isinstance(node, ast.ClassDef):
            last = max(node.lineno, body[0].lineno - 1)
        spans |= dict.fromkeys(range(node.lineno, last + 1), (node.lineno, last))
    return spans


def _outermost_first(tree: ast.AST) -> Iterator[ast.AST]:
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _outermost_first(child)
