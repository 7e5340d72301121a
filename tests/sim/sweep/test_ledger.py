"""The ledger: claims, what is refused, and what is kept when something goes wrong."""

import hashlib
import json
import multiprocessing
import os
import resource
import signal
import sqlite3
from contextlib import closing

import pytest

from sim.sweep import Cell, open_ledger
from sim.sweep.ledger import Played
from sim.sweep.place import Self, Watch, network_of, this_process

ABOUT = {"perfmodel": "1", "sha256 of jobs.swf": "ab" * 32}
TASKS = [Cell({"a": number}).task(0, seed=1) for number in range(6)]


def result(task, numbers=(("x", 0.1),), *, started=1.0, ended=2.0):
    return Played(*task[:2], task.seed, dict(numbers), "", started, ended, "here")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.db"


def opened(path, about=ABOUT, **more):
    return closing(open_ledger(path, about, **more))


def test_what_is_written_is_there_for_the_next(path):
    with opened(path) as ledger:
        assert ledger.claim(TASKS[:2]) == TASKS[:2]
        ledger.record([result(TASKS[0], {"x": 1 / 3, "n": 2, "engine": "core"}.items())])
    with opened(path) as ledger:
        names = [task.cell for task in TASKS[:2]]
        assert ledger.done(names) == {
            names[0]: {0: {"x": 1 / 3, "n": 2, "engine": "core"}},
            names[1]: {},
        }
        assert ledger.claim(TASKS[:2]) == [TASKS[1]]


def test_two_at_once_never_have_the_same_task(path):
    with opened(path) as one, opened(path) as other:
        first = one.claim(TASKS[:4])
        second = other.claim(TASKS)
    assert first == TASKS[:4]
    assert second == TASKS[4:]


def test_who_leaves_gives_back_what_he_claimed(path):
    with opened(path) as one, opened(path) as other:
        one.claim(TASKS)
        one.leave()
        assert other.claim(TASKS) == TASKS


def claim_and_die(path):
    ledger = open_ledger(path, ABOUT)
    ledger.claim(TASKS)
    os.kill(os.getpid(), signal.SIGKILL)


def test_claims_of_a_dead_process_are_free_at_once(path):
    dead = multiprocessing.Process(target=claim_and_die, args=(path,))
    dead.start()
    dead.join()
    with opened(path) as ledger:
        assert ledger.claim(TASKS) == []
        ledger.tend()
        assert ledger.claim(TASKS) == TASKS


def test_claims_of_a_process_that_shows_no_life_are_free_after_the_lease(path):
    with opened(path) as one, opened(path, lease=-1.0) as other:
        one.claim(TASKS[:3])
        other.tend()  # sees it for the first time
        one.tend()
        other.tend()  # it has shown life since
        assert other.claim(TASKS[:1]) == []
        other.tend()
        assert other.claim(TASKS[:3]) == TASKS[:3]
        one.record([result(TASKS[0])])  # late, and still right
        other.record([result(TASKS[0], [("x", 9.0)])])
        assert one.done([TASKS[0].cell]) == {TASKS[0].cell: {0: {"x": 0.1}}}


def test_a_process_of_another_start_of_the_machine_is_dead():
    here = this_process()
    watch = Watch()
    assert not watch.is_dead(1, here, 0)
    assert watch.is_dead(2, here._replace(born=f"{here.born}0"), 0)
    assert watch.is_dead(3, Self("another 1", here.process, here.born), 0)
    assert not watch.is_dead(4, Self(here.place.split()[0] + " pid:[1]", 2**30, "7"), 0)


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({**ABOUT, "perfmodel": "2"}, "perfmodel 1 there, 2 here"),
        ({**ABOUT, "sha256 of jobs.swf": "cd" * 32}, "abababababababab... there, cdcdcdcdcdcdcdcd"),
        ({"perfmodel": "1"}, "sha256 of jobs.swf abababababababab... there, none here"),
    ],
)
def test_a_ledger_of_something_else_is_refused_with_the_difference(path, about, words):
    with opened(path):
        pass
    with pytest.raises(ValueError, match=r"^ledger must be of this study, got .* of another") as no:
        open_ledger(path, about)
    assert words in str(no.value)


def test_other_files_are_refused(path):
    path.write_text("not a database, and long enough to be read as one\n" * 20)
    with pytest.raises(ValueError, match=r"ledger must be whole, got .*not a database"):
        open_ledger(path, ABOUT)
    path.unlink()
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE mine (x)")
    with pytest.raises(ValueError, match="ledger must be one of a sweep"):
        open_ledger(path, ABOUT)
    with pytest.raises(OSError, match="must be writable, got 'unable to open"):
        open_ledger(path / "below", ABOUT)


CHECKED = "cell, replication, seed, numbers, remark, started, ended, host"


def spoil(path, *statements):
    with closing(sqlite3.connect(path)) as base:
        for statement in statements:
            base.execute(statement)
        base.commit()


