"""Paths of real logs, which are not in the repository: a test skips if its log is absent."""

from pathlib import Path

import pytest

from sim.traces import locate

_REPOSITORIES = {
    "failures/lanl": "github.com/Derek-Jones/ESEUR-code-data, reliability/",
    "failures/grid5000-fta": "github.com/Derek-Jones/ESEUR-code-data, hardware/grid5k-fail/",
    "failures/bluegene-l": "github.com/Derek-Jones/ESEUR-code-data, data-check/Blue-Gene.log/",
    "failures/google-preemptions": "github.com/kadupitiya/goog-preemption-data",
    "failures/mira": "github.com/disheng222/LogAider",
    "failures/infinitehbd-gpu-servers": "github.com/stepfun-ai/InfiniteHBD-Trace",
    "failures/loghub": "github.com/logpai/loghub, BGL/",
    "jobs/intrepid": "www.cs.huji.ac.il/labs/parallel/workload/l_anl_int",
    "jobs/metacentrum-2009": "www.cs.huji.ac.il/labs/parallel/workload/l_metacentrum",
    "jobs/metacentrum-2013": "github.com/aleasimulator/alea, Alea/data-set/",
    "jobs/mira": "github.com/thembow/backfil-rlscheduler-pytorch, data/",
    "jobs/theta": "github.com/thembow/backfil-rlscheduler-pytorch, data/",
    "jobs/lanl-trinity": "github.com/danilo-carastan-santos/job_partitioning, workloads/swf/",
    "jobs/pwa": "www.cs.huji.ac.il/labs/parallel/workload/logs.html",
    "reference-results/predictsim": "github.com/algo74/predictsim, experiments/data/",
    "reference-results/pyss-unit-tests": "github.com/dinesh121991/pyss, src/schedulers/",
    "machines/intrepid": "github.com/ido/cobalt, tools/local_sim/",
}


def require(relative: str) -> Path:
    """Return the path of a real log, or skip with the name of the file and its publisher."""
    path = locate(relative)
    if path is None:
        where = next(
            (url for place, url in _REPOSITORIES.items() if relative.startswith(place)), ""
        )
        published = f"; published at {where}" if where else ""
        pytest.skip(f"{relative} is not in $PERFMODEL_TRACES nor ../shared/traces{published}")
    return path
