"""What answers say of failure logs: laws, gaps that depend, bad nodes, jobs played on the gaps."""

import math
from itertools import count
from types import SimpleNamespace as Made

import numpy as np
import pytest

from perfmodel.answers.logs import recorded_gaps
from perfmodel.answers.logs.recorded_gaps import STARTS, play_recorded
from perfmodel.answers.parts.fitted import FITTED, QUANTILES, Dependence, Fitted
from perfmodel.answers.parts.suspects import suspects
from perfmodel.fitting import fit_lifetime
from perfmodel.fitting.goodness import (
    correlation_limit,
    distance,
    distance_limit,
    quantiles,
    rank_correlation,
)
from perfmodel.lemons import bad_nodes
from perfmodel.lifetimes import Deterministic

HOUR = 3600.0
RNG = np.random.default_rng(5)
GAPS = np.round(RNG.weibull(0.7, 60) * 1e4 / 60.0 + 1.0) * 60.0


@pytest.mark.parametrize("cut", [0, 7])
@pytest.mark.parametrize("grid", [None, 60.0, "zero"])
def test_laws_beside_the_record(cut, grid):
    gaps = GAPS.copy()
    resolution = grid
    if grid == "zero":  # the record was rounded to its smallest gap above none
        gaps[-1], resolution, grid = 0.0, 60.0, None
    censored = np.arange(gaps.size) < cut
    gaps[:cut] += 30.0
    found = Fitted.of(gaps, censored, grid)
    ended, ends = gaps[~censored], gaps[censored]
    assert found.fits == fit_lifetime(
        gaps, censored=censored, resolution=resolution, families=FITTED
    )
    half = 0.5 * (resolution or 0.0)
    far = [distance(row.lifetime, ended, ends, half) for row in found.fits]
    assert found.distances == tuple(far)
    limits = [distance_limit(row.family, ended.size) for row in found.fits]
    assert found.limits == tuple(limits)
    shares = np.array(QUANTILES) / 100
    np.testing.assert_allclose(found.recorded, quantiles(ended, ends, shares))
    # A mean of gaps that were cut off is not known.
    assert found.mean_s == (None if cut else pytest.approx(ended.mean()))
    fits = [row.family for row, d, limit in zip(found.fits, far, limits, strict=True) if d <= limit]
    assert found.families == tuple(fits)
    assert fits


@pytest.mark.parametrize("ended", [[], [60.0], [60.0, 60.0, 60.0]])
def test_fewer_than_two_different_gaps_have_no_law(ended):
    gaps = np.array([*ended, 90.0, 120.0])
    censored = np.arange(gaps.size) >= len(ended)
    assert Fitted.of(gaps, censored, None) is None


def log(gaps, *, cut=0, systems=1, named=None):
    censored = np.arange(len(gaps)) >= len(gaps) - cut
    return Made(
        uptimes=Made(durations=np.array(gaps), censored=censored), systems=systems, named=named
    )


def test_neighbouring_gaps_are_correlated():
    gaps = [1.0, 2.0, 4.0, 3.0, 8.0, 9.0, 7.0]
    found = Dependence.of(log(gaps))
    assert found.correlation == rank_correlation(np.array(gaps))
    assert found.limit == correlation_limit(7)
    # What the end of the observation cut is not a gap.
    assert Dependence.of(log([*gaps, 0.5], cut=1)) == found
    assert Dependence.of(log(gaps[:3])) is not None
    assert Dependence.of(log(gaps[:2])) is None
    assert Dependence.of(log(gaps[:3], cut=1)) is None
    assert Dependence.of(log(gaps, systems=2)) is None
    assert Dependence.of(log(gaps, named=3)) is None
    assert [Dependence(at, 0.5).clustered for at in (0.4, 0.5, 0.6)] == [False, False, True]


def unit(system, node, failures, observed=100.0):
    return Made(system=system, node=node, failures=failures, observed=observed)


