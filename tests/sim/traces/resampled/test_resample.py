"""A drawn log keeps what neighbours in the log have in common; independent draws do not."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sim.traces import Condition, describe_jobs, read_jobs, resample_jobs
from tests.support.logs import require
from tests.support.session_logs import DAY, independent, session_log

# What the order of jobs decides, and what each job alone or its gap decides.
ORDER = ("gap_correlation", "equal_size", "runtime_correlation", "overestimate_correlation")
ALONE = ("gap_cv", "overestimate_median", "accuracy_mean")
LOGS = {
    "generated": (None, 512),
    "SDSC-SP2": ("jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz", 128),
    "CTC-SP2": ("jobs/pwa/CTC-SP2-1996-3.1-cln.swf.gz", 338),
    "SDSC-BLUE": ("jobs/pwa/SDSC-BLUE-2000-4.2-cln.swf.gz", 1152),
}
ROOT = Path(__file__).parents[4]
WAYS = ("user", "day", "week")


def rng(seed=1):
    return np.random.default_rng(seed)


def offered(frame):
    """Return the processor time of all jobs, [s]; size as requested where none was allocated."""
    asked = frame["requested_processors"]
    return float(
        (frame["runtime"] * frame["processors"].where(frame["processors"] > 0, asked)).sum()
    )


@pytest.fixture(scope="module", params=LOGS)
def log(request):
    """Return a log, its machine, and the 5 to 95 % range of each measure over its weeks."""
    path, processors = LOGS[request.param]
    frame = session_log(days=364) if path is None else read_jobs(require(path)).frame
    described = describe_jobs(frame, processors=processors)
    low, high = (described.weeks.quantile(level) for level in (0.05, 0.95))
    return frame, described, low, high


@pytest.mark.few(3)
@pytest.mark.parametrize("by", WAYS)
@pytest.mark.parametrize("factor", [None, 0.8, 1.2])
def test_a_typical_week_of_a_drawn_log_is_like_those_of_the_log(log, by, factor):
    frame, described, low, high = log
    load = None if factor is None else factor * described.measures["load"]
    size = described.processors
    # Of SDSC-BLUE by user one draw in ten lies outside: few of its users make most jobs.
    weeks = []
    for seed in (1, 2, 3):
        drawn = resample_jobs(frame, rng(seed), by=by, days=84.0, load=load, processors=size)
        weeks.append(describe_jobs(drawn, processors=size).weeks)
        if load is not None:
            assert offered(drawn) / (size * 84.0 * DAY) == pytest.approx(load, rel=0.0101)
    week = pd.concat(weeks).median()
    for name in (*ORDER, *ALONE):
        assert low[name] <= week[name] <= high[name], name


def test_independent_draws_lose_what_the_order_of_jobs_decides(log):
    frame, described, low, _ = log
    known = frame[(frame["runtime"] >= 0) & (frame["processors"] > 0)]
    week = describe_jobs(independent(known), processors=described.processors).weeks.median()
    for name in ORDER:
        assert week[name] < low[name], name


@pytest.mark.parametrize("by", WAYS)
def test_every_job_is_one_of_the_log_at_its_hour(by):
    frame = session_log(days=42)
    drawn = resample_jobs(frame, rng(), by=by, days=70.0)
    source = frame.set_index("line").loc[drawn["line"]]
    for name in ("processors", "runtime", "walltime"):
        assert drawn[name].tolist() == source[name].tolist()
    moved = drawn["submit"].to_numpy() - source["submit"].to_numpy()
    cycle = 7 * DAY if by != "day" else DAY
    assert np.abs(moved / cycle - np.round(moved / cycle)).max() < 1e-9
    assert drawn["submit"].is_monotonic_increasing
    assert (
        drawn["submit"].between(frame["submit"].iloc[0], frame["submit"].iloc[0] + 70 * DAY).all()
    )
    assert drawn["job"].tolist() == list(range(1, len(drawn) + 1))
    assert (drawn["wait"] == -1).all()


def test_days_stand_in_for_days_of_the_same_name():
    frame = session_log(days=84)
    age = frame["submit"] - frame["submit"].iloc[0]
    frame = frame[age // DAY % 7 < 5]
    drawn = resample_jobs(frame, rng(), by="day", days=84.0)
    first = frame["submit"].iloc[0]
    assert set((drawn["submit"] - first) // DAY % 7) == {0, 1, 2, 3, 4}


def test_the_gaps_of_a_user_are_those_of_the_log():
    """More load is more users: nobody submits faster than before."""
    frame = session_log(days=84)
    load = describe_jobs(frame, processors=512).measures["load"]
    drawn = resample_jobs(frame, rng(), load=3.0 * load, processors=512, days=84.0)

    def gaps(log):
        return log.groupby("user")["submit"].diff().dropna()

    assert len(drawn) > 2 * len(frame)
    assert drawn["user"].nunique() > 2 * frame["user"].nunique()
    # Moved around the end of the log, each user has at most one gap of their own that is new.
    new = ~gaps(drawn).isin(gaps(frame))
    assert new.sum() <= drawn["user"].nunique()


@pytest.mark.parametrize(("by", "days"), [("user", 42), ("day", 42), ("week", 42), ("day", 8)])
@pytest.mark.parametrize("factor", [1.0, 1.6, 2.4])
def test_nobody_stands_beside_a_copy_of_themselves_at_the_same_instant(by, days, factor):
    """Copies would double bursts: all of these loads can be had from pieces that differ."""
    frame = session_log(days=days)
    load = factor * describe_jobs(frame, processors=512).measures["load"]
    drawn = resample_jobs(frame, rng(), by=by, load=load, processors=512, days=21.0)
    assert not drawn.duplicated(["line", "submit"]).any()


def test_where_a_log_has_nobody_else_a_copy_stands_beside_them():
    frame = session_log(days=9)
    load = 3.0 * describe_jobs(frame, processors=512).measures["load"]
    drawn = resample_jobs(frame, rng(), by="week", load=load, processors=512)
    assert drawn.duplicated(["line", "submit"]).mean() > 0.5
    assert offered(drawn) / (512 * 7 * DAY) == pytest.approx(load, rel=0.0101)


@pytest.mark.slow
def test_the_load_of_many_draws_is_that_of_the_log():
    """Without a load asked for, none is preferred: means over 60 draws, five standard errors."""
    frame = session_log(days=56)
    age = frame["submit"] - frame["submit"].iloc[0]
    for by in WAYS:
        whole = 55 if by == "day" else 49  # days in blocks of this kind
        drawn = [resample_jobs(frame, rng(seed), by=by, days=56.0) for seed in range(60)]
        found = [offered(each) / 56 for each in drawn]
        wanted = offered(frame[age < whole * DAY]) / whole
        if by == "day":  # each day of the week is drawn as often, and the log has six Saturdays
            weekday = (age // DAY).astype(int) % 7
            wanted = (
                sum(
                    offered(frame[(weekday == day) & (age < whole * DAY)])
                    / len(range(day, whole, 7))
                    for day in range(7)
                )
                / 7
            )
        assert np.mean(found) == pytest.approx(wanted, abs=5 * np.std(found) / 60**0.5)


def test_printed_numbers_are_met_to_their_last_digit():
    frame = session_log(days=84)
    like = [
        Condition("jobs", 2_000, 0.5),
        Condition("processors", 0.300, 0.0005, below=9),
        Condition("runtime", 0.250, 0.0005, at_least=600.0, below=1200.0),
        Condition("runtime", 1_900.0, 0.5),
    ]
    for by in ("day", "week"):
        drawn = resample_jobs(frame, rng(), by=by, days=35.0, like=like)
        assert len(drawn) == 2_000
        assert (drawn["processors"] < 9).mean() == pytest.approx(0.3, abs=0.00051)
        share = ((drawn["runtime"] >= 600) & (drawn["runtime"] < 1200)).mean()
        assert share == pytest.approx(0.25, abs=0.00051)
        assert drawn["runtime"].mean() == pytest.approx(1_900.0, abs=0.51)


def test_where_no_user_is_named_bursts_are_drawn():
    frame = session_log(days=84).assign(user=-1)
    load = describe_jobs(frame, processors=512).measures["load"]
    drawn = resample_jobs(frame, rng(), by="day", load=1.3 * load, processors=512, days=84.0)
    assert offered(drawn) / (512 * 84 * DAY) == pytest.approx(1.3 * load, rel=0.0101)
    assert (drawn["user"] == -1).all()
    with pytest.raises(ValueError, match="frame must name users where by is 'user', got none"):
        resample_jobs(frame, rng(), by="user")


def test_the_seed_decides():
    frame = session_log(days=35)
    pd.testing.assert_frame_equal(resample_jobs(frame, rng(3)), resample_jobs(frame, rng(3)))
    assert not resample_jobs(frame, rng(3)).equals(resample_jobs(frame, rng(4)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "hour"}, "by must be one of user, day, week, got 'hour'"),
        ({"days": 0.0}, "days must be finite and > 0, got 0.0"),
        ({"days": 1e6}, "days must be at most 36525, got 1000000.0"),
        ({"load": 0.5}, "processors must be given with load, got none"),
        ({"load": -1.0, "processors": 9}, "load must be finite and > 0, got -1.0"),
        ({"processors": 0}, "processors must be a whole number >= 1, got 0"),
        ({"tries": 0}, "tries must be a whole number >= 1, got 0"),
        (
            {"like": [Condition("runtime", 1e9, 1.0)], "tries": 50},
            "load and like must be within reach of the log's own pieces, got mean runtime .* "
            "instead of 1e[+]09 after 50 exchanges",
        ),
    ],
)
def test_domain(options, message):
    with pytest.raises(ValueError, match=message):
        resample_jobs(session_log(days=15), rng(), **options)


def test_a_log_shorter_than_its_blocks_is_refused():
    with pytest.raises(ValueError, match=r"frame must span a week or more, got 4.* days"):
        resample_jobs(session_log(days=5), rng(), by="week")
    with pytest.raises(ValueError, match=r"frame must span a day or more, got 0.* days"):
        resample_jobs(session_log(days=1), rng(), by="day")
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, got 1"):
        resample_jobs(session_log(days=15), 1)


SEARCHED = """
import numpy as np
from sim.traces import resample_jobs
from tests.support.session_logs import session_log

drawn = resample_jobs(
    session_log(days=28), np.random.default_rng(3), by="user", days=14.0, load=0.4, processors=512
)
print(drawn.to_csv(index=False))
"""


def test_the_compiled_search_draws_what_the_same_lines_do_in_python():
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", SEARCHED],
            env=os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": off},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for off in ("0", "1")
    )
    assert len(compiled.splitlines()) > 5000
    assert compiled == plain
