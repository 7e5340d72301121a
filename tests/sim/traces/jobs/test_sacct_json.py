import io
import json

import pytest

from sim.traces import job_format_of, read_sacct_json, uptimes_of_jobs

TIME = {"submission": 1772323200, "start": 1772323260, "end": 1772409660, "elapsed": 86400}
NEW = {
    "account": "a",
    "allocation_nodes": 10,
    "array": {"job_id": 0, "task_id": {"set": False, "infinite": False, "number": 0}},
    "job_id": 1,
    "state": {"current": ["NODE_FAIL"], "reason": "None"},
    "time": TIME | {"limit": {"set": True, "infinite": False, "number": 1440}},
    "required": {"CPUs": 480, "memory_per_node": {"set": True, "infinite": False, "number": 96}},
    "tres": {
        "allocated": [
            {"type": "cpu", "name": "", "id": 1, "count": 480},
            {"type": "node", "name": "", "id": 4, "count": 10},
        ]
    },
    "user": "u1",
    "partition": "p",
    "nodes": "n[1-10]",
    "steps": [{"step": {"id": {"job_id": 1}}, "state": ["FAILED"], "job_id": 99}],
}
OLD = {
    "job_id": 1,
    "allocation_nodes": 10,
    "association": {"user": "u1", "account": "a", "partition": "p"},
    "state": {"current": "NODE_FAIL", "reason": "None"},
    "time": TIME | {"limit": 1440},
    "required": {"CPUs": 480, "memory_per_node": 96, "memory_per_cpu": None},
}


def read(*jobs, **options):
    text = json.dumps({"meta": {"slurm": {}}, "jobs": list(jobs), "errors": []})
    return read_sacct_json(io.StringIO(text), **options)


@pytest.mark.parametrize("job", [NEW, OLD, {**OLD, "state": ["NODE_FAIL"]}])
def test_versions_say_the_same(job):
    trace = read(job, strict=True)
    row = trace.frame.iloc[0].to_dict()
    assert (row["submit"], row["wait"], row["runtime"]) == (1772323200.0, 60.0, 86400.0)
    assert (row["processors"], row["nodes"], row["walltime"]) == (480, 10, 86400.0)
    assert (row["state"], row["status"], row["user_name"]) == ("NODE_FAIL", 0, "u1")
    assert (row["account"], row["partition_name"]) == ("a", "p")
    assert row["requested_memory"] == 96 * 1024.0 * 10 / 480
    assert trace.report.problems == ()
    found = uptimes_of_jobs(trace.frame)
    assert (found.failures, found.observed) == (1, 864_000.0)


@pytest.mark.parametrize(
    "join",
    [
        lambda jobs: "\n".join(json.dumps(job) for job in jobs),
        json.dumps,
        lambda jobs: "".join(json.dumps({"jobs": [job], "meta": {}}) + "\n" for job in jobs),
        lambda jobs: json.dumps({"jobs": jobs}).encode("utf-16"),
    ],
    ids=["lines", "list", "several outputs", "UTF-16"],
)
def test_the_jobs_may_stand_in_several_ways(join):
    text = join([NEW, {**OLD, "job_id": 2}])
    trace = read_sacct_json(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
    assert trace.frame["job"].tolist() == [1, 2]
    noted = {"utf-16": 1} if isinstance(text, bytes) else {}
    assert trace.report.counts == {**noted, "only-failures": 1}


def test_a_job_that_waits_or_runs():
    waits = {**OLD, "allocation_nodes": 0, "state": {"current": ["PENDING"]}, "job_id": 4}
    waits |= {"time": {"submission": 1772323200, "start": 0, "end": 0, "elapsed": 0}}
    waits |= {"nodes": "None assigned"}
    runs = {**OLD, "state": {"current": ["COMPLETING", "RUNNING"]}, "allocation_nodes": None}
    runs |= {"nodes": "n[1-3,7]", "time": TIME | {"limit": {"set": True, "infinite": True}}}
    frame, report = read(waits, runs, strict=True)
    assert frame["nodes"].tolist() == [-1, 4]
    assert frame["state"].tolist() == ["PENDING", "RUNNING"]
    assert frame["wait"].tolist() == [-1.0, 60.0]
    assert frame["walltime"].tolist() == [-1.0, -1.0]
    assert report.counts == {"not-started": 1, "no-processors": 1}


def test_a_job_that_comes_twice_counts_once_and_its_attempts_each():
    again = {**OLD, "time": TIME | {"submission": 1772409660, "start": 1772409700}}
    frame, report = read(OLD, OLD, again)
    assert frame["wait"].tolist() == [60.0, 40.0]
    assert report.counts == {"repeated": 1, "only-failures": 1}


def test_jobs_of_an_array_have_their_names():
    array = {**NEW, "array": {"job_id": 70, "task_id": {"set": True, "number": 3}}}
    assert read(array).frame["job_id"].tolist() == ["70_3"]


def test_what_is_no_job_is_dropped():
    frame, report = read(5, {"job_id": "x"}, {"job_id": 5}, OLD)
    assert len(frame) == 1
    assert report.counts == {"bad-record": 2, "bad-time": 1}
    early = {**OLD, "time": TIME | {"start": 1772323000}}
    assert read(early).report.counts == {"negative-wait": 1}


def test_a_file_that_is_no_json():
    trace = read_sacct_json(io.StringIO("sacct: error: no database\n"))
    assert trace.report.dropped == {"bad-json": 1}
    assert read_sacct_json(io.StringIO("")).report.dropped == {"empty": 1}


def test_a_broken_record_costs_no_other():
    text = json.dumps({"jobs": [NEW, {**NEW, "job_id": 2}, {**NEW, "job_id": 3}]}, indent=1)
    frame, report = read_sacct_json(io.StringIO(text.replace('"job_id": 2', '"job_id": 2 2')))
    assert frame["job"].tolist() == [1, 3]
    assert report.counts["bad-json"] == 1
    assert report.records == 3


def test_failures_alone_are_warned_of():
    assert read(OLD, {**OLD, "job_id": 2}).report.counts == {"only-failures": 1}


def test_lines_of_standard_error_may_stand_before():
    text = "sacct: error: slow\n" + json.dumps({"jobs": [NEW]})
    assert job_format_of(io.StringIO(text)) == "sacct-json"
    frame, report = read_sacct_json(io.StringIO(text), strict=True)
    assert len(frame) == 1
    assert report.counts == {"before-json": 1}
