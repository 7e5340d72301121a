from dataclasses import replace

import numpy as np
import pytest

from sim.cluster.order import UTILITIES, Utility, Waiting, utility_by_time, utility_from_expression

WAIT = np.array([0.0, 3600.0, 7200.0])
WALLTIME = np.array([1800.0, 7200.0, 3600.0])
NODES = np.array([512.0, 64.0, 2048.0])
JOBS = Waiting(WAIT, WALLTIME, NODES, 64.0)


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("fcfs", [0.0, 3600.0, 7200.0]),
        ("fat", [0.0, 0.5, 2.0 * 32.0**3]),
        ("wfp1", [0.0, 32.0, 4096.0]),
        ("wfp3", [0.0, 8.0, 16384.0]),
        ("fcsj", [0.0, 0.5, 2.0]),
        ("unicef", [0.0, 0.5 / 6.0, 2.0 / 11.0]),
    ],
)
def test_table_two_by_hand(name, by_hand):
    scores = UTILITIES[name].scores(JOBS)
    np.testing.assert_allclose(scores, by_hand, rtol=1e-15)


def test_unicef_puts_waiting_one_node_jobs_first_and_new_ones_last():
    wait, walltime, nodes = np.array([10.0, 0.0, 10.0]), np.full(3, 60.0), np.array([1.0, 1.0, 2.0])
    scores = UTILITIES["unicef"].scores(Waiting(wait, walltime, nodes, 1.0))
    assert scores[0] == np.inf
    assert scores[1] == 0.0
    assert np.isfinite(scores[2])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("(wait/walltime)**3*nodes", "wfp3"),
        ("wait / walltime * (nodes / smallest) ** 3", "fat"),
        ("wait", "fcfs"),
        ("where(wait > 0, wait / (log2(nodes) * walltime), 0)", "unicef"),
    ],
)
def test_an_expression_equals_the_built_in_function(text, name):
    ours = utility_from_expression(text).scores(JOBS)
    np.testing.assert_array_equal(ours, UTILITIES[name].scores(JOBS))


def test_queue_length_is_the_number_of_waiting_jobs():
    scores = utility_from_expression("-queue_length").scores(JOBS)
    np.testing.assert_array_equal(scores, [-3.0, -3.0, -3.0])


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "wait.real",
        "().__class__",
        "[w for w in (wait,)]",
        "lambda: wait",
        "wait if nodes else 0",
        "wait and nodes",
        "1 < nodes < 64",
        "nodes is 64",
        "nodes in (1, 2)",
        "open('x')",
        "eval(wait)",
        "log10(nodes)",
        "log2(nodes, 2)",
        "log2()",
        "max(nodes)",
        "max(*(wait, nodes))",
        "where(wait, nodes)",
        "log2(x=nodes)",
        "(log2)(log2)",
        "log2.real(nodes)",
        "account",
        "'text'",
        "True",
        "1j",
        "wait[0]",
        "wait // 2",
        "nodes & 3",
        "(wait := 3)",
        "f'{wait}'",
        "...",
        "",
        "wait; nodes",
        "wait = 3",
        "wait\x00",
        "(" * 300 + "wait" + ")" * 300,
        "-" * 100 + "wait",
        "wait+" * 200 + "wait",
        "1" * 390,
    ],
)
def test_hostile_expressions_are_refused(text):
    with pytest.raises(ValueError, match=r"^expression must "):
        utility_from_expression(text)


def test_functions_comparisons_and_who_submitted():
    jobs = replace(JOBS, user=[3.0, 4.0, 3.0], project=[1.0, 1.0, 2.0], queue=-1.0, time=500.0)

    def scores(text):
        return utility_from_expression(text).scores(jobs).tolist()

    assert scores("user == 3") == [1.0, 0.0, 1.0]
    assert scores("(user == 3)*(project >= 2)*1e6 + time") == [500.0, 500.0, 1000500.0]
    assert scores("where(queue < 0, 1, 2)") == [1.0, 1.0, 1.0]
    assert scores("max(1, user, 2, 4)") == [4.0, 4.0, 4.0]
    assert scores("min(user, 3.5)") == [3.0, 3.5, 3.0]
    assert scores("abs(-sqrt(user - 3))") == [0.0, 1.0, 0.0]
    assert scores("log(exp(project))") == [1.0, 1.0, 2.0]
    assert scores("-(user != 3)") == [-0.0, -1.0, -0.0]
    with pytest.raises(ValueError, match="must be a number, got nan"):
        utility_from_expression("sqrt(-user)").scores(jobs)


def test_a_utility_changes_at_stated_times():
    utility = utility_by_time("fcfs", [(100.0, "user"), (200.0, "unicef")])
    jobs = replace(JOBS, user=[3.0, 4.0, 3.0])
    for time, wanted in ((99.9, JOBS.wait), (100.0, [3.0, 4.0, 3.0]), (199.0, [3.0, 4.0, 3.0])):
        found = utility.scores(replace(jobs, time=time))
        np.testing.assert_array_equal(found, wanted)
    late = utility.scores(replace(jobs, time=1e9))
    np.testing.assert_array_equal(late, UTILITIES["unicef"].scores(JOBS))
    assert utility.name == "fcfs; 100 s: user; 200 s: unicef"
    with pytest.raises(ValueError, match="must rise"):
        utility_by_time("fcfs", [(5.0, "user"), (5.0, "wait")])


def test_towers_of_powers_cost_nothing():
    later = Waiting(WAIT[1:], WALLTIME[1:], NODES[1:], 64.0)
    score = utility_from_expression("9**9**9**9**9 * wait + nodes")
    assert score.scores(later).tolist() == [np.inf, np.inf]


def test_a_score_that_is_not_a_number_is_an_error():
    with pytest.raises(
        ValueError, match=r"score of wait/wait must be a number, got nan for wait=0"
    ):
        utility_from_expression("wait/wait").scores(JOBS)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_threshold_is_a_fraction(threshold):
    with pytest.raises(ValueError, match=r"threshold must be in \[0, 1\], got"):
        Utility("mine", UTILITIES["fcfs"].score, threshold)


@pytest.mark.parametrize(
    ("threshold", "descending", "eligible"),
    [
        (0.0, [3.0, 2.0, 0.0], 3),
        (0.0, [-1.0, -2.0], 2),
        (0.5, [4.0, 2.0, 1.9, 0.0], 2),
        (1.0, [4.0, 4.0, 3.9], 2),
        (1.0, [0.0, 0.0, -1.0], 2),
        (0.5, [np.inf, np.inf, 1e300], 2),
        (0.5, [-4.0, -4.0, -5.0], 2),
        (0.7, [], 0),
    ],
)
def test_the_fallback_score_says_how_many_may_be_tried(threshold, descending, eligible):
    utility = UTILITIES["wfp3"].with_threshold(threshold)
    assert utility.eligible(np.array(descending)) == eligible


def test_a_site_may_write_its_utility_in_python():
    def by_size(jobs):
        return jobs.nodes / jobs.smallest + 0.0 * jobs.queue_length

    scores = Utility("largest", by_size, 0.5).scores(JOBS)
    np.testing.assert_array_equal(scores, [8.0, 1.0, 32.0])
