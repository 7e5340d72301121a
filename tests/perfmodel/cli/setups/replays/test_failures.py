"""Drawn failures and maintenance, as the options of replay and recovery describe them."""

import json

import numpy as np
import pytest

from perfmodel.cli import main
from sim.cluster import DrawnFailures
from sim.traces import INTREPID_HEADER, intrepid_like, write_swf
from tests.support.runner import runner

HOUR = 3600.0


def run(*arguments, code=0):
    done = runner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))


def swf(path, jobs, processors):
    """Write (submit, runtime, walltime, processors) of each job."""
    lines = [f"; MaxProcs: {processors}"]
    for number, (submit, runtime, walltime, size) in enumerate(jobs, 1):
        lines.append(
            f"{number} {submit} -1 {runtime} {size} -1 -1 {size} {walltime} -1 1 1 1 1 1 1 -1 -1"
        )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rng = np.random.default_rng(4)
    submits = np.sort(rng.integers(0, 90_000, 150))
    runtimes = rng.integers(60, 9000, 150)
    jobs = zip(submits, runtimes, 2 * runtimes, rng.integers(1, 33, 150), strict=True)
    return swf(tmp_path_factory.mktemp("logs") / "jobs.swf", jobs, 64)


@pytest.fixture(scope="module")
def intrepid(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "intrepid-like.swf"
    write_swf(intrepid_like(np.random.default_rng(3)).iloc[:60], path, header=INTREPID_HEADER)
    return str(path)


def noted(found):
    return "\n".join(found["notes"])


ALL = (
    *("--mtbf", "30min", "--mttr", "10min", "--stationary", "--burst-size", "3"),
    *("--burst-span", "2min", "--burst-within", "rack", "--rack-size", "8"),
    *("--lemon-share", "5%", "--lemon-factor", "20"),
)


def test_bursts_and_lemons_are_drawn_as_described_and_said(log):
    found = read("replay", log, *ALL, "--seed", "3")
    drawn = DrawnFailures(
        mtbf=1800.0,
        mttr=600.0,
        stationary=True,
        burst_size=3.0,
        burst_span=120.0,
        burst_within="rack",
        rack_size=8,
        lemon_share=0.05,
        lemon_factor=20.0,
    )
    lemons = ", ".join(map(str, drawn.lemons(64, 3).tolist()))
    words = noted(found)
    assert "in bursts of 3 within 2 min, on nodes of one rack of 8; the MTBF is that of" in words
    assert f"3 of 64 nodes fail 20 times as often as the others, by seed 3: {lemons}" in words
    assert "of 64 nodes are out at the first submission, by seed 3" in words
    options = found["options"]
    assert options["burst_span_s"] == 120.0
    assert options["lemon_share"] == 0.05
    assert (options["burst_within"], options["rack_size"], options["stationary"]) == (
        "rack",
        8,
        True,
    )
    assert found == read("replay", log, *ALL, "--seed", "3")
    assert found["failures"] != read("replay", log, *ALL, "--seed", "4")["failures"]


def test_every_engine_meets_the_same_bursts(log):
    feeds = [
        read("recovery", log, *ALL, "--case", "all-b", "--seed", "5"),
        read("replay", log, *ALL, "--seed", "5"),
    ]
    assert noted(feeds[0]).splitlines()[-4:-1] == noted(feeds[1]).splitlines()[-4:-1]
    assert feeds[0]["options"]["burst_size"] == 3.0


def test_the_defaults_name_no_bursts_and_no_lemons(log):
    plain = read("replay", log, "--mtbf", "2h")
    typed = read(
        *("replay", log, "--mtbf", "2h", "--burst-size", "1", "--lemon-share", "0"),
    )
    assert plain == typed
    assert "burst" not in noted(plain)
    assert "often" not in noted(plain)


def test_new_nodes_of_bursts_and_lemons_are_foretold(log):
    common = ("replay", log, "--mtbf", "1h", "--mttr", "0s", "--new-nodes", "--lemon-share", "10%")
    (words,) = [n for n in read(*common, "--burst-size", "2")["notes"] if "are new" in n]
    new, old = (float(w.replace(",", "")) for w in words.split() if w[0].isdigit())
    assert new == pytest.approx(old, rel=0.02)  # exponential uptimes do not age


def test_midplanes_stand_two_to_a_rack(intrepid):
    options = ("--machine", "bluegene:5x8", "--mtbf", "1h", "--burst-size", "2", "--json")
    bursts = ("--burst-within", "rack", "--lemon-share", "2.5%")
    words = noted(json.loads(run("replay", intrepid, *options, *bursts)))
    assert "on midplanes of one rack of 2" in words
    assert "2 of 80 midplanes fail 10 times as often as the others, by seed 0: R" in words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--burst-size", "2"), "--burst-size must come with --mtbf"),
        (("--stationary",), "--stationary must come with --mtbf"),
        (("--lemon-share", "1%"), "--lemon-share must come with --mtbf"),
        (("--mtbf", "1h", "--burst-span", "1s"), "--burst-span must come with --burst-size above"),
        (("--mtbf", "1h", "--burst-within", "node"), "--burst-within must come with --burst-size"),
        (("--mtbf", "1h", "--rack-size", "4"), "--rack-size must come with --burst-within rack"),
        (("--mtbf", "1h", "--lemon-factor", "4"), "--lemon-factor must come with --lemon-share"),
        (
            ("--mtbf", "1h", "--burst-size", "0.5"),
            "--burst-size must be a number >= 1, got '0.5'",
        ),
        (
            ("--mtbf", "1h", "--burst-size", "2", "--burst-within", "rack"),
            "--burst-within rack must come with --rack-size, got it alone",
        ),
        (
            ("--mtbf", "1h", "--burst-size", "2", "--burst-within", "rack", "--rack-size", "65"),
            "--rack-size must be <= the 64 nodes of the machine, got 65",
        ),
        (
            ("--mtbf", "1h", "--burst-size", "2", "--burst-within", "row"),
            "--burst-within must be one of node, rack, machine, got 'row'",
        ),
        (
            ("--mtbf", "1h", "--lemon-share", "0.5%"),
            "--lemon-share must be at least one and not all of the 64 nodes, got 0.005",
        ),
        (("--mtbf", "1h", "--lemon-share", "101%"), "--lemon-share must be a share such as 1% or"),
        (("--mtbf", "1h", "--lemon-share", "x%"), "--lemon-share must be a share such as 1% or"),
        (
            ("--mtbf", "1h", "--burst-size", "1e9"),
            "--burst-size must let at most 10,000,000 failures and nodes be drawn, got about 1e+09",
        ),
        (
            ("--mtbf", "1h", "--burst-size", "2", "--burst-span", "10000y"),
            "--burst-span must let at most 10,000,000 failures and nodes be drawn, got about 8.7",
        ),
        (
            ("--mtbf", "1h", "--stationary", "--new-nodes"),
            "--stationary must be left out with --new-nodes",
        ),
    ],
)
@pytest.mark.parametrize("command", ["replay", "recovery"])
def test_what_does_not_go_together_is_refused(log, command, options, words):
    if command == "recovery" and "--mtbf" not in options:
        options = (*options, "--failures", log)
    assert words in run(command, log, *options, code=2)


