"""Ranges and subjects import each other's modules; each can be imported first."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EACH_FIRST = """
import sys
for name in ("ranges.points", "ranges.ratios", "ranges.sweeps", "ranges.coverage", "subjects"):
    for known in [m for m in sys.modules if m.split(".")[0] == "validation"]:
        del sys.modules[known]
    __import__("validation." + name)
"""


@pytest.mark.slow
def test_any_module_may_be_imported_first():
    done = subprocess.run(
        [sys.executable, "-c", EACH_FIRST], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
