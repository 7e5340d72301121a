"""Many cells of a study file, in a ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from asking.kinds import COUNT, LOG_FILE, OUTPUT_FILE, TEXT, Kind, instance_of
from asking.requests import Asked, argument, flag, opt

from ..requests.named import named
from .slurm import SLURM, Setting

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


TLS = Kind(
    *("files", "files such as ca=ca.pem,cert=cert.pem,key=key.pem", tls_files),
    instance_of(Mapping),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest(Asked):
    """A file of a study, where its numbers are kept, and what computes them.

    Slurm has its files beside the `table`, or beside the `ledger` where none is written.
    """

    study: Path | None = field(default=None, metadata=argument(LOG_FILE))
    ledger: Path | None = opt(OUTPUT_FILE, "Where results are kept: a file on a local disk.")
    table: Path | None = opt(
        OUTPUT_FILE, "The table to write: NAME.csv, .parquet, .tex, .md or .html."
    )
    workers: int = opt(COUNT, "Processes that share the cells.", default=1)
    cluster: str | None = opt(TEXT, "A Dask scheduler, such as tcp://host:8786.", metavar="ADDRESS")
    cluster_tls: Mapping[str, Path] | None = opt(
        TLS,
        "Certificates for a {cluster} tls://host:8786, as ca=FILE,cert=FILE,key=FILE.",
    )
    slurm: tuple[Setting, ...] = opt(
        SLURM,
        "Submit jobs to Slurm, as partition=batch, time=2h or tasks=100; repeatable.",
        default=(),
        repeated=True,
    )
    allow_code: bool = flag(
        "Let STUDY name a policy of your own as package.module:Name, which is code that runs."
    )