def test_racks_of_a_blue_gene_are_known(intrepid):
    options = ("--machine", "bluegene:5x8", "--mtbf", "1h", "--burst-size", "2")
    rack = ("--burst-within", "rack", "--rack-size", "4")
    words = run("replay", intrepid, *options, *rack, code=2)
    assert "--rack-size must be left out on a Blue Gene, got 4" in words


# Maintenance.

# Of four processors: the second job would reach into a window from 10 s to 20 s.
FOUR = ((0, 6, 6, 4), (1, 6, 6, 4), (2, 5, 5, 2), (2, 4, 4, 2))


@pytest.fixture
def four(tmp_path):
    return swf(tmp_path / "jobs.swf", FOUR, 4)


@pytest.fixture
def windows(tmp_path):
    def write(*lines, header="start,end,nodes,kind"):
        path = tmp_path / "windows.csv"
        path.write_text("\n".join((header, *lines)) + "\n")
        return "--maintenance", str(path)

    return write


def started(tmp_path, *arguments):
    out = tmp_path / "out.csv"
    found = read("replay", *arguments, "--out", str(out))
    header, *rows = (line.split(",") for line in out.read_text().splitlines())
    last = {row[header.index("job")]: float(row[header.index("start")]) for row in rows}
    return found, list(last.values())


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("fcfs", [0, 20, 26, 26]), ("easy", [0, 20, 26, 6]), ("conservative", [0, 20, 26, 6])],
)
def test_no_job_is_started_into_a_planned_window(four, windows, tmp_path, policy, expected):
    window = windows("10,20,,planned")
    found, starts = started(tmp_path, four, *window, "--policy", policy)
    assert starts == expected
    assert found["failures"] == 0
    assert found["failures_drawn"] is None
    assert found["engine"] == "general"
    assert found["options"]["maintenance"] == "windows.csv"
    assert [file["name"] for file in found["inputs"]] == ["jobs.swf", "windows.csv"]
    assert "1 of 1 windows of maintenance end after the first submission: 1 planned" in noted(found)
    assert "no job is started that would reach into a planned window" in noted(found)


