import csv
import json

import numpy as np
import pytest

from perfmodel.cli import main
from tests.support.runner import runner

# Two clusters of two processors; b is faster. Job 3 ran on partition 1, which is a.
JOBS = """; UnixStartTime: 1000000000
1 0 -1 10 2 -1 -1 2 10 -1 1 1 1 7 1 1 -1 -1
2 0 -1 10 2 -1 -1 2 10 -1 1 1 1 8 1 2 -1 -1
3 1 -1 10 1 -1 -1 1 10 -1 1 1 1 8 1 2 -1 -1
4 2 -1 10 3 -1 -1 3 10 -1 1 1 1 8 1 2 -1 -1
5 3 -1 -1 1 -1 -1 1 10 -1 1 1 1 8 1 2 -1 -1
"""
GRID = """
[[cluster]]
name = "a"
machines = 2

[[cluster]]
name = "b"
machines = 2
speed = 2
properties = ["fast"]
"""
FAILURES = "1000000005\tb\t100\t0 1\n"
REQUIREMENTS = "job,properties\n3,fast\n"
ROW = {
    "scenario",
    "policy",
    "seeds",
    "engine",
    "mean_slowdown",
    "mean_response_s",
    "mean_wait_s",
    "completed",
    "killed",
    "kills",
    "cancelled",
    "killed_at_walltime",
    "unfinished",
    "mean_killed_length_s",
    "utilization",
    "by_cluster",
    "wait_percentiles_s",
    "bounded_slowdown_percentiles",
}


@pytest.fixture
def files(tmp_path):
    names = {}
    for name, text in (
        ("jobs.swf", JOBS),
        ("grid.toml", GRID),
        ("failures.mwf", FAILURES),
        ("needs.csv", REQUIREMENTS),
    ):
        (tmp_path / name).write_text(text)
        names[name.partition(".")[0]] = str(tmp_path / name)
    return names


