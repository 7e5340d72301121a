"""Functions compiled by numba, kept between runs where a folder can be written."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

# numba also reads .numba_config.yaml of the folder in which it runs, where a file that came with
# data could name a folder of compiled code, or a class to import. What is set here goes first.
for _name in ("NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES"):
    os.environ.setdefault(_name, "")

try:
    from numba import njit, types, version_info
    from numba.core.caching import FunctionCache
    from numba.extending import intrinsic
except ModuleNotFoundError as _error:
    _HINT = "the simulator needs numba: pip install 'perfmodel[replay]'"
    raise ModuleNotFoundError(_HINT, name=_error.name) from _error

__all__ = ["compiled", "in_llvm", "sources_stamp", "types"]

_PACKAGE = Path(__file__).parent
_TRIED = (0, 68)  # the last numba that `_linked`, which needs its insides, was tried with

Function = TypeVar("Function", bound=Callable[..., Any])
# For what compiled code alone calls; its calls have other arguments than are written there.
in_llvm: Callable[[Callable[..., Any]], Any] = intrinsic


def compiled(*, inner: bool = False, **options: Any) -> Callable[[Function], Function]:
    """Return a decorator like ``numba.njit(cache=True, **options)`` that needs no cache.

    Where none can be written, the function is compiled anew in each process, and the first time
    this happens a warning is logged, which Python writes to standard error as one line. That
    something is about to be compiled is logged once, as information.

    One that is `inner` is called by compiled code alone, and raises TypeError when Python calls
    it. This saves the code that unpacks its arguments, a third of the compilation of a core.
    """

    def decorate(function: Function) -> Function:
        # Nothing takes one as an argument, which a wrapper for C would be for: a tenth of the time.
        how: Any = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner, **options}
        linked = _linked(inner=inner)
        kernel: Any = njit(**how, **linked)(function)
        if kernel is not function:  # as it is under NUMBA_DISABLE_JIT
            if not (inner and linked):  # then it is kept with its callers
                kernel._cache = _Cache(function)
            if inner:
                _keep_from_python(kernel)
        compiled_function: Function = kernel
        return compiled_function

    return decorate


def _linked(*, inner: bool) -> dict[str, Any]:
    """Return how a function is put together with others; nothing for numba's own way."""
    if version_info.short > _TRIED:
        return {}
    from ._linked import Entry, Inner

    return {"pipeline_class": Inner if inner else Entry}


def _keep_from_python(kernel: Any) -> None:
    """Let a call from Python raise: without the code that unpacks arguments it would crash."""
    name = kernel.py_func.__name__

    def add_overload(code: Any) -> None:
        # numba also offers the code to calls from Python, which would jump to address 0.
        kernel.overloads[tuple(code.signature.args)] = code

    def refuse(*_: object, **__: object) -> NoReturn:
        raise TypeError(
            f"{name} must be called by compiled code, got a call from Python; "
            "mark it as one that Python calls too"
        )

    kernel.add_overload, kernel._compile_for_args = add_overload, refuse


class _Cache:
    """The cache that numba keeps for one function; its errors cost time only."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def _kept(self) -> Any:
        """What numba keeps; made when first asked for, as each one tries to write to the folder."""
        make: Any = FunctionCache
        try:
            kept = make(self._function)
            given = os.environ["NUMBA_CACHE_DIR"]
            if given and not _is_ours(Path(kept.cache_path), Path(given)):
                _tell()
                return None
        except (RuntimeError, OSError):  # no folder can be written
            return None
        # numba looks at the file of the function alone, not at what it inlines from others.
        kept._cache_file._source_stamp = sources_stamp(_PACKAGE)
        return kept

    @property
    def cache_path(self) -> Any:
        """Where the compiled code is kept, if it is."""
        return None if self._kept is None else self._kept.cache_path

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled code for a signature, or None where there is none that is whole."""
        code = self._load(signature, target)
        if code is None:
            _announce()
        return code

    def _load(self, signature: Any, target: Any) -> Any:
        if self._kept is None:
            return None
        try:
            return self._kept.load_overload(signature, target)
        except Exception:  # unpickling what was cut off or overwritten may raise anything
            self._try(self._kept.flush)
            return None

    def save_overload(self, signature: Any, code: Any) -> None:
        """Keep the compiled code for a signature if possible."""
        if self._kept is None:
            _tell()
        else:
            self._try(self._save, signature, code)

    def _save(self, signature: Any, code: Any) -> None:
        with _alone(self._kept.cache_path):
            self._kept.save_overload(signature, code)

    def _try(self, write: Callable[..., object], *arguments: Any) -> None:
        try:
            write(*arguments)
        except OSError:  # a full disk, or a folder that is gone
            self._kept = None
            _tell()


def _is_ours(folder: Path, root: Path) -> bool:
    """Return whether nobody else can put code there: what is kept is code that will run."""
    folder.mkdir(parents=True, exist_ok=True)
    folder, root = folder.resolve(), root.resolve()
    return not any(
        _open_to_others(each) for each in (folder, *folder.parents) if each.is_relative_to(root)
    )


def _open_to_others(folder: Path) -> bool:
    """Return whether another user owns a folder or may write to it, root apart."""
    try:
        import grp
        import pwd
    except ImportError:  # a system without them has other rules
        return False
    found, user = folder.stat(), os.geteuid()
    if found.st_uid not in (0, user) or found.st_mode & 0o002:
        return True
    try:  # many give each user a group of the same name, in which nobody else is
        of_user = grp.getgrgid(found.st_gid)
        alone = of_user.gr_name == pwd.getpwuid(found.st_uid).pw_name and not of_user.gr_mem
    except KeyError:
        alone = False
    return bool(found.st_mode & 0o020) and not alone


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Let one process at a time write to a folder.

    numba numbers its files by a list that it has read before: of two that write at once, the code
    for one signature may get the name that the list has for another.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):  # this system or disk has no such locks
            import fcntl

            os.makedirs(folder, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@functools.cache
def sources_stamp(folder: Path) -> tuple[int, int, int]:
    """Return what changes with any module below `folder`: latest change [ns], bytes, how many."""
    found = [module.stat() for module in folder.rglob("*.py")]
    latest = max((module.st_mtime_ns for module in found), default=0)
    return latest, sum(module.st_size for module in found), len(found)


@functools.cache
def _announce() -> None:
    logging.getLogger(__name__).info(
        "Compiling for this machine, once after each installation; this takes up to half a minute."
    )


@functools.cache
def _tell() -> None:
    logging.getLogger(__name__).warning(
        "Compiled code cannot be kept and will be compiled again in the next run, which takes "
        "seconds: set NUMBA_CACHE_DIR to a folder that you can write to, and nobody else."
    )
