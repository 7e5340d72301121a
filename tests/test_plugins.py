"""The package that docs/extending.md describes, installed beside the project and asked for."""

import ast
import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib

import pytest
from click.testing import CliRunner

from asking.plugins import GROUPS, added, loaded
from perfmodel.cli import main

from .test_extending import PAGE, code_of

MODULES = {
    "presets": "A package",
    "law": "A law",
    "reader": "A reader",
    "policy": "A policy",
    "protocol": "A protocol",
}
READ_PAIRS = '''
from sim.traces.failures.frame import read_lines


def read_pairs(source, *, strict=False):
    """Read one failure a line: when [s], and how long [s]."""

    def parse(line, number, findings):
        time, repair = map(float, line.split())
        return [{"time": time, "node": "n1", "repair": repair, "system": "", "cause": ""}]

    return read_lines(source, parse, strict=strict)
'''
SWF = "1 0 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n2 1 0 30 4 -1 -1 4 30 -1 1 1 1 1 1 -1 -1 -1\n"


def definitions(code):
    """Return what a module of the package has of an example: no statement that plays it."""
    kept = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)
    body = [
        each
        for each in ast.parse(code).body
        if isinstance(each, kept) or "NIGHT_RUN =" in ast.unparse(each)
    ]
    return "\n".join(map(ast.unparse, body))


def project_in(folder):
    """Write the package of the page."""
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    package = folder / "acme"
    package.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(textwrap.dedent(toml))
    (package / "__init__.py").write_text("")
    (package / "failures.py").write_text(READ_PAIRS)
    for module, section in MODULES.items():
        (code,) = code_of(section)
        (package / f"{module}.py").write_text(definitions(code))
    return folder


