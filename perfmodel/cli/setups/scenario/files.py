"""Scenario files: TOML, in which a preset or a failure log may stand for what they say."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ....units import shown_duration
from ...requests.job import JobRequest
from ...requests.presets import PRESETS

__all__ = ["read_tables"]

_LOG = ("log", "format", "system")
_FORMS = ("mtbf", "node_mtbf", "failure_rate", "failures", "burst_mtbf")


def read_tables(path: Path) -> dict[str, Any]:
    """Return the sections of a scenario file, its preset and its failure log filled in."""
    from sim.traces.parsing import read_toml

    _, tables = read_toml(path)
    preset = tables.pop("preset", None)
    failures = tables.get("failures")
    if isinstance(failures, dict) and failures.keys() & set(_LOG):
        tables["failures"] = _with_log(failures, path.parent)
    if preset is not None:
        _fill(tables, preset)
    return tables


def _with_log(failures: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the section with the failures that its log counts, and the time observed."""
    from ..logs import read_log

    words = {key: failures.get(key) for key in _LOG}
    for key, value in words.items():
        if value is not None and not isinstance(value, str):
            raise ValueError(f"failures.{key} must be a text, got {value!r}")
    if words["log"] is None:
        alone = next(key for key, value in words.items() if value is not None)
        raise ValueError(f"failures.{alone} must come with failures.log, got it alone")
    name = str(words["log"])
    if "\0" in name or not (folder / name).is_file():
        raise ValueError(f"failures.log must be a readable file, got {name!r}")
    log = read_log(folder / name, words["format"], system=words["system"])
    if log.layout == "sacct":
        raise ValueError(
            "failures.log must count failures of the machine, got jobs of sacct: perfmodel fit "
            "tells their node MTBF, for node_mtbf"
        )
    rest = {key: value for key, value in failures.items() if key not in _LOG}
    seen = {"failures": log.uptimes.failures, "observed": f"{float(log.uptimes.observed)!r}s"}
    return {**rest, **seen}


def _fill(tables: dict[str, Any], preset: object) -> None:
    """Fill in what a preset knows and the file does not say."""
    if not isinstance(preset, str) or preset not in PRESETS:
        near = get_close_matches(str(preset), PRESETS, n=1)
        hint = f" (nearest: {near[0]})" if near else ""
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}{hint}, got {preset!r}")
    for section, keys in _tables_of(PRESETS[preset].request).items():
        table = tables.setdefault(section, {})
        if not isinstance(table, dict):
            continue
        if section == "failures" and table.keys() & set(_FORMS):
            continue
        for key, value in keys.items():
            if not (key == "cost" and "size" in table) and not (
                key == "work" and "node_work" in table
            ):
                table.setdefault(key, value)


def _tables_of(request: JobRequest) -> dict[str, dict[str, Any]]:
    """Return what a request says, as a scenario would."""
    durations = {
        ("failures", "mtbf"): request.mtbf,
        ("failures", "node_mtbf"): request.node_mtbf,
        ("failures", "observed"): request.observed,
        ("checkpoint", "cost"): request.checkpoint_cost,
        ("job", "recovery"): request.recovery_cost or None,
        ("job", "downtime"): request.downtime or None,
        ("job", "work"): request.work,
        ("job", "step_time"): request.step_time,
    }
    found: dict[str, dict[str, Any]] = {"machine": {}, "failures": {}, "checkpoint": {}, "job": {}}
    for (section, key), value in durations.items():
        if value is not None:
            found[section][key] = shown_duration(value)
    if request.nodes is not None:
        found["machine"]["nodes"] = request.nodes
    if request.failure_rate is not None:
        found["failures"]["failure_rate"] = request.failure_rate.text
    if request.failures is not None:
        found["failures"]["failures"] = request.failures
        if request.nodes is not None:
            found["failures"]["observed_nodes"] = request.nodes
    return found
