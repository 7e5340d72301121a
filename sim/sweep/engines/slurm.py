"""Jobs that Slurm runs, submitted by submitit."""

from __future__ import annotations

import io
import logging
import math
import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, suppress
from itertools import takewhile
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Any

from ..._checks import one_of, positive, whole
from ..cells import Task
from ..ledger import Played
from ..playing import Play, play_tasks, same_versions, versions
from .engine import Answer, Engine
from .journal import key_of, noted, noting, place_of

SBATCH_OPTIONS = (
    *("account", "comment", "constraint", "cpus-per-task", "exclude", "gres", "licenses", "mem"),
    *("mem-per-cpu", "nice", "nodelist", "partition", "qos", "reservation"),
)
_CLUSTERS = ("slurm", "local", "debug")
_NAME = "perfmodel-sweep"
_PLAY = "play.pkl"
_NOTICE = 90.0  # s before its time is over in which a job is told so
_SELDOM = 10  # pauses between two looks at the queue; in which a result of an ended job is seen
_OVER = (  # states of a job that runs no more, by squeue
    *("BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY"),
    *("PREEMPTED", "REVOKED", "TIMEOUT"),
)
_UNKNOWN = "forgotten"  # some minutes after its end
_ANSWER = 60.0  # s in which the controller answers, or is taken not to
_END = 10.0  # s until processes of this machine have ended


@contextmanager
def slurm(
    play: Play,
    folder: Path,
    *,
    tasks: int = 100,
    jobs: int = 100,
    time: float = 3600.0,
    cluster: str = "slurm",
    setup: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    pause: float = 2.0,
) -> Iterator[Engine]:
    """Open an engine that submits jobs to Slurm, as arrays.

    Parameters
    ----------
    play : callable
        As for `processes`; written to the folder once.
    folder : Path
        On a disk that all nodes share: what is sent, what comes back, and logs. What is sent is
        code that jobs run, so that nobody else may enter it; nor should others be able to replace
        it, by writing to the folder in which it is. Emptied at the
        end, but for the logs of a job that died. Each job also notes its results there, so that a
        call after one that was killed has them.
    tasks : int
        How many a job plays; >= 1.
    jobs : int
        How many are queued or run at once; >= 1.
    time : float, [s]
        Limit of a job; >= 60. Shortly before it ends, or when it is preempted, a job hands back
        what it has; the rest is submitted again.
    cluster : str
        ``slurm``; ``local`` or ``debug`` to try it with processes of this machine or in this one.
    setup : sequence of str
        Lines of shell that a job runs first, such as ``module load python``.
    options : mapping of str to str, optional
        Of ``sbatch``, by their names: `SBATCH_OPTIONS`.
    pause : float, [s]
        Between two looks for results, which are files that all nodes share; > 0. The queue is
        asked every tenth time.

    Returns
    -------
    Engine
        For `sweep`, as a context. Results come to this process, which writes them down; jobs that
        are left at the end are cancelled.

    Raises
    ------
    ImportError
        If `submitit` is missing.
    ValueError
        If an argument is outside its range, or an option has another name; if the folder is there
        and others own it or may enter it.
    ConnectionError
        If Slurm is not on this machine or does not take a job.
    ChildProcessError
        If a job dies; what others have brought by then is written down.
    """
    whole("tasks", tasks)
    whole("jobs", jobs)
    one_of("cluster", cluster, _CLUSTERS)
    if not positive("time", time) >= 60.0:
        raise ValueError(f"time must be >= 60, got {time!r}")
    positive("pause", pause)
    asked = dict(options or {})
    for name in asked:
        one_of("name of an option", name, SBATCH_OPTIONS)
    try:
        import submitit
    except ImportError:
        raise ImportError("Slurm needs submitit: pip install 'perfmodel[cluster-slurm]'") from None
    noise = logging.getLogger("submitit")
    before = noise.level
    noise.setLevel(logging.CRITICAL + 1)  # what is lost is told in our words, once
    _own_folder(folder)
    place = Path(mkdtemp(prefix="sweep-", dir=folder.absolute()))
    engine, results, ended = None, None, False
    try:
        executor = _executor(submitit, place, cluster)
        executor.update_parameters(
            name=_NAME,
            timeout_min=math.ceil(time / 60.0),
            slurm_array_parallelism=jobs,
            slurm_signal_delay_s=round(min(_NOTICE, time / 4.0)),
            slurm_setup=list(setup) or None,
            slurm_additional_parameters=asked or None,
        )
        sent = _packed(play)
        (place / _PLAY).write_bytes(sent)
        results = place_of(folder.absolute(), sent)
        _own_folder(results)
        engine = _Jobs(executor, place, results, tasks=tasks, width=jobs, pause=pause)
        yield engine
        ended = True
    finally:
        if engine is not None:
            engine.end()
        if engine is None or not engine.died:
            shutil.rmtree(place, ignore_errors=True)
            # Else they are of use for the next call.
            if results is not None and (ended or not noted(results)):
                shutil.rmtree(results, ignore_errors=True)
            with suppress(OSError):  # another command may use it
                folder.rmdir()
        noise.setLevel(before)


