"""Scores by their programs against the readable ones, bit by bit."""

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sim import _libm
from sim.cluster.order import UTILITIES, Utility, Waiting, utility_from_expression
from sim.cluster.order.kernels import score
from sim.cluster.order.program import NAMES, Op, program_of
from tests.support.examples import examples

SMALLEST = 64.0
LEAVES = st.one_of(
    st.sampled_from(sorted(NAMES)),
    st.sampled_from(["0", "1", "2", "3", "4", "5", "0.5", "1e308", "1e-300", ".1", "1_000"]),
    st.integers(0, 10**6).map(str),
    st.floats(0.0, 1e9).map(repr),
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("({} ** {})".format, inner, inner),
        st.builds("({} ** {})".format, inner, st.sampled_from(["1", "2", "3", "4", "-1", ".5"])),
        st.builds("(-{})".format, inner),
        st.builds("(+{})".format, inner),
        st.builds("{}({})".format, st.sampled_from(["log2", "log", "exp", "sqrt", "abs"]), inner),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner),
        st.builds(
            "({} {} {})".format, inner, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner
        ),
        st.builds("where({}, {}, {})".format, inner, inner, inner),
    ),
    max_leaves=12,
)
COLUMNS = st.lists(
    st.tuples(
        st.one_of(st.just(0.0), st.floats(0.0, 1e7), st.integers(0, 9).map(float)),
        st.one_of(st.just(1.0), st.floats(1e-3, 1e6)),
        st.sampled_from([1.0, 2.0, 64.0, 100.0, 512.0, 40960.0]),
    ),
    min_size=1,
    max_size=5,
)


def by_kernel(utility, jobs):
    """Return the score of each job by the program."""
    ops, numbers, depth = utility.program
    run = partial(score, ops, numbers, np.empty(depth))
    columns = zip(jobs.wait, jobs.walltime, jobs.nodes, _libm.log2(jobs.nodes), strict=True)
    same = jobs.smallest, float(jobs.queue_length)
    tags = zip(jobs.user, jobs.project, jobs.queue, strict=True)
    return np.array(
        [run(*one, *same, *tag, jobs.time) for one, tag in zip(columns, tags, strict=True)]
    )


def as_now(utility, jobs):
    """Return the readable score of each job, nan where that is none."""
    with np.errstate(all="ignore"):
        return np.broadcast_to(utility.score(jobs), jobs.wait.shape)


def assert_same(utility, columns):
    tags = np.array([(7.0, -1.0, number) for number in range(len(columns))]).T
    jobs = Waiting(*np.array(columns).T, SMALLEST, *tags, time=86_400.0)
    ours, theirs = by_kernel(utility, jobs), as_now(utility, jobs)
    np.testing.assert_array_equal(ours, theirs)
    numbers = ~np.isnan(ours)
    np.testing.assert_array_equal(np.signbit(ours[numbers]), np.signbit(theirs[numbers]))


@settings(deadline=None, max_examples=examples(1500))
@given(EXPRESSIONS, COLUMNS)
@example("(-wait) ** (-.5)", [(0.0, 1.0, 1.0)])
@example("(-wait) ** 3 / 0", [(2.0, 1.0, 1.0)])
@example("2 ** queue_length", [(2.0, 1.0, 1.0)] * 3)
@example("wait ** (smallest - 61)", [(0.1, 1.0, 1.0)])
@example("wait ** (nodes - 61)", [(0.1, 1.0, 64.0)])
def test_a_written_score_is_that_of_its_tree(text, columns):
    assert_same(utility_from_expression(text), columns)


@pytest.mark.parametrize("name", sorted(UTILITIES))
@settings(deadline=None, max_examples=examples(100))
@given(columns=COLUMNS)
def test_a_score_of_table_two_is_that_of_its_function(name, columns):
    assert_same(UTILITIES[name].with_threshold(0.3), columns)


def test_a_program_says_how_deep_its_stack_is():
    assert utility_from_expression("1+(2+(3+wait))").program.depth == 4
    assert utility_from_expression("((1+2)+3)+wait").program.depth == 2
    assert UTILITIES["unicef"].program.depth == 3


def test_a_program_says_whether_it_asks_how_many_jobs_wait():
    assert utility_from_expression("wait * queue_length").program.by_length
    assert not UTILITIES["wfp3"].program.by_length


def test_a_plus_sign_and_parentheses_are_no_steps():
    ops, _, _ = utility_from_expression("+(+(wait))").program
    assert ops.tolist() == [Op.WAIT]


def test_numbers_stand_beside_their_steps():
    ops, numbers, _ = program_of([(Op.NUMBER, 2.5), (Op.NEGATE, 0.0)])
    assert (ops.tolist(), numbers.tolist()) == ([Op.NUMBER, Op.NEGATE], [2.5, 0.0])


def test_a_score_in_python_has_no_program():
    class Mine:
        __hash__ = None

        def __call__(self, jobs):
            return jobs.wait

    assert Utility("mine", lambda jobs: jobs.wait).program is None
    assert Utility("mine", Mine()).program is None


def test_a_written_utility_goes_to_other_processes():
    utility = utility_from_expression("(wait/walltime)**3*nodes", threshold=0.5)
    assert pickle.loads(pickle.dumps(utility)) == utility
