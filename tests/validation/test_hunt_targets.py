"""A short random search of every public function, which `make hunt` goes on with for hours."""

import pytest

from tests.support.examples import examples
from validation.hunt import hunt
from validation.hunt.search import targets

CALLS = examples(24)
# Laws, fits, plans and searches take seconds a call: `make hunt` alone calls them.
SLOW = {
    *("bad_node_power", "compare_extra_node", "exact_makespan", "exact_makespan_ageing"),
    *("exact_makespan_async", "exact_makespan_two_levels", "expected_makespan_phases"),
    *("fit_bathtub", "fit_lifetime", "gamma_error", "hazard_intervals", "mixed_makespan"),
    *("optimal_interval_ageing", "optimal_interval_parallel", "optimal_intervals_ageing"),
    *("optimal_plan_ageing", "platform_failures_from_new", "predictive_makespan", "recommend"),
    *("slowest", "slowest_of", "spares_for", "wsj_compound"),
}


@pytest.mark.parametrize("name", sorted({target.of for target in targets()} - SLOW))
def test_no_allowed_call_breaks_what_is_promised(name):
    aims = sum(target.of == name for target in targets())
    found = hunt(seed=3, calls=CALLS * aims, only=name)
    assert [str(one) for one in found.findings if not one.complaint.startswith("takes")] == []
