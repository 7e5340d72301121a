"""Write the pages of the public interface, one for each door, and link to every name of it.

The pages are written to ``docs/api`` when a build begins and are not kept in the repository; what
they say stands in the docstrings. A name in backticks, on any other page, becomes a link.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.ext.autodoc.mock import mock
from sphinx.transforms.post_transforms import SphinxPostTransform

# Heading -> doors whose names are described below it; each name once, where it is first met.
DOORS: Mapping[str, tuple[str, ...]] = {
    "Formulas": (
        *("makespan", "interval", "completion", "completion.repairs", "lifetimes", "fitting"),
        *("ageing", "levels", "silent", "prediction", "buddies", "replication", "chains"),
        *("parallel", "scaling", "contention", "bursts", "lemons", "standbys", "spot"),
        *("training", "energy", "partition", "site", "forecasts", "protocols", "credible"),
        *("formula", "registry", "validity"),
    ),
    "Answers, plans and the advisor": (
        *("answers", "answers.logs", "answers.scenario", "answers.schemas", "answers.shown"),
        *("planning", "estimate", "figures", "advisor", "advisor.adapters.plain"),
        *("advisor.adapters.lightning", "advisor.adapters.transformers", "advisor.adapters.orbax"),
    ),
    "The simulator: one job": ("application", "samplers", "streams", "engine", "estimators"),
    "The simulator: many jobs": (
        *("cluster", "cluster.loop", "cluster.order", "cluster.backfill"),
        *("cluster.checkpointing", "cluster.recovery", "cluster.failures", "cluster.forecasts"),
        *("cluster.promises", "cluster.dialects", "cluster.bluegene"),
        *("cluster.bluegene.schedulers", "cluster.grid", "metrics", "answers", "study", "sweep"),
    ),
    "Logs": ("traces", "traces.parsing"),
    "How both are asked": ("units", "kinds", "requests", "refusals"),
}
# Libraries of training loops, which a build does without.
LOOPS = ("jax", "lightning", "orbax", "pytorch_lightning", "transformers")
_ROOTS = {
    "Formulas": "perfmodel",
    "Answers, plans and the advisor": "perfmodel",
    "The simulator: one job": "sim",
    "The simulator: many jobs": "sim",
    "Logs": "sim",
    "How both are asked": "asking",
}


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("builder-inited", lambda app: write(Path(app.srcdir) / "api"))
    app.add_post_transform(LinkNames)
    return {"parallel_read_safe": True}


def doors() -> Iterator[tuple[str, str]]:
    """Yield each heading with the full name of each door below it."""
    for heading, rooms in DOORS.items():
        yield from ((heading, f"{_ROOTS[heading]}.{room}") for room in rooms)


def _module(door: str) -> Any:
    with mock(LOOPS):
        return import_module(door)


def homes() -> dict[str, tuple[str, ...]]:
    """Return, for each door, the names that its page describes."""
    taken: set[int] = set()
    found: dict[str, tuple[str, ...]] = {}
    for _, door in doors():
        module = _module(door)
        mine = []
        for name in module.__all__:
            value = getattr(module, name)
            if not (inspect.isclass(value) or inspect.isroutine(value)) or id(value) in taken:
                continue
            taken.add(id(value))
            mine.append(name)
        found[door] = tuple(mine)
    return found


def write(folder: Path) -> None:
    """Write a page for each door that describes a name, and an index of all of them."""
    folder.mkdir(exist_ok=True)
    described = {door: names for door, names in homes().items() if names}
    pages = {"index.rst": _index(described)}
    pages |= {f"{door}.rst": _page(door, names) for door, names in described.items()}
    for path in folder.glob("*.rst"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:  # else Sphinx reads every page again
            path.write_text(text)


def _index(described: Mapping[str, tuple[str, ...]]) -> str:
    lines = [
        "Public interface",
        "================",
        "",
        "Every name that may be imported, from its docstring. Formulas, laws and plans can be",
        "imported from `perfmodel` itself.",
        "",
    ]
    for heading in DOORS:
        mine = [door for above, door in doors() if above == heading and door in described]
        lines += [heading, "-" * len(heading), "", ".. toctree::", "   :maxdepth: 1", ""]
        lines += [f"   {door}" for door in mine] + [""]
        for door in mine:
            summary = (_module(door).__doc__ or "").partition("\n")[0]
            lines += [f"* :doc:`{door}`: {summary}", ""]
    return "\n".join(lines)


def _page(door: str, names: tuple[str, ...]) -> str:
    lines = [door, "=" * len(door), "", f".. automodule:: {door}", "   :no-members:", ""]
    lines += [".. autosummary::", "   :nosignatures:", ""]
    lines += [f"   {name}" for name in names] + [""]
    module = _module(door)
    for name in names:
        kind = "autoclass" if inspect.isclass(getattr(module, name)) else "autofunction"
        lines += [f".. {kind}:: {name}", ""]
    return "\n".join(lines)


class LinkNames(SphinxPostTransform):
    """Make a link of a public name in backticks."""

    default_priority = 500

    def run(self, **_: Any) -> None:
        """Replace the literals of one page."""
        if self.env.docname.startswith("api/"):
            return
        targets = self._targets()
        for literal in list(self.document.findall(nodes.literal)):
            found = targets.get(literal.astext().removesuffix("()"))
            if found is None or isinstance(literal.parent, nodes.reference):
                continue
            page, anchor = found
            reference = nodes.reference("", "", internal=True)
            uri = self.app.builder.get_relative_uri(self.env.docname, page)
            reference["refuri"] = f"{uri}#{anchor}"
            literal.replace_self(reference)
            reference += literal

    def _targets(self) -> dict[str, tuple[str, str]]:
        """Return page and anchor of each name, alone and with what stands before it."""
        targets: dict[str, tuple[str, str]] = {}
        for full, entry in self.env.get_domain("py").objects.items():
            place = (entry.docname, entry.node_id)
            targets[full] = place
            if entry.objtype in {"class", "exception", "function"}:
                short = full.rpartition(".")[2]
                targets.setdefault(short, place)
                targets.setdefault(f"perfmodel.{short}", place)
        return targets
