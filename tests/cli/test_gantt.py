import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel.cli import gantt
from sim.cluster import Failures, Workload, flat, replay

spans = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 9)), min_size=1)


@settings(deadline=None, max_examples=50)
@given(spans=spans, bins=st.integers(1, 7))
def test_means_are_overlaps_of_spans_and_bins(spans, bins):
    up, length, size = np.array(spans, dtype=float).T
    down, edges = up + length, np.linspace(0.0, 100.0, bins + 1)
    overlap = np.minimum(down, edges[1:, None]) - np.maximum(up, edges[:-1, None])
    expected = (np.maximum(overlap, 0.0) * size).sum(axis=1) / np.diff(edges)
    found = gantt._means(edges, up, down, size)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("most_bars", [0, 4000])
def test_both_pictures_are_drawn(tmp_path, monkeypatch, most_bars):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(gantt, "MOST_BARS", most_bars)
    jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
    result = replay(jobs, flat(4), failures=Failures([6.0], [0], [1.0]))
    gantt.draw(result, tmp_path / "gantt.png")
    assert (tmp_path / "gantt.png").read_bytes().startswith(b"\x89PNG")
