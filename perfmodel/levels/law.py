r"""The exact distribution of the makespan of a job with checkpoints on two levels.

The job is that of `perfmodel.levels.two`: patterns of segments, each ended by a durable
checkpoint. Patterns are independent, and the transform of each is closed.
"""

from __future__ import annotations

import math
from typing import Any

from .._special import power_of_two
from ..completion.law import (
    CertainCompletionTime,
    InvertedCompletionTime,
    NeverCompletionTime,
    require_spread,
)
from ..completion.level_process import LevelProcess
from ..completion.level_visits import Spans
from ..completion.repairs import repair_of
from ..formula import Formula, Trend
from .two import (
    LevelRule,
    TwoLevels,
    checked_two_levels,
    expected_makespan_two_levels,
    variance_in_unit,
)

_ENDLESS = 1e290
_MOST_SEGMENTS = 2.0**52
_MOST_LOCAL = 510.0  # segments of a pattern beside first and last: the work grows with them


def exact_makespan_two_levels(
    work: float,
    *,
    interval: float,
    durable_every: float,
    mtbf: float,
    survived: float,
    local_cost: float,
    durable_cost: float,
    local_recovery: float = 0.0,
    durable_recovery: float = 0.0,
    downtime: float = 0.0,
    rule: LevelRule = "reinstated",
) -> InvertedCompletionTime | NeverCompletionTime | CertainCompletionTime:
    r"""Distribution of the wall time of a job with local checkpoints and durable ones.

    .. math::
        E[e^{-sT}] &= \prod_{\text{patterns}} \frac{\prod_i y_i}
                      {1 - \rho_2 \sum_i z_i \prod_{j<i} y_j}, \quad
        f_x = \frac{\lambda}{\lambda+s} \left(1 - e^{-(\lambda+s)x}\right) \\
        y_i &= \frac{e^{-(\lambda+s)a_i}}{1 - p f_{a_i} \rho_1}, \quad
        z_i = \frac{f_{a_i} (1 - p + p \kappa)}{1 - p f_{a_i} \rho_1} \\
        \rho_1 &= \frac{\delta e^{-(\lambda+s)r_1}}{1 - p \delta f_{r_1}}, \quad
        \kappa = \frac{(1-p) \delta f_{r_1}}{1 - p \delta f_{r_1}}, \quad
        \rho_2 = \frac{\delta e^{-(\lambda+s)r_2}}{1 - \delta f_{r_2}}, \quad
        \delta = e^{-sD}

    with lambda = 1/mtbf, p the share `survived`, and a_i the work and checkpoint of segment i of a
    pattern. This is the rule ``"reinstated"``; the others change one factor.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    durable_every : float, [-]
        m, checkpoints from one durable one to the next, that one included; whole and > 0.
    mtbf : float, [time]
        Mean uptime between failures of any kind, repair excluded; > 0, inf if there are none.
    survived : float, [-]
        p, share of the failures that leave the local copy; >= 0 and at most 1.
    local_cost, durable_cost : float, [time]
        Whole cost of a local and of a durable checkpoint; >= 0.
    local_recovery, durable_recovery : float, [time]
        r_1 and r_2, to read back a local and a durable checkpoint; >= 0.
    downtime : float, [time]
        D, fixed, after each failure; >= 0.
    rule : {"reinstated", "bare", "staged"}, [-]
        What is left after a durable recovery, and in the midst of a durable checkpoint.

    Returns
    -------
    InvertedCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`, and
        `error`, the estimated error of the cdf. A job that takes longer than a float can hold
        has a `NeverCompletionTime`.

    Raises
    ------
    ValueError
        If `durable_cost` is below `local_cost` where it is staged; or if more than 512 segments lie
        between durable checkpoints, as each of them adds ways to fail.

    Notes
    -----
    Exact but for the inversion, whose error at any time is the law's `error`: 1e-9, and up to 1e-6
    where a downtime or a durable recovery is much longer than a segment. A query takes a second,
    and ten where 500 segments lie between durable checkpoints.
    Source: derived; tests/derivations/test_levels.py has the renewal equations of the mean, and
    the law is tested against another inversion. [1]_ treats such jobs; it was not read.

    Judged for interval/mtbf 0.001 to 0.3, work/interval 1 to 100, durable_every 1 to 20, survived 0
    to 1, local_cost/interval 0.001 to 0.5, durable_cost/interval 0.001 to 1,
    local_recovery/interval 0.001 to 1, durable_recovery/mtbf 0.001 to 1, downtime/mtbf 0.001 to 1.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Di, Y. Robert, F. Vivien and F. Cappello, "Toward an optimal online checkpoint
       solution under a two-level HPC checkpoint model", IEEE Transactions on Parallel and
       Distributed Systems 28, 2017.

    Examples
    --------
    >>> makespan = exact_makespan_two_levels(
    ...     20.0, interval=1.0, durable_every=4, mtbf=1 / 0.12, survived=0.1 / 0.12,
    ...     local_cost=0.1, durable_cost=0.5, local_recovery=0.1, durable_recovery=0.6,
    ...     downtime=0.2,
    ... )
    >>> [round(float(t), 4) for t in makespan.ppf([0.5, 0.9])]
    [27.2955, 32.73]
    """
    given = (
        *(work, interval, durable_every, mtbf, survived, local_cost, durable_cost),
        *(local_recovery, durable_recovery, downtime),
    )
    job = checked_two_levels(*given, rule=rule)
    if job.work.ndim != 0:
        raise ValueError(
            f"arguments must be single numbers, got shape {job.work.shape}: one job a call"
        )
    patterns = _patterns(job)
    start = math.fsum(p.count * p.total for p in patterns)
    rate = float(job.rate)
    if not start < math.inf or start * rate > _ENDLESS:
        return NeverCompletionTime(start)
    if start * rate < 1.0 / _ENDLESS:
        return CertainCompletionTime(start)
    costs: dict[str, Any] = {
        "interval": interval,
        "durable_every": durable_every,
        "mtbf": mtbf,
        "survived": survived,
        "local_cost": local_cost,
        "durable_cost": durable_cost,
        "local_recovery": local_recovery,
        "durable_recovery": durable_recovery,
        "downtime": downtime,
        "rule": rule,
    }
    mean = float(expected_makespan_two_levels(work, **costs))
    own, variance = variance_in_unit(job)
    std = float(own) * math.sqrt(float(variance))
    # With times near 1 nothing overflows on the way.
    unit = power_of_two(start)
    if not mean / unit < _ENDLESS**0.5:
        return NeverCompletionTime(start, -start * rate)
    lost = (mean - start) / unit
    require_spread(
        lost,
        std / unit,
        failures=start * rate,
        of="expected_makespan_two_levels",
    )
    process = LevelProcess(
        rate * unit,
        float(job.survived),
        tuple(p.scaled(1.0 / unit) for p in patterns),
        float(job.local_recovery) / unit,
        float(job.durable_recovery) / unit,
        rule == "bare",
        repair_of(float(job.downtime), unit=unit),
        lost,
    )
    return InvertedCompletionTime(start=start, mean=mean, std=std, lost=process, unit=unit)


