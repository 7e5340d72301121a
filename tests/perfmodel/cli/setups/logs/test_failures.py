import csv
import json
import lzma

import numpy as np
import pytest

from perfmodel.cli import main
from sim.traces import locate, read_lanl
from tests.support.runner import runner

LANL = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv"
HOUR = 3600.0


def run(*arguments, code=0):
    done = runner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def read(*arguments):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(run(*arguments, "--json"), parse_constant=refuse)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """200 failures with Weibull gaps and exponential repairs, written as a plain CSV."""
    rng = np.random.default_rng(5)
    times = np.cumsum(3600.0 * rng.weibull(0.7, 200))
    repairs = rng.exponential(600.0, 200)
    path = tmp_path_factory.mktemp("log") / "failures.csv"
    lines = [f"{t!r},{r!r}" for t, r in zip(times.tolist(), repairs.tolist(), strict=True)]
    path.write_text("\n".join(["time,repair", *lines, ""]))
    return path, times, repairs


@pytest.fixture(scope="module")
def lanl():
    path = locate(LANL)
    if path is None:
        pytest.skip(f"{LANL} is not at hand")
    return str(path)


@pytest.fixture(scope="module")
def systems_of_records(lanl):
    """Tell the system of every record, by a reader of nothing but commas."""
    with (lzma.open if lanl.endswith(".xz") else open)(lanl, "rt", encoding="utf-8") as lines:
        return [row["System"] for row in csv.DictReader(lines) if any(row.values())]


def test_fit_tells_mtbf_and_mttr_with_limits(log):
    path, times, repairs = log
    found = read("fit", str(path), "--format", "csv")
    mtbf = (times[-1] - times[0]) / 199
    assert found["mtbf_s"] == pytest.approx(mtbf)
    assert found["mtbf_low_s"] < mtbf < found["mtbf_high_s"]
    assert found["mttr_s"] == pytest.approx(repairs.mean())
    assert found["mttr_low_s"] < repairs.mean() < found["mttr_high_s"]
    assert found["failures"] == 199


def test_fit_chooses_the_least_aic_and_finds_the_law_that_was_drawn_from(log):
    found = read("fit", str(log[0]), "--format", "csv")
    rows = {row["family"]: row for row in found["uptime_fits"]}
    assert set(rows) == {"exponential", "weibull", "gamma", "lognormal"}
    assert found["uptime_family"] == min(rows, key=lambda name: rows[name]["aic"])
    low, high = rows["weibull"]["intervals"]["shape"]
    assert low < 0.7 < high
    low, high = rows["weibull"]["intervals"]["scale_s"]
    assert low < 3600.0 < high


