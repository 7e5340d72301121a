"""Compiled code where no cache can be written, or where what it holds is damaged."""

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import sim
from sim._compiled import _Cache, sources_stamp
from sim.cluster.kernels.flat.core import play

ROOT = Path(sim.__file__).parents[1]
KERNEL = """
from sim._compiled import compiled

@compiled(inner=True)
def inner(x):
    return x * x

@compiled(error_model="numpy")
def outer(x):
    return inner(x) + 1.0
"""
DEEP = """
from sim._compiled import compiled

@compiled(inner=True)
def deepest(x):
    if x < 0:
        raise ValueError("below 0", x)
    return x

@compiled(inner=True)
def middle(x):
    return deepest(x) + 1.0

@compiled()
def first(x):
    return middle(x)

@compiled()
def second(x):
    return middle(x) + deepest(x)
"""
PLAY = "from kernel import outer; print(outer(3.0), outer(4))"
PLAYED = "10.0 17.0\n"
LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
"""
REMEDY = "NUMBA_CACHE_DIR"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    return tmp_path


def run(folder, code=PLAY, **env):
    paths = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | paths | env,
        capture_output=True,
        text=True,
        check=False,
    )


def closed(folder):
    """Return an environment in which no folder for compiled code can be written, even by root."""
    for modules in {path.parent for path in folder.rglob("*.py")}:
        (modules / "__pycache__").touch()
    nowhere = str(next(folder.rglob("*.py")) / "nope")
    return {name: nowhere for name in ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}


def test_without_a_folder_for_the_cache_it_works_and_says_so_in_one_line(folder):
    done = run(folder, **closed(folder))
    assert (done.returncode, done.stdout) == (0, PLAYED)
    assert done.stderr.count("\n") == 1
    assert REMEDY in done.stderr


def test_a_folder_that_others_can_write_holds_no_code(folder):
    cache = folder / "cache"
    assert run(folder, NUMBA_CACHE_DIR=str(cache)).stderr == ""
    held = sorted(path for path in cache.rglob("*") if path.is_file())
    assert held
    for opened in (cache, held[0].parent):
        mode = opened.stat().st_mode
        opened.chmod(0o777)
        for path in held:
            path.write_bytes(b"not to be read")
        done = run(folder, NUMBA_CACHE_DIR=str(cache))
        assert (done.returncode, done.stdout) == (0, PLAYED)
        assert REMEDY in done.stderr
        assert {path.read_bytes() for path in held} == {b"not to be read"}
        opened.chmod(mode)


def test_a_file_in_the_folder_names_no_other_cache_and_no_class(folder):
    pytest.importorskip("yaml")
    (folder / "evil.py").write_text("open('ran', 'w').close()")
    (folder / ".numba_config.yaml").write_text(
        f"cache_dir: {folder}/theirs\ncache_locator_classes: evil.Locator\n"
    )
    done = run(folder)
    assert (done.returncode, done.stdout) == (0, PLAYED)
    assert not (folder / "ran").exists()
    assert not (folder / "theirs").exists()


def test_nothing_is_said_where_nothing_is_compiled(folder):
    done = run(folder, "import kernel", **closed(folder))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_kernel_that_is_not_called_tries_no_folder(folder):
    cache = folder / "cache"
    assert run(folder, "import kernel", NUMBA_CACHE_DIR=str(cache)).stderr == ""
    assert not cache.exists()


@pytest.mark.slow
def test_a_full_disk_costs_the_cache_and_nothing_else(folder):
    done = run(folder, LIMITED + PLAY, NUMBA_CACHE_DIR=str(folder / "cache"))
    assert (done.returncode, done.stdout) == (0, PLAYED)
    assert done.stderr.count("\n") == 1
    assert REMEDY in done.stderr


@pytest.mark.slow
def test_a_damaged_cache_is_compiled_anew(folder):
    cache = folder / "cache"
    assert run(folder, NUMBA_CACHE_DIR=str(cache)).stderr == ""
    kept = {file: file.stat().st_size for file in cache.rglob("*.nb?")}
    assert len(kept) == 3
    for file in kept:
        file.write_bytes(file.read_bytes()[:40])
    done = run(folder, NUMBA_CACHE_DIR=str(cache))
    assert (done.returncode, done.stdout, done.stderr) == (0, PLAYED, "")
    assert {file: file.stat().st_size for file in kept} == kept


def test_one_process_at_a_time_writes_to_the_cache(tmp_path):
    """Else two may give one name to the code of two signatures, and later runs play the wrong."""
    pytest.importorskip("fcntl")
    told, begun, goes_on = [], threading.Event(), threading.Event()

    class Kept:
        cache_path = str(tmp_path / "cache")

        def save_overload(self, signature, code):
            told.append(f"{signature} begins")
            begun.set()
            goes_on.wait()
            told.append(f"{signature} ends")

    def saving(signature):
        cache = _Cache(saving)
        vars(cache)["_kept"] = Kept()
        thread = threading.Thread(target=cache.save_overload, args=(signature, None))
        thread.start()
        return thread

    first = saving("first")
    begun.wait()
    second = saving("second")
    second.join(0.2)
    goes_on.set()
    first.join()
    second.join()
    assert told == ["first begins", "first ends", "second begins", "second ends"]


def test_without_the_compiler_the_same_numbers_come_out(folder):
    assert run(folder, NUMBA_DISABLE_JIT="1").stdout == "10.0 17.0\n"


def test_a_kernel_for_compiled_code_alone_refuses_a_call_from_python(folder):
    code = """
