"""Many cells of a study file, in a ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from asking.requests import Asked

from ...answers.requests.named import named
from .slurm import Setting

__all__ = ["SweepRequest", "tls_files"]

_TLS = ["ca", "cert", "key"]


def tls_files(text: str) -> dict[str, Path]:
    """Read ``ca=FILE,cert=FILE,key=FILE`` in any order; raise ValueError."""
    files = {name: Path(path) for name, path in named(text).items()}
    if sorted(files) != _TLS:
        raise ValueError(f"TLS takes {', '.join(_TLS)}")
    for name, path in files.items():
        if "\0" in str(path) or not path.is_file():
            raise ValueError(f"{name} not a readable file")
    return files


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest(Asked):
    """A study, where its numbers are kept, and what computes them; None asks for an example."""

    study: Path | None = None
    example: bool = False
    ledger: Path | None = None
    table: Path | None = None
    workers: int = 1
    cluster: str | None = None
    cluster_tls: Mapping[str, Path] | None = None
    slurm: tuple[Setting, ...] = ()
    allow_code: bool = False