def run(*arguments, code=0):
    done = runner().invoke(main, ["grid", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    found = json.loads(run(*arguments, "--json"))
    return {(row["scenario"], row["policy"]): row for row in found["results"]}, found


def test_the_scenarios_worked_by_hand(files):
    rows, found = read(
        files["jobs"],
        "--machines",
        files["grid"],
        "--failures",
        files["failures"],
        "--requirements",
        files["needs"],
        "--policies",
        "fcfs,easy,cons,ls",
        "--runs",
        2,
    )
    assert (found["jobs"], found["clusters"], found["processors"]) == (4, 2, 4)
    assert {scenario for scenario, _ in rows} == {"BASIC", "EXT-FAIL", "EXT-REQ", "EXT-ALL"}
    basic = rows["BASIC", "fcfs"]
    assert set(basic) == ROW
    # Job 1 on b, 2 on a, 3 waits from 1 to 10; 4 suits nothing.
    assert (basic["cancelled"], basic["killed"], basic["completed"]) == (1, 0, 3)
    assert basic["mean_wait_s"] == pytest.approx(3.0)
    assert basic["mean_slowdown"] == pytest.approx((1 + 1 + 1.9) / 3)
    # At 5 both machines of b go: job 1 is killed, 3 starts on a at 10, and job 2 was there.
    failing = rows["EXT-FAIL", "easy"]
    assert (failing["killed"], failing["completed"]) == (1, 2)
    assert failing["killed_share"] == {"a": 0.0, "b": 1.0}
    # Job 3 wants b, where nothing is up: cancelled.
    both = rows["EXT-ALL", "cons"]
    assert (both["killed"], both["cancelled"], both["completed"]) == (1, 2, 1)
    assert rows["EXT-ALL", "ls"]["seeds"] == 2
    assert (rows["EXT-ALL", "easy"]["engine"], both["engine"]) == ("general", "general")
    assert rows["EXT-ALL", "ls"]["sd"]["mean_wait_s"] == 0.0


def test_killed_jobs_can_be_resubmitted(files):
    rows, _ = read(
        files["jobs"],
        *("--machines", files["grid"], "--failures", files["failures"]),
        *("--policies", "fcfs", "--on-failure", "original"),
    )
    row = rows["EXT-FAIL", "fcfs"]
    assert (row["killed"], row["completed"]) == (0, 3)
    assert row["kills"] == 1
    assert row["killed_share"]["b"] == 1.0
    text = run(
        files["jobs"],
        *("--machines", files["grid"], "--failures", files["failures"]),
        *("--policies", "fcfs", "--on-failure", "original"),
    )
    line = next(line for line in text.splitlines() if line.startswith("EXT-FAIL"))
    assert line.split()[-2:] == ["1", "1"]  # attempts killed, jobs cancelled
    assert "attempts" in text
    assert "EXT-FAIL, killed attempts, and share of the killed attempts [%]:" in text


def test_use_and_failures_of_each_cluster_are_told(files):
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    rows, _ = read(*given, "--policies", "fcfs,easy")
    # Both machines of b are out from 5 to 105, after job 1 had them; job 3 ends on a at 20.
    found = rows["EXT-FAIL", "easy"]["by_cluster"]
    assert found["b"] == {
        "utilization": pytest.approx(2 * 5 / (2 * 20)),
        "down": pytest.approx(15 / 20),
        "down_machine_h": pytest.approx(2 * 15 / 3600),
        "failures": 2,
        "striking_failures": 1,
        "kills": 1,
        "killed": 1,
    }
    text = run(*given, "--policies", "fcfs,easy")
    assert "Time in use by cluster in BASIC [%]:" in text
    assert "EXT-FAIL, failures of machines, and those that ended an attempt:" in text
    after = text.partition("those that ended an attempt:")[2]
    (line,) = [line for line in after.partition("killed attempts")[0].splitlines() if "b " in line]
    assert line.split() == ["b", "75.00", "2", "1", "1"]
    assert "The other 1 had none." in after
    late = run(*given, "--policies", "fcfs", "--jobs", "1", "--origin", "0")
    assert "EXT-FAIL: no failure before the last attempt ended." in late
    with open(files["failures"], "w") as log:
        log.write("1000000005\ta\t100\t0 1\n")  # where nothing runs
    idle = run(*given, "--policies", "fcfs", "--jobs", "1")
    assert "EXT-FAIL: no attempt killed." in idle


# On two processors. Planned with walltimes, job 3 has no room beside job 1 before job 2; it has
# where one knows that it runs for 4 only. Job 1 asks for 6 and runs for 10, job 4 does not say.
WALLTIMES = """1 0 -1 10 1 -1 -1 1 6 -1 1 1 1 7 1 1 -1 -1
2 1 -1 10 2 -1 -1 2 20 -1 1 1 1 8 1 2 -1 -1
3 2 -1 4 1 -1 -1 1 20 -1 1 1 1 8 1 2 -1 -1
4 3 -1 9 2 -1 -1 2 -1 -1 1 1 1 8 1 2 -1 -1
"""


@pytest.mark.parametrize(
    ("options", "starts", "killed"),
    [
        ((), [0, 10, 2, 20], 0),
        (("--estimates", "walltime"), [0, 10, 20, 24], 0),
        (("--estimates", "walltime", "--kill"), [0, 6, 16, 20], 1),
        (("--kill",), [0, 6, 2, 16], 1),
        (("--no-kill",), [0, 10, 2, 20], 0),
    ],
)
def test_walltimes_are_used_where_asked_for(files, options, starts, killed):
    with open(files["jobs"], "w") as log:
        log.write(WALLTIMES)
    with open(files["grid"], "w") as grid:
        grid.write('[[cluster]]\nname = "a"\nmachines = 2\n')
    given = (files["jobs"], "--machines", files["grid"], "--policies", "easy", *options)
    rows, found = read(*given)
    row = rows["BASIC", "easy"]
    waits = [start - submit for start, submit in zip(starts, (0, 1, 2, 3), strict=True)]
    assert row["mean_wait_s"] == sum(waits) / 4
    assert row["killed_at_walltime"] == killed
    used = bool({"--estimates", "--kill"} & set(options))
    assert ("1 repaired: missing_walltime" in found["notes"]) == used
    assert ("killed at" in run(*given)) == ("--kill" in options)


def test_walltimes_that_are_missing_get_a_factor(files):
    with open(files["jobs"], "w") as log:
        log.write(WALLTIMES)
    given = (files["jobs"], "--machines", files["grid"], "--policies", "easy", "--kill")
    rows, _ = read(*given, "--walltime-factor", "0.5")
    assert rows["BASIC", "easy"]["killed_at_walltime"] == 2
    rows, found = read(*given, "--missing-walltime", "drop")
    assert found["jobs"] == 3
    error = run(*given, "--missing-walltime", "refuse", code=2)
    assert "walltime must be known for every job, got 1 without" in error


@pytest.mark.parametrize(
    ("submit", "order", "starts"),
    [
        (5, "batch", [10, 20]),
        (5, "ends-first", [19, 10]),
        (10, "batch", [10, 20]),
        (10, "ends-first", [10, 20]),
        (10, "submissions-first", [19, 10]),
    ],
)
def test_event_orders_are_those_of_replay(files, submit, order, starts):
    # At 10 jobs 1 and 2 end, job 2 before its time. Between the two ends job 4 finds room that
    # job 3, which takes both processors, is not yet known to get.
    with open(files["jobs"], "w") as log:
        log.write(
            "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 7 1 1 -1 -1\n"
            "2 0 -1 10 1 -1 -1 1 30 -1 1 1 1 8 1 2 -1 -1\n"
            "3 1 -1 10 2 -1 -1 2 10 -1 1 1 1 8 1 2 -1 -1\n"
            f"4 {submit} -1 9 1 -1 -1 1 15 -1 1 1 1 8 1 2 -1 -1\n"
        )
    with open(files["grid"], "w") as grid:
        grid.write('[[cluster]]\nname = "a"\nmachines = 2\n')
    given = (files["jobs"], "--machines", files["grid"], "--estimates", "walltime")
    rows, _ = read(*given, "--policies", "easy", "--event-order", order)
    assert rows["BASIC", "easy"]["mean_wait_s"] == (sum(starts) - 1 - submit) / 4


def test_percentiles_are_of_the_jobs_that_ended(files):
    # Of a hundred jobs of one processor on two, one after another; the failure ends the last pair.
    with open(files["jobs"], "w") as log:
        log.write("; UnixStartTime: 1000000000\n")
        for number in range(1, 101):
            log.write(f"{number} 0 -1 10 1 -1 -1 1 10 -1 1 1 1 7 1 1 -1 -1\n")
    with open(files["grid"], "w") as grid:
        grid.write('[[cluster]]\nname = "b"\nmachines = 2\n')
    with open(files["failures"], "w") as log:
        log.write("1000000495\tb\t100\t0 1\n")
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    rows, found = read(*given, "--policies", "fcfs")
    assert "recorded" not in found
    waits = np.repeat(np.arange(50.0) * 10.0, 2)
    for scenario, ended in (("BASIC", waits), ("EXT-FAIL", waits[:-2])):
        row = rows[scenario, "fcfs"]
        for name, values in (
            ("wait_percentiles_s", ended),
            ("bounded_slowdown_percentiles", ended / 10.0 + 1.0),
        ):
            expected = dict(
                zip(("50", "90", "99"), np.percentile(values, (50, 90, 99)), strict=True)
            )
            assert row[name] == pytest.approx(expected)
    text = run(*given, "--policies", "fcfs")
    (line,) = [line for line in text.splitlines() if line.startswith("EXT-FAIL fcfs")]
    assert line.split()[:3] == ["EXT-FAIL", "fcfs", "4.00"]  # min, of 240 s
    assert "recorded" not in text


def test_use_over_time_is_of_the_first_run(files, tmp_path):
    out = tmp_path / "use.csv"
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    asked = ("--policies", "fcfs,fcfs-lb", "--runs", "3", "--use-over-time", "10s")
    rows, _ = read(*given, *asked, "--use-out", out)
    for row in rows.values():
        use = row["use_over_time"]
        held = sum(
            (end - begin) * share
            for begin, end, share in zip(
                use["from_s"], use["to_s"], use["utilization"], strict=True
            )
        )
        assert 0.0 < 4.0 * held <= 80.0  # processor seconds of the four jobs
    (alone, _) = read(*given, "--policies", "fcfs-lb", "--runs", "1", "--use-over-time", "10s")
    cell = "EXT-FAIL", "fcfs-lb"
    assert alone[cell]["use_over_time"] == rows[cell]["use_over_time"]
    with out.open() as stream:
        written = list(csv.DictReader(stream))
    assert {(row["scenario"], row["policy"]) for row in written} == set(rows)
    assert "scenario, policy" in run(*given, *asked)


def test_means_by_class_are_of_the_jobs_that_ended(files):
    # On b the failure ends job 1, of two processors; 2, of two, and 3, of one, come to an end.
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    rows, _ = read(*given, "--policies", "fcfs", "--by-class")
    for scenario, sizes in (("BASIC", [3, 3]), ("EXT-FAIL", [2, 2])):
        found = {(row["size"], row["length"]): row for row in rows[scenario, "fcfs"]["by_class"]}
        assert [found["all", "all"]["jobs"], found["all", "< 10 min"]["jobs"]] == sizes
        mean = found["all", "all"]["mean_wait_s"]
        assert mean == rows[scenario, "fcfs"]["mean_wait_s"]
    assert "by_class" not in read(*given, "--policies", "fcfs")[0]["BASIC", "fcfs"]
    text = run(*given, "--policies", "fcfs,fcfs-lb", "--runs", "2", "--by-class")
    assert "Jobs by processors and running time:" in text
    assert "EXT-FAIL fcfs-lb: mean bounded slowdown:" in text


def test_classes_that_only_some_seeds_have_are_told(files):
    # Job 1 is placed by chance; where b has it, the failure ends it, the only one of an hour.
    with open(files["jobs"], "w") as log:
        log.write(
            "; UnixStartTime: 1000000000\n"
            "1 0 -1 3600 2 -1 -1 2 3600 -1 1 1 1 7 1 1 -1 -1\n"
            "2 9 -1 10 1 -1 -1 1 10 -1 1 1 1 8 1 2 -1 -1\n"
        )
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    rows, _ = read(*given, "--policies", "fcfs-lb", "--by-class", "--runs", "6")
    found = {(row["size"], row["length"]): row for row in rows["EXT-FAIL", "fcfs-lb"]["by_class"]}
    assert found["all", "< 10 min"]["jobs"] == 1.0
    assert 0.0 < found["all", "1 h - 4 h"]["jobs"] < 1.0
    assert ("1", "1 h - 4 h") not in found


def test_the_waits_that_the_log_has_are_a_row_of_their_own(files):
    with open(files["jobs"], "w") as log:
        log.write(
            "1 0 30 10 2 -1 -1 2 10 -1 1 1 1 7 1 1 -1 -1\n"
            "2 0 -1 10 2 -1 -1 2 10 -1 1 1 1 8 1 2 -1 -1\n"
            "3 1 10 10 1 -1 -1 1 10 -1 1 1 1 8 1 2 -1 -1\n"
        )
    given = (files["jobs"], "--machines", files["grid"], "--policies", "fcfs")
    _, found = read(*given)
    assert found["recorded"] == {
        "jobs": 2,
        "mean_slowdown": 3.0,
        "mean_response_s": 30.0,
        "mean_wait_s": 20.0,
        "mean_bounded_slowdown": 3.0,
        "utilization": None,
        "wait_percentiles_s": pytest.approx({"50": 20.0, "90": 28.0, "99": 29.8}),
        "bounded_slowdown_percentiles": pytest.approx({"50": 3.0, "90": 3.8, "99": 3.98}),
    }
    text = run(*given)
    assert "Recorded: waits that LOG has, of 2 of the 3 jobs." in text
    lines = [line.split() for line in text.splitlines() if line.startswith("recorded")]
    assert lines[0] == ["recorded", "3.00", "30.00", "20.00", "-", "-"]
    _, found = read(*given, "--jobs", "1")
    assert found["recorded"]["mean_wait_s"] == 30.0


def test_the_queue_has_the_order_of_an_expression(files):
    # Of the three that wait from 9 on, on two clusters, the shortest go first.
    with open(files["jobs"], "w") as log:
        log.write(
            "".join(
                f"{number} {submit} -1 {runtime} 2 -1 -1 2 {runtime} -1 1 1 1 7 1 1 -1 -1\n"
                for number, (submit, runtime) in enumerate(
                    [(0, 9), (0, 9), (1, 8), (2, 6), (3, 7)], start=1
                )
            )
        )
    given = (files["jobs"], "--machines", files["grid"])
    rows, found = read(*given, "--order", "-walltime")
    assert {policy for _, policy in rows} == {"fcfs", "easy", "cons"}
    for row in rows.values():
        assert row["mean_wait_s"] == (0 + 0 + (15 - 1) + (9 - 2) + (9 - 3)) / 5
        assert row["engine"] == "general"
    assert "the queue is ordered by -walltime, highest first" in found["notes"]
    plain, _ = read(*given, "--policies", "easy")
    for same in ("wait", "-0*nodes"):
        ordered, _ = read(*given, "--policies", "easy", "--order", same)
        ours, theirs = ordered["BASIC", "easy"], plain["BASIC", "easy"]
        assert ours | {"engine": ""} == theirs | {"engine": ""}
    text = run(*given, "--order", "-walltime", "--policies", "easy")
    assert "the readable loop" in text


def test_waits_have_a_unit_of_their_own(files):
    # Responses of days beside a wait of a minute.
    with open(files["jobs"], "w") as log:
        log.write(
            "1 0 -1 864000 2 -1 -1 2 864000 -1 1 1 1 7 1 1 -1 -1\n"
            "2 0 -1 60 2 -1 -1 2 60 -1 1 1 1 8 1 2 -1 -1\n"
            "3 0 -1 864000 2 -1 -1 2 864000 -1 1 1 1 8 1 2 -1 -1\n"
        )
    text = run(files["jobs"], "--machines", files["grid"], "--policies", "fcfs")
    line = next(line for line in text.splitlines() if line.startswith("BASIC"))
    wait = read(files["jobs"], "--machines", files["grid"], "--policies", "fcfs")[0]
    seconds = wait["BASIC", "fcfs"]["mean_wait_s"]
    assert 0.0 < seconds < 60.0
    assert f"{seconds:.2f}" in line
    assert "wait" in text


def test_waits_of_milliseconds_stand_beside_weeks(files):
    # Job 3 wants b and waits there for 20 days; else it waits for 10 ms, on a.
    with open(files["jobs"], "w") as log:
        log.write(
            "1 0 -1 0.02 2 -1 -1 2 1 -1 1 1 1 7 1 1 -1 -1\n"
            "2 0 -1 1728000 2 -1 -1 2 1 -1 1 1 1 8 1 2 -1 -1\n"
            "3 0 -1 10 1 -1 -1 1 1 -1 1 1 1 8 1 2 -1 -1\n"
        )
    with open(files["grid"], "w") as grid:
        grid.write(GRID.replace("speed = 2", "speed = 0.5"))
    given = (files["jobs"], "--machines", files["grid"], "--requirements", files["needs"])
    rows, _ = read(*given, "--policies", "fcfs")
    assert 0.0 < rows["BASIC", "fcfs"]["mean_wait_s"] < 1.0
    lines = [line.split() for line in run(*given, "--policies", "fcfs").splitlines()]
    by_scenario = {line[0]: line for line in reversed(lines) if line}
    assert by_scenario["BASIC"][4] == "<0.01"
    assert by_scenario["EXT-REQ"][4] == "6.67"  # days


@pytest.mark.parametrize("partitions", [(1, 5), (2, 3), (1, 1), (1, 14)])
def test_partitions_that_are_not_the_clusters_are_refused_or_mapped(files, partitions):
    first, second = partitions
    with open(files["jobs"], "w") as log:
        log.write(
            JOBS.replace(" 8 1 2 -1", f" 8 1 {second} -1").replace(" 7 1 1 -1", f" 7 1 {first} -1")
        )
    common = ("--machines", files["grid"], "--requirements", "reconstruct", "--policies", "fcfs")
    error = run(files["jobs"], *common, code=2)
    assert error.count("\n") == 1
    assert "--partitions must say on which cluster each partition of LOG was, as in" in error
    assert f"got {', '.join(map(str, sorted(set(partitions))))} for a, b" in error
    mapped = f"{first}=a" + (f",{second}=b" if second != first else "")
    rows, found = read(files["jobs"], *common, "--partitions", mapped)
    assert ("EXT-REQ", "fcfs") in rows
    assert f"partition {first} is a" in " ".join(found["notes"])


def test_the_largest_number_of_a_partition_says_how_many_clusters_there_are(files):
    with open(files["grid"], "a") as grid:
        grid.write('[[cluster]]\nname = "c"\nmachines = 2\n')
    with open(files["jobs"], "w") as log:  # nobody ran on partition 2
        log.write(JOBS.replace(" 8 1 2 -1", " 8 1 3 -1"))
    common = ("--machines", files["grid"], "--requirements", "reconstruct", "--policies", "fcfs")
    _, found = read(files["jobs"], *common)
    assert "partition 1 is a, 2 is b, 3 is c, by order" in found["notes"]


def test_a_map_that_leaves_partitions_out_says_how_many_jobs_that_are(files):
    common = ("--machines", files["grid"], "--requirements", "reconstruct", "--policies", "fcfs")
    _, found = read(files["jobs"], *common, "--partitions", "1=b")
    assert "jobs that ran on partitions left out: 3" in found["notes"]
    _, found = read(files["jobs"], *common)
    assert "partition 1 is a, 2 is b, by order" in found["notes"]


MAPPED = ("--requirements", "reconstruct", "--policies", "fcfs")


@pytest.mark.parametrize("kind", ["partition", "queue"])
def test_a_map_in_a_file_is_by_partition_or_queue(files, tmp_path, kind):
    swapped = tmp_path / "map.csv"
    # Queues 1 and 2 as the partitions, but for job 1, which has queue 3.
    log = JOBS.replace(" 7 1 1 -1 -1", " 7 3 1 -1 -1").replace(" 8 1 2 ", " 8 2 2 ")
    with open(files["jobs"], "w") as jobs:
        jobs.write(log)
    swapped.write_text(f"{kind},cluster,site\n1,b,x\n\n 2 , a,x\n")
    if kind == "queue":
        swapped.write_text("queue,cluster\n3,b\n2,a\n")
    given = (files["jobs"], "--machines", files["grid"], *MAPPED)
    expected, _ = read(*given, "--partitions", "1=b,2=a")
    rows, found = read(*given, "--partition-map", swapped)
    assert rows == expected
    assert rows != read(*given)[0]
    first = "3" if kind == "queue" else "1"
    assert f"{kind} {first} is b, 2 is a" in found["notes"]
    assert ("map.csv: columns that are not used: site" in found["notes"]) == (kind == "partition")
    assert "map.csv" in [file["name"] for file in found["inputs"]]
    swapped.write_text("queue,cluster\n3,b\n")
    _, found = read(*given, "--partition-map", swapped)
    assert "jobs that ran on queues left out: 3" in found["notes"]


def test_a_map_may_use_the_names_of_queues(files, tmp_path):
    log = tmp_path / "jobs.gwf"
    rows = [gwf(number, site="-1", platform="fast", application=f"{number}") for number in (1, 2)]
    log.write_text("\n".join(rows) + "\n")
    (tmp_path / "map.csv").write_text("queue,cluster\nq,a\n")
    given = (log, "--machines", files["grid"], *MAPPED)
    _, found = read(*given, "--partition-map", tmp_path / "map.csv")
    assert "queue q is a" in found["notes"]
    (tmp_path / "map.csv").write_text("queue,cluster\nr,a\n")
    error = run(*given, "--partition-map", tmp_path / "map.csv", code=2)
    assert error == "Error: map.csv, line 2: queue must be one of q, as in LOG, got 'r'\n"


SPEEDS = GRID.replace("machines = 2\n", "machines = 2\nspeed = 1\n", 1)


def test_runtimes_are_scaled_by_the_speed_of_clusters(files):
    with open(files["grid"], "w") as grid:
        grid.write(SPEEDS)
    given = (files["jobs"], "--machines", files["grid"], "--scale-runtimes")
    rows, found = read(*given)
    assert {policy for _, policy in rows} == {"fcfs", "easy", "cons", "ls"}
    assert "runtimes and walltimes scaled by the speeds of the clusters, 1 to 2" in found["notes"]
    # Job 1 of a runs on b from 0 to 5, job 2 of b on a from 0 to 20; job 3 of b is on b from 5.
    row = rows["BASIC", "fcfs"]
    assert row["cancelled"] == 1  # of three processors
    assert row["mean_wait_s"] == (0 + 0 + 4) / 3
    assert row["mean_response_s"] == (5 + 20 + 4 + 10) / 3
    assert row["mean_slowdown"] == pytest.approx((1 + 1 + 14 / 10) / 3)
    _, found = read(*given, "--partitions", "2=b", "--policies", "fcfs-lb")
    assert "jobs not scaled, as their cluster in LOG is unknown: 1" in found["notes"]


def test_every_attempt_is_written_with_its_cluster_and_machines(files, tmp_path):
    out = tmp_path / "attempts.csv"
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    options = ("--policies", "fcfs,fcfs-lb", "--runs", "2", "--seed", "5")
    expected, _ = read(*given, *options)
    rows, _ = read(*given, *options, "--on-failure", "original", "--out", out)
    assert rows["BASIC", "fcfs"] == expected["BASIC", "fcfs"]
    with open(out, newline="") as file:
        table = list(csv.DictReader(file))
    runs = {(row["scenario"], row["policy"], row["seed"]) for row in table}
    assert runs == {
        (scenario, policy, seed)
        for scenario in ("BASIC", "EXT-FAIL")
        for policy, seed in (("fcfs", "5"), ("fcfs-lb", "5"), ("fcfs-lb", "6"))
    }
    names = ("job", "attempt", "start", "end", "outcome", "cluster", "place", "job_end")
    found = [
        tuple(row[name] for name in names)
        for row in table
        if (row["scenario"], row["policy"]) == ("EXT-FAIL", "fcfs")
    ]
    # The failure ends job 1 on b. It is the first to run on a, from 10; then 3.
    assert found == [
        ("1", "1", "0.0", "5.0", "failed", "b", "0-1", "20.0"),
        ("1", "2", "10.0", "20.0", "completed", "a", "0-1", "20.0"),
        ("2", "1", "0.0", "10.0", "completed", "a", "0-1", "10.0"),
        ("3", "1", "20.0", "30.0", "completed", "a", "0", "30.0"),
    ]


def test_planned_work_and_rows_that_come_twice_strike_nothing_more(files, tmp_path):
    log = tmp_path / "failures.csv"
    once = "system,node,down,up,reason\nb,0,1000000005,1000000105,dimm\n"
    told = []
    for rows in (once, once + once.splitlines()[1] + "\na,0,1000000001,1000000200,maintenance\n"):
        log.write_text(rows)
        answers, _ = read(files["jobs"], "--machines", files["grid"], "--failures", log)
        told.append({key: row["by_cluster"] for key, row in answers.items() if "by_cluster" in row})
    assert told[0] == told[1]


def test_a_job_that_never_starts_has_a_row_without_a_place(files, tmp_path):
    out = tmp_path / "attempts.csv"
    with open(files["failures"], "w") as log:
        log.write("1000000001\tb\t100\t0 1\n1000000001\ta\t100\t0 1\n")
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    run(*given, "--policies", "easy", "--scenarios", "EXT-FAIL", "--out", out)
    with open(out, newline="") as file:
        table = [row for row in csv.DictReader(file) if row["job"] == "3"]
    names = ("attempt", "start", "cluster", "place", "job_outcome")
    assert [[row[name] for name in names] for row in table] == [["0", "", "", "", "cancelled"]]


@pytest.mark.slow
def test_every_policy_is_drawn_in_every_scenario(files, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from perfmodel.cli.figures import gantt

    drawn = []
    draw = gantt.draw
    monkeypatch.setattr(
        gantt, "draw", lambda *given, **more: drawn.append((given, more)) or draw(*given, **more)
    )
    plot = tmp_path / "grid.png"
    given = (files["jobs"], "--machines", files["grid"], "--failures", files["failures"])
    run(*given, "--policies", "easy,fcfs-lb", "--runs", "2", "--plot", plot)
    assert plot.read_bytes().startswith(b"\x89PNG")
    ((results, *_), settings) = drawn[0]
    assert list(results) == [
        "BASIC easy",
        "BASIC fcfs-lb",
        "EXT-FAIL easy",
        "EXT-FAIL fcfs-lb",
    ]
    assert settings["unix_start"] == 1e9
    error = run(*given, "--plot", tmp_path / "grid.docx", code=2)
    assert error.startswith("Error: --plot must end in .png, .pdf or .svg, got ")


def test_failures_are_drawn_from_an_mtbf_of_all_machines(files):
    given = (files["jobs"], "--machines", files["grid"], "--policies", "fcfs")
    rows, found = read(*given, "--mtbf", "6h", "--burst-size", "3")
    assert set(rows) == {("BASIC", "fcfs"), ("EXT-FAIL", "fcfs")}
    assert found["failures"] == 90 * 24 / 6  # fixed beforehand; jobs come within 2 s
    text = run(*given, "--mtbf", "6h", "--weibull-shape", "0.5", "--mttr", "1h")
    assert "in bursts of 1, gaps Weibull of shape 0.5, repairs of 1 h, seed 0" in " ".join(
        text.split()
    )


def test_drawn_failures_kill_what_runs_and_come_again_by_seed(files):
    with open(files["jobs"], "w") as log:
        # Ten days on two of four machines, while one fails every six hours.
        log.write(JOBS.replace(" -1 10 2 -1 -1 2 10 ", " -1 864000 2 -1 -1 2 864000 "))
    given = (files["jobs"], "--machines", files["grid"], "--policies", "fcfs", "--mtbf", "6h")
    found = [read(*given, "--seed", seed)[0]["EXT-FAIL", "fcfs"] for seed in (3, 3, 4)]
    assert [row["killed"] >= 2 for row in found] == [True, True, True]
    waits = [row["mean_wait_s"] for row in found]  # of job 3, until the first failure
    assert 0.0 < waits[0] == waits[1] != waits[2]


def test_requirements_are_reconstructed_from_history(files):
    rows, found = read(
        files["jobs"],
        *("--machines", files["grid"], "--requirements", "reconstruct", "--policies", "fcfs"),
    )
    assert found["requirements"] == "reconstructed: where jobs of the same executable ran"
    assert set(rows) == {("BASIC", "fcfs"), ("EXT-REQ", "fcfs")}
    # 1 on a by history, 2 on b; 3 on b too, from 10.
    assert rows["EXT-REQ", "fcfs"]["mean_wait_s"] == pytest.approx(3.0)


def test_the_table_names_every_policy_and_the_killed(files):
    text = run(
        files["jobs"],
        *("--machines", files["grid"], "--failures", files["failures"]),
        *("--policies", "fcfs,fcfs-lb", "--runs", 2),
    )
    for word in (
        "EXT-FAIL",
        "fcfs-lb",
        "± sd, 2 seeds",
        "killed",
        "cancelled",
        "share of the killed attempts",
    ):
        assert word in text


def gwf(job, *, site, platform, runtime=10, application="app"):
    numbers = f"{job} {job} -1 {runtime} 1 -1 -1 1 {runtime} -1 1"
    return (
        f"{numbers} u g {application} q -1 s {site} UNITARY -1 -1 -1 -1 {platform} -1 -1 -1 -1 -1"
    )


@pytest.mark.parametrize("sites", [("a", "b"), ("G1/a", "G1/b")])
def test_requirements_and_sites_of_a_gwf_log(files, tmp_path, sites):
    log = tmp_path / "jobs.gwf"
    a, b = sites
    rows = [
        gwf(1, site=a, platform="fast", application="one"),
        gwf(2, site=a, platform="fast", application="one"),
        gwf(3, site=b, platform="fast;", application="two"),
        gwf(4, site=a, platform="slow", application="one"),
    ]
    log.write_text("\n".join(rows) + "\n")
    common = (log, "--machines", files["grid"], "--policies", "fcfs")
    asked, _ = read(*common, "--requirements", "log")
    # b is fast and has room for two: 3 waits from 3 to 11. Nothing is slow.
    assert asked["EXT-REQ", "fcfs"]["cancelled"] == 1
    assert asked["EXT-REQ", "fcfs"]["mean_wait_s"] == pytest.approx((0 + 0 + 8) / 3)
    ran, _ = read(*common, "--requirements", "reconstruct")
    # 1, 2 and 4 suit a alone, where 4 waits from 4 to 11.
    assert ran["EXT-REQ", "fcfs"]["mean_wait_s"] == pytest.approx(7 / 4)


@pytest.mark.parametrize("name", ["grid", "failures", "needs", "jobs"])
def test_no_bytes_make_it_stumble(files, name):
    rng = np.random.default_rng(5)
    for size in (0, 1, 50, 2_000):
        with open(files[name], "wb") as file:
            file.write(rng.bytes(size))
        arguments = ["--failures", files["failures"], "--requirements", files["needs"]]
        command = ["grid", files["jobs"], "--machines", files["grid"], *arguments]
        done = runner().invoke(main, [*command, "--policies", "fcfs"])
        assert done.exit_code in (0, 2), done.output
        assert done.exit_code == 0 or done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("", "needs.csv must have a column 'job', got none"),
        ("name,properties\n1,x\n", "needs.csv must have a column 'job', got name, properties"),
        ('job,properties\n1,"x\n2,y,z,w\n', "needs.csv, line 3: must have 2 columns, got 4"),
        ("job,job\n1,2\n", "needs.csv, line 1: columns must have different names, got 'job' twice"),
        ("job\nx\n", "needs.csv, line 2: job must be a whole number, got 'x'"),
        ("job," + "," * 1_000_000 + "\n1\n", "needs.csv must hold at most 1,000 columns in a line"),
    ],
)
def test_a_table_of_requirements_is_refused_by_its_name_and_line(tmp_path, table, words):
    jobs, machines, needs = (tmp_path / name for name in ("jobs.swf", "m.toml", "needs.csv"))
    jobs.write_text("1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")
    machines.write_text('[[cluster]]\nname = "a"\nmachines = 4\n')
    needs.write_text(table)
    options = ["grid", str(jobs), "--machines", str(machines), "--requirements", str(needs)]
    done = runner().invoke(main, options)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_columns_of_requirements_that_nobody_reads_are_told(tmp_path):
    jobs, machines, needs = (tmp_path / name for name in ("jobs.swf", "m.toml", "needs.csv"))
    jobs.write_text("1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")
    machines.write_text('[[cluster]]\nname = "a"\nmachines = 4\n')
    needs.write_text("job,property,user\n1,x,me\n")
    options = ["grid", str(jobs), "--machines", str(machines), "--requirements", str(needs)]
    done = runner().invoke(main, [*options, "--policies", "fcfs", "--json"])
    assert (
        "needs.csv: columns that are not used: property, user" in json.loads(done.stdout)["notes"]
    )
