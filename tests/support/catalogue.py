"""The sections and parameters in the docstrings of public formulas."""

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass

import perfmodel

SECTIONS = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]

# Commands, the catalogue itself and what takes any formula are not formulas, nor is what draws
# futures or looks back at a whole log: it has a judge of its own, `validation.promises`.
APART = (
    "perfmodel.answers",
    "perfmodel.cli",
    "perfmodel.registry",
    "perfmodel.credible",
    "perfmodel.figures",
    "perfmodel.forecasts.job",
    "perfmodel.forecasts.outlook",
    "perfmodel.forecasts.part",
    "perfmodel.forecasts.past",
    "perfmodel.planning",
    "perfmodel.planning.composed",
    "perfmodel.planning.scenario",
    "perfmodel.planning.sweep",
)


@dataclass(frozen=True)
class Entry:
    """One parameter as the docstring describes it."""

    kind: str
    text: str

    @property
    def unit(self):
        found = re.search(r"\[[^\]]+\]", self.kind)
        return found[0] if found else None


def public_functions():
    """Return every public function of `perfmodel` and its subpackages once, by qualified name."""
    found = {}
    doors = [m.name for m in pkgutil.iter_modules(perfmodel.__path__, "perfmodel.") if m.ispkg]
    for door in ("perfmodel", *doors):
        if door in APART:
            continue
        loaded = importlib.import_module(door)
        for name in loaded.__all__:
            thing = getattr(loaded, name)
            if inspect.isfunction(thing) and thing.__module__ not in APART:
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    return found


def sections(function):
    """Return the sections of a numpy-style docstring, title to body."""
    pieces = re.split(r"^(\w+)\n-{3,}$", inspect.getdoc(function) or "", flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def parameters(function):
    """Return the documented parameters by name; `a, b : kind` documents two."""
    found = {}
    body = sections(function).get("Parameters", "")
    for names, kind, text in re.findall(
        r"^(\w[\w, ]*) : (.*)\n((?:[ ]+.*\n?|\n)*)", body, flags=re.MULTILINE
    ):
        for name in names.split(", "):
            found[name] = Entry(kind, text)
    return found
