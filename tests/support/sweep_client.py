"""A command that sweeps 40 cells slowly, to be killed.

``... LEDGER TABLE WORKERS|ADDRESS|FOLDER [SECONDS]``
"""

import csv
import os
import random
import signal
import sys
import time
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path

from sim.sweep import Cell, Rule, cluster, open_ledger, processes, slurm, sweep, sweep_rows

__all__ = ["RULE", "SEED", "Slow", "cells", "hold_from", "strike_at_birth", "write"]

SEED = 7
RULE = Rule(until=0.2, metric="cost", most=40)


class Slow:
    """Draws a number, after some time; a cell waits while the file `hold` names it or one before.

    So a sweep that is to be killed does not end before, however slow the one who kills is.
    """

    def __init__(self, seconds, hold=None):
        self.seconds, self.hold = seconds, hold

    def __call__(self, parameters, seed):
        time.sleep(self.seconds)
        while self._held(parameters["base"]):
            time.sleep(0.02)
        return {"cost": random.Random(seed).expovariate(1.0) + parameters["base"]}

    def _held(self, base):
        try:
            return self.hold is not None and base >= float(self.hold.read_text())
        except FileNotFoundError:
            return False


def hold_from(folder, number):
    """Let all cells from this one on wait until another is named, or none (None)."""
    path, part = folder / "hold", folder / "hold.part"
    if number is None:
        path.unlink()
    else:
        part.write_text(str(cells()[number].parameters["base"]))
        part.replace(path)


def cells():
    """Return cells of which the first need more replications."""
    return [Cell({"base": 0.1 * base}) for base in range(40)]


def write(ledger, path):
    """Write the table of the cells."""
    with path.open("w", newline="") as file:
        rows = list(sweep_rows(cells, rule=RULE, ledger=ledger))
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def engine_of(play, workers):
    """Return so many processes, the cluster at an address, or jobs that share a folder."""
    if workers.isdigit():
        return processes(play, int(workers))
    if "://" in workers:
        return cluster(play, workers)
    return slurm(play, Path(workers), tasks=200, jobs=2, cluster="local")


def main(ledger, table, workers, seconds="0.002"):
    """Sweep with the workers that are named."""
    with closing(open_ledger(Path(ledger), {"study": "slow"})) as opened:
        play = Slow(float(seconds), Path(table).with_name("hold"))
        with engine_of(play, workers) as engine:
            sweep(cells(), rule=RULE, seed=SEED, ledger=opened, engine=engine)
        write(opened, Path(table))


def strike_at_birth(monkeypatch):
    """Strike every process that begins by Ctrl-C, before it does anything else."""
    run = BaseProcess.run

    def struck(process):
        os.kill(os.getpid(), signal.SIGINT)
        run(process)

    monkeypatch.setattr(BaseProcess, "run", struck)


if __name__ == "__main__":
    main(*sys.argv[1:])
