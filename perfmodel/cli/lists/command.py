"""A command that answers every combination of the values that come as lists."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import cleandoc
from itertools import product
from typing import Any, Generic, TypeVar

import click

from asking.plain import strict
from asking.requests import Asked

from ..options.filling import in_words_of_options, request_of
from ..options.grouped import Grouped
from ..options.types import Several, Values
from ..output.progress import study_progress
from ..output.tables import print_json
from .headline import Headline
from .table import print_answers, yearly

_MOST = 1000  # combinations
_Answer = Mapping[str, Any]
R = TypeVar("R", bound=Asked)
_PER_YEAR = "perfmodel.per_year"
_HELP = "Several values with commas, as in 8h,12h, are compared in one table."


def takes_lists(
    request: type[R],
    answer: Callable[[R], _Answer],
    headline: Callable[[_Answer], Headline],
    *,
    per_year: bool = True,
    fails: Callable[[_Answer], bool] = lambda _: False,
) -> Callable[[click.Command], click.Command]:
    """Let a command with --json take several values, with commas, for options of one value.

    Every choice of values is a request, and `answer` gives what JSON has of it; `headline` says
    what to show of that, and the exit code is 1 if it `fails`. `per_year` adds the option.
    """

    def decorate(command: click.Command) -> click.Command:
        params = list(command.params)
        for each in params:
            if getattr(each.type, "listed", False) and not each.multiple:
                each.type = Several(each.type)
        if per_year:
            place = next(at for at, each in enumerate(params) if "--json" in each.opts)
            params.insert(
                place,
                click.Option(
                    ["--per-year"],
                    is_flag=True,
                    expose_value=False,
                    callback=_note,
                    help="One table with what is lost in a year; so is one of several values.",
                ),
            )
        return _Listing(
            _Question(request, answer, headline, fails),
            name=command.name,
            callback=command.callback,
            params=params,
            help=f"{cleandoc(command.help or '')}\n\n{_HELP}",
            epilog=command.epilog,
        )

    return decorate


@dataclass(frozen=True, slots=True)
class _Question(Generic[R]):
    """What is asked for each combination, and what is shown of the answers."""

    request: type[R]
    answer: Callable[[R], _Answer]
    headline: Callable[[_Answer], Headline]
    fails: Callable[[_Answer], bool]


class _Listing(Grouped):
    """A command whose answers are compared where several are asked for."""

    def __init__(self, question: _Question[Any], **settings: Any) -> None:
        super().__init__(**settings)
        self._question = question

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command once, or ask for each combination of values."""
        per_year = ctx.meta.pop(_PER_YEAR, False)
        lists = {name: each for name, each in ctx.params.items() if isinstance(each, Values)}
        if not lists and not per_year:
            return super().invoke(ctx)
        if ctx.params.get("plot") is not None:
            raise click.UsageError("--plot must be left out with several values, or --per-year")
        if (count := math.prod(map(len, lists.values()))) > _MOST:
            raise click.UsageError(f"lists must have at most {_MOST:,} combinations, got {count:,}")
        as_json, question, common = ctx.params["as_json"], self._question, ctx.params
        answers: list[dict[str, Any]] = []
        headlines: list[Headline] = []
        code = 0
        with study_progress("answers") as report:
            for places in product(*(range(len(each)) for each in lists.values())):
                chosen = [
                    (name, each, at) for (name, each), at in zip(lists.items(), places, strict=True)
                ]
                ctx.params = common | {name: each[at] for name, each, at in chosen}
                with in_words_of_options():
                    found = strict(question.answer(request_of(question.request, ctx.params)))
                given = {self._key(name): each.texts[at] for name, each, at in chosen}
                answers.append({"given": given, **found})
                code = max(code, int(question.fails(found)))
                if per_year or not as_json:  # else a line that could not be shown is none
                    headlines.append(question.headline(found))
                if report is not None:
                    report(len(answers), count)
        if not as_json:
            print_answers([each["given"] for each in answers], headlines, per_year=per_year)
        elif per_year:
            print_json([{**a, **yearly(b)} for a, b in zip(answers, headlines, strict=True)])
        else:
            print_json(answers)
        if code:
            raise click.exceptions.Exit(code)
        return None

    def _key(self, name: str) -> str:
        """Return the name of an option, as the keys of JSON and the columns of a table have it."""
        (option,) = (each for each in self.params if each.name == name)
        return max(option.opts, key=len).removeprefix("--").replace("-", "_")


def _note(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    """Note that a table of a year is asked for, which no request holds."""
    del option
    if value:
        ctx.meta[_PER_YEAR] = True
