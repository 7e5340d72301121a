"""The transform behind each law, against equations of its states that are solved at 40 digits.

Each process is asked for its transform near 0 and far from it, left of 0 too, for how many
failures there are, for those of its first failures that are known in time, and for its pole. The
equations have a factor z for each downtime, so that they also count the failures.
"""

import cmath
import math

import mpmath as mp
import numpy as np
import pytest

from perfmodel import (
    Deterministic,
    Exponential,
    Gamma,
    exact_makespan,
    exact_makespan_async,
    exact_makespan_two_levels,
    wsj_compound,
)
from perfmodel.completion._first_failures import visits_transform
from perfmodel.completion.repairs import repair_of

JOB = {"interval": 2.0, "mtbf": 10.0, "checkpoint_cost": 0.25, "recovery_cost": 0.75}
TWO = {"local_cost": 0.1, "durable_cost": 0.6, "local_recovery": 0.5, "durable_recovery": 1.5}
FIXED, RANDOM = Deterministic(0.5), Gamma(2.5, 0.3)


def two_levels(rule, work=6.7, every=3, downtime=FIXED, **changes):
    costs = {"interval": 1.0, "mtbf": 9.0, "survived": 0.6, **TWO, **changes}
    return exact_makespan_two_levels(
        work, durable_every=every, downtime=downtime.mean, rule=rule, **costs
    )


POISSON = "rework that never fails"
CASES = {
    "equal segments": (
        lambda: exact_makespan(7.75, **JOB, downtime=FIXED, final_checkpoint=False),
        FIXED,
    ),
    "another last segment": (lambda: exact_makespan(7.0, **JOB, downtime=RANDOM), RANDOM),
    "one segment": (lambda: exact_makespan(1.5, **JOB, downtime=FIXED), FIXED),
    "no recovery": (
        lambda: exact_makespan(5.0, **{**JOB, "recovery_cost": 0.0}, downtime=RANDOM),
        RANDOM,
    ),
    "snapshots": (lambda: exact_makespan_async(9.0, **JOB, latency=0.5, downtime=RANDOM), RANDOM),
    "snapshots of one length": (
        lambda: exact_makespan_async(8.0, **JOB, latency=1.0, downtime=FIXED),
        FIXED,
    ),
    "one snapshot": (lambda: exact_makespan_async(1.0, **JOB, latency=1.0, downtime=FIXED), FIXED),
    "skipped snapshots": (
        lambda: exact_makespan_async(15.0, **JOB, latency=5.0, in_flight="skip", downtime=RANDOM),
        RANDOM,
    ),
    "skipped snapshots and a slow drain": (
        lambda: exact_makespan_async(
            12.0, **JOB, latency=5.0, in_flight="skip", slowdown=0.3, downtime=FIXED
        ),
        FIXED,
    ),
    "two levels": (lambda: two_levels("reinstated"), FIXED),
    "two levels, bare": (lambda: two_levels("bare"), FIXED),
    "two levels, staged": (lambda: two_levels("staged"), FIXED),
    "two levels, one pattern": (lambda: two_levels("reinstated", work=2.0, every=9), FIXED),
    "two levels, each durable": (lambda: two_levels("bare", work=3.0, every=1), FIXED),
    POISSON: (
        lambda: wsj_compound(9.0, mtbf=10.0, downtime=RANDOM, interval=2.0, checkpoint_cost=0.25),
        RANDOM,
    ),
}


def transform_of(law, unit, number):
    """Return the transform of a downtime, in units of `unit`."""
    if isinstance(law, Deterministic):
        return lambda s: exponential(-s * number(law.value / unit))
    return lambda s: (1 + s * number(law.scale / unit)) ** -number(law.shape)


def exponential(x):
    return mp.exp(x) if isinstance(x, mp.mpf | mp.mpc) else cmath.exp(x)


