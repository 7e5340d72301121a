"""A pytest plugin that collects once, then plays each mutant in a forked child of its own.

A child changes the code of one function in place, so that every name it is known by leads to the
change, and runs the tests that reach the changed lines until one fails.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import hashlib
import importlib
import io
import os
import pickle
import pkgutil
import random
import resource
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType

import pytest

import perfmodel

from . import afresh
from .mutants import ROOT, Mutant, all_mutants, changed_lines, mutated_source

__all__ = ["Asked", "Runner", "Verdict", "change", "import_all"]

_BATCH = 250  # tests recorded by one child
_WAIT = 1800  # s of wall time without a word from a child
_MEMORY = 16 << 30  # bytes of addresses that a child may use
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


@dataclass(frozen=True)
class Asked:
    """What a run is asked for: a sample below folders, or mutants by name."""

    under: tuple[str, ...]
    sample: int
    seed: int
    names: tuple[str, ...]
    budget: float
    folder: Path
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: who noticed it, or `survived`, `unreached` or `unfinished`."""

    mutant: Mutant
    outcome: str
    by: str
    tests: int
    seconds: float

    @property
    def alive(self) -> bool:
        """Whether no test noticed the mutant."""
        return self.outcome in {"survived", "unreached", "unfinished"}


@dataclass(eq=False)
class Runner:
    """Plays mutants instead of the usual loop over tests."""

    asked: Asked
    verdicts: list[Verdict] = field(default_factory=list)
    left_out: Counter = field(default_factory=Counter)
    failed: bool = False
    said: str = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        """Draw the examples of `make test`, and look for no smaller one where one fails."""
        from hypothesis import Phase, settings

        settings.register_profile(
            "mutants",
            derandomize=True,
            database=None,
            phases=(Phase.explicit, Phase.generate),
            report_multiple_bugs=False,
        )

    def pytest_runtest_logreport(self, report):
        """Remember whether the test that runs now fails."""
        if report.failed:
            self.failed = True
            self.said = f"{report.when}: {report.longreprtext[-300:]}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        """Record what tests reach, then play the mutants that are asked for."""
        session.config.pluginmanager.unregister(name="terminalreporter")
        import_all()
        self.items = {item.nodeid: item for item in session.items}
        self.reach = _Reach(self.asked.folder / "reach.pickle", self.items)
        self._record()
        self.functions = _functions()
        self.fragile = set()
        mutants = self._drawn()
        for count, mutant in enumerate(mutants, 1):
            verdict = self._afresh(self._play(mutant))
            self.verdicts.append(verdict)
            _say(f"{count}/{len(mutants)} {verdict.outcome:10} {verdict.seconds:6.1f} s ", end="")
            _say(f"{verdict.tests:5} tests  {mutant.name}  {verdict.by}")
            if verdict.alive:
                _say(*(f"    {line}" for line in changed_lines(mutant)), sep="\n")
        return True

    def _drawn(self):
        mutants = []
        for under in self.asked.under:
            mutants += all_mutants(under, self.asked.folder / "mutants.pickle")
        mutants = [m for m in mutants if not m.path.startswith(self.asked.without or "-")]
        if self.asked.names:
            named = {mutant.name: mutant for mutant in mutants}
            return [named[name] for name in self.asked.names]
        self.left_out = Counter(m.same for m in mutants if m.same)
        mutants = [m for m in mutants if not m.same]
        rng = random.Random(self.asked.seed)
        return rng.sample(mutants, min(self.asked.sample, len(mutants)))

    def _record(self):
        import_module("coverage")  # a child without it would look like tests that end their process
        missing = self.reach.missing()
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            _say(f"recording what tests reach: {start} of {len(missing)}")
            done = _in_a_child(lambda send, batch=batch: self._trace(batch, send))
            for found in done.messages:
                self.reach.add(*found)
            # A test that ends its process is not used.
            for nodeid in set(batch) - {found[0] for found in done.messages}:
                self.reach.add(nodeid, None, {})
            self.reach.save()

    def _trace(self, batch, send):
        from coverage import Coverage

        watch = Coverage(data_file=None, source=[str(ROOT / "perfmodel")], config_file=False)
        watch.start()
        caches = [
            one.cache_clear
            for name, module in sys.modules.items()
            if name.split(".")[0] == "perfmodel"
            for one in vars(module).values()
            if hasattr(one, "cache_clear")
        ]
        times = {}
        for nodeid in batch:
            for clear in caches:  # or the tests after the first would not reach what fills them
                clear()
            watch.switch_context(nodeid)
            began = time.process_time()
            failed = self._fails(nodeid, None)
            times[nodeid] = None if failed else time.process_time() - began
        watch.stop()
        data = watch.get_data()
        lines = {nodeid: defaultdict(list) for nodeid in batch}
        for file in data.measured_files():
            path = str(Path(file).relative_to(ROOT))
            for line, contexts in data.contexts_by_lineno(file).items():
                for nodeid in contexts:
                    if nodeid in lines:
                        lines[nodeid][path].append(line)
        for nodeid in batch:
            send((nodeid, times[nodeid], dict(lines[nodeid])))

    def _fails(self, nodeid, following):
        self.failed = False
        item = self.items[nodeid]
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        return self.failed

    def _play(self, mutant):
        tests = self.reach.tests(mutant)
        # A module whose library is not installed here has no function to change.
        if not tests or (mutant.path, mutant.function) not in self.functions:
            return Verdict(mutant, "unreached", "", 0, 0.0)
        while True:
            asked = [nodeid for nodeid in tests if nodeid not in self.fragile]
            done = _in_a_child(partial(self._mutate_and_test, mutant, asked))
            began = [said[1] for said in done.messages if said[0] == "test"]
            seconds = done.seconds
            if done.messages and done.messages[-1][0] == "failed":
                outcome = "killed"
            elif done.messages and done.messages[-1][0] in {"survived", "unfinished"}:
                return Verdict(mutant, done.messages[-1][0], "", len(began), seconds)
            else:
                outcome = "timeout" if done.status in {signal.SIGXCPU, signal.SIGKILL} else "crash"
            if not began or not self._fragile(began[-1]):
                by = began[-1] if began else "cannot be defined"
                return Verdict(mutant, outcome, by, len(began), seconds)

    def _afresh(self, verdict):
        """Play a survivor again where only an import runs the function."""
        if verdict.alive and afresh.runs_at_import(verdict.mutant):
            tests = self.reach.of_file(verdict.mutant.path, self.asked.budget)
            if afresh.notices(verdict.mutant, [t for t in tests if t not in self.fragile]):
                return replace(verdict, outcome="killed", by="imported afresh", tests=len(tests))
        return verdict

    def _fragile(self, nodeid):
        """Whether a test fails on its own without any mutant; it is not asked again then."""
        if nodeid not in self.reach.sound:
            done = _in_a_child(lambda send: send(self._fails(nodeid, None)))
            if done.messages != [False]:
                self.fragile.add(nodeid)
                _say(f"fails alone, without a mutant: {nodeid}")
                return True
            self.reach.sound.add(nodeid)
        return False

    def _mutate_and_test(self, mutant, tests, send):
        function = self.functions[mutant.path, mutant.function]
        change(function, mutated_source(mutant), mutant.function)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        began = time.process_time()
        for nodeid, following in zip(tests, [*tests[1:], None], strict=True):
            used = time.process_time() - began
            if used > self.asked.budget:
                send(("unfinished", ""))
                return
            send(("test", nodeid))
            seconds = 10 + 20 * self.reach.seconds(nodeid)
            _limit_processor_time(seconds)
            if self._fails(nodeid, self.items[following] if following else None):
                send(("failed", self.said))
                return
        send(("survived", ""))


class _Reach:
    """Which tests run which lines, and how long they take; kept in a file between runs."""

    def __init__(self, file, items):
        self.file, self.items = file, items
        self.sound = set()
        self.stamps = {}
        self.known = pickle.loads(file.read_bytes()) if file.exists() else {}
        for nodeid in items:
            stamp, _, _, sources = self.known.get(nodeid, ("", 0.0, {}, {}))
            same = all(self._stamp(path) == then for path, then in sources.items())
            if stamp != self._stamp(self._test_file(nodeid)) or not same:
                self.known.pop(nodeid, None)

    def _test_file(self, nodeid):
        return str(Path(self.items[nodeid].path).relative_to(ROOT))

    def _stamp(self, path):
        if path not in self.stamps:
            file = ROOT / path
            there = file.exists()
            self.stamps[path] = hashlib.sha256(file.read_bytes()).hexdigest() if there else ""
        return self.stamps[path]

    def missing(self):
        return [nodeid for nodeid in self.items if nodeid not in self.known]

    def add(self, nodeid, seconds, lines):
        sources = {path: self._stamp(path) for path in lines}
        packed = {path: tuple(sorted(some)) for path, some in lines.items()}
        self.known[nodeid] = self._stamp(self._test_file(nodeid)), seconds, packed, sources

    def save(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        part = self.file.with_suffix(".part")
        part.write_bytes(pickle.dumps(self.known))
        part.replace(self.file)

    def seconds(self, nodeid):
        return self.known[nodeid][1]

    @cached_property
    def _by_path(self):
        found = defaultdict(list)
        for nodeid in self.items:
            _, seconds, lines, _ = self.known[nodeid]
            if seconds is not None:
                for path, some in lines.items():
                    found[path].append((nodeid, seconds, frozenset(some)))
        return found

    def tests(self, mutant):
        """Tests that reach the changed lines, the fastest first."""
        wanted = range(mutant.first, mutant.last + 1)
        found = [
            (seconds, nodeid)
            for nodeid, seconds, lines in self._by_path[mutant.path]
            if not lines.isdisjoint(wanted)
        ]
        return [nodeid for _, nodeid in sorted(found)]

    def of_file(self, path, budget):
        """Tests that reach any line of a file, the fastest first, for some seconds in all."""
        found = sorted((seconds, nodeid) for nodeid, seconds, _ in self._by_path[path])
        until = list(accumulate(seconds for seconds, _ in found))
        return [nodeid for end, (_, nodeid) in zip(until, found, strict=True) if end <= budget]


@dataclass
class _Done:
    messages: list
    status: int
    seconds: float


def _in_a_child(work):
    """Run `work` with a function that sends values back, in a child that ends afterwards."""
    inlet, outlet = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(inlet)
            os.setsid()
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
            quiet = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(quiet, number)
            with os.fdopen(outlet, "wb") as out:

                def send(value):
                    pickle.dump(value, out)
                    out.flush()

                work(send)
            status = 0
        finally:
            os._exit(status)
    os.close(outlet)
    heard = bytearray()
    with os.fdopen(inlet, "rb", buffering=0) as source:
        while True:
            ready, _, _ = select.select([source], [], [], _WAIT)
            part = source.read(1 << 20) if ready else b""
            if not part:
                break
            heard += part
    _end_group(child)
    _, status = os.waitpid(child, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return _Done(_unpickled(bytes(heard)), status & 0x7F, used)


def _end_group(child):
    """End a child that is silent, and what tests started in it."""
    for _ in range(50):
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def _unpickled(heard):
    values, source = [], io.BytesIO(heard)
    while True:
        try:
            values.append(pickle.load(source))
        except (EOFError, pickle.UnpicklingError):
            return values


def _limit_processor_time(seconds):
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def import_all() -> None:
    """Import every module, as a door would later."""
    skipped = {"lightning", "transformers", "orbax"}
    for module in pkgutil.walk_packages(perfmodel.__path__, "perfmodel."):
        if module.name.rpartition(".")[2] not in skipped and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _functions():
    """Map paths and qualified names to the functions that can be changed in place."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] != "perfmodel" or not getattr(module, "__file__", None):
            continue
        for value in list(vars(module).values()):
            held = [value, *vars(value).values()] if isinstance(value, type) else [value]
            for one in map(_unwrapped, held):
                if isinstance(one, FunctionType):
                    file = Path(one.__code__.co_filename)
                    if file.is_relative_to(ROOT):
                        path = str(file.relative_to(ROOT))
                        found.setdefault((path, one.__code__.co_qualname), one)
    return found