def _patterns(job: TwoLevels) -> tuple[Spans, ...]:
    """Return the kinds of patterns that the job has."""
    found = []
    for count, pattern in job.patterns():
        if not float(count) > 0.0:
            continue
        between = float(pattern.count)
        if between > _MOST_LOCAL:
            raise ValueError(
                f"durable_every must leave at most {_MOST_LOCAL + 2:.0f} segments from one durable "
                f"checkpoint to the next for a law, got {between + 2.0:.6g}: "
                "expected_makespan_two_levels and makespan_variance_two_levels take more"
            )
        if float(count) * max(between, 1.0) > _MOST_SEGMENTS:
            raise ValueError(
                f"work must be at most {_MOST_SEGMENTS:.0f} intervals, "
                f"got {float(count) * (between + 2.0):g}"
            )
        last = () if between < 0.0 else (float(pattern.last),)
        copy = (float(pattern.copy),) if float(pattern.copy) > 0.0 else ()
        found.append(
            Spans(
                int(count),
                float(pattern.first),
                float(pattern.between),
                max(int(between), 0),
                (*last, *copy),
            )
        )
    return tuple(found)


ROWS = (
    Formula(
        exact_makespan_two_levels,
        "derived",
        "two levels of checkpoints",
        "exact",
        ranges={
            "interval/mtbf": (1e-3, 0.3),
            "work/interval": (1.0, 100.0),
            "durable_every": (1.0, 20.0),
            "survived": (0.0, 1.0),
            "local_cost/interval": (1e-3, 0.5),
            "durable_cost/interval": (1e-3, 1.0),
            "local_recovery/interval": (1e-3, 1.0),
            "durable_recovery/mtbf": (1e-3, 1.0),
            "downtime/mtbf": (1e-3, 1.0),
        },
        trend=Trend(
            rising=("durable_cost", "local_recovery", "durable_recovery", "downtime"),
            falling=("mtbf",),
        ),
    ),
)
