import io

import numpy as np
import pandas as pd
import pytest

from sim.cluster.bluegene import regular
from sim.cluster.failures import failures_from_frame, mapping_in_words
from sim.traces import read_bgl_ras, read_mira_ras
from tests.support.logs import require

BGL = b"""2005-06-04-18.48.00.500000 R11-M0-NB-C:J07-U11 RAS KERNEL FATAL rts panic! - stopping
2005-06-04-19.48.00.000000 R77-M1-N0-I:J18-U01 RAS APP FATAL ciod: failed to read
2005-06-04-20.48.00.000000 NULL RAS MMCS FATAL no location known
2005-06-04-21.48.00.000000 R02-L RAS LINKCARD FAILURE a link card is on no midplane
"""
MIRA = b"""#count=2
event 7 0006 101 FATAL Block MMCS 2013-04-02-10.00.00.000000 2013-04-02-10.00.01.000000 4 \
RMN R2A-M1-N04 0
\t0.5 8 000A 102 FATAL Infiniband LINUX 2013-04-02-10.01.00.000000 2013-04-02-10.01.01.000000 2 \
RMN R00-M0-N01 0
event 9 0006 103 FATAL Block MMCS 2013-04-02-11.00.00.000000 2013-04-02-11.00.01.000000 4 \
QIJ Q0H-I1-J05 0
"""


def test_blue_gene_messages_strike_the_midplane_they_name():
    frame = read_bgl_ras(io.BytesIO(BGL)).frame
    midplanes = regular(8, 8).midplanes  # Blue Gene/L: 64 racks
    feed, counts = failures_from_frame(
        frame, nodes=len(midplanes), names=midplanes, origin=frame["time"][0], unknown_repair=60.0
    )
    assert [midplanes[node] for node in feed.node] == ["R11-M0", "R77-M1"]
    assert feed.time.tolist() == [0.0, 3599.5]
    assert feed.repair.tolist() == [60.0, 60.0]
    assert counts == {"unknown_node": 2, "unknown_repair": 2}


def test_a_smaller_machine_takes_the_midplanes_it_has():
    frame = read_bgl_ras(io.BytesIO(BGL)).frame
    midplanes = regular(2, 8).midplanes
    feed, counts = failures_from_frame(frame, nodes=len(midplanes), names=midplanes)
    assert [midplanes[node] for node in feed.node] == ["R11-M0"]
    assert counts["unknown_node"] == 3


def test_a_group_of_events_on_mira_is_one_failure_where_its_head_says():
    frame = read_mira_ras(io.BytesIO(MIRA), heads=True).frame
    midplanes = regular(3, 16).midplanes  # Mira: 48 racks
    feed, counts = failures_from_frame(frame, nodes=len(midplanes), names=midplanes)
    assert [midplanes[node] for node in feed.node] == ["R2A-M1"]
    assert counts["unknown_node"] == 1  # an I/O rack


def test_plain_numbers_are_taken_as_they_are():
    frame = pd.DataFrame({"time": [1.0, 2.0], "node": [3, -1], "repair": [5.0, np.nan]})
    feed, counts = failures_from_frame(frame, nodes=4)
    assert (feed.node.tolist(), feed.repair.tolist()) == ([3], [5.0])
    assert counts == {"unknown_node": 1}


def log(*labels, **columns):
    count = len(labels)
    return pd.DataFrame(
        {"time": np.arange(count) + 1.0, "node": list(labels), "repair": [0.0] * count, **columns}
    )


def test_names_that_end_in_a_number_are_the_nodes_of_that_number():
    frame = log("nid0003", "", "nid0498", "nid0003", None)
    feed, counts = failures_from_frame(frame, nodes=512)
    assert feed.node.tolist() == [3, 498, 3]
    assert counts == {"unknown_node": 2}
    assert mapping_in_words(frame, nodes=512) == (
        "nodes by the numbers that names end in: nid0003 is node 3, nid0498 is node 498 "
        "(2 names, nodes counted from 0)"
    )
    assert mapping_in_words(log("n003", "n003"), nodes=4) == (
        "nodes by the numbers that names end in: n003 is node 3 (1 name, nodes counted from 0)"
    )


@pytest.mark.parametrize(
    ("labels", "got"),
    [
        (("a", "b"), "got 'a'; give their names"),
        (("nid0003", "nid0512"), "got 'nid0512'; give"),
        (("r1n3", "r2n3"), "got 'r2n3' and 'r1n3'; give"),
        (("7", "007"), "got '007' and '7'; give"),
        (("nid3", "login"), "got 'login'; give"),
        (("nid" + "9" * 5_000,), "got 'nid9999"),
        (("nid3", "nid\u0663"), "got 'nid\u0663'; give"),
    ],
)
def test_names_that_leave_a_doubt_are_refused_with_the_remedy(labels, got):
    with pytest.raises(ValueError, match=r"must end in numbers of their own below the 512") as no:
        failures_from_frame(log(*labels), nodes=512)
    assert got in str(no.value)
    assert str(no.value).endswith("(--node-names FILE, one a line)")
    assert len(str(no.value)) < 300


