"""What the mutants of whole laws plant, looked at closely."""

from unittest.mock import patch

import numpy as np
import pytest

from perfmodel.completion import exact_makespan
from perfmodel.completion.repairs import _quadrature
from validation.subjects.whole_laws import cases, mutants

# Repairs that are integrated by panels, and the broad ones after whose atom one panel is too few.
TELLING = cases.TELLING.values()
BY_PANELS = [job for job in TELLING if job["downtime"].name in ("LogNormal", "Weibull")]
BROAD = cases.TELLING["the far tail of broad repairs"]


def widened(panels):
    nodes, weights = _quadrature._NODES, _quadrature._WEIGHTS
    places = (2.0 * np.arange(panels)[:, None] + 1.0 + nodes).ravel()
    heavies = np.tile(weights, panels).tolist()
    return patch.multiple(_quadrature, _PANELS=panels, _PLACES=places, _HEAVIES=heavies)


def law_at(point, t):
    job = cases._predictable(point)
    law = exact_makespan(**job)
    return law.cdf(law.atom[0] + t * (law.mean - law.atom[0]))


@pytest.mark.slow
@pytest.mark.parametrize("point", BY_PANELS)
def test_panels_twice_as_wide_are_no_fault_yet(point):
    """So the mutant has a single one in the place of 32."""
    t = np.geomspace(1e-4, 1e2, 400)
    right = law_at(point, t)
    with widened(_quadrature._PANELS // 2):
        np.testing.assert_allclose(law_at(point, t), right, rtol=0.0, atol=1e-11)


def test_a_single_panel_is_one():
    t = np.geomspace(1e-4, 1e2, 400)
    right = law_at(BROAD, t)
    with mutants._wider_panels():
        assert np.max(np.abs(law_at(BROAD, t) - right)) > 1e-8
