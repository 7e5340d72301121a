import gzip
import json

import pytest
from click.testing import CliRunner

from perfmodel.cli import main
from sim.traces import CATALOGUE, read_lanl, read_swf


def run(*arguments):
    return CliRunner().invoke(main, ["traces", *map(str, arguments)])


def test_the_list_says_what_is_at_hand(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFMODEL_TRACES", str(tmp_path))
    (tmp_path / "jobs" / "pwa").mkdir(parents=True)
    log = tmp_path / "jobs" / "pwa" / "KTH-SP2-1996-2.1-cln.swf.gz"
    log.write_bytes(b"")
    rows = {row["name"]: row for row in json.loads(run("list", "--json").output)}
    assert list(rows) == [entry.name for entry in CATALOGUE]
    assert rows["KTH-SP2-1996-2.1-cln"]["local"] == str(log)
    assert rows["KTH-SP2-1996-2.1-cln"]["sha256"] is None
    table = run("list")
    assert table.exit_code == 0
    for entry in CATALOGUE:
        assert entry.name in table.output


@pytest.mark.parametrize("suffix", [".swf", ".swf.gz"])
def test_an_intrepid_like_log_is_written(tmp_path, suffix):
    out = tmp_path / f"jobs{suffix}"
    done = run("generate", "intrepid-like", "--seed", 3, "--out", out)
    assert (done.exit_code, done.output) == (0, f"{out}: 7,630 jobs\n")
    trace = read_swf(out, strict=True)
    assert len(trace.frame) == 7_630
    assert trace.header["MaxProcs"] == "163840"
    assert trace.header["Note"] == "perfmodel traces generate intrepid-like --seed 3"
    first = out.read_bytes()
    run("generate", "intrepid-like", "--seed", 3, "--out", out)
    assert out.read_bytes() == first
    run("generate", "intrepid-like", "--seed", 4, "--out", out)
    assert out.read_bytes() != first


def test_a_lanl_like_log_is_written(tmp_path):
    out = tmp_path / "failures.csv"
    assert run("generate", "lanl-like", "--out", out).exit_code == 0
    assert len(read_lanl(out, system=20, strict=True).frame) > 100


def test_what_is_there_is_checked_not_fetched_again(tmp_path):
    log = tmp_path / "jobs" / "pwa" / "KTH-SP2-1996-2.1-cln.swf.gz"
    log.parent.mkdir(parents=True)
    log.write_bytes(gzip.compress(b"1 2 3\n"))
    done = run("fetch", "KTH-SP2-1996-2.1-cln", "--to", tmp_path, "--insecure-no-checksum")
    assert done.exit_code == 0
    assert done.output.startswith(f"{log}: taken as it is, no checksum is known\nTerms: ")


def test_a_log_without_a_known_checksum_is_not_taken_unasked(tmp_path):
    done = run("fetch", "ANL-Intrepid-2009-1", "--to", tmp_path)
    assert done.exit_code == 2
    assert done.stderr == (
        "Error: ANL-Intrepid-2009-1 must have a known checksum, got none; insecure_no_checksum "
        "(--insecure-no-checksum) takes it as it is\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fetch", "nothing"), "name must be one of"),
        (("fetch",), "Missing argument"),
        (("generate", "intrepid-like"), "Missing option '--out'"),
        (("generate", "mira-like", "--out", "x"), "KIND must be one of"),
        (("fetch", "nothing", "--to", __file__), "--to must be a folder"),
        (("generate", "lanl-like", "--out", "x", "--seed", "-1"), "--seed must be"),
        (("generate", "lanl-like", "--out", "/no/such/folder/x.csv"), "no such folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, words):
    done = run(*arguments)
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert words in done.output
