"""What `aucore` says of recovery options, under every reading of its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..claims import Cause, Claim, Judged, Reading
from ..estimates import ratio
from ..shown import Shown
from .results import ALONE, GAPS, MIXED, MTBFS, SINGLE, Results

__all__ = ["PRINTED", "claims"]

# Failure slowdowns and responses [min] of Fig. 4, slowdowns of All-C by repair time [min], Fig. 6.
PRINTED = {"mr": 1.71, "all-b": 1.06, "all-e": 0.47}
_MORE = 235.0 - 169.0
_OF_C = {240.0: 2.76, 120.0: 1.21, 15.0: 0.12}
_AUTOMATIC = (*MIXED, *SINGLE)
_LOG = "job log and failures are not public"
_OPEN = "what the text leaves open"
Steps = Callable[[Results], Mapping[str, Any]]


def claims(each: Sequence[Results], shown: Shown) -> Iterator[Judged]:
    """Yield the claims on the figures that were played."""
    if shown.wants("fig4", "fig5"):
        yield from _baseline(each)
        yield from _options(each)
    alone = [results for results in each if not results.setup.sessions]
    if shown.wants("fig6"):
        yield from _repairs(alone)
    if shown.wants("fig7"):
        yield from _mtbfs(alone)
    if shown.wants("fig8"):
        yield from _arrivals(alone)


def _judged(  # noqa: PLR0917 (as in a claim)
    each: Sequence[Results],
    place: str,
    says: str,
    printed: str,
    rule: str,
    steps: Steps,
    cause: Cause = "P",
    why: str = _OPEN,
    **limits: Any,
) -> Judged:
    claim = Claim(place, says, printed, rule, cause=cause, why=why, **limits)
    return Judged(claim, [Reading.of(r.setup.levels, steps(r)) for r in each])


def _below(results: Results, pairs: Sequence[tuple[str, str]], **more: Any) -> dict[str, Any]:
    """Return the failure slowdown of the second of each pair less that of the first."""
    return {
        f"{_short(low)} < {_short(high)}": results.slowdown(high, **more)
        - results.slowdown(low, **more)
        for low, high in pairs
    }


def _short(case: str) -> str:
    return {**{case: option for option, case in ALONE.items()}, "mr": "MR"}.get(case, case)


def _baseline(each: Sequence[Results]) -> Iterator[Judged]:
    yield _judged(
        each,
        "Fig. 4",
        "failed jobs take this much longer: manual resubmission, All-B, All-E",
        "1.71, 1.06, 0.47",
        "each failure slowdown within a factor of 2",
        lambda r: {_short(c): r.slowdown(c) / value for c, value in PRINTED.items()},
        low=0.5,
        high=2.0,
        unit="of the printed",
        why="All-B as a band behind all others waits for days, so its 1.06 is a newcomer's wait",
    )
    yield _judged(
        each,
        "Fig. 4",
        "every automatic case has a smaller failure slowdown than manual resubmission",
        "1.06 .. 0.47 < 1.71",
        "MR less each of even, normal, B, C, D, E",
        lambda r: _below(r, [(case, "mr") for case in _AUTOMATIC]),
    )
    yield _judged(
        each,
        "Fig. 4",
        "from All-B to All-E the failure slowdown falls",
        "monotonously",
        "B less C, C less D, D less E",
        lambda r: _below(r, [(low, high) for high, low in pairwise(SINGLE)]),
    )
    yield _judged(
        each,
        "Fig. 4",
        "even and normal are between All-E and All-B",
        "in between",
        "both less E, and B less both",
        lambda r: _below(r, [pair for c in MIXED for pair in (("all-e", c), (c, "all-b"))]),
    )
    yield _judged(
        each,
        "Fig. 4",
        "failures with manual resubmission add this to the mean response",
        "66 min (169 to 235)",
        "MR less FF within a factor of 2",
        lambda r: {"MR - FF": r.response("mr") - r.response("ff")},
        low=_MORE / 2.0,
        high=_MORE * 2.0,
        unit="min",
        cause="W",
        why="it is 12,100 job hours of some 50 failed jobs whose own delays are 400: nearly all "
        "is what others wait for them, so it depends on the load, which is not printed",
    )
    yield _judged(
        each,
        "Fig. 4",
        "the responses of all automatic cases are between no failures and manual resubmission",
        "185 .. 216 of 169 .. 235 min",
        "each less FF, and MR less each",
        lambda r: {
            f"{_short(low)} < {_short(high)}": r.response(high) - r.response(low)
            for case in _AUTOMATIC
            for low, high in (("ff", case), (case, "mr"))
        },
        cause="N",
        why=f"{_LOG}; a month's mean moves by more than these minutes",
        unit="min",
    )
    yield _judged(
        each,
        "Fig. 4",
        "All-D and All-E have slightly longer responses than the other automatic cases",
        "slightly worse; D 216 min",
        "D and E less each of even, normal, B, C",
        lambda r: {
            f"{_short(c)} < {_short(last)}": r.response(last) - r.response(c)
            for last in ("all-d", "all-e")
            for c in (*MIXED, "all-b", "all-c")
        },
        cause="N",
        why="differences of a minute",
        unit="min",
    )


def _options(each: Sequence[Results]) -> Iterator[Judged]:
    yield _judged(
        each,
        "Fig. 5",
        "inside even and normal the failure slowdown falls from option A to E",
        "A 1.98, 2.19; E 0.36, 0.30",
        "each option less the next, in both cases",
        lambda r: {
            f"{case}, {low} < {high}": r.of_option(case, high) - r.of_option(case, low)
            for case in MIXED
            for high, low in pairwise(ALONE)
        },
    )
    yield _judged(
        each,
        "Fig. 5",
        "in mixed cases options C, D, E do better than where all jobs have them, A and B worse",
        "E by up to 36 %",
        "differences to All-A .. All-E, in even and normal",
        lambda r: {
            f"{case}, {option}": (-1.0 if option in "AB" else 1.0)
            * (r.slowdown(alone) - r.of_option(case, option))
            for case in MIXED
            for option, alone in ALONE.items()
        },
        cause="N",
        why="a case has some fifty struck jobs a month, an option ten of them",
    )


def _repairs(each: Sequence[Results]) -> Iterator[Judged]:
    yield _judged(
        each,
        "Fig. 6",
        "with manual resubmission the failure slowdown hardly depends on the repair time",
        "less related",
        "MR at 240 min over 15 min, less 1, within 30 %",
        lambda r: {
            "MR": ratio(*(r.slowdown("mr", repair=repair) for repair in (240.0, 15.0))) - 1.0
        },
        low=-0.3,
        high=0.3,
    )
    yield _judged(
        each,
        "Fig. 6",
        "in all other single cases it falls with the repair time",
        "decreases",
        "from 240 to 15 min, of B, C, D, E",
        lambda r: {
            _short(c): r.slowdown(c, repair=240.0) - r.slowdown(c, repair=15.0) for c in SINGLE
        },
    )
    yield _judged(
        each,
        "Fig. 6",
        "All-C has this failure slowdown at 240, 120 and 15 min",
        "2.76, 1.21, 0.12",
        "each within a factor of 2",
        lambda r: {
            f"{repair:g} min": r.slowdown("all-c", repair=repair) / value
            for repair, value in _OF_C.items()
        },
        low=0.5,
        high=2.0,
        unit="of the printed",
        why="repair over running time is 2.4, 1.2, 0.15: there is no room for rework in 0.12",
    )
    others = [case for case in SINGLE if case != "all-c"]
    for repair, says, printed, pairs in (
        (
            120.0,
            "second worst, after manual resubmission",
            "1.21",
            [*((case, "all-c") for case in others), ("all-c", "mr")],
        ),
        (
            60.0,
            "between All-D and All-B",
            "so in Fig. 6",
            [("all-d", "all-c"), ("all-c", "all-b")],
        ),
        (
            30.0,
            "second best, after All-E",
            "so in Fig. 6",
            [("all-e", "all-c"), ("all-c", "all-d"), ("all-c", "all-b")],
        ),
    ):
        yield _judged(
            each,
            "Fig. 6",
            f"at {repair:g} min All-C is {says}",
            printed,
            "differences to its neighbours in that order",
            partial(_below, pairs=pairs, repair=repair),
        )
    yield _judged(
        each,
        "Fig. 6",
        "at 15 min All-C is best",
        "0.12",
        "each other less C",
        lambda r: _below(r, [("all-c", c) for c in others], repair=15.0),
        cause="E",
        why="a job of option E takes any free partition or, at the latest, its own when that is "
        "repaired, which is what C waits for",
    )


def _mtbfs(each: Sequence[Results]) -> Iterator[Judged]:
    cases = ("mr", *MIXED)
    yield _judged(
        each,
        "Fig. 7",
        "the failure slowdown rises as the MTBF falls",
        "increases",
        "4 h less 24 h, of MR, even, normal",
        lambda r: {
            _short(c): r.slowdown(c, mtbf=MTBFS[0]) - r.slowdown(c, mtbf=MTBFS[-1]) for c in cases
        },
        cause="N",
        why="it is a mean over struck jobs, which grows only where a job is struck twice",
    )
    yield _judged(
        each,
        "Fig. 7",
        "the response rises as the MTBF falls",
        "increases",
        "4 h less 24 h, of MR, even, normal",
        lambda r: {
            _short(c): r.response(c, mtbf=MTBFS[0]) - r.response(c, mtbf=MTBFS[-1]) for c in cases
        },
        cause="N",
        why=_LOG,
        unit="min",
    )
    yield _judged(
        each,
        "Fig. 7",
        "at the highest MTBF manual resubmission has the shorter response than even and normal",
        "even lower",
        "even and normal less MR at 24 h",
        lambda r: {
            _short(c): r.response(c, mtbf=MTBFS[-1]) - r.response("mr", mtbf=MTBFS[-1])
            for c in MIXED
        },
        cause="N",
        why="differences of a minute",
        unit="min",
    )


def _arrivals(each: Sequence[Results]) -> Iterator[Judged]:
    yield _judged(
        each,
        "Fig. 8",
        "the response falls as jobs arrive less often",
        "decreases",
        "from a gap of 5 to 6 to 8 min, of MR, even, normal",
        lambda r: {
            f"{_short(c)}, {low:g} to {high:g}": r.response(c, gap=low) - r.response(c, gap=high)
            for c in ("mr", *MIXED)
            for low, high in pairwise(GAPS)
        },
        unit="min",
    )
    yield _judged(
        each,
        "Fig. 8",
        "even and normal have the smaller failure slowdown than manual resubmission at every gap",
        "in all cases",
        "MR less both at 5, 6, 8 min",
        lambda r: {
            f"{what}, {gap:g} min": values
            for gap in GAPS
            for what, values in _below(r, [(c, "mr") for c in MIXED], gap=gap).items()
        },
    )
