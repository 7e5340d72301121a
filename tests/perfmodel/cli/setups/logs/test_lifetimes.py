import json

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

ROWS = "10,failed\n20,running\n30,failed\n5,failed\n12,failed\n"


def fit(path, *arguments, code=0):
    done = runner().invoke(main, ["fit", str(path), *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "lives.csv"
    path.write_text(f"hours,status\n{ROWS}")
    return path


@pytest.fixture
def flags(tmp_path):
    path = tmp_path / "flags.csv"
    path.write_text("age,status\n" + ROWS.replace("failed", "1").replace("running", "0"))
    return path


def test_the_mtbf_is_all_time_over_the_lives_that_ended(table):
    found = json.loads(fit(table, "--lifetimes", "--json"))
    assert found["mtbf_s"] == pytest.approx(77.0 / 4.0 * 3600.0, rel=1e-12)
    assert (found["failures"], found["observed_s"]) == (4, 77.0 * 3600.0)
    exponential = next(row for row in found["uptime_fits"] if row["family"] == "exponential")
    assert exponential["mean_s"] == pytest.approx(found["mtbf_s"], rel=1e-9)
    assert found["log"][0].startswith("lives.csv: 5 of 5 lifetimes, 4 ended and 1 cut off")
    assert found["clustered"] is found["gaps_overdispersed"] is None


def test_a_flag_without_a_meaning_is_refused_with_the_option_that_decides(flags):
    refusal = fit(flags, "--lifetimes", code=2)
    assert "--censored-column as status=0 or as status=1, whichever is cut off" in refusal
    options = ("--lifetimes", "--unit", "h", "--json")
    zero = json.loads(fit(flags, *options, "--censored-column", "status=0"))
    one = json.loads(fit(flags, *options, "--censored-column", "status=1"))
    assert zero["mtbf_s"] == pytest.approx(77.0 / 4.0 * 3600.0, rel=1e-12)
    assert one["mtbf_s"] == pytest.approx(77.0 * 3600.0, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--duration-column", "hours"], "--duration-column must come with --lifetimes"),
        (["--censored-column", "status"], "--censored-column must come with --lifetimes"),
        (["--lifetimes", "--by", "node"], "--by must come with a failure log"),
        (["--lifetimes", "--cause", "disk"], "--cause must come with a failure log"),
        (["--lifetimes", "--duration-column", "age"], "must be one of hours, status, got 'age'"),
    ],
)
def test_options_without_effect_are_refused(table, options, words):
    assert words in fit(table, *options, code=2)


def test_lives_of_no_length_are_refused(tmp_path):
    path = tmp_path / "lives.csv"
    path.write_text("duration,event\n0,1\n")
    assert "must hold lifetimes above 0" in fit(path, "--lifetimes", code=2)
