"""The judge: it gives equal numbers to `perfmodel` and `sim` and compares their results.

Run it from the checkout; it is not installed, because another distribution has this name and
because both packages must come from the same folder as the cases::

    python -m validation                                   # quick tier: a fixed seed
    python -m validation --only failure_probability        # one formula and its mutants
    python -m validation --full                            # larger samples, a fresh seed
    python -m validation --property --only failure_prob    # random points, failing ones shrunk
    python -m validation --map                             # ratios judged, beside documented ones
    python -m validation --reproduction wsj --out out      # the experiments of a paper
    python -m validation.hunt --minutes 10                 # calls that contradict a docstring

The exit code is 1 if a formula fails or a mutant survives; `--seed` repeats a run.

Folders: `judge` has trials, comparisons and reports and names no formula. `subjects` has a folder
per subject with its cases, mutants and properties; its docstring shows how to write them.
`ranges` draws points from documented ranges. `hunt` searches without simulation. `reproduction`
has one folder per paper.

What may be shared: a case imports `perfmodel`, `sim` and `judge`. `perfmodel` and `sim` import
neither each other nor `validation`; only plain numbers pass between them (`subjects/laws.py`).
The value to compare with is never computed by the code of the formula; a mutant may call the
right formula with wrong arguments. A formula and its mutants share replications, because trials
at equal points have equal seeds.

Things to know before a change:

* The name of a judge function is the name of its check. Seeds are made from the point of a trial
  and, in sweeps, from that name: to rename a judge or an argument changes the random numbers.
* A pass needs a resolution below the `gate` of the case. A sample too small to show an error gives
  "no answer", which fails the run: use more `effort`, not a larger tolerance.
* A trial is rejected only if two looks with different seeds reject it. All false alarms of a run
  together have a probability below `judge.trial.FALSE_ALARM_PROBABILITY`.
* Points where failures are rare confirm nearly any formula. Take costs comparable to the mtbf.
* A mutant that survives shows that the cases are too weak, not that the mutant is right.
* Sums of simulated times have rounding: compare with `judge.chance.TIE`, never with `==`.
* Replays of logs skip what is absent: logs are read from $PERFMODEL_TRACES or ../shared/traces.
"""

from __future__ import annotations

import os
from pathlib import Path

# Its workers have a processor each: more threads of linear algebra would only wait for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import perfmodel
import sim

__all__ = ["ROOT"]

ROOT = Path(__file__).resolve().parents[1]


def _check_origin(*packages: str) -> None:
    if not (ROOT / "pyproject.toml").exists() or any(
        not Path(package).resolve().is_relative_to(ROOT) for package in packages
    ):
        raise ImportError("run python -m validation from the checkout")


_check_origin(str(perfmodel.__file__), str(sim.__file__))
