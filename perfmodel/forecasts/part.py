"""Failures to come of some nodes of a machine: by their own past, and by their share of its own."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from .._checks import FloatArray
from .history import FailureHistory
from .mixture import CLUSTERS, FailureForecast, clusters_of, forecast_failures, gap_of

SETS = 8  # of nodes that a job of so many may be given
_RANDOM = 32.0  # clusters that random nodes get, beside those that struck the nodes of the job
_NAMED = "failures must name their nodes, and how many the machine has, for a job on some of them"


def forecasts_for(
    history: FailureHistory,
    window: float,
    *,
    nodes: int | npt.NDArray[np.bool_] | None = None,
    rng: np.random.Generator,
) -> tuple[FailureForecast, ...]:
    """Return forecasts for all nodes or some of them, each of which is as likely as the others.

    Parameters
    ----------
    history : FailureHistory
        Until now.
    window : float, [s]
        Length of the time to come that counts; > 0.
    nodes : int or ndarray of bool, optional
        How many nodes, of which sets are drawn, or which, shape (machine,). None for all.
    rng : numpy.random.Generator
        Where sets of nodes are drawn.

    Returns
    -------
    tuple of FailureForecast
        One of the whole machine. Of some nodes two for each set: that of their own past, and that
        of the machine with the share of its clusters that strikes them, (k + 32 p)/(K + 32): k of K
        struck them, p would strike as many random nodes.

    Raises
    ------
    ValueError
        If it is not known how many nodes there are, or a job needs more of them.
    """
    whole = _of(history, window)
    if nodes is None:
        return (whole,)
    if not history.machine:
        raise ValueError(f"{_NAMED}, got none")
    if isinstance(nodes, int):
        if not 1 <= nodes <= history.machine:
            raise ValueError(f"nodes must be from 1 to {history.machine}, got {nodes}")
        if nodes == history.machine:
            return (whole,)
    clusters = clusters_of(history.failures, gap_of(history.failures, history.observed))
    if not history.named:
        count = nodes if isinstance(nodes, int) else int(nodes.sum())
        return (_thinned(whole, clusters, count / history.machine, rng),)
    sets = drawn_nodes(history.machine, nodes, SETS, rng) if isinstance(nodes, int) else [nodes]
    found: list[FailureForecast] = []
    chance = _of_random_nodes(history, clusters, int(sets[0].sum()))  # all sets are of one size
    first = [cluster[0] for cluster in clusters]
    for each in sets:
        struck = each[history.nodes]
        hit = int(np.logical_or.reduceat(struck, first).sum()) if first else 0
        share = (hit + _RANDOM * chance) / (len(clusters) + _RANDOM)
        followers = _followers(history.failures, clusters, struck)
        own = replace(_of(history.on(each), window), repairs=whole.repairs)
        found += [own, _scaled(whole, share, followers)]
    return tuple(found)


def drawn_nodes(
    machine: int, count: int, sets: int, rng: np.random.Generator
) -> list[npt.NDArray[np.bool_]]:
    """Return random sets of so many nodes; shape (machine,) each."""
    found = []
    for _ in range(sets):
        drawn = np.zeros(machine, dtype=np.bool_)
        drawn[rng.choice(machine, size=count, replace=False)] = True
        found.append(drawn)
    return found


def _of(history: FailureHistory, window: float) -> FailureForecast:
    return forecast_failures(
        history.failures,
        observed_time=history.observed,
        window=window,
        repairs=history.ended_repairs,
    )


def _scaled(
    whole: FailureForecast, share: float, followers: tuple[FloatArray, ...]
) -> FailureForecast:
    return replace(whole, means=whole.means * share, followers=followers)


def _of_random_nodes(
    history: FailureHistory, clusters: list[npt.NDArray[np.int64]], count: int
) -> float:
    """Return how likely a cluster strikes so many random nodes, over all clusters, [-]."""
    hit = np.array([len(np.unique(history.nodes[cluster])) for cluster in clusters], np.int64)
    if not hit.size:
        return count / history.machine
    return float(chance_to_strike(hit, count, history.machine).mean())


def chance_to_strike(hit: npt.NDArray[np.int64], count: int, machine: int) -> FloatArray:
    """Return how likely failures of `hit` nodes strike one of `count` random nodes of a machine."""
    left = machine - np.arange(hit.max(initial=0))  # nodes that each in turn may be
    with np.errstate(divide="ignore"):
        missed = np.log1p(-np.minimum(count / np.maximum(left, 1), 1.0))
    return np.asarray(-np.expm1(np.append(0.0, np.cumsum(missed))[hit]))


def _followers(
    times: FloatArray,
    clusters: list[npt.NDArray[np.int64]],
    struck: npt.NDArray[np.bool_],
) -> tuple[FloatArray, ...]:
    """Return the lags of the other failures on these nodes, of each cluster that struck them."""
    found: list[FloatArray] = []
    for cluster in reversed(clusters):
        if (kept := times[cluster[struck[cluster]]]).size:
            found.append(kept[1:] - kept[0])
        if len(found) == CLUSTERS:
            break
    return tuple(reversed(found))


def _thinned(
    whole: FailureForecast,
    clusters: list[npt.NDArray[np.int64]],
    share: float,
    rng: np.random.Generator,
) -> FailureForecast:
    """Return the forecast where each failure strikes the job with the same probability."""
    sizes = np.array([cluster.size for cluster in clusters], np.float64)
    chance = float(np.mean(-np.expm1(sizes * math.log1p(-share)))) if sizes.size else share
    kept = []
    for lags in whole.followers:
        members = np.concatenate([[0.0], lags])
        members = members[rng.uniform(size=members.size) < share]
        if members.size:
            kept.append(members[1:] - members[0])
    return _scaled(whole, chance, tuple(kept))
