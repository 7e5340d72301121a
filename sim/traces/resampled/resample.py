"""Draw a log from the users, days or weeks of another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..._checks import generator, one_of, positive, whole
from ..described.jobs import known_jobs
from ..described.measures import DAY
from .condition import Condition, Wanted
from .pieces import By, pieces_of
from .placing import Placed, draw, exchange

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 36_525.0  # days
_UNKNOWN = ("wait", "preceding_job", "think_time")  # they hold for the log as it was


def resample_jobs(
    frame: pd.DataFrame,
    rng: np.random.Generator,
    *,
    by: By = "user",
    days: float | None = None,
    load: float | None = None,
    processors: int | None = None,
    like: Sequence[Condition] = (),
    tries: int = 100_000,
) -> pd.DataFrame:
    """Draw a log of any length and load from a recorded one, with its bursts, users and days.

    Parameters
    ----------
    frame : DataFrame
        As `read_jobs` returns it.
    rng : numpy Generator
        Decides every draw.
    by : {"user", "day", "week"}
        What is drawn with its inner order: whole users, each moved by whole weeks; or days or weeks
        with all that was submitted in them.
    days : float, optional, [d]
        How long the drawn log is; default: as long as the whole weeks or days of `frame`.
    load : float, optional, [-]
        Offered load, met within 1 %; default: what the pieces bring.
    processors : int, optional, [-]
        Of the machine; needed with `load`.
    like : sequence of Condition
        Printed shares, means and numbers that the drawn log has to have.
    tries : int, [-]
        After so many exchanges the search gives up.

    Returns
    -------
    DataFrame
        The columns of `frame`, by submission, jobs numbered from 1; `line` says where each job is
        from. Times are those of the clock of `frame`, from its first submission on. What held for
        the log as it was (`wait`, `preceding_job`, `think_time`) is -1. A user who is drawn once
        more is another user.

    Raises
    ------
    ValueError
        If a number is out of range, `load` comes without `processors`, the log is shorter than a
        day or week, names no users where `by` is ``"user"``, or `load` and `like` cannot be met.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    After Zakay and Feitelson [1]_, of whom the abstract was read: a log is parted into independent
    users and put together anew, its cycles of days and weeks kept. How they treat users of long
    standing was not read; here every user is moved by whole weeks, around the end of the log to its
    beginning. In logs below 28 days it is whole days, and the weekly cycle is lost.

    A day stands in for one of the same day of the week. More load is more users: parts of further
    blocks are laid over the first ones, and gaps within a user stay as they are; less load leaves
    users out. Where no user is named, a burst (at most 20 minutes between two submissions) counts
    as a user.

    `load` and `like` are met by a search: what was drawn is exchanged piece by piece, against
    pieces drawn at random, where that comes nearer, until each number is within its limit. Nothing
    is changed in a piece, and none stands beside itself at the same instants while the log has
    another one.

    References
    ----------
    .. [1] N. Zakay and D. G. Feitelson, "Workload resampling for performance evaluation of parallel
       job schedulers", Concurrency and Computation: Practice and Experience 26(12), 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from sim.traces import describe_jobs, intrepid_like
    >>> month = intrepid_like(np.random.default_rng(1))
    >>> drawn = resample_jobs(
    ...     month, np.random.default_rng(2), by="day", days=60.0, load=0.8, processors=163_840
    ... )
    >>> round(float(drawn["submit"].max() - drawn["submit"].min()) / 86_400.0)
    60
    """
    draws = generator("rng", rng)
    one_of("by", by, ("user", "day", "week"))
    size = None if processors is None else whole("processors", processors)
    if load is not None and size is None:
        raise ValueError("processors must be given with load, got none")
    most = whole("tries", tries)
    pieces = pieces_of(known_jobs(frame), by)
    until = pieces.span if days is None else DAY * positive("days", days)
    if until > _LONGEST * DAY:
        raise ValueError(f"days must be at most {_LONGEST:g}, got {days!r}")
    own = float(pieces.jobs.area.sum()) * until / pieces.span
    area = None if load is None or size is None else positive("load", load) * size * until
    wanted = Wanted(pieces.jobs, like, area=area)
    more = 1.0
    if area is not None and own > 0.0:
        more = area / own
    for each in like:
        if each.measure == "jobs":
            more = each.value / (len(pieces.jobs) * until / pieces.span)
    blocks, placed = draw(draws, pieces, by, until=until, more=more)
    if wanted.anything:
        placed = exchange(draws, blocks, placed, wanted, tries=most)
    times = [each.times(pieces) for each in placed]
    counts = [each.size for each in times]
    place = np.concatenate([pieces.of(each.piece) for each in placed] or [np.empty(0, np.int64)])
    submit = np.concatenate(times or [np.empty(0)])
    new = np.repeat(_new_users(placed, int(pieces.jobs.user.max())), counts)
    within = np.flatnonzero(submit < until)
    order = within[np.argsort(submit[within], kind="stable")]
    drawn: pd.DataFrame = frame.iloc[pieces.jobs.row[place[order]]].reset_index(drop=True)
    drawn["submit"] = pieces.jobs.submit[0] + submit[order]
    if "user" in drawn and int(pieces.jobs.user.max()) >= 0:
        drawn["user"] = np.where(new[order] >= 0, new[order], drawn["user"].to_numpy())
    for name in _UNKNOWN:
        if name in drawn:
            drawn[name] = np.full_like(drawn[name].to_numpy(), -1)
    drawn["job"] = np.arange(1, len(drawn) + 1)
    return drawn


def _new_users(placed: Sequence[Placed], largest: int) -> npt.NDArray[np.int64]:
    """Return the number of the user of each piece, -1 for those who keep theirs."""
    extra = np.array([each.extra for each in placed], dtype=np.bool_)
    return np.where(extra, largest + np.cumsum(extra), -1)
