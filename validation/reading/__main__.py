"""``python -m validation.reading``: the map of formats and transformations, and the mutants."""

from __future__ import annotations

import argparse
import sys

import numpy as np

from . import FORMATS, MUTANTS, TRANSFORMATIONS, judged

_TRIES = 20  # logs for each mutant; it is rejected by most


def main() -> int:
    """Judge all formats; return 1 if one fails or a mutant survives."""
    parser = argparse.ArgumentParser(prog="python -m validation.reading", description=__doc__)
    parser.add_argument("--logs", type=int, default=3, help="logs drawn for each pair")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    failed = 0
    width = max(len(form.name) for form in FORMATS)
    print(f"{'':{width}}  " + " ".join(f"{n + 1:>2}" for n in range(len(TRANSFORMATIONS) + 1)))
    for row, form in enumerate(FORMATS):
        cells = []
        for column, change in enumerate((None, *TRANSFORMATIONS)):
            if change is not None and not change.applies(form):
                cells.append(" -")
                continue
            seeds = np.random.SeedSequence([asked.seed, row, column]).spawn(asked.logs)
            wrong = [w for s in seeds if (w := judged(form, change, np.random.default_rng(s)))]
            failed += bool(wrong)
            cells.append(" x" if wrong else "ok")
            if wrong:
                name = "as written" if change is None else change.name
                print(f"{form.name}, {name}: {wrong[0]}", file=sys.stderr)
        print(f"{form.name:{width}}  " + " ".join(cells))
    print("\n 1 as written")
    for number, change in enumerate(TRANSFORMATIONS, start=2):
        print(f"{number:>2} {change.name}" + (f" (-: {change.why})" if change.why else ""))
    print("\nok judged and equal, x not equal, - not applicable\n")
    for place, mutant in enumerate(MUTANTS):
        rngs = map(np.random.default_rng, np.random.SeedSequence([asked.seed, place]).spawn(_TRIES))
        caught = sum(mutant.rejected(rng) for rng in rngs)
        failed += caught == 0
        print(f"{'rejected' if caught else 'SURVIVED'} by {caught} of {_TRIES}: {mutant.name}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
