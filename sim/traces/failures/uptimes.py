"""From a failure frame to the gaps between failures, censored where the observation ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..._checks import flag, one_of, shown, whole
from ..parsing.times import Instant, instant
from .outages import outages
from .understanding.coarse import rule_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd


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

    `durations` [s] are all > 0; `censored` marks those that the end of the observation cut (the
    true uptime is longer). `failures` ended an uptime within `observed` [s], the total uptime that
    was watched: together they are what an MTBF estimate needs. The `truncation` says what ended the
    observation, a time or the last failure. `repairs` [s] are the known repair times. `counts` says
    what was merged or left out, by rule. `units` has failures and uptime of each system or node by
    itself; a node that never failed has no name.
    """

    durations: npt.NDArray[np.float64]
    censored: npt.NDArray[np.bool_]
    failures: int
    observed: float
    repairs: npt.NDArray[np.float64]
    counts: dict[str, int]
    units: tuple[Unit, ...] = ()
    truncation: Literal["time", "failure"] = "time"

    @classmethod
    def of_counts(cls, failures: int, observed: float, repairs: npt.ArrayLike = ()) -> Uptimes:
        """Return what a log tells that counts failures in an observed time, [s]."""
        known = np.asarray(repairs, dtype=np.float64)
        return cls(
            durations=np.zeros(0),
            censored=np.zeros(0, dtype=np.bool_),
            failures=failures,
            observed=observed,
            repairs=known[np.isfinite(known)],
            counts={},
        )


@dataclass(slots=True)
class _Tally:
    first: str
    durations: list[npt.NDArray[np.float64]] = field(default_factory=list)
    censored: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    failures: int = 0
    observed: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    units: list[Unit] = field(default_factory=list)

    def gaps(self, durations: npt.NDArray[np.float64], *, from_start: bool, to_end: bool) -> None:
        """Add the gaps of one unit: the first may be of unknown age, the last cut by the end."""
        self.observed += float(durations.sum())
        self.failures += int(durations.size) - int(to_end)
        censored = np.zeros(durations.shape, dtype=np.bool_)
        if to_end:
            censored[-1] = True
        if from_start and durations.size:
            self.counts["age-unknown"] += 1
            if self.first == "drop":
                durations, censored = durations[1:], censored[1:]
            elif self.first == "censored":
                censored[0] = True
        self.durations.append(durations)
        self.censored.append(censored)


def uptimes(
    frame: pd.DataFrame,
    *,
    by: Literal["system", "node"] = "system",
    since: Instant = None,
    until: Instant = None,
    first: Literal["drop", "censored", "complete"] = "drop",
    exclude_repair: bool | None = None,
    nodes: int | None = None,
    merge_within: float = 0.0,
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
    merge_within : float, [s]
        Rows of one node with at most this between the end of one and the next are one outage.

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
    Rows of one node that touch or overlap are one outage (`outages`). Counted rules: `merged-rows`
    (of another row's outage), `left-out-rows` (of none that is a failure), `age-unknown` (see
    `first`), `simultaneous` (a failure of another node at the instant of the one before it, merged
    with it), `same-day` and `same-hour` (in that of the failure before, in a log that tells no
    finer times: both count, at random times in it),
    `struck-while-down` (a failure during repair, which ends no uptime but may lengthen the repair),
    `repair-unknown` (taken as 0), `outside` (not within the observation).
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
    found = outages(frame, within=merge_within)
    frame = found.frame
    tally.counts.update({"merged-rows": found.merged.size, "left-out-rows": found.filtered.size})
    tally.counts[rule_of(found.step)] += found.within_step
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
            _walk(unit, watch, tally, repairing=repairing)
            own = (tally.failures - failures, tally.observed - observed)
            tally.units.append(Unit(str(name), node, *own))
        if by == "node" and size is not None:
            _add_untouched(size - len(units), watch, tally, str(name))
    repairs = frame["repair"].to_numpy()
    return Uptimes(
        durations=np.concatenate([np.zeros(0), *tally.durations]),
        censored=np.concatenate([np.zeros(0, dtype=np.bool_), *tally.censored]),
        failures=tally.failures,
        observed=tally.observed,
        repairs=repairs[np.isfinite(repairs)],
        counts={rule: count for rule, count in tally.counts.items() if count},
        units=tuple(tally.units),
        truncation="failure" if end is None else "time",
    )


def _walk(
    unit: pd.DataFrame, watch: tuple[float, float], tally: _Tally, *, repairing: bool
) -> None:
    """Collect the gaps of one unit from its failures in order of time."""
    begin, end = watch
    time, down = unit["time"].to_numpy(np.float64), np.zeros(len(unit))
    if repairing:
        down = unit["repair"].to_numpy(np.float64)
        tally.counts["repair-unknown"] += int(np.isnan(down).sum())
        down = np.where(np.isnan(down), 0.0, down)
    inside = (time >= begin) & (time <= end)
    tally.counts["outside"] += int((~inside).sum())
    before = (time < begin) & (time + down > begin)
    from_start = not before.any()
    up_since = begin if from_start else float((time + down)[before].max())
    time, down = time[inside], down[inside]
    back = np.maximum.accumulate(np.maximum(time + down, up_since))
    since = np.concatenate([[up_since], back[:-1]])
    gaps = time - since
    again = int((gaps[1:] == 0.0).sum()) + bool(time.size and gaps[0] == 0.0 and not from_start)
    tally.counts["struck-while-down"] += int((gaps < 0.0).sum())
    tally.counts["simultaneous"] += again
    # A unit that fails when the observation begins has no gap of unknown age.
    from_start &= not time.size or gaps[0] > 0.0
    gaps = gaps[gaps > 0.0]
    last = float(back[-1]) if time.size else up_since
    if end > last:
        gaps = np.append(gaps, end - last)
    tally.gaps(gaps, from_start=bool(from_start), to_end=bool(end > last))


def _add_untouched(count: int, watch: tuple[float, float], tally: _Tally, system: str) -> None:
    if count < 0:
        raise ValueError(f"nodes must be >= those that failed, got {-count} too few")
    begin, end = watch
    for _ in range(count if end > begin else 0):
        tally.gaps(np.array([end - begin]), from_start=True, to_end=True)
        tally.units.append(Unit(system, "", 0, end - begin))
