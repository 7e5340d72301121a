"""Rows and points of Figs 10 and 11 of `wsj`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sim.traces import read_lanl

from ..rows import Row, Word, ordered, worst
from .prediction import below
from .trace import LOG, Period, Replay, period, poisson_mean, recorded, replay

__all__ = ["NODES", "WORKS", "play_windows", "rows"]

NODES = (32, 64, 128, 256, 512)
WORKS = (32.0, 64.0, 128.0, 256.0, 512.0)
_BAND = 0.10
_YEAR = 366 * 24.0  # 2004, [h]


def play_windows(log: Period, windows: int) -> tuple[list[Replay], list[Replay]]:
    """Return the replays of Fig. 10 (128 h on each node) and Fig. 11 (128 nodes)."""
    by_nodes = [replay(log, nodes, 128.0, windows=windows) for nodes in NODES]
    by_work = [replay(log, 128, work, windows=windows) for work in WORKS]
    return by_nodes, by_work


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
        *_judged("Fig. 10, 128 h, nodes " + _names(NODES), by_nodes),
        *_judged("Fig. 11, 128 nodes, h on each " + _names(WORKS), by_work),
        *_reported(log, period(frame, repairs=(0.0, np.inf)), by_nodes, windows),
    ]
    return found, (by_nodes, by_work)


def _judged(what: str, replays: Sequence[Replay]) -> Iterator[Row]:
    cut = sum(r.cut for r in replays)
    yield Row(
        f"{what}: error of the predicted mean [%]",
        "< 10; < 1 at 512 nodes" if what.startswith("Fig. 10") else "< 10",
        _errors(replays),
        "",
        "B 10 %",
        worst(below(r.error, r.half, _BAND) for r in replays),
        f"{replays[0].predicted.size} windows" + (f", {cut} outlive the log" if cut else ""),
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
    return ordered(*(r.each for r in reversed(replays)))


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
    later = [
        replay(log, nodes, 128.0, windows=windows, fit=(log.begin, parted), since=parted)
        for nodes in NODES
    ]
    yield _plain("Fig. 10, fitted on 2004, replayed in 2005", _errors(later))
    other = [replay(everything, nodes, 128.0, windows=windows) for nodes in NODES]
    yield _plain("Fig. 10, all systems, repairs of any mean", _errors(other))


def _plain(what: str, ours: str) -> Row:
    return Row(f"{what} [%]", "", ours, "", "R", "reported")


def _errors(replays: Sequence[Replay]) -> str:
    return ", ".join(f"{100 * r.error:+.1f} ± {100 * r.half:.1f}" for r in replays)


def _names(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