def test_an_outage_strikes_what_runs_there(four, windows, tmp_path):
    found, starts = started(tmp_path, four, *windows("8,20,0 2-3,outage"), "--policy", "fcfs")
    assert starts == [0, 20, 26, 26]
    assert found["failures"] == 1
    assert found["engine"] == "kernel"
    text = run("replay", four, *windows("8,20,0 2-3,outage"))
    assert "1 ended an attempt of a job" in text
    assert "beyond the last failure" not in text


def test_windows_are_seconds_of_the_log_or_dates(log, four, windows, tmp_path):
    expected = started(tmp_path, four, *windows("8,20,,outage"))[1]
    dated = windows("2023-11-14T22:13:28,2023-11-14T22:13:40,,outage")  # 1.7e9 and 8 s
    found, starts = started(tmp_path, four, *dated, "--log-start", "1700000000")
    assert starts == expected
    assert found["failures"] == 1
    unknown = read("replay", four, *dated)
    assert "windows with dates count from the UnixStartTime" in noted(unknown)
    assert unknown["failures"] == 0
    assert "--log-start must come with --failures or --maintenance" in run(
        "replay", log, "--log-start", "5", code=2
    )


def test_windows_and_drawn_failures_go_together(log, windows):
    outage = windows("30000,40000,0-31,outage")
    options = ("replay", log, "--mtbf", "1h", "--mttr", "10min", "--seed", "2")
    plain, both = read(*options), read(*options, *outage)
    assert both["failures"] > plain["failures"]
    assert (
        "1 of 1 windows of maintenance end after the first submission: 0 planned, 1 out"
        in noted(both)
    )
    assert "drawn until the last job ended, and with the windows" in " ".join(
        run(*options, *outage).split()
    )


def test_planned_windows_are_known_to_every_case_of_recovery(log, windows):
    known = windows("30000,40000,,planned", "50000,50500,0-31,planned")
    rows = read("recovery", log, "--mtbf", "5h", *known, "--case", "ff,all-b,all-c")["results"]
    plain = read("recovery", log, "--mtbf", "5h", "--case", "ff")["results"][0]
    assert rows[0]["failures"] == 0
    assert rows[0]["mean_wait_s"] > plain["mean_wait_s"]
    assert rows[1]["failures"] > 0


def test_windows_of_too_many_nodes_are_refused(log, windows):
    many = (f"{start},{start + 1},,outage" for start in range(10_001))
    words = run("replay", log, "--processors", "1000", *windows(*many), code=2)
    assert "--maintenance must let at most 10,000,000 failures and nodes be drawn, got" in words