def test_fit_shows_a_table_that_fits_80_columns(log, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run("fit", str(log[0]), "--format", "csv")
    assert max(map(len, text.splitlines())) <= 80
    for word in ("MTBF", "MTTR", "weibull", "lognormal", "fits best", "confidence"):
        assert word in text
    assert "…" not in text


def written(path, gaps, repair=60.0):
    times = np.concatenate([[0.0], np.cumsum(gaps)])
    path.write_text("\n".join(["time,repair", *(f"{t!r},{repair}" for t in times.tolist()), ""]))
    return str(path)


def test_a_law_that_fits_is_said_to(log):
    found = read("fit", str(log[0]), "--format", "csv")
    assert "weibull" in found["uptime_fitting"]
    assert "exponential" not in found["uptime_fitting"]
    assert found["clustered"] is False
    text = run("fit", str(log[0]), "--format", "csv")
    assert " fits best, " in text
    assert "none of the families" not in text
    assert "clusters" not in text


def test_where_no_family_fits_the_record_itself_is_shown(tmp_path):
    # Two kinds of gaps, of a minute and of a day, in random order.
    rng = np.random.default_rng(12)
    gaps = rng.choice([60.0, 86_400.0], 600) * rng.gamma(50.0, 1.0 / 50.0, 600)
    path = written(tmp_path / "log.csv", gaps)
    found = read("fit", path, "--format", "csv")
    assert found["uptime_fitting"] == []
    assert not any(row["fits"] for row in found["uptime_fits"])
    shares = {int(share): value for share, value in found["uptime_quantiles_s"].items()}
    for share, value in shares.items():
        assert np.mean(gaps <= value * (1.0 + 1e-9)) == pytest.approx(share / 100, abs=2 / 600)
    assert found["uptime_recorded_mean_s"] == pytest.approx(gaps.mean())
    assert found["clustered"] is False
    text = " ".join(run("fit", path, "--format", "csv").split())
    for words in (
        "Uptimes: none of the families fits",
        "chance explains at most",
        "50 % are at most",
    ):
        assert words in text
    assert "also play the job with the recorded gaps" in text


def test_a_rate_that_drifts_is_told_with_its_stretches(tmp_path):
    rng = np.random.default_rng(13)
    gaps = rng.exponential(1.0, 600) * np.repeat([60_000.0, 6_000.0], 300)
    path = written(tmp_path / "log.csv", gaps)
    found = read("fit", path, "--format", "csv")
    assert found["failure_pattern"] == "drift"
    assert found["bursts"] is None
    assert found["drift"]["starts_s"][1] == pytest.approx(gaps[:300].sum(), rel=0.1)
    assert found["interval_mtbf_s"] == pytest.approx(found["mtbf_s"], rel=0.01)
    text = " ".join(run("fit", path, "--format", "csv").split())
    assert "The rate of failures drifts: 2 stretches" in text
    job = ("--log", path, "--format", "csv", "--checkpoint-cost", "1min", "--work", "2h")
    answer = read("interval", *job)
    assert answer["mtbf_s"] == found["mtbf_s"]
    assert "the mean rate counts" in " ".join(run("interval", *job).split())


BURSTS = ("--format", "csv", "--checkpoint-cost", "1min", "--work", "2d")


def bursts_of_three(path, within=20.0):
    """Write a failure every ten hours or so, and two more soon after each."""
    rng = np.random.default_rng(14)
    long = rng.exponential(36_000.0, 100)
    written(path, np.ravel(np.column_stack([long, np.full((100, 2), within)])), repair=1.0)
    return str(path), float(long.mean())


def test_bursts_count_once(tmp_path):
    path, mean = bursts_of_three(tmp_path / "log.csv")
    found = read("fit", path, "--format", "csv")
    assert found["failure_pattern"] == "bursts"
    assert found["bursts"]["size"] == pytest.approx(3.0, rel=0.1)
    assert found["bursts"]["mtbf_s"] == pytest.approx(mean, rel=0.1)
    text = " ".join(run("fit", path, "--format", "csv").split())
    assert "Failures come in bursts of 3" in text
    answer = read("interval", "--log", path, *BURSTS)
    assert answer["mtbf_s"] == found["bursts"]["mtbf_s"]
    assert answer["mtbf_low_s"] < mean < answer["mtbf_high_s"]
    assert answer["bursts_counted"] == "once"
    assert "each counts once" in " ".join(run("interval", "--log", path, *BURSTS).split())
    assert read("goodput", "--log", path, *BURSTS)["mtbf_s"] == answer["mtbf_s"]


def test_every_failure_of_a_burst_counts_where_asked_for(tmp_path):
    path, mean = bursts_of_three(tmp_path / "log.csv")
    answer = read("interval", "--log", path, *BURSTS, "--bursts", "count")
    assert answer["mtbf_s"] == pytest.approx(mean / 3.0, rel=0.02)
    assert answer["bursts_counted"] == "every failure"


def test_bursts_that_outlast_an_interval_count_by_failure_unless_asked_for(tmp_path):
    path, mean = bursts_of_three(tmp_path / "log.csv", within=1200.0)
    answer = read("interval", "--log", path, *BURSTS, "--checkpoint-cost", "1s")
    assert answer["failure_pattern"] == "bursts"
    assert answer["bursts_counted"] == "every failure"
    merged = read(
        "interval", "--log", path, *BURSTS, "--checkpoint-cost", "1s", "--bursts", "merge"
    )
    assert merged["mtbf_s"] == pytest.approx(mean, rel=0.1)


def test_storms_of_messages_are_few_failures(tmp_path):
    """Sixty messages a few seconds apart, fourteen times in a month: no interval of minutes."""
    rng = np.random.default_rng(3)
    gaps = np.ravel(
        np.column_stack([rng.exponential(50 * 3600.0, 14), rng.uniform(1.0, 9.0, (14, 59))])
    )
    log = tmp_path / "log.csv"
    log.write_text("time,node\n" + "".join(f"{t:.3f},n1\n" for t in np.cumsum(gaps)))
    path = str(log)
    answer = read("interval", "--log", path, *BURSTS)
    assert answer["mtbf_s"] > 20 * 3600.0
    some = ("--nodes", "1", "--log-nodes", "4")
    part = read("interval", "--log", path, *BURSTS, *some)
    assert part["mtbf_s"] > 80 * 3600.0


def test_bursts_must_come_with_a_log():
    said = run(
        *("interval", "--mtbf", "1d", "--checkpoint-cost", "1min", "--bursts", "count"), code=2
    )
    assert "--bursts must come with --log" in said


def test_failures_by_cause(tmp_path):
    path = tmp_path / "log.csv"
    rows = ["time,node,repair,cause"]
    rows += [
        f"{1000 * k},n1,{60 if k % 4 else 600},{'gpu' if k % 4 else 'fabric'}" for k in range(40)
    ]
    path.write_text("\n".join(rows) + "\n1000000,n1,,\n")
    causes = read("fit", str(path), "--format", "csv")["causes"]
    assert [(one["cause"], one["failures"]) for one in causes] == [
        ("gpu", 30),
        ("fabric", 10),
        ("unknown", 1),
    ]
    assert causes[1]["mttr_s"] == 600.0
    assert causes[2]["mttr_s"] is None
    mtbf = read("fit", str(path), "--format", "csv")["mtbf_s"]
    assert causes[0]["mtbf_s"] == pytest.approx(mtbf * 41 / 30)
    assert causes[0]["share"] == pytest.approx(30 / 41)
    assert "Failures by cause:" in run("fit", str(path), "--format", "csv")
    lost = read("goodput", "--log", str(path), "--format", "csv", "--checkpoint-cost", "10s")
    total = 1.0 - lost["goodput"] - lost["losses"]["checkpoint_save"]
    assert sum(lost["lost_to"].values()) == pytest.approx(total)
    assert lost["lost_to"]["gpu"] == pytest.approx(3.0 * lost["lost_to"]["fabric"])


def test_since_and_until_bound_the_observation(log):
    path, times, _ = log
    since, until = float(times[50]) - 1.0, float(times[150]) + 1.0
    found = read(
        "fit", str(path), "--format", "csv", "--since", repr(since), "--until", repr(until)
    )
    assert found["failures"] == 101
    assert found["observed_s"] == pytest.approx(until - since)


def test_malformed_lines_are_reported_and_strict_refuses_them(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time,repair\n10,1\nyesterday,1\n30,2\n70,nonsense\n")
    found = read("fit", str(path), "--format", "csv")
    assert [problem["line"] for problem in found["problems"]] == [3, 5]
    assert "yesterday" in run("fit", str(path), "--format", "csv")
    message = run("fit", str(path), "--format", "csv", "--strict", code=2)
    assert message.startswith("Error: log.csv, line 3: ")
    assert message.count("\n") == 1
    source = ["--log", str(path), "--format", "csv", "--checkpoint-cost", "1s"]
    assert any("yesterday" in note for note in read("interval", *source)["log"])
    assert run("interval", *source, "--strict", code=2) == message


@pytest.mark.slow
def test_repairs_that_are_left_out_are_told(log):
    source = ["--log", str(log[0]), "--format", "csv", "--checkpoint-cost", "6min"]
    for command in ("interval", "completion"):
        text = " ".join(run(command, *source).split())
        assert "downtime 0 s (repairs of the log, " in text
        assert "on average, are left out: --downtime)" in text
        assert "left out" not in run(command, *source, "--downtime", "5min")


def test_repairs_of_zero_and_no_repairs_at_all_are_no_obstacle(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time,repair\n10,0\n20,60\n50,0\n90,120\n91,60\n")
    assert read("fit", str(path), "--format", "csv")["mttr_s"] == 48.0
    path.write_text("time\n10\n20\n50\n")
    assert read("fit", str(path), "--format", "csv")["mttr_s"] is None
    assert "unknown" in run("fit", str(path), "--format", "csv")


def test_equal_gaps_fit_no_law_but_still_have_an_mtbf(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time\n10\n20\n30\n")
    found = read("fit", str(path), "--format", "csv")
    assert (found["mtbf_s"], found["uptime_family"]) == (10.0, None)
    assert "too few different values" in run("fit", str(path), "--format", "csv")


@pytest.fixture
def few_failing(tmp_path):
    """162 failures of 99 among 512 nodes in 363 days."""
    rng = np.random.default_rng(8)
    day = 86_400.0
    node = np.concatenate([np.arange(99), rng.integers(0, 99, 63)])
    times = np.sort(rng.uniform(0.0, 363.0, node.size)) * day
    times[[0, -1]] = 0.0, 363.0 * day
    rows = [f"{t!r},nid{n:04},60" for t, n in zip(times.tolist(), node.tolist(), strict=True)]
    path = tmp_path / "nodes.csv"
    path.write_text("\n".join(["time,node,repair", *rows, ""]))
    return str(path)


def test_nodes_that_never_failed_count_where_their_number_is_given(few_failing):
    found = read("fit", few_failing, "--format", "csv", "--by", "node", "--nodes", "512")
    # The first failure ends the uptime of no time, 363 d x 512 hold the others.
    assert found["mtbf_s"] == pytest.approx(512 * 363.0 * 86_400.0 / 161, rel=1e-3)
    assert (found["nodes"], found["nodes_named"]) == (512, 99)
    text = " ".join(run("fit", few_failing, "--format", "csv", "--by", "node").split())
    assert "99 nodes are named; those that never failed are not counted: give --nodes" in text
    alone = read("fit", few_failing, "--format", "csv", "--by", "node")
    assert (alone["nodes"], alone["nodes_named"]) == (None, 99)
    assert alone["mtbf_s"] < found["mtbf_s"] / 5.0


def test_a_system_as_a_whole_has_no_nodes(few_failing):
    found = read("fit", few_failing, "--format", "csv")
    assert (found["by"], found["nodes"]) == ("system", None)


@pytest.mark.slow
def test_a_lanl_log_says_how_many_nodes_there_are(lanl):
    # Of the 512 nodes of system 12, 134 ever failed.
    given = ["--format", "lanl", "--by", "node"]
    told = read("fit", lanl, *given, "--system", "12")
    assert (told["nodes"], told["nodes_named"]) == (512, 134)
    given_too = read("fit", lanl, *given, "--system", "12", "--nodes", "512")
    assert told["mtbf_s"] == given_too["mtbf_s"]


@pytest.mark.slow  # fits of 20,000 failures
def test_systems_together_have_no_number_of_nodes(lanl):
    pooled = read("fit", lanl, "--format", "lanl", "--by", "node")
    assert pooled["nodes"] is None  # system 17 does not say
    assert pooled["failures"] > 20_000


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--nodes", "512"], "--nodes must come with --by node, got --by system"),
        (["--by", "node", "--nodes", "98"], "--nodes must be >= the 99 nodes named in LOG, got 98"),
        (["--by", "node", "--nodes", "0"], "--nodes must be a whole number >= 1"),
    ],
)
def test_a_number_of_nodes_that_cannot_be_is_refused(few_failing, more, message):
    assert message in run("fit", few_failing, "--format", "csv", *more, code=2)


def test_failures_by_node_need_nodes(log, lanl):
    error = run("fit", str(log[0]), "--format", "csv", "--by", "node", code=2)
    assert error == "Error: --by node must have a LOG that names nodes, got none\n"
    error = run("fit", lanl, "--format", "lanl", "--by", "node", "--nodes", "4000", code=2)
    assert "--nodes must come with --system, got 23 systems" in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fit"], "Missing argument 'LOG'"),
        (["fit", "nowhere.csv", "--format", "csv"], "LOG must be a readable file"),
        (
            ["fit", "LOG", "--format", "swf"],
            "pbs, lsf, table, acme or helios, got 'swf'",
        ),
        (["fit", "LOG", "--format", "csv", "--by", "rack"], "--by must be system or node"),
        (["fit", "LOG", "--format", "csv", "--since", "once"], "--since must be"),
        (["fit", "LOG", "--format", "csv", "--since", "9e9"], "failures"),
        (
            ["fit", "LOG", "--format", "csv", "--since", "9", "--until", "3"],
            "--until must be after --since",
        ),
        (["fit", "LOG", "--format", "lanl"], "LANL columns"),
    ],
)
def test_bad_input_of_fit_is_one_line(arguments, words, log):
    arguments = [str(log[0]) if word == "LOG" else word for word in arguments]
    message = run(*arguments, code=2)
    assert message.startswith("Error: ")
    assert message.count("\n") == 1
    assert words in message


