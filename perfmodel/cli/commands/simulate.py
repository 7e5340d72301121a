"""``perfmodel simulate``: play the job many times and compare with the prediction."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..._checks import FloatArray
from ...answers.known.job import Job, filled, job_of
from ...answers.logs.recorded_gaps import STARTS, play_recorded
from ...answers.parts.advice import recommended_interval
from ...answers.refusals import Refused
from ...answers.requests.job import SimulateRequest
from ...answers.shown import in_unit, percent, shared_unit
from ...makespan import expected_makespan, makespan_variance
from ...units import human_duration
from ..figures import draw_in, plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.progress import watched
from ..output.provenance import provenance
from ..output.tables import print_facts, print_json, print_lines, print_table

if TYPE_CHECKING:
    from sim.samplers import Sampler

__all__ = ["simulate"]

BATCH = 5000
MOST_EVENTS = 1e9
REJECT_Z = 4.0
CONFIDENCE_Z = 1.959963984540054
COARSEST = 0.1
FEWEST = 100  # jobs, and failures in all of them, for the normal limits
_SENTENCES = {
    "agrees": "agrees with the prediction",
    "differs": "differs from the prediction by more than chance allows",
    "too few replications to tell": "cannot be judged: too few replications",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One predicted number beside its simulated estimate, with 95 % limits.

    `resolution` is the smallest relative error that the test notices.
    """

    quantity: str
    predicted_s: float
    simulated_s: float
    simulated_low_s: float
    simulated_high_s: float
    z: float
    resolution: float
    verdict: str


def _headline(answer: Mapping[str, Any]) -> Headline:
    mean = next(each for each in answer["comparisons"] if each["quantity"] == "mean")
    return Headline(
        {
            "interval": Number("duration", answer["interval_s"]),
            "simulated": Number("duration", mean["simulated_s"]),
        },
        time=mean["predicted_s"],
        per_hour=answer["price_per_hour"],
    )


def _differs(answer: Mapping[str, Any]) -> bool:
    return any(each["verdict"] == "differs" for each in answer["comparisons"])


