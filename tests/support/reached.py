"""The tests that a change reaches, to be run before all of them: ``make check``.

A test file is reached if it was changed itself, if it imports a changed module, or the door of its
package, or if its folder below `tests` is that of the module; transcripts of the command line are
reached by all that prints. What changes something that
everything rests on is told by `make test` alone.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("asking", "perfmodel", "sim", "validation")
ALWAYS = ("tests/test_architecture.py",)
TRANSCRIPTS = "tests/golden/test_golden.py"
PRINTED = ("asking", "perfmodel.answers", "perfmodel.cli", "perfmodel.planning")


def changed(since: str) -> list[str]:
    """Return the files that differ from a commit, or are new."""
    asked = (
        ["git", "diff", "--name-only", since],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    found = [
        subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for words in asked
    ]
    return sorted(set("".join(found).split("\n")) - {""})


def reached(files: Iterable[str], tests: Iterable[Path]) -> list[str]:
    """Return the test files, below the root, that these files reach."""
    files = list(files)
    names = {_module(file) for file in files if file.endswith(".py")}
    doors = {name.rpartition(".")[0] for name in names if name.startswith(PACKAGES)}
    mirrors = {_mirror(name) for name in names if name.startswith(PACKAGES)}
    found = set(ALWAYS)
    for path in tests:
        own = path.relative_to(ROOT).as_posix()
        near = any(own.startswith(mirror) for mirror in mirrors)
        near = near or (own == TRANSCRIPTS and any(name.startswith(PRINTED) for name in names))
        if own in files or near or not (names | doors).isdisjoint(_imported(path)):
            found.add(own)
    return sorted(found)


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _mirror(name: str) -> str:
    """Return the beginning of the names of test files of a module's folder."""
    package, *inner = name.split(".")
    return "/".join(["tests", package, *inner[:-1]]) + "/" if inner[:-1] else "-"


@cache
def _imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, but for the whole packages."""
    return frozenset(_imports(ast.parse(path.read_text())))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            if node.module not in PACKAGES:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name not in PACKAGES)


def main(since: str = "origin/main") -> None:
    """Print the test files that what differs from a commit reaches."""
    print("\n".join(reached(changed(since), (ROOT / "tests").rglob("test_*.py"))))


if __name__ == "__main__":
    main(*sys.argv[1:])
