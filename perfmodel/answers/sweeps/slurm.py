"""What Slurm is asked for, as a user writes it: ``partition=batch`` and the like, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from asking.kinds import Kind, instance_of
from asking.refusals import Field, Refused
from asking.units import seconds

Setting: TypeAlias = tuple[str, Any]


def slurm_setting(text: str) -> Setting:
    """Read ``KEY=VALUE``; raise ValueError."""
    key, _, value = text.partition("=")
    if not value or not value.isprintable():  # a new line would be one of the batch script
        raise ValueError
    if key in _OWN:
        return key, _OWN[key](value)
    from sim.sweep import SBATCH_OPTIONS

    if key not in SBATCH_OPTIONS:
        raise ValueError(f"keys are {', '.join([*_OWN, *SBATCH_OPTIONS])}")
    return key, value


def slurm_settings(settings: Iterable[Setting], folder: Path) -> dict[str, Any]:
    """Return the arguments of `sim.sweep.slurm`, with a folder if none is named."""
    found: dict[str, Any] = {"folder": folder, "setup": [], "options": {}}
    known = set()
    for key, value in settings:
        if key == "setup":
            found["setup"].append(value)
            continue
        if key in known:
            slurm = Field("slurm")
            raise Refused("{} must have {} once, got it again with {}", slurm, key, value)
        known.add(key)
        (found if key in _OWN else found["options"])[key] = value
    return found


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) < 1:
        raise ValueError("not a whole number >= 1")
    return int(text)


def _time(text: str) -> float:
    found = seconds(text)
    if not found >= 60.0:
        raise ValueError("not >= 1min")
    return found


def _cluster(text: str) -> str:
    if text not in ("slurm", "local"):
        raise ValueError("not slurm or local")
    return text


_OWN: dict[str, Callable[[str], Any]] = {
    "tasks": _whole,
    "jobs": _whole,
    "time": _time,
    "folder": Path,
    "cluster": _cluster,
    "setup": str,
}


SLURM = Kind(
    *("key=value", "a pair such as partition=batch or time=2h", slurm_setting), instance_of(tuple)
)
