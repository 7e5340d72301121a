"""Numbers of cells: three digits, as many as an interval lets one know, and what cells are."""

import math

import pytest

from perfmodel.cli.output.cells import cells_of, compared_with, factor_words, named_factor

NAN = math.nan


@pytest.mark.parametrize(
    ("means", "reaches", "signed", "shown"),
    [
        ([8.512, 6.26], [4.82, 5.44], False, ["8.51 ± 4.82", "6.26 ± 5.44"]),
        ([30.42, 29.2], [3.61, 0.0], False, ["30.4 ± 3.6", "29.2 ± 0.0"]),
        ([4554.0], [NAN], False, ["4,554"]),
        ([45.71, 131.97], [NAN, NAN], False, ["45.7", "132.0"]),
        ([0.0021, 99.31], [NAN, NAN], False, ["0.002", "99.310"]),
        ([0.01234], [NAN], False, ["0.0123"]),
        ([1234.56], [0.00789], False, ["1,234.5600 ± 0.0079"]),
        ([0.949], [3.0], True, ["+0.9 ± 3.0"]),
        ([-2.254], [NAN], True, ["-2.25"]),
        ([NAN, 0.0], [NAN, NAN], False, ["-", "0"]),
        ([0.0, 5.0], [NAN, NAN], False, ["0", "5"]),
        ([0.0, 5.5], [NAN, NAN], False, ["0.00", "5.50"]),
    ],
)
def test_the_means_of_a_column_have_three_digits(means, reaches, signed, shown):
    assert cells_of(means, reaches, signed=signed) == shown


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("mtbf_s", 21_600.0, "6h"),
        ("mtbf_s", 5714.285714, "95.24min"),
        ("gaps", 0.5, "0.5"),
        ("policy", "easy", "easy"),
        ("accuracy", None, "-"),
        ("kill", True, "yes"),
    ],
)
def test_what_a_cell_is_has_a_unit_and_few_digits(name, value, words):
    assert factor_words(name, value) == words


def test_names_are_those_of_a_reader():
    assert named_factor("checkpoint_cost_s") == "checkpoint cost"
    assert named_factor("mtbf_s") == "MTBF"


def test_cells_are_compared_with_what_their_baselines_have_in_common():
    first, other = {"scenario": "BASIC", "policy": "fcfs"}, {"scenario": "EXT", "policy": "fcfs"}
    assert compared_with([first, other]) == "fcfs"
    assert compared_with([first]) == "BASIC, fcfs"
    assert compared_with([first, {"scenario": "EXT", "policy": "easy"}]) == "the first of each"
