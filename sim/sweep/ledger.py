"""The ledger of a sweep: an SQLite file in which a replication of a cell is done or is not there.

Several processes of one machine may write to it at once. What one of them plays it has claimed
before; the claims of a process that has ended are free again. What the file says is checked: its
schema, a checksum for each replication, and that the numbers are numbers.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from .cells import Numbers, Task, canonical
from .place import Self, Watch, network_of, this_process

_BUSY = 60.0  # s to wait for another process that writes
_AT_ONCE = 500  # names in one question; SQLite takes 999 at least
_FORMAT = "2"
_CHECKED = "cell, replication, seed, numbers, remark, started, ended, host"
_LONGEST = 10_000_000  # bytes of a text
_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS played (
    cell TEXT NOT NULL, replication INTEGER NOT NULL, seed INTEGER NOT NULL,
    numbers TEXT, remark TEXT NOT NULL,
    started REAL NOT NULL, ended REAL NOT NULL, host TEXT NOT NULL, checksum TEXT NOT NULL,
    PRIMARY KEY (cell, replication)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owners (
    owner INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, process INTEGER NOT NULL,
    born TEXT NOT NULL, beat INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS claims (
    cell TEXT NOT NULL, replication INTEGER NOT NULL, owner INTEGER NOT NULL,
    PRIMARY KEY (cell, replication)) WITHOUT ROWID;
"""


class Played(NamedTuple):
    """What a replication gave; `numbers` are None where it could not be computed, as `remark` says.

    `started` and `ended` are seconds since 1970 by the clock of `host`, for the reader: nothing is
    decided by them.
    """

    cell: str
    replication: int
    seed: int
    numbers: Numbers | None
    remark: str
    started: float
    ended: float
    host: str


def played_of(values: Sequence[Any]) -> Played:
    """Return the values of a `Played` as one, or raise ValueError: they come from a file."""
    if len(values) != len(Played._fields):
        raise ValueError(f"it must have {len(Played._fields)} values, got {len(values)}")
    found = Played._make(values)
    texts, counts = (found.cell, found.remark, found.host), (found.replication, found.seed)
    if not (
        all(isinstance(text, str) for text in texts)
        and all(type(count) is int for count in counts)
        and all(type(instant) in (int, float) for instant in (found.started, found.ended))
    ):
        raise ValueError("a value must be of another kind")
    if found.replication < 0 or not (math.isfinite(found.started) and math.isfinite(found.ended)):
        raise ValueError("replication must be >= 0 and times finite")
    numbers: Any = found.numbers
    if numbers is not None and not (
        isinstance(numbers, dict)
        and numbers
        and all(isinstance(value, int | float | str) for value in numbers.values())
    ):
        raise ValueError(f"numbers must be numbers by name, got {numbers!r:.40}")
    return found


def _checksum(row: Sequence[object]) -> str:
    return hashlib.sha256(canonical(row).encode()).hexdigest()[:32]


