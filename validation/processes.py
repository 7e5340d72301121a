"""Play tasks on several processes, which end with the one that asked for them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TypeVar

__all__ = ["play"]

Task = TypeVar("Task")
Result = TypeVar("Result")
_AHEAD = 4  # tasks handed over per process: a wait takes time for each of them


def play(
    tasks: Iterable[Task], function: Callable[[Task], Result], *, workers: int
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, in the order in which they are finished.

    Parameters
    ----------
    tasks : iterable
        What `function` takes; other processes get a copy of each.
    function : callable
        A function of a module, so that other processes can import it.
    workers : int
        Number of processes; 1 means this one.
    """
    tasks = list(tasks)
    if workers == 1 or len(tasks) < 2:
        yield from ((task, function(task)) for task in tasks)
        return
    # An interrupt reaches the whole process group: the workers ignore it, the parent stops them.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _depend_on_parent)
    try:
        left = iter(tasks)
        waiting: dict[Future[Result], Task] = {}
        # Workers, which these tasks start, miss an interrupt until they ignore it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            waiting |= {
                pool.submit(function, task): task for task in islice(left, _AHEAD * workers)
            }
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        while waiting:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                done = waiting.pop(future)
                waiting.update({pool.submit(function, task): task for task in islice(left, 1)})
                yield done, future.result()
    except KeyboardInterrupt:  # which nobody waits minutes for
        for worker in active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _depend_on_parent() -> None:
    """Ignore interrupts, and end when the parent ends, because a killed parent stops no worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
