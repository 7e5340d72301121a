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
    "mean_slowdown",
    "mean_response_s",
    "mean_wait_s",
    "completed",
    "killed",
    "kills",
    "cancelled",
    "unfinished",
    "mean_killed_length_s",
    "utilization",
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
        "--seeds",
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
    assert "share of the killed attempts by cluster" in text


def test_waits_have_a_unit_of_their_own(files):
    # Responses of days beside a wait of a minute.
    with open(files["jobs"], "w") as log:
        log.write(
            "1 0 -1 864000 2 -1 -1 2 864000 -1 1 1 1 7 1 1 -1 -1\n"
            "2 0 -1 60 2 -1 -1 2 60 -1 1 1 1 8 1 2 -1 -1\n"
            "3 0 -1 864000 2 -1 -1 2 864000 -1 1 1 1 8 1 2 -1 -1\n"
        )
    text = run(files["jobs"], "--machines", files["grid"], "--policies", "fcfs")
    (line,) = [line for line in text.splitlines() if line.startswith("BASIC")]
    wait = read(files["jobs"], "--machines", files["grid"], "--policies", "fcfs")[0]
    seconds = wait["BASIC", "fcfs"]["mean_wait_s"]
    assert 0.0 < seconds < 60.0
    assert f"{seconds:.2f}" in line
    assert "wait" in text


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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("1=c", "--partitions must name clusters of the machines, a, b, got 'c'"),
        ("7=a", "--partitions must name partitions of LOG, 1, 2, got '7'"),
        ("1", "--partitions must be pairs such as 1=a,2=b, got '1'"),
        ("1=a,1=b", "--partitions must name each partition once, got '1' again"),
    ],
)
def test_a_map_that_cannot_be_is_refused(files, given, message):
    common = ("--machines", files["grid"], "--requirements", "reconstruct", "--policies", "fcfs")
    assert message in run(files["jobs"], *common, "--partitions", given, code=2)


def test_a_map_is_of_use_to_a_reconstruction_only(files):
    error = run(files["jobs"], "--machines", files["grid"], "--partitions", "1=a", code=2)
    assert "--partitions must come with --requirements reconstruct" in error


def test_failures_are_drawn_from_an_mtbf_of_all_machines(files):
    given = (files["jobs"], "--machines", files["grid"], "--policies", "fcfs")
    rows, found = read(*given, "--mtbf", "6h", "--burst-size", "3")
    assert set(rows) == {("BASIC", "fcfs"), ("EXT-FAIL", "fcfs")}
    assert found["failures"] == 90 * 24 / 6  # fixed beforehand; jobs come within 2 s
    text = run(*given, "--mtbf", "6h", "--weibull-shape", "0.5", "--mttr", "1h")
    assert "in bursts of 1, gaps Weibull of shape 0.5, repairs of 60 min, seed 0" in " ".join(
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


def test_a_log_of_failures_or_drawn_ones(files):
    both = ("--failures", files["failures"], "--mtbf", "1h")
    error = run(files["jobs"], "--machines", files["grid"], *both, code=2)
    assert error == "Error: --failures must be left out with --mtbf\n"


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
        *("--policies", "fcfs,fcfs-lb", "--seeds", 2),
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--policies", "wfp"), "--policies must be of fcfs, fcfs-lb, easy, cons, ls, got 'wfp'"),
        (("--scenarios", "EXT-ALL"), "--requirements must be given for EXT-ALL"),
        (("--scenarios", "EXT-FAIL"), "--failures or --mtbf must be given for EXT-FAIL"),
        (("--mtbf", "1h", "--burst-size", "0.5"), "--burst-size must be >= 1, got 0.5"),
        (("--scenarios", "ALL"), "--scenarios must be of BASIC, EXT-FAIL, EXT-REQ, EXT-ALL"),
        (
            ("--requirements", "log"),
            "--requirements log must be left out unless LOG is .mwf or GWF",
        ),
        (("--requirements", "nowhere.csv"), "--requirements must be a readable file"),
        (("--seeds", "0"), "--seeds must be a whole number >= 1, got '0'"),
        (
            ("--requirements", "reconstruct", "--reconstruct-by", "shoe"),
            "by must be one of executable, user, group, queue, got 'shoe'",
        ),
    ],
)
def test_bad_options_end_in_one_line(files, arguments, message):
    error = run(files["jobs"], "--machines", files["grid"], *arguments, code=2)
    assert error.startswith("Error: ")
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("grid", "[[cluster]]\nname = 'a'\n", "cluster 1: machines must be given"),
        ("grid", "", "must hold [[cluster]] tables, got none"),
        ("failures", "", "must hold failures, got none"),
        ("failures", "5\tz\t5\t0\n", "must name clusters of the machines, got z"),
        ("needs", "job,queue\nx,short\n", "needs.csv, line 2: job must be a whole number, got 'x'"),
        ("needs", "properties\nfast\n", "needs.csv must have a column 'job'"),
        ("needs", "", "needs.csv must have a column 'job', got none"),
        ("needs", "job,time_limit\n3,-2\n", "time_limit must be >= 0, got -2.0"),
        ("needs", "job,time_limit\n3,soon\n", "time_limit must be a number, got 'soon'"),
        ("jobs", "", "must hold jobs that ran, got none"),
        ("jobs", JOBS.partition("\n")[2], "--origin must be given"),
    ],
)
def test_bad_files_end_in_one_line(files, name, text, message):
    with open(files[name], "w") as file:
        file.write(text)
    arguments = ["--failures", files["failures"], "--requirements", files["needs"]]
    error = run(files["jobs"], "--machines", files["grid"], *arguments, code=2)
    assert error.startswith("Error: ")
    assert error.count("\n") == 1
    assert message in error


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
        ("job," + "," * 1_000_000 + "\n1\n", "needs.csv, line 2: must have 1,000,002 columns"),
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


def test_limits_hold_for_a_table_of_requirements(tmp_path):
    jobs, machines, needs = (tmp_path / name for name in ("jobs.swf", "m.toml", "needs.csv"))
    jobs.write_text("1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")
    machines.write_text('[[cluster]]\nname = "a"\nmachines = 4\n')
    needs.write_text("job\n" + "1\n" * 50)
    options = ["grid", str(jobs), "--machines", str(machines), "--requirements", str(needs)]
    done = runner().invoke(main, [*options, "--max-lines", "20"])
    assert (done.exit_code, done.stderr.split(",")[0]) == (
        2,
        "Error: needs.csv must hold at most 20 lines",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "m.toml must hold [[cluster]] tables, got none"),
        ('[[cluster]]\nname = "a"\n', "m.toml, cluster 1: "),
        (
            '[[cluster]]\nname = "a"\nmachines = 4\nprocessors_per_machine = 1.5\n',
            "m.toml, cluster 1: processors_per_machine must be a whole number >= 1, got 1.5",
        ),
    ],
)
def test_a_refused_cluster_names_its_file_and_key(tmp_path, text, words):
    jobs, machines = tmp_path / "jobs.swf", tmp_path / "m.toml"
    jobs.write_text("1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")
    machines.write_text(text)
    done = runner().invoke(main, ["grid", str(jobs), "--machines", str(machines)])
    assert done.exit_code == 2
    assert words in done.stderr


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
