import json
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

import validation
from validation import __main__ as program
from validation import catalogue
from validation.judge.run import Mutant, Outcome
from validation.judge.verdict import Verdict
from validation.kept import Found, Kept
from validation.subjects.interval.cases import SEGMENTS
from validation.tiers import quick

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments):
    return CliRunner().invoke(program.main, arguments)


def test_a_passing_run_ends_with_0_and_says_what_was_spent():
    done = run("--only", "best_segments")
    assert done.exit_code == 0
    assert "11 verdicts, 0 failed; 5 mutants, 0 survived; seed" in done.output
    assert "fails with probability" in done.output
    assert re.search(r"quick tier: \d+\.\d min by the clock, \d+\.\d min of pro", done.output)
    assert re.search(r"best_segments +\d+\.\d s of processor", done.output)


@pytest.mark.slow
def test_each_formula_has_a_line_as_it_is_judged_where_there_is_no_terminal():
    done = run("--only", "best_segments", "--seed", "5")
    told = done.stderr.splitlines()
    assert told[0] == "formulas: 1; seed 5; 0 kept"
    counts = "11 verdicts, 0 failed; 5 mutants, 0 survived"
    assert re.fullmatch(rf"1 of 1: best_segments: {counts}; \d+\.\d s; about 0 min left", told[1])
    assert len(told) == 2
    assert run("--only", "best_segments", "--json").stderr == ""


@pytest.mark.slow
def test_after_ctrl_c_the_judge_ends_soon_and_says_how_to_go_on(tmp_path):
    words = ["--only", "exact_makespan", "--workers", "2", "--keep", str(tmp_path)]
    command = [sys.executable, "-m", "validation", *words]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # In the background of a shell an interrupt would be ignored.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as judge:
        begun = judge.stderr.readline()
        time.sleep(2.0)  # as long as the workers may start
        judge.send_signal(signal.SIGINT)
        last = judge.communicate(timeout=60.0)[1].splitlines()[-1]
    assert begun.startswith("formulas: 4; seed 20070926")
    assert judge.returncode == 130
    assert last == (
        f"Interrupted: what was judged is kept in {tmp_path}, from which the same command goes on."
    )


def test_a_surviving_mutant_ends_with_1(monkeypatch):
    from perfmodel.interval import best_segments

    twin = Mutant(best_segments, "none", best_segments)
    monkeypatch.setattr(catalogue, "MUTANTS", (twin,))
    done = run("--only", "best_segments")
    assert done.exit_code == 1
    assert "survived" in done.output


def test_a_failing_formula_ends_with_1(monkeypatch):
    from dataclasses import replace

    def one_too_many(work, **costs):
        from perfmodel.interval import best_segments

        return best_segments(work, **costs) + 1.0

    named = [case for case in catalogue.CASES if case.formula == "best_segments"]
    cases = [case for case in named if not case.chance]  # these take no second look
    monkeypatch.setattr(catalogue, "CASES", [replace(c, function=one_too_many) for c in cases])
    done = run("--only", "one_too_many", "--json")
    assert done.exit_code == 1
    record = json.loads(done.output)
    assert record["passed"] is False
    counted = [v["passed"] for v in record["verdicts"] if v["check"] == "enumeration"]
    assert counted == [False] * len(SEGMENTS)


def test_json_holds_a_verdict_per_point():
    record = json.loads(run("--only", "best_segments", "--json", "--seed", "7").output)
    assert record["seed"] == 7
    assert record["tier"] == "quick"
    assert record["passed"] is True
    keys = {"formula", "point", "kind", "predicted", "observed", "stderr", "z", "resolution"}
    assert all(keys | {"passed", "note"} <= set(verdict) for verdict in record["verdicts"])
    assert all(mutant["rejected"] for mutant in record["mutants"])


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers():
    first, second = (
        run("--only", "best_segments", "--seed", "3", "--json").output for _ in range(2)
    )
    assert first == second
    assert run("--only", "best_segments", "--seed", "4", "--json").output != first


@pytest.mark.slow  # the other processes import the whole catalogue
def test_two_processes_give_the_bytes_of_one():
    asked = "--only", "best_segments", "--seed", "7", "--json"
    assert run(*asked, "--workers", "2").output == run(*asked).output


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_from_what_it_kept(tmp_path, monkeypatch):
    asked, keep = ("--only", "best_segments", "--json"), ("--keep", str(tmp_path))
    whole = run(*asked, "--seed", "7")
    assert run(*asked, *keep, "--seed", "7").output == whole.output
    kept = json.loads((tmp_path / "best_segments.json").read_text())
    assert len(kept["verdicts"]) == 11
    assert kept["processor_s"] > 0.0
    monkeypatch.setattr(catalogue, "run_cases", None)  # to judge again is an error
    again = run(*asked, *keep)
    assert (again.exit_code, again.output) == (0, whole.output)
    other = run(*asked, *keep, "--seed", "8")
    assert other.exit_code == 2
    assert "of another seed; give another folder" in other.output.replace("\n", " ")


