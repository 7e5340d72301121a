import io
import json

from sim.traces import read_philly

GPUS = [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu0"]}]
FIRST = {"start_time": "2017-10-07 01:12:09", "end_time": "2017-10-07 01:13:23", "detail": GPUS}
LAST = {"start_time": "2017-10-07 01:13:30", "end_time": "2017-10-09 06:53:12", "detail": GPUS}
JOB = {
    "status": "Pass",
    "vc": "ee9e8c",
    "jobid": "application_1506638472019_14199",
    "attempts": [FIRST, LAST],
    "submitted_time": "2017-10-07 01:11:39",
    "user": "ce2f4c",
}


def read(*jobs, **options):
    return read_philly(io.StringIO(json.dumps(list(jobs), indent=1)), **options)


def test_each_attempt_is_a_row():
    frame, report = read(JOB, strict=True)
    assert frame["state"].tolist() == ["REQUEUED", "COMPLETED"]
    assert frame["wait"].tolist() == [30.0, 7.0]
    assert frame["runtime"].tolist() == [74.0, 193_182.0]
    assert frame[["nodes", "gpus", "processors"]].to_numpy().tolist() == [[2, 3, 3], [2, 3, 3]]
    assert report.problems == ()


def test_what_is_missing_is_said():
    never = {**JOB, "attempts": []}
    open_ended = {**JOB, "attempts": [{**LAST, "end_time": None, "detail": None}], "status": "Odd"}
    early = {**JOB, "submitted_time": "2018-01-01 00:00:00", "attempts": [LAST]}
    frame, report = read(never, open_ended, early, 7, {**JOB, "submitted_time": "soon"})
    assert frame["state"].tolist() == ["ODD", "COMPLETED"]
    assert frame["nodes"].tolist() == [-1, 2]
    assert report.counts == {
        "no-attempt": 1,
        "no-length": 1,
        "negative-wait": 1,
        "bad-record": 1,
        "bad-time": 1,
    }
    assert read_philly(io.StringIO("")).report.counts == {"empty": 1}
