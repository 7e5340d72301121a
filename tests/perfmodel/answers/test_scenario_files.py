"""Scenario files that extend another, and what a page says of a plan at a glance."""

import pytest

from perfmodel import plan
from perfmodel.answers.scenario import read_file
from perfmodel.answers.words.headlines import headlines, title_of
from perfmodel.answers.words.inputs import input_parts
from perfmodel.cli import main
from perfmodel.cli.report.formulas import beyond, of_plan
from tests.support.runner import runner

BASE = """title = "The base"
[machine]
nodes = 512
[failures]
node_mtbf = "3y"
[job]
work = "9d"
recovery = "4min"
[checkpoint]
size = "2TB"
cost = "unknown"
"""
ABOVE = """extends = "below/base.toml"
[failures]
mtbf = "9h"
[checkpoint]
cost = "5min"
local_cost = "9s"
survived = "80%"
"""


@pytest.fixture
def files(tmp_path):
    def write(**named):
        for name, text in named.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.with_suffix(".toml").write_text(text)
        return tmp_path

    return write


def test_what_a_file_says_stands_before_what_it_extends(files):
    found = read_file(files(below__base=BASE, above=ABOVE) / "above.toml")
    assert found.tables["failures"] == {"mtbf": "9h"}
    copies = {"local_cost": "9s", "survived": "80%"}
    assert found.tables["checkpoint"] == {"cost": "5min", **copies}
    assert found.tables["job"] == {"work": "9d", "recovery": "4min"}
    assert "title" not in found.tables
    assert found.origins["job.work"] == found.origins["machine.nodes"] == "base.toml"
    assert "checkpoint.cost" not in found.origins
    assert [path.name for path in found.files] == ["above.toml", "base.toml"]


def test_a_log_is_found_from_the_file_that_names_it(files):
    base = BASE.replace('node_mtbf = "3y"', 'log = "log.csv"').replace('size = "2TB"\n', "")
    folder = files(below__base=base, above='extends = "below/base.toml"\n[checkpoint]\ncost="9s"\n')
    (folder / "below" / "log.csv").write_text("time,node\n0,a\n90000,b\n400000,a\n")
    found = read_file(folder / "above.toml")
    assert found.tables["failures"]["failures"] == 2
    assert found.origins["failures.failures"] == "log.csv"
    assert found.files[-1] == folder / "below" / "log.csv"


def test_each_of_several_sizes_has_its_part_of_the_log(files):
    base = BASE.replace('node_mtbf = "3y"', 'log = "log.csv"\nrate = "constant"')
    base = base.replace('size = "2TB"\ncost = "unknown"', 'cost = ["5min", "9min"]')
    folder = files(many=base.replace("nodes = 512", "nodes = [2, 4]"))
    rows = [f"{90_000 * day + 7 * (day % 5) ** 4},n{day % 4}" for day in range(1, 30)]
    (folder / "log.csv").write_text("\n".join(["time,node", *rows]) + "\n")
    found = read_file(folder / "many.toml").plans()
    assert len(found) == 4
    for variant in found:
        one = base.replace("nodes = 512", f"nodes = {variant.values['machine.nodes']}")
        cost = variant.values["checkpoint.cost"]
        (folder / "one.toml").write_text(one.replace('["5min", "9min"]', f'"{cost}"'))
        (alone,) = read_file(folder / "one.toml").plans()
        assert variant.plan.mtbf == alone.plan.mtbf
    assert found[0].plan.mtbf.value > 1.9 * found[2].plan.mtbf.value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extends = "a.toml"', "extends must not lead back to the file itself, got 'a.toml'"),
        ('extends = "b.toml"', "extends must not lead back to the file itself, got 'a.toml'"),
        ('extends = "no.toml"', "extends must be a readable file, got 'no.toml'"),
        ("extends = 3", "extends must be a readable file, got 3"),
        ("title = 3", "title must be a text of 1 to 200 letters, got 3"),
    ],
)
def test_what_cannot_be_extended_is_refused_in_one_line(files, text, message):
    path = files(a=text, b='extends = "a.toml"') / "a.toml"
    done = runner().invoke(main, ["plan", str(path)])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_nodes_of_a_preset_are_those_of_the_job_beside_a_log(files):
    text = (
        'preset = "llama-3-405b"\n[failures]\nlog = "log.csv"\nlog_nodes = 4\n'
        'rate = "constant"\n[job]\nwork = "9d"\n[checkpoint]\ncost = '
    )
    folder = files(many=text + '["5min", "9min"]', one=text + '"5min"')
    rows = [f"{90_000 * day},n{day % 4}" for day in range(1, 30)]
    (folder / "log.csv").write_text("\n".join(["time,node", *rows]) + "\n")
    (alone,) = read_file(folder / "one.toml").plans()
    nodes = alone.plan.scenario.machine.nodes
    assert alone.plan.mtbf.value == pytest.approx(90_000.0 * 4 / nodes, rel=1e-9)
    for variant in read_file(folder / "many.toml").plans():
        assert variant.plan.mtbf == alone.plan.mtbf


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            "node,start,end\nn1,46023,46023.1\nn2,46027,46027.2\n",
            "failures.unit s or failures.unit",
        ),
        (
            "time,event\n1,on battery\n2,battery off\n3,on battery\n9,battery off\n",
            "failures.state",
        ),
    ],
)
def test_a_log_that_reads_in_two_ways_is_refused_in_words_of_the_file(tmp_path, rows, says):
    (tmp_path / "log.csv").write_text(rows)
    (tmp_path / "plan.toml").write_text('[failures]\nlog = "log.csv"\n[job]\nwork = "9d"\n')
    done = runner().invoke(main, ["plan", str(tmp_path / "plan.toml")])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("Error: log.csv, line 1: ")
    assert says in done.stderr
    assert "--" not in done.stderr
    done = runner().invoke(main, ["plan", str(tmp_path / "plan.toml"), "--max-lines", "1"])
    assert "raise --max-lines if" in done.stderr


