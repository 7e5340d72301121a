"""The figure of a plan that is turned: its curves are those of plans, and a browser draws them."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from perfmodel import best_segments, expected_makespan, plan
from perfmodel.cli.report.turning import turning_of
from perfmodel.cli.report.view import view_of
from perfmodel.protocols.table import protocol_of
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
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
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
@pytest.mark.parametrize(("row", "mtbf"), [(0, "2h"), (8, "8h"), (16, "32h")])
def test_each_curve_is_that_of_a_plan(protocol, row, mtbf):
    how = {"protocol": protocol, **PROTOCOLS[protocol]}
    curve = turning_of(planned("8h", **how)).curves[row][2]
    other = planned(mtbf, **how)
    assert f"Best every {human_duration(other.checkpoint.interval)}:" in curve["said"]
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
    np.testing.assert_allclose(found.curves[12][0]["beyond"], 100.0 * (known / 864000.0 - 1.0))
    assert (found.unit, found.mtbfs[12], found.costs[0]) == ("min", "16 h", "90 s")


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_band_ends_where_the_exact_mean_crosses_one_percent(protocol):
    made = planned("8h", protocol=protocol, **PROTOCOLS[protocol])
    exact, found = protocol_of(protocol), turning_of(made)
    name, size = exact.drawn[0], UNITS[found.unit]
    about = np.linspace(0.999, 1.001, 9)  # the mean of few segments has teeth
    for row in range(0, len(found.curves), 4):
        for column in range(0, len(found.curves[0]), 2):
            curve, job = found.curves[row][column], made.job
            often, cost = 2.0 ** (0.25 * row - 2.0), getattr(job, name) * 2.0 ** (column - 2)
            job = replace(job, mtbf=often * job.mtbf, **{name: cost})
            every = exact.to_draw(job)[1]
            level = 1.01 * (1.0 + 0.01 * curve["least"]) * job.work
            for end in curve["near"]:
                means = exact.means(job, end * size * about, every)
                if found.intervals[0] < end < found.intervals[-1] * (1.0 - 1e-9):
                    assert means.min() <= level <= means.max(), (row, column)


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
def test_the_page_stands_by_itself(scenario):
    text = page_of(scenario)
    assert_stands_by_itself(text)
    assert text.count('class="turned"') == 1


TURN = """
addEventListener("error", (event) => { document.body.dataset.error = event.message; });
addEventListener("load", () => setTimeout(() => {
  const box = document.querySelector(".turned");
  const drawn = () => box.querySelector("path[d*='L'][stroke='#0072B2']").getAttribute("d");
  const before = drawn();
  const turn = (mtbf, cost) => {
    for (const [input, place] of [["mtbf", mtbf], ["cost", cost]]) {
      const slider = box.querySelector(`input[name=${input}]`);
      slider.value = place;
      slider.dispatchEvent(new Event("input"));
    }
    return box.querySelector(".said").textContent;
  };
  const said = [0, 5, 11, 16].flatMap((mtbf) => [0, 1, 3, 4].map((cost) => turn(mtbf, cost)));
  turn(16, 0);
  setTimeout(() => {
    document.body.dataset.seen = JSON.stringify({
      moved: before !== drawn(), all: said, said: box.querySelector(".said").textContent,
      shown: [...box.querySelectorAll("output")].map((each) => each.textContent),
      wide: document.documentElement.scrollWidth, room: innerWidth,
      inside: box.querySelector("svg").getBoundingClientRect().right <= innerWidth,
    });
  }, 1000);
}, 1500));
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here, such as the package chromium")
def test_a_browser_moves_the_curve(scenario, tmp_path):
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
    for words, (often, cost) in zip(
        found["all"], product((0, 5, 11, 16), (0, 1, 3, 4)), strict=True
    ):
        job = {
            "mtbf": 28_800.0 * 2.0 ** (0.25 * often - 2.0),
            "checkpoint_cost": 360.0 * 2.0 ** (cost - 2.0),
            **{"recovery_cost": 240.0, "downtime": 600.0},
        }
        costs = {"mtbf": job["mtbf"], "checkpoint_cost": job["checkpoint_cost"]}
        segments = best_segments(864_000.0, **costs)
        exact = expected_makespan(864_000.0, interval=864_000.0 / segments, **job) / 864_000.0
        (beyond,) = re.findall(r"takes ([0-9.,]+) % more", words)
        assert 1.0 + 0.01 * float(beyond.replace(",", "")) == pytest.approx(exact, rel=1e-3)