def test_an_outage_takes_midplanes_out(intrepid, windows):
    options = ("replay", intrepid, "--machine", "bluegene:5x8")
    day = windows("20000,60000,0-79,outage")
    assert read(*options, *day)["failures"] > 0
    planned = run(*options, *windows("20000,60000,,planned"), code=2)
    assert "windows.csv, line 2: kind must be outage on a Blue Gene, whose scheduler" in planned


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("1,2,3-4,outage",), "line 2: nodes must be below the 4 of the machine, counted from 0"),
        (("1,5,0-3,outage", "4,9,3,planned"), "line 3: windows of one node must not overlap, got"),
        (("1,2,,soon",), "line 2: kind must be planned or outage, got 'soon'"),
        (("2,1,,outage",), "line 2: end must be after start, got '1'"),
        (("one,2,,outage",), "line 2: start must be seconds or an ISO date, got 'one'"),
        ((), "windows.csv must hold windows, got none"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "recovery"])
def test_a_bad_window_is_refused_by_its_line(four, windows, command, lines, words):
    text = run(command, four, *windows(*lines), code=2)
    assert words in text
    assert "windows.csv" in text
    assert text.count("\n") == 1


# Grids.

CLUSTERS = """
[[cluster]]
name = "a"
machines = 40
[[cluster]]
name = "b"
machines = 24
"""


@pytest.fixture(scope="module")
def clusters(tmp_path_factory):
    path = tmp_path_factory.mktemp("grid") / "clusters.toml"
    path.write_text(CLUSTERS)
    return "--machines", str(path), "--policies", "easy"


def test_a_grid_has_lemons_and_spans_of_bursts(log, clusters):
    drawn = (*("--mtbf", "1h", "--burst-size", "3"), *("--lemon-share", "5%", "--seed", "3"))
    found = read("grid", log, *clusters, *drawn, "--burst-span", "10min")
    lemons = ", ".join(map(str, DrawnFailures(mtbf=1.0, lemon_share=0.05).lemons(64, 3).tolist()))
    assert f"3 of 64 machines fail 10 times as often as the others, by seed 3: {lemons}" in noted(
        found
    )
    assert found["options"]["burst_span_s"] == 600.0
    assert found["results"] != read("grid", log, *clusters, *drawn)["results"]


def test_outages_strike_machines_of_a_grid(log, clusters, windows):
    outage = windows("30000,40000,0-39,outage", "50000,51000,,outage")
    found = read("grid", log, *clusters, *outage)
    basic, failing = found["results"]
    assert (basic["scenario"], failing["scenario"]) == ("BASIC", "EXT-FAIL")
    assert failing["kills"] > 0
    assert found["failures"] == 40 + 64
    both = read("grid", log, *clusters, *outage, "--mtbf", "1h")
    assert both["failures"] > 104
    assert [one["name"] for one in both["inputs"]] == ["jobs.swf", "clusters.toml", "windows.csv"]


def test_dated_outages_of_a_grid_count_from_its_origin(log, clusters, windows):
    seconds = read("grid", log, *clusters, *windows("30000,40000,,outage"))["results"]
    dated = windows("2001-09-09T10:06:40,2001-09-09T12:53:20,,outage")  # 1e9 and 30,000 s
    found = read("grid", log, *clusters, *dated, "--origin", "1000000000")
    assert found["results"] == seconds


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--lemon-share", "1%"), "--lemon-share must come with --mtbf"),
        (("--mtbf", "1h", "--burst-span", "1s"), "--burst-span must come with --burst-size above"),
        (("--mtbf", "1h", "--lemon-factor", "2"), "--lemon-factor must come with --lemon-share"),
        (
            ("--mtbf", "1h", "--lemon-share", "0.1%"),
            "--lemon-share must be at least one and not all of the 64 machines, got 0.001",
        ),
        (("--origin", "5"), "--origin must come with --failures or --maintenance"),
    ],
)
def test_what_does_not_go_together_on_a_grid_is_refused(log, clusters, options, words):
    assert words in run("grid", log, *clusters, *options, code=2)


def test_a_grid_knows_of_no_planned_windows(log, clusters, windows):
    words = run("grid", log, *clusters, *windows("5,9,,planned"), code=2)
    assert "windows.csv, line 2: kind must be outage on a grid, whose scheduler" in words
    beyond = run("grid", log, *clusters, *windows("5,9,64,outage"), code=2)
    assert "windows.csv, line 2: nodes must be below the 64 of the machine" in beyond
