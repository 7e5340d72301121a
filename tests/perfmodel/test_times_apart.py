"""Times so far apart that no float holds their products are refused, each by its name."""

import pytest

import perfmodel

NODES = {"nodes": 4, "jobs": 3}
PAIRS = {"pairs": 2}
BLOCKS = {"blocks": 4, "standbys": 1}

# The function, its other arguments, the names of times that are compared, those at which another
# rule would speak first.
CASES = [
    (
        "waste_shared",
        {**NODES, "node_mtbf": 1.0},
        "period checkpoint_cost recovery_cost",
        "checkpoint_cost",
    ),
    (
        "waste_shared",
        {**NODES, "period": 1.0, "recovery_cost": 1.0},
        "checkpoint_cost node_mtbf",
        "",
    ),
    ("optimal_periods_shared", NODES, "checkpoint_cost node_mtbf", ""),
    (
        "degraded_goodput",
        {**BLOCKS, "may_miss": 1},
        "block_mtbf mttr checkpoint_cost recovery_cost interval",
        "",
    ),
    (
        "degraded_goodput",
        {**BLOCKS, "may_miss": 1, "mttr": 1.0, "checkpoint_cost": 1.0, "interval": 1.0},
        "block_mtbf switch_time resize_time",
        "block_mtbf",
    ),
    (
        "two_stage_goodput",
        {**BLOCKS, "escalated": 0.5, "checkpoint_cost": 1.0},
        "block_mtbf automatic_time manual_time switch_time",
        "",
    ),
    ("spares_goodput", {**BLOCKS, "checkpoint_cost": 1.0}, "block_mtbf mttr switch_time", ""),
    ("mean_stop", BLOCKS, "block_mtbf mttr switch_time", ""),
    (
        "waste_of_pairs",
        PAIRS,
        "interval node_mtbf checkpoint_cost recovery_cost downtime",
        "",
    ),
    (
        "optimal_interval_pairs",
        PAIRS,
        "node_mtbf checkpoint_cost recovery_cost downtime",
        "",
    ),
    ("pairs_crossover", {"nodes": 4}, "checkpoint_cost recovery_cost downtime", ""),
    (
        "optimal_nodes_first_order",
        {"sequential_share": 0.1},
        "node_mtbf checkpoint_cost checkpoint_cost_per_node",
        "",
    ),
    ("bad_node_power", {"nodes": 4, "lemon_factor": 2.0}, "observed node_mtbf", ""),
    ("bad_nodes", {"failures": [3, 4]}, "observed node_mtbf", ""),
    ("rate_change", {"failures_before": 3, "failures": 4}, "observed_before observed", ""),
    (
        "expected_energy",
        {"work": 1.0, "interval": 1.0, "mtbf": 1.0, "checkpoint_cost": 1.0},
        "static_power compute_power io_power down_power",
        "",
    ),
]
TRIED = [
    pytest.param(function, rest, names.split(), name, id=f"{function}-{name}")
    for function, rest, names, other in CASES
    for name in names.split()
    if name not in other.split()
]


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize(("function", "rest", "names", "name"), TRIED)
def test_are_refused_by_all_names_with_the_least_and_the_most(function, rest, names, name):
    for far, least, most in ((1e-120, "1e-120", "1.0"), (1e120, "1.0", "1e+120")):
        times = {**dict.fromkeys(names, 1.0), name: far}
        with pytest.raises(ValueError, match=r".") as refused:
            getattr(perfmodel, function)(**rest, **times)
        assert str(refused.value) == (
            f"{', '.join(names)} must be within a factor of 1e+100, got {least} and {most}"
        )


@pytest.mark.parametrize(("function", "rest", "names", "name"), TRIED)
def test_units_that_no_square_fits_in_are_refused(function, rest, names, name):
    if name != names[0] or function in {"waste_shared", "degraded_goodput", "training_shares"}:
        return
    for far in (1e-151, 1e151):
        times = dict.fromkeys(names, far)
        with pytest.raises(ValueError, match=r".") as refused:
            getattr(perfmodel, function)(**rest, **times)
        assert str(refused.value) == (
            f"{', '.join(names)} must be from 1e-150 to 1e+150, got {far!r}: take another unit"
        )


@pytest.mark.parametrize(
    ("function", "arguments", "name", "most"),
    [
        ("spares_goodput", {"mttr": 0.1, "checkpoint_cost": 0.1}, "blocks", 1_000_000),
        (
            "degraded_goodput",
            {"mttr": 0.1, "checkpoint_cost": 0.1, "may_miss": 0},
            "blocks",
            1_000_000,
        ),
        (
            "two_stage_goodput",
            {"automatic_time": 0.1, "manual_time": 0.1, "escalated": 0.1, "checkpoint_cost": 0.1},
            "blocks",
            1_000_000,
        ),
    ],
)
def test_more_blocks_than_can_be_computed_are_refused_by_name(function, arguments, name, most):
    call = getattr(perfmodel, function)
    sound = {"blocks": 2, "standbys": 0, "block_mtbf": 1e9, **arguments}
    assert 0.0 < call(**{**sound, name: most}) < 1.0
    with pytest.raises(ValueError, match=r".") as refused:
        call(**{**sound, name: most + 1})
    assert str(refused.value) == (
        f"{name} must be at most {most}, got {most + 1}: take larger blocks"
    )
