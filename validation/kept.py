"""What a run found on each formula, kept in a folder, so that one that is stopped can go on."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .judge.run import Tier
from .judge.verdict import Verdict

__all__ = ["Found", "Kept"]

_RUN = "run.json"
_FLOATS = ("predicted", "observed", "stderr", "z", "resolution")


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one formula.

    Parameters
    ----------
    verdicts : tuple of Verdict
        On the formula, a trial each.
    rejections : tuple of Verdict or None
        That which rejected each mutant; None for one that survived.
    processor_s : float
        Processor time that this took, [s].
    """

    verdicts: tuple[Verdict, ...]
    rejections: tuple[Verdict | None, ...]
    processor_s: float

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {
            "processor_s": self.processor_s,
            "verdicts": [verdict.as_json() for verdict in self.verdicts],
            "rejections": [each and each.as_json() for each in self.rejections],
        }


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder that keeps what one run found, a file per formula; of another run it is refused."""

    folder: Path

    def seed(self) -> int | None:
        """Return the seed of the run that is kept there, None where there is none yet."""
        if not (self.folder / _RUN).exists():
            return None
        return int(json.loads((self.folder / _RUN).read_text())["seed"])

    def begin(self, tier: Tier, sources: Path) -> None:
        """Note which run this is, or raise ValueError if the folder keeps another.

        `sources` is the checkout: verdicts on other code say nothing about this one.
        """
        run = {**asdict(tier), "sources": _stamp(sources)}
        if (self.folder / _RUN).exists():
            before = json.loads((self.folder / _RUN).read_text())
            other = [name for name, value in run.items() if before.get(name) != value]
            if other:
                raise ValueError(
                    f"folder must be new or keep a run like this one, got {self.folder} of "
                    f"another {', '.join(other)}; give another folder"
                )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write(_RUN, run)

    def found(self, formula: str) -> Found | None:
        """Return what was found on a formula, None if it was not judged yet."""
        path = self.folder / f"{formula}.json"
        if not path.exists():
            return None
        kept = json.loads(path.read_text())
        return Found(
            tuple(_verdict(each) for each in kept["verdicts"]),
            tuple(each and _verdict(each) for each in kept["rejections"]),
            kept["processor_s"],
        )

    def keep(self, formula: str, found: Found) -> None:
        """Keep what was found on a formula."""
        self._write(f"{formula}.json", found.as_json())

    def _write(self, name: str, values: dict[str, Any]) -> None:
        # Whole or not at all, because a run may be stopped here.
        path = self.folder / name
        part = path.with_suffix(".part")
        part.write_text(json.dumps(values, indent=1, allow_nan=False) + "\n")
        os.replace(part, path)


def _verdict(kept: dict[str, Any]) -> Verdict:
    """Return a verdict from JSON, in which a number that is not finite is null."""
    numbers = {name: float("nan") if kept[name] is None else kept[name] for name in _FLOATS}
    names = [entry.name for entry in fields(Verdict)]
    return Verdict(**{**{name: kept[name] for name in names}, **numbers})


def _stamp(root: Path) -> str:
    """Return what changes with any module of a verdict."""
    total = hashlib.sha256()
    for package in ("asking", "perfmodel", "sim", "validation"):
        for module in sorted((root / package).rglob("*.py")):
            total.update(f"{module.relative_to(root)}\n".encode())
            total.update(module.read_bytes())
    return total.hexdigest()[:16]
