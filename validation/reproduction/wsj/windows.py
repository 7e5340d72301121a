"""Rows and points of Figs 10 and 11 of `wsj`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sim.traces import read_lanl
from validation import processes

from ..rows import Row, Word, ordered, worst
from ..shown import progress_lines
from .prediction import below
from .systems import HEAVY_CV, REPAIR_CV
from .trace import LOG, Period, Replay, period, poisson_mean, recorded, replay

__all__ = ["CVS", "NODES", "WORKS", "choices", "judged", "play_windows", "rows"]

NODES = (32, 64, 128, 256, 512)
WORKS = (32.0, 64.0, 128.0, 256.0, 512.0)
CVS = (1.0, REPAIR_CV, HEAVY_CV)
_BAND, _LAST = 0.10, 0.01
_YEAR = 366 * 24.0  # 2004, [h]


def play_windows(
    log: Period, windows: int, *, workers: int = 2
) -> tuple[list[Replay], list[Replay]]:
    """Return the replays of Fig. 10 (128 h on each node) and Fig. 11 (128 nodes)."""
    tasks = [Task(log, nodes, 128.0, windows, cvs=CVS) for nodes in NODES]
    tasks += [Task(log, 128, work, windows, cvs=CVS) for work in WORKS]
    found = _play(tasks, workers)
    return found[: len(NODES)], found[len(NODES) :]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What `replay` takes."""

    log: Period
    nodes: int
    work: float
    windows: int
    fit: tuple[float, float] | None = None
    since: float | None = None
    cvs: tuple[float, ...] = ()

    def play(self) -> Replay:
        """Replay the windows."""
        return replay(
            self.log,
            self.nodes,
            self.work,
            windows=self.windows,
            fit=self.fit,
            since=self.since,
            cvs=self.cvs,
        )


def _play(tasks: Sequence[Task], workers: int) -> list[Replay]:
    found = {}
    with progress_lines(len(tasks), "points of Figs 10 and 11") as step:
        for task, played in processes.play(tasks, Task.play, workers=workers):
            found[id(task)] = played
            step()
    return [found[id(task)] for task in tasks]


def rows(windows: int) -> tuple[list[Row], tuple[list[Replay], list[Replay]] | None]:
    """Return the rows and the replays; if the log is absent, one row that names it."""
    path = recorded()
    if path is None:
        absent = Row(
            "Figs 10, 11, LANL 2004-05", "< 10 %", f"not replayed: {LOG} is absent", "",
            "B 10 %, O", "reported",
        )  # fmt: skip
        return [absent], None
    frame = read_lanl(path).frame
    log = period(frame)
    by_nodes, by_work = play_windows(log, windows)
    found = [
        *judged("Fig. 10, 128 h, nodes " + _names(NODES), by_nodes),
        *judged("Fig. 11, 128 nodes, h on each " + _names(WORKS), by_work),
        *_reported(log, period(frame, repairs=(0.0, np.inf)), by_nodes, windows),
    ]
    return found, (by_nodes, by_work)


def judged(what: str, replays: Sequence[Replay]) -> Iterator[Row]:
    """Yield the rows of a figure: bounds on the error, and its fall."""
    cut = sum(r.cut for r in replays)
    yield Row(
        f"{what}: error of the predicted mean [%]",
        "< 10",
        _errors(replays),
        "",
        "B 10 %",
        worst(below(r.error, r.half, _BAND) for r in replays),
        f"{replays[0].predicted.size} windows" + (f", {cut} outlive the log" if cut else ""),
    )
    if what.startswith("Fig. 10"):
        last = replays[-1]
        yield Row(
            f"Fig. 10, 128 h, {last.nodes} nodes: error of the predicted mean [%]",
            "< 1",
            _errors([last]),
            "",
            "E (bound)",
            below(last.error, last.half, _LAST),
        )
    yield Row(
        f"{what}: mean error of a window [%]",
        "falling",
        ", ".join(f"{100 * float(r.each.mean()):.1f}" for r in replays),
        "",
        "O",
        _falling(replays),
    )


def _falling(replays: Sequence[Replay]) -> Word:
    return ordered(*(r.each for r in reversed(replays)), by_interval=True)


def choices(played: tuple[list[Replay], list[Replay]]) -> str:
    """Return the errors with each system's own CV of repairs and with one for all."""
    lines = [
        "| CV of repairs in the prediction | Fig. 10: "
        f"{_names(NODES)} nodes [%] | Fig. 11: {_names(WORKS)} h [%] |",
        "|---|---|---|",
    ]
    for cv in (None, *CVS):
        cells = [", ".join(_marked(r, cv) for r in replays) for replays in played]
        lines.append(f"| {'own' if cv is None else f'{cv:g}'} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _marked(played: Replay, cv: float | None) -> str:
    error, half = (played.error, played.half) if cv is None else played.with_cv(cv)
    text = f"{100 * error:+.1f} ± {100 * half:.1f}"
    return f"**{text}**" if below(error, half, _BAND) == "fails" else text


def _reported(
    log: Period, everything: Period, by_nodes: Sequence[Replay], windows: int
) -> Iterator[Row]:
    means = [float(r.replayed.mean()) for r in by_nodes]
    played = [
        poisson_mean(log, nodes, 128.0) / m - 1.0 for nodes, m in zip(NODES, means, strict=True)
    ]
    yield _plain(
        "Fig. 10, instead of the model: Poisson failures and recorded repairs, simulated",
        ", ".join(f"{100 * e:+.1f}" for e in played),
    )
    parted = log.begin + _YEAR
    fit = log.begin, parted
    later = [Task(log, nodes, 128.0, windows, fit, parted) for nodes in NODES]
    other = [Task(everything, nodes, 128.0, windows) for nodes in NODES]
    found = _play([*later, *other], workers=2)
    yield _plain("Fig. 10, fitted on 2004, replayed in 2005", _errors(found[: len(NODES)]))
    yield _plain("Fig. 10, all systems, repairs of any mean", _errors(found[len(NODES) :]))


def _plain(what: str, ours: str) -> Row:
    return Row(f"{what} [%]", "", ours, "", "R", "reported")


def _errors(replays: Sequence[Replay]) -> str:
    return ", ".join(f"{100 * r.error:+.1f} ± {100 * r.half:.1f}" for r in replays)


def _names(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