@pytest.mark.slow
@pytest.mark.parametrize("system", ["2", "16", "18", "20"])
def test_the_large_lanl_systems_go_through_and_every_record_is_accounted_for(
    system, lanl, systems_of_records
):
    source = ["--format", "lanl", "--system", system]
    fitted = read("fit", lanl, *source)
    advice = read("interval", "--log", lanl, *source, "--checkpoint-cost", "6min")
    assert fitted["interval_mtbf_s"] == advice["mtbf_s"]
    assert fitted["mtbf_low_s"] < fitted["mtbf_s"] < fitted["mtbf_high_s"]
    assert advice["recommended_interval_low_s"] < advice["recommended_interval_s"]
    assert advice["recommended_interval_s"] < advice["recommended_interval_high_s"]
    # One record starts the observation, the others end an uptime or fall together with one.
    rows = fitted["rows"]
    assert rows["records"] == len(systems_of_records)
    assert rows["used"] + rows["merged"] == systems_of_records.count(system)
    assert rows["used"] + rows["merged"] + rows["filtered"] == rows["records"]
    notes = (note.replace(",", "") for note in fitted["log"])
    (together,) = (int(note.split()[0]) for note in notes if "interruption" in note)
    assert fitted["failures"] + together + 1 == rows["used"]


@pytest.mark.slow
def test_what_is_odd_in_the_lanl_log_is_listed(lanl):
    found = read("fit", lanl, "--format", "lanl", "--system", "20")
    rules = [problem["rule"] for problem in found["problems"]]
    assert rules.count("down-time-differs") == 24
    assert rules.count("no-node") == 126


