"""What one replication leaves to the next: laws are shared, state is not."""

from dataclasses import dataclass

import numpy as np
import pytest

from sim import samplers
from sim.application._arguments import unplayed

LAWS = [
    samplers.Bathtub(0.4, 1.0, 0.8, 24.0),
    samplers.Deterministic(3.0),
    samplers.Empirical([1.0, 2.0]),
    samplers.Exponential(4.0),
    samplers.Gamma(2.0, 3.0),
    samplers.HyperExponential((0.5, 0.5), (1.0, 2.0)),
    samplers.LogNormal(0.0, 1.0),
    samplers.Weibull(0.7, 5.0),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_a_law_that_cannot_change_is_not_copied(law):
    assert unplayed(law) is law
    for name in law.__slots__:
        with pytest.raises(AttributeError):
            setattr(law, name, 1.0)


@dataclass(frozen=True)
class Counting(samplers.Exponential):
    """A law of the user's that is one of ours, and counts besides."""

    drawn: list[float]


def test_a_law_that_counts_is_copied():
    law = Counting(4.0, [])
    copied = unplayed(law)
    copied.drawn.append(1.0)
    assert law.drawn == []


def test_a_recorded_list_begins_anew():
    rng, law = np.random.default_rng(1), samplers.Recorded([1.0, 2.0])
    law.sample(rng)
    assert unplayed(law).sample(rng) == 1.0
