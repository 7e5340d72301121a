import subprocess
import sys
from pathlib import Path

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