def written(target, entries, *, name="acme", version="1.0"):
    """Write of an installed package what an installer writes of its entry points."""
    info = target / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())
        for group, values in entries.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return target


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package where pip would put it, from its own project."""
    target = project_in(tmp_path_factory.mktemp("site"))
    project = tomllib.loads((target / "pyproject.toml").read_text())["project"]
    return written(target, project["entry-points"], version=project["version"])


@pytest.fixture
def installed(package, monkeypatch):
    monkeypatch.syspath_prepend(package)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "acme"]:
        del sys.modules[name]


def says(*arguments):
    done = CliRunner().invoke(main, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    return done.output


def refuses(*arguments):
    done = CliRunner().invoke(main, list(map(str, arguments)))
    assert done.exit_code == 2
    return done.output.strip().splitlines()[-1]


def test_the_page_has_an_entry_point_of_every_group(package):
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    assert sorted(project["entry-points"]) == sorted(GROUPS.values())
    assert all(f"`{group}`" in PAGE for group in GROUPS.values())


@pytest.mark.usefixtures("installed")
def test_a_preset_fills_in_what_is_not_given(tmp_path):
    answer = json.loads(says("interval", "--preset", "night-run", "--json"))
    assert answer["mtbf_s"] == pytest.approx(3e7 / 64)
    scenario = tmp_path / "scenario.toml"
    scenario.write_text('preset = "night-run"\n')
    assert "90 s" in says("plan", scenario) or "1.5 min" in says("plan", scenario)


@pytest.mark.usefixtures("installed")
def test_a_law_takes_its_numbers_by_name():
    law = "uniform:low=30min,high=150min"
    job = ("--mtbf", "1d", "--checkpoint-cost", "5min", "--work", "10d")
    by_name = says("completion", *job, "--downtime-law", law, "--json")
    constant = says("completion", *job, "--downtime", "90min", "--json")
    assert json.loads(by_name)["mean_s"] == pytest.approx(json.loads(constant)["mean_s"])
    assert "unexpected keyword" in refuses("completion", *job, "--downtime-law", "uniform:least=3h")


@pytest.mark.usefixtures("installed")
def test_logs_are_read(tmp_path):
    jobs, failures = tmp_path / "jobs.txt", tmp_path / "failures.txt"
    jobs.write_text("0,60,4\n10,30,2\n")
    failures.write_text("".join(f"{time} 10\n" for time in range(20, 2000, 100)))
    replay = ("replay", jobs, "--format", "triples", "--processors", 4, "--json")
    assert json.loads(says(*replay))["jobs"] == 2
    struck = says(*replay, "--failures", failures, "--failure-format", "pairs-of-times")
    assert json.loads(struck)["failures"]
    assert "uptimes" in says("fit", failures, "--format", "pairs-of-times")


@pytest.mark.usefixtures("installed")
def test_a_policy_is_compared_with_others(tmp_path):
    log = tmp_path / "log.swf"
    log.write_text(SWF)
    page = says("replay", log, "--processors", 4, "--compare", "easy,shortest-first")
    assert "shortest-first" in page


@pytest.mark.usefixtures("installed")
def test_a_protocol_is_planned_where_it_is_named(tmp_path):
    scenario = tmp_path / "scenario.toml"
    text = '[failures]\nmtbf = "8h"\n[job]\nwork = "10d"\n[checkpoint]\ncost = "5min"\n'
    scenario.write_text(text)
    assert "mirrored" not in says("plan", scenario)
    scenario.write_text(text + 'protocol = "mirrored"\n')
    assert "Write each checkpoint twice" in says("plan", scenario)


@pytest.mark.usefixtures("installed")
def test_a_name_that_nobody_has_is_refused_as_before():
    assert "must be one of llama-3-405b" in refuses("interval", "--preset", "night-walk")


def test_what_cannot_be_loaded_is_told_in_a_line_with_its_name(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(written(tmp_path, {"perfmodel.presets": {"lost": "nowhere:AT"}}))
    line = refuses("interval", "--preset", "lost")
    assert "preset lost of the installed acme 1.0 must load, got ModuleNotFoundError" in line


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("preset", "llama-3-405b"),
        ("law", "weibull"),
        ("job format", "swf"),
        ("failure format", "csv"),
        ("policy", "easy"),
        ("protocol", "pairs"),
    ],
)
def test_a_name_that_is_built_in_cannot_be_taken(kind, name, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(written(tmp_path, {GROUPS[kind]: {name: "nowhere:AT"}}))
    with pytest.raises(ValueError, match=r"acme 1\.0 must not have a name that is built in"):
        loaded(kind, "other", {name})


def test_a_built_in_name_is_refused_where_another_is_asked_for(tmp_path, monkeypatch):
    taken = {"perfmodel.presets": {"llama-3-405b": "nowhere:AT", "other": "nowhere:AT"}}
    monkeypatch.syspath_prepend(written(tmp_path, taken))
    says("interval", "--preset", "llama-3-405b")
    assert "got 'llama-3-405b'; uninstall it" in refuses("interval", "--preset", "other")


def test_two_packages_cannot_have_one_name(tmp_path, monkeypatch):
    for place, name in enumerate(("one", "two")):
        entries = {"perfmodel.laws": {"mine": f"{name}:Law"}}
        monkeypatch.syspath_prepend(written(tmp_path / str(place), entries, name=name))
    with pytest.raises(ValueError, match=r"'mine' in the installed .* 1\.0 and"):
        added("law", ())


def test_who_names_what_is_built_in_looks_for_no_package():
    code = (
        "import sys; from perfmodel.cli import main; "
        "main(['interval', '--preset', 'wsj-default'], standalone_mode=False); "
        "print('loaded:', *[name for name in ('asking.plugins',) if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.slow
def test_pip_installs_it(tmp_path):
    project, target = project_in(tmp_path / "project"), tmp_path / "target"
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index")
    subprocess.run(
        [*pip, "--no-build-isolation", "--target", str(target), str(project)], check=True
    )
    done = subprocess.run(
        [sys.executable, "-m", "perfmodel", "interval", "--preset", "night-run"],
        env=os.environ | {"PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "our own log of 2026" in done.stdout
