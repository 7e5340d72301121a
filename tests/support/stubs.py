"""The types of formulas that take numbers or arrays, written for type checkers from their sources.

``python -m tests.support.stubs`` writes, beside the door of every folder that has such formulas, an
`__init__.pyi`: numbers give a float, arrays an array. A signature so stands once, in its source.
"""

import ast
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAD = """\
# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
"""

# They give an array of numbers too: a period for each kind of job, a share for each interval.
ARRAYS_ALWAYS = {"mixed_useful_share", "optimal_periods_shared"}


@dataclass(frozen=True)
class Offered:
    """One name that a door imports, and from where."""

    module: str
    name: str


def stubs():
    """Return path -> text of each stub that should be there."""
    found = {}
    for door in sorted((ROOT / "perfmodel").rglob("__init__.py")):
        text = stub(door)
        if text is not None:
            found[door.with_suffix(".pyi")] = text
    return found


@cache
def parsed(path):
    """Return what a module says, as a tree; several doors offer names of one."""
    return ast.parse(path.read_text())


def stub(door):
    """Return the stub of a door, or None if it has no formula of numbers or arrays."""
    guarded = [node for node in ast.parse(door.read_text()).body if isinstance(node, ast.If)][:1]
    imports, overloads, names = set(), [], offers(guarded)
    for offered in names:
        path = door.parent.joinpath(*offered.module.split(".")).with_suffix(".py")
        source = parsed(path)
        function = definition(source, offered.name)
        if function is None:
            imports.add(f"from .{offered.module} import {offered.name} as {offered.name}")
        else:
            imports |= needed(function, source, offered.module, {each.name for each in names})
            overloads += [overload(function, of_numbers=True), overload(function, of_numbers=False)]
    if not overloads:
        return None
    depth = len(door.parent.relative_to(ROOT / "perfmodel").parts)
    checks = f"from {'.' * (depth + 1)}_checks import Number"
    return "\n".join(
        [HEAD, "from typing import overload", *sorted({checks, *imports}), "", *overloads]
    )


def offers(guarded):
    """Return what a door imports for the type checker, names of its own modules only."""
    return [
        Offered(node.module, alias.name)
        for part in guarded
        for node in part.body
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 1
        for alias in node.names
        if alias.name != "*"
    ]


def definition(source, name):
    """Return the function of this name if it gives an array of the shape of its arguments."""
    for node in source.body:
        if isinstance(node, ast.FunctionDef) and node.name == name not in ARRAYS_ALWAYS:
            kinds = [ast.unparse(argument.annotation) for argument in arguments(node)]
            broadcasts = any("ArrayLike" in kind for kind in kinds) and "Machines" not in kinds
            if ast.unparse(node.returns) == "FloatArray" and broadcasts:
                return node
    return None


def arguments(function):
    """Return the arguments of a function in their order."""
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def needed(function, source, module, offered):
    """Return the imports that annotations need, as seen from the door, but for what it offers."""
    names = {
        node.id
        for part in [*(argument.annotation for argument in arguments(function)), function.returns]
        for node in ast.walk(part)
        if isinstance(node, ast.Name)
    } - offered
    found = set()
    for node in ast.walk(source):
        if isinstance(node, ast.ImportFrom):
            # A module beside the door has the folder of the door as its own.
            deeper = "." * (node.level - module.count(".")) if node.level else ""
            for alias in node.names:
                if (alias.asname or alias.name) in names:
                    found.add(f"from {deeper}{node.module} import {ast.unparse(alias)}")
                    names.discard(alias.asname or alias.name)
    defined = {
        node.id
        for statement in source.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {node.name for node in source.body if isinstance(node, ast.ClassDef)}
    return found | {f"from .{module} import {name}" for name in names & defined}


def overload(function, *, of_numbers):
    """Return one overload: of numbers alone, which gives a float, or of anything else."""

    def shown(argument):
        kind = ast.unparse(argument.annotation)
        return f"{argument.arg}: {kind.replace('ArrayLike', 'Number') if of_numbers else kind}"

    given = function.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + given.defaults
    written = [
        shown(argument) + ("" if default is None else " = ...")
        for argument, default in zip(plain, defaults, strict=True)
    ]
    if given.kwonlyargs:
        written.append("*")
    written += [
        shown(argument) + ("" if default is None else " = ...")
        for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    kind = "float" if of_numbers else "FloatArray"
    return f"@overload\ndef {function.name}({', '.join(written)}) -> {kind}: ..."


def main():
    """Write every stub, formatted."""
    for path, text in stubs().items():
        path.write_text(text)
    paths = [str(path) for path in stubs()]
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    subprocess.run([*ruff, "check", "--quiet", "--fix", "--select", "I,F401", *paths], check=True)
    subprocess.run([*ruff, "format", "--quiet", *paths], check=True)


if __name__ == "__main__":
    main()
