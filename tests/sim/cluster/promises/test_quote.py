"""The offers to one job, against what the compiled replay promises it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import DetectabilityForecaster, Failures, Workload, quote_promises, replay_promises
from sim.cluster.promises.negotiation import ROUNDING
from tests.support.examples import examples


def drawn(seed):
    rng = np.random.default_rng(seed)
    count, size = 15, 5
    submit = np.sort(rng.integers(0, 40, count)).astype(float)
    runtime = rng.integers(1, 20, count).astype(float)
    jobs = Workload(submit, runtime, runtime, rng.integers(1, size + 1, count))
    times = np.sort(rng.uniform(0.0, 150.0, 9))
    failures = Failures(times, rng.integers(0, size, 9), rng.exponential(5.0, 9))
    terms = {
        "processors": size,
        "failures": failures,
        "forecaster": DetectabilityForecaster(float(rng.choice([0.5, 1.0])), seed),
        "checkpoint_interval": float(rng.choice([4.0, 50.0])),
        "checkpoint_cost": 1.0,
        "checkpointing": str(rng.choice(["risk", "all", "none"])),
    }
    return rng, jobs, terms


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 0.6, 0.9, 1.0]))
def test_the_first_offer_that_satisfies_a_user_is_what_a_replay_promises(seed, confidence):
    rng, jobs, terms = drawn(seed)
    submit, runtime = float(rng.integers(0, 45)), float(rng.integers(1, 20))
    nodes = int(rng.integers(1, 6))
    offers = quote_promises(
        jobs, submit=submit, runtime=runtime, nodes=nodes, confidence=confidence, **terms
    )
    before = jobs.select(jobs.submit <= submit)
    together = Workload(
        np.append(before.submit, submit),
        np.append(before.runtime, runtime),
        np.append(before.walltime, runtime),
        np.append(before.processors, nodes),
    )
    done = replay_promises(together, confidence=confidence, **terms)
    promised, deadline = done.promised[-1], done.deadline[-1]
    best = next((offer for offer in offers if offer.promised >= confidence), offers[-1])
    assert best.promised == pytest.approx(promised, abs=2.0 * ROUNDING)
    assert best.deadline == deadline
    assert done.start[-1] == best.start


@settings(deadline=None, max_examples=examples(30))
@given(st.integers(0, 10**6))
def test_a_later_deadline_is_offered_only_with_a_higher_probability(seed):
    _, jobs, terms = drawn(seed)
    offers = quote_promises(jobs, submit=9.0, runtime=12.0, nodes=3, confidence=0.5, **terms)
    assert all(offer.start >= 9.0 for offer in offers)
    deadlines, chances = zip(*((offer.deadline, offer.promised) for offer in offers), strict=True)
    assert list(deadlines) == sorted(deadlines)
    assert (np.diff(chances) > 0.0).all()


def test_what_cannot_be_quoted_is_refused():
    _, jobs, terms = drawn(1)
    with pytest.raises(ValueError, match="nodes must be from 1 to processors = 5, got 6"):
        quote_promises(jobs, submit=0.0, runtime=1.0, nodes=6, confidence=0.5, **terms)
    with pytest.raises(ValueError, match="runtime must be finite and > 0"):
        quote_promises(jobs, submit=0.0, runtime=0.0, nodes=1, confidence=0.5, **terms)
