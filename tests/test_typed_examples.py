"""Examples of the pages are code that strict type checkers accept."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# They give lists to `Workload`, which takes them and says arrays.
APART = {"study", "semantics"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """Write the examples of each page as a module, and return their folder."""
    folder = tmp_path_factory.mktemp("examples")
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        examples = doctest.DocTestParser().get_examples(page.read_text())
        if examples and page.stem not in APART:
            text = "".join(example.source for example in examples)
            folder.joinpath(f"{page.stem.lower().replace('-', '_')}.py").write_text(text)
    assert folder.joinpath("readme.py").exists()
    return folder


def test_mypy_accepts_them(modules):
    options = ["--strict", "--config-file=", f"--cache-dir={modules / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *map(str, modules.glob("*.py"))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_pyright_accepts_them(modules):
    pytest.importorskip("pyright", reason="`make types` installs it")
    # A line that shows its value is what an example is.
    said = {"typeCheckingMode": "strict", "reportUnusedExpression": "none", "include": ["*.py"]}
    modules.joinpath("pyrightconfig.json").write_text(
        json.dumps({**said, "extraPaths": [str(ROOT)]})
    )
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", str(modules), "--pythonpath", sys.executable],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
