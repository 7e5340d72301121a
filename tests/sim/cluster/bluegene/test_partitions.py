import io
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster.bluegene import PartitionTable, regular
from sim.traces.machines.cobalt_xml import PartitionHardware, read_cobalt_xml
from tests.support.examples import examples
from tests.support.partitions import figure_one

SMALL = b"""<BG><PartitionList>
  <Partition name='ANL-R00-M0-N00-64'>
    <NodeCard id='R00-M0-N00'/><NodeCard id='R00-M0-N01'/></Partition>
  <Partition name='ANL-R00-M0-N02-64'>
    <NodeCard id='R00-M0-N02'/><NodeCard id='R00-M0-N03'/></Partition>
  <Partition name='A'><NodeCard id='R00-M0-N00'/><Switch id='S1'/><Wire id='W1'/></Partition>
  <Partition name='B'><NodeCard id='R00-M1-N00'/><Switch id='S1'/><Wire id='W2'/></Partition>
  <Partition name='C'><NodeCard id='R01-M0-N00'/><Switch id='S3'/><Wire id='W2'/></Partition>
  <Partition name='_DIAGS'><NodeCard id='R01-M0-N00'/></Partition>
</PartitionList></BG>"""


def table(**options):
    return PartitionTable.from_cobalt(io.BytesIO(SMALL), listed=["A", "B", "C"], **options)


def test_sub_midplane_partitions_join_the_listed_ones_and_diagnostics_do_not():
    assert table().names == ("A", "ANL-R00-M0-N00-64", "ANL-R00-M0-N02-64", "B", "C")
    assert table(smallest=512).names == ("A", "B", "C")
    assert table().total_nodes == 6 * 32


@pytest.mark.parametrize(
    ("by", "pairs"),
    [
        (("node_card",), {("A", "ANL-R00-M0-N00-64")}),
        (("switch",), {("A", "B")}),
        (("wire",), {("B", "C")}),
        (("node_card", "switch", "wire"), {("A", "ANL-R00-M0-N00-64"), ("A", "B"), ("B", "C")}),
    ],
)
def test_each_shared_part_makes_a_conflict(by, pairs):
    machine = table(conflict_by=by)
    found = {
        (machine.names[i], machine.names[j]) for i, j in np.argwhere(np.triu(machine.conflicts, 1))
    }
    assert found == pairs
    np.testing.assert_array_equal(machine.conflicts, machine.conflicts.T)
    assert machine.conflicts.diagonal().all()


def test_midplanes_are_those_of_the_node_cards():
    machine = table()
    assert machine.midplanes == ("R00-M0", "R00-M1", "R01-M0")
    assert machine.uses[machine.index("ANL-R00-M0-N02-64")].tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><BG/>", "plain XML without DTD"),
        (b"<BG>" + b"<a>" * 40 + b"</a>" * 40 + b"</BG>", "nested at most 8 deep"),
        (b"<BG><Partition name='A'>", "well-formed XML"),
        (b"<BG/>", "at least one Partition"),
        (b"<BG><Partition name='A'/></BG>", "have a name and node cards"),
        (b"", "well-formed XML"),
        (b"<?xml version='1.0' encoding='foo'?>" + SMALL, "well-formed XML, got unknown encoding"),
        (b"<?xml version='1.0' encoding='base64'?>" + SMALL, "well-formed XML"),
        (b"<?xml version='1.0' encoding='punycode'?>" + SMALL, "well-formed XML"),
        (b"<?xml version='1.0' encoding='utf-7'?>" + SMALL, "well-formed XML"),
        (b"<BG>" + b"<a>" * 100_000, "nested at most 8 deep"),
        (b"<BG>" + b"<a " + b"x" * 1_000_000 + b"/></BG>", "well-formed XML"),
        (
            b"<BG>" + b"<Partition name='A'><NodeCard id='N'/></Partition>" * 10_001 + b"</BG>",
            "must hold at most 10,000 partitions",
        ),
    ],
)
def test_documents_that_cannot_be_trusted_are_refused(document, message):
    with pytest.raises(ValueError, match=message):
        read_cobalt_xml(io.BytesIO(document))


def parents_of(hardware):
    """Return the pairs (partition, parent) by Cobalt's rule of 2009, pair by pair."""
    return {
        (p.name, q.name)
        for p in hardware
        for q in hardware
        if p is not q
        and (
            p.node_cards <= q.node_cards
            or (len(p.node_cards) == len(q.node_cards) and p.switches & q.switches)
        )
    }


