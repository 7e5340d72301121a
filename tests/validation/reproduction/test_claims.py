"""Verdicts that follow from steps, readings and limits."""

import json
from dataclasses import replace

import pytest

from validation.reproduction.claims import Claim, Judged, Reading, Step, from_record
from validation.reproduction.page import BEGIN, END, claims_table, effects_table, renew
from validation.reproduction.shown import Shown, places_of

ORDER = Claim("Fig. 4", "more is better", "so", "above 0", unit="h", cause="P")


def reading(*steps, **levels):
    return Reading(levels or {"a": "x"}, "ours", [Step("", *step) for step in steps])


@pytest.mark.parametrize(
    ("steps", "word"),
    [
        (((2.0, 1.0, 9), (3.0, 1.0, 9)), "yes"),
        (((2.0, 1.0, 9), (0.5, 1.0, 9)), "open"),
        (((2.0, 1.0, 9), (-0.5, 1.0, 9)), "open"),
        (((2.0, 1.0, 9), (-3.0, 1.0, 9)), "no"),
        (((0.1, 0.0, 0),), "yes"),
        (((-0.1, 0.0, 0),), "no"),
        (((float("nan"), float("nan"), 1),), "open"),
    ],
)
def test_every_step_must_be_seen_and_one_against_is_enough(steps, word):
    assert reading(*steps).word(ORDER) == word


def test_many_steps_are_tested_together():
    against = (-1.1, 1.0, 30)  # alone it would be seen
    assert reading(against).word(ORDER) == "no"
    assert reading(*[(2.0, 1.0, 30)] * 20, against).word(ORDER) == "open"


def test_of_a_trend_the_whole_way_must_be_seen():
    trend = replace(ORDER, trend=True)
    steps = ((0.5, 1.0, 9), (-0.2, 1.0, 9), (2.0, 1.0, 9))
    assert reading(*steps).word(trend) == "yes"
    assert reading(*steps).word(ORDER) == "open"
    assert reading(*steps).seen(trend) == 1
    assert reading(*steps[:2], (0.5, 1.0, 9)).word(trend) == "open"


def test_a_band_has_two_sides():
    band = replace(ORDER, low=-1.0, high=1.0)
    for mean, word in ((0.5, "yes"), (0.9, "open"), (3.0, "no"), (-3.0, "no")):
        assert reading((mean, 0.2, 9)).word(band) == word


def test_seeds_that_would_decide():
    # Half widths fall with the root of the number, and t(8) = 2.306 with it to 1.96.
    one = reading((0.5, 1.0, 9)).seeds_needed(ORDER)
    assert one == pytest.approx(9 * 4.0 * (1.96 / 2.306) ** 2 + 2, abs=1.0)
    # What did not decide with four does not with four.
    assert reading((0.9, 1.0, 4)).seeds_needed(ORDER) == 5
    assert reading((0.01, 1.0, 9)).seeds_needed(ORDER) is None
    # What is against the claim decides by itself, the slowest of the others else.
    assert reading((-0.5, 1.0, 9), (0.05, 1.0, 9)).seeds_needed(ORDER) == one
    assert reading((0.5, 1.0, 9), (0.9, 1.0, 9)).seeds_needed(ORDER) == one


def judged(**words):
    """Return a claim that holds ("yes"), not, or is open for a and b, as `xp` or `yq`."""
    steps = {"yes": (2.0, 1.0, 9), "no": (-2.0, 1.0, 9), "open": (0.5, 1.0, 9)}
    return Judged(ORDER, [reading(steps[word], a=n[0], b=n[1]) for n, word in words.items()])


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ({"xp": "yes", "xq": "yes"}, "holds"),
        ({"xp": "no", "xq": "no"}, "contradicted"),
        ({"xp": "open", "xq": "no"}, "open"),
        ({"xp": "no", "xq": "open"}, "contradicted in 1 of 2, open in the others"),
        ({"xp": "no", "xq": "yes", "yp": "no", "yq": "yes"}, "holds if b q"),
        ({"xp": "no", "xq": "yes", "yp": "no", "yq": "open"}, "holds if a x, b q"),
        ({"xp": "yes", "xq": "no", "yp": "no", "yq": "yes"}, "holds in 2 of 4"),
        ({"xp": "yes", "xq": "open", "yp": "yes"}, "holds if b p"),
    ],
)
def test_a_verdict_names_the_levels_that_it_needs(words, verdict):
    assert judged(**words).verdict == verdict