def _own_folder(folder: Path) -> None:
    """Make a folder that its owner alone may enter, or refuse one that is another's."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise ValueError(f"folder must be a folder, got {folder}, which is a file or a link")
    if found.st_uid != os.geteuid():
        raise ValueError(f"folder must be yours, got {folder} of user {found.st_uid}: name another")
    if found.st_mode & 0o077:
        raise ValueError(
            f"folder must be open to you alone, got {folder} of mode {found.st_mode & 0o777:o}: "
            "jobs run what is in it; name another, or look what is in it and chmod 700"
        )


def _executor(library: Any, place: Path, cluster: str) -> Any:
    try:
        return library.AutoExecutor(folder=place, cluster=cluster)
    except RuntimeError as error:
        raise ConnectionError(
            f"Slurm must be on this machine, got {_brief(error)!r}: run the command on a login "
            "node, or with cluster=local to try it here"
        ) from None


def _packed(play: Play) -> bytes:
    import cloudpickle  # with submitit; it takes what is defined in a script too

    sent: bytes = cloudpickle.dumps((play, versions()))
    return sent


def _play(path: str, results: str, tasks: Sequence[Task]) -> list[Played]:
    """Play tasks in a job, until all are done or it is told that its time is over."""
    import pickle

    import submitit

    told = []
    number = getattr(signal, f"SIG{submitit.JobEnvironment.USR_SIG}")
    # In place of submitit's own, which raises in the middle of a task: that would be its result.
    usual = signal.signal(number, lambda *_: told.append(True))
    try:
        with Path(path).open("rb") as file:
            play, wanted = pickle.load(file)
        same_versions(wanted, versions(), os.uname().nodename)
        played: list[Played] = []
        with noting(Path(results)) as note:
            for task in tasks:
                played += play_tasks(play, [task])
                note(played[-1])
                if told:
                    break
        return played
    finally:
        if usual is signal.SIG_DFL:  # in the client, for debug; a job ends, and is told no more
            signal.signal(number, usual)


class _Jobs:
    def __init__(
        self,
        executor: Any,
        place: Path,
        results: Path,
        *,
        tasks: int,
        width: int,
        pause: float,
    ) -> None:
        self._executor, self._place, self._results = executor, place, results
        self._known = noted(results)
        self._answers: list[Answer] = []
        self._tasks, self._width = tasks, width
        self._slurm = executor.cluster == "slurm"
        self._pause = pause if self._slurm else 0.05
        self._next_look = 0.0
        self._waiting: list[Sequence[Task]] = []
        self._under_way: dict[Any, Sequence[Task]] = {}
        self._ended: dict[Any, tuple[float, str]] = {}  # without a result: since when, and how
        self._next_query = 0.0
        self._death = ""

    @property
    def group(self) -> int:
        return self._tasks

    @property
    def width(self) -> int:
        return self._width

    @property
    def died(self) -> bool:
        return bool(self._death)

    def submit(self, tasks: Sequence[Task]) -> None:
        if all(key_of(task) in self._known for task in tasks):
            self._answers.append(self._answer(tasks, ()))
        else:
            self._waiting.append(tasks)  # those of one turn become one array of jobs

    def _answer(self, tasks: Sequence[Task], played: Sequence[Played]) -> Answer:
        """Return what is known of tasks up to the first that is not."""
        found = self._known | {key_of(each): each for each in played}
        known = takewhile(lambda task: key_of(task) in found, tasks)
        return Answer(tasks, [found[key_of(task)] for task in known])

    def finished(self, timeout: float) -> list[Answer]:
        self._check()
        self._submit()
        if self._answers:
            answers, self._answers = self._answers, []
            return answers
        sleep(max(0.0, min(timeout, self._next_look - monotonic())))
        if monotonic() < self._next_look:
            return []
        self._next_look = monotonic() + self._pause
        answers = []
        ended = self._over() if self._slurm else [job for job in self._under_way if job.done()]
        # To find that there is no result takes submitit 15 s: one death is enough, and comes last.
        for job in sorted(ended, key=lambda job: not job.paths.result_pickle.exists()):
            if (played := self._result(job)) is None:
                break
            answers.append(self._answer(self._under_way.pop(job), played))
        if not answers:
            self._check()
        return answers  # to be written down before a death is told

    def _over(self) -> list[Any]:
        """Return jobs of Slurm that have a result, or have ended so long ago that none will come.

        submitit asks `sacct`, every ten minutes, and waits for ever where no accounts are kept.
        """
        with suppress(OSError):  # has a network file system look again
            self._place.chmod(self._place.stat().st_mode)
        over = [job for job in self._under_way if job.paths.result_pickle.exists()]
        if (now := monotonic()) >= self._next_query:
            self._next_query = now + _SELDOM * self._pause
            if (states := _states()) is not None:
                found = {job: states.get(job.job_id, _UNKNOWN) for job in self._under_way}
                self._ended = {
                    job: (self._ended.get(job, (now, ""))[0], state)
                    for job, state in found.items()
                    if state in _OVER or state == _UNKNOWN
                }
        before = now - _SELDOM * self._pause
        late = (job for job, (since, _) in self._ended.items() if since <= before)
        return over + [job for job in late if job in self._under_way and job not in over]

    def end(self) -> None:
        for job in self._under_way:
            with suppress(OSError):
                job.cancel(check=False)
        if self._executor.cluster == "local":
            until = monotonic() + _END
            while any(not job.done() for job in self._under_way) and monotonic() < until:
                sleep(0.05)

    def _submit(self) -> None:
        if not self._waiting:
            return
        groups, self._waiting = self._waiting, []
        sent = [str(self._place / _PLAY)] * len(groups)
        noted_in = [str(self._results)] * len(groups)
        unknown = [[task for task in group if key_of(task) not in self._known] for group in groups]
        try:
            with _silent():
                jobs = self._executor.map_array(_play, sent, noted_in, unknown)
        except (RuntimeError, OSError) as error:
            raise ConnectionError(
                f"Slurm must take the jobs, got {_brief(error)!r}: run the same command again to "
                "go on"
            ) from None
        self._under_way.update(zip(jobs, groups, strict=True))

    def _result(self, job: Any) -> Sequence[Played] | None:
        """Return what a job has played and remove its files, or note that it died."""
        lost = self._slurm and not job.paths.result_pickle.exists()
        error = None if lost else job.exception()
        if error is None and not lost:
            played: Sequence[Played] = job.result()
            paths = job.paths
            for path in (paths.submitted_pickle, paths.result_pickle, paths.stdout, paths.stderr):
                path.unlink(missing_ok=True)
            return played
        log = job.paths.stderr
        where = (
            f"its log is {log}"
            if log.exists()
            else f"it has no log, so that {self._place.parent} may not be on all nodes"
        )
        state = self._ended[job][1] if lost else job.state
        self._death = (
            f"job {job.job_id} must live until its tasks end, got {_cause(error, state)}: ask for "
            f"more time or mem, or for fewer tasks a job; {where}; run the same command again to "
            "go on"
        )
        return None

    def _check(self) -> None:
        if self._death:
            raise ChildProcessError(self._death)


@contextmanager
def _silent() -> Iterator[None]:
    """Drop what is printed: submitit repeats what it raises, its local jobs say how they ended."""
    with ExitStack() as stack:
        stack.enter_context(redirect_stderr(io.StringIO()))
        with suppress(OSError):  # there may be no standard error, whose copy jobs inherit
            kept = os.dup(2)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, 2)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            stack.callback(os.close, nowhere)
            os.dup2(nowhere, 2)
        yield


def _states() -> dict[str, str] | None:
    """Return the state of each job that Slurm knows, by its number; None if it does not answer."""
    command = ["squeue", "--noheader", "--array", "--states=all", "--format=%i %T"]
    mine = [f"--name={_NAME}", f"--user={os.getuid()}"]
    try:
        done = subprocess.run(
            [*command, *mine], capture_output=True, text=True, check=True, timeout=_ANSWER
        )
    except (OSError, subprocess.SubprocessError):
        return None
    lines = (line.split() for line in done.stdout.splitlines())
    return {words[0]: words[1] for words in lines if len(words) == 2}


def _cause(error: Exception | None, state: str) -> str:
    """Return the last line of what was raised in a job, or the state that Slurm gives it."""
    from submitit.core.utils import FailedJobError

    if not isinstance(error, FailedJobError):
        return f"no result from it (state {state})"
    trace = str(error).partition("with trace:")[2].partition("\nYou can check")[0]
    lines = [line for line in trace.splitlines() if line.strip("- ")]
    return lines[-1][:200] if lines else _brief(error)


def _brief(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
