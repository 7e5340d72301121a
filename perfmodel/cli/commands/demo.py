"""``perfmodel demo``: one recommendation in plain words, and what to try next."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from asking.units import DURATIONS, human_duration, seconds

from ...answers.parts.advice import Advice
from ...answers.questions.interval import IntervalAnswer, interval
from ...answers.requests.job import IntervalRequest
from ...answers.requests.presets import PRESETS
from ...answers.shown import in_one_unit
from ...makespan import efficiency
from ..options.example import example
from ..output.tables import print_lines

LANL = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv"
SYSTEM = "20"
COST = "10min"
PRESET = "llama-3-405b"


@click.command(epilog=example("perfmodel demo"))
def demo() -> None:
    """Recommend a checkpoint interval, in plain words.

    For a real failure log if one is found, else for a built-in preset. The log is searched for
    below $PERFMODEL_TRACES, then in ../shared/traces beside the checkout.
    """
    from sim.traces import locate

    log = locate(LANL)
    if log is not None:
        source = ["--log", _short(log), "--format", "lanl", "--system", SYSTEM]
        arguments = [*source, "--checkpoint-cost", COST]
        request = IntervalRequest(
            log=log, format="lanl", system=SYSTEM, checkpoint_cost=seconds(COST)
        )
        opening = f"The failure log of Los Alamos National Laboratory, system {SYSTEM}, was found."
        fit = [["fit", *source[1:]]]
    else:
        arguments, request = ["--preset", PRESET], IntervalRequest(preset=PRESET)
        opening = f"No failure log was found, so this is a preset: {PRESETS[PRESET].title}."
        fit = []
    print_lines(opening, "", *_in_words(interval(request)), "", "Try next:", "")
    tries = [
        ["interval", *arguments],
        ["interval", *arguments, "--json"],
        *fit,
        ["simulate", *arguments],
        ["interval", "--node-mtbf", "5y", "--nodes", "4096", "--checkpoint-cost", "6min"],
        ["interval", "--help"],
    ]
    for words in tries:
        # Not wrapped, so that it can be copied.
        click.echo(f"  {shlex.join([_program(), *words])}")


def _in_words(answer: IntervalAnswer) -> list[str]:
    job, foreseen = answer.advice.job, answer.foreseen
    mtbf = f"It fails every {human_duration(job.mtbf.value)} on average ({job.mtbf.words})."
    if job.mtbf.low is not None and job.mtbf.high is not None:
        _, low, high = in_one_unit(job.mtbf.value, job.mtbf.low, job.mtbf.high)
        mtbf = mtbf.removesuffix(".") + f"; with 95% confidence {low} to {high}."
    whose = (
        f"A job of {human_duration(job.work)} whose checkpoint takes "
        f"{human_duration(job.checkpoint_cost)} should write one after every "
    )
    if foreseen is None:
        return [mtbf, f"{whose}{_minutes(answer.advice.best.interval_s)}.", _gets(answer.advice)]
    return [
        mtbf,
        f"{whose}{_minutes(foreseen.interval)}, by a forecast of the failures to come; a long job "
        f"then gets on in {foreseen.useful:.1%} of its time.",
        f"At a constant rate of that mean it would be every "
        f"{_minutes(answer.advice.best.interval_s)}. {_gets(answer.advice)}",
    ]


def _minutes(time: float) -> str:
    return f"{time / DURATIONS['min']:.3g} min of work"


def _gets(advice: Advice) -> str:
    job, best = advice.job, advice.best
    daily = float(efficiency(job.work, interval=DURATIONS["d"], **job.costs))
    return (
        f"It then gets {best.efficiency:.1%} of its wall time as useful work and ends after "
        f"{human_duration(best.expected_makespan_s)}; with one checkpoint a day it would get "
        f"{daily:.1%}."
    )


def _program() -> str:
    """Return the name under which a shell in this folder finds this program."""
    return "perfmodel" if shutil.which("perfmodel") else _short(Path(sys.argv[0]))


def _short(path: Path) -> str:
    """Return the shortest way to write the path from here."""
    here, full = Path.cwd(), Path.cwd() / path
    ways = [str(full)]
    for base, prefix in ((here, ""), (here.parent, "../")):
        if full.is_relative_to(base):
            ways.append(f"{prefix}{full.relative_to(base)}")
    return min(ways, key=len)
