from dataclasses import replace

import pytest

from validation.fault_generator import MODEL, judge

ALPHA = 1e-4


def test_the_generator_draws_what_its_parameters_say():
    verdicts = judge(seed=11, alpha=ALPHA)
    assert {name: v.note for name, v in verdicts.items() if not v.passed} == {}
    assert len(verdicts) == 7


@pytest.mark.parametrize(
    ("wrong", "refused"),
    [
        ({"afc": 0.0011}, {"count"}),
        ({"repair_shape": 0.65}, {"durations", "repair shape"}),
        ({"repair_scale": 10_000.0}, {"durations", "repair scale"}),
        ({"gap_shape": 0.8}, {"gap shape"}),
        ({"burst_size": 1.0001}, {"burst correlation"}),
        ({"burst_size": 3.0}, {"burst correlation"}),
    ],
)
def test_the_judge_refuses_other_numbers(wrong, refused):
    verdicts = judge(seed=11, alpha=ALPHA, claimed=replace(MODEL, **wrong))
    assert {name for name, verdict in verdicts.items() if verdict.rejected} == refused


def test_the_judge_refuses_equal_shares_of_unequal_clusters():
    verdicts = judge(seed=11, alpha=ALPHA, linear=False)
    assert {name for name, v in verdicts.items() if v.rejected} == {"share of the largest"}