def pairs(machine):
    return {(machine.names[i], machine.names[j]) for i, j in np.argwhere(machine.parents)}


def test_parents_contain_a_partition_or_share_a_switch_at_its_size():
    def part(name, cards, switches=""):
        return PartitionHardware(
            name, frozenset(f"R00-M0-N0{c}" for c in cards), frozenset(switches), frozenset("w")
        )

    hardware = (
        part("whole", "01234", "s"),
        part("left", "01", "s"),
        part("right", "23", "s"),
        part("middle", "12"),  # overlaps both in part
        part("mesh", "01"),  # the cards of left without its switch
        part("one", "1", "s"),
    )
    machine = PartitionTable.from_hardware(hardware)
    left = {q for p, q in pairs(machine) if p == "left"}
    assert left == {"whole", "right", "mesh"}
    assert {q for p, q in pairs(machine) if p == "mesh"} == {"whole", "left"}
    assert {q for p, q in pairs(machine) if p == "middle"} == {"whole"}
    assert {q for p, q in pairs(machine) if p == "one"} == {"whole", "left", "middle", "mesh"}
    assert not machine.parents[machine.index("whole")].any()
    # All conflict by their wire, also those that are not parents.
    assert machine.conflicts.all()


@settings(deadline=None, max_examples=examples(240))
@given(st.integers(0, 2**32 - 1).map(np.random.default_rng))
def test_parents_of_any_hardware_are_those_of_the_rule(rng):
    hardware = [
        PartitionHardware(
            f"p{n}",
            frozenset(f"R00-M0-N{c:02d}" for c in rng.integers(0, 6, int(rng.integers(1, 5)))),
            frozenset(f"s{s}" for s in rng.integers(0, 6, int(rng.integers(0, 3)))),
            frozenset(),
        )
        for n in range(int(rng.integers(1, 9)))
    ]
    machine = PartitionTable.from_hardware(hardware)
    assert pairs(machine) == parents_of(hardware)
    assert not (machine.parents & ~machine.conflicts).any()


def test_without_its_parser_the_reader_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "defusedxml.common", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"needs defusedxml: pip install 'perfmodel\[cluster\]'$"
    ):
        read_cobalt_xml(io.BytesIO(SMALL))


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match=r"schedulable must name partitions .* got \['X'\]"):
        PartitionTable.from_cobalt(io.BytesIO(SMALL), listed=["A", "X"])


def test_figure_one_has_fifteen_partitions_nested_as_printed():
    machine = figure_one()
    assert Counter(machine.nodes.tolist()) == {512: 8, 1024: 4, 2048: 2, 4096: 1}
    blocked = {machine.names[i] for i in np.flatnonzero(machine.conflicts[machine.index("B")])}
    assert blocked == {"B", "AB", "ABCD", "ABCDEFGH"}


def test_a_job_goes_to_the_smallest_size_that_holds_it():
    machine = figure_one()
    assert set(machine.nodes[machine.fitting(513)]) == {1024}
    assert set(machine.nodes[machine.fitting(1)]) == {512}
    assert machine.fitting(4097).size == 0


def test_a_torus_takes_the_loop_of_its_neighbour_and_a_mesh_does_not():
    machine = regular(1, 2)
    torus, mesh = machine.index("ANL-R00-1024"), machine.index("MESH-R00-1024")
    assert machine.conflicts[torus, machine.index("ANL-R01-1024")]
    assert machine.conflicts[torus, machine.index("ANL-R01-M0-512")]
    assert not machine.conflicts[mesh, machine.index("MESH-R01-1024")]
    assert not machine.conflicts[mesh, machine.index("ANL-R01-M0-512")]


@pytest.mark.parametrize(("rows", "racks"), [(1, 1), (1, 3), (2, 4), (5, 8)])
def test_the_largest_regular_partition_is_the_whole_machine(rows, racks):
    machine = regular(rows, racks)
    assert machine.total_nodes == 1024 * rows * racks
    assert len(machine.midplanes) == 2 * rows * racks
    if racks % 2 == 0:
        assert machine.nodes.max() == machine.total_nodes
    disjoint = ~machine.conflicts
    shared = (machine.uses.astype(int) @ machine.uses.T.astype(int)) > 0
    below = machine.nodes < 512
    assert not (shared & disjoint)[~below][:, ~below].any()
