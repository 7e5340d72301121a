"""The figure of a plan that is turned: its curves are those of plans, and a browser draws them."""

import re
import sys

import numpy as np
import pytest

from perfmodel import expected_makespan, plan
from perfmodel.cli.report.turning import turning_of
from perfmodel.cli.report.view import drawing_script, view_of
from perfmodel.units import human_duration
from tests.perfmodel.cli.report.browser import BROWSER, seen_in_browser, with_script
from tests.perfmodel.cli.report.test_report import assert_stands_by_itself, page_of

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")

TABLES = {
    "failures": {"mtbf": "8h"},
    "checkpoint": {"cost": "6min"},
    "job": {"work": "10d", "downtime": "10min", "recovery": "4min"},
}
TOML = """failures = {mtbf = "8h"}
checkpoint = {cost = "6min"}
job = {work = "10d", downtime = "10min", recovery = "4min"}
"""
PROTOCOLS = {
    "synchronous": {},
    "asynchronous": {"snapshot_cost": "20s"},
    "two_levels": {"local_cost": "10s", "survived": "80%", "local_recovery": "10s"},
}


def planned(mtbf, **checkpoint):
    how = {**TABLES["checkpoint"], **checkpoint}
    return plan({**TABLES, "failures": {"mtbf": mtbf}, "checkpoint": how})


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("row", "mtbf"), [(0, "2h"), (4, "8h"), (8, "32h")])
def test_each_curve_is_that_of_a_plan(protocol, row, mtbf):
    how = {"protocol": protocol, **PROTOCOLS[protocol]}
    curve = turning_of(planned("8h", **how)).curves[row][2]
    other = planned(mtbf, **how)
    assert f"Best every {human_duration(other.checkpoint.interval)}," in curve["said"]
    assert curve["least"] == pytest.approx(100.0 * (other.completion.mean / 864000.0 - 1.0))


def test_the_points_are_those_of_the_formula():
    found = turning_of(planned("8h"))
    hour = 3600.0
    costs = {"recovery_cost": 240.0, "downtime": 600.0}
    known = expected_makespan(
        864000.0,
        interval=np.minimum(found.intervals * 60.0, 864000.0),
        mtbf=16.0 * hour,
        checkpoint_cost=90.0,
        **costs,
    )
    np.testing.assert_allclose(found.curves[6][0]["beyond"], 100.0 * (known / 864000.0 - 1.0))
    assert (found.unit, found.mtbfs[6], found.costs[0]) == ("min", "16 h", "90 s")


def test_the_band_holds_the_best_and_the_plan_loses_nothing_where_it_stands():
    found = turning_of(planned("8h"))
    row, column = found.start
    assert found.curves[row][column]["said"].endswith(
        "With the plan's 72 min it takes just as long."
    )
    for curve in (each for row in found.curves for each in row):
        low, high = curve["near"]
        assert low <= curve["best"] <= high
        assert found.ends[0] < curve["least"] < found.ends[1]
    assert "% longer." in found.curves[0][0]["said"]


@pytest.mark.parametrize(
    "tables",
    [
        {**TABLES, "failures": {"mtbf": "90y"}, "job": {"work": "1h"}},  # no checkpoint pays
        {**TABLES, "checkpoint": {"size": "1TB"}, "machine": {"bandwidth": "unknown"}},
    ],
)
def test_nothing_is_turned_where_there_is_no_interval(tables):
    assert turning_of(plan(tables)) is None


def test_markup_in_the_data_ends_nothing():
    from dataclasses import replace

    found = replace(turning_of(planned("8h")), turned="</script><b>")
    text = view_of(found)
    assert text.count("</script>") == 1
    assert "<b>" not in text


@pytest.fixture
def scenario(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(TOML)
    return path


@pytest.mark.slow
def test_without_the_library_the_page_says_how_to_get_it(scenario, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    drawing_script.cache_clear()
    try:
        text = page_of(scenario)
    finally:
        drawing_script.cache_clear()
    assert_stands_by_itself(text)
    assert "pip install &#x27;perfmodel[interactive]&#x27; the page has one" in text
    assert 'class="turned"' not in text
    assert "<figcaption>Time beyond the work" in text


@pytest.mark.slow
def test_with_the_library_the_page_stands_by_itself(scenario):
    pytest.importorskip("vl_convert", reason="vl-convert comes with the extra interactive")
    text = page_of(scenario)
    assert_stands_by_itself(text)
    assert text.count('class="turned"') == 1
    assert "perfmodel[interactive]" not in text


TURN = """
addEventListener("error", (event) => { document.body.dataset.error = event.message; });
addEventListener("load", () => setTimeout(() => {
  const box = document.querySelector(".turned");
  const drawn = () => box.querySelector("path[d*='L'][stroke='#0072B2']").getAttribute("d");
  const before = drawn();
  for (const [input, place] of [["mtbf", 8], ["cost", 0]]) {
    const slider = box.querySelector(`input[name=${input}]`);
    slider.value = place;
    slider.dispatchEvent(new Event("input"));
  }
  setTimeout(() => {
    document.body.dataset.seen = JSON.stringify({
      moved: before !== drawn(), said: box.querySelector(".said").textContent,
      shown: [...box.querySelectorAll("output")].map((each) => each.textContent),
      wide: document.documentElement.scrollWidth, room: innerWidth,
      inside: box.querySelector("svg").getBoundingClientRect().right <= innerWidth,
    });
  }, 1000);
}, 1500));
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here, such as the package chromium")
def test_a_browser_moves_the_curve(scenario, tmp_path):
    pytest.importorskip("vl_convert", reason="vl-convert comes with the extra interactive")
    path = tmp_path / "page.html"
    path.write_text(with_script(page_of(scenario), TURN), "utf-8")
    found = seen_in_browser(path, 390)
    other = planned("32h", cost="90s").checkpoint.interval
    assert found["moved"]
    assert found["inside"]
    assert found["wide"] <= max(found["room"], 390)
    assert found["shown"] == ["32 h", "90 s"]
    assert re.match(
        f"Best every {human_duration(other)}: the job takes [0-9.]+ % more", found["said"]
    )
