"""Hypothesis strategies shared by the tests: durations in multiples of an mtbf of 1."""

from hypothesis import strategies as st


def log_uniform(low, high):
    """Return floats even in their logarithm, which shrink towards the geometric mean."""
    return st.floats(-1.0, 1.0).map(lambda u: float((low * high) ** 0.5 * (high / low) ** (u / 2)))


mtbfs = log_uniform(1e-6, 1e12)
scales = log_uniform(1e-12, 1e12)
ratios = log_uniform(1e-14, 1e3)

jobs = st.fixed_dictionaries(
    {
        "work": log_uniform(1e-3, 1e3),
        "interval": log_uniform(1e-2, 3.0),
        "mtbf": st.just(1.0),
        "checkpoint_cost": st.just(0.0) | log_uniform(1e-6, 2.0),
        "recovery_cost": st.just(0.0) | log_uniform(1e-6, 2.0),
        "downtime": st.just(0.0) | log_uniform(1e-6, 10.0),
        "final_checkpoint": st.booleans(),
    }
)
"""Arguments of `expected_makespan` and its companions."""

tasks = st.fixed_dictionaries(
    {
        "work": log_uniform(1e-3, 1e3),
        "mtbf": st.just(1.0),
        "downtime": st.just(0.0) | log_uniform(1e-6, 0.9),
        "interval": log_uniform(1e-4, 30.0),
        "checkpoint_cost": st.just(0.0) | log_uniform(1e-6, 2.0),
    }
)
"""Arguments of `wsj_mean` and `wsj_variance`."""

_DURATIONS = {"work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime"}


def in_other_units(arguments, scale):
    """Return the arguments with every duration multiplied by `scale`."""
    return {k: v * scale if k in _DURATIONS else v for k, v in arguments.items()}
