"""The memory of an advisor in a small JSON file, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from .._checks import shown
from ..levels.many import Level
from .belief import Prior
from .memory import Memory
from .settings import Settings
from .stored import remembered, written

Made = TypeVar("Made")

_FORMAT = "perfmodel advisor 1"
_MARK = b'"perfmodel advisor '
_WRONG = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
    RecursionError,
)  # what a file that says anything at all may raise
_LIMIT = 1_000_000  # bytes; a state has some thousand


def is_state(head: bytes) -> bool:
    """Return whether a file that begins so was saved by an advisor, of any version."""
    return _MARK in head


def write(path: Path, settings: Settings, prior: Prior, memory: Memory) -> None:
    """Write all that an advisor was told and remembers; what stood there before is replaced."""
    kept = memory._asdict()
    for name in ("belief", "early"):
        kept[name] = written(kept[name])
    for name in ("cost", "latency", "pace", "copies"):
        if kept[name] is not None:
            kept[name] = asdict(kept[name])
    told = settings._asdict()
    if settings.levels:
        told["levels"] = [asdict(level) for level in settings.levels]
    else:  # as before there were levels
        del told["levels"], kept["copies"]
    body = {"settings": told, "prior": asdict(prior), "memory": kept}
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


def read(path: Path, made: Callable[..., Made]) -> Made:
    """Return what is made of all that `write` wrote.

    What was such a file is put aside, so that the next call begins anew; any other stays.
    """
    text = _content(path)
    try:
        return _advisor(text, made)
    except _WRONG as error:
        kept = "it is left as it is: name another file"
        if is_state(text) or not text.strip(b"\0"):
            kept = f"it is kept beside it as {_put_aside(path).name!r}"
        raise ValueError(
            f"state must be a file that an advisor saved, got {shown(str(path))} "
            f"({type(error).__name__}: {error}); {kept}"
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


def _advisor(text: bytes, made: Callable[..., Made]) -> Made:
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
    return made(**settings, levels=levels, prior=Prior(**body["prior"]), memory=memory)


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
