import json

import pytest
from click.testing import CliRunner

from perfmodel import mtbf_posterior, spares_needed
from perfmodel.cli import main

LANL = ["--nodes", "2048", "--node-mtbf", "6666h", "--mttr", "48h"]


def run(*arguments):
    done = CliRunner().invoke(main, ["spares", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_spares_are_the_quantiles_of_a_poisson_law():
    # 2048 x 48/6666 = 14.75 nodes down; 21, 24 and 28 suffice with 95, 99 and 99.9 %.
    found = json.loads(run(*LANL, "--json"))
    assert found["mean_nodes_down"] == pytest.approx(14.75, abs=0.005)
    assert found["spares"] == {"0.95": 21, "0.99": 24, "0.999": 28}
    assert (found["nodes"], found["node_mtbf_s"], found["mttr_s"]) == (
        2048,
        6666 * 3600.0,
        48 * 3600.0,
    )


def test_percentages_are_understood_and_shown_as_written():
    assert json.loads(run(*LANL, "--confidence", "95%, 0.999", "--json"))["spares"] == {
        "95%": 21,
        "0.999": 28,
    }
    text = run(*LANL, "--confidence", "99%")
    assert "99%" in text
    assert "24" in text


SEEN = ["--nodes", "2048", "--mttr", "48h", "--failures", "30", "--observed", "100h"]


def test_the_limits_of_the_mtbf_are_carried_to_the_spares():
    found = json.loads(run(*SEEN, "--json"))
    ends = 2048.0 * mtbf_posterior(30, 100.0).ppf([0.025, 0.975])
    assert found["node_mtbf_s"] == pytest.approx(2048 * 100 / 30 * 3600.0)
    assert found["node_mtbf_low_s"] == pytest.approx(3600.0 * ends[0])
    assert found["node_mtbf_high_s"] == pytest.approx(3600.0 * ends[1])
    for name in ("0.95", "0.99", "0.999"):
        few, many = (int(spares_needed(2048, mtbf, 48.0, float(name))) for mtbf in ends[::-1])
        assert (found["spares_low"][name], found["spares_high"][name]) == (few, many)
        assert few < found["spares"][name] < many
    text = run(*SEEN)
    assert "30 failures in 100 h); 95% confidence: 202 d to 413.2 d" in text
    assert "upper limit" in text


def test_without_a_failure_there_is_one_limit():
    found = json.loads(run(*SEEN[:4], "--failures", "0", "--observed", "100h", "--json"))
    assert found["node_mtbf_high_s"] is None
    assert set(found["spares_low"].values()) == {0}
    assert found["spares_high"] == found["spares"]


def test_nodes_of_another_machine_fail_as_those_of_the_log(tmp_path):
    log = tmp_path / "log.csv"
    rows = [f"{86_400 * day},{86_400 * day + 3_600},n{day}" for day in range(1, 13)]
    log.write_text("\n".join(["time,end,node", *rows]))
    asked = ["--log", str(log), "--rate", "constant", "--json"]
    same = json.loads(run("--nodes", "500", *asked))
    found = json.loads(run("--nodes", "2000", *asked, "--log-nodes", "500"))
    for name in ("node_mtbf_s", "node_mtbf_low_s", "node_mtbf_high_s", "mttr_s"):
        assert found[name] == pytest.approx(same[name], rel=1e-12)
    assert found["mean_nodes_down"] == pytest.approx(4.0 * same["mean_nodes_down"])
