"""The columns of ``sacct``: by their names, as a user names them, or by what they hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from ..machines.node_lists import nodes_in
from ..parsing.delimited import Delimited
from ..parsing.numbers import finite
from ..parsing.report import Argument, LogRefused
from ..parsing.values import clock_of
from .slurm_words import NEVER, SACCT_COMMAND, STATES, count_of, length_of, state_of

SACCT_NAMES = (
    *("JobID", "JobIDRaw", "Submit", "Start", "End", "Eligible", "ElapsedRaw", "Elapsed"),
    *("TimelimitRaw", "Timelimit", "AllocCPUS", "NCPUS", "ReqCPUS", "AllocNodes", "NNodes"),
    *("AllocTRES", "NodeList", "ReqMem", "State", "User", "Account", "Partition", "Restarts"),
)
_CANONICAL = {name.lower(): name for name in SACCT_NAMES}
# Columns that hold whatever users write.
FREE = frozenset(
    {"jobname", "comment", "admincomment", "systemcomment", "workdir", "submitline", "reason"}
    | {"container", "constraints", "extra", "wckey", "stdin", "stdout", "stderr", "licenses"}
)
_SOME = 500  # rows that tell what a column holds
_IDENTITY = re.compile(r"[0-9]{1,15}(?:[_+]\S{1,60})?(?:\.\S{1,60})?")
_RAW = re.compile(r"[0-9]{1,15}(?:\.\S{1,60})?")
_LENGTH = re.compile(r"(?:[0-9]{1,6}-)?[0-9]{2,6}:[0-9]{2}:[0-9]{2}")
_MEMORY = re.compile(r"[0-9.]{1,18}[KMGTP][nc]?")


def known_names(header: Sequence[str]) -> tuple[str, ...]:
    """Return names as Slurm spells them, without the width of ``JobName%30``.

    Examples
    --------
    >>> known_names(["jobid", "State%20", "gpus"])
    ('JobID', 'State', 'gpus')
    """
    bare = (name.partition("%")[0].strip() for name in header)
    return tuple(_CANONICAL.get(name.lower(), name) for name in bare)


def named_fields(fields: str) -> tuple[str, ...]:
    """Return the names that a user gives, separated by commas, bars or blanks."""
    return known_names([name for name in re.split(r"[,|\s]+", fields.strip()) if name])


def is_header(fields: Sequence[str]) -> bool:
    """Whether a line names the columns."""
    names = known_names(fields)
    return len(names) > 1 and ("JobID" in names or "JobIDRaw" in names)


def plausible(row: Mapping[str, str]) -> bool:
    """Whether each column of a row holds what its name says."""
    checks: dict[str, Callable[[str], bool]] = {
        **dict.fromkeys(("JobID", "JobIDRaw"), lambda text: bool(_IDENTITY.fullmatch(text))),
        **dict.fromkeys(("Submit", "Start", "End", "Eligible"), _is_time),
        **dict.fromkeys(("Elapsed", "Timelimit"), lambda text: text in NEVER or _is_length(text)),
        **dict.fromkeys(("AllocCPUS", "NCPUS", "AllocNodes", "NNodes", "ElapsedRaw"), _is_count),
        "State": lambda text: state_of(text) in STATES,
    }
    names = known_names(tuple(row))
    return all(
        checks[name](text) for name, text in zip(names, row.values(), strict=True) if name in checks
    )


def _is_time(text: str) -> bool:
    return text in NEVER or (finite(text) or 0.0) > 1e8 or _clock(text) is not None


def _clock(text: str) -> tuple[float, bool] | None:
    return clock_of(text) or clock_of(text, "day-first")


def _is_length(text: str) -> bool:
    return length_of(text) is not None or text in ("UNLIMITED", "Partition_Limit")


def _is_count(text: str) -> bool:
    return not text or count_of(text) is not None


def names_by_values(table: Delimited) -> tuple[str, ...]:
    """Return the names of the columns of a table without a header, "" for those not needed.

    Raises
    ------
    ValueError
        If what they hold can be read in no way, or in two.
    """
    found = _Guess(table)
    found.jobs()
    found.simple()
    found.times()
    found.sizes()
    return tuple(found.names.get(place, "") for place in range(len(table.columns)))


@dataclass(slots=True)
class _Guess:
    """What the first rows tell of each column."""

    table: Delimited
    names: dict[int, str] = field(default_factory=dict)
    texts: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        import numpy as np

        some = np.arange(min(len(self.table), _SOME))
        self.texts = [column.taken(some).texts() for column in self.table.columns]

    def _all(self, fits: Callable[[str], object]) -> list[int]:
        """Return the columns not yet named all of whose texts fit, if there are any texts."""
        return [
            place
            for place, texts in enumerate(self.texts)
            if place not in self.names
            and any(texts)
            and all(not text or fits(text) for text in texts)
        ]

    def _refuse(self, words: str) -> NoReturn:
        line = "|".join(texts[0] if texts else "" for texts in self.texts)
        raise LogRefused(
            f"line {int(self.table.lines[0]) if len(self.table) else 1}: the header must name "
            f"{words}, got none but {line[:120]!r}: give the names (",
            *(Argument("fields"), f"), or take what {SACCT_COMMAND} prints"),
        )

    def jobs(self) -> None:
        """Find the job ids, and leave out the rows of steps."""
        places = [place for place in self._all(_IDENTITY.fullmatch) if all(self.texts[place])]
        several = [place for place in places if len(set(self.texts[place])) * 2 > len(self.table)]
        if not several and places and len(self.texts[places[0]]) < _SOME:
            several = places
        if not several:
            self._refuse("JobIDRaw or JobID")
        first = several[0]
        self.names[first] = "JobID"
        second = first + 1
        if second in places:
            pairs = list(zip(self.texts[first], self.texts[second], strict=True))
            steps = all(a.partition(".")[2] == b.partition(".")[2] for a, b in pairs)
            if steps and all(a == b or "_" in a + b or "+" in a + b for a, b in pairs):
                raw = second if all(_RAW.fullmatch(text) for text in self.texts[second]) else first
                self.names |= {first: "JobID", second: "JobID", raw: "JobIDRaw"}
        jobs = [row for row, text in enumerate(self.texts[first]) if "." not in text]
        self.texts = [[texts[row] for row in jobs] for texts in self.texts]

    def simple(self) -> None:
        """Find what no other column looks like."""
        for name, fits in (
            ("State", lambda text: state_of(text) in STATES),
            ("AllocTRES", lambda text: "=" in text and re.match(r"[a-z/:]+=", text)),
            ("ReqMem", _MEMORY.fullmatch),
        ):
            for place in self._all(fits)[:1]:
                self.names[place] = name
        for place in self._all(lambda text: text == "None assigned" or _is_list(text)):
            if any("[" in text for text in self.texts[place]):
                self.names[place] = "NodeList"
                break

    def times(self) -> None:
        """Find start and end by the length between them, and the submission before both."""
        dates = [
            place
            for place in self._all(lambda text: text in NEVER or (_time(text) or 0.0) > 1e8)
            if any(_time(text) is not None for text in self.texts[place])
        ]
        clocks = {place: [_time(text) for text in self.texts[place]] for place in dates}
        lengths = self._all(lambda text: text in NEVER or _LENGTH.fullmatch(text))
        counts = self._all(lambda text: count_of(text) is not None)
        seconds = {place: [length_of(text) for text in self.texts[place]] for place in lengths}
        seconds |= {
            place: [count_of(text) for text in self.texts[place]]
            for place in counts
            if place not in dates
        }
        fitting = [
            (start, end, place)
            for start in dates
            for end in dates
            if start != end
            for place, values in seconds.items()
            if _is_difference(clocks[start], clocks[end], values)
        ]
        if fitting:
            start, end, length = max(fitting)
            self.names |= {
                start: "Start",
                end: "End",
                length: "Elapsed" if length in lengths else "ElapsedRaw",
            }
        elif len(dates) in (2, 3) and _ascend([clocks[place] for place in dates]):
            names = ("Submit", "Start", "End")[-len(dates) :]
            if len(dates) == 2 and lengths:
                names = ("Submit", "Start")
            self.names |= dict(zip(dates, names, strict=True))
        elif dates:
            self._refuse(f"which of its {len(dates)} columns of dates are Start and End")
        self._limits(lengths, seconds)
        begun = next((place for place, name in self.names.items() if name == "Start"), None)
        for place in dates if begun is not None else ():
            if place not in self.names and _ascend([clocks[place], clocks[begun or 0]]):
                self.names[place] = "Submit"
                break

    def _limits(self, lengths: list[int], seconds: Mapping[int, list[float | None]]) -> None:
        """Name the elapsed time, if none is, and the limit that it keeps."""
        rest = [place for place in lengths if place not in self.names]
        elapsed = next((place for place, name in self.names.items() if "Elapsed" in name), None)
        if elapsed is None and rest and "End" not in self.names.values():
            elapsed = min(rest, key=lambda place: sum(length or 0.0 for length in seconds[place]))
            self.names[elapsed] = "Elapsed"
            rest.remove(elapsed)
        if elapsed is not None and len(rest) == 1 and _ascend([seconds[elapsed], seconds[rest[0]]]):
            self.names[rest[0]] = "Timelimit"

    def sizes(self) -> None:
        """Find nodes and processors: of two columns of counts the smaller is nodes."""
        places = self._all(lambda text: count_of(text) is not None)
        different = {tuple(self.texts[place]): place for place in reversed(places)}
        kinds = sorted(different.values())
        # What waits has no processors yet.
        counts = {place: [count_of(text) or None for text in self.texts[place]] for place in kinds}
        if len(kinds) == 2:
            low, high = sorted(
                kinds, key=lambda place: sum(count or 0.0 for count in counts[place])
            )
            if _ascend([counts[low], counts[high]]):
                self.names |= {low: "NNodes", high: "AllocCPUS"}
                return
        if not {"AllocTRES", "NodeList"} & set(self.names.values()):
            which = "NNodes or AllocCPUS" if len(kinds) == 1 else "NNodes and AllocCPUS"
            self._refuse(f"{which}, for which {len(kinds)} columns may stand")


def _is_list(text: str) -> bool:
    return not text[:1].isdigit() and nodes_in(text) is not None


def _time(text: str) -> float | None:
    number = finite(text)
    if number is not None:
        return number
    found = _clock(text)
    return None if found is None else found[0]


def _is_difference(
    starts: list[float | None], ends: list[float | None], lengths: list[float | None]
) -> bool:
    """Whether nine in ten of the known lengths lie between a start and an end."""
    known = [
        abs(end - start - length) <= 1.0
        for start, end, length in zip(starts, ends, lengths, strict=True)
        if start is not None and end is not None and length is not None
    ]
    return bool(known) and sum(known) >= 0.9 * len(known)


def _ascend(columns: Sequence[list[float | None]]) -> bool:
    """Whether in nine of ten rows what is known does not fall from column to column."""
    good = total = 0
    for row in zip(*columns, strict=True):
        known = [value for value in row if value is not None]
        total += 1
        good += known == sorted(known)
    return good >= 0.9 * total
