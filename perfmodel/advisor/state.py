"""The memory of an advisor in a small JSON file, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._checks import shown
from ..levels.many import Level
from .belief import Prior
from .stored import remembered, written

if TYPE_CHECKING:
    from .advice import CheckpointAdvisor

__all__ = ["read", "write"]

_FORMAT = "perfmodel advisor 1"
_SETTINGS = (
    *("cost", "latency", "recovery_cost", "share", "least", "most", "end"),
    *("shape", "age", "two_phases"),
)
_WRONG = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
    RecursionError,
)  # what a file that says anything at all may raise
_LIMIT = 1_000_000  # bytes; a state has some thousand


def write(path: Path, advisor: CheckpointAdvisor) -> None:
    """Write the settings and the memory of an advisor; what stood there before is replaced."""
    memory = advisor.memory._asdict()
    for name in ("belief", "early"):
        memory[name] = written(memory[name])
    for name in ("cost", "latency", "pace", "copies"):
        if memory[name] is not None:
            memory[name] = asdict(memory[name])
    settings = {name: getattr(advisor, name) for name in _SETTINGS}
    if advisor.levels:
        settings["levels"] = [asdict(level) for level in advisor.levels]
    else:  # as before there were levels
        del memory["copies"]
    body = {"settings": settings, "prior": asdict(advisor.prior), "memory": memory}
    whole = {"format": _FORMAT, "sha256": _checksum(body), **body}
    # Not by `tempfile`, which lets nobody else read: those who look after a job want to.
    new = path.parent / f".{path.name}.{os.urandom(4).hex()}"
    try:
        with new.open("x", encoding="ascii") as file:
            json.dump(whole, file)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def read(path: Path, kind: type[CheckpointAdvisor]) -> CheckpointAdvisor:
    """Return the advisor that `write` wrote; what is no such file is put aside and refused."""
    text = _content(path)
    try:
        return _advisor(text, kind)
    except _WRONG as error:
        aside = _put_aside(path)
        raise ValueError(
            f"state must be a file that an advisor saved, got {shown(str(path))} "
            f"({type(error).__name__}: {error}); it is kept beside it as {aside.name!r}"
        ) from error


def _content(path: Path) -> bytes:
    """Return what is in a file, at most one byte more than a state has."""
    # A pipe would be waited for, for ever.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError(
                f"state must be a file that an advisor saved, got {shown(str(path))}, which is a "
                "pipe, a device or a folder"
            )
        return file.read(_LIMIT + 1)


def _advisor(text: bytes, kind: type[CheckpointAdvisor]) -> CheckpointAdvisor:
    if len(text) > _LIMIT:
        raise ValueError(f"more than {_LIMIT} bytes")
    whole: dict[str, Any] = json.loads(text)
    if whole["format"] != _FORMAT:
        raise ValueError(f"format is {shown(whole['format'])}, not {_FORMAT!r}")
    body = {name: whole[name] for name in ("settings", "prior", "memory")}
    if whole["sha256"] != _checksum(body):
        raise ValueError("the checksum is not that of the content")
    settings = dict(body["settings"])
    levels = [Level(**level) for level in settings.pop("levels", ())]
    memory = remembered(dict(body["memory"]), float(settings["shape"]), levels)
    return kind(**settings, levels=levels, prior=Prior(**body["prior"]), memory=memory)


def _checksum(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _put_aside(path: Path) -> Path:
    """Rename a file to a name that is free; return the name."""
    number = 0
    while True:
        aside = path.with_name(f"{path.name}.refused{number or ''}")
        if not aside.exists():
            os.replace(path, aside)
            return aside
        number += 1
