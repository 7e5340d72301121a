import ast
import subprocess
import sys
from pathlib import Path

import pytest

import perfmodel
import sim

ROOT = Path(__file__).resolve().parents[1]


def test_packages_come_from_this_checkout():
    for package in (perfmodel, sim):
        assert Path(package.__file__).resolve().is_relative_to(ROOT)


def test_the_command_line_starts_without_heavy_imports():
    code = (
        "import sys, perfmodel.cli, perfmodel.cli.interval; "
        "print(*[m for m in ('pandas', 'numba', 'matplotlib', 'scipy.stats', 'sim') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_every_test_folder_is_a_package():
    for folder in {path.parent for path in (ROOT / "tests").rglob("test_*.py")}:
        assert (folder / "__init__.py").exists(), folder


def test_every_public_name_is_loaded_from_the_module_that_says_so():
    source = ast.parse(Path(perfmodel.__file__).read_text())
    (guarded,) = [node for node in source.body if isinstance(node, ast.If)][:1]
    imports = {
        alias.name: node.module
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imports == perfmodel._HOME_OF
    assert set(perfmodel.__all__) == set(imports)
    for name in perfmodel.__all__:
        assert getattr(perfmodel, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        perfmodel.nothing  # noqa: B018


def test_the_package_itself_loads_no_formula():
    code = "import sys, perfmodel; print('scipy' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
