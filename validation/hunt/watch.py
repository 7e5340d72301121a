"""One check of one call under watch: what it raises, warns of, and how long it takes."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from perfmodel.validity import ValidityWarning

from .checks import refusal_complaint

__all__ = ["watched"]


class _TooLongError(BaseException):
    """Raised in the middle of a call that takes too long; no handler of the call catches it."""


def watched(complaint: Callable[[], str], *, lawful: bool, seconds: float) -> str:
    """Return the complaint, or what came of asking for it.

    Parameters
    ----------
    complaint : callable
        The check, with its call bound.
    lawful : bool
        Whether the docstring allows the call; otherwise a refusal is as good as an answer.
    seconds : float, [s]
        Time of the processor that the check may take.
    """
    try:
        with warnings.catch_warnings(), _clock(seconds):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ValidityWarning)
            return complaint()
    except _TooLongError:
        return f"takes longer than {seconds:g} s"
    except Warning as warning:
        return f"warns {type(warning).__name__}: {warning}"
    except (ValueError, TypeError) as error:
        words = refusal_complaint(error)
        if not words and lawful:
            return f"refuses lawful arguments: {error}"
        return words
    except Exception as error:  # whatever it is, it is a finding
        return f"raises {type(error).__name__}: {error}"


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    # Time of the process, not of the wall: other work on the machine is not its fault.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