@pytest.mark.slow
def test_the_node_mtbf_of_lanl_system_2_is_that_of_the_literature(lanl):
    # 521.6 h between failures of a node and 2.37 h of downtime, from an independent count.
    found = read("fit", lanl, "--format", "lanl", "--system", "2", "--by", "node")
    assert found["mtbf_s"] / HOUR == pytest.approx(521.6, rel=0.01)
    # That count takes each record by itself; of outages there are fewer, and no time counts twice.
    records = read_lanl(lanl, system=2).frame["repair"]
    assert records.mean() / HOUR == pytest.approx(2.37, abs=0.005)
    assert found["count"] < len(records)
    assert found["mttr_s"] * found["count"] < records.sum()


def test_an_unknown_lanl_system_is_refused_with_those_there_are(lanl):
    message = run("fit", lanl, "--format", "lanl", "--system", "99", code=2)
    assert "system must be one of 2, 3, 4" in message.replace("10, 11, ", "") or "2" in message
    assert "got 99" in message


@pytest.fixture
def one_bad_of_forty(tmp_path):
    """Write two systems of 40 nodes: two failures of each node, and 20 of node 7 of system b."""
    rng = np.random.default_rng(3)
    lines = ["system,time,node,repair"]
    for system, bad in (("a", -1), ("b", 7)):
        for node in range(40):
            for time in rng.uniform(0.0, 1e7, 20 if node == bad else 2):
                lines.append(f"{system},{time:.0f},{node},60")
    path = tmp_path / "bad.csv"
    path.write_text("\n".join([*lines, ""]))
    return str(path)


