"""From a failure frame to the gaps between failures, censored where the observation ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..._checks import flag, one_of, shown, whole
from ..parsing.times import Instant, instant

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

__all__ = ["Unit", "Uptimes", "uptimes"]


@dataclass(frozen=True, slots=True)
class Unit:
    """What one system or node did: how often it failed in how much watched uptime [s]."""

    system: str
    node: str
    failures: int
    observed: float


@dataclass(frozen=True, slots=True, eq=False)
class Uptimes:
    """Gaps ready for fitting.

    `durations` [s] are all > 0; `censored` marks those that the end of the observation cut
    (the true uptime is longer). `failures` ended an uptime within `observed` [s], the total
    uptime that was watched: together they are what an MTBF estimate needs. `repairs` [s] are the
    known repair times. `counts` says what was merged or left out, by rule. `units` has failures
    and uptime of each system or node by itself; a node that never failed has no name.
    """

    durations: npt.NDArray[np.float64]
    censored: npt.NDArray[np.bool_]
    failures: int
    observed: float
    repairs: npt.NDArray[np.float64]
    counts: dict[str, int]
    units: tuple[Unit, ...] = ()


@dataclass(slots=True)
class _Tally:
    first: str
    durations: list[float] = field(default_factory=list)
    censored: list[bool] = field(default_factory=list)
    failures: int = 0
    observed: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    units: list[Unit] = field(default_factory=list)

    def gap(self, duration: float, *, from_start: bool, to_end: bool) -> None:
        self.observed += duration
        self.failures += not to_end
        if from_start:
            self.counts["age-unknown"] += 1
            if self.first == "drop":
                return
        self.durations.append(duration)
        self.censored.append(to_end or (from_start and self.first == "censored"))


def uptimes(
    frame: pd.DataFrame,
    *,
    by: Literal["system", "node"] = "system",
    since: Instant = None,
    until: Instant = None,
    first: Literal["drop", "censored", "complete"] = "drop",
    exclude_repair: bool | None = None,
    nodes: int | None = None,
) -> Uptimes:
    """Return the uptimes between failures, per system or per node.

    Parameters
    ----------
    frame : DataFrame
        A failure frame: `time`, `node`, `repair`, `system`.
    by : {"system", "node"}
        What fails: a system as a whole (any failure ends its uptime) or each node by itself.
    since, until : seconds, ISO date or datetime, optional
        The observation. Default: from the first to the last failure of each system.
    first : {"drop", "censored", "complete"}
        What to do with an uptime that was running when the observation began, whose age is
        unknown. Leaving it out is unbiased for any law; as a complete gap it is right for
        exponential uptimes, or where units start their life at `since`; as a censored gap it
        loses one failure per unit. `failures` and `observed` always include it.
    exclude_repair : bool, optional
        Whether an uptime starts at the end of the repair. Default: for nodes yes, for systems
        no (the others go on).
    nodes : int, optional
        How many nodes there are, so that those that never failed count (with `by="node"`).

    Returns
    -------
    Uptimes
        Durations, which of them are censored, and what an MTBF estimate needs.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Counted rules: `age-unknown` (see `first`), `simultaneous` (a failure at the instant of the
    one before it, merged with it), `struck-while-down` (a failure during repair, which ends no
    uptime but may lengthen the repair), `repair-unknown` (taken as 0), `outside` (not within the
    observation).
    """
    if not hasattr(frame, "groupby"):
        raise TypeError(f"frame must be a failure frame, got {shown(frame)}")
    one_of("by", by, ("system", "node"))
    one_of("first", first, ("drop", "censored", "complete"))
    begin, end = instant("since", since), instant("until", until)
    if begin is not None and end is not None and not begin < end:
        raise ValueError(f"until must be > since, got {end!r} for since={begin!r}")
    repairing = by == "node" if exclude_repair is None else flag("exclude_repair", exclude_repair)
    size = None if nodes is None else whole("nodes", nodes, least=0)
    tally = _Tally(first)
    for name, system in frame.groupby("system", sort=True):
        ordered = system.sort_values("time", kind="stable")
        times = ordered["time"].to_numpy()
        watch = (times[0] if begin is None else begin, times[-1] if end is None else end)
        if by == "system":
            units = [("", ordered)]
        else:
            units = [(str(node), unit) for node, unit in ordered.groupby("node", sort=False)]
        for node, unit in units:
            failures, observed = tally.failures, tally.observed
            _walk(unit, watch, repairing, tally)
            own = (tally.failures - failures, tally.observed - observed)
            tally.units.append(Unit(str(name), node, *own))
        if by == "node" and size is not None:
            _add_untouched(size - len(units), watch, tally, str(name))
    repairs = frame["repair"].to_numpy()
    return Uptimes(
        durations=np.array(tally.durations),
        censored=np.array(tally.censored, dtype=np.bool_),
        failures=tally.failures,
        observed=tally.observed,
        repairs=repairs[np.isfinite(repairs)],
        counts={rule: count for rule, count in tally.counts.items() if count},
        units=tuple(tally.units),
    )


def _walk(unit: pd.DataFrame, watch: tuple[float, float], repairing: bool, tally: _Tally) -> None:
    """Collect the gaps of one unit from its failures in order of time."""
    begin, end = watch
    up_since, from_start = begin, True
    for time, repair in zip(unit["time"].tolist(), unit["repair"].tolist(), strict=True):
        down = 0.0
        if repairing:
            tally.counts["repair-unknown"] += bool(np.isnan(repair))
            down = 0.0 if np.isnan(repair) else repair
        if time > end or time < begin:
            tally.counts["outside"] += 1
            if time < begin < time + down:
                up_since, from_start = max(up_since, time + down), False
            continue
        if time > up_since:
            tally.gap(time - up_since, from_start=from_start, to_end=False)
        elif time == up_since:
            tally.counts["simultaneous"] += not from_start
        else:
            tally.counts["struck-while-down"] += 1
        up_since, from_start = max(up_since, time + down), False
    if end > up_since:
        tally.gap(end - up_since, from_start=from_start, to_end=True)


def _add_untouched(count: int, watch: tuple[float, float], tally: _Tally, system: str) -> None:
    if count < 0:
        raise ValueError(f"nodes must be >= those that failed, got {-count} too few")
    begin, end = watch
    for _ in range(count if end > begin else 0):
        tally.gap(end - begin, from_start=True, to_end=True)
        tally.units.append(Unit(system, "", 0, end - begin))
