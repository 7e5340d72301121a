"""Two levels of checkpoints from their renewal equations: the closed form of the mean.

One attempt is integrated by sympy. The equations of all places of a pattern are then solved as
numbers of 50 digits, at rational points.
"""

import pytest
import sympy as sp
from mpmath import mp

t, rate, span, done, struck = sp.symbols("t lambda a U B", positive=True)


def attempt_formula():
    """Mean time to get through `span` and then `done`, or to fail at t and pay `struck`."""
    lost = sp.integrate(rate * sp.exp(-rate * t) * (t + struck), (t, 0, span))
    return sp.exp(-rate * span) * (span + done) + lost


def test_one_attempt():
    struck_share = 1 - sp.exp(-rate * span)
    claimed = struck_share / rate + sp.exp(-rate * span) * done + struck_share * struck
    assert sp.simplify(attempt_formula() - claimed) == 0


POINTS = [
    {"l1": mp.mpf(3) / 10, "l2": mp.mpf(1) / 7, "r1": mp.mpf(2) / 5, "r2": mp.mpf(3) / 4},
    {"l1": mp.mpf(1) / 2, "l2": mp.mpf(5) / 7, "r1": mp.mpf(1) / 3, "r2": mp.mpf(1) / 4},
]
DOWN = mp.mpf(1) / 3
SPANS = [mp.mpf(3) / 4, mp.mpf(5) / 4, mp.mpf(2) / 3, mp.mpf(1) / 2]


def solved(spans, *, l1, l2, r1, r2, bare):
    """Mean time of a pattern.

    Unknown are U_i from each place, Q_i from a failure that leaves the local copy, Z from one
    that does not, and V from the first place without a local copy.
    """
    both, count = l1 + l2, len(spans)
    places = {name: k for k, name in enumerate(("Z", "V", *range(count), *map(str, range(count))))}
    matrix, right = mp.matrix(len(places)), mp.matrix(len(places), 1)

    def tried(row, length, constant, ahead, fails):
        """Add: row = constant + one attempt of `length`, then `ahead`, or the weighted `fails`."""
        through = mp.exp(-both * length)
        matrix[places[row], places[row]] += 1
        right[places[row]] += constant + (1 - through) / both
        if ahead is not None:
            matrix[places[row], places[ahead]] -= through
        for weight, name in fails:
            matrix[places[row], places[name]] -= (1 - through) * weight

    restarted = "V" if bare else 0
    tried("Z", r2, DOWN, restarted, [(1, "Z")])
    for k, length in enumerate(spans):
        ahead = k + 1 if k + 1 < count else None
        kinds = [(l1 / both, str(k)), (l2 / both, "Z")]
        tried(k, length, 0, ahead, kinds)
        tried(str(k), r1, DOWN, k, kinds)
    tried("V", spans[0], 0, 1 if count > 1 else None, [(1, "Z")])
    return mp.lu_solve(matrix, right)[places[0]]


def parts(l1, l2, r1, r2):
    both = l1 + l2
    theta = l2 / (l2 + l1 * mp.exp(-both * r1))
    again = mp.exp(both * r2) * (DOWN + 1 / both)
    gain = (1 + l1 * DOWN) / l2 + again - 1 / both
    return both, theta, again, gain


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_mean_telescopes_to_a_product(count, point):
    with mp.workdps(50):
        both, theta, _, gain = parts(**point)
        grown = [1 + theta * mp.expm1(both * a) for a in SPANS[:count]]
        claimed = gain * (mp.fprod(grown) - 1)
        assert mp.almosteq(solved(SPANS[:count], **point, bare=False), claimed, rel_eps=1e-40)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_mean_without_a_local_copy_after_a_durable_recovery(count, point):
    with mp.workdps(50):
        both, theta, again, gain = parts(**point)
        rest = mp.fprod([1 + theta * mp.expm1(both * a) for a in SPANS[1:count]])
        first = 1 + theta * mp.expm1(both * SPANS[0])
        restarted = again * mp.expm1(both * SPANS[0]) * rest + gain * (rest - 1)
        claimed = (gain + restarted) * (1 - 1 / (first * rest))
        assert mp.almosteq(solved(SPANS[:count], **point, bare=True), claimed, rel_eps=1e-40)
        # The form that is computed, which is finite for l2 = 0 too once theta is divided out.
        computed = (gain + again * (first - 1) / theta) * (first * rest - 1) / first
        assert mp.almosteq(computed, claimed, rel_eps=1e-40)


def test_one_segment_with_equal_recoveries_is_one_level():
    with mp.workdps(50):
        point = {**POINTS[0], "r2": POINTS[0]["r1"]}
        both, theta, again, gain = parts(**point)
        growth = mp.expm1(both * SPANS[0])
        assert mp.almosteq(gain * theta * growth, again * growth, rel_eps=1e-40)


def test_the_pattern_of_first_order():
    """Level k or above after each W_k of work: costs that add up, and half a W_k lost a failure."""
    costs, rates = sp.symbols("c1:3", positive=True), sp.symbols("l1:3", positive=True)
    low, high = spans = sp.symbols("W1:3", positive=True)
    # Of the checkpoints every W1, those every W2 cost c2 in place of c1.
    overhead = costs[0] * (1 / low - 1 / high) + costs[1] / high
    overhead += sum(rate * span / 2 for rate, span in zip(rates, spans, strict=True))
    adds = (costs[0], costs[1] - costs[0])
    for span, rate, more in zip(spans, rates, adds, strict=True):
        slope = sp.diff(overhead, span)
        assert sp.simplify(slope - (rate / 2 - more / span**2)) == 0
    # With whole ratios P_k of W_k to w the rest is a square root.
    w, p = sp.symbols("w P", positive=True)
    whole = overhead.subs({low: w, high: w * p})
    best = sp.sqrt(2 * (adds[0] + adds[1] / p) / (rates[0] + rates[1] * p))
    assert sp.simplify(sp.diff(whole, w).subs(w, best)) == 0
