import io

import pytest

from sim.traces import (
    Limited,
    Limits,
    read_metacentrum_failures,
    read_metacentrum_machines,
    read_mwf,
)
from tests.support.logs import require

FAILURES = "100\tcluster_2\t50\t0 1 3\t\n160\tcluster_5\t7\t15\n"
MACHINE = "0\tc0\t1500\t48000\tXeon\tlinux\tp1,p2\t2\t6\t4,2\t10,11,12,13,14,15\n"
JOB = "0\tuser_3\tq2\t16\t8\t[p2,p3]\t1009\t100\t130\t190\t60\t265\t42\t1636.89\n"


def test_a_failure_takes_several_nodes_down():
    frame, report = read_metacentrum_failures(io.StringIO(FAILURES), strict=True)
    assert frame["node"].tolist() == [0, 1, 3, 15]
    assert frame["time"].tolist() == [100.0, 100.0, 100.0, 160.0]
    assert frame["repair"].tolist() == [50.0, 50.0, 50.0, 7.0]
    assert frame["system"].tolist() == ["cluster_2"] * 3 + ["cluster_5"]
    assert (report.records, report.rows) == (2, 4)
    one = read_metacentrum_failures(io.StringIO(FAILURES), system="cluster_2", node=3).frame
    assert one["line"].tolist() == [1]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("100\tc\t50", "wrong-columns"),
        ("noon\tc\t50\t1", "not-a-number"),
        ("100\tc\t-50\t1", "negative-repair"),
        ("100\tc\t50\tx", "not-a-number"),
        ("100\tc\t50\t80\x1c", "not-a-number"),
        ("-100\tc\t50\t1", "out-of-range"),
        ("100\tc\t50\t1 -3", "out-of-range"),
    ],
)
def test_malformed_failures(line, rule):
    _, report = read_metacentrum_failures(io.StringIO(FAILURES + line + "\n"))
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 3: "):
        read_metacentrum_failures(io.StringIO(FAILURES + line + "\n"), strict=True)


def test_a_node_named_twice_fails_once():
    frame, report = read_metacentrum_failures(io.StringIO("100\tc\t50\t0 0 1 0\n"))
    assert frame["node"].tolist() == [0, 1]
    assert [(p.line, p.rule, p.effect) for p in report.problems] == [
        (1, "repeated-node", "repaired")
    ]


MACHINES_2013 = "0\tzewura\t20\t80\t1\t529426432\n"


@pytest.mark.parametrize(
    ("sample", "place"),
    [
        *((MACHINE, place) for place in (0, 2, 3, 7, 8, 9, 10)),
        *((MACHINES_2013, place) for place in (0, 2, 3, 4, 5)),
    ],
)
def test_machines_below_their_domain_are_dropped(sample, place):
    fields = sample.rstrip("\n").split("\t")
    fields[place] = f"-1{fields[place][1:]}"
    frame, report = read_metacentrum_machines(io.StringIO("\t".join(fields)))
    assert len(frame) == 0
    assert report.dropped == {"out-of-range": 1}


@pytest.mark.parametrize("place", [2, 3, 4])
def test_clusters_of_nothing_are_dropped(place):
    fields = MACHINES_2013.rstrip("\n").split("\t")
    fields[place] = "0"
    report = read_metacentrum_machines(io.StringIO("\t".join(fields))).report
    assert report.dropped == {"out-of-range": 1}


def test_more_machines_than_the_limit_are_refused_before_they_fill_the_memory():
    text = MACHINES_2013 + MACHINES_2013.replace("\t20\t", "\t2000000000\t")
    with pytest.raises(ValueError, match=r"<file> must hold at most 1,000,000 machines, got more"):
        read_metacentrum_machines(io.StringIO(text))
    few = Limited(io.StringIO(MACHINES_2013 + MACHINE), Limits(max_machines=21))
    with pytest.raises(ValueError, match=r"at most 21 machines, got more; raise max_machines"):
        read_metacentrum_machines(few)
    just = Limited(io.StringIO(MACHINES_2013 + MACHINE), Limits(max_machines=22))
    assert len(read_metacentrum_machines(just).frame) == 2