class Equations:
    """E[z^N exp(-s E)] of the time lost E and of N downtimes, from the states of the job.

    In floats, or at 40 digits where `number` is mp.mpf.
    """

    def __init__(self, process, down, number=float):
        self.process, self.number, self.rate = process, number, number(process.rate)
        self.down = down

    def __call__(self, s, z=1):
        if self.number is float:
            return self._whole(complex(s), complex(z))
        with mp.workdps(40):
            return self._whole(mp.mpmathify(s), mp.mpmathify(z))

    def _whole(self, s, z):
        return getattr(self, f"_{type(self.process).__name__.lower()}")(s, z * self.down(s))

    def through(self, s, span):
        return exponential(-(s + self.rate) * self.number(span))

    def struck(self, s, span):
        return self.rate * (1 - self.through(s, span)) / (s + self.rate)

    def back(self, s, down, recovery):
        return down * self.through(s, recovery) / (1 - down * self.struck(s, recovery))

    def tried(self, s, down, span):
        """From a cold start until an attempt is not struck."""
        back = self.back(s, down, self.process.recovery)
        return self.through(s, span) / (1 - self.struck(s, span) * back)

    def _segmentprocess(self, s, down):
        total, start = self.number(1), self.number(0)
        for count, length in self.process.pieces:
            total *= self.tried(s, down, length) ** count
            start += count * self.number(length)
        return total * exponential(s * start)

    def _asyncprocess(self, s, down):
        total, start = self.tried(s, down, self.process.first), self.number(self.process.first)
        back = self.back(s, down, self.process.recovery)
        for warm in self.process.warm:
            again = self.struck(s, warm.spacing) * back * self.tried(s, down, warm.busy)
            total *= (self.through(s, warm.spacing) + again) ** warm.count
            start += warm.count * self.number(warm.spacing)
        return total * exponential(s * start)

    def _skippingprocess(self, s, down):
        one, back = self.process, self.back(s, down, self.process.recovery)
        warm, cold, busy = [self.number(1)], [self.number(1)], [self.number(0)]
        for left in range(1, one.count + 1):  # segments
            first = one.last if left == 1 else one.first
            cold.append(self.tried(s, down, first) * warm[left - 1])
            far = left > one.stride
            span = one.between if far else one.ends[min(left, len(one.ends)) - 1]
            after = left - one.stride if far else 0
            kept = self.through(s, span) * warm[after]
            warm.append(kept + self.struck(s, span) * back * cold[left])
            busy.append(self.number(span) + busy[after])
        return cold[-1] * exponential(s * (self.number(one.first) + busy[one.count - 1]))

    def _levelprocess(self, s, down):
        total, start = self.number(1), self.number(0)
        for pattern in self.process.patterns:
            total *= self._pattern(s, down, pattern.each()) ** pattern.count
            start += pattern.count * sum(self.number(span) for span in pattern.each())
        return total * exponential(s * start)

    def _pattern(self, s, down, spans):
        """Solve for the transforms from each stretch, each local recovery, and two more places."""
        one, size = self.process, len(spans)
        share, durable, alone = self.number(one.survived), 2 * size, 2 * size + 1
        matrix = [[self.number(i == j) for j in range(alone + 1)] for i in range(alone + 1)]
        ends = [self.number(0)] * (alone + 1)

        def goes(place, length, after):
            if after == size:
                ends[place] = self.through(s, length)
            else:
                matrix[place][after] -= self.through(s, length)

        for i, span in enumerate(spans):
            for place, length in ((i, span), (size + i, one.local)):
                if place < size:
                    goes(place, length, i + 1)
                else:
                    matrix[place][i] -= self.through(s, length)
                fails = self.struck(s, length) * down
                matrix[place][size + i] -= share * fails
                matrix[place][durable] -= (1 - share) * fails
        matrix[durable][alone if one.bare else 0] -= self.through(s, one.durable)
        matrix[durable][durable] -= self.struck(s, one.durable) * down
        goes(alone, spans[0], 1)
        matrix[alone][durable] -= self.struck(s, spans[0]) * down
        if self.number is float:
            return complex(np.linalg.solve(np.array(matrix), np.array(ends))[0])
        return mp.lu_solve(mp.matrix(matrix), mp.matrix(ends))[0]

    def _compoundprocess(self, s, down):
        one = self.process
        rework = self.struck(s, one.segment) / self.struck(self.number(0), one.segment)
        return exponential(-self.rate * self.number(one.work) * (1 - down * rework))


def known(name, number=float):
    """Return a process, and its equations."""
    build, down = CASES[name]
    law = build()
    process = law.lost
    transform = transform_of(down, law.unit, number)
    if name != POISSON:
        return process, Equations(process, transform, number)

    def busy(s):  # the transform of a busy period is a fixed point
        found = number(1)
        for _ in range(200):
            found = transform(s + number(process.rate) * (1 - found))
        return found

    return process, Equations(process, busy, number)


