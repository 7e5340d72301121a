"""Job logs of every kind, from the command line."""

import json

import pytest

from perfmodel.cli import main
from sim.traces import SAMPLES
from tests.support.runner import runner

SLURM = (
    "1|2026-03-01T08:00:00|2026-03-01T08:10:00|2026-03-01T10:10:00|02:00:00|64|2|COMPLETED\n"
    "2|2026-03-01T09:00:00|2026-03-01T09:30:00|2026-03-02T09:30:00|1-00:00:00|4|1|NODE_FAIL\n"
)
TABLE = "what,asked,began,took_h,n,how\n1,0,600,2,2,done\n2,3600,5400,24,1,node fail\n"
NAMES = "job=what,submit=asked,start=began,duration=took_h,nodes=n,state=how"


def run_main(*arguments, code=0):
    done = runner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    return done.output if code else done.stdout


@pytest.fixture
def write(tmp_path):
    def written(text, name="jobs.txt"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return written


def hours(said):
    return {row["state"]: row["node_hours"] for row in said["node_hours_by_state"]}


def test_fit_says_what_the_time_of_nodes_went_to(write):
    said = json.loads(run_main("fit", write(SLURM), "--json"))
    assert hours(said) == {"NODE_FAIL": 24.0, "COMPLETED": 4.0}
    assert said["mtbf_s"] == 28 * 3600.0
    assert "Node hours by how their jobs ended" in run_main("fit", write(SLURM))


def test_columns_of_a_table_are_named(write):
    said = json.loads(run_main("fit", write(TABLE), "--columns", NAMES, "--json"))
    assert hours(said) == {"NODE_FAIL": 24.0, "COMPLETED": 4.0}
    for what in ("began", "submit=", "=asked"):
        words = run_main("fit", write(TABLE), "--columns", what, code=2)
        assert "--columns must be WHAT=NAME,..., got" in words
    words = run_main("fit", write(TABLE), "--columns", NAMES, "--format", "pbs", code=2)
    assert "--columns must come with a table of jobs, got pbs" in words


def test_fields_of_sacct_are_named(write):
    fields = "JobID,Submit,Start,End,Elapsed,AllocCPUS,NNodes,State"
    said = json.loads(run_main("fit", write(SLURM), "--fields", fields, "--json"))
    assert hours(said) == {"NODE_FAIL": 24.0, "COMPLETED": 4.0}
    words = run_main("fit", write(SLURM), "--fields", fields, "--format", "table", code=2)
    assert "--fields must come with jobs of sacct, got table" in words


@pytest.mark.parametrize("name", ["sacct", "sacct-json", "pbs", "lsf", "table", "helios"])
def test_describe_reads_every_kind_by_its_first_lines(write, name):
    text = SAMPLES[name].text
    if name == "helios":
        text += text.splitlines()[1].replace("811", "812").replace("01 08:00", "01 07:00") + "\n"
    said = json.loads(run_main("traces", "describe", write(text), "--json"))
    assert any(line.startswith(f"read as {name}, by its first lines") for line in said["log"])
    assert sum(row["share"] for row in said["node_hours_by_state"]) == pytest.approx(1.0)


def test_a_replay_needs_submissions(write):
    text = "JobID|Start|End|NNodes|State\n1|2026-03-01T08:00:00|2026-03-01T09:00:00|2|COMPLETED\n"
    words = run_main("replay", write(text), "--processors", "4", code=2)
    assert "jobs.txt must hold Submit" in words
    assert "node MTBF" in run_main("fit", write(text))


AMERICAN = (
    "JobID|Submit|Start|End|NNodes|NCPUS|State\n"
    "1|11/02/2026 04:48:00|11/02/2026 05:00:00|11/03/2026 05:00:00|2|8|COMPLETED\n"
    "2|11/05/2026 04:48:00|11/05/2026 05:00:00|11/09/2026 05:00:00|2|8|NODE_FAIL\n"
)


@pytest.mark.parametrize(
    "command", [("fit",), ("traces", "describe"), ("replay", "--processors", "8")]
)
def test_the_order_of_day_and_month_can_be_said_wherever_jobs_are_read(write, command):
    log = write(AMERICAN)
    said = "--date-order month-first or --date-order day-first decides"
    assert said in run_main(*command, log, code=2)
    answers = {run_main(*command, log, "--date-order", f"{o}-first") for o in ("month", "day")}
    assert len(answers) == 2


def test_an_order_of_dates_that_a_log_does_not_have_is_refused(write):
    words = run_main("fit", write(SAMPLES["pbs"].text), "--date-order", "day-first", code=2)
    assert "--date-order must come with jobs of sacct or a table of jobs, got pbs" in words
