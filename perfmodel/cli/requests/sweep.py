"""Many cells of a study file, in a ledger."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .slurm import Setting

__all__ = ["SweepRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """A study, where its numbers are kept, and what computes them; None asks for an example."""

    study: Path | None = None
    example: bool = False
    ledger: Path | None = None
    table: Path | None = None
    workers: int = 1
    cluster: str | None = None
    slurm: tuple[Setting, ...] = ()
    allow_code: bool = False