POINTS = [
    1e-9,
    1e-4,
    0.3,
    5.0,
    0.2j,
    1e-7j,
    0.7 + 3.0j,
    1.0 - 40.0j,
    300j,
    1e-3 + 1e-3j,
    0.05j + 2.0,
]


@pytest.mark.parametrize("name", CASES)
def test_the_transform_solves_the_equations(name):
    process, equations = known(name, mp.mpf)
    s = np.array(POINTS, dtype=complex)
    exact = [equations(point) for point in POINTS]
    logs = np.array([complex(mp.log(value)) for value in exact])
    np.testing.assert_allclose(
        np.exp(process.log_transform(s)), np.exp(logs), rtol=1e-12, atol=1e-13
    )
    np.testing.assert_allclose(process.log_transform(s)[:2].real, logs[:2].real, rtol=1e-11)
    with mp.workdps(40):
        atom = mp.exp(mp.mpf(process.log_atom))
        beyond = np.array([complex(value / atom - 1) for value in exact])
    np.testing.assert_allclose(np.expm1(process.log_ratio(s)), beyond, rtol=2e-11, atol=1e-13)


@pytest.mark.parametrize("name", CASES)
def test_the_transform_reaches_to_its_pole(name):
    process, equations = known(name, mp.mpf)
    reach = process.abscissa
    if name == POISSON:  # where that of a busy period branches
        assert reach == process.down.abscissa
        return
    with mp.workdps(40):
        near, nearer = (abs(equations(-reach * (1 - mp.mpf(e)))) for e in (1e-2, 1e-8))
    assert nearer > 1e5 * near > 0.0
    s = np.array([-0.5 * reach, -0.9 * reach + 0.3j])
    exact = np.array([complex(equations(complex(point))) for point in s])
    np.testing.assert_allclose(np.exp(process.log_transform(s)), exact, rtol=1e-11)
    np.testing.assert_allclose(np.exp(process.log_ratio(s) + process.log_atom), exact, rtol=1e-11)


@pytest.mark.parametrize("name", [name for name in CASES if "levels" not in name])
def test_the_mean_number_of_downtimes(name):
    process, equations = known(name)
    # The imaginary part of a step off the real axis is a slope without cancellation.
    slope = equations(0.0, 1.0 + 1e-100j).imag / 1e-100
    if name == POISSON:
        assert slope == pytest.approx(process.failures, rel=1e-12)
    else:
        assert slope == pytest.approx(process.downtimes, rel=1e-12)


def counted(equations, s, size=40, radius=0.5):
    """Return the parts with 0, 1, 2, ... downtimes, by a Fourier sum over a circle of z."""
    z = radius * np.exp(2j * np.pi * np.arange(size) / size)
    values = np.array([complex(equations(s, complex(point))) for point in z])
    return np.fft.fft(values) / size / radius ** np.arange(size)


@pytest.mark.parametrize("name", [name for name in CASES if name != POISSON])
def test_the_first_failures_are_those_parts_of_the_transform(name):
    process, equations = known(name)
    first = process.first_failures
    depth = max(visit.order for visit in first.visits)
    assert 1 <= depth <= first.known.depth
    assert math.exp(process.log_atom) == pytest.approx(counted(equations, 0.0)[0].real, rel=1e-9)
    for point in (0.0, 0.4, 0.3 + 2.0j, 9.0j):
        s = np.array([point], dtype=complex)
        parts = counted(equations, point)
        assert process.log_atom == pytest.approx(
            math.log(abs(counted(equations, 0.0)[0])), rel=1e-12
        )
        for order in range(1, depth + 1):
            some = tuple(visit for visit in first.visits if visit.order == order)
            found = visits_transform(some, s, process.rate, first.known.downtime(s))
            assert found[0] == pytest.approx(parts[order], rel=1e-9, abs=1e-12)
        assert first.transform(s)[0] == pytest.approx(sum(parts[1 : depth + 1]), rel=1e-9)
    assert first.total == pytest.approx(sum(counted(equations, 0.0)[1 : depth + 1].real), rel=1e-9)
    real = np.array([0.0, 0.4, 3.0], dtype=complex)
    np.testing.assert_allclose(first.bound(real), first.transform(real).real, rtol=1e-12)
    turned = real + 2.0j
    assert np.all(first.bound(turned) >= np.abs(first.transform(turned)))


