"""A table of lifetimes, and which of them were cut off before they ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from ..._checks import one_of
from ..parsing.delimited import Delimited, Shape, read_delimited
from ..parsing.numbers import LARGEST, finite
from ..parsing.report import Argument, Findings, LogRefused, Trace
from ..parsing.sources import Source, open_source
from ..parsing.values import UNITS, duration_of, each, kind_of_values, unit_in_name


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DURATIONS = _set(
    "duration durations lifetime lifetimes life uptime survival survival_time survived_time time "
    "times age ttf tbf time_to_failure time_to_event time_between_failures time_to_preemption "
    "time_in followup follow_up length tenure t gap gaps interval"
)
# Names of columns: 1 is ended; 1 is cut off; 1 may be either.
_ENDED = _set(
    "event event_observed observed failed failure fail fails is_failure dead death died ended "
    "uncensored not_censored preempted broken is_event event_occurred"
)
_CUT = _set(
    "censored is_censored right_censored censor cut cut_off truncated alive running survived "
    "still_running still_alive suspended"
)
_EITHER = _set("status state outcome indicator censoring cens censoring_indicator delta result")
_NONE = frozenset({"", "na", "nan", "none", "null", "-"})
_WORDS_ENDED = _set(
    "failed failure fail event dead died death ended preempted observed uncensored terminated "
    "broken crashed complete completed f"
)
_WORDS_CUT = _set(
    "censored running alive survived ongoing open active suspended suspension right "
    "right-censored cut cut-off cutoff s"
)
_TRUE = frozenset({"1", "1.0", "true", "yes", "t", "y"})
_SHOWN = 5  # values that a refusal lists


@dataclass(frozen=True, slots=True)
class _Cut:
    """A column, and the texts in it that are lifetimes cut off, in lower case."""

    place: int
    texts: frozenset[str]
    words: str


def read_lifetimes(
    source: Source,
    *,
    duration_column: str | None = None,
    censored_column: str | None = None,
    unit: str | None = None,
    strict: bool = False,
) -> Trace:
    r"""Read lifetimes, each ended by a failure or cut off by the end of the observation.

    Parameters
    ----------
    source : path or file object
        A table with a header: a column of lifetimes, numbers or texts such as ``4h 9m``, and, if
        some were cut off, one that says which. A single column needs no header.
    duration_column : str, optional
        Its name. Default: told by the names, else the only column of numbers.
    censored_column : str, optional
        Name of the column that says which lifetimes were cut off, or ``NAME=VALUE``, where VALUE
        is what it has for those. Default: told by names and values; without any all have ended.
    unit : {"ns", "us", "ms", "s", "min", "h", "d"}, optional
        Of plain numbers. Default: that of the name of the column, else s.
    strict : bool
        Raise ValueError on the first malformed row instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the table: `duration` [s], `censored` (bool: the true
        lifetime is longer), `line`.

    Raises
    ------
    ValueError
        If no column, or more than one, can be the lifetimes; if it is not clear which value means
        cut off; if a column that is named is not there; with `strict`, at the first malformed row.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    A 1 (or true, yes) means ended in a column called `event`, `observed`, `failed`, `dead` or the
    like, and cut off in one called `censored`, `alive` or the like. Words such as ``failed`` and
    ``running`` say it themselves, whatever the column is called; in one of the former names an
    empty field means cut off, where others hold what happened.

    Rules. Dropped: `wrong-columns`, `bad-duration` (no number, or below 0), `bad-flag`, `empty`.
    Skipped: `no-time` (cut off at age 0). Noted: `all-ended`, `no-unit`.

    Examples
    --------
    >>> import io
    >>> frame = read_lifetimes(io.StringIO("hours,event\n5,1\n8,0\n")).frame
    >>> frame["duration"].tolist(), frame["censored"].tolist()
    ([18000.0, 28800.0], [False, True])
    """
    if unit is not None:
        one_of("unit", unit, UNITS)
    findings = Findings()
    content = open_source(source, findings)
    table = read_delimited(content.data, findings, Shape(is_header=_is_header))
    columns: dict[str, npt.NDArray[np.generic]] = {
        "duration": np.zeros(0),
        "censored": np.zeros(0, dtype=np.bool_),
        "line": np.zeros(0, dtype=np.int64),
    }
    words = ""
    if len(table):
        finder = _Finder(table, duration_column, censored_column)
        place = finder.durations()
        cut = finder.cut(place)
        name = table.header[place] if table.header else ""
        columns, said = _rows(table, place, cut, unit or _unit_of(name), findings)
        column = f'"{name}"' if name else "the only column"
        words = f"lifetimes {said} from {column}; {cut.words if cut else 'all ended'}"
    import pandas as pd

    frame, records = pd.DataFrame(columns), table.records
    return findings.trace(
        content.name, frame, records=records, of="lifetime", strict=strict, understood=words
    )


def _is_header(names: Sequence[str]) -> bool:
    named = any(name[:1].isalpha() for name in names)
    whole = all(name.count("(") == name.count(")") for name in names)
    values = any(finite(name) is not None or duration_of(name) is not None for name in names)
    return named and whole and not values


def _plain(name: str) -> str:
    spelt = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
    return "_".join(part for part in re.split(r"[^a-z0-9]+", spelt) if part)


def _unit_of(name: str) -> str | None:
    """Return the unit that a name states, or is."""
    return unit_in_name(name) or unit_in_name(f"in {name}")


def _without_unit(name: str) -> str:
    plain = _plain(name)
    head, _, last = plain.rpartition("_")
    return head if head and unit_in_name(f"in {last}") is not None else plain


class _Finder:
    """Finds the column of lifetimes, and that which says which of them were cut off."""

    def __init__(self, table: Delimited, duration: str | None, cut: str | None) -> None:
        self.table = table
        self.named, self.named_cut = duration, cut
        self.texts = [column.coded()[1] for column in table.columns]
        self.kinds = [kind_of_values(texts) for texts in self.texts]

    def _refuse(self, *words: str | Argument) -> NoReturn:
        raise LogRefused(f"line {max(self.table.header_line, 1)}: ", *words)

    def _place(self, flag: str, name: str) -> int:
        header = self.table.header
        if name not in header:
            names = ", ".join(header)[:200]
            self._refuse(Argument(flag), f" must be one of {names}, got {name[:60]!r}")
        return header.index(name)

    def durations(self) -> int:
        """Return the place of the lifetimes."""
        header = self.table.header
        if self.named is not None:
            return self._place("duration_column", self.named)
        numbers = [
            place for place, kind in enumerate(self.kinds) if kind in ("number", "duration", "flag")
        ]
        if not header:
            if len(self.kinds) == 1:
                return 0
            self._refuse("the header must name the columns, got none; write one above the rows")
        known = [p for p in numbers if _without_unit(header[p]) in _DURATIONS]
        known = known or [p for p in numbers if _unit_of(header[p]) is not None]
        plain = [p for p in numbers if self.kinds[p] != "flag"]
        found = known or plain
        if len(found) == 1:
            return found[0]
        some = ", ".join(header[place] for place in found or range(len(header)))[:200]
        what = "several columns can be the lifetimes" if found else "no column holds lifetimes"
        self._refuse(f"{what}: give ", Argument("duration_column"), f", one of {some}")

    def cut(self, durations: int) -> _Cut | None:
        """Return which lifetimes were cut off; None where no column says it."""
        header = self.table.header
        if self.named_cut is not None:
            name, given, value = self.named_cut.rpartition("=")
            if self.named_cut in header or not given:
                return self._told(self._place("censored_column", self.named_cut), named=True)
            place = self._place("censored_column", name)
            texts = {text.lower() for text in self.texts[place]}
            if value.lower() not in texts:
                self._refuse(
                    Argument("censored_column"),
                    f" must be {name}= and a value of it, {self._values(place)}, "
                    f"got {value[:60]!r}",
                )
            return _Cut(place, frozenset({value.lower()}), f'cut off where "{name}" is {value}')
        plain = [_plain(name) for name in header]
        for names in (_ENDED | _CUT, _EITHER):
            found = [p for p, name in enumerate(plain) if name in names and p != durations]
            if len(found) > 1:
                some = ", ".join(header[place] for place in found)
                self._refuse(
                    f"several columns can say what was cut off, {some}: give ",
                    *(Argument("censored_column"), ", one of them"),
                )
            if found:
                return self._told(found[0])
        return None

    def _values(self, place: int) -> str:
        shown = [repr(text[:30]) for text in self.texts[place][:_SHOWN]]
        return ", ".join(shown) + (", ..." if len(self.texts[place]) > _SHOWN else "")

    def _told(self, place: int, *, named: bool = False) -> _Cut:
        """Return what the name and the values of a column say, or refuse both readings."""
        name, plain = self.table.header[place], _plain(self.table.header[place])
        texts = frozenset(text.lower() for text in self.texts[place])
        known = texts - _NONE
        if known and known <= _WORDS_ENDED | _WORDS_CUT:
            cut = known & _WORDS_CUT
            return _Cut(place, cut, f'cut off where "{name}" is {" or ".join(sorted(cut)) or "so"}')
        flags = self.kinds[place] == "flag"
        if flags and plain in _ENDED | _CUT:
            cut = frozenset(t for t in known if (t in _TRUE) == (plain in _CUT))
            some = " or ".join(sorted(cut)) or "so"
            return _Cut(place, cut, f'cut off where "{name}" is {some}')
        if plain in _ENDED and texts & _NONE and self.kinds[place] == "words":
            return _Cut(place, texts & _NONE, f'cut off where "{name}" is empty')
        first, *rest = sorted(known)[:2] or ["0"]
        ways = [f"{name[:30]}={value[:30]}" for value in (first, *rest)]
        self._refuse(
            f"the column {name[:30]} must say whether its values are lifetimes that ended or were "
            f"cut off, got {self._values(place)}: give ",
            *(Argument("censored_column"), f" as {' or as '.join(ways)}, whichever is cut off"),
        )


def _rows(
    table: Delimited, place: int, cut: _Cut | None, unit: str | None, findings: Findings
) -> tuple[dict[str, npt.NDArray[np.generic]], str]:
    """Return the columns of the frame, and the unit in words."""
    factor = UNITS[unit or "s"]
    plain = False

    def seconds(text: str) -> float | None:
        nonlocal plain
        number = finite(text)
        plain = plain or number is not None
        return duration_of(text) if number is None else number * factor

    column = table.columns[place]
    duration = each(column, seconds)
    bad = ~((duration >= 0.0) & (duration <= LARGEST))
    for row in np.flatnonzero(bad).tolist():
        (text,) = column.taken(np.array([row])).texts()
        reason = f"{text[:60]!r} is no time of 0 or more"
        findings.add("dropped", int(table.lines[row]), "bad-duration", reason)
    censored = np.zeros(len(table), dtype=np.bool_)
    if cut is None:
        findings.add("noted", 1, "all-ended", "no column says which were cut off: all ended")
    else:
        codes, texts = table.columns[cut.place].coded()
        censored = np.array([text.lower() in cut.texts for text in texts], dtype=np.bool_)[codes]
        silent = np.array([text.lower() in _NONE - cut.texts for text in texts], dtype=np.bool_)
        for row in np.flatnonzero(silent[codes] & ~bad).tolist():
            reason = "nothing says whether it was cut off"
            findings.add("dropped", int(table.lines[row]), "bad-flag", reason)
        bad = bad | silent[codes]
    if plain and unit is None:
        findings.add("noted", 1, "no-unit", "no unit is named: seconds")
    empty = ~bad & censored & (duration == 0.0)
    findings.add_lines("skipped", table.lines[empty], "no-time", "cut off at age 0")
    kept = ~bad & ~empty
    columns: dict[str, npt.NDArray[np.generic]] = {
        "duration": duration[kept],
        "censored": censored[kept],
        "line": table.lines[kept],
    }
    return columns, f"in {unit or 's'}" if plain else "as written"
