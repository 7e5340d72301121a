"""The pages of the papers: claims that follow from the JSON beside them, and pictures."""

import json
import re
from pathlib import Path

import pytest

from validation.reproduction import PAPERS, PLACES
from validation.reproduction.claims import from_record
from validation.reproduction.page import BEGIN, END, written
from validation.reproduction.shown import places_of

PAGES = Path(__file__).parents[3] / "docs" / "reproduction"


def records(paper):
    return json.loads((PAGES / f"{paper}.json").read_text())


@pytest.mark.parametrize("paper", PAPERS)
def test_verdicts_follow_from_the_readings_in_the_json(paper):
    for record in records(paper):
        assert from_record(record).record() == record


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_of_a_page_is_the_one_of_its_json(paper):
    text = (PAGES / f"{paper}.md").read_text()
    table = BEGIN + text.split(BEGIN)[1].split(END)[0] + END
    assert table == written([from_record(record) for record in records(paper)])
    assert text.split("\n## ")[0].count("| verdict |") == 1  # before all sections


@pytest.mark.parametrize("paper", PAPERS)
def test_a_verdict_elsewhere_on_a_page_is_one_of_its_claims(paper):
    words = "holds|contradicted|printed error|not testable|level within|open"
    text = (PAGES / f"{paper}.md").read_text()
    text = text.split(BEGIN)[0] + text.split(END)[1]
    verdicts = [from_record(record).verdict for record in records(paper)]
    for number, word in re.findall(rf"\(claim (\d+): ({words})", text):
        assert verdicts[int(number) - 1].startswith(word), number


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_has_a_place_that_can_be_asked_for_alone(paper):
    for record in records(paper):
        places = places_of(record["place"])
        assert places, record["place"]
        assert set(places) <= set(PLACES[paper])


@pytest.mark.parametrize("paper", PAPERS)
def test_every_picture_is_there_and_every_one_is_shown(paper):
    shown = re.findall(r"\]\(figures/([\w.-]+)\)", (PAGES / f"{paper}.md").read_text())
    assert sorted(shown) == sorted(path.name for path in PAGES.glob(f"figures/{paper}-*.svg"))