@pytest.mark.parametrize("name", CASES)
def test_the_bound_on_the_rest_is_the_rest_itself_on_the_real_axis(name):
    process, equations = known(name)
    s = np.array([0.0, 0.2, 1.0], dtype=complex)
    whole = np.array([equations(point.real).real for point in s])
    rest = whole - math.exp(process.log_atom) - process.first_failures.transform(s).real
    close = 1e-9 if name == POISSON else 1e-12
    if "bare" in name or "each durable" in name:  # without local copies there is more delay
        assert process.rest_bound(s)[0] == pytest.approx(rest[0], abs=close)
        assert np.all(process.rest_bound(s) >= rest - close)
    else:
        np.testing.assert_allclose(process.rest_bound(s), rest, rtol=1e-9, atol=close)
    s = np.array([0.2 + 1.0j, 7.0j, 0.01 - 3.0j])
    whole = np.array([complex(equations(complex(point))) for point in s])
    rest = np.abs(whole - math.exp(process.log_atom) - process.first_failures.transform(s))
    assert np.all(process.rest_bound(s) >= rest - 1e-12)


@pytest.mark.parametrize(
    "name", [name for name in CASES if "segment" in name or "recovery" in name]
)
def test_each_part_of_a_count_has_so_many_downtimes(name):
    process, equations = known(name)
    equations = Equations(process, lambda s: 1.0)  # z is the transform of a downtime
    s = np.array([0.0, 0.4, 0.3 + 2.0j], dtype=complex)
    parts = [counted(equations, complex(point), 32, 0.7) for point in s]
    state = process.counting(s)
    for count in range(8):
        assert state.count == count
        found = state.value * math.exp(state.log_unit)
        np.testing.assert_allclose(found, [part[count] for part in parts], rtol=1e-9, atol=1e-13)
        state = state.following()


def test_a_count_of_poisson_failures():
    process = known(POISSON)[0]
    equations = Equations(process, lambda s: 1.0)
    s = np.array([0.0, 0.4, 0.3 + 2.0j], dtype=complex)
    parts = [counted(equations, complex(point), 32, 0.7) for point in s]
    state = process.counting(s)
    for count in range(8):
        found = state.value * math.exp(state.log_unit)
        np.testing.assert_allclose(found, [part[count] for part in parts], rtol=1e-9, atol=1e-13)
        state = state.following()


JOINED = {"interval": 1.0, "mtbf": 1.0, "checkpoint_cost": 0.0, "downtime": 9.0}
MANY = [
    lambda: exact_makespan(300.0, **JOINED),
    lambda: exact_makespan(299.6, **JOINED),
    lambda: wsj_compound(300.0, **{**JOINED, "mtbf": 10.0, "interval": 1e-3}),
]


@pytest.mark.parametrize("build", MANY)
def test_counts_that_leave_the_floats_have_another_unit(build):
    """With a likely failure in each segment the first coefficients are below 1e-100 of the rest."""
    law = build()
    state, parts = law.lost.counting(np.array([0.0, 1e-9], dtype=complex)), []
    for count in range(2000):
        assert state.count == count
        assert 1e-101 < abs(state.value[0]) < 1e101
        parts.append(state.value[0].real * math.exp(state.log_unit))
        state = state.following()
    assert sum(parts) == pytest.approx(1.0, rel=1e-11)
    assert np.arange(2000.0) @ parts == pytest.approx(law.lost.failures, rel=1e-11)


@pytest.mark.parametrize("downtime", [0.5, Exponential(0.5), Gamma(6.0, 0.2)])
def test_repairs_that_failures_prolong_solve_their_equation(downtime):
    one = repair_of(downtime)
    busy = one.struck(4.0)
    s = np.array([1e-9, 0.3, 5.0, 0.2j, 0.7 + 3.0j, -0.05], dtype=complex)
    found = busy.complement(s)
    again = one.complement(s + 0.25 * found)
    np.testing.assert_allclose(found, again, rtol=1e-12)
    step = 1e-4
    first, second = (float(busy.complement(np.array([k * step + 0j]))[0].real) for k in (1, -1))
    assert (first - second) / (2.0 * step) == pytest.approx(busy.mean, rel=1e-6)
    square = -(first + second) / step**2
    assert square - busy.mean**2 == pytest.approx(busy.variance, rel=1e-5)