@takes_lists(
    SimulateRequest,
    lambda request: _answer(request).to_dict(),
    _headline,
    per_year=False,
    fails=_differs,
)
@click.command(
    epilog=example("perfmodel simulate --mtbf 8h --checkpoint-cost 6min --replications 20000")
)
@options_of(SimulateRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(SimulateRequest)
def simulate(request: SimulateRequest, *, plot: Path | None, as_json: bool) -> None:
    """Compare the prediction with jobs played under random failures.

    Exit code 1 says that prediction and simulation differ by more than chance allows.
    """
    found = _answer(request)
    job, interval, replications = found.job, found.interval, found.request.replications
    if plot is not None:
        from ...answers.drawn import completion_figure
        from ...completion import exact_makespan

        law = exact_makespan(job.work, interval=interval, **job.costs)
        draw_in(plot, partial(completion_figure, law, simulated=found.played))
    if as_json:
        print_json(found.to_dict())
    else:
        facts = [
            ("interval", f"{human_duration(interval)} of work between two checkpoints"),
            ("played", f"{replications:,} jobs, seed {found.request.seed}"),
        ]
        _show(job, found.comparisons, facts)
        if (from_log := found.gaps_of_the_log) is not None:
            print_lines(
                "",
                "With the recorded gaps of the log, instead of an exponential law: mean "
                f"{human_duration(from_log['mean_s'])}, standard deviation "
                f"{human_duration(from_log['std_s'])}, over {STARTS:,} starts spread over the log.",
            )
    if any(comparison.verdict == "differs" for comparison in found.comparisons):
        raise click.exceptions.Exit(1)


@dataclass(frozen=True, slots=True, eq=False)
class _Simulated:
    """Jobs that were played, [s], beside what was predicted of them."""

    request: SimulateRequest
    job: Job
    interval: float
    played: FloatArray
    comparisons: list[Comparison]
    gaps_of_the_log: dict[str, float] | None

    def to_dict(self) -> dict[str, Any]:
        log = self.job.mtbf.log
        return {
            "interval_s": self.interval,
            "period_s": self.interval + self.job.checkpoint_cost,
            "replications": self.request.replications,
            "seed": self.request.seed,
            **self.job.plain(),
            "comparisons": [asdict(comparison) for comparison in self.comparisons],
            "verdict": _overall(self.comparisons),
            "gaps_of_the_log": self.gaps_of_the_log,
            **provenance(replace(self.request, interval=self.interval), log.notes if log else ()),
        }


def _answer(request: SimulateRequest) -> _Simulated:
    from sim.samplers import Exponential

    request = filled(request)
    job = job_of(request)
    interval = recommended_interval(job) if request.interval is None else request.interval
    _refuse_endless(job, interval, request.replications)
    uptime = Exponential(job.mtbf.value)
    played = _play(job, interval, uptime, request.replications, request.seed)
    found = _compare(job, interval, played)
    return _Simulated(request, job, interval, played, found, _gaps_of_the_log(job, interval))


def _refuse_endless(job: Job, interval: float, replications: int) -> None:
    failures = float(expected_makespan(job.work, interval=interval, **job.costs)) / job.mtbf.value
    if not _playable(failures, replications):
        raise Refused(
            "the simulation must play at most {:g} events, got about {:.3g} failures a job "
            "x {:,} replications",
            MOST_EVENTS,
            failures,
            replications,
        )


def _playable(failures: float, replications: int) -> bool:
    """Return whether that many failures a job can be played in reasonable time and memory."""
    return (failures + 10.0) * replications <= MOST_EVENTS


def _gaps_of_the_log(job: Job, interval: float) -> dict[str, float] | None:
    makespans = play_recorded(job, interval)
    if makespans is None:
        return None
    return {
        "mean_s": float(makespans.mean()),
        "std_s": float(makespans.std()),
        "starts": STARTS,
    }


def _play(job: Job, interval: float, uptime: Sampler, replications: int, seed: int) -> FloatArray:
    """Return simulated makespans, [s]; batches depend on nothing but the arguments."""
    from sim.application import simulate_makespans

    sizes = [BATCH] * (replications // BATCH)
    if rest := replications % BATCH:
        sizes.append(rest)
    seeds = np.random.SeedSequence(seed).generate_state(len(sizes), np.uint64)
    played = [
        simulate_makespans(
            job.work,
            interval=interval,
            uptime=uptime,
            checkpoint_cost=job.checkpoint_cost,
            recovery_cost=job.recovery_cost,
            downtime=job.downtime,
            replications=size,
            seed=int(batch_seed),
        )
        for size, batch_seed in _with_progress(list(zip(sizes, seeds, strict=True)))
    ]
    return np.concatenate(played)


def _with_progress(batches: list[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Yield the batches, with a progress bar on a terminal."""
    if not watched():
        yield from batches
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(batches, description="playing", console=console, transient=True)


def _compare(job: Job, interval: float, played: FloatArray) -> list[Comparison]:
    """Compare mean and standard deviation with their predictions."""
    mean = float(expected_makespan(job.work, interval=interval, **job.costs))
    std = math.sqrt(float(makespan_variance(job.work, interval=interval, **job.costs)))
    centred = played - played.mean()
    second, fourth = float(np.mean(centred**2)), float(np.mean(centred**4))
    count = played.size
    enough = count >= FEWEST and count * mean / job.mtbf.value >= FEWEST
    std_stderr = 0.0
    if second > 0.0:
        std_stderr = math.sqrt(max(fourth - second**2, 0.0) / count) / (2.0 * math.sqrt(second))
    return [
        _comparison("mean", mean, float(played.mean()), math.sqrt(second / count), enough),
        _comparison("standard deviation", std, math.sqrt(second), std_stderr, enough),
    ]


def _comparison(
    quantity: str, predicted: float, simulated: float, stderr: float, enough: bool
) -> Comparison:
    z = (simulated - predicted) / stderr if stderr > 0.0 else math.nan
    resolution = REJECT_Z * stderr / predicted if stderr > 0.0 else math.inf
    if not enough or resolution > COARSEST:
        verdict = "too few replications to tell"
    else:
        verdict = "agrees" if abs(z) < REJECT_Z else "differs"
    half = CONFIDENCE_Z * stderr
    return Comparison(
        quantity, predicted, simulated, simulated - half, simulated + half, z, resolution, verdict
    )


def _overall(found: list[Comparison]) -> str:
    verdicts = [comparison.verdict for comparison in found]
    return next((verdict for verdict in verdicts if verdict != "agrees"), "agrees")


def _show(job: Job, found: list[Comparison], facts: list[tuple[str, str]]) -> None:
    print_facts([*job.facts(), *facts])
    unit, factor = shared_unit(comparison.predicted_s for comparison in found)
    headings = [
        f"makespan\n[{unit}]",
        "predicted",
        "simulated",
        "95 % limits\nfrom",
        "to",
        "z",
        "resolution\n[%]",
    ]
    rows = [
        [
            comparison.quantity,
            in_unit(comparison.predicted_s, factor),
            in_unit(comparison.simulated_s, factor),
            in_unit(comparison.simulated_low_s, factor),
            in_unit(comparison.simulated_high_s, factor),
            f"{comparison.z:+.2f}" if math.isfinite(comparison.z) else "-",
            percent(comparison.resolution, 2),
        ]
        for comparison in found
    ]
    print_lines("")
    print_table(headings, rows)
    print_lines("", *(f"The {c.quantity} {_SENTENCES[c.verdict]}." for c in found))