@pytest.mark.parametrize("number", [512, -5, 2**40])
def test_numbers_beyond_the_machine_are_refused(number):
    with pytest.raises(ValueError, match=rf"must be below the 512 .*, got {number}; give"):
        failures_from_frame(log(3, number), nodes=512)


def test_numbers_read_as_floats_are_numbers():
    frame = log(3.0, np.nan, 11.0)
    assert failures_from_frame(frame, nodes=12)[0].node.tolist() == [3, 11]


def test_numbers_of_several_systems_are_refused():
    frame = log(0, 0, 1, system=[2, 20, 2])
    with pytest.raises(ValueError, match=r"must be of one system, got 2 \(2, 20\); leave"):
        failures_from_frame(frame, nodes=3)
    with pytest.raises(ValueError, match=r"got 'b/n1' and 'a/n1'"):
        failures_from_frame(log("n1", "n1", system=["a", "b"]), nodes=3)
    frame = log("n1", "n2", system=["a", "b"])
    assert failures_from_frame(frame, nodes=3)[0].node.tolist() == [1, 2]


NAMES = ["login", "nid10", "nid1", "nid2"]


def test_a_list_of_names_says_which_node_is_meant():
    frame = log("nid1", "nid10", "nid1.site.org", "nid100", "nid2-eth0", "other", "")
    feed, counts = failures_from_frame(frame, nodes=4, names=NAMES)
    assert feed.node.tolist() == [2, 1, 2, 3]
    assert counts == {"unknown_node": 3}
    assert mapping_in_words(frame, nodes=4, names=NAMES) == (
        "nodes by the list of names: nid10 is node 1, nid2-eth0 is node 3 "
        "(4 names, nodes counted from 0)"
    )


def test_a_list_of_names_distinguishes_systems():
    frame = log(0, 0, 1, system=[2, 20, 2])
    names = ["2/0", "2/1", "20/0"]
    assert failures_from_frame(frame, nodes=3, names=names)[0].node.tolist() == [0, 2, 1]
    with pytest.raises(ValueError, match="must say system/name where two systems have the same"):
        failures_from_frame(frame, nodes=3, names=["0", "1"])


def test_a_name_stands_for_one_node():
    with pytest.raises(ValueError, match="names must be different, got 1 of them again"):
        failures_from_frame(log("a"), nodes=3, names=["a", "b", "a"])


def test_numbers_and_nothing_need_no_words():
    assert mapping_in_words(log(1, 2), nodes=3) == ""
    assert mapping_in_words(log("", ""), nodes=3) == ""


def test_every_located_message_of_blue_gene_l_finds_its_midplane():
    frame = read_bgl_ras(require("failures/bluegene-l/Best.any-loc.xz")).frame
    midplanes = regular(8, 8).midplanes
    feed, counts = failures_from_frame(frame, nodes=len(midplanes), names=midplanes)
    assert len(feed) == int((frame["midplane"] != "").sum())
    assert len(feed) + counts["unknown_node"] == 1435


@pytest.mark.slow
def test_every_located_group_of_mira_finds_its_midplane():
    frame = read_mira_ras(
        require("failures/mira/fatal-events-2013-2018.cor0.0.xz"), heads=True
    ).frame
    midplanes = regular(3, 16).midplanes
    feed, counts = failures_from_frame(frame, nodes=len(midplanes), names=midplanes)
    assert len(feed) == int((frame["midplane"] != "").sum())
    assert len(feed) + counts["unknown_node"] == 1176


@pytest.mark.parametrize("label", ["1.5", 1.5, "-7", "1e5", "0,5", "+3", ".5"])
def test_a_fraction_is_not_a_name_that_ends_in_a_number(label):
    frame = pd.DataFrame({"time": [1.0], "node": pd.Series([label], dtype=object), "repair": [5.0]})
    with pytest.raises(ValueError, match=r"^node names must end in numbers of their own below"):
        failures_from_frame(frame, nodes=8)
    with pytest.raises(ValueError, match=r"^node names must end in numbers of their own below"):
        mapping_in_words(frame, nodes=8)


@pytest.mark.parametrize(
    ("label", "node"),
    [("nid3", 3), ("rack-3", 3), ("r1.n3", 3), ("3", 3), ("10.0.0.3", 3), ("a/3", 3)],
)
def test_a_name_that_ends_in_a_number_is_that_node(label, node):
    frame = pd.DataFrame({"time": [1.0], "node": [label], "repair": [5.0]})
    feed, _ = failures_from_frame(frame, nodes=8)
    assert feed.node.tolist() == [node]
