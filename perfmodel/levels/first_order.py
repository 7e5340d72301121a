r"""The pattern of checkpoints on several levels that is best to first order in the failures."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..formula import Formula, Trend
from ..validity import Range
from .many import Level, checked_for_a_pattern
from .pattern import LevelPattern

_LEAST_RATE = 1e-12  # of all failures


def optimal_pattern_levels_first_order(
    levels: Sequence[Level],
    *,
    mtbf: float,
    downtime: float = 0.0,
) -> LevelPattern:
    r"""Levels, counts and interval of long jobs to first order in the failures.

    .. math::
        \min_{W_1 \le W_2 \le \ldots} \sum_k \frac{c_k - c_{k-1}}{W_k} + \frac{\lambda_k W_k}{2},
        \quad W_k = \sqrt{\frac{2 (c_k - c_{k-1})}{\lambda_k}}, \quad
        w = \sqrt{2 \sum_k \frac{c_k - c_{k-1}}{P_k} \Big/ \sum_k \lambda_k P_k}

    with lambda_k the rate of the failures that level k survives and the one before does not, W_k
    the work between two checkpoints on level k or above, and P_k = W_k/w whole numbers. Neighbours
    whose W_k would not rise are taken together: all but the last of them are left out.

    Parameters
    ----------
    levels : sequence of Level, [-]
        From the cheapest to the last, which survives all failures.
    mtbf : float, [time]
        Mean uptime between failures of any kind, repair excluded; > 0.
    downtime : float, [time]
        Fixed, after each failure; >= 0.

    Returns
    -------
    LevelPattern
        `interval` [time] and `counts` [-]; `efficiency` [-] is the exact one of this pattern.

    Raises
    ------
    ValueError
        If levels are not sorted by the failures that they survive, or the last does not survive
        all, or the one before it does so, too; or if a cost is not from 1e-8 to 100 mtbf, or a
        recovery above that.

    Warns
    -----
    ValidityWarning
        Beyond (cost or recovery)/mtbf = 0.01.

    Notes
    -----
    Approximation, for the rule "reinstated". Interval and counts depend on costs and rates alone;
    the ratio of two W_k is rounded to whichever neighbour is better to first order. A last level
    that no failure needs is taken to be needed by one in 1e12. With every
    cost and recovery up to 0.01 mtbf a long job takes at most 1 % longer than by the pattern of
    `optimal_pattern_levels`, whose efficiency over this one's tells by how much. By the rule
    "escalate" it may take half as long again: a failure that strikes a recovery gives up a level.
    Source: derived in tests/derivations/test_levels.py; [1]_ has such counts and was not read.

    Judged for cost/mtbf 1e-5 to 0.1, recovery/mtbf 1e-5 to 0.1, downtime/mtbf 1e-5 to 0.1. Times
    must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, A. Cavelan, V. Le Fevre, Y. Robert and H. Sun, "Towards optimal multi-level
       checkpointing", IEEE Transactions on Computers 66, 2017.

    Examples
    --------
    >>> rates = (7.78e-6, 5.19e-7)
    >>> levels = [Level(9.0, 9.0, rates[0] / sum(rates)), Level(438.0, 438.0, 1.0)]
    >>> found = optimal_pattern_levels_first_order(levels, mtbf=1 / sum(rates), downtime=60.0)
    >>> round(found.interval, 2), found.counts
    (1511.33, (26,))
    """
    machine = checked_for_a_pattern(levels, mtbf=mtbf, downtime=downtime, rule="reinstated")
    span = 1.0 / machine.rate
    largest = max(max(level.cost, level.recovery) for level in machine.levels) / span
    FIRST_ORDER_RANGE.warn("optimal_pattern_levels_first_order", np.asarray(largest))
    # In mtbfs; a level that costs more than one above it is not used.
    costs = [level.cost / span for level in machine.levels]
    costs = [min(costs[k:]) for k in range(len(costs))]
    more = [cost - before for before, cost in itertools.pairwise([0.0, *costs])]
    blocks = _pooled(
        _Block(k, cost, kind)
        for k, (cost, kind) in enumerate(zip(more, machine.kinds, strict=True))
    )
    interval, every = _rounded(blocks)
    counts = [0] * (len(costs) - 1)
    for block, times in zip(blocks, every, strict=False):
        counts[block.level] = times - 1
    time = float(machine.pattern_time(np.asarray(span * interval), [np.asarray(n) for n in counts]))
    work = span * interval * math.prod(1 + n for n in counts)
    return LevelPattern(span * interval, tuple(counts), work / time)


@dataclass(frozen=True, slots=True)
class _Block:
    """A level with those before it that are left out; cost in mtbfs, share of the failures."""

    level: int
    cost: float
    share: float

    def rises_to(self, other: _Block) -> bool:
        """Return whether the work between checkpoints is longer on the other level."""
        return self.cost * other.share < other.cost * self.share


def _pooled(levels: Iterable[_Block]) -> list[_Block]:
    """Return the levels that are used, of rising work between their checkpoints."""
    blocks: list[_Block] = []
    for level in levels:
        blocks.append(level)
        while len(blocks) > 1 and not blocks[-2].rises_to(blocks[-1]):
            above, below = blocks.pop(), blocks.pop()
            blocks.append(_Block(above.level, below.cost + above.cost, below.share + above.share))
    return [_Block(b.level, b.cost, max(b.share, _LEAST_RATE)) for b in blocks]


def _rounded(blocks: list[_Block]) -> tuple[float, tuple[int, ...]]:
    """Return the interval, in mtbfs, and how many checkpoints of each level one above holds."""
    ratios = [
        math.sqrt(above.cost / above.share * (below.share / below.cost))
        for below, above in itertools.pairwise(blocks)
    ]
    best: tuple[float, float, tuple[int, ...]] | None = None
    for up in itertools.product((0, 1), repeat=len(ratios)):
        every = tuple(max(math.floor(r), 1) + more for r, more in zip(ratios, up, strict=True))
        places = [math.prod(every[:k]) for k in range(len(blocks))]
        cost = math.fsum(block.cost / place for block, place in zip(blocks, places, strict=True))
        lost = math.fsum(block.share * place for block, place in zip(blocks, places, strict=True))
        if best is None or cost * lost < best[0]:
            best = cost * lost, math.sqrt(2.0 * cost / lost), every
    assert best is not None
    return best[1], best[2]


# The regret, measured in validation/subjects/levels/first_order.py.
FIRST_ORDER_RANGE = Range("(cost or recovery)/mtbf", limit=0.01, error=0.01, as_regret=True)

ROWS = (
    Formula(
        optimal_pattern_levels_first_order,
        "benoit2017",
        "first order, not read",
        "approximation",
        FIRST_ORDER_RANGE,
        ranges={
            "cost/mtbf": (1e-5, 0.1),
            "recovery/mtbf": (1e-5, 0.1),
            "downtime/mtbf": (1e-5, 0.1),
        },
        trend=Trend(),
    ),
)