def sign(path):
    """Have rows that were changed pass the checksum, as whoever knows how can."""
    with closing(sqlite3.connect(path)) as base:
        for row in base.execute(f"SELECT {CHECKED} FROM played").fetchall():
            text = json.dumps(row, sort_keys=True, separators=(",", ":"))
            digest = hashlib.sha256(text.encode()).hexdigest()[:32]
            base.execute("UPDATE played SET checksum=? WHERE cell=?", (digest, row[0]))
        base.commit()


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        "numbers='[1]'",
        "numbers='{}'",
        """numbers='{"x": null}'""",
        """numbers='{"x": {}}'""",
        "numbers='nonsense'",
        "numbers='" + "[" * 100_000 + "'",
        "replication=-1",
        "started='soon'",
        "ended=9e999",
        "host=7",
        "remark=x'00ff'",
    ],
)
def test_what_was_changed_by_others_is_refused(path, change, signed):
    with opened(path) as ledger:
        ledger.record([result(TASKS[0])])
    spoil(path, f"UPDATE played SET {change}")
    if signed:
        if change in ("host=7", "remark=x'00ff'"):
            return  # the one becomes a text, and JSON has none of the other
        sign(path)
    with opened(path) as ledger, pytest.raises(ValueError, match=r"ledger must be whole, got .* c"):
        ledger.done([TASKS[0].cell])


def test_another_number_is_refused_without_its_checksum(path):
    with opened(path) as ledger:
        ledger.record([result(TASKS[0])])
    spoil(path, """UPDATE played SET numbers='{"x":0.2}'""")
    with opened(path) as ledger, pytest.raises(ValueError, match="it is not what was written"):
        ledger.done([TASKS[0].cell])


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER t AFTER INSERT ON played BEGIN DELETE FROM played; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE INDEX i ON played (host)",
        "CREATE TABLE more (x)",
        "ALTER TABLE played ADD COLUMN more",
        "DROP TABLE claims",
    ],
)
def test_a_ledger_of_other_tables_is_refused(path, change):
    with opened(path):
        pass
    spoil(path, change)
    with pytest.raises(ValueError, match=r"^ledger must have the tables of a sweep alone, got"):
        open_ledger(path, ABOUT)


def test_a_view_that_never_ends_is_not_asked(path):
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    with opened(path):
        pass
    spoil(
        path,
        "DROP TABLE about",
        f"CREATE VIEW about AS SELECT x AS name, x AS value FROM ({endless})",
    )
    with pytest.raises(ValueError, match="ledger must have the tables of a sweep alone"):
        open_ledger(path, ABOUT)


def test_what_it_is_about_must_all_be_there(path):
    for name, words in (("perfmodel", "perfmodel none there, 1 here"), ("latest", "latest")):
        with opened(path):
            pass
        spoil(path, f"DELETE FROM about WHERE name='{name}'")
        with pytest.raises(ValueError, match=words), opened(path) as ledger:
            ledger.latest()
        path.unlink()


def test_claims_of_nobody_are_free(path):
    with opened(path) as ledger:
        ledger.claim(TASKS[:1])
        spoil(path, f"INSERT INTO claims VALUES ('{TASKS[1].cell}', 0, 77)")
        assert ledger.claim(TASKS[1:2]) == []
        ledger.tend()
        assert ledger.claim(TASKS[1:2]) == TASKS[1:2]
        spoil(path, "INSERT INTO owners VALUES (99, x'ff', 'x', x'00', 'x')")
        ledger.tend()


def test_a_file_that_may_not_be_written_is_refused(path, monkeypatch):
    with opened(path):
        pass
    connect = sqlite3.connect  # root may write any file, so that its mode would not do
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **how: connect(f"file:{path}?mode=ro", uri=True, **how)
    )
    with pytest.raises(OSError, match="must be writable, got 'attempt to write a readonly"):
        open_ledger(path, ABOUT)


def write_until_full(path):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    ledger = open_ledger(path, ABOUT)
    ledger.record([result(TASKS[0])])
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    with pytest.raises(OSError, match="must be writable, got"):
        fill(ledger)
    os._exit(7)


def fill(ledger):
    for number in range(1, 10_000):
        ledger.record([result(Cell({"b": number}).task(k, seed=1)) for k in range(100)])


def test_a_full_disk_ends_in_a_line_and_nothing_is_lost(path):
    process = multiprocessing.Process(target=write_until_full, args=(path,))
    process.start()
    process.join(300)
    assert process.exitcode == 7
    with opened(path) as ledger:
        assert ledger.done([TASKS[0].cell]) == {TASKS[0].cell: {0: {"x": 0.1}}}
        sizes = [len(ledger.done([Cell({"b": n}).name])[Cell({"b": n}).name]) for n in (1, 2)]
        ledger.record([result(TASKS[1])])
    assert sizes == [100, 100]  # a group is there or not, never half


def test_nothing_is_decided_by_the_clock_of_the_day(path):
    with opened(path) as ledger:
        ledger.record([result(TASKS[0], started=9e9, ended=9e9)])
        ledger.record([result(TASKS[1], started=5.0, ended=6.0)])
        assert ledger.latest() == 9e9
        assert ledger.claim(TASKS) == TASKS[2:]


@pytest.mark.parametrize(
    ("kind", "found"), [("ext4", None), ("nfs4", "nfs4"), ("lustre", "lustre"), ("9p", "9p")]
)
def test_network_file_systems_are_seen(tmp_path, kind, found):
    home = str(tmp_path).replace(" ", "\\040")
    mounts = f"1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:5 / {home} rw shared:1 - {kind} x rw\n"
    assert network_of(tmp_path / "ledger.db", mounts) == found
    assert network_of(tmp_path.parent / "ledger.db", mounts) is None


def test_a_ledger_on_a_network_is_refused_with_advice(path, monkeypatch):
    monkeypatch.setattr("sim.sweep.ledger.network_of", lambda path: "nfs4")
    with pytest.raises(ValueError, match=r"of this machine, got .* on nfs4.*use a local folder"):
        open_ledger(path, ABOUT)
    assert not path.exists()
