"""Scenario files: TOML, in which a preset or a failure log may stand for what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from asking.refusals import Refused
from asking.units import byte_count, bytes_per_second, seconds, shown_duration

from ..._checks import shown
from ..requests.job import JobRequest
from ..requests.presets import PRESETS, preset_of
from ..requests.reading import FailureLogReading

if TYPE_CHECKING:
    from ...planning.sweep import Variant
    from ..logs import Log

_WORDS = (
    *("log", "format", "system", "time_column", "end_column", "repair_column", "node_column"),
    *("kind_column", "cause_column", "delimiter", "timezone", "unit", "date_order"),
    "merge_within",
)
_LISTS = ("cause", "not_cause", "state")
# Keys of failures with a log, and what they take.
LOG_KEYS: Mapping[str, Any] = {
    **dict.fromkeys(_WORDS, str),
    **dict.fromkeys(_LISTS, str | list[str]),
    "planned": bool,
    "log_nodes": int,
    "bursts": Literal["merge", "count"],
    "rate": Literal["forecast", "constant"],
}
_LOG = tuple(LOG_KEYS)
_FORMS = ("mtbf", "node_mtbf", "failure_rate", "failures", "burst_mtbf", "log")
_OF_LOG = tuple(
    f"failures.{name}" for name in ("failures", "observed", "failures_per_burst", "truncation")
)
_MOST_EXTENDED = 16
# Keys of a section of which one stands for all: a file that says some says none of the others.
_INSTEAD: Mapping[str, tuple[frozenset[str], ...]] = {
    "failures": (
        frozenset(
            {*_FORMS, *_LOG, "observed", "observed_nodes", "failures_per_burst", "truncation"}
        ),
        frozenset({"law", "shape", "cv"}),
    ),
    "job": (frozenset({"work", "node_work"}),),
    "checkpoint": (frozenset({"cost", "size"}),),
}


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """The sections of a scenario, where each `section.key` comes from, and what was read for it.

    `origins` are the names of the file that is extended, or of the preset, by key; what the file
    says itself has none. `said` of failures names a log in a `folder`, where there is one.
    """

    tables: Mapping[str, Any]
    origins: Mapping[str, str]
    files: tuple[Path, ...]
    said: Mapping[str, Any] | None = None
    folder: Path = Path()

    def plans(self) -> tuple[Variant, ...]:
        """Return a plan for each choice of the values that are lists.

        What a log says of the failures depends on the nodes of each, and on their checkpoints.
        """
        from ...planning import plans

        said, read = self.said, dict[tuple[object, float | None], dict[str, Any]]()
        if said is None:
            return plans(self.tables)

        def failures(tables: Mapping[str, Any]) -> dict[str, Any]:
            of = _nodes(tables), _checkpoint_cost(tables)
            if of not in read:
                read[of] = _with_log(said, self.folder, *of)
            chosen = tables["failures"]
            return {**read[of], **{key: chosen[key] for key in said if key in chosen}}

        return plans(self.tables, failures=failures)


def read_tables(path: Path) -> dict[str, Any]:
    """Return the sections of a scenario file, all that it names filled in."""
    return dict(read_file(path).tables)


def read_file(path: Path) -> ScenarioFile:
    """Return a scenario file: what it extends, its preset and its failure log filled in.

    Raises
    ------
    ValueError
        If it is no scenario, or extends itself.
    """
    tables, files = _extended(path, ())
    origins: dict[str, str] = {}
    for place, said in reversed(files[1:]):
        origins |= dict.fromkeys(_keys_of(said), place.name)
    for key in _keys_of(files[0][1]):
        origins.pop(key, None)
    preset = tables.pop("preset", None)
    read = [place for place, _ in files]
    if preset is not None:  # before the log, which may be of other nodes than its
        known = set(_keys_of(tables))
        _fill(tables, preset)
        origins |= dict.fromkeys(set(_keys_of(tables)) - known, f"preset {preset}")
    failures = tables.get("failures")
    said = failures if isinstance(failures, dict) and failures.keys() & set(_LOG) else None
    if said is not None:
        if isinstance(log := said.get("log"), str):
            read.append(path.parent / log)
            origins |= dict.fromkeys(_OF_LOG, Path(log).name)
        of = _nodes(tables), _checkpoint_cost(tables)
        tables["failures"] = _with_log(said, path.parent, *of)
    return ScenarioFile(tables, origins, tuple(read), said, path.parent)


def _extended(
    path: Path, above: tuple[Path, ...]
) -> tuple[dict[str, Any], list[tuple[Path, dict[str, Any]]]]:
    """Return the sections of a file over those that it extends, and what each file says itself."""
    from sim.traces.parsing import read_toml

    _, own = read_toml(path)
    base = own.pop("extends", None)
    if base is None:
        return own, [(path, own)]
    if not isinstance(base, str) or "\0" in base or not (path.parent / base).is_file():
        raise ValueError(f"extends must be a readable file, got {shown(base)}")
    found, chain = path.parent / base, (*above, path.resolve())
    if found.resolve() in chain:
        raise ValueError(f"extends must not lead back to the file itself, got {base!r}")
    if len(chain) > _MOST_EXTENDED:
        raise ValueError(f"extends must lead on at most {_MOST_EXTENDED} times, got {base!r}")
    under, files = _extended(found, chain)
    under.pop("title", None)
    _from_folder(under, found.parent)
    for section, said in own.items():
        known = under.get(section)
        if not (isinstance(said, dict) and isinstance(known, dict)):
            under[section] = said
            continue
        for names in _INSTEAD.get(section, ()):
            if said.keys() & names:
                known = {key: value for key, value in known.items() if key not in names}
        under[section] = {**known, **said}
    return under, [(path, own), *files]


def _from_folder(tables: dict[str, Any], folder: Path) -> None:
    """Let a log that a file names be found from the folder of any file that extends it."""
    failures = tables.get("failures")
    if isinstance(failures, dict) and isinstance(failures.get("log"), str):
        tables["failures"] = {**failures, "log": str(folder.absolute() / failures["log"])}


def _keys_of(tables: Mapping[str, Any]) -> Iterator[str]:
    for section, table in tables.items():
        if isinstance(table, dict):
            yield from (f"{section}.{key}" for key in table)


def _checkpoint_cost(tables: Mapping[str, Any]) -> float | None:
    """Return what a checkpoint costs, [s], where one number says so."""
    checkpoint, machine = tables.get("checkpoint"), tables.get("machine")
    if not isinstance(checkpoint, dict):
        return None
    try:
        if "cost" in checkpoint:
            return seconds(checkpoint["cost"])
        if isinstance(machine, dict):
            return byte_count(checkpoint["size"]) / bytes_per_second(machine["bandwidth"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        pass  # unknown, a list, or wrong, which is said where it is read
    return None


def _nodes(tables: Mapping[str, Any]) -> object:
    """Return the nodes of the job, the first of a list."""
    machine = tables.get("machine")
    nodes = machine.get("nodes") if isinstance(machine, dict) else None
    return nodes[0] if isinstance(nodes, list) and nodes else nodes


def _with_log(
    failures: Mapping[str, Any], folder: Path, nodes: object, cost: float | None
) -> dict[str, Any]:
    """Return the section with the failures that its log counts, and the time observed.

    Bursts that are over before the next checkpoint, of a stated `cost`, count once each.
    """
    from ..known.estimates import of_some_nodes
    from ..logs import spread_of
    from ..logs.history import history_of

    said = {key: failures[key] for key in _LOG if failures.get(key) is not None}
    for key, value in said.items():
        _check_key(key, value)
    if "log" not in said:
        raise ValueError(f"failures.{next(iter(said))} must come with failures.log, got it alone")
    name, size = str(said.pop("log")), said.pop("log_nodes", None)
    if "\0" in name or not (folder / name).is_file():
        raise ValueError(f"failures.log must be a readable file, got {name!r}")
    form, system = said.pop("format", None), said.pop("system", None)
    choice, rate = said.pop("bursts", None), said.pop("rate", "forecast")
    if "merge_within" in said:
        said["merge_within"] = seconds(said["merge_within"])
    for key in _LISTS:
        if key in said:
            said[key] = (said[key],) if isinstance(said[key], str) else tuple(said[key])
    said["states"] = said.pop("state", ())
    reading = FailureLogReading(log=folder / name, format=form, system=system, **said)
    log = _read(reading, size or (nodes if isinstance(nodes, int) else None))
    if size is None and isinstance(nodes, int) and nodes < log.nodes_told:
        size = log.nodes_told
        log = replace(log, machine=size)
    rest = {key: value for key, value in failures.items() if key not in _LOG}
    # Counts, and logs of several systems or of fewer nodes, have no times to learn from.
    beyond = size is not None and isinstance(nodes, int) and nodes > size
    history = None if rate != "forecast" or beyond else history_of(log, size)
    if history is not None:
        rest["history"] = history
    count, observed = log.uptimes.failures, float(log.uptimes.observed)
    rest["truncation"] = log.uptimes.truncation
    spread = spread_of(log, choice, cost)
    bursts = spread.pattern.bursts if spread is not None and spread.merged else None
    if size is not None:
        if not isinstance(nodes, int):
            raise ValueError("failures.log_nodes must come with machine.nodes, got it alone")
        part = of_some_nodes(log, nodes, size, bursts)
        count, observed = part.failures or 0, part.observed or 0.0
        rest["truncation"] = part.truncation
    elif bursts is not None:
        count, observed = bursts.count, bursts.count * bursts.mtbf
        rest["failures_per_burst"], rest["truncation"] = bursts.size, "failure"
    return {**rest, "failures": count, "observed": f"{observed!r}s"}


def _read(reading: FailureLogReading, machine: int | None) -> Log:
    """Read the log of a scenario; a refusal names keys of its section."""
    from ..logs import read_log

    instead = "failures.failures and failures.observed stand in its place"
    try:
        log = read_log(reading, machine=machine, instead=instead)
    except Refused as error:
        keys = {"states" if key == "state" else key: f"failures.{key}" for key in _LOG}
        raise Refused("{}", error.said.with_names(keys)) from error
    if log.of_jobs:
        raise ValueError(
            f"failures.log must count failures of the machine, got jobs of {log.layout}: perfmodel "
            "fit tells their node MTBF, for node_mtbf"
        )
    return log


def _check_key(key: str, value: object) -> None:
    if key in _WORDS and not isinstance(value, str):
        raise ValueError(f"failures.{key} must be a text, got {value!r}")
    if key == "bursts" and value not in ("merge", "count"):
        raise ValueError(f"failures.bursts must be merge or count, got {value!r}")
    if key == "rate" and value not in ("forecast", "constant"):
        raise ValueError(f"failures.rate must be forecast or constant, got {value!r}")
    if key == "planned" and not isinstance(value, bool):
        raise ValueError(f"failures.planned must be true or false, got {value!r}")
    if key == "log_nodes" and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise ValueError(f"failures.log_nodes must be a whole number from 1 on, got {value!r}")
    if key in _LISTS:
        words = [value] if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValueError(f"failures.{key} must be a text or a list of them, got {value!r}")


def _fill(tables: dict[str, Any], preset: object) -> None:
    """Fill in what a preset knows and the file does not say."""
    if not isinstance(preset, str):
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}, got {preset!r}")
    for section, keys in _tables_of(JobRequest(**preset_of(preset).given)).items():
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
