"""Study files: TOML of what is computed, for which parameters, and how often."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asking.units import share

from ..._checks import shown
from .formulas import FormulaPlay, durations_of_formula, readers_of_formula
from .jobs import DURATIONS, NEEDED, READERS, JobPlay
from .replays import durations_of_replay, files_of, readers_of_replay, replays_of
from .values import Drawn, Reader, Value, known_keys, values_of

if TYPE_CHECKING:
    from sim.sweep import Cell, Rule

_KINDS = ("formula", "simulate", "replay")
_SECTIONS = ("study", "parameters", "replications")
_STUDY = (*_KINDS, "seed", "samples", "paired")
_REPLICATIONS = ("number", "until", "metric", "most", "jobs")
_MOST_REPLAYS = 100_000  # cells of replays, all of which are built before the first is played


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFile:
    """A study: `kind` of what is computed, its name or log, and the values of its parameters."""

    kind: str
    subject: str
    folder: Path
    seed: int
    samples: int
    paired: tuple[str, ...]
    values: Mapping[str, tuple[Value, ...]]
    drawn: tuple[Drawn, ...]
    rule: Rule
    jobs: int

    @property
    def size(self) -> int:
        """How many cells there are."""
        size = self.samples
        for values in self.values.values():
            size *= len(values)
        return size

    def cells(self) -> Iterator[Cell]:
        """Yield the cells, the last parameter changing fastest, one by one as they are needed."""
        from sim.sweep import Cell

        for parameters in self.parameters():
            yield Cell(parameters, self.paired)

    def parameters(self) -> Iterator[dict[str, Value]]:
        """Yield the parameters of the cells."""
        for chosen in product(*self.values.values()):
            given = dict(zip(self.values, chosen, strict=True))
            for sample in range(self.samples):
                yield given | {law.name: law.value(self.seed, sample) for law in self.drawn}

    @property
    def durations(self) -> frozenset[str]:
        """Parameters that are times in seconds, and the formula where its result is one."""
        if self.kind == "formula":
            return durations_of_formula(self.subject)
        return frozenset(DURATIONS) if self.kind == "simulate" else durations_of_replay()

    def play(self) -> Any:
        """Return what plays a cell, with the log read where there is one."""
        if self.kind == "formula":
            return FormulaPlay(self.subject)
        if self.kind == "simulate":
            return JobPlay(self.jobs)
        if self.size > _MOST_REPLAYS:
            raise ValueError(f"replays must be at most {_MOST_REPLAYS:,} cells, got {self.size:,}")
        return replays_of(self.folder / self.subject, self.parameters(), self.folder)

    def about(self) -> dict[str, str]:
        """Return what all numbers depend on beside their cells: a ledger holds those of one."""
        from sim.sweep import versions

        found = {name: f"{text}" for name, text in versions().items()}
        found |= {"study": f"{self.kind} {self.subject}", "seed": str(self.seed)}
        if self.kind == "simulate":
            found["jobs"] = str(self.jobs)
        if self.paired:
            found["paired"] = ", ".join(self.paired)
        if self.kind == "replay":
            files = [self.folder / self.subject, *files_of(self.parameters(), self.folder)]
            for path in dict.fromkeys(files):
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256")
                found[f"sha256 of {path.name}"] = digest.hexdigest()
        return found


def read_study(path: Path, *, allow_code: bool = False) -> StudyFile:
    """Read a study file, or raise ValueError naming the key that is wrong.

    It may name code that is to run, such as a policy of a user's own, only with `allow_code`.
    """
    from sim.traces.parsing import read_toml

    _, tables = read_toml(path)
    known_keys(path.name, tables, _SECTIONS, needed=("study", "parameters"))
    study, often = tables["study"], tables.get("replications", {})
    known_keys("study", study, _STUDY)
    known_keys("replications", often, _REPLICATIONS)
    kind, subject = _subject(study)
    if kind == "replay" and not _is_file(path.parent, subject):
        raise ValueError(f"study.replay must be a readable file, got {subject!r}")
    readers, needed = _readers(kind, subject, path.parent, allow_code=allow_code)
    given = tables["parameters"]
    known_keys("parameters", given, tuple(readers), needed=needed)
    found = {name: values_of(name, value, readers[name]) for name, value in given.items()}
    drawn = tuple(value for value in found.values() if isinstance(value, Drawn))
    if ("samples" in study) != bool(drawn):
        raise ValueError(
            'study.samples must come with a parameter that has "draw", and that with it, '
            f"got {'samples' if 'samples' in study else drawn[0].name} alone"
        )
    return StudyFile(
        kind=kind,
        subject=subject,
        folder=path.parent,
        seed=_whole("study.seed", study.get("seed", 0), least=0),
        samples=_whole("study.samples", study.get("samples", 1)),
        paired=_paired(study.get("paired", []), found),
        values={name: value for name, value in found.items() if not isinstance(value, Drawn)},
        drawn=drawn,
        rule=_rule(kind, often),
        jobs=_whole("replications.jobs", often.get("jobs", 1000)),
    )


def _subject(study: Mapping[str, Any]) -> tuple[str, str]:
    kinds = [kind for kind in _KINDS if kind in study]
    if len(kinds) != 1:
        raise ValueError(
            f"study must have one of {', '.join(_KINDS)}, got {' and '.join(kinds) or 'none'}"
        )
    subject = study[kinds[0]]
    if not isinstance(subject, str) or "\0" in subject:
        raise ValueError(f"study.{kinds[0]} must be a text, got {shown(subject)}")
    if kinds[0] == "simulate" and subject != "makespan":
        raise ValueError(f"study.simulate must be makespan, got {subject!r}")
    return kinds[0], subject


def _readers(
    kind: str, subject: str, folder: Path, *, allow_code: bool
) -> tuple[dict[str, Reader], tuple[str, ...]]:
    if kind == "formula":
        return readers_of_formula(subject)
    if kind == "simulate":
        return READERS, NEEDED
    return readers_of_replay(folder, allow_code=allow_code), ()


def _paired(given: Any, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    names = tuple(given) if isinstance(given, list) else (given,)
    for name in names:
        if not isinstance(name, str) or name not in parameters:
            raise ValueError(
                f"study.paired must be a list of {', '.join(parameters)}, got {shown(given)}"
            )
    return tuple(sorted(names))


def _rule(kind: str, given: Mapping[str, Any]) -> Rule:
    from sim.sweep import Rule

    if kind == "formula" and given:
        raise ValueError("replications must be left out with a formula, which draws nothing")
    if kind == "replay" and "jobs" in given:
        raise ValueError("replications.jobs must be left out with a replay, got it")
    if "until" not in given:
        for key in ("metric", "most"):
            if key in given:
                raise ValueError(f"replications.{key} must come with until, got it alone")
        default = 1 if kind == "formula" else 8
        return Rule(_whole("replications.number", given.get("number", default)))
    if "number" in given:
        raise ValueError("replications.number must be left out with until, got both")
    metric = given.get("metric", "makespan_s" if kind == "simulate" else "mean_bounded_slowdown")
    if not isinstance(metric, str):
        raise ValueError(f"replications.metric must be a text, got {shown(metric)}")
    most = _whole("replications.most", given.get("most", 10_000))
    return Rule(until=_share(given["until"]), metric=metric, most=most)


def _share(given: Any) -> float:
    try:
        value = share(given if isinstance(given, str) else repr(given))
    except ValueError:
        value = 0.0
    if isinstance(given, bool) or not value > 0.0:
        raise ValueError(f'replications.until must be a share such as "1%", got {shown(given)}')
    return value


def _whole(name: str, given: Any, *, least: int = 1) -> int:
    if type(given) is not int or not least <= given < 2**53:
        raise ValueError(f"{name} must be a whole number >= {least}, got {shown(given)}")
    return given


def _is_file(folder: Path, name: str) -> bool:
    return "\0" not in name and (folder / name).is_file()
