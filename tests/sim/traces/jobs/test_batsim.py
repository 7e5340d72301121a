import io
import json

from sim.cluster import Workload
from sim.traces import read_batsim

JOB = {"id": "w0!7", "subtime": 10, "walltime": 100, "res": 4, "profile": "d"}
PROFILES = {
    "d": {"type": "delay", "delay": 10},
    "twice": {"type": "composed", "repeat": 2, "seq": ["d", "d"]},
    "p": {"type": "parallel_homogeneous", "cpu": 1e9, "com": 0},
    "itself": {"type": "composed", "seq": ["itself"]},
}


def read(*jobs, profiles=PROFILES, **options):
    file = {"nb_res": 4, "jobs": list(jobs), "profiles": profiles}
    return read_batsim(io.StringIO(json.dumps(file, indent=1)), **options)


def test_a_workload_can_be_replayed():
    trace = read(JOB, {**JOB, "id": 8, "subtime": 12, "res": 2}, strict=True)
    assert trace.frame["job"].tolist() == [7, 8]
    assert trace.frame["walltime"].tolist() == [100.0, 100.0]
    assert trace.header == {"MaxProcs": "4"}
    workload = Workload.from_frame(trace.frame)
    assert workload.runtime.tolist() == [10.0, 10.0]
    assert workload.processors.tolist() == [4, 2]


def test_a_profile_may_be_a_sequence():
    jobs = [{**JOB, "profile": name} for name in ("d", "twice", "p", "itself", "missing")]
    trace = read(*jobs, strict=True)
    assert trace.frame["runtime"].tolist() == [10.0, 40.0, -1.0, -1.0, -1.0]
    assert trace.report.counts == {"no-runtime": 3}


def test_jobs_that_are_none_are_dropped_with_their_line():
    broken = [7, {"id": 1}, {**JOB, "res": 0.5}, {**JOB, "subtime": -1}]
    trace = read(JOB, *broken, {**JOB, "walltime": -1})
    assert trace.frame["walltime"].tolist() == [100.0, -1.0]
    assert trace.report.counts == {"bad-record": 4}
    assert trace.report.problems[0].line > 10


def test_a_file_that_ends_early_gives_what_came_before():
    text = json.dumps({"profiles": PROFILES, "jobs": [JOB, JOB]}, indent=1)
    trace = read_batsim(io.StringIO(text[: text.rindex("walltime")]))
    assert trace.frame["runtime"].tolist() == [10.0]
    assert trace.report.counts == {"bad-json": 1}
    assert read_batsim(io.StringIO("")).report.counts == {"empty": 1}
