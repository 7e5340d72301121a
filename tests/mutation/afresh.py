"""Play a mutant in a new process, whose import of `perfmodel` runs the changed code."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from .mutants import ROOT, Mutant, mutated_source
from .planted import FILE, SOURCE

__all__ = ["notices", "runs_at_import"]

_WAIT = 600  # s of wall time for an import and the tests
_CALLED = """
import sys
called = set()
sys.setprofile(lambda frame, event, _: called.add(frame.f_code) if event == "call" else None)
from tests.mutation.runner import import_all
import_all()
sys.setprofile(None)
print(*{f"{code.co_filename}::{code.co_qualname}" for code in called}, sep="\\n")
"""


def runs_at_import(mutant: Mutant) -> bool:
    """Whether importing all of `perfmodel` calls the function."""
    return f"{ROOT / mutant.path}::{mutant.function}" in _called()


@cache
def _called():
    told = subprocess.run(
        [sys.executable, "-c", _CALLED], cwd=ROOT, capture_output=True, check=True
    )
    return frozenset(told.stdout.decode().splitlines())


def notices(mutant: Mutant, tests: list[str]) -> bool:
    """Whether some of these tests fails with the mutant, and none without it."""
    asked = tuple(tests)
    return bool(tests) and _pass(asked) and not _pass(asked, mutant.path, mutated_source(mutant))


@cache
def _pass(tests, path="", source=""):
    with tempfile.TemporaryDirectory() as folder:
        listed, changed = Path(folder, "tests"), Path(folder, "source.py")
        listed.write_text("\n".join(tests))
        environment = dict(os.environ)
        if path:
            changed.write_text(source)
            environment |= {FILE: str(ROOT / path), SOURCE: str(changed)}
        command = [sys.executable, "-m", "pytest", "-qx", "-n", "0", "-p", "no:cacheprovider"]
        command += ["-p", "tests.mutation.planted", f"@{listed}"]
        how = {"cwd": ROOT, "env": environment, "capture_output": True}
        try:
            return subprocess.run(command, check=False, timeout=_WAIT, **how).returncode == 0
        except subprocess.TimeoutExpired:
            return False
