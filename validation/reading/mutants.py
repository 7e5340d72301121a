"""Wrong ways to read a log, each of which the judge must reject."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sim.traces import Columns, failure_log, failures_of, read_failures

from .answers import Answer, answer_of_log
from .drawn import drawn_log
from .formats import FORMATS, Format, Table

__all__ = ["MUTANTS", "Mutant"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong reader of one of the formats."""

    name: str
    form: str
    read: Callable[[Table], Answer]

    def rejected(self, rng: np.random.Generator) -> bool:
        """Whether a drawn log, cut into rows and written twice over, gives it away."""
        form = next(form for form in FORMATS if form.name == self.form)
        log = drawn_log(rng, planned=self.form in ("csv planned", "sacctmgr"))
        file = _as_people_write(form, log.cut(rng) if self.form != "csv flags" else log)
        try:
            found = self.read(file)
        except (ValueError, ZeroDivisionError):
            return True
        return not found.agrees(form.truth(log))


def _as_people_write(form: Format, log: object) -> Table:
    file = form.write(log)  # type: ignore[arg-type]
    assert isinstance(file, Table)
    return replace(file, rows=(*file.rows, file.rows[-1]))


def _per_row(file: Table) -> Answer:
    """Count a failure for each row."""
    trace = read_failures(io.BytesIO(file.encoded()), "csv")
    frame = trace.frame.assign(node=[f"row {n}" for n in range(len(trace.frame))])
    return answer_of_log(failures_of(replace(trace, frame=frame), "csv"))


def _flag_as_time(file: Table) -> Answer:
    columns = Columns(time="failed", kind="failed", state=("1",))
    return answer_of_log(failure_log(io.BytesIO(file.encoded()), "csv", columns=columns))


def _wrong_unit(file: Table) -> Answer:
    """Take a number of milliseconds for seconds."""
    log = failure_log(io.BytesIO(file.encoded()), "csv")
    frame = log.failures.assign(time=1000.0 * log.failures["time"])
    return answer_of_log(replace(log, failures=frame))


def _duplicates(file: Table) -> Answer:
    """Count equal rows of two exports twice."""
    trace = read_failures(io.BytesIO(file.encoded()), "csv")
    again = trace.frame.duplicated(["time", "node"])
    frame = trace.frame.assign(node=trace.frame["node"].where(~again, "again"))
    return answer_of_log(failures_of(replace(trace, frame=frame), "csv"))


def _planned(layout: str) -> Callable[[Table], Answer]:
    def read(file: Table) -> Answer:
        return answer_of_log(failure_log(io.BytesIO(file.encoded()), layout, planned=True))

    return read


def _last_row_lost(file: Table) -> Answer:
    shorter = replace(file, rows=file.rows[:-2])  # the last stands twice
    return answer_of_log(failure_log(io.BytesIO(shorter.encoded()), "csv"))


def _second_early(file: Table) -> Answer:
    """Do not merge what an older Slurm ends a second early."""
    place = file.header.index("TimeEnd")
    rows = tuple(
        tuple(
            text[:-2] + "59" if n == place and text.endswith(":00") else text
            for n, text in enumerate(row)
        )
        for row in file.rows
    )
    early = replace(file, rows=rows)
    return answer_of_log(failure_log(io.BytesIO(early.encoded()), "sacctmgr", merge_within=0.0))


MUTANTS: tuple[Mutant, ...] = (
    Mutant("an outage counted per row", "csv spans", _per_row),
    Mutant("a flag read as a time", "csv flags", _flag_as_time),
    Mutant("milliseconds read as seconds", "csv spans", _wrong_unit),
    Mutant("duplicates counted", "csv spans", _duplicates),
    Mutant("planned work counted", "csv planned", _planned("csv")),
    Mutant("planned drains counted", "sacctmgr", _planned("sacctmgr")),
    Mutant("the last row lost", "csv spans", _last_row_lost),
    Mutant("states of Slurm not merged", "sacctmgr", _second_early),
)
