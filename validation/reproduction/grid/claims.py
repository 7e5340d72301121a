"""What `grid` says of its figures, judged on three systems.

MetaCentrum is one log and most policies draw nothing, so there a mean is a mean; beside that the
same is asked of any half-year, with the weeks as a sample. The other systems are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import hypot
from typing import Protocol

import numpy as np

from ..claims import Claim, Judged, Reading, Step
from ..estimates import Estimate, estimate
from .results import MEANS, POLICIES, PROBLEMS, Results
from .systems import SPEEDS
from .weekly import Played, Weekly, ratio_of_sums, weekly

__all__ = ["Compared", "Draws", "Means", "claims"]

_FREE, _REQUIRED = ("BASIC", "EXT-FAIL"), ("EXT-REQ", "EXT-ALL")
_FOUR = (*_FREE, *_REQUIRED)
_LEVEL = 0.5  # %; less cannot be seen in a figure
_REQUIREMENTS = "requirements are reconstructed, and the ranking of clusters is not printed"
# Of claims on a system that is drawn alone: whatever comes of them says more of what draws it.
_JOBS = "its jobs are not at hand; on jobs drawn to its printed counts and means, see the bar"


class Compared(Protocol):
    """Runs on one system under one reading."""

    @property
    def levels(self) -> dict[str, str]:
        """Of the reading."""

    @property
    def seeds(self) -> int:
        """How many were drawn."""

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return the mean of the first over that of the second, with its interval."""


@dataclass(frozen=True, slots=True)
class Means:
    """MetaCentrum: the means of its jobs, as they are; local search over its seeds."""

    results: Results
    ranking: str
    levels: dict[str, str]
    seeds: int

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return one mean over the other; only what is drawn has an interval."""
        ours, theirs = (
            estimate(self.results.each(metric, "metacentrum", *played, self.ranking))
            for played in (first, second)
        )
        halves = [0.0 if np.isnan(each.half) else each.half / each.mean for each in (ours, theirs)]
        ratio = ours.mean / theirs.mean
        return Estimate(ratio, ratio * hypot(*halves))


@dataclass(frozen=True, slots=True)
class Weeks:
    """MetaCentrum: jobs that ended under both, with the weeks of submission as a sample."""

    runs: Weekly
    levels: dict[str, str]
    seeds: int

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return one mean over the other, with an interval over weeks."""
        return self.runs.ratio(metric, first, second)


