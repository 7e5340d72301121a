import io

import numpy as np
import pandas as pd
import pytest

from sim.cluster.failure_logs import failures_from_frame
from sim.cluster.machines.bluegene_layout import regular
from sim.traces import read_bgl_ras, read_mira_ras
from tests.traces import require

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


def test_labels_are_numbered_in_sorted_order_and_empty_ones_are_unknown():
    frame = pd.DataFrame({"time": [1.0, 2.0, 3.0], "node": ["b", "", "a"], "repair": [0.0] * 3})
    feed, counts = failures_from_frame(frame, nodes=2)
    assert feed.node.tolist() == [1, 0]
    assert counts == {"unknown_node": 1}
    with pytest.raises(ValueError, match="nodes must be >= 2, as many as the log names, got 1"):
        failures_from_frame(frame, nodes=1)


def test_nodes_of_one_number_in_two_systems_are_two():
    frame = pd.DataFrame(
        {"time": [1.0, 2.0, 3.0], "node": [0, 0, 1], "system": [2, 20, 2], "repair": [0.0] * 3}
    )
    feed, _ = failures_from_frame(frame, nodes=3)
    assert feed.node.tolist() == [0, 2, 1]


def test_every_located_message_of_blue_gene_l_finds_its_midplane():
    frame = read_bgl_ras(require("failures/bluegene-l/Best.any-loc.xz")).frame
    midplanes = regular(8, 8).midplanes
    feed, counts = failures_from_frame(frame, nodes=len(midplanes), names=midplanes)
    assert len(feed) == int((frame["midplane"] != "").sum())
    assert len(feed) + counts["unknown_node"] == 1435


def test_every_located_group_of_mira_finds_its_midplane():
    frame = read_mira_ras(
        require("failures/mira/fatal-events-2013-2018.cor0.0.xz"), heads=True
    ).frame
    midplanes = regular(3, 16).midplanes
    feed, counts = failures_from_frame(frame, nodes=len(midplanes), names=midplanes)
    assert len(feed) == int((frame["midplane"] != "").sum())
    assert len(feed) + counts["unknown_node"] == 1176
