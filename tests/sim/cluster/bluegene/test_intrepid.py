"""The published description of Intrepid, and how near the regular machine comes to it."""

import lzma
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sim.cluster.bluegene import PartitionTable, regular
from sim.traces.machines.cobalt_xml import read_cobalt_xml
from tests.support.logs import require

DOCS = Path(__file__).resolve().parents[4] / "docs"


@pytest.fixture(scope="module")
def intrepid():
    machine = require("machines/intrepid/simulator.xml.xz")
    names = require("machines/intrepid/partlist-R00-R47.txt.xz")
    return PartitionTable.from_cobalt(machine, listed=tuple(lzma.open(names, "rt").read().split()))


def test_has_the_published_sizes(intrepid):
    assert intrepid.total_nodes == 40_960
    assert len(intrepid.midplanes) == 80
    counts = Counter(intrepid.nodes.tolist())
    assert counts[64] == 640
    assert counts[128] == 320
    assert counts[256] == 160
    assert {counts[size] for size in (40_960, 24_576)} == {1}
    assert sum(counts[size] for size in counts if size >= 512) == 227


def test_without_the_list_the_same_partitions_are_schedulable(intrepid):
    machine = require("machines/intrepid/simulator.xml.xz")
    assert PartitionTable.from_cobalt(machine).names == intrepid.names


def test_a_midplane_is_blocked_by_the_torus_that_passes_its_switch(intrepid):
    midplane, torus = intrepid.index("ANL-R34-M0-512"), intrepid.index("ANL-R35-1024")
    assert intrepid.conflicts[midplane, torus]
    assert not (intrepid.uses[midplane] & intrepid.uses[torus]).any()


def test_the_regular_machine_agrees_wherever_both_have_a_partition(intrepid):
    ours = regular(5, 8)
    common = sorted(set(intrepid.names) & set(ours.names))
    assert len(common) == 1335
    real = [intrepid.index(name) for name in common]
    made = [ours.index(name) for name in common]
    np.testing.assert_array_equal(
        intrepid.conflicts[np.ix_(real, real)], ours.conflicts[np.ix_(made, made)]
    )
    np.testing.assert_array_equal(intrepid.uses[real], ours.uses[made])


def test_the_differences_are_those_the_docs_list(intrepid):
    ours = regular(5, 8)
    text = (DOCS / "bluegene.md").read_text()
    for name in set(intrepid.names) ^ set(ours.names):
        assert f"`{name}`" in text


def test_parents_are_those_of_cobalt_on_every_partition(intrepid):
    parts = {p.name: p for p in read_cobalt_xml(require("machines/intrepid/simulator.xml.xz"))}
    hardware = [parts[name] for name in intrepid.names]
    rng = np.random.default_rng(1)
    rare = np.flatnonzero(intrepid.nodes >= 1024)
    for row in (*rare.tolist(), *rng.choice(len(hardware), 60, replace=False).tolist()):
        one = hardware[row]
        expected = [
            other is not one
            and (
                one.node_cards <= other.node_cards
                or (
                    len(one.node_cards) == len(other.node_cards)
                    and not one.switches.isdisjoint(other.switches)
                )
            )
            for other in hardware
        ]
        np.testing.assert_array_equal(intrepid.parents[row], expected)
    counts = np.count_nonzero(intrepid.parents, axis=1)
    by_size = {
        size: (counts[intrepid.nodes == size].min(), counts[intrepid.nodes == size].max())
        for size in (64, 1024, 4096, 40_960)
    }
    assert by_size == {64: (14, 17), 1024: (11, 15), 4096: (8, 14), 40_960: (0, 0)}
