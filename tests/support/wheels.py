"""Install the wheel and the sdist apart, on every Python that is there, and try them.

Run by `make wheels`. Each gets an environment of its own and an empty folder to run in, so that
nothing of the source tree is found by accident.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

_VERSIONS = ("3.11", "3.12", "3.13", "3.14")
_REPLAY = """
from sim.cluster import Workload, flat, replay
jobs = Workload(submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8], processors=[3, 4, 1])
for engine in ("kernel", "general"):
    assert replay(jobs, flat(4), policy="easy", engine=engine).jobs["start"].tolist() == [0, 9, 2]
"""


def pythons() -> Iterator[tuple[str, str]]:
    """Yield each version that is installed here, with its interpreter."""
    for version in _VERSIONS:
        command = ["uv", "python", "find", "--no-python-downloads", "--system", version]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        python = found.stdout.strip() if found.returncode == 0 else of_pyenv(version)
        if python:
            yield version, python


def of_pyenv(version: str) -> str | None:
    """Return the newest interpreter of a version that pyenv keeps; its shims hide it from uv."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [path for path in root.glob(f"{version}.*/bin/python") if path.exists()]
    return str(max(found, key=_patch)) if found else None


def _patch(python: Path) -> int:
    digits = re.match(r"\d+\.\d+\.(\d+)", python.parts[-3])
    return int(digits[1]) if digits else -1


def try_out(python: str, package: Path, folder: Path) -> None:
    """Install a package in an environment of its own, and run what users run first."""
    _run("uv", "venv", "--quiet", "--python", python, "env", folder=folder)
    inside = folder / "env" / "bin"
    with_extras = f"{package.resolve()}[cli,plot,cluster]"
    _run(
        "uv", "pip", "install", "--quiet", "--python", inside / "python", with_extras, folder=folder
    )
    command = inside / "perfmodel"
    job = ("--mtbf", "8h", "--checkpoint-cost", "6min")
    found = json.loads(_run(command, "interval", *job, "--json", folder=folder))
    assert 4000.0 < found["recommended_interval_s"] < 5000.0, found
    _run(command, "simulate", *job, "--replications", "500", "--seed", "1", folder=folder)
    (folder / "scenario.toml").write_text(_run(command, "plan", "--example", folder=folder))
    _run(command, "report", "scenario.toml", "--out", "page.html", folder=folder)
    page = (folder / "page.html").read_text()
    assert "<svg" in page
    assert "<style" in page
    _run(inside / "python", "-c", _REPLAY, folder=folder)


def main(dist: str) -> None:
    """Try both packages of a folder on all Pythons; stop at the first that fails."""
    packages = [*Path(dist).glob("*.whl"), *Path(dist).glob("*.tar.gz")]
    assert len(packages) == 2, f"{dist} must hold a wheel and an sdist, got {packages}"
    known = list(pythons())
    assert known, f"one of Python {', '.join(_VERSIONS)} must be installed"
    for version, python in known:
        for package in packages:
            with TemporaryDirectory() as folder:
                try_out(python, package, Path(folder))
            print(f"Python {version}: {package.name} works")


def _run(*command: str | Path, folder: Path) -> str:
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=outside, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1])