class Ledger:
    """An open ledger; made by `open_ledger`."""

    def __init__(self, path: Path, base: sqlite3.Connection, *, lease: float | None = None) -> None:
        self.path = path
        self._base = base
        self._watch = Watch() if lease is None else Watch(lease)
        self._owner: int | None = None

    def done(self, cells: Sequence[str]) -> dict[str, dict[int, Numbers | None]]:
        """Return the numbers of the replications that are done, by cell and replication."""
        found: dict[str, dict[int, Numbers | None]] = {cell: {} for cell in cells}
        for played in self.played(cells):
            found[played.cell][played.replication] = played.numbers
        return found

    def played(self, cells: Sequence[str]) -> Iterator[Played]:
        """Yield all that is known of the replications of cells; raise on what was changed."""
        for start in range(0, len(cells), _AT_ONCE):
            names = cells[start : start + _AT_ONCE]
            with _words(self.path):
                rows = self._base.execute(
                    f"SELECT {_CHECKED}, checksum FROM played "
                    f"WHERE cell IN ({','.join('?' * len(names))})",
                    names,
                ).fetchall()
            for *row, checksum in rows:
                try:
                    if _checksum(row) != checksum:
                        raise ValueError("it is not what was written")
                    numbers = None if row[3] is None else json.loads(row[3])
                    yield played_of((*row[:3], numbers, *row[4:]))
                except (ValueError, TypeError, RecursionError) as error:
                    which = f"replication {row[1]!r:.20} of cell {row[0]!r:.40}"
                    raise ValueError(
                        f"ledger must be whole, got {self.path} where {which} was changed "
                        f"({error!s:.200}): name another file"
                    ) from None

    def claim(self, tasks: Iterable[Task]) -> list[Task]:
        """Take those tasks that are not done and that no living process has taken."""
        taken = []
        with self._writing():
            owner = self._own()
            for task in tasks:
                key = (task.cell, task.replication)
                if self._one("SELECT 1 FROM played WHERE cell=? AND replication=?", key):
                    continue
                made = self._base.execute(
                    "INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", (*key, owner)
                )
                if made.rowcount:
                    taken.append(task)
        return taken

    def record(self, played: Iterable[Played]) -> None:
        """Write down what was played, all of it or nothing; what is there already stays."""
        rows = [
            (
                *each[:3],
                None if each.numbers is None else canonical(each.numbers),
                *(each.remark, float(each.started), float(each.ended), each.host),
            )
            for each in played
        ]
        with self._writing():
            self._base.executemany(
                "INSERT OR IGNORE INTO played VALUES (?,?,?,?,?,?,?,?,?)",
                [(*row, _checksum(row)) for row in rows],
            )
            self._base.executemany(
                "DELETE FROM claims WHERE cell=? AND replication=?", [row[:2] for row in rows]
            )
            latest = max((row[6] for row in rows), default=0.0)
            self._base.execute(
                "UPDATE about SET value=? WHERE name='latest' AND CAST(value AS REAL) < ?",
                (repr(latest), latest),
            )

    def tend(self) -> None:
        """Show that this process lives, and free what dead ones had claimed."""
        with self._writing():
            mine = self._own()
            self._base.execute("UPDATE owners SET beat = beat + 1 WHERE owner=?", (mine,))
            rows = self._base.execute(
                "SELECT owner, CAST(place AS TEXT), CAST(process AS INTEGER), CAST(born AS TEXT), "
                "CAST(beat AS INTEGER) FROM owners"
            )
            for owner, place, process, born, beat in rows.fetchall():
                known = Self(place, process, born)
                if owner != mine and self._watch.is_dead(owner, known, beat):
                    self._forget(owner)
            self._base.execute("DELETE FROM claims WHERE owner NOT IN (SELECT owner FROM owners)")

    def leave(self) -> None:
        """Give back what this process has claimed and not played."""
        if self._owner is not None:
            with self._writing():
                self._forget(self._owner)
            self._owner = None

    def latest(self) -> float:
        """Return when the last replication ended, [s] since 1970; 0 for none."""
        with _words(self.path):
            (found,) = self._one("SELECT value FROM about WHERE name='latest'") or ("",)
        try:
            return float(found)
        except (TypeError, ValueError):
            raise ValueError(f"ledger must be whole, got {self.path} without a latest") from None

    def close(self) -> None:
        """Give back claims and close the file."""
        try:
            self.leave()
        finally:
            self._base.close()

    def _own(self) -> int:
        """Return the number of this process; another one after its lease had been taken away."""
        mine = self._owner
        if mine is None or not self._one("SELECT 1 FROM owners WHERE owner=?", (mine,)):
            made = self._base.execute(
                "INSERT INTO owners (place, process, born, beat) VALUES (?,?,?,0)", this_process()
            )
            self._owner = mine = int(made.lastrowid or 0)
        return mine

    def _forget(self, owner: int) -> None:
        self._base.execute("DELETE FROM claims WHERE owner=?", (owner,))
        self._base.execute("DELETE FROM owners WHERE owner=?", (owner,))

    def _one(self, question: str, values: Sequence[object] = ()) -> tuple[str, ...]:
        row: tuple[str, ...] | None = self._base.execute(question, values).fetchone()
        return row or ()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with _words(self.path):
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise


