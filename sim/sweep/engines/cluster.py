"""Workers of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..._checks import positive
from ..cells import Task
from ..ledger import Played
from ..playing import Play, play_tasks, same_versions, versions
from .engine import Answer, Engine

_TLS = {"ca": "tls_ca_file", "cert": "tls_client_cert", "key": "tls_client_key"}
_DEATHS = 1000  # workers that a task may outlive


@contextmanager
def cluster(
    play: Play,
    address: str,
    *,
    tls: Mapping[str, Path] | None = None,
    patience: float = 10.0,
) -> Iterator[Engine]:
    """Open an engine of the workers of a Dask scheduler.

    Parameters
    ----------
    play : callable
        As for `processes`; sent to each worker once.
    address : str
        Of the scheduler, such as ``tcp://scheduler:8786``. Scheduler and workers are trusted: what
        they answer is unpickled here, as what is sent is there.
    tls : mapping of str to Path, optional
        Files ``ca``, ``cert`` and ``key``, for an address that begins with ``tls://``: who talks
        to whom is then checked by certificates.
    patience : float, [s]
        How long to wait until the scheduler answers, and until it has a worker; > 0.

    Returns
    -------
    Engine
        For `sweep`, as a context. Results come to this process, which writes them down; workers
        may come and go, and tasks of those that are lost are played again.

    Raises
    ------
    ImportError
        If `distributed` is missing.
    ConnectionError
        If there is no scheduler at the address, it has no worker, or it is lost on the way; also
        where all workers are lost and none comes for `patience`.
    ValueError
        If a worker has other versions than this process; if `tls` does not have these files, or
        does not come with ``tls://``; if `patience` is not > 0.
    """
    positive("patience", patience)
    files = _files_of(address, tls)
    try:
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise ImportError(
            "a cluster needs distributed: pip install 'perfmodel[cluster-dask]'"
        ) from None
    with _silence():  # what is lost is told in our words, once
        security = Security(require_encryption=True, **files) if files else None
        client = _connected(Client, address, security, patience)
        try:
            with _answering(address):
                _prepare(client)
            yield _Cluster(client, play, address, patience)
        finally:
            with suppress(OSError):
                client.close(timeout=2.0)


@contextmanager
def _silence() -> Iterator[None]:
    """Print nothing of what distributed logs: it gives levels of their own to some loggers."""
    known = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in ("distributed", *known)]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@contextmanager
def _answering(address: str) -> Iterator[None]:
    """Say in our words that the scheduler was lost, at whatever point of a call it was."""
    try:
        yield
    except (OSError, CancelledError):
        raise ConnectionError(_lost(address)) from None


def _files_of(address: str, tls: Mapping[str, Path] | None) -> dict[str, str]:
    """Return the files of TLS by the names that Dask has for them; nothing without TLS."""
    if address.startswith("tls://") != (tls is not None):
        got = f"{'none' if tls is None else 'it'} with {address!r}"
        raise ValueError(f"tls must come with an address tls://..., and that with it, got {got}")
    if tls is None:
        return {}
    if sorted(tls) != sorted(_TLS):
        raise ValueError(f"tls must have {', '.join(_TLS)}, got {', '.join(sorted(tls)) or 'none'}")
    for name, path in tls.items():
        if not path.is_file():
            raise ValueError(f"tls must name readable files, got {name}={path}")
    return {_TLS[name]: str(path) for name, path in tls.items()}


def _connected(kind: Any, address: str, security: Any, patience: float) -> Any:
    try:
        client = kind(address, timeout=patience, set_as_default=False, security=security)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"cluster must be the address of a Dask scheduler, got {address!r} ({_brief(error)})"
        ) from None
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        client.close()
        raise ConnectionError(_deserted(address)) from None
    return client


def _prepare(client: Any) -> None:
    """Tell the scheduler that workers may be lost; refuse workers of other versions."""
    client.run_on_scheduler(_be_patient)
    ours = versions()
    for worker, theirs in client.run(_theirs).items():
        same_versions(ours, theirs, worker)


def _theirs() -> dict[str, str]:
    return versions()


def _be_patient(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = _DEATHS


def _brief(error: BaseException) -> str:
    return " ".join(str(error).split())[:100]


@dataclass(frozen=True, slots=True)
class _Sent:
    """What a worker gets: what to play, and the versions that this takes."""

    play: Play
    versions: dict[str, str]


def _play(sent: _Sent, tasks: Sequence[Task]) -> list[Played]:
    same_versions(sent.versions, versions(), "a worker that came later")
    return play_tasks(sent.play, tasks)


class _Cluster:
    group = None

    def __init__(self, client: Any, play: Play, address: str, patience: float) -> None:
        self._client, self._address, self._patience = client, address, patience
        self._sent = _Sent(play, versions())
        self._held = self._scattered()
        self._under_way: dict[Any, Sequence[Task]] = {}

    @property
    def width(self) -> int:
        with _answering(self._address):
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return max(1, 2 * int(sum(worker["nthreads"] for worker in workers)))

    def submit(self, tasks: Sequence[Task]) -> None:
        self._check()
        with _answering(self._address):
            future = self._client.submit(_play, self._held, list(tasks), pure=False)
        self._under_way[future] = tasks

    def finished(self, timeout: float) -> list[Answer]:
        from distributed import wait

        try:
            with self._client.as_current():
                wait(list(self._under_way), timeout=timeout, return_when="FIRST_COMPLETED")
        except (OSError, CancelledError):  # the time is over, or a worker or the scheduler lost
            pass
        self._check()
        answers = []
        for future in [future for future in self._under_way if future.done()]:
            tasks = self._under_way.pop(future)
            answers.append(Answer(tasks, self._result(future)))
        return answers

    def _result(self, future: Any) -> Sequence[Played]:
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        error = None
        try:
            if future.status == "finished":
                found: Sequence[Played] = future.result()
                return found
            if future.status == "error":
                error = future.exception()
        except (CancelledError, KilledWorker):
            pass  # a worker was lost with the result that it had; or the scheduler, as seen below
        except OSError:
            raise ConnectionError(_lost(self._address)) from None
        if error is not None and not isinstance(error, KilledWorker | CommClosedError):
            raise error
        self._check()
        self._held = self._scattered()  # it may have been on the worker that is lost
        return ()

    def _scattered(self) -> Any:
        how = {"broadcast": True, "hash": False, "timeout": self._patience}
        with _answering(self._address):
            try:
                return self._client.scatter(self._sent, **how)
            except TimeoutError:
                nobody = ConnectionError(_deserted(self._address))
        raise nobody

    def _check(self) -> None:
        if self._client.status != "running":
            raise ConnectionError(_lost(self._address))


def _deserted(address: str) -> str:
    return f"cluster must have a worker, got none at {address}: dask worker {address} starts one"


def _lost(address: str) -> str:
    return (
        f"the scheduler at {address} must stay until the end, got no answer: start one, and run "
        "the same command again to go on"
    )
