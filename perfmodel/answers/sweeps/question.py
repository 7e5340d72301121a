"""Many cells of a study, computed once each and kept in a ledger."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from asking.plain import strict
from asking.refusals import Field, Refused, given
from asking.requests import refuse_idle

from ..shown import Answer, Facts, Part, Table
from .request import SweepRequest
from .slurm import slurm_settings
from .study_file import StudyFile, read_study

if TYPE_CHECKING:
    from sim.sweep import Engine, Ledger

# Of how many cells there are, what yields a function to call with how many are done, or None.
Progress: TypeAlias = Callable[[int], AbstractContextManager[Callable[[int], None] | None]]


@dataclass(frozen=True, slots=True)
class SweepAnswer(Answer):
    """A study whose cells have been computed; their numbers are read from the ledger."""

    study: StudyFile
    ledger: Path

    def to_dict(self) -> dict[str, Any]:
        """Return the cells, and what their numbers depend on."""
        return {"about": self.study.about(), "cells": strict(list(self.rows()))}

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield a row for each cell: parameters, then means with half-widths, then a remark."""
        from sim.sweep import sweep_rows

        with _opened(self.ledger, self.study) as ledger:
            yield from sweep_rows(self.study.cells, rule=self.study.rule, ledger=ledger)

    def failed(self, row: Mapping[str, Any]) -> bool:
        """Whether a cell could not be computed; its remark says why."""
        own = {*self.study.values, *(law.name for law in self.study.drawn), "remark"}
        return all(value == "" for name, value in row.items() if name not in own)

    def parts(self) -> Iterator[Part]:
        """Yield how many cells there are, and a row of each."""
        rows = [*self.rows()]
        failed = sum(map(self.failed, rows))
        yield Facts.of([("cells", f"{len(rows):,}"), ("failed", f"{failed:,}")])
        cells = [[str(value) for value in row.values()] for row in rows]
        own = len(self.study.values) + len(self.study.drawn)
        yield Table.of([*rows[0]], cells, words=own)


def sweep(
    request: SweepRequest,
    *,
    progress: Progress = lambda cells: nullcontext(),
    warn: Callable[[str], None] = lambda words: None,
) -> SweepAnswer:
    """Compute every cell of a study that its ledger does not have.

    Parameters
    ----------
    request : SweepRequest
        The file of the study, the ledger and what computes the cells.
    progress : function
        Told of the cells that are done.
    warn : function of a text
        Told where the clock has been set back.

    Returns
    -------
    SweepAnswer
        Of which each row is a cell.

    Raises
    ------
    Refused
        If what is asked does not go together, or a library is not installed.
    ValueError
        If the study is not understood, or the ledger is one of another study.
    """
    study = read_study(given(request.study, "study"), allow_code=request.allow_code)
    where = given(request.ledger, "ledger")
    play = study.play()  # refuses what is wrong before there is a ledger, as the next line does
    opening = _engine(play, request, where)
    with _opened(where, study) as ledger:
        ahead = ledger.latest() - time.time()
        if ahead > 1.0:
            warn(
                f"the clock must have been set back: {where.name} has results from {ahead:,.0f} s "
                "ahead of it; only the times noted there are affected"
            )
        _play(study, ledger, opening, progress)
    return SweepAnswer(study, where)


@contextmanager
def _opened(path: Path, study: StudyFile) -> Iterator[Ledger]:
    from sim.sweep import open_ledger

    with closing(open_ledger(path, study.about())) as ledger:
        yield ledger


def _play(
    study: StudyFile,
    ledger: Ledger,
    opening: AbstractContextManager[Engine],
    progress: Progress,
) -> None:
    from sim.sweep import sweep as swept

    with progress(study.size) as report, ExitStack() as stack:
        try:
            engine = stack.enter_context(opening)
        except ImportError as error:  # of an extra, which it names
            raise Refused("{}", error) from None
        swept(
            study.cells(),
            rule=study.rule,
            seed=study.seed,
            ledger=ledger,
            engine=engine,
            progress=report,
        )


def _engine(play: Any, request: SweepRequest, ledger: Path) -> AbstractContextManager[Engine]:
    from sim.sweep import cluster, processes, slurm

    leads = [name for name in ("cluster", "slurm") if request.says(name)]
    if len(leads) > 1:
        raise Refused("{} must be left out with {}, got both", Field("slurm"), Field("cluster"))
    if leads and request.says("workers"):
        raise Refused(
            "{} must be left out with {}, which has its own", Field("workers"), Field(leads[0])
        )
    refuse_idle(request, "cluster_tls", unless=request.cluster is not None, lead=Field("cluster"))
    if request.cluster is not None:
        return cluster(play, request.cluster, tls=request.cluster_tls)
    if request.slurm:
        folder = (request.table or ledger).with_suffix(".jobs")
        return slurm(play, **slurm_settings(request.slurm, folder))
    return processes(play, request.workers)
