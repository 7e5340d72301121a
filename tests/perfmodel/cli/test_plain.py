"""What comes from files is printed without what a terminal would obey."""

import json

import pytest

from perfmodel.cli import main
from perfmodel.cli.plain import plain
from tests.support.runner import runner

EVIL = "\x1b]0;owned\x07a\x9b31m\u202eb\u2066"
HARMLESS = "?]0;owned?a?31m?b?"
MACHINES = "name,speed,mtbf,mttr\n{},1,500h,2h\nb,2,600h,3h\n"


def test_signs_that_are_not_seen_are_replaced_and_others_stay():
    assert plain(EVIL) == HARMLESS
    assert plain("\r\x7f\u2028\ufeff\ud800", "-") == "-----"
    text = "a\tb\nc \N{GREEK SMALL LETTER SIGMA} \N{WARNING SIGN} \N{CJK UNIFIED IDEOGRAPH-4E00}"
    assert plain(text) == text


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(name, text, *words, code=0):
        (tmp_path / name).write_text(text, "utf-8")
        done = runner().invoke(main, [*words])
        assert done.exit_code == code, done.output
        assert not set(done.stdout + done.stderr) & {*EVIL} - {*HARMLESS}
        return done

    return call


def test_names_in_tables_facts_and_notes(run):
    words = ("partition", "m.csv", "--work", "1h")
    assert HARMLESS in run("m.csv", MACHINES.format(EVIL), *words).stdout
    log = f"time,node,{EVIL}\n" + "".join(f"{n * n}e4,{EVIL},1\n" for n in range(1, 30))
    said = run("f.csv", log, "fit", "f.csv", "--by", "node").stdout
    assert HARMLESS in said


def test_names_in_errors(run):
    bad = MACHINES.format("a").replace("500h", EVIL)
    assert "owned" in run("m.csv", bad, "partition", "m.csv", "--work", "1h", code=2).stderr
    study = f"[study]\n'{EVIL.replace(chr(27), '').replace(chr(7), '')}' = 1\n[parameters]\n"
    more = ("--ledger", "l.db", "--table", "t.csv")
    run("s.toml", study, "sweep", "s.toml", *more, code=2)
    run(f"{EVIL}.toml", "x", "plan", f"{EVIL}.toml", code=2)


def test_json_escapes_them(run):
    done = run("m.csv", MACHINES.format(EVIL), "partition", "m.csv", "--work", "1h", "--json")
    assert EVIL in json.dumps(json.loads(done.stdout), ensure_ascii=False) or "owned" in done.stdout


def test_dollar_signs_in_a_name_are_no_formula(run, tmp_path):
    pytest.importorskip("matplotlib")
    words = ("partition", "m.csv", "--work", "1h", "--plot", "p.svg")
    run("m.csv", MACHINES.format("$\\bad{$"), *words)
    assert (tmp_path / "p.svg").stat().st_size > 1000
