"""The phases of a job, and the time that goes to each kind of phase."""

from __future__ import annotations

from collections.abc import Callable

from ..engine import Engine, Handle


class Phases:
    """Phases on an engine; each names the account its time is booked to, whole or cut short.

    Parameters
    ----------
    engine : Engine
        Whose clock they take.
    accounts : str
        Names of all accounts, whether phases have them or not.
    """

    def __init__(self, engine: Engine, *accounts: str) -> None:
        self._engine = engine
        self.spent = dict.fromkeys(accounts, 0.0)
        self.account = ""
        self._since = 0.0
        self._end = Handle(0.0, lambda: None)

    @property
    def elapsed(self) -> float:
        """Time since the present phase began."""
        return self._engine.now - self._since

    def enter(self, account: str, duration: float, then: Callable[[], None]) -> None:
        """Begin a phase; after `duration`, unless interrupted, book it and go on to `then`."""
        self.account, self._since = account, self._engine.now

        def leave() -> None:
            self._book()
            then()

        self._end = self._engine.schedule(duration, leave)

    def interrupt(self) -> None:
        """End the present phase before its time."""
        self._end.cancel()
        self._book()

    def _book(self) -> None:
        self.spent[self.account] += self.elapsed
