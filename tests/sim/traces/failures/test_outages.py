import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.traces import failure_log, failures_of, outages, read_failures, read_failures_csv

NAN = float("nan")


def frame_of(*rows, **more):
    columns = ["time", "node", "repair", "cause"]
    frame = pd.DataFrame(rows, columns=columns).assign(system="")
    return frame.assign(line=np.arange(2, len(rows) + 2), **more)


def found(*rows, within=0.0, **more):
    answer = outages(frame_of(*rows, **more), within=within)
    frame = answer.frame
    told = list(zip(frame["time"], frame["node"], frame["repair"], frame["rows"], strict=True))
    return told, answer.merged.tolist(), answer.filtered.tolist()


def test_rows_that_touch_or_overlap_are_one_outage_of_a_node():
    told, merged, filtered = found(
        (0.0, "a", 10.0, ""), (10.0, "a", 5.0, ""), (12.0, "a", 1.0, ""), (14.0, "b", 2.0, "")
    )
    assert told == [(0.0, "a", 15.0, 3), (14.0, "b", 2.0, 1)]
    assert (merged, filtered) == ([3, 4], [])


def test_rows_apart_are_merged_within_a_stated_time_only():
    rows = (0.0, "a", 9.0, ""), (10.0, "a", 5.0, "")
    assert len(found(*rows)[0]) == 2
    assert found(*rows, within=1.0)[0] == [(0.0, "a", 15.0, 2)]


def test_what_lasts_has_no_known_end_unless_another_row_tells_it():
    assert np.isnan(found((0.0, "a", 5.0, ""), (5.0, "a", NAN, ""))[0][0][2])
    assert found((0.0, "a", NAN, ""), (0.0, "a", 5.0, ""))[0] == [(0.0, "a", 5.0, 2)]


def test_an_outage_begins_with_its_first_row_that_is_a_failure():
    told, merged, filtered = found(
        *((0.0, "a", 10.0, "drain"), (10.0, "a", 5.0, "down"), (15.0, "a", 5.0, "work")),
        *((0.0, "b", 10.0, "work"),),
        fails=[False, True, False, False],
    )
    assert told == [(10.0, "a", 10.0, 3)]
    assert (merged, filtered) == ([2, 4], [5])


def test_rows_without_a_node_are_merged_with_equal_ones_only():
    told, merged, _ = found(
        (0.0, "", 9.0, "x"), (0.0, "", 9.0, "x"), (5.0, "", 9.0, "x"), (0.0, "", 9.0, "y")
    )
    assert [row[0] for row in told] == [0.0, 0.0, 5.0]
    assert merged == [3]


def test_systems_with_nodes_of_one_name_are_apart():
    frame = frame_of((0.0, 1, 5.0, ""), (1.0, 1, 5.0, ""))
    assert len(outages(frame.assign(system=["a", "b"])).frame) == 2


@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 2), st.integers(1, 9), st.booleans()),
        min_size=1,
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_outages_are_the_unions_of_rows_in_any_order(rows, random):
    """Against sets of seconds: a node is down at a second if a row says so."""
    shuffled = list(rows)
    random.shuffle(shuffled)
    told = [(float(t), f"n{node}", float(length), "") for t, node, length, _ in shuffled]
    answer = outages(frame_of(*told, fails=[fails for *_, fails in shuffled]))
    expected = []
    for node in range(3):
        own = [(t, t + length, fails) for t, n, length, fails in rows if n == node]
        down = {second for start, end, _ in own for second in range(start, end)}
        for first in sorted(second for second in down if second - 1 not in down):
            last = first
            while last in down:
                last += 1
            starts = [start for start, _, fails in own if fails and first <= start < last]
            if starts:
                expected.append((float(min(starts)), f"n{node}", float(last - min(starts))))
    frame = answer.frame
    got = list(zip(frame["time"], frame["node"], frame["repair"], strict=True))
    assert sorted(got) == sorted(expected)
    assert len(frame) + answer.merged.size + answer.filtered.size == len(rows)


@pytest.mark.parametrize("within", [-1.0, NAN])
def test_a_time_apart_is_not_negative(within):
    with pytest.raises(ValueError, match=r"^within must be"):
        outages(read_failures_csv(io.StringIO("time\n1\n")).frame, within=within)


def test_only_a_failure_frame_has_outages():
    with pytest.raises(TypeError, match=r"^frame must be a failure frame, got a"):
        outages(pd.DataFrame({"time": [1.0]}))


def test_many_rows_have_the_outages_that_they_have_in_parts():
    rng = np.random.default_rng(1)
    size, parts = 40_000, 20
    frame = pd.DataFrame(
        {
            "time": rng.integers(0, 20_000, size).astype(float),
            "node": rng.integers(0, 40, size),
            "repair": np.where(rng.random(size) < 0.1, NAN, rng.integers(0, 300, size)),
            "system": rng.integers(0, parts, size).astype(str),
            "cause": "",
            "line": np.arange(size),
            "fails": rng.random(size) < 0.7,
        }
    )
    together = outages(frame, within=5.0)
    apart = [outages(part, within=5.0) for _, part in frame.groupby("system")]
    for what in ("merged", "filtered"):
        lines = np.concatenate([getattr(part, what) for part in apart])
        np.testing.assert_array_equal(getattr(together, what), np.sort(lines))
    in_parts = pd.concat([part.frame for part in apart])
    pd.testing.assert_frame_equal(
        together.frame.sort_values("line", ignore_index=True),
        in_parts.sort_values("line", ignore_index=True),
    )
    assert together.frame["time"].is_monotonic_increasing
    assert 1_000 < len(together.frame) < 0.6 * size


def test_many_rows_are_walked_by_compiled_code_as_few_are():
    rng, rows = np.random.default_rng(1), 40_000
    frame = pd.DataFrame(
        {
            "time": rng.integers(0, 1_000_000, rows).astype(float),
            "node": rng.choice(["a", "b", "c"], rows),
            "repair": np.where(rng.random(rows) < 0.1, NAN, rng.integers(0, 60, rows)),
            "fails": rng.random(rows) < 0.5,
            "line": np.arange(rows),
        }
    )
    whole = outages(frame, within=2.0)
    parts = [outages(rows, within=2.0) for _, rows in frame.groupby("node")]
    both = pd.concat([part.frame for part in parts]).sort_values(["time", "node"])
    pd.testing.assert_frame_equal(
        whole.frame.sort_values(["time", "node"]).reset_index(drop=True),
        both.reset_index(drop=True),
    )
    for name in ("merged", "filtered"):
        lines = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(getattr(whole, name), np.sort(lines))


NODES = st.sampled_from(["n1", "N1", "n2", "7", "07", "", "-5", "n3.site.org"])
ROWS = st.tuples(
    st.integers(0, 99), NODES, st.integers(0, 9), st.sampled_from(["", "disk", "planned"])
)


@given(st.lists(ROWS, min_size=1, max_size=60), st.sampled_from([{}, {"not_cause": ["disk"]}]))
def test_a_log_tells_the_outages_of_the_rows_that_a_reader_returns(rows, options):
    """Its texts stay numbers until the outages are known."""
    rows = [(0, "n1", 1, "disk"), *rows * 2]
    text = "time,node,repair,cause\n" + "".join(f"{t},{n},{r},{c}\n" for t, n, r, c in rows)
    log = failure_log(io.StringIO(text), "csv", **options)
    same = failures_of(read_failures(io.StringIO(text), "csv"), "csv", **options)
    pd.testing.assert_frame_equal(log.failures, same.failures)
    assert (log.understood, log.rows) == (same.understood, same.rows)
