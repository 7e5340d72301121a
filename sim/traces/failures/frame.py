"""What every failure reader returns: one row per failure, in the order of the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import shown
from ..machines.node_lists import names_in
from ..parsing.report import Findings, Trace
from ..parsing.rows import parsed_rows, written_lines
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant, instant
from ..parsing.values import words_of
from .outages import numbered_nodes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "coded", "decoded", "failure_frame", "read_lines", "select", "selected"]

Values: TypeAlias = Sequence[Any] | npt.NDArray[Any]

# time [s]: Unix time, or from the origin of the log; repair [s]: nan where unknown. A reader may
# add `fails`: whether a row alone is a failure, or only time out of service (all are without it).
COLUMNS = ("time", "node", "repair", "system", "cause", "line")


def read_lines(
    source: Source,
    parse: Callable[[str, int, Findings], list[dict[str, Any]]],
    more: tuple[str, ...] = (),
    *,
    chosen: Mapping[str, Any] | None = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read a log of one record per line; `parse` turns a line into rows or raises LineError.

    Lines that are blank or start with ``#`` are left out. Rows lack nothing of `COLUMNS` and
    `more` but the line number.
    """
    findings = Findings()
    content = open_source(source, findings)
    columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *more)}
    lines = (each for each in written_lines(content, findings) if not each[1].startswith("#"))
    for row in parsed_rows(lines, parse, findings):
        for name, values in columns.items():
            values.append(row[name])
    frame = select(failure_frame(**columns), chosen or {}, since=since, until=until)
    return findings.trace(content.name, frame, strict=strict)


def failure_frame(
    *,
    time: Values,
    node: Values,
    repair: Values,
    system: Values,
    cause: Values,
    line: Values,
    **more: Values,
) -> pd.DataFrame:
    """Build the common frame: time, node, repair, system, cause, line; then `more` columns."""
    import pandas as pd

    columns: dict[str, Any] = {
        "time": np.asarray(time, dtype=np.float64),
        "node": _names(node),
        "repair": np.asarray(repair, dtype=np.float64),
        "system": _names(system),
        "cause": cause if hasattr(cause, "isna") else np.asarray(cause, dtype=object),
        "line": np.asarray(line, dtype=np.int64),
    }
    for name, values in more.items():
        columns[name] = _names(values)
    return pd.DataFrame(columns, copy=False)


def select(
    frame: pd.DataFrame,
    chosen: Mapping[str, Any],
    *,
    since: Instant = None,
    until: Instant = None,
) -> pd.DataFrame:
    """Keep the rows whose columns hold a `chosen` value and whose time lies in [since, until).

    `chosen` maps a column to None (everything), one value, or several. A value that the column
    does not hold is refused, for it is mostly a slip.
    """
    begin, end = instant("since", since), instant("until", until)
    if begin is not None and end is not None and not begin < end:
        raise ValueError(f"until must be > since, got {end!r} for since={begin!r}")
    keep = selected(frame, chosen)
    time = frame["time"].to_numpy()
    if begin is not None:
        keep &= time >= begin
    if end is not None:
        keep &= time < end
    return frame if keep.all() else frame[keep].reset_index(drop=True)


def selected(frame: pd.DataFrame, chosen: Mapping[str, Any]) -> npt.NDArray[np.bool_]:
    """Return which rows hold a `chosen` value in each of its columns."""
    keep = np.ones(len(frame), dtype=np.bool_)
    for column, wanted in chosen.items():
        if wanted is None or frame.empty:
            continue
        several = isinstance(wanted, Iterable) and not isinstance(wanted, str)
        values = list(wanted) if several else [wanted]
        held = frame[column].unique()
        if all(str(value) in ("", "-1") for value in held):  # unknown in every row
            raise ValueError(
                f"{column} must be left out for a log that names none, got {shown(wanted)}"
            )
        for value in values:
            if value not in held:
                some = ", ".join(map(str, np.sort(held)[:30]))[:500]
                raise ValueError(f"{column} must be one of {some}, got {shown(value)}")
        keep &= frame[column].isin(values).to_numpy()
    return keep


def coded(texts: list[str], codes: npt.NDArray[np.int64]) -> Any:
    """Return a column of texts as categories in the order given where that saves time, else words.

    `decoded` makes words of it; until then rows are told apart without their texts.
    """
    import pandas as pd

    if not 0 < 4 * len(texts) < codes.size or len(set(texts)) < len(texts):
        return words_of(texts, codes)
    return pd.Categorical.from_codes(codes, pd.Index(texts), validate=False)


def decoded(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with words in place of what `coded` made."""
    columns = {str(name): frame[name].array for name in frame}
    texts = {
        name: words_of(column.categories.tolist(), column.codes.astype(np.int64))
        for name, column in columns.items()
        if hasattr(column, "categories")
    }
    return frame.assign(**texts) if texts else frame


def each_node(frame: pd.DataFrame, findings: Findings) -> pd.DataFrame:
    """Give each node of a list in a field, such as n[1-4], a row of its own, and note the list."""
    import pandas as pd

    if pd.api.types.is_integer_dtype(frame["node"].dtype):
        return frame
    codes, names = numbered_nodes(frame, as_read=True)
    lists = {code: listed for code, name in enumerate(names) if (listed := names_in(str(name)))}
    if not lists:
        return frame
    sizes = np.ones(len(names) + 1, dtype=np.int64)
    for code, listed in lists.items():
        sizes[code] = len(listed)
        lines = frame["line"].to_numpy()[codes == code]
        reason = f"{str(names[code])[:40]!r} is taken for {len(listed):,} nodes"
        findings.add_lines("noted", lines, "node-list", reason)
    rows = np.repeat(np.arange(len(frame)), sizes[codes])
    nodes = [one for code in codes.tolist() for one in lists.get(code) or names[code : code + 1]]
    return frame.iloc[rows].assign(node=_names(nodes)).reset_index(drop=True)


def other_names(nodes: Iterable[Any]) -> dict[str, str]:
    """Return the name that came first of each that differs from it in case or domain alone.

    Examples
    --------
    >>> other_names(["n1.site.org", "N1", "n2.site.org"])
    {'N1': 'n1.site.org'}
    """
    names = {name: name.lower() for name in nodes if isinstance(name, str)}
    if len({whole.partition(".")[0] for whole in names.values()}) == len(names):
        return {}
    # Of one short name in two domains none is known to be meant.
    domains: dict[str, set[str]] = {}
    for whole in names.values():
        host, _, domain = whole.partition(".")
        domains.setdefault(host, set()).update((domain,) if domain else ())
    first: dict[str, str] = {}
    others = {}
    for name, whole in names.items():
        host = whole.partition(".")[0]
        same = first.setdefault(host if len(domains[host]) < 2 else whole, name)
        if same != name:
            others[name] = same
    return others


def _names(values: Values) -> Any:
    """Return integers and truth values as arrays of their type; anything else is kept as it is."""
    if isinstance(values, np.ndarray) or hasattr(values, "isna"):
        return values
    if len(values) and all(isinstance(value, bool) for value in values):
        return np.asarray(values, dtype=np.bool_)
    if all(isinstance(value, int) for value in values):
        return np.asarray(values, dtype=np.int64)
    return np.asarray(values, dtype=object)
