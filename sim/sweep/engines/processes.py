"""Processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from ..._checks import whole
from ...study.sharing import Parcel, parcel
from ...study.workers import ignore_interrupts, uninterrupted
from ..cells import Task
from ..ledger import Played
from ..playing import Play, play_tasks
from .engine import Answer, Engine


@contextmanager
def processes(play: Play, workers: int) -> Iterator[Engine]:
    """Open an engine of processes, which share the arrays of what they play.

    Parameters
    ----------
    play : callable
        ``play(parameters, seed)`` returns numbers by name; a function or an object that can be
        pickled.
    workers : int
        How many; >= 1. They end with this process, whatever ends it.

    Returns
    -------
    Engine
        For `sweep`, as a context: ``with processes(play, 2) as engine``.

    Raises
    ------
    ValueError
        If `workers` is < 1.
    """
    whole("workers", workers)
    with parcel(play) as packed:
        engine = _Processes(packed, workers)
        try:
            yield engine
        finally:
            engine.end()


class _Processes:
    group = None

    def __init__(self, packed: Parcel, workers: int) -> None:
        self._packed, self._workers = packed, workers
        self._pool = self._opened()
        self._under_way: dict[Future[list[Played]], Sequence[Task]] = {}

    @property
    def width(self) -> int:
        return 2 * self._workers  # so that none waits while an answer is written down

    def submit(self, tasks: Sequence[Task]) -> None:
        with uninterrupted():  # the first tasks start the processes
            try:
                future = self._pool.submit(_play, tasks)
            except BrokenProcessPool:
                future = Future()
                future.set_exception(BrokenProcessPool())
            self._under_way[future] = tasks

    def finished(self, timeout: float) -> list[Answer]:
        ended, _ = wait(self._under_way, timeout, FIRST_COMPLETED)
        if not ended and any(process.exitcode is not None for process in self._crew()):
            self._cut()
            ended, _ = wait(self._under_way)
        if any(isinstance(future.exception(), BrokenProcessPool) for future in ended):
            # One worker was killed, and with it the pool: all that is under way ends now.
            ended, _ = wait(self._under_way)
            self.end()
            self._pool = self._opened()
        answers = []
        for future in ended:
            tasks = self._under_way.pop(future)
            lost = isinstance(future.exception(), BrokenProcessPool)
            answers.append(Answer(tasks, () if lost else future.result()))
        return answers

    def end(self) -> None:
        self._cut()
        self._pool.shutdown(cancel_futures=True)

    def _crew(self) -> list[Any]:
        return list((self._pool._processes or {}).values())

    def _cut(self) -> None:
        """End all processes; the pool would wait for ever for an answer of which half has come."""
        for process in self._crew():
            process.terminate()
        queue: Any = self._pool._result_queue
        queue._writer.close()  # the last that holds it open

    def _opened(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context(),
            initializer=_begin,
            initargs=(self._packed,),
        )


_held: list[Play] = []  # what this worker plays; set once, before its first task


def _begin(packed: Parcel) -> None:
    ignore_interrupts()
    threading.Thread(target=_end_with_client, args=(packed,), daemon=True).start()
    _held.append(packed.opened())


def _end_with_client(packed: Parcel) -> None:
    client = multiprocessing.parent_process()
    assert client is not None
    client.join()
    packed.remove()  # for the client, which cannot
    os._exit(1)


def _play(tasks: Sequence[Task]) -> list[Played]:
    return play_tasks(_held[0], tasks)