@dataclass(frozen=True, slots=True)
class Draws:
    """A system of which every seed is another draw, paired by draw."""

    results: Results
    name: str
    levels: dict[str, str]

    @property
    def seeds(self) -> int:
        """Number of draws."""
        return self.each("killed", ("BASIC", "fcfs")).size

    def each(self, metric: str, played: Played) -> np.ndarray:
        """Return one number per draw."""
        return self.results.each(metric, self.name, *played)

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return one mean over the other, with an interval over draws."""
        return ratio_of_sums(self.each(metric, first), self.each(metric, second))


def claims(results: Results) -> Iterator[Judged]:
    """Yield the claims on the systems that were played."""
    real = list(_metacentrum(results)) if "metacentrum" in results.systems else []
    drawn = {
        name: Draws(results, name, {"system": f"{words}-like"})
        for name, words in (("grid5000", "Grid'5000"), ("das2", "DAS-2"))
        if name in results.systems
    }
    yield from _everywhere(real, drawn)
    if real:
        yield from _backfilling(real)
        yield from _local_search(real)
    if "grid5000" in drawn:
        yield from _grid5000(drawn["grid5000"])
    if "das2" in drawn:
        yield from _das2(drawn["das2"])


def _metacentrum(results: Results) -> Iterator[Compared]:
    for ranking in SPEEDS:
        name, _, scaled = ranking.partition(", runtimes ")
        levels = {"system": "MetaCentrum", "ranked by": name, "runtimes": scaled or "as logged"}
        seeds = results.each("killed", "metacentrum", "BASIC", "ls", ranking).size
        yield Means(results, ranking, {**levels, "asked of": "these jobs"}, seeds)
        runs = weekly(results, ranking, _FOUR, POLICIES)
        weeks = int(runs.week.max()) + 1
        yield Weeks(runs, {**levels, "asked of": "any half-year"}, weeks)


def _step(runs: Compared, metric: str, low: Played, high: Played) -> Step:
    """Return by how many per cent `high` is above `low`."""
    ratio = runs.ratio(metric, high, low)
    what = f"{MEANS.get(metric, metric)}, {_named(low)} < {_named(high)}"
    return Step(what, 100.0 * (ratio.mean - 1.0), 100.0 * ratio.half, runs.seeds)


def _named(played: Played) -> str:
    return f"{played[1]} in {played[0]}"


def _everywhere(real: Sequence[Compared], drawn: dict[str, Draws]) -> Iterator[Judged]:
    das2 = [drawn["das2"]] if "das2" in drawn else []
    if real or das2:
        yield Judged(
            Claim(
                "Figs 2, 5",
                "in BASIC the policies are close in every mean",
                "not very large; nearly the same",
                "the largest of slowdown, response, wait at most twice the smallest",
                low=-50.0,
                high=100.0,
                unit="%",
                cause="R",
                why="in MetaCentrum wait and response are close; local search has a fifth of the "
                "slowdown of all others, by jobs of 1 s; on DAS-2-like a single draw makes FCFS "
                "wait for hours",
            ),
            [_close(runs, POLICIES) for runs in (*real, *das2)],
        )
    both: list[tuple[Compared, Sequence[str]]] = [(runs, _FOUR) for runs in real]
    both += [(runs, PROBLEMS[name]) for name, runs in drawn.items()]
    if not both:
        return
    yield Judged(
        Claim(
            "Figs 2, 3, 5",
            "with requirements and failures FCFS is worst by far",
            "worst, truncated in the figures",
            "FCFS over each other policy in EXT-ALL, in every mean",
            unit="%",
        ),
        [
            _reading(
                runs,
                [
                    _step(runs, metric, (scenario, policy), (scenario, "fcfs"))
                    for scenario in scenarios
                    if scenario.startswith("EXT-ALL")
                    for metric, policy in product(MEANS, POLICIES[1:])
                ],
            )
            for runs, scenarios in both
        ],
    )
    yield Judged(
        Claim(
            "Figs 2, 3, 5",
            "requirements usually hurt more than failures",
            "usually",
            "EXT-REQ over EXT-FAIL, every mean and policy: the clearest half and one more",
            unit="%",
            cause="W",
            why=_REQUIREMENTS,
        ),
        [_usually(runs, scenarios) for runs, scenarios in both],
    )


def _close(runs: Compared, policies: Sequence[str], scenario: str = "BASIC") -> Reading:
    steps = []
    for metric in MEANS:
        pairs = [(a, b) for a, b in product(policies, policies) if a != b]
        low, high = max(
            pairs, key=lambda p: runs.ratio(metric, (scenario, p[1]), (scenario, p[0])).mean
        )
        steps.append(_step(runs, metric, (scenario, low), (scenario, high)))
    return _reading(runs, steps)


def _reading(runs: Compared, steps: Sequence[Step], shown: int = 3) -> Reading:
    """Return a reading that tells its steps of least difference."""
    least = sorted(steps, key=lambda step: step.mean)[:shown]
    told = ", ".join(f"{step.what} {step.mean:+.3g} %" for step in least)
    return Reading(runs.levels, f"least: {told}" if len(steps) > shown else told, steps)


def _usually(runs: Compared, scenarios: Sequence[str]) -> Reading:
    steps = [
        _step(runs, metric, (failing, policy), ("EXT-REQ", policy))
        for failing in scenarios
        if failing.startswith("EXT-FAIL")
        for metric, policy in product(MEANS, POLICIES)
    ]
    clear = sorted(steps, key=lambda step: step.half - step.mean)[: len(steps) // 2 + 1]
    return _reading(runs, clear)


def _backfilling(real: Sequence[Compared]) -> Iterator[Judged]:
    for says, printed, metrics, scenarios, low, high, least in (
        (
            "with requirements CONS has the better slowdown than EASY",
            "clear in Fig. 2",
            ["mean_slowdown"],
            _REQUIRED,
            "cons",
            "easy",
            0.0,
        ),
        (
            "without requirements CONS is worse than EASY or equal, in every mean",
            "worse or equal",
            list(MEANS),
            _FREE,
            "easy",
            "cons",
            -_LEVEL,
        ),
        (
            "without requirements EASY has the better response",
            "clearly",
            ["mean_response_s"],
            _FREE,
            "easy",
            "cons",
            0.0,
        ),
        (
            "with requirements CONS has the slightly better response",
            "very small difference",
            ["mean_response_s"],
            _REQUIRED,
            "cons",
            "easy",
            0.0,
        ),
    ):
        rule = f"{high.upper()} over {low.upper()} in {' and '.join(scenarios)}"
        tie = " (less than 0.5 % is a tie)" if least else ""
        yield Judged(
            Claim(
                "Fig. 2",
                says,
                printed,
                rule + tie,
                low=least,
                unit="%",
                cause="W" if scenarios == _REQUIRED else "P",
                why=_REQUIREMENTS
                if scenarios == _REQUIRED
                else "no requirements here; it depends on the ranking of clusters",
            ),
            [
                _reading(
                    runs,
                    [_step(runs, m, (s, low), (s, high)) for m, s in product(metrics, scenarios)],
                )
                for runs in real
            ],
        )


def _local_search(real: Sequence[Compared]) -> Iterator[Judged]:
    everywhere = tuple(product(MEANS, _FOUR))
    left_out = {("mean_response_s", scenario) for scenario in _FREE}
    for says, places, rivals in (
        ("local search is better than CONS in every mean", everywhere, ("cons",)),
        (
            "local search is the best policy, but for response without requirements",
            [place for place in everywhere if place not in left_out],
            POLICIES[:-1],
        ),
    ):
        yield Judged(
            Claim(
                "Fig. 2",
                says,
                "in all" if rivals == ("cons",) else "best",
                "the best other over local search, in each mean and scenario",
                unit="%",
                cause="N",
                why="true of these 103,620 jobs; twenty-two weeks do not say it of others",
            ),
            [_reading(runs, [_next(runs, *place, rivals) for place in places]) for runs in real],
        )
    yield Judged(
        Claim(
            "Fig. 2",
            "without requirements local search does not have the best response",
            "exception",
            "local search over the best other in BASIC and EXT-FAIL",
            unit="%",
            cause="P",
            why="ours is better by 1 to 4 %: the paper's stops after 2 s and counts single gains "
            "(eq. 2), ours after 20,000 reservations, and undoes a run that ends worse",
        ),
        [
            _reading(
                runs,
                [
                    Step(step.what, -step.mean, step.half, step.seeds)
                    for step in (_next(runs, *place, POLICIES[:-1]) for place in sorted(left_out))
                ],
            )
            for runs in real
        ],
    )


def _next(runs: Compared, metric: str, scenario: str, rivals: Sequence[str]) -> Step:
    """Return by how many per cent the best rival is above local search."""
    steps = [_step(runs, metric, (scenario, "ls"), (scenario, rival)) for rival in rivals]
    return min(steps, key=lambda step: step.mean)


def _grid5000(runs: Draws) -> Iterator[Judged]:
    share = estimate(100.0 * np.array(runs.results.largest_shares("EXT-FAIL", "fcfs")))
    yield Judged(
        Claim(
            "Fig. 3",
            "with first fit nearly all killed jobs die on the largest cluster",
            "95.3 %",
            "the share within 5 points",
            low=90.3,
            high=100.3,
            unit="%",
            cause="W",
            why=_JOBS,
            ruled="not testable",
        ),
        [Reading(runs.levels, f"{share} %", [Step("", share.mean, share.half, runs.seeds)])],
    )
    lengths = ratio_of_sums(
        runs.each("mean_killed_length_s", ("EXT-FAIL", "fcfs")),
        runs.each("mean_length_s", ("EXT-FAIL", "fcfs")),
    )
    yield Judged(
        Claim(
            "Fig. 3",
            "killed jobs are far longer than jobs",
            "60,690 s against 2,608 s: 23 times",
            "at least 5 times as long",
            low=5.0,
            unit="times",
            cause="W",
            why=_JOBS,
            ruled="not testable",
        ),
        [Reading(runs.levels, f"{lengths} times", [Step("", *_of(lengths), runs.seeds)])],
    )
    fewer = [
        _step(runs, "killed", (scenario, "fcfs-lb"), (scenario, "fcfs"))
        for scenario in ("EXT-FAIL", "EXT-ALL")
    ]
    fewer += [_step(runs, "killed", ("EXT-ALL", p), ("EXT-FAIL", p)) for p in POLICIES]
    yield _of_grid5000(
        runs,
        "Figs 3, 4",
        "fewer jobs are killed where jobs are spread: by requirements, or by choice at random",
        "FCFS over FCFS-LB, and EXT-FAIL over EXT-ALL under each policy",
        fewer,
    )
    yield _of_grid5000(
        runs,
        "Fig. 3",
        "the mean response falls with failures, because the long jobs die",
        "BASIC and EXT-REQ over EXT-FAIL and EXT-ALL",
        [
            _step(runs, "mean_response_s", (failing, policy), (peaceful, policy))
            for policy in POLICIES
            for failing, peaceful in product(("EXT-FAIL", "EXT-ALL"), ("BASIC", "EXT-REQ"))
        ],
    )
    alike = [
        _step(runs, metric, ("BASIC", policy), ("EXT-FAIL", policy))
        for policy, metric in product(POLICIES, ("mean_slowdown", "mean_wait_s"))
    ]
    yield _of_grid5000(
        runs,
        "Fig. 3",
        "failures alone hardly change slowdown and wait",
        "EXT-FAIL over BASIC within a factor of 2",
        alike,
        low=-50.0,
        high=100.0,
    )
    yield _of_grid5000(
        runs,
        "Fig. 4",
        "choice at random has the better slowdown and wait without requirements, and the worse "
        "with them",
        "FCFS over FCFS-LB, with requirements the other way round",
        [
            _step(runs, metric, (scenario, low), (scenario, high))
            for scenarios, low, high in ((_FREE, "fcfs-lb", "fcfs"), (_REQUIRED, "fcfs", "fcfs-lb"))
            for scenario, metric in product(scenarios, ("mean_slowdown", "mean_wait_s"))
        ],
    )


def _of_grid5000(  # noqa: PLR0917 (as in a claim)
    runs: Draws,
    place: str,
    says: str,
    rule: str,
    steps: Sequence[Step],
    low: float = 0.0,
    high: float = np.inf,
) -> Judged:
    claim = Claim(
        place,
        f"Grid'5000: {says}",
        "so in the figure",
        rule,
        low=low,
        high=high,
        unit="%",
        cause="W",
        why=_JOBS,
        ruled="not testable",
    )
    return Judged(claim, [_reading(runs, steps)])


def _das2(runs: Draws) -> Iterator[Judged]:
    for says, rule, steps in (
        (
            "local search gives the best results in all cases",
            "the best other over local search in each mean and scenario",
            [
                _next(runs, metric, scenario, POLICIES[:-1])
                for metric, scenario in product(MEANS, PROBLEMS["das2"])
            ],
        ),
        (
            "with MetaCentrum's failure rate waits and responses are longer than with LANL's",
            "EXT-ALL-M over EXT-ALL-L under each policy",
            [
                _step(runs, metric, ("EXT-ALL-L", policy), ("EXT-ALL-M", policy))
                for policy, metric in product(POLICIES, ("mean_wait_s", "mean_response_s"))
            ],
        ),
        (
            "with MetaCentrum's failure rate more jobs are killed than with LANL's",
            "M over L in EXT-FAIL and EXT-ALL under each policy",
            [
                _step(runs, "killed", (f"{kind}-L", policy), (f"{kind}-M", policy))
                for kind, policy in product(("EXT-FAIL", "EXT-ALL"), POLICIES)
            ],
        ),
    ):
        claim = Claim(
            "Fig. 5",
            f"DAS-2: {says}",
            "so in the figure",
            rule,
            unit="%",
            cause="W",
            why=_JOBS,
            ruled="not testable",
        )
        yield Judged(claim, [_reading(runs, steps)])


def _of(found: Estimate) -> tuple[float, float]:
    return found.mean, found.half
