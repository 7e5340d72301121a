"""What a report is made from: a scenario, a failure log, a job log, or answers in JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import click

from ..errors import needing
from ..options.limits import limited, limits_as_typed
from ..output.tables import printed_on
from .page import Page

__all__ = ["KINDS", "Kind", "kind_of", "reported"]

Kind: TypeAlias = Literal["scenario", "failures", "jobs", "answers"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_HEAD = 1 << 16  # bytes that are looked at


def reported(source: Path, kind: Kind | None, words: Sequence[str]) -> str:
    """Return the page of a source; `words` are further options of the command that reads it."""
    with needing("report"):
        import matplotlib as mpl
    mpl.use("Agg")
    found = kind_of(source) if kind is None else kind
    page, limits = Page(f"{_TITLES[found]}: {source.name}"), limits_as_typed()
    with printed_on(page):
        _REPORTS[found](page, source, (*limits, *words))
    options = " ".join(words)
    return page.html(
        {
            "method": _METHODS[found],
            "made by": f"perfmodel {version('perfmodel')}",
            "input": f"{source.name}\nsha256 {_sha256(source)}",
            **({"options": options} if options else {}),
        }
    )


def kind_of(source: Path) -> Kind:
    """Return what a file is, told by its name and its first lines."""
    if source.suffix.lower() == ".toml":
        return "scenario"
    with source.open("rb") as file:
        head = file.read(_HEAD).lstrip()
    if _is_json(head):
        return "answers"
    from sim.traces import log_kind_of

    return log_kind_of(limited(source))


def _is_json(head: bytes) -> bool:
    """Return whether a file begins as an answer does, and not as a list of faults of nodes."""
    return head.startswith((b"{", b"[")) and b'"node_id"' not in head


def _run(*words: str) -> None:
    """Run a command of ours; its answer is printed on the page."""
    context = click.get_current_context()
    group = context.find_root().command
    assert isinstance(group, click.Group)
    group.main(list(words), "perfmodel", standalone_mode=False, parent=context)


def _of_scenario(page: Page, source: Path, words: Sequence[str]) -> None:
    from .scenario import draw_plan

    _run("plan", str(source), *words)
    page.turn_to("How sure")
    draw_plan(page, source)
    page.turn_to_end()


def _of_failures(page: Page, source: Path, words: Sequence[str]) -> None:
    page.heading("How often it fails")
    drawn: list[Path] = []

    def draw(path: Path) -> None:
        drawn.append(path)
        _run("fit", str(source), *words, "--plot", str(path))

    page.figure("Fitted laws over what was recorded, by Kaplan and Meier.", draw)
    page.heading("How often to write a checkpoint, by what one takes")
    costs = ("--checkpoint-cost", "30s,1min,5min,15min", "--per-year")
    _run("interval", "--log", str(source), *words[:4], *costs)


def _of_jobs(page: Page, source: Path, words: Sequence[str]) -> None:
    from .jobs import draw_replays

    page.heading("How the jobs fare")
    draw_replays(page, source, words, _run)


def _of_answers(page: Page, source: Path, words: Sequence[str]) -> None:
    from .answers import show_answers

    if words[4:]:  # beyond the limits
        raise click.UsageError(
            f"options must be left out with answers, got {' '.join(words[4:])!r}"
        )
    try:
        answers = json.loads(source.read_text("utf-8"))
    except ValueError as error:
        raise click.UsageError(f"{source.name} must be JSON, got {error}") from None
    if not isinstance(answers, dict):
        raise click.UsageError(f"{source.name} must be the JSON of one answer, got a list")
    show_answers(answers)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_REPORTS: Mapping[Kind, Callable[[Page, Path, Sequence[str]], None]] = {
    "scenario": _of_scenario,
    "failures": _of_failures,
    "jobs": _of_jobs,
    "answers": _of_answers,
}
_TITLES: Mapping[Kind, str] = {
    "scenario": "Plan",
    "failures": "Failures",
    "jobs": "Jobs",
    "answers": "Answers",
}
_METHODS: Mapping[Kind, str] = {
    "scenario": "Exact means and laws of completion times under failures; the protocol with the "
    "least mean time; limits from the posterior of the MTBF.",
    "failures": "Laws fitted by maximum likelihood with cut-off durations, the best by AICc; "
    "limits of the MTBF exact for a constant rate; exact best intervals.",
    "jobs": "The jobs of the log played again under each policy, as docs/semantics.md says.",
    "answers": "Answers as they were computed; what they rest on stands above.",
}
