"""What is left out is the same program, and nothing near it is left out."""

import pytest

from .same import CALLS, RULES, rule_for

SAME = {
    "strict": [
        ("zip(a, f(b), strict=True)", "zip(a, f(b), strict=False)"),
        ("zip(a, b, strict=True)", "zip(a, b, strict=None)"),
        ("zip(*rows, strict=True)", "zip(*rows)"),
    ],
    "spelling of inf and nan": [
        ("float('inf')", "float('INF')"),
        ("float('nan')", "float('NAN')"),
    ],
    "spelling of an encoding": [
        (
            "path.open('w', encoding='utf-8', newline='')",
            "path.open('w', encoding='UTF-8', newline='')",
        ),
        ("path.read_text(encoding='ascii')", "path.read_text(encoding='ASCII')"),
    ],
    "no copy": [("x.astype(np.float64, copy=False)", "x.astype(np.float64, copy=None)")],
    "type of its own": [
        ("x.astype(np.float64)", "x.astype(None)"),
        ("f(x, None).astype(np.float64, copy=False)", "f(x, None).astype(None, copy=False)"),
    ],
    "named type": [
        ("cast('Path', f(x, None))", "cast('XXPathXX', f(x, None))"),
        ("cast(Path, x)", "cast(None, x)"),
    ],
}

OTHERS = {
    "strict": [
        ("zip(a, b, strict=True)", "zip(a, strict=True)"),
        ("zip(a, b, strict=True)", "zip(a, None, strict=True)"),
        ("zip(a, b, strict=True)", "zip(b)"),
        ("zip(a, b, strict=False)", "zip(a, b, strict=True)"),
        ("report(a, strict=True)", "report(a, strict=False)"),
        ("found.zip(a, b, strict=True)", "found.zip(a, b)"),
    ],
    "spelling of inf and nan": [
        ("float('inf')", "float('XXinfXX')"),
        ("float('inf')", "float(None)"),
        ("float('inf')", "float('nan')"),
        ("word('inf')", "word('INF')"),
    ],
    "spelling of an encoding": [
        ("path.open('w', encoding='utf-8')", "path.open('W', encoding='utf-8')"),
        ("path.open('w', encoding='utf-8')", "path.open('W', encoding='UTF-8')"),
        ("path.open('w', encoding='utf-8')", "path.open('w', encoding=None)"),
        ("path.open('w', encoding='utf-8')", "path.open('w', encoding='XXutf-8XX')"),
        ("path.open('w', encoding='utf-8')", "path.open('w', encoding='ascii')"),
        ("shown(x, encoding='utf-8')", "shown(x)"),
    ],
    "no copy": [
        ("x.astype(np.float64, copy=False)", "x.astype(np.float64, copy=True)"),
        ("x.astype(np.float64, copy=False)", "x.astype(np.float64)"),
        ("x.astype(np.float64, copy=True)", "x.astype(np.float64, copy=None)"),
        ("np.array(x, copy=False)", "np.array(x, copy=None)"),
    ],
    "type of its own": [
        ("x.astype(np.int64)", "x.astype(None)"),
        ("x.astype(np.float64)", "x.astype()"),
        ("f(x).astype(np.float64)", "f(None).astype(np.float64)"),
        ("np.asarray(x, np.float64)", "np.asarray(x, None)"),
    ],
    "named type": [
        ("cast('Path', x)", "cast('Path', None)"),
        ("cast('Path', x)", "cast(x)"),
        ("cast('Path', f(x, None))", "cast('Path', f(None, None))"),
        ("cast('Path', f(x, 'a'))", "cast('Path', f('XXaXX'))"),
        ("x.cast('Path', y)", "x.cast(None, y)"),
    ],
}


def test_every_rule_is_tried_both_ways():
    assert {rule.name for rule in RULES} == set(SAME) == set(OTHERS)


@pytest.mark.parametrize(
    ("rule", "before", "after"), [(rule, *pair) for rule, pairs in SAME.items() for pair in pairs]
)
def test_takes_what_is_the_same_program(rule, before, after):
    assert rule_for(before, after) == rule
    assert any(f"{name}(" in before for name in CALLS)


@pytest.mark.parametrize(("before", "after"), [pair for pairs in OTHERS.values() for pair in pairs])
def test_leaves_what_can_be_seen(before, after):
    assert rule_for(before, after) == ""
