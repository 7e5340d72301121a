"""What the run of a paper ends in: claims as a table or JSON, figures as SVG, an exit code."""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .claims import Judged, from_record
from .page import claims_table, effects_table, renew

_PLACES = re.compile(r"(Fig|Table|section)s?\.? ((?:\d+)(?:(?:, | to | and )\d+)*)")
_OFTEN = 10.0  # s between two lines of progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Where the figures go, whether claims are printed as JSON, and of which place of the paper.

    `only` is the place, as ``fig4`` or ``table1``; empty for all of them. In the folder `keep`
    finished simulations are kept, so that they are not played again. With `text` the paper's text
    is played and no other reading. So many `workers` play.
    """

    figures: Path | None = None
    as_data: bool = False
    only: str = ""
    keep: Path | None = None
    text: bool = False
    workers: int = 2

    def kept(self, paper: str) -> Path | None:
        """Return the file of finished simulations of a paper, if they are kept."""
        return None if self.keep is None else self.keep / f"{paper}.jsonl"

    @property
    def readings(self) -> int | None:
        """How many of the readings are played, the text being the first; None for all."""
        return 1 if self.text else None

    def wants(self, *places: str) -> bool:
        """Return whether any of these places is shown."""
        return not self.only or self.only in places

    def claims(
        self,
        paper: str,
        judged: Sequence[Judged],
        draw: Callable[[Path], None],
        *,
        out: Path | None,
    ) -> int:
        """Print claims as a table or JSON; return 1 if the paper is contradicted.

        `out` gets the JSON, the table in the page of that name, and the figures in a folder.
        """
        asked = [each for each in judged if self.wants(*places_of(each.claim.place))]
        if self.text and out is not None:
            before = json.loads((out / f"{paper}.json").read_text())
            asked = [each.among(before) for each in asked]
        # Judged from what is written, which is rounded.
        records = [from_record(each.record()).record() for each in asked]
        found = [from_record(record) for record in records]
        text = _json(records)
        print(text if self.as_data else f"{claims_table(found)}\n\n{effects_table(found)}")
        if out is not None and not self.only:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{paper}.json").write_text(text + "\n")
            renew(out / f"{paper}.md", found)
        places = (None if out is None else out / "figures", self.figures)
        self._copy(paper, draw, [folder for folder in places if folder is not None])
        wrong = ("contradicted", "printed error")
        return int(any(each.verdict.startswith(wrong) for each in found))

    def _copy(self, paper: str, draw: Callable[[Path], None], folders: Sequence[Path]) -> None:
        if not folders:
            return
        with TemporaryDirectory(prefix="perfmodel-") as drawn:
            draw(Path(drawn))
            for path in sorted(Path(drawn).glob("*.svg")):
                if self.wants(path.stem.removeprefix(f"{paper}-")):
                    for folder in folders:
                        folder.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(path, folder / path.name)


AS_TABLES = Shown()


def places_of(text: str) -> list[str]:
    """Return the places in a text such as ``Figs 8, 9 and section 5``, as ``fig8``."""
    return [
        f"{kind.lower()}{number}"
        for kind, numbers in _PLACES.findall(text)
        for number in re.findall(r"\d+", numbers)
    ]


def _json(records: Sequence[Mapping[str, Any]]) -> str:
    """Return one line for each claim, and one for each of its readings."""

    def dumped(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    parts = []
    for record in records:
        head = dumped({name: value for name, value in record.items() if name != "readings"})
        readings = ",\n".join(f"  {dumped(each)}" for each in record["readings"])
        parts.append(f'{head[:-1]}, "readings": [\n{readings}\n]}}')
    return "[\n" + ",\n".join(parts) + "\n]"


@contextmanager
def progress_lines(total: int, what: str) -> Iterator[Callable[[], None]]:
    """Yield a function to call once per part done; now and then a line says how far it is.

    The first part compiles and draws for all, so that the time left is told by those after it.
    """
    first = shown = time.monotonic()
    done = 0

    def step() -> None:
        nonlocal done, shown, first
        done += 1
        now = time.monotonic()
        first = now if done == 1 else first
        if now - shown < _OFTEN:
            return
        shown = now
        left = (now - first) * (total - done) / (done - 1) if done > 1 else None
        words = "" if left is None else f", {left:.0f} s left"
        print(f"{done:,} of {total:,} {what}{words}", file=sys.stderr, flush=True)

    yield step
