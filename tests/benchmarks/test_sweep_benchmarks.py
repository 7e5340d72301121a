"""Time of the cells of a sweep, ledger and table included, over that of the calibration loop."""

import time
from contextlib import closing

import pytest

from perfmodel.answers.sweeps.study_file import read_study
from perfmodel.cli.sweeps import write_table
from sim.sweep import open_ledger, processes, sweep, sweep_rows

STUDY = """\
[study]
formula = "expected_makespan"
[parameters]
work = "2d"
mtbf = { from = "4h", to = "40h", points = 100 }
interval = { from = "30min", to = "4h", points = 100 }
checkpoint_cost = "5min"
"""


@pytest.mark.benchmark(group="sweep", timer=time.process_time)
def test_cells_of_a_formula_in_one_process(benchmark, judge_pace, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    study = read_study(tmp_path / "study.toml")

    def swept(folder):
        with (
            closing(open_ledger(folder / "ledger.db", study.about())) as ledger,
            processes(study.play(), 1) as engine,
        ):
            sweep(study.cells(), rule=study.rule, seed=study.seed, ledger=ledger, engine=engine)
            rows = sweep_rows(study.cells, rule=study.rule, ledger=ledger)
            write_table(folder / "table.csv", rows)

    def fresh():
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return (folder,), {}

    benchmark.pedantic(swept, setup=fresh, rounds=3)
    assert study.size == 10_000
    judge_pace("10,000 cells of a sweep", benchmark.stats["median"], at_most=78.0)