def test_a_chain_of_files_has_an_end(files):
    names = {f"f{place}": f'extends = "f{place + 1}.toml"' for place in range(18)}
    with pytest.raises(ValueError, match="extends must lead on at most 16 times"):
        read_file(files(**names, f18="") / "f0.toml")


def test_a_page_says_at_a_glance_what_a_plan_comes_to(files):
    prices = '[prices]\nnode_hour = 2.0\ncurrency = "EUR"\n[spares]\nmttr = "2d"\n'
    folder = files(below__base=BASE, above=f"{ABOVE}{prices}")
    read = read_file(folder / "above.toml")
    made = plan({**read.tables, "deadline": {"time": "10d"}})
    names = [each.name for each in headlines(made)]
    assert names[1:] == ["Goodput", "Done within 10 d", "Cost a year", "What would help most"]
    assert title_of(made).startswith("9 d of work on 512 nodes, done in ")
    assert title_of(plan({**read.tables, "title": "Ours"}, brief=True)) == "Ours"
    _, table = input_parts(made, read.tables, read.origins)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["job.work"] == ("9 d", "base.toml")
    assert rows["checkpoint.survived"] == ("80 %", "given")
    assert rows["checkpoint.local_recovery"] == ("4 min", "assumed: as long as any recovery")
    assert rows["job.queue"] == ("0 s", "assumed")
    assert rows["spares.confidence"] == ("99 %", "assumed")
    assert rows["MTBF of the job"] == ("9 h", "as given")


def test_an_input_that_is_unknown_is_the_only_headline(files):
    asked = {"job": {"work": "9d"}, "failures": {"mtbf": "9h"}, "checkpoint": {}}
    made = plan(asked)
    (only,) = headlines(made)
    assert only.name == "Unknown: checkpoint.cost"
    assert title_of(made) == "9 d of work: what checkpoint.cost must be"
    assert list(beyond(made, ())) == []


def test_a_page_says_where_a_formula_was_not_checked_so_far():
    few = {
        "machine": {"nodes": 512},
        "failures": {"node_mtbf": "6y"},
        "job": {"work": "7d"},
        "checkpoint": {"cost": "5min"},
        "spares": {"mttr": "3d"},
    }
    made = plan(few, brief=True)
    assert list(beyond(made, of_plan(made))) == []
    made = plan({**few, "machine": {"nodes": 20_000}}, brief=True)
    (line,) = beyond(made, of_plan(made))
    assert line == (
        "Farther than was checked by simulation: blocks is 20,000 here, and mean_stop was checked "
        "from 1 to 10,000."
    )


def test_a_year_costs_nodes_spares_and_energy():
    made = plan(
        {
            "machine": {"nodes": 100, "static_power": "1kW"},
            "failures": {"mtbf": "9h"},
            "job": {"work": "2d"},
            "checkpoint": {"cost": "4min"},
            "spares": {"mttr": "1d", "standbys": 7},
            "prices": {"node_hour": 2.0, "kwh": 0.5, "spare_node_year": 900.0},
        },
        brief=True,
    )
    costs = made.costs
    assert costs.spares_per_year == 6300.0
    assert costs.energy_per_year == pytest.approx(100.0 * 8766.0 * 0.5)
    assert costs.all_per_year == pytest.approx(100.0 * 8766.0 * 2.5 + 6300.0)