def test_a_node_that_fails_too_often_is_named(one_bad_of_forty):
    found = read("fit", one_bad_of_forty, "--format", "csv", "--by", "node")["bad_nodes"]
    assert [(row["system"], row["node"], row["failures"]) for row in found] == [("b", "7", 20)]
    assert found[0]["expected"] == pytest.approx((39 * 2 + 20) / 40, rel=0.05)
    assert found[0]["probability"] < 1e-9
    text = run("fit", one_bad_of_forty, "--format", "csv", "--by", "node")
    assert "1 node fails more often than chance explains" in text
    assert "b          7        20      2.42" in text
    alone = run("fit", one_bad_of_forty, "--format", "csv", "--by", "node", "--system", "a")
    assert "No node fails more often than chance explains" in alone
    assert read("fit", one_bad_of_forty, "--format", "csv")["bad_nodes"] is None


def test_only_the_worst_of_many_bad_nodes_are_printed(tmp_path):
    lines = ["time,node"]
    for node in range(400):
        lines += [f"{1000 * node + k * (k + 7) + 3},{node}" for k in range(30 if node < 25 else 1)]
    path = tmp_path / "bad.csv"
    path.write_text("\n".join([*lines, ""]))
    assert len(read("fit", str(path), "--format", "csv", "--by", "node")["bad_nodes"]) == 25
    text = run("fit", str(path), "--format", "csv", "--by", "node")
    assert "In the answer of --json, not here: 5 more." in text


