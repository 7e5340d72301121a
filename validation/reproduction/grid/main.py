"""The experiments of `grid`: requirements and failures, on three systems.

MetaCentrum has its real jobs, machines and failures, under each ranking of its clusters; its
requirements are reconstructed from user, queue and executing cluster, because those of the paper
are not available. The other two systems are built from printed numbers, see `stand_ins`, and drawn
anew for every seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from sim.cluster.grid import SEEDED

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .claims import claims
from .logs import at_hand
from .results import PLAYED, PROBLEMS, Results
from .runs import Run, play
from .systems import SPEEDS, SYSTEMS

# Draws of jobs and failures for each seed asked for: on DAS-2 a draw kills two or three jobs.
_DRAWS = {"grid5000": 2, "das2": 5}
# Where the paper shows each system; the rest is of the logs alone.
_SHOWN_IN = {"metacentrum": ("fig2",), "grid5000": ("fig3", "fig4"), "das2": ("fig5",)}


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations of what is shown; print its claims; write them and figures to `out`."""
    missing = at_hand()
    if missing:
        print(f"these traces are missing: {', '.join(missing)}")
        return 2
    systems = [name for name in SYSTEMS if shown.wants(*_SHOWN_IN[name])]
    results = Results(
        sweep(_runs(seeds, systems), play, path=shown.kept("grid"), workers=shown.workers)
    )

    def drawn(folder: Path) -> None:
        from .figures import draw, draw_systems

        draw_systems(folder)
        draw(results, folder)

    return shown.claims("grid", list(claims(results)), drawn, out=out)


def _runs(seeds: int, systems: Sequence[str] = SYSTEMS) -> Iterator[Run]:
    """Yield every run; those of one draw follow each other, so that it is drawn once."""
    for name in systems:
        if name == "metacentrum":
            for ranking, scenario, policy in product(SPEEDS, PROBLEMS[name], PLAYED[name]):
                for seed in range(1, seeds + 1) if policy in SEEDED else (0,):
                    yield Run(name, scenario, policy, seed, ranking)
        else:
            for seed in range(1, seeds * _DRAWS[name] + 1):
                for scenario, policy in product(PROBLEMS[name], PLAYED[name]):
                    yield Run(name, scenario, policy, seed)