def test_bad_nodes_of_each_system():
    """Two systems share the false alarms; nodes without a name or without time are left out."""
    usual = {"a": 2.0, "b": 1.0}
    units = [
        unit(name, f"{name}{place}", place % 3, observed=100.0 * time)
        for name, time in usual.items()
        for place in range(30)
    ]
    units += [
        unit("a", "a30", 9),
        unit("b", "b30", 20),
        unit("a", "-1", 500),
        unit("b", "b31", 9, 0.0),
    ]
    found = suspects(Made(units=tuple(units)))
    expected = []
    for name in usual:
        own = [one for one in units if one.system == name and one.node != "-1" and one.observed > 0]
        tested = bad_nodes(
            [one.failures for one in own],
            observed=[one.observed for one in own],
            false_alarm=0.025,
        )
        for place in np.flatnonzero(tested.bad):
            one = own[place]
            chance = min(2.0 * float(tested.probability[place]), 1.0)
            expected.append((name, one.node, one.failures, float(tested.expected[place]), chance))
    expected.sort(key=lambda row: row[-1])
    shown = [(s.system, s.node, s.failures, s.expected, s.probability) for s in found]
    assert shown == expected
    assert [s.node for s in found] == ["b30", "a30"]
    assert suspects(Made(units=tuple(units[:30]))) == ()


COSTS = {"checkpoint_cost": 300.0, "recovery_cost": 120.0}


def recorded(gaps, *, cut=(), **changes):
    durations = np.array([*gaps, *cut])
    censored = np.arange(durations.size) >= len(gaps)
    known = Made(uptimes=Made(durations=durations, censored=censored))
    job = {**COSTS, "work": 5 * HOUR, "downtime": 60.0, "mtbf": Made(log=known)}
    job["on_all_nodes"] = True
    return Made(**{**job, **changes})


def by_hand(job, interval, gaps, start, downtime):
    """Play one start: what a failure strikes is done again after a downtime and a recovery."""
    ends = np.cumsum(gaps)
    place = int(np.searchsorted(ends, start, side="right"))
    left, time, done, lost = ends[place] - start, 0.0, 0.0, 0.0
    turns = count(place + 1)
    while done < job.work:
        segment = min(interval, job.work - done)
        needed = lost + segment + job.checkpoint_cost
        if needed <= left:
            time, left, done, lost = time + needed, left - needed, done + segment, 0.0
        else:
            time, lost = time + left + downtime, job.recovery_cost
            left = gaps[next(turns) % len(gaps)]
    return time


@pytest.mark.few(1)
@pytest.mark.parametrize("repairs", [None, 600.0])
@pytest.mark.parametrize("interval", [9 * HOUR, HOUR])
def test_a_job_is_played_from_instants_all_over_the_log(repairs, interval, monkeypatch):
    gaps = [9000.5, 700.25, 50_000.125, 1200.0, 42_000.0]
    job = recorded(gaps, cut=(77.0,))
    law = None if repairs is None else Deterministic(repairs)
    found = play_recorded(job, interval, law)
    assert found.shape == (STARTS,)
    downtime = 60.0 if repairs is None else repairs
    starts = (np.arange(STARTS) + 0.5) / STARTS * sum(gaps)
    known = [by_hand(job, interval, gaps, start, downtime) for start in starts]
    np.testing.assert_allclose(found, known, rtol=1e-12)
    # More failures than are made ready at first.
    monkeypatch.setattr(recorded_gaps, "STARTS", 10)
    job = recorded(gaps, cut=(77.0,), work=5400 * HOUR)
    starts = (np.arange(10) + 0.5) / 10 * sum(gaps)
    known = [by_hand(job, interval, gaps, start, downtime) for start in starts]
    np.testing.assert_allclose(play_recorded(job, interval, law), known, rtol=1e-12)


def test_a_job_that_hardly_ends_is_not_played():
    """It needs recovery, segment and checkpoint in one gap, and not too many failures."""
    needed = 120.0 + HOUR + 300.0
    ends = recorded_gaps._ends
    job = recorded([1.0])
    assert not ends(job, HOUR, np.array([needed]))
    assert ends(job, HOUR, np.array([math.nextafter(needed, math.inf)]))
    # Of a job shorter than its interval the work is the segment.
    short = recorded([1.0], work=60.0)
    assert ends(short, HOUR, np.array([480.5]))
    assert not ends(short, HOUR, np.array([480.0]))
    # Five segments, each after so many short gaps, from 1,000 instants: at most 1e8 failures.
    gaps = np.full(20_000, 1.0)
    gaps[0] = 2 * needed
    assert ends(job, HOUR, gaps)
    assert not ends(job, HOUR, np.append(gaps, 1.0))
    assert play_recorded(recorded([1.0, 2.0]), HOUR) is None
    assert play_recorded(recorded([1.0], mtbf=Made(log=None)), HOUR) is None