def _unwrapped(value):
    value = getattr(value, "__func__", value)
    while not isinstance(value, FunctionType) and hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value


def change(function: FunctionType, source: str, name: str) -> None:
    """Give a function, in place, the code and the defaults that it has in another source.

    Parameters
    ----------
    function : function
        A function of a module, or a method.
    source : str
        Code of a whole module.
    name : str
        Qualified name of the function there.
    """
    tree = ast.parse(source)
    function.__code__ = _code(tree, function.__code__.co_filename, name)
    body = tree.body
    *classes, last = name.split(".")
    for outer in classes:
        body = next(n.body for n in body if isinstance(n, ast.ClassDef) and n.name == outer)
    made = next(n for n in body if isinstance(n, ast.FunctionDef) and n.name == last)
    plain = ast.Constant | ast.Name  # mutmut changes no other defaults
    if made.args.defaults and all(isinstance(given, plain) for given in made.args.defaults):
        read = (_value(given, function) for given in made.args.defaults)
        function.__defaults__ = tuple(read)
    for argument, given in zip(made.args.kwonlyargs, made.args.kw_defaults, strict=True):
        if isinstance(given, plain):
            function.__kwdefaults__[argument.arg] = _value(given, function)


def _value(expression, function):
    return eval(compile(ast.Expression(expression), "", "eval"), function.__globals__)


def _code(tree, file, name):
    pending = [compile(tree, file, "exec", dont_inherit=True)]
    while pending:
        for inner in pending.pop().co_consts:
            if isinstance(inner, CodeType):
                if inner.co_qualname == name:
                    return inner
                pending.append(inner)
    raise LookupError(name)


def _say(*lines, **how):
    print(*lines, **how, flush=True, file=sys.__stdout__)
