"""Which share of the failures each level survives: from what is stated of it, and what was seen.

Of the failures that no lower level survives, a level survives a share of its own. The belief in it
is a mixture of two beta laws: with probability 0.9 what is stated is right, and worth 15 failures;
else nothing is known but that most failures are survived. Failures that contradict the statement
make the first less likely, so that a wrong one is given up after some failures, however sure; the
price is some trust in a right one before the first failure. What durable checkpoints lose is linear
in the share that is not survived, so that the mean of the mixture minimises the expected loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Counts = Sequence[float]  # of failures, for each level: after how many it was the lowest read

_STATED = 15.0  # failures
_WRONG = 0.1  # probability, before the first failure, that what is stated is
_NOT_STATED = (2.0, 0.5)  # of a beta law, mean 0.8
_LEAST = 1e-9  # of a stated share and of its rest, so that neither is beyond doubt
_NEEDED = 1e-9  # least share of the failures that only the last level survives


def mean_survived(stated: Sequence[float], seen: Counts) -> tuple[float, ...]:
    """Return the mean share of the failures that each level survives; the last survives all.

    `stated` are those of the levels below the last, rising; `seen` counts one level more.
    """
    rest, found = 1.0, []
    for own, survived, others in _tries(stated, seen):
        holds = _holds(own, survived, others)
        known = _mean(*_law(own), survived, others)
        rest *= 1.0 - (holds * known + (1.0 - holds) * _mean(*_NOT_STATED, survived, others))
        found.append(min(1.0 - rest, 1.0 - _NEEDED))
    return (*found, 1.0)


def contradiction(stated: Sequence[float], seen: Counts) -> float:
    """Return how much likelier what was seen is if nothing is stated than if it is stated rightly.

    1 before the first failure. Where the statement is right its mean stays 1, so that it ever
    reaches c in at most one job of c, by Ville's inequality.
    """
    log = 0.0
    for own, survived, others in _tries(stated, seen):
        share = min(max(own, _LEAST), 1.0 - _LEAST)
        right = survived * math.log(share) + others * math.log1p(-share)
        log += _evidence(*_NOT_STATED, survived, others) - right
    return math.exp(min(log, 700.0))


def _tries(stated: Sequence[float], seen: Counts) -> list[tuple[float, float, float]]:
    """Return, of the failures that no lower level survives, the share stated and both counts."""
    found, below, left = [], 0.0, math.fsum(seen)
    for share, survived in zip(stated, seen, strict=False):
        left = max(left - survived, 0.0)
        found.append(((share - below) / (1.0 - below), survived, left))
        below = share
    return found


def _law(own: float) -> tuple[float, float]:
    share = min(max(own, _LEAST), 1.0 - _LEAST)
    return _STATED * share, _STATED * (1.0 - share)


def _mean(a: float, b: float, survived: float, others: float) -> float:
    return (a + survived) / (a + b + survived + others)


def _holds(own: float, survived: float, others: float) -> float:
    """Return the probability that what is stated of one level is right."""
    right = math.log1p(-_WRONG) + _evidence(*_law(own), survived, others)
    wrong = math.log(_WRONG) + _evidence(*_NOT_STATED, survived, others)
    return 1.0 / (1.0 + math.exp(min(wrong - right, 700.0)))


def _evidence(a: float, b: float, survived: float, others: float) -> float:
    """Return the logarithm of the probability of what was seen, by a beta law."""
    return _log_beta(a + survived, b + others) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
