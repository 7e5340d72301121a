"""Run one check of one call and report its errors, its warnings and a time too long."""

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


def watched(complaint: Callable[[], str], *, allowed: bool, seconds: float) -> str:
    """Return the complaint, or the error, warning or excess of time of the check itself.

    Parameters
    ----------
    complaint : callable
        The check, with its call bound.
    allowed : bool
        Whether the docstring allows the call; if it does not, an error is right as well.
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
        if not words and allowed:
            return f"refuses allowed arguments: {error}"
        return words
    except Exception as error:  # whatever it is, it is a finding
        return f"raises {type(error).__name__}: {error}"


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    # Processor time, because other work on the machine lengthens the wall time.
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
