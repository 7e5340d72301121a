"""Which scenarios and policies of a grid a request asks for."""

from __future__ import annotations

import click

from ...requests.grid import GridRequest
from .setup import GridSetup

__all__ = ["policies_of_grid", "scenarios_of_grid"]


def policies_of_grid(request: GridRequest) -> list[str]:
    """Return the names of the policies to play, each once; refuse those that cannot."""
    from sim.cluster import GRID_POLICIES

    able, why = list(GRID_POLICIES), ""
    if request.order is not None:
        able.remove("ls")
        why = " with --order"
    if request.policies is None:
        return [name for name in ("fcfs", "easy", "cons", "ls") if name in able]
    names = request.policies.split(",")
    for name in names:
        if name not in able:
            raise click.UsageError(f"--policies must be of {', '.join(able)}{why}, got {name!r}")
    return list(dict.fromkeys(names))


def scenarios_of_grid(request: GridRequest, parts: GridSetup) -> list[str]:
    """Return the names of the scenarios to play, each once; refuse those that lack a part."""
    from sim.cluster.grid import SCENARIOS

    able = (parts.suitability is not None, parts.failures is not None)
    possible = [
        name
        for name, needs in SCENARIOS.items()
        if all(able[place] or not need for place, need in enumerate(needs))
    ]
    if request.scenarios is None:
        return possible
    for name in request.scenarios.split(","):
        if name not in SCENARIOS:
            raise click.UsageError(f"--scenarios must be of {', '.join(SCENARIOS)}, got {name!r}")
        if name not in possible:
            missing = (
                "--requirements" if SCENARIOS[name][0] and not able[0] else "--failures or --mtbf"
            )
            raise click.UsageError(f"{missing} must be given for {name}")
    return list(dict.fromkeys(request.scenarios.split(",")))
