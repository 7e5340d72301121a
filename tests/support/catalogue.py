"""What the docstrings of public formulas say, read by machine."""

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass

import perfmodel

SECTIONS = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]

# The catalogue itself, the judge of ranges, the face, and what packages share are not formulas.
APART = (
    "perfmodel.cli",
    "perfmodel.fitting.goodness",
    "perfmodel.lifetimes.fixed_or_random",
    "perfmodel.makespan.segments",
    "perfmodel.registry",
    "perfmodel.validity",
    "perfmodel.__main__",
)


@dataclass(frozen=True)
class Entry:
    """One parameter as the docstring has it."""

    kind: str
    text: str

    @property
    def unit(self):
        found = re.search(r"\[[^\]]+\]", self.kind)
        return found[0] if found else None


def public_functions():
    """Return every function in the `__all__` of a public module, once, by qualified name.

    A door may offer other packages what a private module defines: that is not a formula.
    """
    found = {}
    for module in pkgutil.walk_packages(perfmodel.__path__, "perfmodel."):
        parts = module.name.split(".")
        if module.name.startswith(APART) or any(part.startswith("_") for part in parts):
            continue
        loaded = importlib.import_module(module.name)
        for name in loaded.__all__:
            thing = getattr(loaded, name)
            if inspect.isfunction(thing) and "._" not in thing.__module__:
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
