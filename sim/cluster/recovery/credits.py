"""Virtual credits, so that users do not always ask for the best recovery (`aucore` III-C).

Every finished job is charged ``B = (alpha_i - beta) T N`` credits: the price of its option less
the allowance that came with it, for its real running time T [h] on N nodes. A balance never
exceeds the deposit limit M, the rest is forfeited, and never falls below minus the overdraft
limit M'. What an option may cost at most, by its walltime, is held back at submission; an option
that the account cannot afford is replaced by the most expensive one that it can. A job that runs
past its walltime may cost more than was held: what the account cannot pay, beside what it holds for
other jobs, is waived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..._checks import nonnegative, one_of


@dataclass(frozen=True, slots=True)
class Prices:
    """What recovery costs at a site.

    Parameters
    ----------
    per_node_hour : mapping of str to float
        alpha of each option, [credit / node h]; >= 0, the cheapest at most `allowance`.
    allowance : float, [credit / node h]
        beta, granted with every job; >= 0.
    deposit_limit, overdraft_limit : float, [credit]
        M and M'; >= 0.
    """

    per_node_hour: Mapping[str, float]
    allowance: float
    deposit_limit: float
    overdraft_limit: float

    def __post_init__(self) -> None:
        for name in ("allowance", "deposit_limit", "overdraft_limit"):
            nonnegative(name, getattr(self, name))
        for option, price in self.per_node_hour.items():
            if not 0.0 <= price < np.inf:
                raise ValueError(f"price must be finite and >= 0, got {price!r} for {option}")
        cheapest = min(self.per_node_hour.values(), default=np.inf)
        if not cheapest <= self.allowance:
            raise ValueError(
                f"price must be <= allowance for one option at least, got {cheapest!r}"
            )

    def net(self, option: str) -> float:
        """Return alpha - beta of an option, [credit / node h]."""
        return self.per_node_hour[option] - self.allowance


@dataclass(frozen=True, slots=True)
class Charge:
    """What one job did to its account, [credit]: less `charged` and `forfeited`, plus `waived`."""

    user: int
    wanted: str
    granted: str
    node_hours: float
    charged: float
    forfeited: float  # above the deposit limit
    waived: float  # beyond the overdraft limit
    balance: float  # afterwards


@dataclass(slots=True)
class Accounts:
    """One account per user, opened empty; jobs are admitted, and settled when they end."""

    prices: Prices
    balance: dict[int, float] = field(default_factory=dict)
    held: dict[int, float] = field(default_factory=dict)
    charges: list[Charge] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)  # the job of each charge
    _open: dict[int, tuple[int, str, str, float]] = field(default_factory=dict)

    def admit(self, job: int, user: int, wanted: str, node_hours: float) -> str:
        """Hold back what a job may cost at most; return the option it gets.

        `node_hours` is by its walltime. The most expensive option not above the wanted one that
        the account can pay is granted; the cheapest never costs anything.
        """
        prices = self.prices
        one_of("wanted", wanted, prices.per_node_hour)
        available = self.balance.get(user, 0.0) - self.held.get(user, 0.0) + prices.overdraft_limit
        limit = prices.per_node_hour[wanted]
        affordable = {
            option: price
            for option, price in prices.per_node_hour.items()
            if price <= limit and max(prices.net(option), 0.0) * node_hours <= available
        }
        if wanted in affordable:
            granted = wanted
        elif affordable:
            granted = max(affordable, key=lambda option: affordable[option])
        else:
            granted = min(prices.per_node_hour, key=lambda option: prices.per_node_hour[option])
        hold = max(prices.net(granted), 0.0) * node_hours
        self.held[user] = self.held.get(user, 0.0) + hold
        self._open[job] = (user, wanted, granted, hold)
        return granted

    def settle(self, job: int, node_hours: float) -> Charge:
        """Charge a job that ended, by its real `node_hours`, and release what was held back.

        The balance stays above minus the overdraft limit, and above it by what is held for others.
        """
        user, wanted, granted, hold = self._open.pop(job)
        self.held[user] -= hold
        charged = self.prices.net(granted) * node_hours
        before = self.balance.get(user, 0.0)
        affordable = before + self.prices.overdraft_limit - self.held[user]
        waived = max(charged - max(affordable, hold), 0.0)
        after = min(before - charged + waived, self.prices.deposit_limit)
        charge = Charge(
            user=user,
            wanted=wanted,
            granted=granted,
            node_hours=node_hours,
            charged=charged,
            forfeited=before - charged + waived - after,
            waived=waived,
            balance=after,
        )
        self.balance[user] = after
        self.charges.append(charge)
        self.settled.append(job)
        return charge
