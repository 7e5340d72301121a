"""Images in memory: the cycle, its first order, and the states of a group."""

import pytest
import sympy as sp

rate, period, after, down, work = sp.symbols("lambda P A D w", positive=True)
soon, s = sp.symbols("q s", positive=True)


def test_the_work_that_comes_to_count_between_two_failures():
    # An image counts A after a downtime if nothing fails until then, each further one P later.
    more = sp.Symbol("n")
    further = sp.solve(sp.Eq(more, sp.exp(-rate * period) * (1 + more)), more)[0]
    kept = sp.exp(-rate * after) * (1 + further)
    assert sp.simplify(kept - sp.exp(-rate * after) / (1 - sp.exp(-rate * period))) == 0


def test_the_first_order_is_the_published_one():
    useful = work * sp.exp(-rate * after) / (1 - sp.exp(-rate * period)) / (1 / rate + down)
    series = sp.series(useful, rate, 0, 2).removeO()
    lost = down + after - period / 2
    assert sp.expand(series - work / period * (1 - rate * lost)) == 0
    # If images arrive in time: to read back, to the end of the period, to make and send an image.
    read, sending, local, phi = sp.symbols("R theta delta phi", positive=True)
    times = {
        "double": read + (period - local) + local + sending,
        "waiting": 2 * read + (period - local - phi) + local + sending,
    }
    published = down + read + sending + period / 2
    assert sp.expand(lost.subs(after, times["double"]) - published) == 0
    assert sp.expand(lost.subs(after, times["waiting"]) - published - (read - phi)) == 0


def test_the_best_interval_is_that_of_a_checkpoint():
    # A = R + theta + P: the share of useful work depends on w as w/(e^(P/mu) - 1) alone.
    read, cost = sp.symbols("B c", positive=True)
    useful = work * sp.exp(-rate * (read + work + cost)) / (1 - sp.exp(-rate * (work + cost)))
    slope = sp.diff(sp.log(useful), work)
    best = sp.log(1 / (1 - rate * work)) / rate - work  # c where w is best
    assert sp.simplify(slope.subs(cost, best)) == 0


@pytest.mark.parametrize("group", [2, 3])
def test_the_failures_up_to_a_loss(group):
    # In state k the images of k nodes lack a copy; a failure is a loss with probability s.
    left = sp.symbols(f"e0:{group}")
    equations = []
    for lacking, value in enumerate(left):
        ways = 0
        for now, chance in ((0, 1 - soon), (lacking, soon)):
            new = left[now + 1] if now + 1 < group else 0
            ways += chance * sp.Rational(group - now, group) * new
            ways += chance * sp.Rational(now, group) * left[now]
        equations.append(sp.Eq(value, 1 + (1 - s) * ways))
    mean = sp.solve(equations, left)[left[0]]
    alone = (1 - s) * soon / 2 if group == 2 else 2 * ((1 - s) * soon / 3) ** 2
    ends = s + alone
    assert sp.simplify(1 / mean - ends / (ends + 1 - s)) == 0


@pytest.mark.slow
def test_the_published_first_orders_of_the_risk():
    x = sp.Symbol("x", positive=True)  # risk over the mtbf of a node
    for group, known in ((2, x), (3, 2 * x**2)):
        q = 1 - sp.exp(-group * x)
        ends = q / 2 if group == 2 else 2 * q**2 / 9
        share = ends / (ends + 1)
        # Failures of a group come `group` times as often as those of a node.
        assert (
            sp.series(share, x, 0, group).removeO().coeff(x, group - 1) * x ** (group - 1) == known
        )
