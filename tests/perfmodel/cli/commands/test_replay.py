import csv
import json
import re
from dataclasses import replace
from math import gamma
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from click.testing import CliRunner

from asking.reading import FAILURE_FORMATS
from perfmodel.cli import main
from perfmodel.cli.output.measures import ALL
from sim import traces
from sim.answers.kinds import DIALECTS, FORMATS
from sim.answers.replays.requests import DialectName, SchedulerName
from sim.cluster import POLICIES, replay
from sim.metrics import ALL_CLASSES, length_class, mean_by_class, scale_class
from sim.traces import INTREPID_HEADER, intrepid_like, write_swf

KEYS = {
    "jobs",
    "policy",
    "mean_wait_s",
    "mean_response_s",
    "mean_bounded_slowdown",
    "utilization",
    "makespan_s",
    "job_failure_rate",
    "service_unit_loss",
    "capacity_loss",
    "dropped",
    "failures_drawn",
}
# Four processors: the second job waits for the first, the third backfills.
JOBS = """; MaxProcs: 4
1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1
3 2 -1 4 1 -1 -1 1 8 -1 1 1 1 1 1 1 -1 -1
4 3 -1 -1 1 -1 -1 1 8 -1 5 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


@pytest.fixture(scope="module")
def intrepid(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "intrepid-like.swf"
    frame = intrepid_like(np.random.default_rng(3)).iloc[:250]
    write_swf(frame, path, header=INTREPID_HEADER)
    return str(path)


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["replay", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))


def test_the_schedule_worked_by_hand(log):
    found = read(log, "--policy", "easy")
    assert found.keys() >= KEYS
    assert found["jobs"] == 3
    assert found["policy"] == "easy"
    assert found["dropped"] == {"never_ran": 1}
    assert found["mean_wait_s"] == pytest.approx((0 + 8 + 0) / 3)
    assert found["makespan_s"] == 14.0
    assert found["utilization"] == pytest.approx((27 + 20 + 4) / (4 * 14))


def test_strict_queues_wait_longer(log):
    assert read(log, "--policy", "fcfs")["mean_wait_s"] == pytest.approx((0 + 8 + 12) / 3)


def test_the_table_names_policy_and_what_was_left_out(log):
    text = run(log, "--policy", "easy")
    assert "1 left out: never_ran" in text
    assert "4 processors, as the log's header says" in text


def test_what_was_repaired_is_counted_and_told(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(
        "; MaxProcs: 4\n"
        "1 5 -1 9 3 -1 -1 3 -1 -1 1 1 1 1 1 1 -1 -1\n"
        "2 1 -1 5 4 -1 -1 -1 5 -1 1 1 1 1 1 1 -1 -1\n"
    )
    rules = {"missing_walltime": 1, "missing_processors": 1, "out_of_order": 1}
    found = read(str(path))
    assert found["repaired"] == rules
    assert any("submit 1 comes after 5" in note for note in found["notes"])
    text = run(str(path))
    assert all(f"1 repaired: {rule}" in text for rule in rules)
    assert read(str(path), "--missing-walltime", "drop")["dropped"] == {"no_walltime": 1}
    assert "walltime must be known" in run(str(path), "--missing-walltime", "refuse", code=2)


def test_a_window_keeps_the_jobs_submitted_in_it(log):
    found = read(log, "--since", "+1s", "--before", "+2s")
    assert found["jobs"] == 1
    assert found["makespan_s"] == 5.0
    assert "1 of 3 jobs were submitted in the window" in found["notes"]
    assert "must leave jobs, got 0 of 3" in run(log, "--since", "+1h", code=2)


def test_jobs_of_one_instant_go_by_position_or_by_number(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(
        "; MaxProcs: 4\n"
        "2 0 -1 90 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n"
        "1 0 -1 30 4 -1 -1 4 30 -1 1 1 1 1 1 1 -1 -1\n"
    )
    assert read(str(path))["mean_wait_s"] == 45.0
    assert read(str(path), "--ties", "job")["mean_wait_s"] == 15.0


@pytest.mark.parametrize(
    ("result", "jobs", "wait", "slowdown"),
    [("SDSC-SP2", 54_006, 20_497.76, 87.8703), ("CTC-SP2", 77_199, 14_272.59, 49.5713)],
)
def test_published_means_are_reached_from_the_published_file(result, jobs, wait, slowdown):
    # Its lines are in order of end, so that only the numbers tell who was submitted first.
    name = f"predictsim/{result}/res_easy_backfill_scheduler_None_None.swf.gz"
    path = traces.locate(f"reference-results/{name}")
    if path is None:
        pytest.skip(f"reference-results/{name} not found; algo74/predictsim publishes it")
    found = read(str(path), "--event-order", "submissions-first", "--ties", "job")
    assert found["jobs"] == jobs
    assert found["mean_wait_s"] == pytest.approx(wait, abs=0.005)
    assert found["mean_bounded_slowdown"] == pytest.approx(slowdown, abs=5e-5)


def test_jobs_take_whole_nodes_of_a_plain_machine(log):
    found = read(log, "--processors-per-node", "2")
    # Two nodes: the first two jobs need both, the last one half of one.
    assert found["utilization"] == pytest.approx((2 * 9 + 2 * 5 + 4) / (2 * found["makespan_s"]))
    assert "2 nodes" in run(log, "--processors-per-node", "2")


def test_failures_by_the_calendar_meet_a_log_without_a_date(log, tmp_path):
    failures = tmp_path / "failures.csv"
    failures.write_text("time,node,repair\n1228910210,0,1\n")
    found = read(log, "--failures", str(failures))
    assert found["failures"] == 0
    assert any("--log-start" in note for note in found["notes"])
    found = read(log, "--failures", str(failures), "--log-start", "1228910204")
    assert found["failures"] == 1


def test_percentiles_come_with_the_means(log):
    found = read(log, "--policy", "easy")
    waits, slowdowns = [0.0, 8.0, 0.0], [1.0, 1.3, 1.0]
    for key, values in (
        ("wait_percentiles_s", waits),
        ("bounded_slowdown_percentiles", slowdowns),
    ):
        expected = dict(zip(("50", "90", "99"), np.percentile(values, [50, 90, 99]), strict=True))
        assert found[key] == pytest.approx(expected)
    text = run(log, "--policy", "easy")
    assert re.search(r"^easy +0\.00 +6\.40 +7\.84 +1\.00 +1\.24 +1\.29$", text, re.MULTILINE)


def test_the_waits_of_the_log_stand_below_those_of_the_policies(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(
        "; MaxProcs: 4\n"
        "1 0 2 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
        "2 1 30 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1\n"
        "3 2 -1 4 1 -1 -1 1 8 -1 1 1 1 1 1 1 -1 -1\n"
    )
    found = read(str(path), "--compare", "easy,fcfs")["recorded"]
    assert (found["jobs"], found["mean_wait_s"], found["mean_response_s"]) == (2, 16.0, 23.0)
    assert found["mean_bounded_slowdown"] == pytest.approx((11 / 10 + 35 / 10) / 2)
    assert found["utilization"] is None  # of the third job nothing is known
    text = run(str(path))
    assert "Recorded: waits that LOG has, of 2 of the 3 jobs." in text
    assert re.search(r"^recorded +16\.00 +23\.00 +2\.30 +- +- +- +-$", text, re.MULTILINE)
    assert "recorded" not in read(str(path), "--scale-gaps", "2")
    window = read(str(path), "--since", "+1s", "--before", "+2s")["recorded"]
    assert (window["jobs"], window["mean_wait_s"]) == (1, 30.0)
    assert window["utilization"] == pytest.approx(5 * 4 / (4 * 35))


def test_a_log_without_waits_has_no_row_of_them(log):
    assert "recorded" not in read(log)
    assert "recorded" not in run(log).lower()


def test_means_by_class_are_asked_for(log):
    rows = read(log, "--policy", "easy", "--by-class")["by_class"]
    assert [(row["size"], row["length"], row["jobs"]) for row in rows] == [
        ("1", "< 10 min", 1),
        ("1", "all", 1),
        ("2 - 8", "< 10 min", 2),
        ("2 - 8", "all", 2),
        ("all", "< 10 min", 3),
        ("all", "all", 3),
    ]
    assert [row["mean_wait_s"] for row in rows[1::2]] == pytest.approx([0.0, 4.0, 8 / 3])
    text = run(log, "--compare", "easy,fcfs", "--by-class")
    assert "Jobs by processors and running time:" in text
    assert "fcfs: mean wait [s]:" in text
    assert re.search(r"^2 - 8 +4\.00 +4\.00$", text, re.MULTILINE)
    assert ALL == ALL_CLASSES


def test_use_over_time_is_asked_for(log):
    found = read(log, "--policy", "easy", "--use-over-time", "5s")["use_over_time"]
    assert found["from_s"] == [0.0, 5.0, 10.0]
    assert found["to_s"] == [5.0, 10.0, 14.0]
    assert found["utilization"] == pytest.approx([18 / 20, (4 + 8 + 1 + 4) / 20, 1.0])
    assert found["waiting_jobs"] == pytest.approx([4 / 5, 4 / 5, 0.0])
    text = run(log, "--compare", "easy,fcfs", "--use-over-time", "5s")
    assert re.search(r"^easy +0 +90\.0 +0\.8$", text, re.MULTILINE)
    refused = run(log, "--use-over-time", "1e-9s", code=2)
    assert "--use-over-time" in refused
    assert len(refused.strip().splitlines()) == 1


def test_use_over_time_is_written_for_every_policy(log, tmp_path):
    out = tmp_path / "use.csv"
    asked = ("--compare", "easy,fcfs", "--use-over-time", "5s")
    found = read(log, *asked, "--use-out", str(out))["results"]
    header, *rows = out.read_text().splitlines()
    assert header == "policy,from_s,to_s,utilization,waiting_jobs,waiting_processors"
    expected = [
        ",".join([name, *map(str, period)])
        for name, row in zip(("easy", "fcfs"), found, strict=True)
        for period in zip(*row["use_over_time"].values(), strict=True)
    ]
    assert rows == expected
    assert "must come with --use-over-time" in run(log, "--use-out", str(out), code=2)


def rows_of(path):
    with path.open() as stream:
        return list(csv.DictReader(stream))


def test_jobs_are_written_one_row_each(log, tmp_path):
    path = tmp_path / "jobs.csv"
    run(log, "--out", str(path))
    rows = rows_of(path)
    assert [row["job"] for row in rows] == ["1", "2", "3"]
    assert [float(row["start"]) for row in rows] == [0.0, 9.0, 2.0]
    assert [row["place"] for row in rows] == ["0-2", "0-3", "3"]
    assert {row["attempt"] for row in rows} == {"1"}


def test_attempts_are_written_one_row_each(log, tmp_path):
    failures, path = tmp_path / "failures.csv", tmp_path / "attempts.csv"
    failures.write_text("time,node,repair\n6,1,100\n")
    run(log, "--failures", str(failures), "--out", str(path))
    rows = rows_of(path)
    shown = [(row["job"], row["attempt"], row["place"], row["outcome"]) for row in rows]
    assert shown == [
        ("1", "1", "0-2", "failed"),
        ("1", "2", "0,2-3", "completed"),
        ("2", "1", "0-3", "completed"),
        ("3", "1", "3", "completed"),
    ]
    assert [float(row["start"]) for row in rows] == [0.0, 6.0, 106.0, 2.0]
    assert [float(row["lost"]) for row in rows] == [6.0, 0.0, 0.0, 0.0]
    assert [row["attempts"] for row in rows] == ["2", "2", "1", "1"]
    assert [float(row["job_end"]) for row in rows] == [15.0, 15.0, 111.0, 6.0]


@pytest.mark.slow
def test_compared_replays_are_written_and_drawn_together(log, tmp_path):
    out, plot = tmp_path / "attempts.csv", tmp_path / "gantt.png"
    run(log, "--compare", "easy,fcfs", "--out", str(out))
    rows = rows_of(out)
    assert [row["policy"] for row in rows] == ["easy"] * 3 + ["fcfs"] * 3
    assert [float(row["start"]) for row in rows] == [0.0, 9.0, 2.0, 0.0, 9.0, 14.0]
    pytest.importorskip("matplotlib")
    run(log, "--compare", "easy,fcfs", "--plot", str(plot))
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_partitions_are_written_by_name(intrepid, tmp_path):
    path = tmp_path / "attempts.csv"
    found = read(intrepid, "--machine", "bluegene:5x8", "--mtbf", "2h", "--out", str(path))
    rows = rows_of(path)
    assert len(rows) == found["jobs"] + found["failures"]
    assert found["failures"] > 0
    assert all(row["place"].startswith("R") or "-" in row["place"] for row in rows)


def test_jobs_of_slurm_keep_their_names(tmp_path):
    log, out = tmp_path / "sacct.txt", tmp_path / "jobs.csv"
    row = "|2024-01-01T00:00:0{}|00:0{}:00|4"
    # Of an array, without raw numbers; the large one is left out.
    lines = ["JobID|Submit|Elapsed|NCPUS", "9_4" + row.format(2, 5), "9_11" + row.format(1, 4)]
    lines += [
        "12.batch" + row.format(1, 4),
        "12+0" + row.format(3, 3) + "00",
        "13" + row.format(4, 2),
    ]
    log.write_text("\n".join([*lines, ""]))
    options = ("--format", "sacct", "--processors", "8", "--oversize", "skip")
    run(str(log), *options, "--out", str(out))
    with out.open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["job_id"] for row in rows] == ["9_11", "9_4", "13"]
    assert [row["job"] for row in rows] == ["9", "9", "13"]


def test_a_picture_is_drawn(log, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "gantt.png"
    run(log, "--plot", str(path))
    assert path.read_bytes().startswith(b"\x89PNG")


def test_failures_from_a_log_strike_and_checkpoints_save(log, tmp_path):
    failures = tmp_path / "failures.csv"
    failures.write_text("time,node,repair\n6,0,1\n")
    plain = read(log, "--failures", str(failures))
    # Six of nine seconds on three processors are lost.
    assert plain["failures"] == 1
    assert plain["lost_node_h"] == pytest.approx(18.0 / 3600.0)
    saved = read(
        log, "--failures", str(failures), "--checkpoint-interval", "2s", "--checkpoint-cost", "0s"
    )
    assert saved["lost_node_h"] == 0.0


def test_compared_policies_come_as_a_list(log):
    found = read(log, "--compare", "fcfs,easy,conservative")["results"]
    assert [row["policy"] for row in found] == ["fcfs", "easy", "conservative"]


def test_compared_utilities_meet_the_same_failures(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8", "--mtbf", "4h", "--seed", "7")
    found = read(*options, "--compare", "fcfs,wfp3,unicef")["results"]
    assert [row["utility"] for row in found] == ["fcfs", "wfp3", "unicef"]
    for row in found:
        assert row.keys() >= KEYS
        assert len(row["mean_wait_by_scale_s"]) == 4
        assert len(row["mean_slowdown_by_length"]) == 4
    alone = read(*options, "--utility", "wfp3")
    assert alone.items() >= found[1].items()


def test_an_expression_is_a_utility(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8")
    ours = read(*options, "--utility-expr", "(wait/walltime)**3*nodes")
    theirs = read(*options, "--utility", "wfp3")
    assert ours["mean_wait_s"] == theirs["mean_wait_s"]


@pytest.mark.slow
def test_fault_aware_allocation_is_the_released_one_unless_told(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8", "--mtbf", "30min", "--seed", "2")
    found = {
        given: {**read(*options, *given), "notes": 0, "options": 0}
        for given in (
            (),
            ("--allocation", "least-blocking"),
            ("--fault-aware",),
            ("--allocation", "released"),
            ("--fault-aware", "--allocation", "printed"),
            ("--allocation", "printed", "--alpha", "1", "--beta", "1"),
            ("--allocation", "printed", "--beta", "50"),
        )
    }
    ordinary, same, aware, released, printed, spelt, beta = found.values()
    assert ordinary == same != aware == released != printed == spelt != beta


def test_a_beta_below_what_a_choice_blocks_is_warned_of(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8", "--mtbf", "4h", "--allocation", "printed")
    notes = " ".join(read(*options)["notes"])
    warned = re.search(r"warning: --beta 1 is below the (\d+) that blocking partitions", notes)
    least = int(warned[1])
    for beta, expected in ((least - 0.5, True), (least, False)):
        notes = " ".join(read(*options, "--beta", str(beta))["notes"])
        assert ("warning" in notes) == expected
    assert "warning" not in " ".join(read(*options[:-1], "released")["notes"])


def test_fault_awareness_is_told_of_without_failures(intrepid):
    text = run(intrepid, "--machine", "bluegene:5x8", "--fault-aware")
    assert "without failures the forecaster sees only false alarms" in text
    assert "Mean wait" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--fault-aware", "--allocation", "least-blocking"],
            "--allocation must be one of printed, neighbours, june-2009 or released with "
            "--fault-aware",
        ),
        (
            ["--beta", "3"],
            "--beta must be left out unless --allocation is one of printed, neighbours, june-2009; "
            "it is least",
        ),
        (
            ["--fault-aware", "--alpha", "3"],
            "--alpha must be left out unless --allocation is one of printed, neighbours, "
            "june-2009; it is released",
        ),
    ],
)
def test_options_of_allocation_that_do_not_go_together(intrepid, arguments, message):
    assert message in run(intrepid, "--machine", "bluegene:5x8", *arguments, code=2)


@pytest.mark.parametrize("name", ["gantt.txt", "gantt"])
def test_a_picture_of_no_known_kind_is_refused_before_the_replay(log, tmp_path, monkeypatch, name):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("perfmodel.cli.commands.replay.answer", None)
    error = run(log, "--plot", str(tmp_path / name), code=2)
    assert "--plot must end in .png, .pdf or .svg, got" in error


def test_the_formats_are_those_the_readers_know():
    assert {*FORMATS, *DIALECTS} == {*traces.JOB_FORMATS, *traces.DIALECTS}
    assert set(FAILURE_FORMATS) == set(traces.FAILURE_FORMATS)


def test_help_and_docstring_name_every_policy():
    words = " ".join(run("--help").split()).replace("- ", "-")
    for name in POLICIES:
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", words.partition("--policy")[2][:120]), name
        assert f"``{name}``" in replay.__doc__, name


@pytest.mark.parametrize("content", [b"", b"\n", b"; MaxProcs: 4\n", bytes(range(1, 256))])
def test_a_log_without_jobs_is_refused_for_that(tmp_path, content):
    path = tmp_path / "none.swf"
    path.write_bytes(content)
    error = run(str(path), code=2)
    assert error.startswith("Error: none.swf must hold jobs, got none of ")
    assert error.count("\n") == 1


def test_other_formats_are_read(tmp_path):
    path = tmp_path / "jobs.txt"
    path.write_text("1 0 -1 9 3 20 -1 3 -1 -1 1 1 1 1 1 1 -1 -1\n")
    found = read(str(path), "--format", "walltime-in-6", "--processors", "4")
    assert found["makespan_s"] == 9.0


def test_classes_are_those_of_tables_three_and_four():
    runtime = np.array([599.0, 600.0, 3599.0, 3600.0, 14399.0, 14400.0])
    assert length_class(runtime).tolist() == [0, 1, 1, 2, 2, 3]
    nodes = np.array([1, 64, 128, 512, 1024, 2048, 4096])
    assert scale_class(nodes).tolist() == [0, 0, 1, 1, 2, 2, 3]
    means = mean_by_class(np.array([1.0, 3.0, np.nan]), np.array([0, 0, 1]))
    assert means[0] == 2.0
    assert np.isnan(means[1:]).all()


def test_ras_messages_strike_midplanes(intrepid, tmp_path):
    messages = tmp_path / "ras"
    messages.write_text(
        "".join(
            f"2005-06-0{day}-{hour:02d}.00.00.000000 R{row}{rack}-M0-N1 RAS KERNEL FATAL panic\n"
            for day in (4, 5)
            for hour in range(0, 24, 2)
            for row in range(5)
            for rack in range(8)
        )
    )
    options = (intrepid, "--machine", "bluegene:5x8", "--failures", str(messages))
    text = run(*options, "--failure-format", "bgl-ras", "--failures-from-start")
    assert "of 960 failures lie between the submissions" in text
    assert "failures with unknown repair: 960" in text
    moved = read(*options, "--failure-format", "bgl-ras", "--failures-from-start")
    assert moved["failures"] > 0
    assert read(*options, "--failure-format", "bgl-ras")["failures"] == 0


@pytest.mark.slow
def test_the_scale_of_weibull_failures_keeps_the_mtbf_of_the_system(intrepid):
    from sim.answers.replays.requests import SiteRequest
    from sim.answers.replays.setup import setup
    from sim.cluster.bluegene import regular

    ordinary = SiteRequest(log=Path(intrepid), machine="bluegene:5x8", mtbf=3600.0, mttr=0.0)
    for shape in (0.5, 1.0, 2.0):
        feed = setup(replace(ordinary, weibull_shape=shape)).feeds.failures
        assert set(feed.node) <= set(range(len(regular(5, 8).midplanes)))
        hours = (feed.time[-1] - feed.time[0]) / 3600.0
        scv = gamma(1.0 + 2.0 / shape) / gamma(1.0 + 1.0 / shape) ** 2 - 1.0
        assert abs(len(feed) - hours) < 4.0 * (max(scv, 1.0) * hours) ** 0.5


@pytest.mark.slow
def test_new_nodes_are_asked_for_and_their_failures_foretold(intrepid):
    options = (intrepid, "--machine", "bluegene:5x8", "--mtbf", "20h", "--weibull-shape", "0.5")
    assert "long in use" not in " ".join(run(*options).split())
    told = " ".join(run(*options, "--new-nodes").split())
    found = re.search(
        r"first submission: ([0-9,]+) failures are expected, ([0-9,]+) of midplanes", told
    )
    new, old = (int(number.replace(",", "")) for number in found.groups())
    assert new > 1.3 * old
    often = (*options, "--mtbf", "1h")
    assert read(*often, "--new-nodes")["failures"] > 2 * read(*often)["failures"]
    assert "--new-nodes must come with --mtbf" in run(intrepid, "--new-nodes", code=2)


@pytest.mark.few(3)
@pytest.mark.parametrize("shape", [0.2, 0.5, 1.0, 4.0])
@pytest.mark.parametrize(("span", "repair"), [(0.3, 0.0), (4.0, 0.3), (60.0, 0.1)])
def test_the_failures_of_new_nodes_are_those_of_the_renewal_equation(shape, span, repair):
    from sim.answers.replays.new_nodes import failures_when_new
    from sim.cluster import Failures
    from sim.samplers import Deterministic, Weibull

    nodes, scale = int(12_000 / (1.0 + span)), 1.0 / gamma(1.0 + 1.0 / shape)
    drawn = Failures.sampled(
        nodes=nodes,
        uptime=Weibull(shape, scale),
        repair=Deterministic(repair),
        end=span,
        seed=2,
        new_nodes=True,
    )
    each = np.bincount(drawn.node, minlength=nodes)
    expected = failures_when_new(shape=shape, scale=scale, repair=repair, span=span)
    noise = max(each.std(), expected**0.5) / nodes**0.5
    assert abs(each.mean() - expected) < 4.0 * noise + 0.02 * expected


def test_of_shape_one_new_nodes_are_as_good_as_old_ones():
    from sim.answers.replays.new_nodes import failures_when_new

    law = {"shape": 1.0, "scale": 2.0, "repair": 0.0}
    for span in (0.0, 1e-6, 1.0, 1e3, 1e7):
        assert failures_when_new(**law, span=span) == pytest.approx(span / 2.0, rel=1e-9)


def test_processors_that_fill_no_node_are_told(tmp_path):
    jobs = tmp_path / "jobs.swf"
    jobs.write_text("1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")
    options = ("replay", str(jobs), "--processors", "128", "--processors-per-node", "7", "--json")
    notes = json.loads(CliRunner().invoke(main, options).stdout)["notes"]
    assert "18 nodes of 7 processors; 2 processors that fill no node are left out" in notes


def test_schedulers_and_dialects_are_those_of_the_simulator():
    from sim.cluster.bluegene import SCHEDULERS
    from sim.cluster.dialects import DIALECTS

    assert get_args(SchedulerName) == tuple(SCHEDULERS)
    assert get_args(DialectName) == tuple(DIALECTS)


@pytest.mark.slow
def test_a_dialect_sets_policy_order_and_limits(intrepid):
    from sim.cluster import Workload, flat
    from sim.cluster.dialects import DIALECTS

    frame = traces.read_jobs(intrepid, "swf").frame
    workload = Workload.from_frame(frame).scale_gaps(0.1)
    for name, dialect in DIALECTS.items():
        for policy in (None, *dialect.policies):
            known = replay(workload, flat(163_840), **dialect.options(policy)).metrics
            more = () if policy is None else ("--policy", policy)
            found = read(intrepid, "--dialect", name, "--scale-gaps", "0.1", *more)
            assert found["mean_wait_s"] == known["mean_wait_s"]
    batch = read(intrepid, "--dialect", "pyss", "--event-order", "batch", "--scale-gaps", "0.1")
    assert batch["mean_wait_s"] == replay(workload, flat(163_840)).metrics["mean_wait_s"]


@pytest.mark.slow
def test_the_options_of_a_blue_gene_reach_the_replay(intrepid):
    fixed = ("--machine", "bluegene:5x8", "--mtbf", "20min", "--scale-gaps", "0.03")
    found = [
        read(intrepid, *fixed, *more)
        for more in (
            (),
            ("--scheduler", "january-2009"),
            ("--scheduler", "june-2009"),
            ("--scheduler", "head"),
            ("--reboots", "partition"),
            ("--strikes", "jobs"),
        )
    ]
    assert len({one["mean_wait_s"] for one in found}) == len(found)
