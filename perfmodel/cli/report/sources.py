"""What a report is made from: a scenario, a failure log, a job log, or answers in JSON."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import click

from ...answers.logs.limits import limited
from ..errors import needing
from ..options.filling import in_words_of_options, request_of, said_to
from ..options.limits import limits_as_typed
from ..output.progress import doing
from ..output.tables import print_parts, printed_on
from .page import Page

Kind: TypeAlias = Literal["scenario", "failures", "jobs", "sweep", "advisor", "answers"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_COSTS = ("30s", "1min", "5min", "15min")  # of a checkpoint
_HEAD = 1 << 16  # bytes that are looked at
_LEDGER = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Rests:
    """What an answer on a page rests on beside its source: files, and a seed if there is one."""

    files: Sequence[Path] = ()
    seed: int | None = None


def reported(source: Path, kind: Kind | None, words: Sequence[str]) -> str:
    """Return the page of a source; `words` are further options of the command that reads it."""
    if not source.is_file():  # which is read several times
        raise click.UsageError(f"SOURCE must be a plain file, got {source.name}")
    with needing("report"):
        import latex2mathml  # noqa: F401
        import matplotlib as mpl
    mpl.use("Agg")
    found = kind_of(source) if kind is None else kind
    page, limits = Page(f"{_TITLES[found]}: {source.name}"), limits_as_typed()
    with printed_on(page):
        rests = _REPORTS[found](page, source, (*limits, *words))
    inputs = {path.resolve(): path for path in [source, *rests.files]}
    options = " ".join(word for word in words if Path(word).resolve() not in inputs)
    return page.html(
        {
            "method": _METHODS[found],
            "holds for": _RANGES[found],
            "made by": f"perfmodel {version('perfmodel')}",
            "input": "\n".join(f"{path.name}\nsha256 {_sha256(path)}" for path in inputs.values()),
            **({"options": options} if options else {}),
            **({} if rests.seed is None else {"seed": str(rests.seed)}),
        },
        source=", ".join(path.name for path in inputs.values()),
    )


def kind_of(source: Path) -> Kind:
    """Return what a file is, told by its name and its first lines."""
    if source.suffix.lower() == ".toml":
        return "scenario"
    with source.open("rb") as file:
        if file.read(len(_LEDGER)) == _LEDGER:
            return "sweep"
    from sim.traces import log_kind_of

    from ...advisor.state import is_state

    try:
        return log_kind_of(limited(source))
    except ValueError:
        with source.open("rb") as file:
            head = file.read(_HEAD).lstrip()
        if not head.startswith((b"{", b"[")):
            raise
        return "advisor" if is_state(head) else "answers"  # JSON without the keys of a log


def _refuse_options(what: str, words: Sequence[str]) -> None:
    """Refuse options beyond the limits, where no command reads them."""
    if more := words[len(limits_as_typed()) :]:
        raise click.UsageError(f"options must be left out with {what}, got {' '.join(more)!r}")


def _of_scenario(page: Page, source: Path, words: Sequence[str]) -> Rests:
    from ...answers.questions.plan import PlanAnswer
    from ...answers.scenario import read_file
    from ...answers.words.headlines import headlines, title_of
    from ...answers.words.inputs import input_parts
    from ...answers.words.plan import plan_parts
    from .formulas import beyond, of_plan, show_formulas
    from .scenario import draw_plan, draw_variants

    if others := _other_scenarios(words):
        return _of_offers(page, [source, *others], words)
    _refuse_options("a scenario", words)
    with doing(f"planning {source.name}"):
        read = read_file(source)
        variants = read.plans()
    if len(variants) > 1:
        page.name(variants[0].plan.scenario.title)
        page.heading("Which is best")
        print_parts(PlanAnswer(variants).parts())
        draw_variants(page, variants)
        every = [name for each in variants for name in of_plan(each.plan)]
        show_formulas(page, dict.fromkeys(every))
        return Rests(read.files)
    plan = variants[0].plan
    page.name(title_of(plan))
    page.cards((each.name, each.number, each.more) for each in headlines(plan))
    print_parts(plan_parts(plan, titled=False))
    page.turn_to("How sure")
    names = of_plan(plan)
    page.lines(*beyond(plan, names))
    draw_plan(page, plan)
    page.turn_to_end()
    page.heading("Inputs")
    print_parts(input_parts(plan, read.tables, read.origins))
    show_formulas(page, names)
    return Rests(read.files)


def _other_scenarios(words: Sequence[str]) -> list[Path]:
    """Return the scenarios that are named after the first."""
    ends = (word for word in words if not word.startswith("-") and word.lower().endswith(".toml"))
    found = [Path(word) for word in ends]
    for path in found:
        if not path.is_file():
            raise click.UsageError(f"SOURCE must be a readable file, got {str(path)!r}")
    return found


def _of_offers(page: Page, scenarios: Sequence[Path], words: Sequence[str]) -> Rests:
    from ...answers.questions.offers import offers
    from ...answers.words.offers import offer_headlines
    from .formulas import of_plan, show_formulas
    from .offers import draw_offers

    named = {str(path) for path in scenarios}
    _refuse_options("scenarios", [word for word in words if word not in named])
    with doing(f"planning {len(scenarios)} offers"):
        found = offers(scenarios)
    page.name(f"Offers: {', '.join(found.names)}")
    heads = offer_headlines(found.names, found.plans)
    page.cards((each.name, each.number, each.more) for each in heads)
    print_parts(found.parts())
    page.turn_to("What turns the order")
    draw_offers(page, found)
    page.turn_to_end()
    every = [name for each in found.plans for name in of_plan(each)]
    show_formulas(page, dict.fromkeys(every))
    return Rests([path for each in found.files for path in each.files])


def _of_failures(page: Page, source: Path, words: Sequence[str]) -> Rests:
    from ...answers.questions.fit import fit
    from ...answers.questions.interval import interval
    from ...answers.requests.fit import FitRequest
    from ...answers.requests.job import IntervalRequest
    from ..commands.fit import fit as command
    from ..figures import draw_in
    from ..lists import print_answers, protocol_headline
    from .failures import draw_failures, draw_node_hours
    from .formulas import OF_FAILURES, show_formulas
    from .titles import title_of_answers

    page.heading("How often it fails")
    with said_to(command, [str(source), *words]) as said:
        request = request_of(FitRequest, said)
        found = fit(request)
        page.name(title_of_answers(found.to_dict()))
        print_parts(found.parts())
    words_of_laws = "Fitted laws over what was recorded, by Kaplan and Meier."
    page.figure(words_of_laws, lambda path: draw_in(path, found.plot))
    draw_node_hours(page, found.log.node_hours)
    draw_failures(page, found.log, request)
    page.heading("How often to write a checkpoint, by what one takes")
    asked: Any = _COSTS  # text is read as an option is
    with in_words_of_options():
        answers = [interval(IntervalRequest(log=source, checkpoint_cost=cost)) for cost in asked]
    headlines = [protocol_headline(answer.to_dict()) for answer in answers]
    print_answers([{"checkpoint_cost": cost} for cost in _COSTS], headlines, per_year=True)
    show_formulas(page, OF_FAILURES)
    return Rests()


def _of_jobs(page: Page, source: Path, words: Sequence[str]) -> Rests:
    from .jobs import draw_replays

    page.heading("How the jobs fare")
    request = draw_replays(page, source, words)
    named = (getattr(request, each.name) for each in fields(request))
    return Rests([value for value in named if isinstance(value, Path)], request.seed)


def _of_sweep(page: Page, source: Path, words: Sequence[str]) -> Rests:
    from ...answers.sweeps.question import SweepAnswer
    from ...answers.sweeps.study_file import read_study
    from ..sweeps.cells import cells_of_sweep
    from .sweeps import show_sweep

    others = _other_scenarios(words) or [source.with_suffix(".toml")]
    study = others[0]
    if len(others) > 1 or not study.is_file():
        raise click.UsageError(
            f"SOURCE must come with the study of the ledger: perfmodel report {source.name} "
            "study.toml"
        )
    more = [word for word in words if word != str(study)]
    allow_code = "--allow-code" in more
    _refuse_options("a ledger", [word for word in more if word != "--allow-code"])
    found = SweepAnswer(read_study(study, allow_code=allow_code), source)
    try:
        cells = cells_of_sweep(found.study, found.rows())
    except RuntimeError as error:
        raise click.UsageError(f"{error}: perfmodel sweep goes on with it") from None
    show_sweep(page, found.study, cells)
    return Rests([study])


def _of_advisor(page: Page, source: Path, words: Sequence[str]) -> Rests:
    """Add what a job was advised at its last event; it is asked, and told nothing."""
    from ...advisor import CheckpointAdvisor
    from ...answers.parts.advised import advised
    from ...answers.requests.advise import AdviseRequest
    from ...answers.words.advised import advised_facts, when_words
    from .plain_answers import number_words

    _refuse_options("what an advisor remembers", words)
    heard = CheckpointAdvisor.load(source).heard
    now = heard if math.isfinite(heard) else None
    found = advised(AdviseRequest(state=source, now=now))
    page.name(f"The next checkpoint: {when_words(found)}")
    page.heading("What the job is advised")
    page.facts([("as of", number_words("now_s", found.now_s)), *advised_facts(found)])
    return Rests()


def _of_answers(page: Page, source: Path, words: Sequence[str]) -> Rests:
    from .answers import show_answers
    from .titles import title_of_answers

    _refuse_options("answers", words)
    try:
        answers = json.loads(source.read_text("utf-8"))
    except ValueError as error:
        raise click.UsageError(f"{source.name} must be JSON, got {error}") from None
    if not isinstance(answers, dict | list):
        raise click.UsageError(f"{source.name} must be the JSON of an answer, got {answers!r}")
    page.name(title_of_answers(answers))
    show_answers(answers, page)
    return Rests()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_REPORTS: Mapping[Kind, Callable[[Page, Path, Sequence[str]], Rests]] = {
    "scenario": _of_scenario,
    "failures": _of_failures,
    "jobs": _of_jobs,
    "sweep": _of_sweep,
    "advisor": _of_advisor,
    "answers": _of_answers,
}
_TITLES: Mapping[Kind, str] = {
    "scenario": "Plan",
    "failures": "Failures",
    "jobs": "Jobs",
    "sweep": "Sweep",
    "advisor": "Advisor",
    "answers": "Answers",
}
_RANGES: Mapping[Kind, str] = {
    "scenario": "Failures at a constant rate, or of the law that the scenario names, none in a "
    "downtime. Each formula is judged against simulation in the range that stands with it.",
    "failures": "Gaps that do not depend on each other; the answer says where they do.",
    "jobs": "Jobs that come when they came, whatever the policy; the notes say what was left out.",
    "advisor": "A job that goes on as it did: failures at a rate that is learnt as they come.",
    "sweep": "What the formula, the simulated jobs or the replays of the study hold for.",
    "answers": "What the command that answered says.",
}
_METHODS: Mapping[Kind, str] = {
    "scenario": "Exact means and laws of completion times under failures; the protocol with the "
    "least mean time; limits from the posterior of the MTBF.",
    "failures": "Laws fitted by maximum likelihood with cut-off durations, the best by AICc; "
    "limits of the MTBF exact for a constant rate; exact best intervals.",
    "jobs": "The jobs of the log played again under each policy, as docs/semantics.md says.",
    "advisor": "The interval that loses least time, over the rates that failures leave open.",
    "sweep": "Every cell of the study from its ledger; means with intervals by Student's law.",
    "answers": "Answers as they were computed; what they rest on stands above.",
}
