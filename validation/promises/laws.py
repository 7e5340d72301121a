"""What an entry states, as equally likely makespans, and the limits within which it is asked."""

from __future__ import annotations

import inspect
import resource
import socket
from collections.abc import Callable
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import perfmodel.forecasts

from .windows import History, Job

__all__ = ["CODE", "CPU_S", "Forecaster", "Refused", "code_hash", "code_of", "draws_of", "limited"]

FloatArray = npt.NDArray[np.float64]
Forecaster = Callable[[History, Job], Any]
CPU_S, WALL_S, MEMORY, CODE = 2.0, 30.0, 1 << 30, 100_000  # [s], [s], bytes and bytes
_FEWEST = 200
_LEVELS = (np.arange(1000) + 0.5) / 1000.0
_EVERY = 20  # windows of which one is asked twice


class Refused(Exception):  # noqa: N818 - an entry did, nothing is wrong here
    """An entry stated no law: it crashed, took too long, or said what is none."""


def draws_of(law: Any, job: Job) -> FloatArray:
    """Return a law as equally likely makespans: 200 draws or more as they are, or its `cdf`."""
    if hasattr(law, "cdf"):
        segments = np.ceil(job.work / job.interval * (1.0 - 1e-12))
        least = job.work + segments * job.checkpoint_cost
        later = np.concatenate([[0.0], np.geomspace(1e-6, 1.0, 2000)])
        grid = least + later * max(job.longest - least, 0.0)
        at = np.searchsorted(np.maximum.accumulate(_held(law, grid)), _LEVELS)
        draws = np.append(grid, job.longest)[at]
    else:
        draws = np.asarray(law, dtype=np.float64)
    if draws.ndim != 1 or len(draws) < _FEWEST or np.isnan(draws).any():
        raise Refused(f"a law must be {_FEWEST} makespans or more, got shape {draws.shape}")
    return np.asarray(np.minimum(draws, job.longest))


def _held(law: Any, times: FloatArray) -> FloatArray:
    """Return a cdf at times, whether it takes them together or one by one."""
    try:
        return np.asarray(law.cdf(times), dtype=np.float64)
    except (TypeError, ValueError):
        return np.array([float(law.cdf(each)) for each in times])


def code_of(entry: Forecaster) -> bytes:
    """Return the source of the module of an entry."""
    return Path(inspect.getfile(entry)).read_bytes()


def code_hash(entry: Forecaster) -> str:
    """Return what tells the code of an entry from another, that of `perfmodel.forecasts` too."""
    files = sorted(Path(perfmodel.forecasts.__path__[0]).glob("*.py"))
    code = [code_of(entry), *(path.read_bytes() for path in files)]
    return sha256(b"\0".join(code)).hexdigest()[:12]


def limited(entry: Forecaster) -> Forecaster:
    """Return an entry that is asked in a process of its own, and held to its limits.

    It has 2 s of a processor and 1 GB beside what is loaded, no sockets, and remembers nothing; one
    window in twenty is asked twice, and must have the same answer.
    """

    def ask(history: History, job: Job) -> FloatArray:
        first = _asked_apart(entry, history, job)
        if job.seed % _EVERY == 0:
            again = _asked_apart(entry, history, job)
            if not np.array_equal(first, again):
                raise Refused("an entry must be deterministic, got two answers")
        return first

    return ask


def _asked_apart(entry: Forecaster, history: History, job: Job) -> FloatArray:
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(entry, history, job, there), daemon=True)
    child.start()
    there.close()
    try:
        answer = here.recv() if here.poll(WALL_S) else "no answer in time"
    except EOFError:
        answer = f"ended without an answer, after {CPU_S:g} s of a processor or sooner"
    finally:
        child.kill()
        child.join()
        here.close()
    if isinstance(answer, str):
        raise Refused(answer)
    return np.asarray(answer)


def _answer(entry: Forecaster, history: History, job: Job, there: Any) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(CPU_S), int(CPU_S)))
    setattr(socket, "socket", None)  # noqa: B010
    try:
        there.send(draws_of(entry(history, job), job))
    except BaseException as error:
        there.send(f"{type(error).__name__}: {error}")
