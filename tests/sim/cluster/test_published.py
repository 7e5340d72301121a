"""Schedules that other simulators published, job by job."""

import tarfile

import numpy as np
import pytest

from sim.cluster import Workload, flat, replay
from tests.support.public_logs import trace
from tests.support.workloads import ORDERS, POLICIES

PYSS = "reference-results/pyss-unit-tests/Input_test_files.tar.xz"
PREDICTSIM = "reference-results/predictsim"
EASY = "res_easy_backfill_scheduler_None_None.swf.gz"
CLAIRVOYANT = "res_easy_prediction_backfill_scheduler_predictorclairvoyant_throw_an_error.swf.gz"

BACKFILLING = ("easy", "conservative", "conservative-compress")
PYSS_CASES = {
    "basic_input": POLICIES,
    "extreme_input": POLICIES,
    "fcfs_input": ("fcfs",),
    "bf_input": BACKFILLING,
    "easy_bf_input": ("easy",),
    "cons_bf_input": ("conservative", "conservative-compress"),
}


@pytest.fixture(scope="module")
def pyss_files():
    with tarfile.open(trace(PYSS)) as archive:
        files = {
            member.name.rpartition("/")[2]: archive.extractfile(member).read().decode()
            for member in archive
            if member.isfile()
        }
    return {name: text for name, text in files.items() if name.partition(".")[0] in PYSS_CASES}


def pyss_workload(text):
    rows = [line.split("#")[0].split() for line in text.splitlines()]
    rows = [row for row in rows if row]
    # The lines of a case are not always sorted; pyss takes them by submission.
    rows.sort(key=lambda row: float(row[0]))
    submit, name, walltime, processors, runtime = zip(*(row[:5] for row in rows), strict=True)
    finish = np.floor(np.array(name, dtype=float))
    floats = (np.array(column, dtype=float) for column in (submit, runtime, walltime))
    return Workload(*floats, np.array(processors, dtype=int)), finish


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_pyss_cases_finish_when_their_names_say(pyss_files, engine, event_order):
    played = 0
    for name, text in sorted(pyss_files.items()):
        for policy in PYSS_CASES[name.partition(".")[0]]:
            workload, finish = pyss_workload(text)
            result = replay(
                workload, flat(100), policy=policy, event_order=event_order, engine=engine
            )
            np.testing.assert_array_equal(
                result.job_records.end, finish, err_msg=f"{name} under {policy}"
            )
            played += 1
    assert played == 4 * (29 + 3) + 8 + 3 * 9 + 4 + 2 * 2


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("log", "processors", "jobs", "file", "estimates"),
    [
        ("SDSC-SP2", 128, 54_006, EASY, "walltime"),
        ("SDSC-SP2", 128, 54_006, CLAIRVOYANT, "runtime"),
        ("CTC-SP2", 338, 77_199, EASY, "walltime"),
        ("CTC-SP2", 338, 77_199, CLAIRVOYANT, "runtime"),
        ("SDSC-BLUE", 1152, 232_542, EASY, "walltime"),
    ],
)
def test_predictsim_waits_are_reached_job_by_job(log, processors, jobs, file, estimates):
    published = np.loadtxt(
        trace(f"{PREDICTSIM}/{log}/{file}"), comments=";", usecols=(0, 1, 2, 3, 4, 8)
    )
    published = published[np.lexsort((published[:, 0], published[:, 1]))]
    job, submit, wait, runtime, size, walltime = published.T
    workload = Workload(submit, runtime, walltime, size, job=job)
    result = replay(
        workload,
        flat(processors),
        policy="easy",
        event_order="submissions-first",
        estimates=estimates,
    )
    assert len(workload) == jobs
    assert np.flatnonzero(result.job_records.start - submit != wait).size == 0
