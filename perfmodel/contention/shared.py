r"""Jobs on one machine that take turns to write their checkpoints.

Each kind of job has a number of jobs that run at any time, the nodes of each, and the time of a
checkpoint that has the file system to itself. One checkpoint is written at a time, so that the
shares of time in which the jobs write, C/P with P from one checkpoint of a job to its next, add up
to 1 at most. The waste is that of the first order: C/P, and half a period and a recovery for each
failure. It leaves out the wait for one's turn, and failures that strike what the last one cost, so
that it is a little less than what a machine loses.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, broadcast, comparable, nonnegative, positive
from ..formula import Formula, Trend

_STEPS = 200  # of Newton's method, which needs about ten
_MOST = 1e50  # products of more of them leave the floats


def contention_multiplier(
    *,
    nodes: ArrayLike,
    jobs: ArrayLike,
    checkpoint_cost: ArrayLike,
    node_mtbf: ArrayLike,
) -> FloatArray:
    r"""Price of the shared bandwidth: waste saved by one more checkpoint written at a time.

    .. math::
        L = \max(0, \text{root of } \sum_i n_i C_i / P_i = 1), \quad
        P_i = \sqrt{2 \mu N (q_i/N + L) C_i} / q_i, \quad N = \sum_i n_i q_i

    Parameters
    ----------
    nodes : array_like, [-]
        q, nodes of one job of each kind; > 0, 1e-50 to 1e50. Shape: kinds.
    jobs : array_like, [-]
        n, jobs of each kind that run at any time, a mean need not be whole; > 0, 1e-50 to 1e50.
        Shape: kinds.
    checkpoint_cost : array_like, [time]
        C, time to write a checkpoint while nobody else does; > 0. Shape: kinds.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node, repair excluded; > 0. Any shape.

    Returns
    -------
    ndarray, [-]
        0 where the bandwidth suffices for the best period of every job. Shape: `node_mtbf`.

    Raises
    ------
    ValueError
        If a kind has several numbers.

    Notes
    -----
    Exact for the waste of `waste_shared`, to first order in its costs; see there what that leaves
    out. Relative to the share of the nodes that a job has.
    Source: [1]_, not read; derived again in tests/derivations/test_contention.py.

    Judged for nodes 1 to 100000, jobs 1 to 1000, checkpoint_cost*nodes/node_mtbf 1e-6 to 1, in a
    model in which nobody waits for a turn and nothing fails twice. Times must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] T. Herault, Y. Robert, A. Bouteiller, D. Arnold, K. B. Ferreira, G. Bosilca and
       J. Dongarra, "Optimal cooperative checkpointing for shared high-performance computing
       platforms", APDCM, 2018.

    Examples
    --------
    >>> kinds = {"nodes": [1024, 256], "jobs": [8, 11], "checkpoint_cost": [1310.72, 378.88]}
    >>> mtbf = 3600.0 * 11008.0
    >>> contention_multiplier(node_mtbf=[mtbf, 10.0 * mtbf], **kinds).round(4).tolist()
    [0.064, 0.0]
    """
    q, n, c, mu = _checked(nodes, jobs, checkpoint_cost, node_mtbf)
    return _multiplier(q, n, c, mu)[()]


def optimal_periods_shared(
    *,
    nodes: ArrayLike,
    jobs: ArrayLike,
    checkpoint_cost: ArrayLike,
    node_mtbf: ArrayLike,
) -> FloatArray:
    r"""Period of each kind of job, for the least waste of all on a shared file system.

    .. math:: P_i = \sqrt{2 \frac{\mu}{q_i} C_i \left(1 + \frac{L N}{q_i}\right)}

    Parameters
    ----------
    nodes : array_like, [-]
        q, nodes of one job of each kind; > 0, 1e-50 to 1e50. Shape: kinds.
    jobs : array_like, [-]
        n, jobs of each kind that run at any time, a mean need not be whole; > 0, 1e-50 to 1e50.
        Shape: kinds.
    checkpoint_cost : array_like, [time]
        C, time to write a checkpoint while nobody else does; > 0. Shape: kinds.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node, repair excluded; > 0. Any shape.

    Returns
    -------
    ndarray, [time]
        From one checkpoint to the next, the checkpoint included. Shape: `node_mtbf`, then kinds.

    Raises
    ------
    ValueError
        If a kind has several numbers.

    Notes
    -----
    Exact for the waste of `waste_shared`, to first order in its costs; see there what that leaves
    out. Where the bandwidth suffices L, the `contention_multiplier`, is 0, and each period is
    Young's. Elsewhere small jobs give way to large ones: their failures cost less.
    Source: [1]_, not read; derived again in tests/derivations/test_contention.py.

    Judged for nodes 1 to 100000, jobs 1 to 1000, checkpoint_cost*nodes/node_mtbf 1e-6 to 1, in a
    model in which nobody waits for a turn and nothing fails twice. Times must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] T. Herault, Y. Robert, A. Bouteiller, D. Arnold, K. B. Ferreira, G. Bosilca and
       J. Dongarra, "Optimal cooperative checkpointing for shared high-performance computing
       platforms", APDCM, 2018.

    Examples
    --------
    >>> kinds = {"nodes": [1024, 256], "jobs": [8, 11], "checkpoint_cost": [1310.72, 378.88]}
    >>> optimal_periods_shared(node_mtbf=3600.0 * 11008.0, **kinds).round().tolist()
    [13086.0, 20977.0]
    """
    q, n, c, mu = _checked(nodes, jobs, checkpoint_cost, node_mtbf)
    dearer = _multiplier(q, n, c, mu)[..., None] * (np.sum(n * q) / q)
    return np.asarray(np.sqrt(2.0 * c) * np.sqrt(1.0 + dearer) * np.sqrt(mu[..., None] / q))


def waste_shared(
    period: ArrayLike,
    *,
    nodes: ArrayLike,
    jobs: ArrayLike,
    checkpoint_cost: ArrayLike,
    node_mtbf: ArrayLike,
    recovery_cost: ArrayLike | None = None,
) -> FloatArray:
    r"""Share of the nodes' time that checkpoints and failures cost, to first order.

    .. math::
        \sum_i \frac{n_i q_i}{N}
        \left(\frac{C_i}{P_i} + \frac{q_i}{\mu} \left(\frac{P_i}{2} + R_i\right)\right)

    Parameters
    ----------
    period : array_like, [time]
        P of each kind, from one checkpoint of a job to its next, the checkpoint included; > 0.
        Shape: any, then kinds.
    nodes : array_like, [-]
        q, nodes of one job of each kind; > 0. Shape: kinds.
    jobs : array_like, [-]
        n, jobs of each kind that run at any time, a mean need not be whole; > 0. Shape: kinds.
    checkpoint_cost : array_like, [time]
        C, time to write a checkpoint while nobody else does; > 0. Shape: kinds.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node, repair excluded; > 0. Any shape.
    recovery_cost : array_like, optional, [time]
        R; >= 0. What a checkpoint costs, if not given. Shape: kinds.

    Returns
    -------
    ndarray, [-]
        Of the N nodes in use. Shape: that of `period` without kinds, and `node_mtbf`, broadcast
        together. Near 1 and above, it only says that hardly any progress is made; overflow gives
        inf.

    Raises
    ------
    ValueError
        If a kind has several numbers, or the checkpoints of all jobs take more time than there is.

    Notes
    -----
    Exact to first order in period/MTBF of a job: it leaves out the wait for one's turn, and
    failures during recoveries and the work that is done again.
    Source: [1]_, not read; derived again in tests/derivations/test_contention.py.

    Judged for nodes 1 to 100000, jobs 1 to 1000, checkpoint_cost*nodes/node_mtbf 1e-6 to 1,
    checkpoint_cost/period 1e-6 to 1, recovery_cost/checkpoint_cost 0.001 to 1000, in a model in
    which nobody waits for a turn and nothing fails twice. Times must be comparable. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] T. Herault, Y. Robert, A. Bouteiller, D. Arnold, K. B. Ferreira, G. Bosilca and
       J. Dongarra, "Optimal cooperative checkpointing for shared high-performance computing
       platforms", APDCM, 2018.

    Examples
    --------
    >>> machine = {
    ...     "nodes": [1024, 256], "jobs": [8, 11], "checkpoint_cost": [1310.72, 378.88],
    ...     "node_mtbf": 3600.0 * 11008.0,
    ... }
    >>> best = optimal_periods_shared(**machine)
    >>> waste_shared([best, 2.0 * best], **machine).round(4).tolist()
    [0.2481, 0.3517]
    """
    q, n, c, mu = _checked(nodes, jobs, checkpoint_cost, node_mtbf)
    r = c if recovery_cost is None else nonnegative("recovery_cost", recovery_cost)
    p = positive("period", period)
    p, q, n, c, r = broadcast(
        period=p if p.ndim else p[None], nodes=q, jobs=n, checkpoint_cost=c, recovery_cost=r
    )
    comparable(period=p, checkpoint_cost=c, recovery_cost=r)
    load = np.sum(n * c / p, axis=-1)
    if (load > 1.0 + 1e-9).any():
        raise ValueError(
            "period must leave time for all checkpoints, one at a time, got "
            f"{float(load.max()):.6g} of it taken: optimal_periods_shared finds periods that do"
        )
    share = n * q / np.sum(n * q, axis=-1, keepdims=True)
    writing, lost, mtbf = broadcast(
        period=np.sum(share * c / p, axis=-1),
        losses=np.sum(share * q * (0.5 * p + r), axis=-1),
        node_mtbf=mu,
    )
    with np.errstate(over="ignore"):
        return np.asarray(writing + lost / mtbf)[()]


def _checked(
    nodes: ArrayLike, jobs: ArrayLike, checkpoint_cost: ArrayLike, node_mtbf: ArrayLike
) -> tuple[FloatArray, ...]:
    """Return one number per kind of job of the first three, and the MTBF of a node."""
    kinds = broadcast(
        nodes=positive("nodes", nodes),
        jobs=positive("jobs", jobs),
        checkpoint_cost=positive("checkpoint_cost", checkpoint_cost),
    )
    if kinds[0].ndim > 1:
        raise ValueError(f"nodes must be one number per kind of job, got shape {kinds[0].shape}")
    mtbf = positive("node_mtbf", node_mtbf)
    comparable(checkpoint_cost=kinds[2], node_mtbf=mtbf[..., None])
    return (*(np.atleast_1d(each) for each in kinds), mtbf)


def _multiplier(q: FloatArray, n: FloatArray, c: FloatArray, mu: FloatArray) -> FloatArray:
    """Return L, by Newton's method on 1/load^2, which is concave: it never steps too far."""
    for name, counts in (("nodes", q), ("jobs", n)):
        far = (counts > _MOST) | (counts < 1.0 / _MOST)
        if far.any():
            raise ValueError(f"{name} must be from 1e-50 to 1e+50, got {float(counts[far][0])!r}")
    used = np.sum(n * q)
    share = q / used
    with np.errstate(over="ignore"):
        a = n * q * np.sqrt(c / used) / np.sqrt(2.0 * mu[..., None])
        # With the largest share in place of each, the root is below the right one.
        found = np.maximum(np.sum(a, axis=-1) ** 2 - share.max(), 0.0)
    for _ in range(_STEPS):
        x = share + found[..., None]
        load = np.sum(a / np.sqrt(x), axis=-1)
        slope = np.sum(a / x / np.sqrt(x), axis=-1)
        step = np.where(load > 1.0, (load**3 - load) / slope, 0.0)
        if not (step > 1e-16 * found).any():
            break
        found = found + step
    return np.asarray(found)


_MODEL = "nobody waits for a turn and nothing fails twice"
_RANGES = {
    "nodes": (1.0, 1e5),
    "jobs": (1.0, 1000.0),
    "checkpoint_cost*nodes/node_mtbf": (1e-6, 1.0),
}

ROWS = (
    *(
        Formula(
            function,
            "herault2018",
            "first order, not read",
            "exact",
            ranges=_RANGES,
            within=_MODEL,
            trend=Trend(),
        )
        for function in (contention_multiplier, optimal_periods_shared)
    ),
    Formula(
        waste_shared,
        "herault2018",
        "first order, not read",
        "exact",
        ranges={
            **_RANGES,
            "checkpoint_cost/period": (1e-6, 1.0),
            "recovery_cost/checkpoint_cost": (1e-3, 1e3),
        },
        within=_MODEL,
        trend=Trend(rising=("recovery_cost",), falling=("node_mtbf",)),
    ),
)
