import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import perfmodel
import sim
from asking.plugins import GROUPS
from perfmodel import lifetimes
from perfmodel.protocols.table import NAMES

ROOT = Path(__file__).resolve().parents[1]


def test_packages_come_from_this_checkout():
    for package in (perfmodel, sim):
        assert Path(package.__file__).resolve().is_relative_to(ROOT)


def test_the_command_line_starts_without_heavy_imports():
    code = (
        "import sys, perfmodel.cli, perfmodel.cli.commands.interval; "
        "print(*[m for m in ('pandas', 'numba', 'matplotlib', 'scipy.stats', 'sim') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_every_test_folder_is_a_package():
    for folder in {path.parent for path in (ROOT / "tests").rglob("test_*.py")}:
        assert (folder / "__init__.py").exists(), folder


def test_a_folder_has_at_most_20_modules():
    packages = ("asking", "perfmodel", "sim", "validation")
    modules = [path for name in packages for path in (ROOT / name).rglob("*.py")]
    counts = Counter(path.parent for path in modules if path.name != "__init__.py")
    assert {folder for folder, count in counts.items() if count > 20} == set()


def test_the_package_itself_loads_no_formula():
    code = "import sys, perfmodel; print('scipy' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_a_folder_of_the_same_name_does_not_hide_the_packages(tmp_path):
    for name in ("asking", "perfmodel", "sim"):
        (tmp_path / name).mkdir()  # as above a clone, where Python takes it for a package
    code = "from perfmodel import optimal_interval; from sim.samplers import Weibull"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def statements(body):
    """Return all statements in some, those in functions, classes and branches included."""
    for node in body:
        yield node
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from statements(getattr(node, name, ()))


@cache
def brought_into(path, root):
    """Return the name of each import in a file, and the place and the name that it has there."""
    package, found = path.relative_to(root).parent.parts, []
    for node in statements(ast.parse(path.read_text()).body):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            home = ".".join([*base, *([node.module] if node.module else [])])
            found += [(alias.asname or alias.name, home, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found.append((alias.asname or alias.name, *alias.name.rpartition(".")[::2]))
    return found


def test_the_judge_needs_no_more_than_make_demo_installs():
    makefile = (ROOT / "Makefile").read_text()
    extras = re.search(r"--extra ,([\w ]+)\).* requirements/run\.lock", makefile)[1].split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"]]
    while extras:
        for requirement in project["optional-dependencies"][extras.pop()]:
            ours = re.match(r"perfmodel\[([\w,-]+)\]", requirement)
            extras += ours[1].split(",") if ours else []
            wanted += [] if ours else [requirement]
    installed = {re.match(r"\w+", requirement)[0] for requirement in wanted}
    ours = {"asking", "perfmodel", "sim", "validation", "_typeshed"}
    for path in (ROOT / "validation").rglob("*.py"):
        # Figures are drawn with --out only; docs/validation.md says what they need.
        drawn = {"matplotlib"} if path.name.endswith("figures.py") else set()
        tops = {(home or name).partition(".")[0] for _, home, name in brought_into(path, ROOT)}
        missing = tops - installed - ours - drawn - sys.stdlib_module_names
        assert not missing, path.name


def doors():
    """Return the packages that load their names on demand."""
    return sorted(
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("perfmodel", "sim")
        for path in (ROOT / top).rglob("__init__.py")
        if "loading(__name__)" in path.read_text()
    )


def test_a_module_of_a_room_has_no_list_of_the_names_that_it_defines():
    rooms = [path for path in (ROOT / "perfmodel").glob("*/**/*.py") if path.name != "__init__.py"]
    inside = [path for path in rooms if path.parent.name != "adapters"]  # of these pages tell
    assert [path for path in inside if "\n__all__" in path.read_text()] == []


def test_every_door_loads_on_demand():
    eager = [
        str(path.relative_to(ROOT))
        for top in ("perfmodel", "sim")
        for path in (ROOT / top).rglob("__init__.py")
        if "__all__" in path.read_text()
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ImportFrom) and node.level and node.module != "_doors"
    ]
    assert eager == []


@pytest.mark.parametrize("door", doors())
def test_a_door_offers_what_its_imports_say(door):
    package = importlib.import_module(door)
    source = ast.parse(Path(package.__file__).read_text())
    (guarded,) = [node for node in source.body if isinstance(node, ast.If)][:1]
    homes = {
        name: f"{door}.{node.module}" if node.level else node.module
        for node in guarded.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
        for name in (
            importlib.import_module(f"{door}.{node.module}").__all__
            if alias.name == "*"
            else [alias.asname]
        )
    }
    assert sorted(package.__all__) == sorted(homes)
    assert set(homes) <= set(dir(package))
    for name, home in homes.items():
        assert getattr(package, name) is getattr(importlib.import_module(home), name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_a_door_loads_none_of_its_modules_but_doors():
    code = (
        "import importlib, sys\n"
        "for door in sys.argv[1:]:\n"
        "    importlib.import_module(door.rpartition('.')[0] or 'ast')\n"
        "    known = set(sys.modules)\n"
        "    importlib.import_module(door)\n"
        "    new = set(sys.modules) - known\n"
        "    print(*[m for m in new if m.startswith(f'{door}.') and not m.endswith('._doors')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *doors()], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= set(doors())


def test_a_door_offers_no_name_of_a_module_beside_it():
    # The import of such a module would put it into the package, in place of what is offered.
    for door in doors():
        package = importlib.import_module(door)
        beside = {module.name for module in pkgutil.iter_modules(package.__path__)}
        assert not beside & set(package.__all__), door


def test_commands_and_judge_enter_the_simulator_by_its_doors():
    def is_deep(module):
        deeper = module.startswith("sim.") and module.count(".") > 1
        return deeper and (ROOT / f"{module.replace('.', '/')}.py").exists()

    found = [
        f"{path.relative_to(ROOT)}: {home}"
        for folder in ("perfmodel/cli", "validation")
        for path in (ROOT / folder).rglob("*.py")
        for _, home, _ in brought_into(path, ROOT)
        if is_deep(home)
    ]
    assert found == []


def test_no_private_module_is_imported_from_outside_its_package():
    wrong = []
    for path in (ROOT / "perfmodel").rglob("*.py"):
        importer = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for _, home, name in brought_into(path, ROOT):
            parts = [*home.split("."), name]
            private = [i for i, part in enumerate(parts) if re.match(r"_[a-z]", part)]
            if parts[0] == "perfmodel" and private:
                owner = ".".join(parts[: private[0]])
                if not importer.startswith(f"{owner}."):
                    wrong.append(f"{importer} imports {home}.{name}")
    assert not wrong


def imports_between_modules(root, tops):
    """Return what each module imports at any depth of it: modules, by a door those behind it."""
    paths = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for top in tops
        for path in (root / top).rglob("*.py")
    }
    brought = {name: brought_into(path, root) for name, path in paths.items()}
    modules = {name for name, path in paths.items() if path.name != "__init__.py"}

    def homes(home, name):
        if found := {f"{home}.{name}", home} & modules:
            return found
        return {
            module
            for known, behind, there in brought.get(home, ())
            if known in (name, "*")
            for module in homes(behind, name if there == "*" else there)
        }

    return {
        name: {found for _, home, there in brought[name] for found in homes(home, there)} - {name}
        for name in modules
    }


def circles_of(graph):
    """Return the largest sets of modules each of which leads to every other of its set."""
    while ends := {name for name, ahead in graph.items() if not ahead}:
        graph = {name: ahead - ends for name, ahead in graph.items() if name not in ends}

    def beyond(start):
        found, ahead = set(), [start]
        while ahead:
            new = graph[ahead.pop()] - found
            found |= new
            ahead += new
        return found

    reached = {name: beyond(name) for name in graph}
    return {
        frozenset(other for other in found if name in reached[other])
        for name, found in reached.items()
        if name in found
    }


def test_no_modules_import_each_other_in_a_circle():
    graph = imports_between_modules(ROOT, ("asking", "perfmodel", "sim", "validation"))
    assert circles_of(graph) == set()


def test_a_circle_is_found_wherever_its_imports_stand(tmp_path):
    texts = {
        "top/__init__.py": "if TYPE_CHECKING:\n    from .inner import *\n",
        "top/inner/__init__.py": "from .law import Law as Named\n",
        "top/inner/law.py": "def draw():\n    try:\n        from ..figures import plot\n"
        "    except ImportError:\n        import top.other\n",
        "top/figures.py": "if TYPE_CHECKING:\n    from . import Named\n",
        "top/other.py": "match 1:\n    case 1:\n        from .inner.law import Law\n",
        "top/alone.py": "from . import figures, nothing\nimport top.leaf\n",
        "top/leaf.py": "from top.leaf import itself\n",
    }
    for place, text in texts.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    graph = imports_between_modules(tmp_path, ["top"])
    assert graph["top.alone"] == {"top.figures", "top.leaf"}
    assert circles_of(graph) == {frozenset({"top.inner.law", "top.figures", "top.other"})}
    assert circles_of({"a": {"b"}, "b": {"a"}, "c": {"a", "d"}, "d": {"c"}, "e": {"d"}}) == {
        frozenset("ab"),
        frozenset("cd"),
    }


def kinds_asked(tree):
    """Return the names that a match or an isinstance asks for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.MatchClass):
            yield ast.unparse(node.cls).rpartition(".")[2]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"isinstance", "issubclass"}:
            yield from (
                ast.unparse(name).rpartition(".")[2]
                for name in ast.walk(node.args[1])
                if isinstance(name, ast.Name | ast.Attribute)
            )


def test_one_place_alone_asks_which_law_of_durations_it_has():
    laws = set(lifetimes.__all__) - {"Lifetime"}
    asking = {
        path.relative_to(ROOT / "perfmodel").as_posix()
        for path in (ROOT / "perfmodel").rglob("*.py")
        if laws & set(kinds_asked(ast.parse(path.read_text())))
    }
    assert {place for place in asking if not place.startswith("lifetimes/")} == {
        "completion/repairs/_repair_of.py"
    }


def texts_in(node):
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]


def names_asked(tree, names):
    """Return the names of `names` that a comparison, a match or a table by name asks for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for side, sign, other in zip(
                [node.left, *node.comparators], node.ops, node.comparators, strict=False
            ):
                # Whether a mapping has a key says nothing of what another text is.
                asked = [other] if isinstance(sign, ast.In | ast.NotIn) else [side, other]
                yield from (text for each in asked for text in texts_in(each) if text in names)
        elif isinstance(node, ast.MatchValue):
            yield from (text for text in texts_in(node) if text in names)
        elif isinstance(node, ast.Dict):
            keys = [text for key in node.keys if key for text in texts_in(key) if text in names]
            yield from keys if len(keys) > 1 else []  # one alone may be an argument


def test_nobody_but_the_protocols_asks_which_one_it_is():
    asking = {
        path.relative_to(ROOT).as_posix(): found
        for path in (ROOT / "perfmodel").rglob("*.py")
        if path.parent.name != "protocols"
        and (found := [*names_asked(ast.parse(path.read_text()), NAMES)])
    }
    assert asking == {}


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("x == 'pairs'", ["pairs"]),
        ("'pairs' != x.protocol", ["pairs"]),
        ("x in {'pairs', 'two_levels'}", ["pairs", "two_levels"]),
        ("x not in ('synchronous',)", ["synchronous"]),
        ("match x:\n case 'pairs': pass", ["pairs"]),
        ("{'pairs': 1, 'predicted': 2}[x]", ["pairs", "predicted"]),
        ("x == 'periodic'", []),
        ("formula(**{'pairs': 3})", []),
        ("'asynchronous' in answer", []),
    ],
)
def test_who_asks_for_a_protocol_is_found(code, asked):
    assert list(names_asked(ast.parse(code), NAMES)) == asked


DOCUMENTS = [
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md")))
]
PLACES = r"asking|perfmodel|sim|validation|tests|docs"
# Names that a document shows as examples of what does not exist here.
NOT_HERE = {"sim.py", "perfmodel.sim", *GROUPS.values()}


def is_there(name):
    """Return whether a dotted name is a module or what a module offers."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            found = getattr(found, part, None)
        return found is not None
    return False


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_names_exists(document):
    text = (ROOT / document).read_text()
    paths = re.findall(rf"(?<![\w./-])((?:{PLACES})/[\w./-]*\w)", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[\w-]+)?\)", text)
    assert [link for link in links if not ((ROOT / document).parent / link).exists()] == []
    names = set(re.findall(r"`((?:asking|perfmodel|sim|validation|tests)(?:\.\w+)+)`", text))
    assert [name for name in sorted(names - NOT_HERE) if not is_there(name)] == []


def test_every_file_that_a_docstring_names_exists():
    missing = [
        f"{source.relative_to(ROOT)}: {path}"
        for top in ("asking", "perfmodel", "sim", "validation", "tests")
        for source in sorted((ROOT / top).rglob("*.py"))
        for path in re.findall(rf"(?<![\w./-])((?:{PLACES})/[\w./-]*\w)", source.read_text())
        if not (ROOT / path).exists()
    ]
    assert missing == []


def test_every_decision_is_in_the_list_of_decisions():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\) \| (.*) \|", (folder / "README.md").read_text())
    titles = {
        path.name: path.read_text().splitlines()[0].partition(": ")[2]
        for path in folder.glob("0*.md")
    }
    assert dict(listed) == titles


def test_no_link_to_another_place_is_committed():
    # A checkout puts such a link in the place of what stands there, an environment say.
    done = subprocess.run(
        ["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("this is not a checkout by git")
    assert [line for line in done.stdout.splitlines() if line.startswith("120000")] == []


def test_an_adapter_of_a_library_stays_below_a_hundred_lines():
    folder = ROOT / "perfmodel" / "advisor" / "adapters"
    lengths = {path.name: len(path.read_text().splitlines()) for path in folder.glob("*.py")}
    assert len(lengths) >= 5
    assert {name: length for name, length in lengths.items() if length >= 100} == {}