def open_ledger(path: Path, about: Mapping[str, str], *, lease: float | None = None) -> Ledger:
    """Open the ledger of a study, or begin one.

    Parameters
    ----------
    path : Path
        The file, on a disk of this machine.
    about : mapping of str to str
        What the numbers in it depend on beside cells and seeds: version, checksums of inputs.
    lease : float, optional, [s]
        How long a process may show no life until what it claimed is free; 60 by default. One that
        is seen to have ended loses its claims at once.

    Returns
    -------
    Ledger
        Its `close` must be called.

    Raises
    ------
    ValueError
        If the file is that of another study or version, naming what differs; is not a ledger; or
        is on a network file system.
    OSError
        If it cannot be read or written.
    """
    if kind := network_of(path):
        raise ValueError(
            f"ledger must be on a disk of this machine, got {path} on {kind}, where SQLite cannot "
            "keep it whole: use a local folder such as /tmp or $TMPDIR; workers of a cluster "
            "send their results to this process"
        )
    with _words(path):
        base = sqlite3.connect(path, timeout=_BUSY, isolation_level=None)
    ledger = Ledger(path, base, lease=lease)
    try:
        with _words(path):
            # A file from elsewhere: none of its own functions, and no text that fills the memory.
            base.execute("PRAGMA trusted_schema=OFF")
            base.text_factory = lambda data: data.decode("utf-8", "replace")
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            _keep_a_log(base)
        _begin(ledger, base, about)
    except BaseException:
        base.close()
        raise
    return ledger


def _keep_a_log(base: sqlite3.Connection) -> None:
    """Write ahead, so that who reads does not wait for who writes, nor a kill leaves a half."""
    until = time.monotonic() + _BUSY
    while True:
        try:
            mode = base.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:  # SQLite does not wait here by itself
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.05)
            continue
        if mode != "wal":
            raise sqlite3.OperationalError(f"journal mode {mode}, not wal")
        # A kill of any process loses nothing; a power cut the last seconds, which are played again.
        base.execute("PRAGMA synchronous=NORMAL")
        return


def _begin(ledger: Ledger, base: sqlite3.Connection, about: Mapping[str, str]) -> None:
    wanted = {"ledger format": _FORMAT, **about}
    with ledger._writing():
        known = _schema(base)
        if not known:
            _make_tables(base)
            base.executemany(
                "INSERT INTO about VALUES (?, ?)", [*wanted.items(), ("latest", "0.0")]
            )
            return
        # Compared before anything is asked of it: a view or a trigger could run for ever.
        with closing(sqlite3.connect(":memory:")) as ours:
            _make_tables(ours)
            same = _schema(ours) == known
        if not same:
            names = {name for _, name, _ in known}
            raise ValueError(
                f"ledger must have the tables of a sweep alone, got {ledger.path} with others"
                if {"about", "played"} <= names
                else f"ledger must be one of a sweep, got another SQLite file: {ledger.path}"
            )
        with closing(base.cursor()) as cursor:
            found = {
                str(name): str(value)
                for name, value in cursor.execute("SELECT name, value FROM about")
            }
            # Changes nothing, but fails at once where nothing can be written.
            cursor.execute("UPDATE about SET value=value WHERE name='latest'")
    found.pop("latest", None)
    differing = [
        f"{name} {_short(found.get(name))} there, {_short(wanted.get(name))} here"
        for name in dict.fromkeys([*wanted, *found])
        if found.get(name) != wanted.get(name)
    ]
    if differing:
        raise ValueError(
            f"ledger must be of this study, got {ledger.path} of another: {'; '.join(differing)}; "
            "name another file, or go on with the inputs and the version of that one"
        )


def _make_tables(base: sqlite3.Connection) -> None:
    for statement in _TABLES.split(";"):
        base.execute(statement)


def _schema(base: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Return what a file defines: tables, indexes, views and triggers, by their text."""
    return set(base.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master"))


def _short(text: str | None) -> str:
    if text is None:
        return "none"
    return text if len(text) <= 40 else f"{text[:16]}..."


@contextmanager
def _words(path: Path) -> Iterator[None]:
    """Let what SQLite refuses be said as of any other file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(
            f"ledger {path} must be writable, got {str(error)!r}: what was done is kept, run the "
            "command again to go on"
        ) from error
    except sqlite3.DatabaseError as error:
        raise ValueError(f"ledger must be whole, got {path}: {error}") from error