def test_what_is_kept_is_the_same_when_it_is_read(tmp_path):
    nan = float("nan")
    verdicts = (
        Verdict("exact", 1.0, nan, 0.1, float("inf"), 0.1, passed=False, note="raised"),
        Verdict("distance", 1.0, 2.0, 0.1, 0.3, 0.1, passed=True, formula="f", looks=2),
    )
    Kept(tmp_path).keep("f", Found(verdicts, (None, verdicts[1]), 1.5))
    found = Kept(tmp_path).found("f")
    assert found.verdicts[1] == verdicts[1]
    assert found.rejections == (None, verdicts[1])
    assert repr(found.verdicts[0]).endswith("observed nan, z nan>")  # not finite: as in JSON
    assert found.processor_s == 1.5
    assert Kept(tmp_path).found("g") is None


def test_properties_write_json_too():
    done = run("--property", "--only", "best_segments", "--examples", "2", "--seed", "1", "--json")
    assert done.exit_code == 0
    record = json.loads(done.output)
    assert record["tier"] == "property"
    assert record["properties"][0]["formula"] == "best_segments"
    assert record["properties"][0]["judged"] >= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "nothing"), "NAME must be part of one of expected_makespan"),
        (("--property", "--only", "nothing"), "got 'nothing'"),
        (("--examples", "3"), "--examples needs --property"),
        (("--full", "--property"), "different runs"),
        (("--seed", "-1"), "--seed"),
        (("--keep", "x", "--map"), "--keep is for runs without"),
    ],
)
def test_bad_arguments_end_with_2(arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.output


@pytest.mark.slow
def test_the_judge_stays_in_the_checkout(tmp_path):
    with pytest.raises(ImportError, match="run python -m validation from the checkout"):
        validation._check_origin(str(tmp_path / "perfmodel" / "__init__.py"))
    done = subprocess.run(
        [sys.executable, "-m", "validation", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--property" in done.stdout


@pytest.mark.parametrize("other", [("--only", "x"), ("--json",), ("--property",), ("--map",)])
def test_the_table_of_the_advisor_is_a_run_of_its_own(other):
    done = run("--advisor", *other)
    assert done.exit_code == 2
    assert "--advisor is a run of its own" in done.output


@pytest.mark.slow
@pytest.mark.parametrize("passed", [True, False])
def test_the_table_of_the_advisor_names_the_logs_that_are_absent(monkeypatch, passed):
    from validation.subjects.advisor import regrets

    names = ["failures/a", "failures/b"]
    drawn = [case for case in regrets.CASES if case.check == "above keeping the state"]
    monkeypatch.setattr(regrets, "absent", lambda: names)
    monkeypatch.setattr(regrets, "FILES", dict.fromkeys(names))
    monkeypatch.setattr(regrets, "CASES", drawn)
    monkeypatch.setattr(regrets, "DEARER", ())
    twin = Mutant(drawn[0].function, "none", drawn[0].function)
    monkeypatch.setattr(regrets, "MUTANTS", () if passed else (twin,))
    done = run("--advisor")
    assert done.exit_code == (0 if passed else 1)
    assert "left out: failures/b" in done.output
    assert "| above keeping the state | record=steady" in done.output
    assert ("**nothing**" in done.output) is not passed


def test_formulas_that_share_replays_are_judged_by_one_process_and_kept_one_by_one(
    tmp_path, monkeypatch
):
    first, *others = catalogue.TOGETHER[0]
    names = [first, *others, "best_segments"]
    assert {case.formula for case in catalogue.CASES} >= {*catalogue.LONGEST, *catalogue.REPLAYED}
    cases = {name: next(c for c in catalogue.CASES if c.formula == name) for name in names}
    monkeypatch.setattr(catalogue, "CASES", list(cases.values()))
    judged = []

    def judging(cases, mutants, tier):
        del mutants, tier
        judged.extend(case.formula for case in cases)
        if judged == stops_after:
            raise RuntimeError("stopped")
        return Outcome((), ())

    stops_after = names[:2]
    monkeypatch.setattr(catalogue, "MUTANTS", ())
    monkeypatch.setattr(catalogue, "run_cases", judging)
    with pytest.raises(RuntimeError, match="stopped"):
        catalogue.run_catalogue(quick(), kept=Kept(tmp_path))
    assert [name for name in names if Kept(tmp_path).found(name)] == names[:1]
    catalogue.run_catalogue(quick(), kept=Kept(tmp_path))
    assert judged == [*names[:2], *names[1:]]
