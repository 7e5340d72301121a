"""Orders of the queue by expression, and policies of users' own."""

import json

import pytest
from click.testing import CliRunner

from perfmodel.cli import main

# The first job holds all; of those behind it the last is the shortest.
JOBS = """; MaxProcs: 4
1 0 -1 9 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 8 4 -1 -1 4 8 -1 1 1 1 1 1 1 -1 -1
3 2 -1 4 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1
"""
MINE = '''
from dataclasses import dataclass

from sim.cluster import Easy


@dataclass(frozen=True)
class ShortestFirst:
    """Start what fits now, the job with the shortest walltime first."""

    name: str = "shortest first"
    runs_on: tuple = ()

    def begin(self, cluster):
        def schedule(news):
            for job in sorted(cluster.queue, key=lambda job: job.planned):
                placement = cluster.machine.place(job)
                if placement is not None:
                    cluster.start(job, placement)

        return schedule


@dataclass(frozen=True)
class Idle:
    name: str = "idle"
    runs_on: tuple = ()

    def begin(self, cluster):
        return lambda news: None


@dataclass(frozen=True)
class Late:
    name: str = "late"
    runs_on: tuple = ()

    def begin(self, cluster):
        return lambda news: 1 / 0


ready, number = Easy(), 7


def needing(argument):
    return Easy()


class Group:
    Inner = ShortestFirst


class Broken:
    def __init__(self):
        raise KeyError("nothing")
'''


@pytest.fixture
def log(tmp_path, monkeypatch):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    (tmp_path / "mine_of_users.py").write_text(MINE)
    (tmp_path / "bad_of_users.py").write_text("import nothing_such\n")
    (tmp_path / "wrong_of_users.py").write_text("def (:\n")
    monkeypatch.chdir(tmp_path)
    return str(path)


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["replay", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))


BY_SUBMISSION, BY_LENGTH = (0 + 8 + 15) / 3, (0 + 12 + 7) / 3


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_the_queue_stands_by_an_expression(log, policy):
    plain = read(log, "--policy", policy)
    assert plain["mean_wait_s"] == pytest.approx(BY_SUBMISSION)
    found = read(log, "--policy", policy, "--order", "-walltime")
    assert found["mean_wait_s"] == pytest.approx(BY_LENGTH)
    assert "the queue is ordered by -walltime, highest first" in found["notes"]
    ties = read(log, "--policy", policy, "--order", "nodes")
    assert ties["mean_wait_s"] == pytest.approx(BY_SUBMISSION)


def test_a_plan_that_is_kept_gives_no_reservation_away(log):
    found = read(log, "--policy", "conservative-compress", "--order", "-walltime")
    assert found["mean_wait_s"] == pytest.approx(BY_SUBMISSION)


def test_the_engine_is_told(log):
    assert "engine    the readable loop\n" in run(log)  # so few jobs
    drawn = ("--mtbf", "100h", "--seeds", "1,2")
    text = run(log, "--compare", "easy,mine_of_users:ShortestFirst", *drawn)
    assert "the compiled core; the readable loop for mine_of_users:ShortestFirst" in " ".join(
        text.split()
    )


@pytest.mark.parametrize("name", ["ShortestFirst", "Group.Inner"])
def test_a_policy_of_one_s_own_is_played(log, name):
    found = read(log, "--policy", f"mine_of_users:{name}")
    assert (found["policy"], found["engine"]) == ("shortest first", "general")
    assert found["mean_wait_s"] == pytest.approx(BY_LENGTH)


def test_a_policy_may_stand_ready_and_have_an_order(log):
    found = read(log, "--policy", "mine_of_users:ready")
    assert (found["policy"], found["engine"]) == ("easy", "general")
    found = read(log, "--policy", "mine_of_users:ready", "--order", "-walltime")
    assert found["mean_wait_s"] == pytest.approx(BY_LENGTH)


