"""Markov chains with finitely many states, computed without a subtraction.

Every entry of a result is a sum of products of rates that are not negative, so that it keeps its
digits however rare what it counts is.
"""

from __future__ import annotations

import numpy as np

from .._checks import FloatArray

_TERMS = 20  # of the exponential series at 1/2: the rest is below 1e-24


def absorption(
    rates: FloatArray, exits: FloatArray, stay: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return where a chain leaves from each state, and what it has collected by then.

    Parameters
    ----------
    rates : ndarray, [1/time]
        From state to state, or probabilities; its diagonal is ignored. Shape (n, n).
    exits : ndarray, [1/time]
        From a state to each way out. Shape (n, k).
    stay : ndarray
        What a state collects per unit of time, or per visit without its returns to itself.
        Shape (n, m).
    """
    # In units of the longest stay, of which no multiple overflows before the last line.
    unit = np.frexp(stay.max(axis=0, initial=0.0))[1]
    inner, out, collected = rates.copy(), exits.copy(), np.ldexp(stay, -unit)
    size = len(inner)
    leaving = np.empty(size)
    # States are taken out one by one; the rate of leaving is a sum, never a difference from 1.
    for last in range(size - 1, -1, -1):
        ahead, ways = inner[last, :last], out[last]
        leaving[last] = ahead.sum() + ways.sum()
        if last:
            share = inner[:last, last] / leaving[last]
            inner[:last, :last] += np.outer(share, ahead)
            out[:last] += np.outer(share, ways)
            collected[:last] += np.outer(share, collected[last])
    for first in range(size):
        before = inner[first, :first]
        out[first] = (out[first] + before @ out[:first]) / leaving[first]
        collected[first] = (collected[first] + before @ collected[:first]) / leaving[first]
    with np.errstate(over="ignore"):  # what is hardly ever left collects without end
        return out, np.ldexp(collected, unit)


def stationary(rates: FloatArray) -> FloatArray:
    """Return the long-run shares of the states; the diagonal of `rates` is ignored. Shape (n,)."""
    inner = rates.copy()
    size = len(inner)
    for last in range(size - 1, 0, -1):
        inner[:last, last] /= inner[last, :last].sum()
        inner[:last, :last] += np.outer(inner[:last, last], inner[last, :last])
    shares = np.ones(size)
    for place in range(1, size):
        shares[place] = shares[:place] @ inner[:place, place]
        shares[: place + 1] /= shares[: place + 1].sum()
    return shares


def killed_after(rates: FloatArray, kill: float, span: float) -> tuple[FloatArray, FloatArray]:
    """Return the chances to be in each state at the end of `span`, and at a failure before it.

    The failure strikes at rate `kill` in every state. Two arrays of shape (n, n).
    """
    size = len(rates)
    leaving = rates.sum(axis=1) + kill
    fastest = float(leaving.max())
    halvings = max(0, int(np.ceil(np.log2(max(2.0 * fastest * span, 1.0)))))
    step = span * 0.5**halvings
    # Steps of a chain that also stays where it is: none of its entries is negative.
    moves = rates * step + np.diag((fastest - leaving) * step)
    alive = term = np.eye(size)
    dead = struck = np.zeros((size, size))
    for place in range(1, _TERMS):
        # The dead stay dead, which counts as `fastest` steps.
        struck = (term * (kill * step) + struck * (fastest * step)) / place
        term = term @ moves / place
        alive, dead = alive + term, dead + struck
    for doubling in range(halvings + 1):
        if doubling:
            alive, dead = alive @ alive, dead + alive @ dead
        # Rounding must not grow with the number of steps: all chances add up to 1.
        total = alive.sum(axis=1, keepdims=True) + dead.sum(axis=1, keepdims=True)
        alive, dead = alive / total, dead / total
    return alive, dead
