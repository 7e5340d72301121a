"""The cells of a sweep as those of a study: what each is, and its numbers with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..output.cells import Row

if TYPE_CHECKING:
    from sim.answers import Measure

    from ...answers.sweeps.study_file import StudyFile

_HALF = "_half_width"
_OF_NO_METRIC = {"remark", "replications", "engine"}
_OF_JOBS = (
    ("makespan_s", "mean time", "time"),
    ("overhead", "overhead", "share"),
    ("on_time", "on time", "share"),
)


def varied_of(study: StudyFile) -> list[str]:
    """Return the parameters of which there are several values, durations named so."""
    names = [name for name, values in study.values.items() if len(values) > 1]
    return [*map(_key_in(study), (*names, *(law.name for law in study.drawn)))]


def _key_in(study: StudyFile) -> Callable[[str], str]:
    """Return what gives a parameter the name that JSON would: durations end in their unit."""
    timed = study.durations
    return lambda name: f"{name}_s" if name in timed else name


def cells_of_sweep(study: StudyFile, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return the rows of a table in the form of a study's; a cell without numbers has none."""
    own, key = [*study.values, *(law.name for law in study.drawn)], _key_in(study)
    found: list[Row] = []
    for row in rows:
        metrics = {
            name: {"mean": _known(value), "half_width": _known(row.get(f"{name}{_HALF}"))}
            for name, value in row.items()
            if name not in _OF_NO_METRIC.union(own)
            and not name.endswith(_HALF)
            and not isinstance(value, str | bool)
        }
        cell = {key(name): row[name] for name in own if name in row}
        found.append({**cell, "metrics": metrics, "remark": row.get("remark", "")})
    return found


def measures_of_sweep(study: StudyFile, cells: Iterable[Row]) -> tuple[Measure, ...]:
    """Return the numbers that a sweep shows first."""
    from sim.answers import Measure, measures_of_study

    known = dict.fromkeys(name for cell in cells for name in cell["metrics"])
    if study.kind == "replay":
        return measures_of_study(known)
    if study.kind == "simulate":
        named: Any = [each for each in _OF_JOBS if each[0] in known]
    else:
        timed = study.durations
        kinds = {name: "time" if name in timed else "number" for name in known}
        named = [(name, name.replace("_", " "), kind) for name, kind in kinds.items()]
    return tuple(Measure(*each) for each in named)


def _known(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
