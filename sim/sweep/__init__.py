"""Sweeps that survive: cells of parameters, played into a ledger by any number of commands.

A cell is a mapping of parameters. Each of its replications is played with a seed that depends on
the study's seed and on the parameters alone, and is in the ledger or not, never half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .cells import Cell as Cell
    from .course import sweep as sweep
    from .engines.cluster import cluster as cluster
    from .engines.engine import Engine as Engine
    from .engines.processes import processes as processes
    from .engines.slurm import SBATCH_OPTIONS as SBATCH_OPTIONS
    from .engines.slurm import slurm as slurm
    from .ledger import Ledger as Ledger
    from .ledger import open_ledger as open_ledger
    from .playing import versions as versions
    from .rule import Rule as Rule
    from .table import sweep_rows as sweep_rows

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
