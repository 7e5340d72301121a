import pickle

import numpy as np
import pandas as pd
import pytest

from sim.traces import MEASURES, describe_jobs, read_swf
from tests.support.logs import require
from tests.support.session_logs import session_log

MINUTE, DAY = 60.0, 86_400.0


def frame(rows, columns=("submit", "processors", "runtime", "walltime", "user")):
    return pd.DataFrame(rows, columns=list(columns))


# By hand: submissions after 0, 10, 30, 90 min and 1 day; users 1, 1, 2, 1, 2.
FIVE = frame(
    [
        (0.0, 4, 100.0, 200.0, 1),
        (10 * MINUTE, 4, 200.0, 200.0, 1),
        (30 * MINUTE, 8, 300.0, 900.0, 2),
        (90 * MINUTE, 4, 400.0, 200.0, 1),
        (DAY, 4, 500.0, 900.0, 2),
    ]
)


def test_the_measures_of_five_jobs_are_those_counted_by_hand():
    found = describe_jobs(FIVE, processors=10).measures
    gaps = np.array([600.0, 1200.0, 3600.0, DAY - 5400.0])
    assert found["jobs_per_day"] == 5.0
    assert found["gap_mean_s"] == DAY / 4
    assert found["gap_cv"] == pytest.approx(np.std(gaps) / np.mean(gaps))
    assert found["gap_correlation"] == pytest.approx(np.corrcoef(gaps[:-1], gaps[1:])[0, 1])
    work = 400.0 + 800.0 + 2400.0 + 1600.0 + 2000.0
    assert found["load"] == pytest.approx(work / (10 * DAY))
    assert (found["size_mean"], found["size_median"]) == (4.8, 4.0)
    assert found["equal_size"] == 0.5  # of four successions the first and the last
    assert found["equal_size_independent"] == pytest.approx(0.8**2 + 0.2**2)
    assert (found["runtime_mean_s"], found["runtime_median_s"]) == (300.0, 300.0)
    assert found["overestimate_median"] == pytest.approx(1.8)
    assert found["accuracy_mean"] == pytest.approx((0.5 + 1 + 1 / 3 + 1 + 5 / 9) / 5)
    assert found["overrun"] == 0.2
    assert found["users"] == 2.0
    # Sessions: jobs 1 and 2; 3; 4, an hour and 20 minutes later; 5.
    assert found["session_jobs"] == 1.25
    # Equal to the user's last one: jobs 2 and 4; runs: three jobs, one, one.
    assert found["equal_to_last"] == 0.4
    assert found["equal_run"] == pytest.approx(5 / 3)


def test_hours_and_weekdays_are_those_of_the_clock():
    monday_noon = 4 * DAY + DAY / 2  # 5 January 1970
    found = describe_jobs(FIVE, clock=monday_noon)
    assert found.by_hour[12:14].tolist() == [2.0, 0.5]  # of two days
    assert found.by_hour.sum() == 2.5
    assert found.by_weekday.tolist() == [4.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert found.days["jobs"].tolist() == [4, 1]
    assert found.days["load"].isna().all()
    assert np.isnan(found.measures["load"])


def test_load_and_sizes_add_up():
    found = describe_jobs(FIVE, processors=10)
    assert found.days["load"].sum() == pytest.approx(7200.0 / (10 * DAY))
    assert found.sizes["share"].tolist() == [0.8, 0.2]
    assert found.sizes["load_share"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert found.sizes["share"].sum() == pytest.approx(1.0)


def test_what_is_unknown_is_left_out_and_counted():
    more = pd.concat([FIVE, frame([(-1.0, 4, 5.0, 9.0, 1), (7.0, -1, 5.0, 9.0, 1)])])
    found = describe_jobs(more)
    assert (found.jobs, found.left_out) == (5, 2)
    anonymous = describe_jobs(FIVE.assign(user=-1, walltime=-1.0)).measures
    unknown = {"users", "session_jobs", "equal_to_last", "equal_run", "load", "overrun"}
    unknown |= {"overestimate_median", "accuracy_mean", "overestimate_correlation"}
    assert {name for name, value in anonymous.items() if np.isnan(value)} == unknown


def test_order_in_the_file_does_not_matter():
    mixed = FIVE.sample(frac=1.0, random_state=3)
    assert describe_jobs(mixed).measures == pytest.approx(describe_jobs(FIVE).measures, nan_ok=True)


def test_weeks_are_whole_and_count_as_logs_of_their_own():
    log = session_log(days=25)
    found = describe_jobs(log, processors=512)
    assert found.weeks.index.tolist() == [0, 1, 2]
    assert list(found.weeks) == list(MEASURES)
    first = log[log["submit"] < log["submit"].iloc[0] + 7 * DAY]
    alone = describe_jobs(first, processors=512).measures
    for name in ("gap_cv", "equal_size", "runtime_correlation", "equal_run"):
        assert found.weeks[name].iloc[0] == pytest.approx(alone[name])


def test_the_beginning_of_intrepid_has_the_figures_once_measured():
    """Numbers of another implementation, which also says what independent sizes would give."""
    path = require("jobs/intrepid/intrepid-first3000-nowalltime.txt.xz")
    found = describe_jobs(read_swf(path, dialect="no-walltime").frame).measures
    assert found["gap_cv"] == pytest.approx(4.2, abs=0.05)
    assert found["gap_correlation"] == pytest.approx(0.36, abs=0.005)
    assert found["equal_size"] == pytest.approx(0.67, abs=0.005)
    assert found["equal_size_independent"] == pytest.approx(0.32, abs=0.005)
    assert found["runtime_correlation"] == pytest.approx(0.51, abs=0.005)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (FIVE[:1], {}, "frame must hold two jobs that ran, got 1 of 1"),
        (FIVE.assign(submit=9.0), {}, "frame must hold jobs of different times, got all at 9.0"),
        (FIVE.drop(columns="runtime"), {}, "frame must have the columns of read_swf"),
        (FIVE, {"processors": 0}, "processors must be a whole number >= 1, got 0"),
        (FIVE, {"clock": np.inf}, "clock must be finite, got inf"),
        (FIVE.assign(submit=[0, 1, 2, 3, 1e12]), {}, "frame must span at most 100 years"),
    ],
)
def test_domain(rows, options, message):
    with pytest.raises(ValueError, match=message):
        describe_jobs(rows, **options)


def test_a_description_can_be_sent_and_shown():
    found = describe_jobs(FIVE, processors=10)
    again = pickle.loads(pickle.dumps(found))
    assert again.measures == found.measures
    pd.testing.assert_frame_equal(again.days, found.days)
    assert repr(found) == "<job log: jobs 5, submitted over 1 days, load 0.01, CV of gaps 1.59>"
    assert "<table" in found._repr_html_()