@pytest.mark.few(1)
@pytest.mark.parametrize("layout", ["csv", "lanl"])
def test_the_first_line_tells_the_layout_and_the_guess_is_printed(layout, tmp_path, lanl, log):
    path = lanl if layout == "lanl" else str(log[0])
    told, guessed = run("fit", path, "--format", layout), run("fit", path)
    note = f"read as {layout}, by its first lines: --format names another format"
    assert note in " ".join(guessed.split())
    assert note not in " ".join(told.split())
    assert told.splitlines()[-6:] == guessed.splitlines()[-6:]


def test_an_interval_needs_no_format_either(log):
    job = ["interval", "--log", str(log[0]), "--checkpoint-cost", "1min"]
    assert "read as csv, by its first lines" in " ".join(run(*job).split())


@pytest.mark.parametrize("command", ["fit", "spares"])
def test_a_table_of_jobs_is_not_taken_for_failures(tmp_path, command):
    path = tmp_path / "jobs.csv"
    path.write_text("job,submit,start,end,processors\n1,0,0,100,4\n2,10,100,300,4\n")
    given = [str(path)] if command == "fit" else ["--log", str(path), "--nodes", "3"]
    done = runner().invoke(main, [command, *given])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "jobs.csv must be a failure log, got one of jobs that name no node" in done.stderr
    assert "--columns state=NAME,nodes=NAME says which" in done.stderr
    read = runner().invoke(main, [command, *given, "--format", "csv"])
    assert "got one of jobs" not in read.stderr
    ended = "job,submit,start,end,processors,exit_status\n1,0,0,100,4,NODE_FAIL\n"
    path.write_text(ended + "2,10,100,300,4,COMPLETED\n")
    more = ["--columns", "state=exit_status,nodes=processors"]
    more += [] if command == "fit" else ["--mttr", "1h"]
    assert "1 job ended as NODE_FAIL" in " ".join(run(command, *given, *more).split())
    path.write_text(ended.replace("NODE_FAIL", "FAILED") + "2,10,100,300,4,COMPLETED\n")
    assert "--state FAILED counts those" in " ".join(run("fit", str(path), *more[:2]).split())
    said = run(command, *given, *more, "--state", "FAILED")
    assert "1 job ended as FAILED" in " ".join(said.split())


def test_jobs_without_a_length_are_jobs_at_every_door(tmp_path):
    (tmp_path / "jobs.csv").write_text("job_id,submit,start,nodes\n1,0,0,4\n2,9,10,4\n")
    path = str(tmp_path / "jobs.csv")
    for command in (["replay", path], ["traces", "describe", path]):
        done = runner().invoke(main, command)
        assert done.exit_code == 2
        assert "must name a duration, or start and end, got 'job_id,submit," in done.stderr
        assert "--columns duration=NAME says which" in done.stderr
    done = runner().invoke(main, ["fit", path])
    assert "jobs.csv must be a failure log, got one of jobs" in done.stderr


def test_a_job_log_that_no_option_makes_a_failure_log_is_named_to_replay(tmp_path):
    (tmp_path / "jobs.swf").write_text(
        "; MaxProcs: 64\n1 0 0 9 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n"
    )
    done = runner().invoke(main, ["fit", str(tmp_path / "jobs.swf")])
    assert done.exit_code == 2
    assert "jobs.swf must be a failure log, got jobs, which perfmodel replay reads" in done.stderr
