"""A policy on a machine that it does not fit is refused before anything is played."""

import pytest

from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.bluegene import BlueGene, Cobalt, regular
from sim.cluster.forecasts import RateForecaster
from sim.cluster.grid import (
    CancelStranded,
    ClusterSpec,
    Grid,
    GridEasy,
    GridFcfs,
    LocalSearch,
    Planned,
)
from sim.cluster.promises import Negotiated

NONE = Failures([], [], [])
# The one job starts at once: no policy would come to ask what the machine does not have.
ALONE = Workload([0.0], [1.0], [1.0], [512])
NEGOTIATED = Negotiated(RateForecaster(0.0).begin(None, 512), 0.5)
MACHINES = {
    "Flat": flat(512),
    "BlueGene": BlueGene(regular(1, 1)),
    "Grid": Grid((ClusterSpec("only", 512),)),
}
GRID_ONLY = (GridFcfs(), GridEasy(), Planned(), LocalSearch())
FITS = {
    "Flat": ("fcfs", "easy", "conservative", "conservative-compress", NEGOTIATED),
    "BlueGene": ("fcfs", Cobalt()),
    "Grid": (
        *("fcfs", "easy", "conservative", "conservative-compress", *GRID_ONLY),
        *(CancelStranded(policy) for policy in GRID_ONLY),
    ),
}
POLICIES = {str(policy): policy for policies in FITS.values() for policy in policies}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: str(policy)[:40])
def test_every_policy_is_played_or_refused_with_both_names_and_the_remedy(policy, name):
    def play():
        return replay(ALONE, MACHINES[name], policy=policy, failures=NONE)

    if str(policy) in map(str, FITS[name]):
        assert play().jobs["outcome"].tolist() == ["completed"]
        return
    called = policy if isinstance(policy, str) else policy.name
    message = rf"^policy must run on the machine, got '{called}', .* for a {name}; on a {name} give"
    with pytest.raises(ValueError, match=message):
        play()


def test_the_policy_of_numbered_nodes_needs_them():
    for machine, failures in ((flat(512), None), (flat(512, processors_per_node=2), NONE)):
        with pytest.raises(ValueError, match="got 'negotiated', which runs on a flat machine of"):
            replay(ALONE, machine, policy=NEGOTIATED, failures=failures)


def test_what_a_policy_is_wrapped_into_must_fit_as_well():
    with pytest.raises(ValueError, match="got 'cobalt-wfp3', which runs on a BlueGene, for a Grid"):
        replay(ALONE, MACHINES["Grid"], policy=CancelStranded(Cobalt()), failures=NONE)
