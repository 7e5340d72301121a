"""Fuzz all targets, or those named, with bytes that lead to new branches.

``python -m tests.fuzz --runs 100000 [NAME ...]``, with the extra ``fuzz``. Each target runs in a
process of its own and stops at the first input that raises what is not documented, which is kept
in the folder named and printed as what to paste.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_LONGEST = 4096  # bytes of an input
_SLOW = 10  # s that one input may take
_DONE = re.compile(r"stat::number_of_executed_units:\s*(\d+)|Done (\d+) runs")


def main() -> int:
    """Run the targets; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, default=50_000, help="inputs of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="out/fuzz", help="folder of inputs that fail")
    parser.add_argument("--one", help=argparse.SUPPRESS)  # in its own process
    asked = parser.parse_args()
    if asked.one:
        _fuzz(asked.one, asked.runs, asked.seed, asked.keep)
    from .targets import TARGETS

    keep, failed, total = Path(asked.keep), [], 0
    keep.mkdir(parents=True, exist_ok=True)
    for name in asked.names or TARGETS:
        command = [sys.executable, "-m", "tests.fuzz", "--one", name, "--keep", str(keep)]
        command += ["--runs", str(asked.runs), "--seed", str(asked.seed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        counts = [int(found[1] or found[2]) for found in _DONE.finditer(done.stderr)]
        total += max(counts, default=0)
        print(f"{name}: {max(counts, default=0):,} inputs", flush=True)
        if done.returncode:
            failed.append(name)
            print(done.stdout[-3000:], done.stderr[-3000:], sep="\n", flush=True)
    print(f"{total:,} inputs; failed: {', '.join(failed) or 'none'}")
    return bool(failed)


def _fuzz(name: str, runs: int, seed: int, keep: str) -> None:
    """Search for inputs of one target; ends the process."""
    import atheris

    with atheris.instrument_imports(include=["perfmodel", "sim"]):
        from .targets import TARGETS

    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(target.seeds):
            Path(corpus, str(number)).write_bytes(data)
        options = [
            *(f"-runs={runs}", f"-seed={seed}", f"-max_len={_LONGEST}", f"-timeout={_SLOW}"),
            *(f"-artifact_prefix={keep}/{name}-", "-print_final_stats=1", "-rss_limit_mb=4096"),
        ]
        atheris.Setup([sys.argv[0], *options, corpus], target.run)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
