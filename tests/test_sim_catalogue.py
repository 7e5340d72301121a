"""What `sim` offers says what goes in, what comes out, and what is refused."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap

import sim.application
from sim import _checks
from tests.support.catalogue import SECTIONS, sections


def public_functions():
    """Return the functions in `__all__` of every public module and package below `sim`."""
    found = {}
    for module in pkgutil.iter_modules(sim.__path__, "sim."):
        if not module.name.startswith("sim._"):
            loaded = importlib.import_module(module.name)
            for name in loaded.__all__:
                if inspect.isfunction(getattr(loaded, name)):
                    found[f"{module.name}.{name}"] = getattr(loaded, name)
    return found


def refuses(function):
    """Whether the body raises, or checks an argument where the door does not say what of."""
    body = ast.parse(textwrap.dedent(inspect.getsource(function)))
    called = {
        n.func.id for n in ast.walk(body) if isinstance(n, ast.Call) and hasattr(n.func, "id")
    }
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(body))
    said = function.__module__.startswith("sim.application.")
    return raises or bool(called & set(_checks.__all__) and not said)


def test_a_docstring_has_the_sections_it_needs_in_order():
    wrong = []
    for name, function in public_functions().items():
        found = [title for title in sections(function) if title in SECTIONS]
        needed = {
            "Parameters": bool(inspect.signature(function).parameters),
            "Returns": inspect.signature(function).return_annotation != "None",
            "Raises": refuses(function),
        }
        missing = [title for title, wanted in needed.items() if wanted and title not in found]
        if missing or found != [title for title in SECTIONS if title in found]:
            wrong.append((name, missing))
    assert wrong == []


def test_what_every_simulation_refuses_is_said_once():
    said = " ".join(sim.application.__doc__.split())
    assert "`ValueError` if a number is outside the range" in said
    assert "`TypeError` if an argument is not of the kind" in said
    again = re.compile("outside (its|the) range|not of the kind|of the wrong kind")
    raises = {
        name: sections(function).get("Raises", "")
        for name, function in public_functions().items()
        if name.startswith("sim.application.")
    }
    assert [name for name, words in raises.items() if again.search(words)] == []


def test_every_parameter_is_named():
    wrong = []
    for name, function in public_functions().items():
        heads = re.findall(r"^\S.*$", sections(function).get("Parameters", ""), re.MULTILINE)
        named = set(re.findall(r"\w+", " ".join(head.split(" : ")[0] for head in heads)))
        if missing := set(inspect.signature(function).parameters) - named:
            wrong.append((name, missing))
    assert wrong == []


def test_most_of_what_is_offered_was_found():
    names = public_functions()
    assert {"sim.metrics.wait", "sim.cluster.replay", "sim.traces.read_lanl"} <= set(names)
    assert {"sim.application.simulate_makespans", "sim.streams.stream"} <= set(names)
