"""A row per attempt of a job, and where it ran."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from ..cluster import Replay


def ranges(members: Any) -> str:
    """Return ascending numbers as they are written on clusters: ``0-15,32``."""
    numbers = np.asarray(members)
    breaks = np.flatnonzero(np.diff(numbers) > 1)
    firsts = numbers[np.concatenate(([0], breaks + 1))].tolist()
    lasts = numbers[np.concatenate((breaks, [numbers.size - 1]))].tolist()
    return ",".join(
        f"{first}-{last}" if last > first else f"{first}"
        for first, last in zip(firsts, lasts, strict=True)
    )


def attempt_table(
    result: Replay, place: Callable[[Any], str], job_ids: Mapping[int, str] | None = None
) -> pd.DataFrame:
    """Return one row per attempt: by job in queue order, then by start.

    A job that never started has one row, of attempt 0. Columns: docs/results.md. `place` writes a
    placement, `job_ids` are texts that the log calls jobs by, by its lines.
    """
    import pandas as pd

    from ..records import Outcome

    records, attempts = result.job_records, result.attempt_records
    never = np.flatnonzero(records.attempts == 0)
    position = np.concatenate((attempts.position, never))
    turn = np.concatenate((np.arange(attempts.position.size), np.full(never.size, -1)))
    start = np.concatenate((attempts.start, np.full(never.size, np.nan)))
    order = np.lexsort((turn, start, position))
    position, turn = position[order], turn[order]
    first = np.flatnonzero(np.diff(position, prepend=-1) > 0)
    tried = turn >= 0
    number = np.arange(turn.size) - np.repeat(first, np.diff(np.append(first, turn.size)))

    def of_attempt(column: Any, missing: Any = np.nan) -> Any:
        values = np.append(np.asarray(column), missing)
        return values[turn]  # of -1, what is missing

    def words(codes: Any) -> Any:
        names = [outcome.name.lower() for outcome in Outcome]
        return pd.Categorical.from_codes(codes, categories=pd.Index(names))

    jobs = result.jobs.iloc[position].reset_index(drop=True)
    columns: dict[str, Any] = {"job": jobs["job"]}
    if job_ids:
        lines = result.workload.line[position].tolist()
        columns["job_id"] = [job_ids.get(line, "") for line in lines]
    columns |= {
        "attempt": np.where(tried, number + 1, 0),
        "submit": jobs["submit"],
        "start": of_attempt(attempts.start),
        "end": of_attempt(attempts.end),
        "outcome": words(of_attempt(attempts.outcome, -1)),
        "processors": np.where(tried, of_attempt(attempts.processors, 0), jobs["processors"]),
        "place": _places(result, place, turn),
        **{
            name: of_attempt(getattr(attempts, name), 0.0)
            for name in ("useful", "lost", "checkpoint", "recovery")
        },
        "first_start": jobs["first_start"],
        "job_end": jobs["end"],
        "job_outcome": jobs["outcome"],
    }
    rest = [name for name in jobs.columns if name not in columns]
    return pd.DataFrame(columns | {name: jobs[name] for name in rest})


def places_in_queue(table: pd.DataFrame) -> Any:
    """Return the place in the queue, from 0, of the job of each row of a table of attempts."""
    return (table["attempt"].to_numpy() <= 1).cumsum() - 1


def _places(result: Replay, place: Callable[[Any], str], turn: Any) -> list[str]:
    placement = result.attempt_records.placement
    if placement is None:
        return [""] * turn.size
    return [place(placement[each]) if each >= 0 else "" for each in turn.tolist()]
