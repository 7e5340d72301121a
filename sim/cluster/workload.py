"""The job table: a frozen structure of arrays, in seconds and processors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from .._checks import column_of, kind_of, one_of, positive, shown
from .._shown import facts_html, span
from ..records import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

_TIMES = ("submit", "runtime", "walltime")
_TAGS = ("user", "group", "executable", "queue", "partition", "line")


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """Jobs in queue order: by submission, then by position in the log.

    Parameters
    ----------
    submit : ndarray, [s]
        Times of submission, finite, not decreasing.
    runtime : ndarray, [s]
        What each job needs; > 0.
    walltime : ndarray, [s]
        What its user asked for; > 0.
    processors : ndarray, [-]
        Whole units of the machine the job occupies (processors, or nodes); >= 1.
    job : ndarray
        The job's number in its log; 1, 2, ... by default.
    user, group, executable, queue, partition : ndarray
        Numbers of the log, -1 where unknown.
    line : ndarray
        Line of the log, -1 where unknown.
    dropped, repaired : mapping
        Cleaning rule -> number of jobs taken out, or changed, by it.
    """

    submit: FloatArray
    runtime: FloatArray
    walltime: FloatArray
    processors: IntArray
    job: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    user: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    group: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    executable: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    queue: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    partition: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    line: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    dropped: Mapping[str, int] = field(default_factory=dict)
    repaired: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size = np.size(self.submit)
        for name in (*_TIMES, "processors", "job", *_TAGS):
            kind = np.float64 if name in _TIMES else np.int64
            values = column_of(name, getattr(self, name), kind)
            if values.size == 0 and size and name == "job":
                values = np.arange(1, size + 1)
            elif values.size == 0 and size and name in _TAGS:
                values = np.full(size, -1, np.int64)
            if values.shape != (size,):
                raise ValueError(f"{name} must have one entry per job, got shape {values.shape}")
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        for name in ("runtime", "walltime", "processors"):
            _require(name, getattr(self, name), "finite and > 0", lambda a: (a > 0) & (a < np.inf))
        _require("submit", self.submit, "finite", np.isfinite)
        if np.any(np.diff(self.submit) < 0.0):
            where = int(np.argmax(np.diff(self.submit) < 0.0)) + 1
            raise ValueError(
                f"submit must not decrease, got {float(self.submit[where])!r} "
                f"after {float(self.submit[where - 1])!r}"
            )
        for name in ("dropped", "repaired"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[Any, ...]:
        values = (getattr(self, entry.name) for entry in fields(self))
        return _unpickled, (
            type(self),
            *(dict(value) if isinstance(value, Mapping) else value for value in values),
        )

    def __repr__(self) -> str:
        facts = self._facts()
        return f"<workload: {', '.join(f'{name} {value}' for name, value in facts.items())}>"

    def _repr_html_(self) -> str:
        return facts_html("Workload", self._facts())

    def _facts(self) -> dict[str, str]:
        """Return what tells this log from others, in words."""
        facts = {"jobs": f"{len(self):,}"}
        if len(self):
            facts["submitted over"] = span(float(self.submit[-1] - self.submit[0]))
            facts["processors up to"] = f"{int(self.processors.max()):,}"
            facts["mean runtime"] = span(float(self.runtime.mean()))
        for name, counts in (("dropped", self.dropped), ("repaired", self.repaired)):
            if counts:
                facts[name] = ", ".join(f"{count:,} {rule}" for rule, count in counts.items())
        return facts

    def __len__(self) -> int:
        return int(self.submit.size)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        processors: Literal["requested", "allocated"] = "requested",
        processors_per_node: int = 1,
        missing_walltime: Literal["runtime", "factor", "drop", "refuse"] = "runtime",
        walltime_factor: float = 2.0,
        ties: Literal["position", "job"] = "position",
    ) -> Self:
        """Build a workload from a table of `sim.traces`, by named and counted cleaning rules.

        Parameters
        ----------
        frame : DataFrame
            Columns ``submit``, ``runtime`` [s] and ``processors`` are needed;
            ``requested_processors``, ``walltime`` [s], ``job``, ``user``, ``group``,
            ``executable``, ``queue``, ``partition`` and ``line`` are used where present; missing
            is -1.
        processors : {"requested", "allocated"}
            Which column counts; the other one stands in where it is missing.
        processors_per_node : int, [-]
            Processors of one unit of the machine; a job takes whole units.
        missing_walltime : {"runtime", "factor", "drop", "refuse"}
            A job without walltime gets its runtime, or `walltime_factor` times its runtime, is
            left out, or raises ValueError.
        walltime_factor : float, [-]
            For ``missing_walltime="factor"``; > 0.
        ties : {"position", "job"}
            Which of two jobs submitted at one instant comes first: the one that stands first,
            or the one of the lower number, for logs written in another order, as that of ends.

        Returns
        -------
        Workload
            `dropped` counts ``never_ran`` (runtime <= 0), ``no_processors`` (neither column
            known), ``no_submit`` (submission unknown) and ``no_walltime`` (where it is needed);
            `repaired` counts
            ``missing_walltime``, ``missing_processors`` (the other column used) and
            ``out_of_order`` (jobs that stood before an earlier one in the log).
        """
        if not hasattr(frame, "columns"):
            raise TypeError(
                f"frame must be a table, such as the frame of a Trace, got {shown(frame)}"
            )
        one_of("processors", processors, ("requested", "allocated"))
        one_of("missing_walltime", missing_walltime, ("runtime", "factor", "drop", "refuse"))
        one_of("ties", ties, ("position", "job"))
        positive("walltime_factor", walltime_factor)
        if processors_per_node < 1:
            raise ValueError(f"processors_per_node must be >= 1, got {processors_per_node!r}")
        for name in ("submit", "runtime", "processors"):
            if name not in frame.columns:
                raise ValueError(
                    f"frame must have a column {name!r}, got {shown(list(frame.columns))}"
                )
        count = len(frame)
        unknown = np.full(count, -1, np.int64)

        def column(name: str, kind: type) -> npt.NDArray[Any]:
            if name not in frame.columns:
                return unknown.astype(kind)
            return column_of(name, frame[name].to_numpy(na_value=-1), kind)

        submit, runtime, walltime = (column(name, np.float64) for name in _TIMES)
        sizes = (column("requested_processors", np.int64), column("processors", np.int64))
        first, second = sizes if processors == "requested" else sizes[::-1]
        size = np.where(first > 0, first, second)

        rules = {
            "never_ran": ~(runtime > 0.0),
            "no_processors": size <= 0,
            "no_submit": ~(submit >= 0.0),
        }
        if missing_walltime == "drop":
            rules["no_walltime"] = ~(walltime > 0.0)
        kept = np.ones(count, dtype=bool)
        dropped = {}
        for rule, broken in rules.items():
            dropped[rule] = int(np.sum(kept & broken))
            kept &= ~broken

        missing = kept & ~(walltime > 0.0)
        if missing_walltime == "refuse" and missing.any():
            raise ValueError(
                f"walltime must be known for every job, got {int(missing.sum())} without; "
                "choose missing_walltime='runtime', 'factor' or 'drop'"
            )
        factor = walltime_factor if missing_walltime == "factor" else 1.0
        walltime = np.where(missing, factor * runtime, walltime)
        job = column("job", np.int64) if "job" in frame.columns else np.arange(1, count + 1)
        chosen = np.flatnonzero(kept)
        if ties == "job":
            chosen = chosen[np.argsort(job[chosen], kind="stable")]
        chosen = chosen[np.argsort(submit[chosen], kind="stable")]
        repaired = {
            "missing_walltime": int(missing.sum()),
            "missing_processors": int(np.sum(kept & (first <= 0))),
            "out_of_order": int(np.sum(np.diff(submit[kept]) < 0.0)),
        }
        return cls(
            submit=submit[chosen],
            runtime=runtime[chosen],
            walltime=walltime[chosen],
            processors=-(-size[chosen] // processors_per_node),
            job=job[chosen],
            **{name: column(name, np.int64)[chosen] for name in _TAGS},
            dropped={rule: number for rule, number in dropped.items() if number},
            repaired={rule: number for rule, number in repaired.items() if number},
        )

    def select(self, chosen: npt.ArrayLike, *, rule: str | None = None) -> Self:
        """Return the jobs of a mask, a slice of positions, or an increasing list of positions.

        With `rule` the jobs left out are counted in `dropped` under that name.
        """
        index = np.arange(len(self))[chosen if isinstance(chosen, slice) else np.asarray(chosen)]
        columns = {
            entry.name: getattr(self, entry.name)[index]
            for entry in fields(self)
            if entry.name not in ("dropped", "repaired")
        }
        dropped = dict(self.dropped)
        if rule is not None and index.size < len(self):
            dropped[rule] = dropped.get(rule, 0) + len(self) - int(index.size)
        return replace(self, **columns, dropped=dropped)

    def window(self, start: float, end: float) -> Self:
        """Return the jobs submitted in [start, end), [s]."""
        if not start < end:
            raise ValueError(f"end must be > start, got {end!r} for start={start!r}")
        return self.select((self.submit >= start) & (self.submit < end))

    def scale_gaps(self, factor: float) -> Self:
        """Return the jobs with every arrival gap multiplied by `factor` [-]; > 0."""
        positive("factor", factor)
        if not len(self):
            return self
        first = self.submit[0]
        return replace(self, submit=first + (self.submit - first) * factor)


def _unpickled(kind: type[Workload], *values: Any) -> Workload:
    """Return a workload with these columns themselves: they may be shared, and were checked."""
    workload = object.__new__(kind)
    for entry, value in zip(fields(kind), values, strict=True):
        rules = isinstance(value, Mapping)
        if not rules:
            value.flags.writeable = False
        object.__setattr__(workload, entry.name, MappingProxyType(value) if rules else value)
    return workload


def _require(name: str, values: npt.NDArray[Any], rule: str, holds: Any) -> None:
    bad = ~holds(values)
    if bad.any():
        raise ValueError(f"{name} must be {rule}, got {values[bad][0].item()!r}")


def check_workload(workload: object) -> None:
    """Raise TypeError where `workload` is not a Workload."""
    kind_of("workload", workload, Workload, "make one with Workload or Workload.from_frame")