from kernel import inner, outer
def refused(*arguments):
    try:
        inner(*arguments)
    except TypeError as error:
        print(error)
refused(3.0), outer(3.0), refused(3.0), refused("x")
"""
    for _ in range(2):  # compiled, then read from the cache
        done = run(folder, code, NUMBA_CACHE_DIR=str(folder / "cache"))
        assert (done.returncode, done.stderr) == (0, "")
        told = done.stdout.splitlines()
        assert len(told) == 3
        assert set(told) == {
            "inner must be called by compiled code, got a call from Python; "
            "mark it as one that Python calls too"
        }


@pytest.mark.slow
def test_what_compiled_code_alone_calls_is_kept_with_each_of_its_callers(folder):
    """It has no machine code of its own; what it raises comes from its own surroundings."""
    (folder / "deep.py").write_text(DEEP)
    code = """
from deep import first, second
print(first(2.0), second(2.0))
try:
    second(-2.0)
except ValueError as error:
    print(*error.args)
"""
    cache = folder / "cache"
    for _ in range(2):  # compiled, then read from the cache
        done = run(folder, code, NUMBA_CACHE_DIR=str(cache))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "3.0 5.0\nbelow 0 -2.0\n"
        kept = {file.name.split("-")[0] for file in cache.rglob("*.nbi")}
        assert kept == {"deep.first", "deep.second"}


@pytest.mark.slow
def test_a_numba_that_is_not_known_puts_functions_together_in_its_own_way(folder):
    later = "import numba; numba.version_info = numba.version_info._replace(short=(9, 0)); "
    cache = folder / "cache"
    for _ in range(2):
        done = run(folder, later + PLAY, NUMBA_CACHE_DIR=str(cache))
        assert (done.returncode, done.stderr, done.stdout) == (0, "", PLAYED)
    assert {file.name.split("-")[0] for file in cache.rglob("*.nbi")} == {
        "kernel.inner",
        "kernel.outer",
    }


def test_kernels_are_compiled_in_this_one_way():
    imports = re.compile(r"^\s*(import|from) numba\b", re.MULTILINE)
    found = [path for path in (ROOT / "sim").rglob("*.py") if imports.search(path.read_text())]
    assert sorted(path.name for path in found) == ["_compiled.py", "_linked.py"]


@pytest.mark.slow
def test_a_command_that_plays_works_in_an_installation_that_cannot_be_written(tmp_path):
    for package in ("perfmodel", "sim"):
        hidden = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=hidden)
    code = (
        "from perfmodel.cli import main; main('simulate --mtbf 8h --checkpoint-cost 6min "
        "--replications 200 --seed 1'.split(), prog_name='perfmodel')"
    )
    paths = {"PYTHONPATH": str(tmp_path)}
    done = run(tmp_path, code, **closed(tmp_path), **paths)
    assert done.returncode == 0
    assert "200 jobs, seed 1" in done.stdout
    assert done.stderr.count("\n") == 1
    assert REMEDY in done.stderr


def test_kernels_are_compiled_anew_when_what_they_inline_changes(tmp_path):
    (tmp_path / "inner").mkdir()
    module = tmp_path / "inner" / "easy.py"
    module.write_text("a = 1\n")
    before = sources_stamp(tmp_path)
    module.write_text("a = 10\n")
    sources_stamp.cache_clear()
    assert sources_stamp(tmp_path) != before
    kept = play._cache._kept
    package = Path(sim.__file__).parent
    assert kept is None or kept._cache_file._source_stamp == sources_stamp(package)


@pytest.mark.slow
def test_compilation_is_announced_once_and_only_where_it_happens(folder):
    code = f"import logging; logging.basicConfig(level=logging.INFO); {PLAY}"
    first, again = run(folder, code), run(folder, code)
    assert first.stderr.count("Compiling for this machine") == 1
    assert first.stdout == again.stdout == PLAYED
    assert again.stderr == ""
