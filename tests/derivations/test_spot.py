"""Jobs on spot machines: work done until the slack ends, as sums over the losses of machines."""

import mpmath as mp
import sympy as sp

t, W, a = sp.symbols("t W a", positive=True)


def test_the_work_that_comes_after_so_many_losses():
    # The mean work done after exactly n losses is the integral of P(N(t) = n) over the work.
    for n in range(4):
        poisson = sp.exp(-t / a) * (t / a) ** n / sp.factorial(n)
        more = 1 - sum(sp.exp(-W / a) * (W / a) ** k / sp.factorial(k) for k in range(n + 1))
        assert sp.simplify(sp.integrate(poisson, (t, 0, W)) - a * more) == 0


def test_the_work_of_any_number_of_losses_is_all_work():
    # a sum P(N > n) = a E[N] = W.
    with mp.workdps(20):
        mean = mp.mpf(7) / 3

        def more(n):
            return mp.nsum(lambda k: mp.exp(-mean) * mean**k / mp.factorial(k), [n + 1, mp.inf])

        assert mp.almosteq(sum(more(n) for n in range(30)), mean, rel_eps=1e-15)


def test_gaps_that_fit_by_convolution():
    # P(two gaps <= s) as an integral over the first, and as the tail of a Poisson number.
    s, b, x = sp.symbols("s b x", positive=True)
    direct = sp.integrate(sp.exp(-x / b) / b * (1 - sp.exp(-(s - x) / b)), (x, 0, s))
    assert sp.simplify(direct - (1 - sp.exp(-s / b) * (1 + s / b))) == 0
