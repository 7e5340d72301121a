"""Plant small faults in `perfmodel` and see whether tests notice: ``python -m tests.mutation``.

A seeded sample of the mutants is played. Printed are the share of survivors, its 95 % interval
and each survivor with the lines that it changes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from scipy.stats import binomtest

from .mutants import ROOT, all_mutants
from .runner import Asked, Runner

_TESTS = (
    *("tests/perfmodel", "tests/golden", "perfmodel", "README.md"),
    *("tests/validation", "tests/test_shown.py"),
)


def main() -> int:
    """Play the mutants that are asked for; return 1 if no test could be used."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants, as a run names them")
    parser.add_argument("--from", dest="listed", help="file of such names, one to a line")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--under", action="append", help="folders or files; perfmodel by default")
    parser.add_argument("--without", action="append", default=[], help="paths to leave out")
    parser.add_argument("--budget", type=float, default=60.0, help="s of processor time for each")
    parser.add_argument("--tests", action="append", help="paths of tests; all by default")
    parser.add_argument("--keep", default="out/mutation", help="folder of what is known")
    parser.add_argument("--count", action="store_true", help="only count the mutants by folder")
    asked = parser.parse_args()
    os.chdir(ROOT)
    keep, under = ROOT / asked.keep, tuple(asked.under or ["perfmodel"])
    if asked.count:
        found = [m for one in under for m in all_mutants(one, keep / "mutants.pickle")]
        counts = Counter(m.path.split("/")[1] for m in found if not m.same)
        print(*(f"{n:6,} {name}" for name, n in counts.most_common()), sep="\n")
        print(f"{counts.total():6,} in all")
        _tell(Counter(m.same for m in found if m.same))
        return 0
    names = list(asked.names)
    if asked.listed:
        names += Path(asked.listed).read_text().split()
    without = tuple(asked.without)
    wanted = Asked(under, asked.sample, asked.seed, tuple(names), asked.budget, keep, without)
    runner = Runner(wanted)
    options = ["-q", "--hypothesis-profile=mutants", "-p", "no:cacheprovider", "-n", "0"]
    code = pytest.main([*options, *(asked.tests or _TESTS)], plugins=[runner])
    _report(runner)
    return int(code) if not runner.verdicts else 0


def _report(runner):
    played = runner.verdicts
    alive = [v for v in played if v.alive]
    counts = Counter(v.outcome for v in played)
    print(", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
    if played:
        limits = binomtest(len(alive), len(played)).proportion_ci(method="wilson")
        print(f"{len(alive)} of {len(played)} survive: {len(alive) / len(played):.1%}", end=", ")
        print(f"95 % interval {limits.low:.1%} to {limits.high:.1%}")
        print(f"{sum(v.seconds for v in played):.0f} s of processor time")
    _tell(runner.left_out)


def _tell(left_out):
    if left_out:
        rules = ", ".join(f"{n:,} by {rule}" for rule, n in left_out.most_common())
        print(f"left out as the same program: {rules}")


if __name__ == "__main__":
    sys.exit(main())
