"""Which scenarios and policies of a grid a request asks for."""

from __future__ import annotations

from asking.refusals import Field, Refused, Said

from .request import GridRequest
from .setup import GridSetup


def policies_of_grid(request: GridRequest) -> list[str]:
    """Return the names of the policies to play, each once; refuse those that cannot."""
    from ...cluster import GRID_POLICIES

    able, why = list(GRID_POLICIES), Said("")
    if request.order is not None:
        able.remove("ls")
        why = Said(" with {}", Field("order"))
    if not request.policies:
        return [name for name in ("fcfs", "easy", "cons", "ls") if name in able]
    for name in request.policies:
        if name not in able:
            raise Refused(
                "{} must be of {}{}, got {!r}", Field("policies"), ", ".join(able), why, name
            )
    return list(dict.fromkeys(request.policies))


def scenarios_of_grid(request: GridRequest, parts: GridSetup) -> list[str]:
    """Return the names of the scenarios to play, each once; refuse those that lack a part."""
    from ...cluster.grid import SCENARIOS

    able = (parts.suitability is not None, parts.feeds.every is not None)
    possible = [
        name
        for name, needs in SCENARIOS.items()
        if all(able[place] or not need for place, need in enumerate(needs))
    ]
    if not request.scenarios:
        return possible
    for name in request.scenarios:
        if name not in SCENARIOS:
            raise Refused(
                "{} must be of {}, got {!r}", Field("scenarios"), ", ".join(SCENARIOS), name
            )
        if name not in possible:
            missing: Field | Said = Said(
                "{}, {} or {}", Field("failures"), Field("mtbf"), Field("failures_like")
            )
            if SCENARIOS[name][0] and not able[0]:
                missing = Field("requirements")
            raise Refused("{} must be given for {}", missing, name)
    return list(dict.fromkeys(request.scenarios))
