"""Processes that play tasks and hand back what each gave, as it ends."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeAlias

from .sharing import Parcel, parcel

__all__ = ["Numbers", "Play", "Task", "ignore_interrupts", "players", "uninterrupted"]

Numbers: TypeAlias = "Mapping[str, int | float | str]"
Task: TypeAlias = "tuple[str, int]"  # cell and seed
Play: TypeAlias = "Callable[[str, int], Numbers]"
Crew: TypeAlias = "Callable[[Iterable[Task]], Iterator[tuple[Task, Numbers]]]"


class _Worker(NamedTuple):
    process: Any  # differs by the way in which processes are started
    line: Connection


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait: processes that are started meanwhile miss it until they ignore it.

    A mask of signals is handed down to them. Here it is not enough: any other thread may be handed
    the signal, whose handler runs in the main thread then.
    """
    struck: list[int] = []
    first = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if first:
        signal.signal(signal.SIGINT, lambda number, _: struck.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if first:
            signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if struck:
            os.kill(os.getpid(), signal.SIGINT)


def ignore_interrupts() -> None:
    """Let Ctrl-C, which strikes all processes of a terminal, be decided by the one that began."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def players(play: Play, workers: int) -> Iterator[Crew]:
    """Give a function that plays tasks in `workers` processes, this one alone for 1.

    Processes have ended when this is left, whatever the reason. One that was killed raises
    ChildProcessError; what `play` raises is raised here.
    """
    if workers == 1:
        yield lambda tasks: ((task, play(*task)) for task in tasks)
        return
    crew: list[_Worker] = []
    with parcel(play) as packed:
        try:
            yield lambda tasks: _shared_out(tasks, crew, packed, workers)
        finally:
            for worker in crew:
                worker.process.terminate()
            for worker in crew:
                worker.process.join()
                worker.line.close()


def _hired(packed: Parcel) -> _Worker:
    line, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_work, args=(packed, theirs), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, line)


def _shared_out(
    tasks: Iterable[Task], crew: list[_Worker], packed: Parcel, workers: int
) -> Iterator[tuple[Task, Numbers]]:
    """Play the tasks; the crew grows to as many `workers` as there are tasks at once."""
    tasks = list(tasks)
    for _ in range(len(crew), min(workers, len(tasks))):
        with uninterrupted():
            crew.append(_hired(packed))
    waiting = iter(tasks)
    idle, busy = list(crew), dict[Connection, tuple[_Worker, Task]]()
    while True:
        while idle and (task := next(waiting, None)) is not None:
            worker = idle.pop()
            with suppress(BrokenPipeError):  # killed while idle: seen below
                worker.line.send(task)
            busy[worker.line] = worker, task
        if not busy:
            return
        for line in wait(list(busy)):
            assert isinstance(line, Connection)
            worker, task = busy.pop(line)
            yield task, _answer(worker)
            idle.append(worker)


def _answer(worker: _Worker) -> Numbers:
    try:
        numbers, error = worker.line.recv()
    except (EOFError, OSError):  # of which the second is one that was cut off
        worker.process.join()
        raise ChildProcessError(
            "workers must live until their replays end, got one that ended with code "
            f"{worker.process.exitcode}; where memory is short, use fewer"
        ) from None
    if error is not None:
        raise error
    given: Numbers = numbers
    return given


def _work(packed: Parcel, line: Connection) -> None:
    """Play what comes along the line until the process that sends it ends this one."""
    ignore_interrupts()
    sender = multiprocessing.parent_process()
    assert sender is not None
    play: Play = packed.opened()
    while sender.sentinel not in wait([line, sender.sentinel]):
        answer: tuple[Numbers, Exception | None]
        try:
            answer = dict(play(*line.recv())), None
        except Exception as error:
            answer = {}, _sendable(error)
        with suppress(BrokenPipeError):  # the sender was killed
            line.send(answer)
    packed.remove()  # for the sender, which cannot


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
