"""What `qsim` says of utility functions and of fault-aware allocation, under every reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sim.cluster.order import UTILITIES

from ..claims import Cause, Claim, Judged, Reading
from ..controls import controlled
from ..estimates import ratio
from ..shown import Shown
from .results import PEACEFUL, STRUCK, Results, Setup
from .runs import ALLOCATIONS, MTBFS

# Printed gains over FCFS in the mean wait, [%].
GAINS = {"wfp1": 13.4, "wfp3": 25.7, "fcsj": 54.8}
_OTHERS = tuple(name for name in UTILITIES if name != "fcfs")
_SMALLEST, _LARGEST = 0, 3
_SETUP = "scheduler, threshold and walltimes are not printed"
_LEAST = MTBFS[0]
_LOST = {"capacity": "lost_of_capacity", "hours used": "lost"}  # what is lost, of what


def claims(results: Results, shown: Shown) -> Iterator[Judged]:
    """Yield the claims on the figures that were played."""
    if shown.wants("fig4", "fig5", "fig6"):
        yield from _Peace(results, results.played(PEACEFUL)).claims()
    if shown.wants("fig7", "fig8", "fig9"):
        yield from _Struck(results, results.played(STRUCK)).claims()


class _Judge:
    """Claims judged under the same set-ups."""

    def __init__(self, results: Results, setups: Sequence[Setup]) -> None:
        self.results, self.setups = results, setups

    def judged(
        self,
        place: str,
        says: str,
        printed: str,
        rule: str,
        steps: Callable[[Setup], Mapping[str, Any]],
        *,
        cause: Cause = "P",
        why: str = _SETUP,
        **limits: Any,
    ) -> Judged:
        """Judge steps, one number per seed each."""
        claim = Claim(place, says, printed, rule, cause=cause, why=why, **limits)
        return Judged(claim, [Reading.of(setup.levels, steps(setup)) for setup in self.setups])

    def wait(self, setup: Setup, utility: str, **more: Any) -> Any:
        """Return the mean wait by seed, [s]."""
        return self.results.each("wait", setup, utility, **more)


class _Peace(_Judge):
    """Without failures: Figs 4 to 6."""

    def claims(self) -> Iterator[Judged]:
        """Yield them by figure."""
        yield from self._overall()
        yield from self._at_once()
        yield from self._by_class()

    def _overall(self) -> Iterator[Judged]:
        def over_fcfs(setup: Setup) -> dict[str, Any]:
            return {
                f"{name.upper()} {metric}": 100.0
                * (
                    ratio(
                        self.results.each(metric, setup, "fcfs"),
                        self.results.each(metric, setup, name),
                    )
                    - 1.0
                )
                for metric in ("wait", "slowdown")
                for name in _OTHERS
            }

        yield self.judged(
            "Fig. 4",
            "FCFS has the longest mean wait and the largest slowdown",
            "7,882 s; 9.7",
            "FCFS over each of five others, less 1",
            over_fcfs,
            unit="%",
        )
        yield self.judged(
            "Fig. 4",
            "FCSJ waits least, then WFP3, then WFP1",
            "3,560 < 5,856 < 6,826 s",
            "differences of the mean waits",
            lambda s: {
                "WFP3 - FCSJ": self.wait(s, "wfp3") - self.wait(s, "fcsj"),
                "WFP1 - WFP3": self.wait(s, "wfp1") - self.wait(s, "wfp3"),
            },
            unit="s",
        )
        yield self.judged(
            "Fig. 4",
            "WFP1, WFP3 and FCSJ gain this much of FCFS's wait",
            " / ".join(f"{gain:g}" for gain in GAINS.values()) + " %",
            "each gain within a factor of 2",
            lambda s: {
                name.upper(): 100.0
                * (1.0 - ratio(self.wait(s, name), self.wait(s, "fcfs")))
                / printed
                for name, printed in GAINS.items()
            },
            low=0.5,
            high=2.0,
            unit="of the printed",
        )
        yield self.judged(
            "Fig. 4",
            "jobs wait this long under FCFS",
            "7,882 s",
            "the mean within a factor of 2",
            lambda s: {"FCFS": self.wait(s, "fcfs")},
            low=3941.0,
            high=15764.0,
            unit="s",
        )

    def _at_once(self) -> Iterator[Judged]:
        def share(setup: Setup, metric: str) -> tuple[Any, Any]:
            each = {name: 100.0 * self.results.each(metric, setup, name) for name in UTILITIES}
            return each["fcfs"], np.mean([each[name] for name in _OTHERS], axis=0)

        def near(setup: Setup) -> dict[str, Any]:
            fcfs, rest = share(setup, "at_once")
            return {"FCFS, less 50": fcfs - 50.0, "others, less 55": rest - 55.0}

        yield self.judged(
            "Fig. 5",
            "nearly 50 % of the jobs start at once under FCFS, around 55 % under the others",
            "~50, ~55 %",
            "both within 5 points",
            near,
            low=-5.0,
            high=5.0,
            unit="points",
            why=f"{_SETUP}; with a threshold of 0 over 70 % start at once",
        )

        def fewer(setup: Setup) -> dict[str, Any]:
            fcfs, rest = share(setup, "at_once")
            long, rest_long = share(setup, "long")
            return {"at once, others - FCFS": rest - fcfs, "long, FCFS - others": long - rest_long}

        yield self.judged(
            "Fig. 5",
            "under FCFS fewer jobs start at once, and more wait for 10 h",
            "so in Fig. 5",
            "both differences to the mean of the others",
            fewer,
            unit="points",
        )
        yield self.judged(
            "Fig. 5",
            "less than 5 % of the jobs wait for 10 h under any policy",
            "< 5 %",
            "5 less the share of each policy",
            lambda s: {
                name.upper(): 5.0 - 100.0 * self.results.each("long", s, name) for name in UTILITIES
            },
            unit="points",
        )

    def _by_class(self) -> Iterator[Judged]:
        def by(metric: str, setup: Setup, utility: str) -> Any:
            return self.results.each(metric, setup, utility).T

        def others(metric: str, setup: Setup, place: int) -> Any:
            return np.mean([by(metric, setup, name)[place] for name in _OTHERS], axis=0)

        def short_only(setup: Setup) -> dict[str, Any]:
            fcfs = by("wait_by_length", setup, "fcfs")
            return {
                "< 10 min, FCFS - others": fcfs[0] - others("wait_by_length", setup, 0),
                "10 min - 1 h": fcfs[1] - others("wait_by_length", setup, 1),
                "> 4 h, others - FCFS": others("wait_by_length", setup, 3) - fcfs[3],
            }

        yield self.judged(
            "Fig. 6",
            "the smart functions wait less than FCFS for jobs up to 1 h, not beyond 4 h",
            "only for relatively short jobs",
            "differences to the mean of the five others",
            short_only,
            unit="s",
        )
        yield self.judged(
            "Fig. 6",
            "under every policy the slowdown falls with the running time",
            "11.5-30, 2.9-6.5, 1.9-2.3, 1.2-1.3",
            "from each class of four to the next, six policies",
            lambda s: {
                f"{name.upper()} {place}": less - more
                for name in UTILITIES
                for place, (less, more) in enumerate(
                    zip(*(by("slowdown_by_length", s, name)[part] for part in _NEXT), strict=True)
                )
            },
        )

        def unicef(setup: Setup) -> dict[str, Any]:
            mine = by("wait_by_scale", setup, "unicef")
            rest = [by("wait_by_scale", setup, name) for name in UTILITIES if name != "unicef"]
            best = min(rest, key=lambda waits: float(waits[_SMALLEST].mean()))
            last = max(rest, key=lambda waits: float(waits[_LARGEST].mean()))
            steps = {f"{a + 1} to {a + 2}": mine[a + 1] - mine[a] for a in range(3)}
            steps["best other - UNICEF, <= 64"] = best[_SMALLEST] - mine[_SMALLEST]
            steps["UNICEF - worst other, >= 4096"] = mine[_LARGEST] - last[_LARGEST]
            return steps

        yield self.judged(
            "Fig. 6",
            "under UNICEF waits rise with size; it is best for the smallest jobs, worst for the "
            "largest",
            "1038 3420 4535 11928 s",
            "three steps by size, and both ends against the others",
            unicef,
            unit="s",
        )

        def fat(setup: Setup) -> dict[str, Any]:
            rest = [
                by("wait_by_scale", setup, name)[_LARGEST] for name in UTILITIES if name != "fat"
            ]
            best = min(rest, key=lambda waits: float(waits.mean()))
            return {"best other - FAT": best - by("wait_by_scale", setup, "fat")[_LARGEST]}

        yield self.judged(
            "Fig. 6",
            "FAT is best for jobs of 4,096 nodes and more",
            "4,115 s",
            "the best other less FAT",
            fat,
            unit="s",
        )
        yield self.judged(
            "Fig. 6",
            "under FAT waits fall with size",
            "8576 6124 5193 4115 s",
            "three steps by size",
            lambda s: {
                f"{a + 1} to {a + 2}": by("wait_by_scale", s, "fat")[a]
                - by("wait_by_scale", s, "fat")[a + 1]
                for a in range(3)
            },
            unit="s",
            why="small jobs wait long in the paper under every policy but UNICEF: probably small "
            "partitions could not be had everywhere, which lists of queues decide",
        )
        yield self.judged(
            "Fig. 6",
            "FCSJ is better than WFP1 but for the largest jobs; there WFP3 is better than FCSJ",
            "in most cases",
            "WFP1 - FCSJ by size, FCSJ - WFP1 and FCSJ - WFP3 for 4,096 and more",
            lambda s: {
                **{
                    f"size {a + 1}": by("wait_by_scale", s, "wfp1")[a]
                    - by("wait_by_scale", s, "fcsj")[a]
                    for a in range(3)
                },
                **{
                    f"largest, FCSJ - {name.upper()}": by("wait_by_scale", s, "fcsj")[_LARGEST]
                    - by("wait_by_scale", s, name)[_LARGEST]
                    for name in ("wfp1", "wfp3")
                },
            },
            unit="s",
        )


_NEXT = (slice(0, 3), slice(1, 4))


class _Struck(_Judge):
    """With failures: Figs 7 to 9."""

    def claims(self) -> Iterator[Judged]:
        """Yield them by figure."""
        yield from self._ordinary()
        for metric, words, printed in (
            ("failed", "job failure rate", "17 to 24, 17 to 34 %"),
            ("lost", "service unit loss", "18 to 31, 18 to 39 %"),
        ):
            yield self._gain(
                f"fault-aware allocation lowers the {words} at every MTBF",
                printed,
                "of WFP3 and FCFS at 3.5, 10.4, 20.8 h, relative to the mean",
                [(metric, utility, mtbf) for utility in ("wfp3", "fcfs") for mtbf in MTBFS],
            )
        yield self._gain(
            "fault-aware allocation lowers response and slowdown a little at the least MTBF",
            "up to 6.7, 5.0; 9.7, 7.5 %",
            "of WFP3 and FCFS at 3.5 h, relative to the mean",
            [
                (metric, utility, _LEAST)
                for utility in ("wfp3", "fcfs")
                for metric in ("response", "slowdown")
            ],
            cause="N",
            why="weeks of queueing after one long job differ by more than what a fifth of the "
            "failures cost",
        )

    def _ordinary(self) -> Iterator[Judged]:
        each = self.results.each

        def struck(metric: str, setup: Setup, utility: str, mtbf: float = _LEAST) -> Any:
            values = each(metric, setup, utility, mtbf=mtbf)
            return controlled(values, self.results.controls(setup, utility, mtbf))

        yield self.judged(
            "Figs 7, 8",
            "the job failure rate rises with the failure rate",
            "strictly",
            "of WFP3 and FCFS from 20.8 to 10.4 to 3.5 h",
            lambda s: {
                f"{u.upper()}, {high:.1f} to {low:.1f} h": 100.0
                * (struck("failed", s, u, low) - struck("failed", s, u, high))
                for u in ("wfp3", "fcfs")
                for low, high in pairwise(MTBFS)
            },
            unit="points",
        )
        yield self.judged(
            "Fig. 7",
            "at the least MTBF the response is longer than without failures",
            "14.35 %",
            "of WFP3, relative to the mean",
            lambda s: {
                "WFP3": 100.0
                * (
                    ratio(each("response", s, "wfp3", mtbf=_LEAST), each("response", s, "wfp3"))
                    - 1.0
                )
            },
            unit="%",
            cause="N",
            why="a change of the queue moves the mean response of a month by more than that",
        )
        losses = [(setup, kind) for kind in _LOST for setup in self.setups]
        yield Judged(
            Claim(
                "Fig. 7",
                "at the least MTBF this share of the jobs fails and of the service units is lost",
                "1.05 %; 14.8 %",
                "WFP3: both within a factor of 2",
                low=0.5,
                high=2.0,
                unit="of the printed",
                cause="R",
                why='"the entire service units in a given time span" is the capacity',
            ),
            [
                Reading.of(
                    {**setup.levels, "lost, of the": kind},
                    {
                        "JFR": 100.0 * struck("failed", setup, "wfp3") / 1.05,
                        "SULR": 100.0 * struck(_LOST[kind], setup, "wfp3") / 14.8,
                    },
                )
                for setup, kind in losses
            ],
        )

        def against(setup: Setup, metric: str) -> Any:
            return 100.0 * (
                ratio(*(each(metric, setup, u, mtbf=_LEAST) for u in ("fcfs", "wfp3"))) - 1.0
            )

        yield self.judged(
            "Fig. 8",
            "with failures too FCFS has longer responses and larger slowdowns than WFP3",
            "higher",
            "FCFS less WFP3 at 3.5 h, relative to the mean",
            lambda s: {metric: against(s, metric) for metric in ("response", "slowdown")},
            unit="%",
        )
        yield self.judged(
            "Fig. 8",
            "the job failure rate does not depend on the policy",
            "no gap",
            "FCFS and WFP3 at 3.5 h within 20 % of each other",
            lambda s: {"JFR": against(s, "failed")},
            low=-20.0,
            high=20.0,
            unit="%",
            cause="N",
            why="",
        )

    def _gain(
        self,
        says: str,
        printed: str,
        rule: str,
        wanted: Sequence[tuple[str, str, float]],
        *,
        cause: Cause = "E",
        why: str = "by the printed cost a partition that fails is preferred wherever it blocks "
        "more than one parent that nothing else dooms: these fail with it and cost less to block",
    ) -> Judged:
        def gain(setup: Setup, allocation: str, metric: str, utility: str, mtbf: float) -> Any:
            ordinary, aware = (
                self.results.each(metric, setup, utility, mtbf=mtbf, allocation=name)
                for name in ("ordinary", allocation)
            )
            return 100.0 * ratio(ordinary - aware, ordinary)

        readings = [
            Reading.of(
                {"cost": allocation, **setup.levels},
                {
                    f"{utility.upper()} {metric}, {mtbf:.1f} h": gain(
                        setup, allocation, metric, utility, mtbf
                    )
                    for metric, utility, mtbf in wanted
                },
            )
            for allocation in ALLOCATIONS[1:]
            for setup in self.setups
        ]
        claim = Claim("Figs 7, 8, 9", says, printed, rule, unit="%", cause=cause, why=why)
        return Judged(claim, readings)