def test_machines_of_2009_and_2013():
    frame, _ = read_metacentrum_machines(io.StringIO(MACHINE), strict=True)
    record = frame.iloc[0]
    assert (record["nodes"], record["cpus"], record["cpus_per_node"]) == (2, 6, (4, 2))
    assert record["properties"] == ("p1", "p2")
    assert record["cpu_ids"] == (10, 11, 12, 13, 14, 15)
    frame, _ = read_metacentrum_machines(io.StringIO("0\tzewura\t3\t80\t1\t5\n"), strict=True)
    assert frame.loc[0, ["cpus", "cpus_per_node"]].tolist() == [240, (80, 80, 80)]


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        (MACHINE.replace("4,2", "4,2,4"), {"extra-node": 1}),
        (MACHINE.replace("4,2", "4,3"), {"cpu-count": 1}),
        (MACHINE.replace("1500", "fast"), {"not-a-number": 1}),
        ("0\tc0\n", {"wrong-columns": 1}),
        ("", {"empty": 1}),
    ],
)
def test_malformed_machines(line, counts):
    assert read_metacentrum_machines(io.StringIO(line)).report.counts == counts


def test_jobs_with_what_they_require():
    frame, report = read_mwf(io.StringIO(JOB), strict=True)
    record = frame.iloc[0].to_dict()
    assert record["properties"] == ("p2", "p3")
    assert (record["submit"], record["wait"], record["runtime"]) == (100.0, 30.0, 60.0)
    assert (record["processors"], record["status"], record["walltime"]) == (8, 265, -1.0)
    assert (record["user"], record["user_name"], record["queue_name"]) == (1, "user_3", "q2")
    assert report.problems == ()


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        (JOB.replace("\t60\t", "\t61\t"), {"runtime-differs": 1}),
        (JOB.replace("\t100\t", "\t140\t"), {"negative": 1}),
        (JOB.replace("\t100\t", "\tnoon\t"), {"not-a-number": 1}),
        (JOB.replace("\tq2", ""), {"wrong-columns": 1}),
        (JOB.replace("\t8\t", "\t-8\t"), {"negative": 1}),
        (f"-{JOB}", {}),
        (f"-1{JOB}", {"out-of-range": 1}),
        (JOB.replace("\t1009\t", "\t-1009\t"), {"negative": 1}),
        (JOB.replace("\t100\t", "\t-100\t"), {"out-of-range": 1}),
        (JOB.replace("\t100\t", "\t100\x1c\t"), {"not-a-number": 1}),
    ],
)
def test_malformed_jobs(line, counts):
    assert read_mwf(io.StringIO(line)).report.counts == counts


def test_negative_values_become_unknown():
    job = JOB.replace("\t8\t", "\t-8\t").replace("\t1009\t", "\t-9\t").replace("\t100\t", "\t140\t")
    frame, report = read_mwf(io.StringIO(job))
    assert frame.loc[0, ["processors", "memory", "wait"]].tolist() == [-1, -1, -1]
    assert [problem.effect for problem in report.problems] == ["repaired"] * 3
    backwards = JOB.replace("\t190\t60\t", "\t90\t-40\t")
    frame, report = read_mwf(io.StringIO(backwards))
    assert frame.loc[0, "runtime"] == -1
    assert report.problems[0].reason == "runtime is -40: unknown"


def test_the_published_failures():
    """420 lines, the last without a line end."""
    path = require("jobs/metacentrum-2009/metacentrum.mwf.failures.xz")
    frame, report = read_metacentrum_failures(path, strict=True)
    assert (report.records, len(frame)) == (420, 569)
    assert frame["time"].iloc[0] == 1_230_768_000.0
    assert frame["time"].is_monotonic_increasing


def test_the_published_machines():
    frame, report = read_metacentrum_machines(
        require("jobs/metacentrum-2009/metacentrum.machines.mwf.xz")
    )
    assert (len(frame), frame["nodes"].sum(), frame["cpus"].sum()) == (14, 210, 806)
    assert report.counts == {"extra-node": 1}
    frame, report = read_metacentrum_machines(
        require("jobs/metacentrum-2013/wagap-2013.swf.machines.xz"), strict=True
    )
    assert (len(frame), frame["cpus"].sum()) == (2, 2_176)
    frame, report = read_mwf(require("jobs/metacentrum-2009/metacentrum-first6jobs.mwf.xz"))
    assert (len(frame), report.problems) == (6, ())
