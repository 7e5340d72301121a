"""A command that answers every combination of the values that come as lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from itertools import product
from typing import Any, Generic, TypeVar

import click

from asking.requests import Asked

from ...answers.shown import strict
from ..options.filling import in_words_of_options, request_of
from ..options.grouped import Grouped
from ..output.tables import print_json
from .headline import Headline
from .table import print_answers, yearly

__all__ = ["takes_lists"]

_MOST = 1000  # combinations
_Answer = Mapping[str, Any]
R = TypeVar("R", bound=Asked)
_KEY = "perfmodel.lists"
_HELP = "Several values with commas, as in 8h,12h, are compared in one table."


@dataclass(frozen=True, slots=True)
class _Asked:
    """What stands on a command line, the lists apart."""

    words: Sequence[str]
    lists: Mapping[str, Sequence[str]]  # by option
    as_json: bool
    per_year: bool

    @property
    def combinations(self) -> list[dict[str, str]]:
        """Every choice of a value for each option, the last one changing fastest."""
        return [
            dict(zip(self.lists, values, strict=True)) for values in product(*self.lists.values())
        ]


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
        if per_year:
            place = next(at for at, each in enumerate(params) if "--json" in each.opts)
            params.insert(
                place,
                click.Option(
                    ["--per-year"],
                    is_flag=True,
                    expose_value=False,
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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the first combination; the others are parsed when it is their turn."""
        asked = self._asked(ctx, list(args))
        if asked is None:
            return super().parse_args(ctx, args)
        if (count := len(asked.combinations)) > _MOST:
            raise click.UsageError(f"lists must have at most {_MOST:,} combinations, got {count:,}")
        ctx.meta[_KEY] = asked
        return self._parsed(ctx, asked, asked.combinations[0])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command once, or once for each combination."""
        asked = ctx.meta.pop(_KEY, None)
        if asked is None:
            return super().invoke(ctx)
        answers: list[dict[str, Any]] = []
        headlines: list[Headline] = []
        code = 0
        for each in asked.combinations:
            answer, ended = self._answer(ctx, asked, each)
            answers.append({"given": _named(each), **answer})
            code = max(code, ended)
            if asked.per_year or not asked.as_json:  # else a line that could not be shown is none
                headlines.append(self._question.headline(answer))
        if not asked.as_json:
            print_answers(asked.combinations, headlines, per_year=asked.per_year)
        elif asked.per_year:
            print_json([{**a, **yearly(b)} for a, b in zip(answers, headlines, strict=True)])
        else:
            print_json(answers)
        if code:
            raise click.exceptions.Exit(code)
        return None

    def _parsed(self, ctx: click.Context, asked: _Asked, values: Mapping[str, str]) -> list[str]:
        """Parse one combination; of a value that is refused, say that it is one of a list."""
        try:
            return super().parse_args(ctx, _words(asked, values))
        except click.UsageError as error:
            flag = next((flag for flag in values if error.message.startswith(f"{flag} ")), None)
            if flag is None:
                raise
            typed = ",".join(asked.lists[flag])
            raise click.UsageError(
                f"{error.message}: commas separate the values of {typed}", error.ctx
            ) from None

    def _answer(
        self, ctx: click.Context, asked: _Asked, values: Mapping[str, str]
    ) -> tuple[dict[str, Any], int]:
        """Return the answer to one combination, and its exit code."""
        question = self._question
        with click.Context(self, info_name=ctx.info_name, parent=ctx.parent) as inner:
            self._parsed(inner, asked, values)
            with in_words_of_options():
                found = strict(question.answer(request_of(question.request, inner.params)))
        return found, int(question.fails(found))

    def _asked(self, ctx: click.Context, args: list[str]) -> _Asked | None:
        """Return what is asked for, or None where no list is and no table."""
        flags = {each.name: max(each.opts, key=len) for each in self.params}
        listed = {
            each.name
            for each in self.params
            if getattr(each.type, "listed", False) and not each.multiple
        }
        try:
            found, _, _ = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError:
            return None  # the command itself refuses it
        lists = {
            flags[name]: [part.strip() for part in value.split(",")]
            for name, value in found.items()
            if name in listed and isinstance(value, str) and "," in value
        }
        table = bool(found.get("per_year"))
        if not lists and not table:
            return None
        if found.get("plot") is not None:
            raise click.UsageError("--plot must be left out with several values, or --per-year")
        as_json = bool(found.get("as_json"))
        words = [word for word in args if word not in {"--json", "--per-year"}]
        return _Asked(words, lists, as_json, table)


def _words(asked: _Asked, values: Mapping[str, str]) -> list[str]:
    """Return a command line of single values: of an option that comes twice, the last counts."""
    chosen = [word for flag, value in values.items() for word in (flag, value)]
    return [*asked.words, *chosen]


def _named(given: Mapping[str, str]) -> dict[str, str]:
    return {flag.removeprefix("--").replace("-", "_"): value for flag, value in given.items()}
