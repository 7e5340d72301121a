"""Statements of `grid` on MetaCentrum (section 6.1, Fig. 2), under one ranking of its clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ...rows import Word, above, worst
from ..results import MEANS, POLICIES, PROBLEMS, Results
from ..weekly import Weekly, weekly
from .judged import (
    GridRow,
    all_of,
    apart,
    better,
    close,
    fcfs_worst,
    requirements_hurt_more,
)

__all__ = ["of_metacentrum"]

_FREE, _REQUIRED = ("BASIC", "EXT-FAIL"), ("EXT-REQ", "EXT-ALL")
_SCENARIOS = PROBLEMS["metacentrum"]
_SHOWN = "so in Fig. 2"


def of_metacentrum(results: Results, ranking: str) -> Iterator[GridRow]:
    """Yield the rows on MetaCentrum, its clusters ranked in one of three ways."""
    runs = weekly(results, ranking, _SCENARIOS, POLICIES)
    yield close(runs, "MetaCentrum: policies close in BASIC", _SHOWN, ("BASIC",), POLICIES)
    yield apart(runs, "MetaCentrum: policies further apart in EXT-ALL", _SHOWN, "EXT-ALL")
    yield fcfs_worst(runs, "MetaCentrum: FCFS worst in EXT-ALL", _SHOWN, ("EXT-ALL",))
    what = "MetaCentrum: requirements usually hurt more than failures"
    yield requirements_hurt_more(runs, what, _SHOWN, ("EXT-FAIL",))
    yield from _easy_and_cons(runs)
    yield from _local_search(runs)


def _easy_and_cons(runs: Weekly) -> Iterator[GridRow]:
    for what, metrics, scenarios, winner in (
        ("CONS has the better slowdown with requirements", ("mean_slowdown",), _REQUIRED, "cons"),
        ("CONS no better than EASY without requirements", tuple(MEANS), _FREE, ""),
        ("EASY has the better response without requirements", ("mean_response_s",), _FREE, "easy"),
        ("CONS has the better response with requirements", ("mean_response_s",), _REQUIRED, "cons"),
    ):
        words: dict[str, Word] = {}
        texts = []
        for metric, scenario in product(metrics, scenarios):
            easy, cons = (scenario, "easy"), (scenario, "cons")
            step = runs.difference(metric, cons, easy)
            where = f"{MEANS[metric]} in {scenario}" if len(metrics) > 1 else scenario
            texts.append(f"{where} {step}")
            low, high = (cons, easy) if winner == "cons" else (easy, cons)
            words[where] = better(runs, metric, low, high)
            if not winner and step.mean == step.half == 0.0:
                words[where] = "holds"  # "worse or equal"
        verdict, note = all_of(words)
        ours = "CONS minus EASY: " + ", ".join(texts)
        yield GridRow(f"MetaCentrum: {what}", _SHOWN, ours, "O", verdict, note)


def _local_search(runs: Weekly) -> Iterator[GridRow]:
    everywhere = tuple(product(MEANS, _SCENARIOS))
    what = "MetaCentrum: local search better than CONS in every mean"
    yield _best(runs, what, everywhere, ("cons",))
    left_out = {("mean_response_s", scenario) for scenario in _FREE}
    rest = [place for place in everywhere if place not in left_out]
    what = "MetaCentrum: local search best, but for response without requirements"
    yield _best(runs, what, rest, POLICIES[:-1])
    words: dict[str, Word] = {}
    texts = []
    for scenario in _FREE:
        steps = [
            runs.difference("mean_response_s", (scenario, "ls"), (scenario, other))
            for other in POLICIES[:-1]
        ]
        step = max(steps, key=lambda found: found.mean)
        words[scenario] = above(0.0, step, by_interval=True)
        texts.append(f"{scenario} {step}")
    verdict, note = all_of(words)
    yield GridRow(
        "MetaCentrum: local search not best in response without requirements",
        _SHOWN,
        "LS minus the best of the others [s]: " + ", ".join(texts),
        "O",
        verdict,
        note,
    )


def _best(
    runs: Weekly, what: str, places: Sequence[tuple[str, str]], others: Sequence[str]
) -> GridRow:
    words: dict[str, Word] = {}
    texts = []
    for metric, scenario in places:
        ours = (scenario, "ls")
        words[f"{MEANS[metric]} in {scenario}"] = worst(
            better(runs, metric, ours, (scenario, other)) for other in others
        )
        steps = [runs.difference(metric, (scenario, other), ours) for other in others]
        if metric == "mean_slowdown":
            texts.append(f"{scenario} {min(steps, key=lambda step: step.mean)}")
    verdict, note = all_of(words)
    rivals = "CONS" if others == ("cons",) else "the next"
    text = f"slowdown, {rivals} minus LS: " + ", ".join(texts)
    return GridRow(what, _SHOWN, text, "O", verdict, note)