def test_levels_in_a_row_are_named_by_their_ends():
    steps = [(-2.0, 1.0, 9)] + [(2.0, 1.0, 9)] * 3
    readings = [reading(s, bursts=str(n)) for n, s in zip((1, 2, 4, 8), steps, strict=True)]
    assert Judged(ORDER, readings).verdict == "holds if bursts 2 to 8"


def test_what_no_number_of_seeds_decides_is_level():
    found = Judged(ORDER, [reading((0.01, 1.0, 9), (-0.02, 1.5, 9))])
    assert found.verdict == "level within 1.5 h"


def test_a_derived_verdict_stands_whatever_is_measured():
    claim = replace(ORDER, ruled="printed error", why="4 > 3")
    assert Judged(claim, [reading((2.0, 1.0, 9))]).verdict == "printed error"


def test_effects_count_readings_by_level():
    found = judged(xp="no", xq="yes", yp="no", yq="open")
    assert found.effects()["b"] == {"p": [0, 0, 2], "q": [1, 1, 0]}
    assert found.bar().endswith(" 1 of 4")
    assert "b* p: 0 of 2, q: 1 of 2" in effects_table([found])


def test_json_is_judged_again_as_it_was():
    for found in (judged(xp="no", xq="yes"), judged(xp="open", xq="no")):
        record = json.loads(json.dumps(found.record()))
        again = from_record(record)
        assert again.record() == found.record()
        assert record["verdict"] == again.verdict
        assert record["held"] == {word: found.words.count(word) for word in ("yes", "open", "no")}


def test_the_table_has_a_line_for_each_claim_and_names_causes():
    table = claims_table([judged(xp="no", xq="yes"), judged(xp="yes")])
    lines = table.splitlines()
    assert lines[2].startswith("| 1 | Fig. 4 | more is better | so | ours |")
    assert "**holds if b q** · P" in lines[2]
    assert "**holds**" in lines[3]
    assert lines[-1] == "Causes: P parameter not printed."


def test_a_page_keeps_what_stands_around_its_table(tmp_path):
    page = tmp_path / "qsim.md"
    page.write_text(f"# before\n{BEGIN}\nformer\n{END}\nafter\n")
    renew(page, [judged(xp="yes")])
    text = page.read_text()
    assert text.startswith("# before\n")
    assert text.endswith("\nafter\n")
    assert "former" not in text
    assert "**holds**" in text


def test_a_place_alone_has_its_claims(capsys, tmp_path):
    asked = [judged(xp="yes"), Judged(replace(ORDER, place="Figs 5, 6"), [reading((-2.0, 1.0, 9))])]
    for only, code, count in (("fig4", 0, 1), ("fig6", 1, 1), ("", 1, 2)):
        shown = Shown(only=only, as_data=True)
        assert shown.claims("qsim", asked, lambda folder: None, out=tmp_path) == code
        assert len(json.loads(capsys.readouterr().out)) == count
    assert len(json.loads((tmp_path / "qsim.json").read_text())) == 2
    assert places_of("Figs 5, 6, Table 1, section 3") == ["fig5", "fig6", "table1", "section3"]


def test_readings_that_are_not_played_anew_stay_as_they_were():
    few = Judged(ORDER, [reading((0.5, 1.0, 4), a="x"), reading((2.0, 1.0, 4), a="y")])
    many = Judged(ORDER, [reading((0.5, 0.1, 84), a="x")]).among([few.record()])
    assert [(each.levels["a"], each.steps[0].seeds) for each in many.readings] == [
        ("x", 84),
        ("y", 4),
    ]
    assert many.verdict == "holds"
    assert "4; text 84" in effects_table([many])
    assert many.among([]).readings == many.readings