def test_own_policies_are_compared_with_others(log):
    rows = read(log, "--compare", "easy,mine_of_users:ShortestFirst")["results"]
    assert [row["policy"] for row in rows] == ["easy", "shortest first"]
    assert [row["mean_wait_s"] for row in rows] == pytest.approx([BY_SUBMISSION, BY_LENGTH])
    assert "mine_of_users:ShortestFirst" in run(
        log, "--compare", "easy,mine_of_users:ShortestFirst"
    )


def test_a_blue_gene_plays_policies_of_one_s_own(log):
    own = "mine_of_users:ShortestFirst"
    found = read(log, "--machine", "bluegene:1x1", "--compare", f"wfp3,{own}")["results"]
    assert [row["policy"] for row in found] == ["cobalt-wfp3", "shortest first"]
    refused = run(log, "--machine", "bluegene:1x1", "--policy", own, "--utility", "fat", code=2)
    assert "--utility must be left out with --policy mine_of_users" in refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "no_such_module:Name"], "got 'no_such_module:Name' (ModuleNotFoundError: No"),
        (["--policy", "bad_of_users:Name"], "(ModuleNotFoundError: No module named 'nothing_such'"),
        (["--policy", "wrong_of_users:Name"], "(SyntaxError: "),
        (["--policy", "mine_of_users:Nothing"], "has no attribute 'Nothing'"),
        (["--policy", "mine_of_users:"], "--policy must name a policy as package.module:Name"),
        (["--policy", ":Name"], "--policy must name a policy as package.module:Name"),
        (["--policy", "mine_of_users:needing"], "(TypeError: needing() missing 1 required"),
        (["--policy", "mine_of_users:Broken"], "(KeyError: 'nothing')"),
        (["--policy", "mine_of_users:number"], "--policy must name a policy as package.module"),
        (["--compare", "easy,mine_of_users:dict"], "--compare must name a policy as package"),
        (
            ["--policy", "builtins:dict"],
            "that has name, runs_on and begin, or a class of such, got",
        ),
        (["--policy", "sjf"], "or package.module:Name, got 'sjf'"),
        (["--order", "runtime"], "--order: expression must use only wait, walltime, nodes, smal"),
        (["--order", "wait +"], "--order: expression must be arithmetic, got 'wait +'"),
        (["--order", "0/(wait*0)"], "score of 0/(wait*0) must be a number, got nan"),
        (
            ["--policy", "mine_of_users:ShortestFirst", "--order", "wait"],
            "--order must be left out with mine_of_users:ShortestFirst, which is not a dataclass",
        ),
        (
            ["--machine", "bluegene:1x1", "--order", "wait"],
            "--order must be left out on a Blue Gene; give --utility-expr",
        ),
    ],
)
def test_what_is_not_a_policy_or_an_order_is_refused_in_one_line(log, arguments, message):
    refused = run(log, *arguments, code=2)
    assert message in refused
    assert len(refused.strip().splitlines()) == 1


@pytest.mark.parametrize("more", [(), ("--machine", "bluegene:1x1"), ("--seeds", "1:2")])
def test_a_policy_that_raises_is_named_with_its_line(log, more):
    failing = ("--mtbf", "10h") if "--seeds" in more else ()
    refused = run(log, "--policy", "mine_of_users:Late", *more, *failing, code=2)
    line = MINE[: MINE.index("1 / 0")].count("\n") + 1
    assert "policy mine_of_users:Late must not raise, got ZeroDivisionError" in refused
    assert f"at line {line} of " in refused
    assert len(refused.strip().splitlines()) == 1


def test_recovery_options_need_a_policy_with_bands(log):
    arguments = [log, "--case", "ff", "--policy", "mine_of_users:ShortestFirst"]
    done = CliRunner().invoke(main, ["recovery", *arguments])
    assert done.exit_code == 2
    assert "--policy must be one of fcfs, easy, conservative" in done.stderr


def test_jobs_that_a_policy_never_starts_are_told(log):
    done = CliRunner().invoke(main, ["replay", str(log), "--policy", "mine_of_users:Idle"])
    assert done.exit_code == 0, done.output
    assert "3 jobs were still waiting at the end under mine_of_users:Idle" in done.stdout
    assert "still waiting" not in CliRunner().invoke(main, ["replay", str(log)]).stdout
